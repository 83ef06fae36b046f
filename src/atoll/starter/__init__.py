"""Starter, for 2 to 4: divers are sent in secret for one pearl after the other."""

from .rules import Starter

GAME = Starter()
