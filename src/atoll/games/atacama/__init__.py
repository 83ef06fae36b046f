"""Atacama by Martin Schlegel, for 2 or 4 players.

Players place neutral drilling rigs on a board of gold, silver and copper.
"""

from .rules import Atacama

GAME = Atacama()
