"""Standard places: what they yield at their level, and the bonus for upgrade markers."""

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
    """
    box = s.components
    level = len(s.markers[place - FIRST_STANDARD])
    n = box.boards[s.side].places[place].yields[level] + box.in_round[s.round_card].harvest[place]
    card = s.built[seat][RESOURCE_SLOT]
    if card >= 0 and box.tower_upgrades[card].place == place:
        n += box.tower_upgrades[card].n
    return n


@FLOWS.of(YIELD)
def resolve_yield(s: WutakiState, seat: int, effect: Effect, must: bool) -> Flow | Done:
    """Gain tokens of the place's kind, or in the village hire up to this number of workers. Rule WU-5.2."""
    n = harvest(s, seat, effect.places[0])
    if effect.kind < 0:
        return hire_up_to(s, seat, n, effect, must)
    gain(s, seat, effect.kind, n)
    return DONE


@TESTS.of(YIELD)
def would_yield(s: WutakiState, seat: int, effect: Effect, hand: Sequence[int]) -> bool:
    """The supply has a token of the kind; in the village a worker can be hired."""
    kind = effect.kind
    return s.supply[kind] > 0 if kind >= 0 else can_hire(s, seat, effect.discount, effect.free)


def pay_marker_bonuses(s: WutakiState, visitor: int, place: int) -> Flow:
    """Give each owner of a marker on the visited place a token, the visitor first, then clockwise.

    It is done once a visit, before the action. Where two kinds are shown, the owner picks one for each marker; the
    supply limits.
    Rule WU-5.3, rulings R11 and R12.
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
