"""Why a choice isn't legal, judged from a seat's view alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from atoll.engine import Kind, Reason

from .kinds import (
    BLACK_MARKET,
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
from .state import USED_UP


def why_not(view: Mapping[str, Any], choice: int) -> Reason | None:
    """Why the viewer can't make this choice; None if it is on offer."""
    decision = view["decision"] or {}
    if choice in decision.get("options", ()):
        return None
    if view["over"]:
        return Reason("over", rule="end")
    if view["viewer"] not in view["to_move"]:
        return Reason("not_your_turn", rule="search")
    kind = VOCABULARY.kind_of(choice)
    asked = {VOCABULARY.kind_of(option) for option in decision["options"]}
    searching = {SEARCH, SEARCH_NEUTRAL}
    if kind not in asked and not (kind in searching and asked & searching):
        if kind is DECLINE:
            return Reason("compulsory", rule=decision["rule"])
        return Reason("not_now", rule=decision["rule"])
    return _WHY[kind](view, choice)


def _no_search(view: Mapping[str, Any], choice: int) -> Reason:
    """§ Bereiche durchsuchen, § Spiel für Zwei."""
    s = view["state"]
    area = SEARCH.of(choice) if choice in SEARCH else SEARCH_NEUTRAL.of(choice)
    if area != BLACK_MARKET and s["open_tile"][area] == USED_UP:
        return Reason("used_up", {"area": area}, rule="used_up")
    if not view["live"]["dice"][area]:
        return Reason("no_die", {"area": area}, rule="search")
    if choice in SEARCH:
        return Reason("must_hand_over", rule="neutral")
    if len(s["holds"]) == view["seats"]:
        return Reason("no_neutral", rule="neutral")
    return Reason("handed", rule="neutral")


def _not_there(view: Mapping[str, Any], area: int, kind: int) -> Reason | None:
    if view["state"]["stock"][area][kind]:
        return None
    return Reason("not_there", {"resource": kind, "area": area}, rule="search")


def _no_target(view: Mapping[str, Any], area: int) -> Reason:
    """Why an effect can't use an area."""
    s = view["state"]
    if area != BLACK_MARKET and s["open_tile"][area] == USED_UP:
        return Reason("used_up", {"area": area}, rule="used_up")
    if area == s["here"]:
        return Reason("searched_now", {"area": area}, rule="effect")
    return Reason("wrong_area", {"area": area}, rule="effect")


def _no_take(view: Mapping[str, Any], choice: int) -> Reason | None:
    kind = TAKE.of(choice) if choice in TAKE else TAKE_EXTRA.of(choice)
    return _not_there(view, view["state"]["here"], kind)


def _no_gain(view: Mapping[str, Any], choice: int) -> Reason:
    area, kind = GAIN.parts(choice)
    return _not_there(view, area, kind) or _no_target(view, area)


def _no_move(view: Mapping[str, Any], choice: int) -> Reason:
    kind, area = MOVE.parts(choice)
    if kind not in {MOVE.parts(option)[0] for option in view["decision"]["options"]}:
        return Reason("not_at_source", {"resource": kind}, rule="effect")
    return _no_target(view, area)


def _no_swap(view: Mapping[str, Any], choice: int) -> Reason:
    kind, area, other = SWAP.parts(choice)
    here = view["state"]["here"]
    return _not_there(view, here, kind) or _not_there(view, area, other) or _no_target(view, area)


def _no_set_die(view: Mapping[str, Any], choice: int) -> Reason:
    return Reason("no_die", {"area": SET_DIE.parts(choice)[0]}, rule="search")


def _no_submarine(view: Mapping[str, Any], choice: int) -> Reason:
    area = MOVE_SUBMARINE.of(choice)
    if area == view["state"]["submarine"]:
        return Reason("submarine_there", {"area": area}, rule="submarine")
    return Reason("used_up", {"area": area}, rule="used_up")


def _no_donation(view: Mapping[str, Any], choice: int) -> Reason:
    kind, amount = DONATE.parts(choice)
    held = view["state"]["holds"][view["viewer"]][kind]
    if amount > held:
        return Reason("too_few", {"resource": kind, "held": held}, rule="donation")
    if kind != DONATE.parts(view["decision"]["options"][0])[0]:
        return Reason("not_now", rule="donation")
    return Reason("not_whole", {"n": view["decision"]["about"]["n"]}, rule="donation")


_WHY: Final[Mapping[Kind, Callable[[Mapping[str, Any], int], Reason | None]]] = {
    SEARCH: _no_search,
    SEARCH_NEUTRAL: _no_search,
    TAKE: _no_take,
    TAKE_EXTRA: _no_take,
    GAIN: _no_gain,
    MOVE: _no_move,
    SWAP: _no_swap,
    SET_DIE: _no_set_die,
    MOVE_SUBMARINE: _no_submarine,
    DONATE: _no_donation,
}
