"""Saves: positions as JSON, and the validation of saves from outside."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol

import msgspec

from .errors import AtollError, SaveError
from .integers import parse_int
from .json_types import JsonMapping, JsonObject
from .options import Options
from .rules import Rules
from .segment import Segment
from .state import State, declarations, field_types
from .view import FieldReader, encode, plain

FORMAT: Final = 1
"""Version of the save format."""
_KEYS: Final = (
    "format",
    "game",
    "rules_version",
    "box",
    "seats",
    "options",
    "sequence",
    "chances",
    "state",
    "since",
    "sealed",
)


@dataclass(slots=True)
class SaveData:
    """A validated save.

    Attributes:
        options: Resolved options.
        sequence: Number of answers before the checkpoint.
        chances: Number of chance events among them.
        state: State at the checkpoint.
        since: Choices since the checkpoint.
        who: Actor of each of these choices, as in `Segment.actors`.
        sealed: Answers to the open sealed decision, by seat.
    """

    options: Options
    sequence: int
    chances: int
    state: State
    since: list[int]
    who: list[int]
    sealed: dict[int, list[int]]


def dump(data: JsonMapping) -> str:
    """Return data as compact JSON text."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


_FIELDS: Final[dict[type[State], FieldReader]] = {}


def _fields(s: State) -> FieldReader:
    known = _FIELDS.get(type(s))
    if known is None:
        known = _FIELDS[type(s)] = FieldReader(tuple(name for name, _ in declarations(type(s))))
    return known


def checkpoint_json(segment: Segment) -> msgspec.Raw:
    """Return the state at a checkpoint as JSON, encoded once per segment."""
    if segment.saved is None:
        segment.saved = encode(_fields(segment.base).encodable(segment.base))
    return msgspec.Raw(segment.saved)


class Saved(Protocol):
    """The parts of a position that a save needs in addition to its segment.

    Attributes:
        game: The rules.
        options: Resolved options.
        seats: Number of seats.
    """

    game: Rules
    options: Options
    seats: int

    @property
    def sealed_answers(self) -> dict[int, list[int]]:
        """Answers to the open sealed decision by seat."""


def build_save(position: Saved, segment: Segment, state: object) -> JsonObject:
    """Return the save of a position.

    Args:
        position: The position.
        segment: Its current segment.
        state: State at the checkpoint of the segment, as plain data or encoded JSON.
    """
    game = position.game
    return {
        "format": FORMAT,
        "game": game.id,
        "rules_version": game.rules_version,
        "box": game.components_hash,
        "seats": position.seats,
        "options": dict(position.options),
        "sequence": segment.sequence,
        "chances": segment.chances,
        "state": state,
        "since": [[code, choice] for code, choice in zip(segment.actors, segment.choices, strict=True)],
        "sealed": {str(seat): given for seat, given in position.sealed_answers.items()},
    }


def encode_state(s: State) -> JsonObject:
    """Return all fields of a state as plain data, including hidden information."""
    fields = _fields(s)
    return dict(zip(fields.names, plain(fields.values(s)), strict=True))


def digest(s: State) -> str:
    """Return a short hash of a state: 12 hexadecimal digits."""
    return hashlib.sha256(json.dumps(encode_state(s), sort_keys=True).encode()).hexdigest()[:12]


def decode_state(state_type: type[State], data: object) -> State:
    """Return the state that `encode_state` wrote.

    Args:
        state_type: Class of the state.
        data: The data; may be invalid.

    Raises:
        SaveError: If the data is invalid; the message names the field.
    """
    if not isinstance(data, dict):
        raise SaveError(f"damaged save: 'state' must be an object, not {type(data).__name__}")
    names = [name for name, _ in declarations(state_type)]
    missing = [name for name in names if name not in data]
    extra = [str(name)[:40] for name in data if name not in names]
    if missing or extra:
        raise SaveError(f"damaged save: state fields missing: {missing or 'none'}, unknown: {extra or 'none'}")
    types = field_types(state_type)
    values = {}
    for name in names:
        try:
            values[name] = msgspec.convert(data[name], types[name], strict=True)
        except msgspec.ValidationError as error:
            raise SaveError(f"damaged save: state field {name!r}: {error}") from None
    return state_type(**values)


def _numbers(value: Any) -> Iterator[int]:
    if isinstance(value, list):
        for each in value:
            yield from _numbers(each)
    elif type(value) is int:
        yield value


def _innermost(value: list[Any]) -> Iterator[list[Any]]:
    if value and isinstance(value[0], list):
        for each in value:
            yield from _innermost(each)
    else:
        yield value


