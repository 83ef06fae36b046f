"""Wutaki by David Rimbach, for 2 to 4 players.

Workers gather sacrifices for a monster under a volcano.
"""

from .game import Wutaki

GAME = Wutaki()
