"""Gin Rummy for two players.

They draw and discard until nearly all of a hand is sets and runs, and then knock.
"""

from .rules import Gin

GAME = Gin()