def _check_fields(s: Any) -> None:
    """Check that the fields of a state are within their declared bounds.

    Args:
        s: The state.

    Raises:
        SaveError: If a field isn't; the message names it.
    """
    for name, visibility in declarations(type(s)):
        value = getattr(s, name)
        if visibility.hi is not None:
            for number in _numbers(value):
                if not visibility.lowest <= number <= visibility.hi:
                    allowed = f"{visibility.lowest} to {visibility.hi}"
                    raise SaveError(f"damaged save: state field {name!r} holds {number}; allowed: {allowed}")
        if visibility.size is not None:
            for each in _innermost(value):
                if len(each) > visibility.size:
                    what = f"holds {len(each)} elements; allowed: {visibility.size} at most"
                    raise SaveError(f"damaged save: state field {name!r} {what}")
        if visibility.who in ("owner", "known", "derivable") and len(value) != s.seats:
            raise SaveError(f"damaged save: state field {name!r} has {len(value)} entries for {s.seats} seats")
        if visibility.who == "known" and _lengths(value) != _lengths(getattr(s, visibility.masks)):
            raise SaveError(f"damaged save: state field {visibility.masks!r} must have a mask for each of {name!r}")


def _lengths(value: list[list[int]]) -> list[int]:
    return [len(each) for each in value]


def read(text: str | bytes | JsonMapping) -> JsonObject:
    """Return the content of a save whose top level is valid.

    Args:
        text: JSON text, or the same as plain data.

    Raises:
        SaveError: If it isn't a save of this format.
    """
    if isinstance(text, str | bytes):
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            raise SaveError("damaged save: it isn't valid JSON") from None
    else:
        data = text
    if not isinstance(data, Mapping):
        raise SaveError(f"damaged save: a JSON object is needed, not {type(data).__name__}")
    if data.get("format") != FORMAT:
        raise SaveError(f"save format {data.get('format')!r} is unknown; this version reads {FORMAT}")
    missing = [key for key in _KEYS if key not in data]
    extra = [str(key)[:40] for key in data if key not in _KEYS]
    if missing or extra:
        raise SaveError(f"damaged save: keys missing: {missing or 'none'}, unknown: {extra or 'none'}")
    return dict(data)


def _check_int(data: JsonMapping, key: str) -> int:
    value = data[key]
    if type(value) is not int or value < 0:
        raise SaveError(f"damaged save: {key!r} must be an integer of at least 0, not {value!r}")
    return value


def _migrate(game: Rules, data: JsonObject) -> JsonObject:
    for version in range(data["rules_version"], game.rules_version):
        step = game.migrations.get(version)
        if step is None:
            raise SaveError(f"saves of {game.id} rules version {version} can't be read: no migration")
        data = step(data)
    return data


def parse_save(game: Rules, saved: str | bytes | JsonMapping) -> SaveData:
    """Return the content of a save; its choices aren't checked, because only the rules can do that.

    Args:
        game: The rules.
        saved: JSON text, or the same as plain data.

    Raises:
        SaveError: If the save is damaged or doesn't fit the game.
    """
    data = read(saved)
    if data["game"] != game.id:
        raise SaveError(f"this is a save of {data['game']!r}, not of {game.id!r}")
    game.check_made("save", data["box"], _check_int(data, "rules_version"))
    data = _migrate(game, data)
    seats = data["seats"]
    if type(seats) is not int or seats not in game.seat_counts:
        raise SaveError(f"damaged save: {seats!r} seats; allowed: {', '.join(map(str, game.seat_counts))}")
    try:
        options = game.resolve_options(data["options"], seats)
    except AtollError as error:
        raise SaveError(f"damaged save: {error}") from None
    since: list[int] = []
    who: list[int] = []
    entries = data["since"]
    if not isinstance(entries, list):
        raise SaveError("damaged save: 'since' must be a list of [who, choice]")
    for entry in entries:
        if not (isinstance(entry, list | tuple) and len(entry) == 2 and all(type(each) is int for each in entry)):
            raise SaveError(f"damaged save: {entry!r} in 'since' isn't a pair [who, choice]")
        who.append(entry[0])
        since.append(entry[1])
    sealed: dict[int, list[int]] = {}
    if not isinstance(data["sealed"], Mapping):
        raise SaveError("damaged save: 'sealed' must be an object of seats and their choices")
    for key, choices in data["sealed"].items():
        known = isinstance(choices, list) and all(type(each) is int for each in choices)
        if not known or parse_int(str(key)) not in range(seats):
            raise SaveError(f"damaged save: sealed choices {str(key)[:20]!r}: {str(choices)[:80]}")
        sealed[int(key)] = list(choices)
    state: Any = decode_state(game.state_type, data["state"])
    if state.seats != seats:
        raise SaveError(f"damaged save: the state has {state.seats} seats, the save {seats}")
    _check_fields(state)
    return SaveData(options, _check_int(data, "sequence"), _check_int(data, "chances"), state, since, who, sealed)
