"""Views of states, generated from the visibility of the fields.

`Position.view` is built from them. Pages, the API, event streams, the log, replays and bots receive
nothing else.
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
"""Convert a value of the state to independent plain data: dicts, lists, numbers, texts."""

encode: Final = msgspec.json.encode
"""Encode a value as JSON."""


def _counts(value: Any) -> Any:
    """Return the count of a pool, or nested lists of counts."""
    if value and isinstance(value[0], list):
        return [_counts(each) for each in value]
    return {"count": len(value)}


def _hidden(value: Any, visibility: Visibility) -> Any:
    if not visibility.count or not isinstance(value, list):
        return None
    return _counts(value)


def view_field(s: State, name: str, visibility: Visibility, viewer: int | None) -> JsonValue:
    """Return the part of a field that a viewer may know, as plain data.

    Args:
        s: The state.
        name: Name of the field.
        visibility: Declaration of the field.
        viewer: The seat; None for a spectator.
    """
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
    """A reader of several fields of a state class.

    Args:
        names: Names of the fields.

    Attributes:
        names: Names of the fields.
        values: Returns the values of the fields of a state.
    """

    __slots__ = ("_as_struct", "names", "values")

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names: tuple[str, ...] = names
        self.values: Callable[[State], tuple[object, ...]] = attrgetter(*names)
        self._as_struct: Callable[..., Any] = msgspec.defstruct("Fields", names)

    def encodable(self, s: State) -> object:
        """Return a struct with these fields; it is encoded faster than a dict."""
        return self._as_struct(*self.values(s))


_Open = tuple[FieldReader, tuple[tuple[str, Visibility], ...]]
_OPEN: Final[dict[type[State], _Open]] = {}


def _fields(s: State) -> _Open:
    """Return the reader of the public fields, and the declarations of the others."""
    known = _OPEN.get(type(s))
    if known is None:
        fields = declarations(type(s))
        names = tuple(name for name, visibility in fields if visibility.who == "public")
        known = _OPEN[type(s)] = (FieldReader(names), tuple(each for each in fields if each[0] not in names))
    return known


def is_fully_public(s: State) -> bool:
    """Return whether all fields of a state are public."""
    return not _fields(s)[1]


def view_state(s: State, viewer: int | None) -> JsonObject:
    """Return the parts of all fields that a viewer may know; public fields come first.

    Args:
        s: The state.
        viewer: The seat; None for a spectator.
    """
    fields, others = _fields(s)
    shown = dict(zip(fields.names, plain(fields.values(s)), strict=True))
    for name, visibility in others:
        shown[name] = view_field(s, name, visibility, viewer)
    return shown


class PublicView:
    """The parts of a view that are the same for all viewers, encoded as JSON once.

    Args:
        game: The rules.
        s: The state.
        saved: All fields of the state as JSON, if known; used when all fields are public.

    Attributes:
        state: The public fields.
        live: Result of `Rules.derived_view` if it is public, else None.
    """

    __slots__ = ("live", "state")

    def __init__(self, game: Rules, s: State, saved: bytes | None = None) -> None:
        fields, others = _fields(s)
        self.state: bytes = encode(fields.encodable(s)) if saved is None or others else saved
        self.live: bytes | None = encode(game.derived_view(s, None)) if game.derived_view_is_public else None

    def state_for(self, s: State, viewer: int | None) -> msgspec.Raw:
        """Return the result of `view_state` for the same state, as JSON."""
        others = _fields(s)[1]
        if not others:
            return msgspec.Raw(self.state)
        own = encode({name: view_field(s, name, visibility, viewer) for name, visibility in others})
        return msgspec.Raw(self.state[:-1] + b"," + own[1:])

    def live_for(self, game: Rules, s: State, viewer: int | None) -> msgspec.Raw:
        """Return the result of `Rules.derived_view` for the same state, as JSON.

        Args:
            game: The rules.
            s: The state.
            viewer: The seat; None for a spectator.
        """
        return msgspec.Raw(encode(game.derived_view(s, viewer)) if self.live is None else self.live)


def describe_choose(ask: Choose, *, whole: bool) -> JsonObject:
    """Return a decision as plain data.

    Args:
        ask: The decision.
        whole: Whether to include choices and details; False for viewers who aren't asked.
    """
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
    """Return a set as plain data: its members, picks, limits and end."""
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
    """Return a record as a viewer may see it: [actor, choice], with None for secret choices.

    Consecutive secret choices of a seat are merged, because their number may be secret in a sealed
    decision.

    Args:
        record: Answers as (actor, choice, audience).
        viewer: The seat; None for a spectator.
    """
    shown: list[list[int | None]] = []
    for who, choice, audience in record:
        if may_know(audience, viewer) or who == viewer:
            shown.append([who, choice])
        elif who == CHANCE or shown[-1:] != [[who, None]]:
            shown.append([who, None])
    return shown
