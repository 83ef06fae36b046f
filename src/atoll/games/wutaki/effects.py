"""Lists of effects, and the test whether something is possible (WU-8). One implementation per verb.

The verbs themselves are in the chapters (tokens, workers, pacts, upgrades, cards, places, rules); each registers the
flow that carries it out and the test whether it would change the table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from atoll.engine import EffectHandlers, Flow

from .components import VERBS, Action, Effect
from .prices import can_pay
from .state import WutakiState

DONE: Final = ()
"""What a verb returns that never asks anything: it has acted at once, and there is no flow to run."""
Done: TypeAlias = tuple[()]
VerbFlow: TypeAlias = Callable[[WutakiState, int, Effect, bool], Flow | Done]
"""(state, seat, effect, must): carry the verb out. must: the seat may not decline."""
VerbTest: TypeAlias = Callable[[WutakiState, int, Effect, Sequence[int]], bool]
"""(state, seat, effect, hand): whether the verb would change the table. hand: the omens that the seat could use."""


FLOWS: Final = EffectHandlers[int, VerbFlow](range(len(VERBS)))
TESTS: Final = EffectHandlers[int, VerbTest](range(len(VERBS)))


def always(s: WutakiState, seat: int, effect: Effect, hand: Sequence[int]) -> bool:
    """The test of verbs that always change the table."""
    return True


def run_effects(s: WutakiState, seat: int, effects: Sequence[Effect], must: bool) -> Flow | Done:
    """Run effects from left to right, each completely with all it triggers before the next.

    Rule WU-8.2.

    Args:
        s: The table.
        seat: The seat that carries them out.
        effects: The effects.
        must: Whether the first effect isn't optional (place actions, played omens, chosen options, abilities).
            A later one is optional if its verb can be declined.
    """
    if len(effects) == 1:  # as most lists are: its flow is that of the effect
        return FLOWS[effects[0].verb](s, seat, effects[0], must)
    return _one_after_the_other(s, seat, effects, must)


def _one_after_the_other(s: WutakiState, seat: int, effects: Sequence[Effect], must: bool) -> Flow:
    for effect in effects:
        yield from FLOWS[effect.verb](s, seat, effect, must)
        must = False


def priced(action: Action) -> VerbTest:
    """The test whether an action with a cost is possible, in the form of a verb's test."""

    def is_payable_and_possible(s: WutakiState, seat: int, effect: Effect, hand: Sequence[int]) -> bool:
        return can_pay(s, seat, action.cost, hand) and TESTS[effect.verb](s, seat, effect, hand)

    return is_payable_and_possible


def is_possible(s: WutakiState, seat: int, action: Action, hand: Sequence[int], visitors: int = 0) -> bool:
    """Return whether the cost can be paid and the first effect would change the table, before paying.

    Rule WU-8.7, ruling R60.
    """
    cost = action.cost
    if not cost.is_free and not can_pay(s, seat, cost, hand, visitors):
        return False
    first = action.first
    return TESTS[first.verb](s, seat, first, hand)
