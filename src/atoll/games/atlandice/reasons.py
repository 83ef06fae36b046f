"""The words for what speaks against a choice."""

from __future__ import annotations

from typing import Final

from atoll.engine import Judges, Reason, Seen

from .kinds import (
    DECLINE,
    DONATE,
    GAIN,
    MOVE,
    MOVE_SUBMARINE,
    SEARCH,
    SEARCH_NEUTRAL,
    SET_DIE,
    SWAP,
    TAKE,
    TAKE_EXTRA,
    VOCABULARY,
)
from .searching import has_neutral, kinds_at
from .state import AtlandiceState

JUDGES: Final[Judges] = Judges(VOCABULARY, turn="search")


@JUDGES.of(SEARCH, SEARCH_NEUTRAL)
def searching(seen: Seen, choice: int) -> Reason | None:
    """Tell why an area can't be searched: no die is there, or not for this recipient.

    Rules AL-3.3 and AL-8.1.
    """
    s: AtlandiceState = seen.s
    if not seen.asks(SEARCH, SEARCH_NEUTRAL):
        return None
    area = SEARCH.of(choice) if choice in SEARCH else SEARCH_NEUTRAL.of(choice)
    if s.is_used_up(area):
        return Reason("used_up", {"area": area}, rule="used_up")
    if not s.dice_at(area):
        return Reason("no_die", {"area": area}, rule="search")
    if choice in SEARCH:
        return Reason("must_hand_over", rule="neutral")
    return Reason("handed" if has_neutral(s) else "no_neutral", rule="neutral")


@JUDGES.of(TAKE, TAKE_EXTRA)
def taking(seen: Seen, choice: int) -> Reason | None:
    """Tell that such a resource isn't in the area searched. Rules AL-3.4 and AL-3.5."""
    kind = TAKE if choice in TAKE else TAKE_EXTRA
    return _not_there(seen, seen.s.here, kind.of(choice)) if seen.asks(kind) else None


@JUDGES.of(DECLINE)
def declining(seen: Seen, choice: int) -> Reason:
    """Tell that only an extra resource may be declined, never for the neutral player.

    Rules AL-3.5 and AL-4.3, rulings R9 and R33.
    """
    return Reason("compulsory", rule=seen.view["decision"]["rule"])


@JUDGES.of(GAIN)
def gaining(seen: Seen, choice: int) -> Reason | None:
    """Tell why a resource can't be gained from an area. Rule AL-4.3."""
    if not seen.asks(GAIN):
        return None
    area, kind = GAIN.parts(choice)
    return _not_there(seen, area, kind) or _no_target(seen, area)


@JUDGES.of(MOVE)
def moving(seen: Seen, choice: int) -> Reason | None:
    """Tell why a resource can't be moved to an area. Rule AL-4.4."""
    if not seen.asks(MOVE):
        return None
    kind, area = MOVE.parts(choice)
    if kind not in {MOVE.parts(option)[0] for option in seen.options}:
        return Reason("not_at_source", {"resource": kind}, rule="effect")
    return _no_target(seen, area)


@JUDGES.of(SWAP)
def swapping(seen: Seen, choice: int) -> Reason | None:
    """Tell why two resources can't be exchanged. Rule AL-4.5."""
    if not seen.asks(SWAP):
        return None
    kind, area, other = SWAP.parts(choice)
    return _not_there(seen, seen.s.here, kind) or _not_there(seen, area, other) or _no_target(seen, area)


@JUDGES.of(SET_DIE)
def setting_a_die(seen: Seen, choice: int) -> Reason | None:
    """Tell that no die is beside the area. Rule AL-4.7."""
    area, _ = SET_DIE.parts(choice)
    return Reason("no_die", {"area": area}, rule="search") if seen.asks(SET_DIE) else None


@JUDGES.of(MOVE_SUBMARINE)
def moving_the_submarine(seen: Seen, choice: int) -> Reason | None:
    """Tell why the submarine can't go to an area. Rule AL-4.8."""
    area = MOVE_SUBMARINE.of(choice)
    if not seen.asks(MOVE_SUBMARINE):
        return None
    if seen.s.is_used_up(area):
        return Reason("used_up", {"area": area}, rule="used_up")
    return Reason("submarine_there", {"area": area}, rule="submarine")


@JUDGES.of(DONATE)
def donating(seen: Seen, choice: int) -> Reason | None:
    """Tell why an amount can't be donated: more than the player has, or no total that is paid in full.

    Rule AL-6.2.
    """
    if seen.prompt != "donate":
        return None
    kind, amount = DONATE.parts(choice)
    if kind in {DONATE.parts(each)[0] for each in seen.picked}:
        return Reason("amount_chosen", {"resource": kind}, rule="donation")
    held = seen.s.holds[seen.seat][kind]
    if amount > held:
        return Reason("too_few", {"resource": kind, "held": held}, rule="donation")
    if seen.options and kind not in {DONATE.parts(each)[0] for each in seen.options}:
        return None
    return Reason("not_whole", {"n": seen.about["n"]}, rule="donation")


def _not_there(seen: Seen, area: int, kind: int) -> Reason | None:
    if kind in kinds_at(seen.s.stock[area]):
        return None
    return Reason("not_there", {"resource": kind, "area": area}, rule="search")


def _no_target(seen: Seen, area: int) -> Reason:
    """Why an effect can't use an area."""
    if seen.s.is_used_up(area):
        return Reason("used_up", {"area": area}, rule="used_up")
    return Reason("searched_now" if area == seen.s.here else "wrong_area", {"area": area}, rule="effect")
