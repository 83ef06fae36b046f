"""JSON Schema of a game's views, generated from the declarations of its state."""

from __future__ import annotations

import dataclasses
from typing import Any, get_args, get_origin

from .json_types import JsonMapping, JsonObject
from .rules import Rules
from .state import Visibility, declarations, field_types


def _type_schema(hint: Any, visibility: Visibility | None) -> JsonObject:
    origin = get_origin(hint)
    if origin is list:
        return {"type": "array", "items": _type_schema(get_args(hint)[0], visibility)}
    if hint is bool:
        return {"type": "boolean"}
    if hint is int:
        schema: JsonObject = {"type": "integer"}
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


def _hidden_schema(visibility: Visibility) -> JsonObject:
    properties: JsonObject = {"count": {"type": "integer", "minimum": 0}}
    if visibility.who == "known":
        properties["known"] = {"type": "array", "items": {"type": "integer"}}
    return {
        "type": ["object", "null"],
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _field_schema(hint: Any, visibility: Visibility) -> JsonObject:
    whole = _type_schema(hint, visibility)
    if visibility.who == "public":
        return whole
    hidden = _hidden_schema(visibility)
    if visibility.who == "nobody":
        return hidden if "array" not in whole["items"].get("type", "") else {"type": "array", "items": hidden}
    seat = {"anyOf": [whole["items"], hidden]}
    return {"type": "array", "items": seat}


def schema(game: Rules) -> JsonObject:
    """Return the JSON Schema of all views of a game, for any number of seats and any options."""
    types = field_types(game.state_type)
    fields: JsonMapping = {
        name: _field_schema(types[name], visibility) for name, visibility in declarations(game.state_type)
    }
    seat = {"type": "integer", "minimum": 0, "maximum": max(game.seat_counts) - 1}
    choice = {"type": "integer", "minimum": 0, "maximum": game.vocabulary.decisions - 1}
    picks = {
        "type": "object",
        "properties": {
            "members": {"type": "array", "items": choice, "minItems": 1},
            "picked": {"type": "array", "items": choice},
            "low": {"type": "integer", "minimum": 0},
            "high": {"type": "integer", "minimum": 1},
            "end": {"anyOf": [choice, {"type": "null"}]},
        },
        "required": ["members", "picked", "low", "high", "end"],
        "additionalProperties": False,
    }
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
            "beside": {"type": "array", "items": choice, "minItems": 1},
            "set": picks,
        },
        "required": ["seat", "prompt"],
        "additionalProperties": False,
    }
    properties: JsonObject = {
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
        "answers": {"type": "array", "items": {"type": "array", "items": {"type": ["integer", "null"]}}},
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
