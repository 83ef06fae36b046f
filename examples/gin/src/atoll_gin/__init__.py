"""Gin Rummy, for two: draw and discard until the hand is nearly all sets and runs, and knock."""

from .rules import Gin

GAME = Gin()
