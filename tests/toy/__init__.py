"""A small game with every hard feature, for 2 to 4 divers: what engine and conformance suite are proven on.

Its rulebook is RULES.md; game authors find in it a model of every feature that Atacama doesn't need.
"""

from .rules import Toy

GAME = Toy()
