"""Lists of effects, the seats they concern, and tests whether an effect would do anything (RA-6).

Each verb has one implementation. The verbs are in the chapters markets, rituals, tasks, interactive
effects and locations. Each chapter registers the flows and tests of its verbs here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from atoll.engine import Choose, EffectHandlers, Flow, RequestFlow

from .components import ALL, EACH_OTHER, SELF, VERBS, Effect
from .kinds import TARGET
from .state import NOBODY, RaiateaState

NO_QUESTION: Final = ()
"""Returned instead of a flow if nobody is asked anything, because everything has been done."""
NoQuestion: TypeAlias = tuple[()]

Instant: TypeAlias = Callable[[RaiateaState, int, Effect, int], None]
"""A verb that asks nobody. Its parameters are state, seat concerned, effect, acting seat."""
Asked: TypeAlias = Callable[[RaiateaState, int, Effect, int, str], Flow | NoQuestion]
"""A verb that may ask. Its parameters are state, seat concerned, effect, acting seat, source."""
Test: TypeAlias = Callable[[RaiateaState, int, Effect], bool]
"""The test whether an effect would do something.

Its parameters are state, seat concerned, effect.

It judges by what its own seat knows.
"""

INSTANT: Final = EffectHandlers[int, Instant](range(len(VERBS)))
FLOWS: Final = EffectHandlers[int, Asked](range(len(VERBS)))
"""The verbs that may ask. Each verb is in either `INSTANT` or `FLOWS`."""
TESTS: Final = EffectHandlers[int, Test](range(len(VERBS)))
"""The tests of the verbs. A verb without a test always does something."""


def carry_out(s: RaiateaState, actor: int, effects: Sequence[Effect], source: str) -> Flow | NoQuestion:
    """Carry out effects in their order, each completely with all it causes before the next.

    Rule RA-6.1, ruling R97.

    Args:
        s: The state.
        actor: The seat that carries them out, NOBODY for a general ritual of the blessing.
        effects: The effects.
        source: Id of the card, place or board that asks.

    Returns:
        The flow, or `NO_QUESTION` if it asks nobody.
    """
    # This is the most frequent case. The flow is that of the effect.
    if len(effects) == 1 and effects[0].who == SELF:
        return _concern(s, actor, effects[0], actor, source)
    return _one_after_the_other(s, actor, effects, source)


def _one_after_the_other(s: RaiateaState, actor: int, effects: Sequence[Effect], source: str) -> Flow:
    for effect in effects:
        who = effect.who
        if who == SELF:
            yield from _concern(s, actor, effect, actor, source)
        elif who in (ALL, EACH_OTHER):
            for seat in tuple(s.favour):
                if who == ALL or seat != actor:
                    yield from _concern(s, seat, effect, actor, source)
        else:
            seat = yield from choose_target(s, effect, actor, source)
            if seat != NOBODY:
                yield from _concern(s, seat, effect, actor, source)


def _concern(s: RaiateaState, seat: int, effect: Effect, actor: int, source: str) -> Flow | NoQuestion:
    act = INSTANT.get(effect.verb)
    if act is None:
        return FLOWS[effect.verb](s, seat, effect, actor, source)
    act(s, seat, effect, actor)
    return NO_QUESTION


def choose_target(s: RaiateaState, effect: Effect, actor: int, source: str) -> RequestFlow[int]:
    """Choose another player on whom the effect would do something.

    Rule RA-6.1, ruling R94.

    Args:
        s: The state.
        effect: The effect to carry out.
        actor: The seat that chooses.
        source: Id of the card, place or board that asks.

    Returns:
        The seat chosen; `NOBODY` if there is none.
    """
    options = TARGET.all_choices([seat for seat in range(s.seats) if seat != actor and would_do(s, seat, effect)])
    if not options:
        return NOBODY
    choice: int = yield Choose(actor, "target", options, source=source, rule="tane", public=True)
    return TARGET.part(choice)


def would_do(s: RaiateaState, seat: int, effect: Effect) -> bool:
    """Return whether an effect would do something for (or to) the seat.

    Args:
        s: The state.
        seat: The seat that the effect concerns.
        effect: The effect to test.
    """
    test = TESTS.get(effect.verb)
    return test is None or test(s, seat, effect)


def any_would_do(s: RaiateaState, seat: int, effects: Sequence[Effect]) -> bool:
    """Return whether at least one of the effects would do something for the seat (R36, R50).

    Args:
        s: The state.
        seat: The seat concerned.
        effects: The effects, in order.
    """
    for effect in effects:  # noqa: SIM110 - most are alone: any(...) costs more
        if would_do(s, seat, effect):
            return True
    return False
