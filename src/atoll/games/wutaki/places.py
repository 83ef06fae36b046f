"""Standard places: their yield by level, and the bonus for upgrade markers."""

from __future__ import annotations

from collections.abc import Sequence

from atoll.engine import Choose, Flow

from .components import RESOURCE_SLOT, YIELD, Effect
from .effects import DONE, FLOWS, TESTS, Done
from .kinds import BONUS, FIRST_STANDARD
from .prices import can_hire
from .state import WutakiState, board, clockwise, gain
from .workers import hire_up_to


def harvest(s: WutakiState, seat: int, place: int) -> int:
    """Return the tokens (in the village: hires) per execution: level, tower upgrade, round card.

    Rules WU-5.2 and WU-7.3.

    Args:
        s: The state.
        seat: The seat concerned.
        place: The place.
    """
    components = s.components
    level = len(s.markers[place - FIRST_STANDARD])
    n = components.boards[s.side].places[place].yields[level] + components.in_round[s.round_card].harvest[place]
    card = s.built[seat][RESOURCE_SLOT]
    if card >= 0 and components.tower_upgrades[card].place == place:
        n += components.tower_upgrades[card].n
    return n


@FLOWS.of(YIELD)
def resolve_yield(s: WutakiState, seat: int, effect: Effect, must: bool) -> Flow | Done:
    """Gain tokens of the place's kind, or in the village hire up to this number of workers.

    Rule WU-5.2.

    Args:
        s: The state.
        seat: The seat that carries out the effect.
        effect: The effect to carry out.
        must: Whether the seat may not decline.

    Returns:
        The flow, or `DONE` if it asks nobody.
    """
    n = harvest(s, seat, effect.places[0])
    if effect.kind < 0:
        return hire_up_to(s, seat, n, effect, must)
    gain(s, seat, effect.kind, n)
    return DONE


@TESTS.of(YIELD)
def would_yield(s: WutakiState, seat: int, effect: Effect, hand: Sequence[int]) -> bool:
    """Return whether the supply has a token of the kind.

    In the village, return whether a worker can be hired.

    Args:
        s: The state.
        seat: The seat that would carry out the effect.
        effect: The effect to test.
        hand: The omens that the seat could use.
    """
    kind = effect.kind
    return s.supply[kind] > 0 if kind >= 0 else can_hire(s, seat, effect.discount, effect.free)


def pay_marker_bonuses(s: WutakiState, visitor: int, place: int) -> Flow:
    """Give each owner of a marker on the visited place a token, the visitor first, then clockwise.

    It is done once a visit, before the action. If two kinds are shown, the owner picks one for each
    marker; the supply limits them.
    Rule WU-5.3, rulings R11 and R12.

    Args:
        s: The state.
        visitor: The seat that visits.
        place: The place.
    """
    printed = board(s).places[place]
    for owner in clockwise(s, visitor):
        for _ in range(s.markers[place - FIRST_STANDARD].count(owner)):
            kinds = [kind for kind in printed.bonus if s.supply[kind]]
            if not kinds:
                continue
            kind = kinds[0]
            if len(kinds) > 1:
                options = BONUS.all_choices(sorted(kinds))
                choice: int = yield Choose(
                    owner, "marker_bonus", options, source=printed.action.source, rule="marker_bonus"
                )
                kind = BONUS.part(choice)
            gain(s, owner, kind, 1)
