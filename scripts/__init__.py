"""Chores of the set-up; each runs by itself and needs the standard library only."""
