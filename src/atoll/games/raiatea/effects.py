"""Lists of effects, the seats they concern, and the test whether one would do anything (RA-6).

There is one implementation per verb. The verbs are in the chapters (markets, rituals, tasks, tane, locations); each
registers there how it is carried out and when it would do something.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from atoll.engine import Choose, EffectHandlers, Flow, RequestFlow

from .components import ALL, EACH_OTHER, SELF, VERBS, Effect
from .kinds import TARGET
from .state import NOBODY, RaiateaState

NO_QUESTION: Final = ()
"""What is returned where nobody is asked anything: all has been done, and there is no flow to run."""
NoQuestion: TypeAlias = tuple[()]

Instant: TypeAlias = Callable[[RaiateaState, int, Effect, int], None]
"""(state, seat concerned, effect, seat that carries it out): a verb that asks nobody anything."""
Asked: TypeAlias = Callable[[RaiateaState, int, Effect, int, str], Flow | NoQuestion]
"""(state, seat concerned, effect, seat that carries it out, source): a verb that may ask."""
Test: TypeAlias = Callable[[RaiateaState, int, Effect], bool]
"""(state, seat concerned, effect): whether it would do something. Judged by what its own seat knows."""

INSTANT: Final = EffectHandlers[int, Instant](range(len(VERBS)))
FLOWS: Final = EffectHandlers[int, Asked](range(len(VERBS)))
"""Each verb is carried out by one function, here or there."""
TESTS: Final = EffectHandlers[int, Test](range(len(VERBS)))
"""When a verb would do something; without a test, it always does."""


def carry_out(s: RaiateaState, actor: int, effects: Sequence[Effect], source: str) -> Flow | NoQuestion:
    """Carry out effects in their order, each completely with all it causes before the next.

    Rule RA-6.1, ruling R97.

    Args:
        s: The table.
        actor: The seat that carries them out, NOBODY for a general ritual of the blessing.
        effects: The effects.
    """
    if len(effects) == 1 and effects[0].who == SELF:  # as most are: the flow is that of the effect
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
    """Choose another player on whom the effect would do something; NOBODY if there is none.

    Rule RA-6.1, ruling R94.
    """
    options = TARGET.all_choices([seat for seat in range(s.seats) if seat != actor and would_do(s, seat, effect)])
    if not options:
        return NOBODY
    choice: int = yield Choose(actor, "target", options, source=source, rule="tane", public=True)
    return TARGET.part(choice)


def would_do(s: RaiateaState, seat: int, effect: Effect) -> bool:
    """Whether an effect would do something for (or to) the seat."""
    judge = TESTS.get(effect.verb)
    return judge is None or judge(s, seat, effect)


def any_would_do(s: RaiateaState, seat: int, effects: Sequence[Effect]) -> bool:
    """Whether at least one of the effects would do something for the seat (R36, R50)."""
    for effect in effects:  # noqa: SIM110 - most are alone: any(...) costs more
        if would_do(s, seat, effect):
            return True
    return False
