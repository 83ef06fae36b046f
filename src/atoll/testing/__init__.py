"""The conformance suite: laws that every game must satisfy.

Run it with `pytest --pyargs atoll.testing --game pearls`. Needs the extra `atoll[testing]`. For
tests of rules there are `ScriptedGame`, which plays moves given as text, and `difference_of`, which
replays golden games.
"""

from atoll.engine.script import Table

from . import laws, secrecy, sets, told
from .cases import Case, cases
from .golden import difference_of
from .play import BrokenLaw, Effort, Law

LAWS: tuple[Law, ...] = (*laws.LAWS, *sets.LAWS, *told.LAWS, *secrecy.LAWS)
"""All laws: functions of a case and an effort that raise `BrokenLaw`."""

__all__ = ["LAWS", "BrokenLaw", "Case", "Effort", "Law", "Table", "cases", "difference_of"]
