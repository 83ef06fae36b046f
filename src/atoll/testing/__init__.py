"""The laws that every game must obey, for the tests of a game: `pytest --pyargs atoll.testing --game pearls`.

Needs the extra `atoll[testing]`. For tests of rules there are `Table`, which plays lines of text, and `golden`, which
replays records.
"""

from atoll.engine.script import Table

from . import laws, secrecy, sets, told
from .cases import Case, cases
from .golden import difference_of
from .play import BrokenLaw, Effort, Law

LAWS: tuple[Law, ...] = (*laws.LAWS, *sets.LAWS, *told.LAWS, *secrecy.LAWS)
"""All laws, each a function of a case that raises BrokenLaw."""

__all__ = ["LAWS", "BrokenLaw", "Case", "Effort", "Law", "Table", "cases", "difference_of"]
