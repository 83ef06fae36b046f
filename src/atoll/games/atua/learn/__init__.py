"""Lessons of Atua."""
