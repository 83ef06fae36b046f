"""The parts of a search (AL-3.3 to AL-3.5): area and recipient, die, resources received."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from typing import Any, Final

from atoll.engine import Choose, Flow, Roll

from .kinds import AREAS, BLACK_MARKET, DECLINE, DIE, DISTRICTS, KINDS, SEARCH, SEARCH_NEUTRAL, TAKE, TAKE_EXTRA
from .state import USED_UP, AtlandiceState

ALL_KINDS: Final = tuple(range(KINDS))
ALL_AREAS: Final = tuple(range(AREAS))
SEARCHES: Final = SEARCH.choices()
NEUTRAL_SEARCHES: Final = SEARCH_NEUTRAL.choices()
ALL_SEARCHES: Final = SEARCHES + NEUTRAL_SEARCHES
TAKES: Final = TAKE.choices()
TAKEN: Final = dict(zip(TAKES, ALL_KINDS, strict=True))
"""Per choice of a resource, its kind. A table is faster, and every search needs it."""

EXTRAS: Final = TAKE_EXTRA.choices()
NO_EXTRA: Final = DECLINE.choice()
ROLL: Final = Roll(DIE)


def search_question(s: AtlandiceState) -> tuple[str, list[int]]:
    """Return the prompt of a search, with its choices.

    Every area with a die can be searched, even an empty one (R8).
    With the neutral player, each player searches for it once per round, at the latest with the last
    die.
    Rules AL-3.3 and AL-8.1, ruling R8.
    """
    dice = s.dice_by_area()
    if not may_hand_over(s):
        return "search", list(compress(SEARCHES, dice))
    if is_last_die(s):
        return "search_neutral", list(compress(NEUTRAL_SEARCHES, dice))
    return "search_either", list(compress(ALL_SEARCHES, dice + dice))


def may_hand_over(s: AtlandiceState) -> bool:
    """Return whether the active player can hand a die to the neutral player now.

    Rule AL-8.1.
    """
    return has_neutral(s) and not s.handed[s.active]


def is_last_die(s: AtlandiceState) -> bool:
    """Return whether this is the last die of the active player in this round. Rule AL-8.1."""
    last: int = s.components.allotment[s.seats].picks - 1
    return s.taken[s.active] == last


def has_neutral(s: AtlandiceState) -> bool:
    """Return whether there is a neutral player. Rule AL-8.1."""
    return len(s.holds) > s.seats


def take_die(s: AtlandiceState, area: int) -> None:
    """Take a die of an area; it makes no difference which one. Rule AL-3.3, ruling R6."""
    s.dice[area if area < BLACK_MARKET else face_at_market(s)] -= 1
    s.taken[s.recipient] += 1
    if s.events is not None:
        tell_recipient(s, "search", area=area)


def face_at_market(s: AtlandiceState) -> int:
    """Return the lowest face of the dice at the black market."""
    dice, tiles = s.dice, s.open_tile
    for face in range(DISTRICTS):
        if dice[face] and tiles[face] == USED_UP:
            return face
    return BLACK_MARKET


def for_neutral(s: AtlandiceState, key: str) -> str:
    """Return a key, or its variant for the neutral player as recipient."""
    return key if s.recipient < s.seats else key + "_neutral"


def tell_recipient(s: AtlandiceState, key: str, **fields: Any) -> None:
    """Emit an event in which the active player did something for the recipient.

    Args:
        s: The state.
        key: The key of the event.
        **fields: The other fields of the event.
    """
    s.emit(for_neutral(s, key), seat=s.active, **fields)


def kinds_at(stock: Sequence[int], each: Sequence[int] = ALL_KINDS) -> list[int]:
    """Return the kinds in a stock, or the entries of `each` for these kinds."""
    return list(compress(each, stock))


def receive(s: AtlandiceState, area: int, kind: int, key: str) -> None:
    """Move a resource from an area to the recipient's hold.

    Args:
        s: The state.
        area: The area.
        kind: The kind of the resource.
        key: The key of the event.
    """
    s.stock[area][kind] -= 1
    s.holds[s.recipient][kind] += 1
    if s.events is not None:
        tell_recipient(s, key, resource=kind, area=area)


def lay(s: AtlandiceState, area: int, kind: int, count: int = 1) -> None:
    """Put resources on an area. A district that gets resources counts as stocked.

    Rule AL-5.1, ruling R18.

    Args:
        s: The state.
        area: The area.
        kind: The kind of the resources.
        count: The number of resources; at least 1.
    """
    s.stock[area][kind] += count
    if area != BLACK_MARKET:
        s.stocked[area] = True


def optional(s: AtlandiceState, options: list[int]) -> list[int]:
    """Return the choices, for a player with the choice to decline.

    The neutral player never declines.
    Rules AL-3.5 and AL-4.3, rulings R9 and R33.
    """
    return [*options, NO_EXTRA] if may_decline(s) else options


def may_decline(s: AtlandiceState) -> bool:
    """Return whether an extra resource can be declined: not for the neutral player.

    Rulings R9 and R33.
    """
    return s.recipient < s.seats


def take_extra(s: AtlandiceState, area: int) -> Flow:
    """Offer one more resource at the submarine, once per search and before the effect.

    Rule AL-3.5, ruling R10.
    """
    options = optional(s, kinds_at(s.stock[area], EXTRAS))
    choice: int = yield Choose(
        s.active, for_neutral(s, "take_extra"), options, source="submarine", rule="submarine", public=True
    )
    if choice == NO_EXTRA:
        s.emit("declined", seat=s.active)
    else:
        receive(s, area, TAKE_EXTRA.part(choice), "took_extra")
