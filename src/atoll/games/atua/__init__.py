"""Atua by Scott Almes: islands of overlapping cards, six harmony sources, each scored once."""

from .rules import Atua

GAME = Atua()
