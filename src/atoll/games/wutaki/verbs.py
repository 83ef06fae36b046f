"""§ Actions & effects: lists of effects, and the test whether something is possible. One implementation per verb.

The verbs themselves stand in the chapters (tokens, workers, pacts, upgrades, cards, places, rules); each registers the
flow that carries it out and the test whether it would change the table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from atoll.engine import Flow

from .components import VERBS, Action, Cost, Effect
from .state import WutakiState, hired

Rest: TypeAlias = Flow | tuple[()]
"""What is left to do of something that has begun: a flow if there may be something to ask, else ()."""
VerbFlow: TypeAlias = Callable[[WutakiState, int, Effect, bool], Rest]
"""(state, seat, effect, must): carry the verb out, as far as nothing is to be asked. must: the seat may not decline."""
VerbTest: TypeAlias = Callable[[WutakiState, int, Effect, Sequence[int]], bool]
"""(state, seat, effect, hand): whether the verb would change the table. hand: the omens that the seat could use."""


def _unregistered(s: WutakiState, p: int, effect: Effect, must: bool) -> Flow:
    raise NotImplementedError(f"verb {VERBS[effect.verb]!r} has no flow")
    yield


def _untested(s: WutakiState, p: int, effect: Effect, hand: Sequence[int]) -> bool:
    raise NotImplementedError(f"verb {VERBS[effect.verb]!r} has no test")


FLOWS: Final[list[VerbFlow]] = [_unregistered] * len(VERBS)
TESTS: Final[list[VerbTest]] = [_untested] * len(VERBS)


def flow(verb: int) -> Callable[[VerbFlow], VerbFlow]:
    """Register the one flow of a verb."""

    def register(function: VerbFlow) -> VerbFlow:
        if FLOWS[verb] is not _unregistered:
            raise ValueError(f"verb {VERBS[verb]!r} is carried out twice")
        FLOWS[verb] = function
        return function

    return register


def test(verb: int) -> Callable[[VerbTest], VerbTest]:
    """Register the one test of a verb."""

    def register(function: VerbTest) -> VerbTest:
        if TESTS[verb] is not _untested:
            raise ValueError(f"verb {VERBS[verb]!r} has two tests")
        TESTS[verb] = function
        return function

    return register


def always(s: WutakiState, p: int, effect: Effect, hand: Sequence[int]) -> bool:
    """The test of verbs that always change the table."""
    return True


def run_effects(s: WutakiState, p: int, effects: Sequence[Effect], must: bool) -> Rest:
    """§ Effects as far as possible: from left to right, each completely with all it triggers before the next.

    must: the first effect isn't optional (place actions, played omens, chosen options, abilities). The later ones are,
    as far as their verb lets one decline.
    """
    if len(effects) == 1:
        return FLOWS[effects[0].verb](s, p, effects[0], must)
    for done, effect in enumerate(effects, 1):
        rest = FLOWS[effect.verb](s, p, effect, must)
        if rest:
            return _then(rest, s, p, effects[done:])
        must = False
    return ()


def _then(rest: Rest, s: WutakiState, p: int, effects: Sequence[Effect]) -> Flow:
    """What is left of one effect, then the effects after it."""
    yield from rest
    yield from run_effects(s, p, effects, must=False)


def can_pay(s: WutakiState, p: int, cost: Cost, hand: Sequence[int], visitors: int = 0) -> bool:
    """§ Costs first: whether the seat has all of it. visitors: workers that this cost can't take."""
    stock = s.stock[p]
    tokens = cost.tokens
    for kind, n in tokens.pairs[s.cost_marker[p]]:
        if stock[kind] < n:
            return False
    return cost.is_fixed or (
        (not tokens.any or sum(stock) >= tokens.total)
        and len(hand) >= cost.omen
        and s.vp[p] >= cost.vp
        and (not cost.worker or hired(s, p) - visitors >= cost.worker)
    )


def priced(action: Action) -> VerbTest:
    """The test whether an action with a cost is possible, in the form of a verb's test."""

    def is_payable_and_possible(s: WutakiState, p: int, effect: Effect, hand: Sequence[int]) -> bool:
        return can_pay(s, p, action.cost, hand) and TESTS[effect.verb](s, p, effect, hand)

    return is_payable_and_possible


def is_possible(s: WutakiState, p: int, action: Action, hand: Sequence[int], visitors: int = 0) -> bool:
    """§ Possible: the cost can be paid and the first effect would change the table, judged before paying."""
    cost = action.cost
    if not cost.is_free and not can_pay(s, p, cost, hand, visitors):
        return False
    first = action.first
    return TESTS[first.verb](s, p, first, hand)
