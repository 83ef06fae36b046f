"""Starter, a game for 2 to 4 players: divers are sent in secret for one pearl after the other."""

from .rules import Starter

GAME = Starter()
