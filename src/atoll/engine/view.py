"""What one seat, or a spectator, may know of a table, generated from the visibility of its fields.

`Position.view` is made of it, and it feeds page, API, push, log, replay and bots.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any, Final, cast

import msgspec

from .decisions import CHANCE, PUBLIC, Choose, Picks
from .json_types import JsonObject, JsonValue
from .rules import Rules
from .state import State, Visibility, declarations, may_know

plain: Final = msgspec.to_builtins
"""Plain data (dicts, lists, numbers, texts) of a value of the table, independent of it."""

encode: Final = msgspec.json.encode
"""The same as JSON."""


def _counts(value: Any) -> Any:
    """A pool as its count; nested lists of pools as lists of counts."""
    if value and isinstance(value[0], list):
        return [_counts(each) for each in value]
    return {"count": len(value)}


def _hidden(value: Any, visibility: Visibility) -> Any:
    if not visibility.count or not isinstance(value, list):
        return None
    return _counts(value)


def view_field(s: State, name: str, visibility: Visibility, viewer: int | None) -> JsonValue:
    """What the viewer may know of one field, as plain data."""
    value = getattr(s, name)
    who = visibility.who
    if who == "public" or (visibility.at_end and cast(Any, s).over):
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


class FieldReader:
    """Some fields of a type of state. names: theirs. values: reads them in one go."""

    __slots__ = ("_as_struct", "names", "values")

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names: tuple[str, ...] = names
        self.values: Callable[[State], tuple[object, ...]] = attrgetter(*names)
        self._as_struct: Callable[..., Any] = msgspec.defstruct("Fields", names)

    def encodable(self, s: State) -> object:
        """What is encoded as an object of these fields: as a struct, which takes less time than as a dict."""
        return self._as_struct(*self.values(s))


_Open = tuple[FieldReader, tuple[tuple[str, Visibility], ...]]
_OPEN: Final[dict[type[State], _Open]] = {}


def _fields(s: State) -> _Open:
    """The fields that are open to all, and the others."""
    known = _OPEN.get(type(s))
    if known is None:
        fields = declarations(type(s))
        names = tuple(name for name, visibility in fields if visibility.who == "public")
        known = _OPEN[type(s)] = (FieldReader(names), tuple(each for each in fields if each[0] not in names))
    return known


def is_fully_public(s: State) -> bool:
    """Whether all fields of a state are open to all."""
    return not _fields(s)[1]


def view_state(s: State, viewer: int | None) -> JsonObject:
    """What the viewer may know of all fields, as plain data: first those that are open to all."""
    fields, others = _fields(s)
    shown = dict(zip(fields.names, plain(fields.values(s)), strict=True))
    for name, visibility in others:
        shown[name] = view_field(s, name, visibility, viewer)
    return shown


class PublicView:
    """What everybody sees of the table at one moment, as JSON: made once for all viewers.

    state: the fields that are open to all. live: what `Rules.live` gives if that is public; else None.
    """

    __slots__ = ("live", "state")

    def __init__(self, game: Rules, s: State, saved: bytes | None = None) -> None:
        """saved: all fields of this state as JSON, if that is known; it serves where all are open."""
        fields, others = _fields(s)
        self.state: bytes = encode(fields.encodable(s)) if saved is None or others else saved
        self.live: bytes | None = encode(game.derived_view(s, None)) if game.derived_view_is_public else None

    def state_for(self, s: State, viewer: int | None) -> msgspec.Raw:
        """What `view_state` gives for the same state, as JSON."""
        others = _fields(s)[1]
        if not others:
            return msgspec.Raw(self.state)
        own = encode({name: view_field(s, name, visibility, viewer) for name, visibility in others})
        return msgspec.Raw(self.state[:-1] + b"," + own[1:])

    def live_for(self, game: Rules, s: State, viewer: int | None) -> msgspec.Raw:
        """What `Rules.live` gives for the same state, as JSON."""
        return msgspec.Raw(encode(game.derived_view(s, viewer)) if self.live is None else self.live)


def describe_choose(ask: Choose, *, whole: bool) -> JsonObject:
    """A decision as plain data; without options and details for those who aren't asked."""
    shown: JsonObject = {"seat": ask.seat, "prompt": ask.prompt}
    if whole:
        shown["source"] = ask.source
        shown["rule"] = ask.rule
        shown["about"] = plain(dict(ask.placeholders)) if ask.placeholders else {}
        shown["options"] = list(ask.choices)
        shown["secret"] = ask.audience != PUBLIC
        if ask.side_choices:
            shown["beside"] = list(ask.side_choices)
        if ask.picks is not None:
            shown["set"] = describe_picks(ask.picks)
    return shown


def describe_picks(picks: Picks) -> JsonObject:
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
