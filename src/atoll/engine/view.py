"""What one seat, or a spectator, may know of a position.

One function, `view`, feeds page, API, push, log, replay and bots. It is generated from the visibility of the fields.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, get_args, get_origin

import msgspec

from .decisions import CHANCE, PUBLIC, Choose
from .state import State, Visibility, declarations, field_types, may_know

if TYPE_CHECKING:
    from .game import Game
    from .position import Position


_VISIBILITY: Final[dict[type[State], dict[str, Visibility]]] = {}


def visibility_of(state_type: type[State], field: str) -> Visibility:
    """How one field is declared. Raises KeyError."""
    known = _VISIBILITY.get(state_type)
    if known is None:
        known = _VISIBILITY[state_type] = dict(declarations(state_type))
    return known[field]


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


def view_decision(position: Position, viewer: int | None) -> dict[str, Any] | None:
    """The decision that is open: with its options for the seat that is asked, else only who is asked what."""
    if position.sealed:
        if viewer is None or viewer not in position.to_move:
            return None
        return describe_choose(position.decision(viewer), whole=True)
    if not position.to_move:
        return None
    ask = position.decision(position.to_move[0])
    return describe_choose(ask, whole=viewer == ask.seat)


def describe_choose(ask: Choose, *, whole: bool) -> dict[str, Any]:
    """A decision as plain data; without options and details for those who aren't asked."""
    shown: dict[str, Any] = {"seat": ask.seat, "prompt": ask.prompt}
    if whole:
        shown["source"] = ask.source
        shown["rule"] = ask.rule
        shown["about"] = plain(dict(ask.about or {}))
        shown["options"] = list(ask.options)
        shown["secret"] = ask.audience != PUBLIC
    return shown


def view(position: Position, viewer: int | None) -> dict[str, Any]:
    """All that the viewer (a seat, or None for a spectator) may know, as JSON-able data."""
    s = position.state
    game = position.game
    return {
        "game": game.id,
        "seats": position.seats,
        "viewer": viewer,
        "sequence": position.sequence,
        "over": position.over,
        "options": dict(position.options),
        "to_move": list(position.to_move),
        "sealed": position.sealed,
        "ready": position.ready,
        "decision": view_decision(position, viewer),
        "state": view_state(s, viewer),
        "live": game.live(s, viewer),
        "ranking": position.ranking() if position.over else None,
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


def _type_schema(hint: Any, visibility: Visibility | None) -> dict[str, Any]:
    origin = get_origin(hint)
    if origin is list:
        return {"type": "array", "items": _type_schema(get_args(hint)[0], visibility)}
    if hint is bool:
        return {"type": "boolean"}
    if hint is int:
        schema: dict[str, Any] = {"type": "integer"}
        if visibility is not None and visibility.hi is not None:
            schema["minimum"] = visibility.lowest
            schema["maximum"] = visibility.hi
        return schema
    if hint is str:
        return {"type": "string"}
    if dataclasses.is_dataclass(hint):
        assert isinstance(hint, type)
        types = field_types(hint)
        names = [field.name for field in dataclasses.fields(hint)]
        return {
            "type": "object",
            "properties": {name: _type_schema(types[name], None) for name in names},
            "required": names,
            "additionalProperties": False,
        }
    raise TypeError(f"a state can't hold {hint!r}: use int, bool, str, lists of these, or plain dataclasses")


def _hidden_schema(visibility: Visibility) -> dict[str, Any]:
    properties: dict[str, Any] = {"count": {"type": "integer", "minimum": 0}}
    if visibility.who == "known":
        properties["known"] = {"type": "array", "items": {"type": "integer"}}
    return {
        "type": ["object", "null"],
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _field_schema(hint: Any, visibility: Visibility) -> dict[str, Any]:
    whole = _type_schema(hint, visibility)
    if visibility.who == "public":
        return whole
    hidden = _hidden_schema(visibility)
    if visibility.who == "nobody":
        return hidden if "array" not in whole["items"].get("type", "") else {"type": "array", "items": hidden}
    seat = {"anyOf": [whole["items"], hidden]}
    return {"type": "array", "items": seat}


def schema(game: Game) -> dict[str, Any]:
    """The JSON schema of a game's views, generated from the declarations of its state."""
    types = field_types(game.state_type)
    fields: Mapping[str, Any] = {
        name: _field_schema(types[name], visibility) for name, visibility in declarations(game.state_type)
    }
    seat = {"type": "integer", "minimum": 0, "maximum": max(game.seat_counts) - 1}
    choice = {"type": "integer", "minimum": 0, "maximum": game.vocabulary.decisions - 1}
    decision = {
        "type": ["object", "null"],
        "properties": {
            "seat": seat,
            "prompt": {"type": "string"},
            "source": {"type": "string"},
            "rule": {"type": "string"},
            "about": {"type": "object"},
            "options": {"type": "array", "items": choice, "minItems": 1},
            "secret": {"type": "boolean"},
        },
        "required": ["seat", "prompt"],
        "additionalProperties": False,
    }
    properties: dict[str, Any] = {
        "game": {"const": game.id},
        "seats": {"enum": list(game.seat_counts)},
        "viewer": {"anyOf": [seat, {"type": "null"}]},
        "sequence": {"type": "integer", "minimum": 0},
        "over": {"type": "boolean"},
        "options": {"type": "object"},
        "to_move": {"type": "array", "items": seat},
        "sealed": {"type": "boolean"},
        "ready": {"type": ["array", "null"], "items": {"type": "boolean"}},
        "decision": decision,
        "state": {
            "type": "object",
            "properties": dict(fields),
            "required": list(fields),
            "additionalProperties": False,
        },
        "live": {"type": "object"},
        "ranking": {"type": ["array", "null"], "items": {"type": "integer", "minimum": 1}},
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"A view of {game.id}",
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
