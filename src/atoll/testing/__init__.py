"""The conformance suite: laws that every game must satisfy.

Run it with `pytest --pyargs atoll.testing --game pearls`. Needs the extra `atoll[testing]`. For
tests of rules there are `ScriptedGame`, which plays moves given as text, and `difference_of`, which
replays golden games.
"""

from atoll.engine.scripted_game import ScriptedGame

from . import laws, presentation_laws, secrecy_laws, set_laws
from .cases import Case, cases
from .golden import difference_of
from .play import BrokenLaw, Effort, Law

LAWS: tuple[Law, ...] = (*laws.LAWS, *set_laws.LAWS, *presentation_laws.LAWS, *secrecy_laws.LAWS)
"""All laws: functions of a case and an effort that raise `BrokenLaw`."""

__all__ = ["LAWS", "BrokenLaw", "Case", "Effort", "Law", "ScriptedGame", "cases", "difference_of"]
