"""What district tiles do, as data: a closed set of verbs, each with its own keys. How a verb acts is in rules.py."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, TypeAlias, get_args

import msgspec

from atoll.engine import ComponentError

from .kinds import FACES


class _Verb(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="verb"):
    """A verb with its keys."""


class Roll(_Verb, frozen=True, tag="roll"):
    """Roll the die just taken; if its face is in `on`, do `then`."""

    on: tuple[int, ...]
    then: tuple[Step, ...]


class Gain(_Verb, frozen=True, tag="gain"):
    """The recipient gets a resource from one area of `source`."""

    source: Literal["here", "other_district", "black_market"] = msgspec.field(name="from")


class Move(_Verb, frozen=True, tag="move"):
    """The actor moves a resource from the area `source` to one area of `to`."""

    source: Literal["here", "black_market"] = msgspec.field(name="from")
    to: Literal["other_district", "any_district", "black_market"]


class Swap(_Verb, frozen=True, tag="swap"):
    """The actor exchanges a resource at `a` with one at one area of `b`."""

    a: Literal["here"]
    b: Literal["other_district"]


class AdvanceClock(_Verb, frozen=True, tag="advance_clock"):
    """The clock hand moves `steps` spaces without effect."""

    steps: int


class SetDie(_Verb, frozen=True, tag="set_die"):
    """The actor turns a die still at a gate."""


class MoveSubmarine(_Verb, frozen=True, tag="move_submarine"):
    """The actor moves the submarine."""


class SearchRolled(_Verb, frozen=True, tag="search_rolled"):
    """Roll again and search the area of the result."""


class IfSecondDie(_Verb, frozen=True, tag="if_second_die"):
    """If the die just taken is the recipient's second of this round, do `then`."""

    then: tuple[Step, ...]


Step: TypeAlias = Roll | Gain | Move | Swap | AdvanceClock | SetDie | MoveSubmarine | SearchRolled | IfSecondDie

VERBS: Final[Mapping[str, type[_Verb]]] = {str(each.__struct_config__.tag): each for each in get_args(Step)}


def read_effect(tile: str, raw: Any) -> tuple[Step, ...]:
    """The effect of a tile from its component data. Raises ComponentError naming tile, what is wrong and allowed."""
    _check_steps(f"[[district_tiles]] {tile!r}: effect", raw)
    try:
        return msgspec.convert(raw, tuple[Step, ...])
    except msgspec.ValidationError as error:
        raise ComponentError(f"[[district_tiles]] {tile!r}: effect: {error}") from None


def _check_steps(where: str, raw: Any) -> None:
    """Refuse what the types can't tell, or tell without saying what is allowed."""
    if not isinstance(raw, list) or not raw:
        raise ComponentError(f"{where}: a list of one or more steps is needed")
    for step in raw:
        verb = step.get("verb") if isinstance(step, dict) else None
        kind = VERBS.get(verb) if isinstance(verb, str) else None
        if kind is None:
            raise ComponentError(f"{where}: verb {verb!r} is unknown; allowed: {', '.join(VERBS)}")
        keys = {field.encode_name: field for field in msgspec.structs.fields(kind)}
        if set(step) != {"verb", *keys}:
            raise ComponentError(
                f"{where}: {verb!r} has the keys {sorted(set(step) - {'verb'})}; needed: {sorted(keys)}"
            )
        for key, field in keys.items():
            _check_value(f"{where}: {verb!r}: {key}", key, step[key], get_args(field.type))


def _check_value(where: str, key: str, value: Any, places: tuple[Any, ...]) -> None:
    if key == "then":
        _check_steps(where, value)
    elif key == "on":
        faces = range(1, FACES + 1)
        if not isinstance(value, list) or not value or sorted(set(value) & set(faces)) != sorted(value):
            raise ComponentError(f"{where} {value!r}: faces from 1 to {FACES} are needed, each once")
    elif key == "steps":
        if type(value) is not int or value < 1:
            raise ComponentError(f"{where} {value!r}: a whole number from 1 is needed")
    elif value not in places:
        raise ComponentError(f"{where} {value!r} isn't allowed; allowed: {', '.join(places)}")
