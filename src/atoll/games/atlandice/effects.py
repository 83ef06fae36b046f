"""What district tiles do, as data: a closed set of verbs, each with its own keys. How a verb acts is in rules.py."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final, Literal, TypeAlias, TypeVar, get_args

import msgspec
from msgspec import Meta

from .kinds import FACES

MOST_STEPS: Final = 3
_Face = Annotated[int, Meta(ge=1, le=FACES)]


class _Verb(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="verb"):
    """A verb with its keys."""


class Roll(_Verb, frozen=True, tag="roll"):
    """Roll the die just taken; if its face is in `on`, do `then`."""

    on: Annotated[tuple[_Face, ...], Meta(min_length=1)]
    then: Steps


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

    steps: Annotated[int, Meta(ge=1, le=9)]


class SetDie(_Verb, frozen=True, tag="set_die"):
    """The actor turns a die still at a gate."""


class MoveSubmarine(_Verb, frozen=True, tag="move_submarine"):
    """The actor moves the submarine."""


class SearchRolled(_Verb, frozen=True, tag="search_rolled"):
    """Roll again and search the area of the result."""


class IfSecondDie(_Verb, frozen=True, tag="if_second_die"):
    """If the die just taken is the actor's second of this round, do `then`."""

    then: Steps


Step: TypeAlias = Roll | Gain | Move | Swap | AdvanceClock | SetDie | MoveSubmarine | SearchRolled | IfSecondDie

Steps = Annotated[tuple[Step, ...], Meta(min_length=1, max_length=MOST_STEPS)]

VERBS: Final[tuple[type[_Verb], ...]] = get_args(Step)

_V = TypeVar("_V", bound=_Verb)


def steps_of(effect: Sequence[Step], verb: type[_V]) -> list[_V]:
    """Return the steps of an effect with a verb, also those that depend on others, in their order."""
    found: list[_V] = []
    for step in effect:
        if isinstance(step, verb):
            found.append(step)
        if isinstance(step, Roll | IfSecondDie):
            found += steps_of(step.then, verb)
    return found
