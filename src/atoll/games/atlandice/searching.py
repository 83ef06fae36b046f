"""§ Bereiche durchsuchen. What can be searched, and for whom; the die; how resources come to the recipient."""

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
"""Per choice of a resource its kind: looked up, because all searches come by here."""

EXTRAS: Final = TAKE_EXTRA.choices()
NO_EXTRA: Final = DECLINE.at()
ROLL: Final = Roll(DIE)


def search_question(s: AtlandiceState) -> tuple[str, list[int]]:
    """§ Bereiche durchsuchen a. Any area with a die, also an empty one (R8), for oneself.

    § Spiel für Zwei: or for the neutral player, if that wasn't done this round; for it only with the last die.
    """
    dice = s.dice_by_area()
    if not may_hand_over(s):
        return "search", list(compress(SEARCHES, dice))
    if is_last_die(s):
        return "search_neutral", list(compress(NEUTRAL_SEARCHES, dice))
    return "search_either", list(compress(ALL_SEARCHES, dice + dice))


def may_hand_over(s: AtlandiceState) -> bool:
    """Return whether the active player can hand a die to the neutral player in this round (Spiel für Zwei)."""
    return has_neutral(s) and not s.handed[s.active]


def is_last_die(s: AtlandiceState) -> bool:
    """Return whether the active player takes its last die of the round, apart from one handed over (Spiel für Zwei)."""
    last: int = s.box.allotment[s.seats].picks - 1
    return s.taken[s.active] == last


def has_neutral(s: AtlandiceState) -> bool:
    """Return whether there is a neutral player (Spiel für Zwei)."""
    return len(s.holds) > s.seats


def take_die(s: AtlandiceState, area: int) -> None:
    """§ Bereiche durchsuchen a. One die beside the area is taken; which one makes no difference (R6)."""
    s.dice[area if area < BLACK_MARKET else face_at_market(s)] -= 1
    s.taken[s.recipient] += 1
    if s.told is not None:
        tell_recipient(s, "search", area=area)


def face_at_market(s: AtlandiceState) -> int:
    """The lowest face of the dice beside the black market."""
    dice, tiles = s.dice, s.open_tile
    for face in range(DISTRICTS):
        if dice[face] and tiles[face] == USED_UP:
            return face
    return BLACK_MARKET


def for_neutral(s: AtlandiceState, key: str) -> str:
    """The key of a text, or of the one that says the same if the neutral player is the recipient."""
    return key if s.recipient < s.seats else key + "_neutral"


def tell_recipient(s: AtlandiceState, key: str, **fields: Any) -> None:
    """The active player did something for the recipient."""
    s.tell(for_neutral(s, key), seat=s.active, **fields)


def kinds_at(stock: Sequence[int], each: Sequence[int] = ALL_KINDS) -> list[int]:
    """The kinds of resource that lie in a stock; with one choice for each kind, the choices for these."""
    return list(compress(each, stock))


def receive(s: AtlandiceState, area: int, kind: int, key: str) -> None:
    """A resource goes from an area to the recipient's hold."""
    s.stock[area][kind] -= 1
    s.holds[s.recipient][kind] += 1
    if s.told is not None:
        tell_recipient(s, key, resource=kind, area=area)


def lay(s: AtlandiceState, area: int, kind: int, count: int = 1) -> None:
    """Resources come to lie on an area; a district with any is stocked (R18)."""
    s.stock[area][kind] += count
    if area != BLACK_MARKET:
        s.stocked[area] = True


def optional(s: AtlandiceState, options: list[int]) -> list[int]:
    """R9, R33. An extra resource may be declined by a player, never for the neutral player."""
    return [*options, NO_EXTRA] if may_decline(s) else options


def may_decline(s: AtlandiceState) -> bool:
    """Return whether an extra resource can be declined: not for the neutral player (R9, R33)."""
    return s.recipient < s.seats


def take_extra(s: AtlandiceState, area: int) -> Flow:
    """§ Wichtig. Where the submarine is, one more resource may be taken, once a search, before the effect (R10)."""
    options = optional(s, kinds_at(s.stock[area], EXTRAS))
    choice: int = yield Choose(
        s.active, for_neutral(s, "take_extra"), options, source="submarine", rule="submarine", public=True
    )
    if choice == NO_EXTRA:
        s.tell("declined", seat=s.active)
    else:
        receive(s, area, TAKE_EXTRA.of(choice), "took_extra")
