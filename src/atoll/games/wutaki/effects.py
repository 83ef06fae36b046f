"""Lists of effects, and the test whether an action is possible (WU-8).

Each verb has one function.

The verbs are in the chapters tokens, workers, pacts, upgrades, cards, places and rules. Each
registers the flow that carries it out and the test whether it would change the state.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from atoll.engine import EffectHandlers, Flow

from .components import VERBS, Action, Effect
from .prices import can_pay
from .state import WutakiState

DONE: Final = ()
"""Returned by a verb that asks nobody: it has acted at once, and there is no flow to run."""
Done: TypeAlias = tuple[()]
VerbFlow: TypeAlias = Callable[[WutakiState, int, Effect, bool], Flow | Done]
"""Carries out a verb. Its parameters are state, seat, effect, must.

With `must` the seat may not decline.
"""
VerbTest: TypeAlias = Callable[[WutakiState, int, Effect, Sequence[int]], bool]
"""Tests whether a verb would change the state. Its parameters are state, seat, effect, hand.

`hand` has the omens that the seat could use.
"""


FLOWS: Final = EffectHandlers[int, VerbFlow](range(len(VERBS)))
TESTS: Final = EffectHandlers[int, VerbTest](range(len(VERBS)))


def always(s: WutakiState, seat: int, effect: Effect, hand: Sequence[int]) -> bool:
    """Return True: the test of verbs that always change the state.

    Args:
        s: The state.
        seat: The seat that carries out the effect.
        effect: The effect to carry out.
        hand: The omens that the seat could use.
    """
    return True


def run_effects(s: WutakiState, seat: int, effects: Sequence[Effect], must: bool) -> Flow | Done:
    """Run effects from left to right, each completely with all it triggers before the next.

    Rule WU-8.2.

    Args:
        s: The state.
        seat: The seat that carries them out.
        effects: The effects.
        must: Whether the first effect isn't optional, as for place actions, played omens, chosen
            options and abilities. A later one is optional if its verb can be declined.

    Returns:
        The flow, or `DONE` if it asks nobody.
    """
    if len(effects) == 1:  # This is the most frequent case. The flow is that of the effect.
        return FLOWS[effects[0].verb](s, seat, effects[0], must)
    return _one_after_the_other(s, seat, effects, must)


def _one_after_the_other(s: WutakiState, seat: int, effects: Sequence[Effect], must: bool) -> Flow:
    for effect in effects:
        yield from FLOWS[effect.verb](s, seat, effect, must)
        must = False


def priced(action: Action) -> VerbTest:
    """Return the test whether an action with a cost is possible, in the form of a verb's test."""

    def is_payable_and_possible(s: WutakiState, seat: int, effect: Effect, hand: Sequence[int]) -> bool:
        """Return whether the cost can be paid and the effect would change the state.

        Args:
            s: The state.
            seat: The seat that carries out the effect.
            effect: The effect to carry out.
            hand: The omens that the seat could use.
        """
        return can_pay(s, seat, action.cost, hand) and TESTS[effect.verb](s, seat, effect, hand)

    return is_payable_and_possible


def is_possible(s: WutakiState, seat: int, action: Action, hand: Sequence[int], visitors: int = 0) -> bool:
    """Return whether the cost can be paid and the first effect would change the state.

    Both are judged before paying.
    Rule WU-8.7, ruling R60.

    Args:
        s: The state.
        seat: The seat concerned.
        action: The action.
        hand: The omens that the seat could use.
        visitors: The number of workers that this cost can't take.
    """
    cost = action.cost
    if not cost.is_free and not can_pay(s, seat, cost, hand, visitors):
        return False
    first = action.first
    return TESTS[first.verb](s, seat, first, hand)
