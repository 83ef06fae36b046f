"""Atlandice by Scott Huntington and Shaun Graham, for 2 to 4 players.

Dice open the gates of a sinking city.
"""

from .rules import Atlandice

GAME = Atlandice()
