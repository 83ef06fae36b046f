"""What one seat, or a spectator, may know of a table, generated from the visibility of its fields.

`Position.view` is made of it, and it feeds page, API, push, log, replay and bots.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any, Final

import msgspec

from .decisions import CHANCE, PUBLIC, Choose, Picks
from .state import State, Visibility, declarations, may_know

plain: Final = msgspec.to_builtins
"""Plain data (dicts, lists, numbers, texts) of a value of the table, independent of it."""


def _counts(value: Any) -> Any:
    """A pool as its count; nested lists of pools as lists of counts."""
    if value and isinstance(value[0], list):
        return [_counts(each) for each in value]
    return {"count": len(value)}


def _hidden(value: Any, visibility: Visibility) -> Any:
    if not visibility.count or not isinstance(value, list):
        return None
    return _counts(value)


def view_field(s: Any, name: str, visibility: Visibility, viewer: int | None) -> Any:
    """What the viewer may know of one field, as plain data."""
    value = getattr(s, name)
    who = visibility.who
    if who == "public" or (visibility.at_end and s.over):
        return plain(value)
    if who == "nobody":
        return _hidden(value, visibility)
    if who == "known":
        masks = getattr(s, visibility.masks)
        shown = []
        for seat, (cards, seat_masks) in enumerate(zip(value, masks, strict=True)):
            seen = sorted(card for card, mask in zip(cards, seat_masks, strict=True) if may_know(mask, viewer))
            shown.append(seen if seat == viewer else {"count": len(cards), "known": seen})
        return shown
    return [plain(each) if seat == viewer else _hidden(each, visibility) for seat, each in enumerate(value)]


_Values = Callable[[Any], tuple[Any, ...]]
_OPEN: Final[dict[type[State], tuple[tuple[str, ...], _Values, tuple[tuple[str, Visibility], ...]]]] = {}


def view_state(s: Any, viewer: int | None) -> dict[str, Any]:
    """What the viewer may know of all fields, as plain data: first those that are open to all, read in one go."""
    known = _OPEN.get(type(s))
    if known is None:
        fields = declarations(type(s))
        names = tuple(name for name, visibility in fields if visibility.who == "public")
        known = _OPEN[type(s)] = (names, attrgetter(*names), tuple(each for each in fields if each[0] not in names))
    names, values, others = known
    shown = dict(zip(names, plain(values(s)), strict=True))
    for name, visibility in others:
        shown[name] = view_field(s, name, visibility, viewer)
    return shown


def describe_choose(ask: Choose, *, whole: bool) -> dict[str, Any]:
    """A decision as plain data; without options and details for those who aren't asked."""
    shown: dict[str, Any] = {"seat": ask.seat, "prompt": ask.prompt}
    if whole:
        shown["source"] = ask.source
        shown["rule"] = ask.rule
        shown["about"] = plain(dict(ask.about or {}))
        shown["options"] = list(ask.options)
        shown["secret"] = ask.audience != PUBLIC
        if ask.beside:
            shown["beside"] = list(ask.beside)
        if ask.picks is not None:
            shown["set"] = describe_picks(ask.picks)
    return shown


def describe_picks(picks: Picks) -> dict[str, Any]:
    """A set that is being picked as plain data: what could be picked, what has been, how many, what ends it."""
    return {
        "members": list(picks.members),
        "picked": list(picks.picked),
        "low": picks.low,
        "high": picks.high,
        "end": picks.end if picks.end >= 0 else None,
    }


def view_record(
    record: list[tuple[int, int, int]] | tuple[tuple[int, int, int], ...], viewer: int | None
) -> list[list[int | None]]:
    """A record of (who, choice, audience) as the viewer may see it: [who, choice], None for a secret choice.

    Secret choices of a seat that follow each other are shown as one: in a sealed decision their number may be secret.
    """
    shown: list[list[int | None]] = []
    for who, choice, audience in record:
        if may_know(audience, viewer) or who == viewer:
            shown.append([who, choice])
        elif who == CHANCE or shown[-1:] != [[who, None]]:
            shown.append([who, None])
    return shown
