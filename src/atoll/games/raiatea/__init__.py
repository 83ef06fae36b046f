"""Raiatea by Jan Schmidt, for 3 to 5 players.

A secret society builds statues with the help of gods and mana.
"""

from .rules import Raiatea

GAME = Raiatea()
