"""Lessons of Atlandice."""
