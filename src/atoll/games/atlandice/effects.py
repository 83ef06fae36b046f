"""The effects of district tiles as data: a closed set of verbs, each with its own keys.

The functions that carry them out are in tile_effects.py.
"""

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
    """Roll the die just taken, and run the nested steps for certain faces.

    Attributes:
        on: The faces.
        then: The steps for these faces.
    """

    on: Annotated[tuple[_Face, ...], Meta(min_length=1)]
    then: Steps


class Gain(_Verb, frozen=True, tag="gain"):
    """Give the recipient a resource.

    Attributes:
        source: The areas that can give it.
    """

    source: Literal["here", "other_district", "black_market"] = msgspec.field(name="from")


class Move(_Verb, frozen=True, tag="move"):
    """Let the actor move a resource.

    Attributes:
        source: The area that it comes from.
        to: The areas that can get it.
    """

    source: Literal["here", "black_market"] = msgspec.field(name="from")
    to: Literal["other_district", "any_district", "black_market"]


class Swap(_Verb, frozen=True, tag="swap"):
    """Let the actor exchange two resources.

    Attributes:
        a: The area of the first one.
        b: The areas that can have the second one.
    """

    a: Literal["here"]
    b: Literal["other_district"]


class AdvanceClock(_Verb, frozen=True, tag="advance_clock"):
    """Move the clock hand without the effect of a space.

    Attributes:
        steps: The number of spaces.
    """

    steps: Annotated[int, Meta(ge=1, le=9)]


class SetDie(_Verb, frozen=True, tag="set_die"):
    """Let the actor turn a die that is still at a gate."""


class MoveSubmarine(_Verb, frozen=True, tag="move_submarine"):
    """Let the actor move the submarine."""


class SearchRolled(_Verb, frozen=True, tag="search_rolled"):
    """Roll again and search the area of the result."""


class IfSecondDie(_Verb, frozen=True, tag="if_second_die"):
    """Run the nested steps if the die just taken is the actor's second in this round.

    Attributes:
        then: The steps.
    """

    then: Steps


Step: TypeAlias = Roll | Gain | Move | Swap | AdvanceClock | SetDie | MoveSubmarine | SearchRolled | IfSecondDie

Steps = Annotated[tuple[Step, ...], Meta(min_length=1, max_length=MOST_STEPS)]

VERBS: Final[tuple[type[_Verb], ...]] = get_args(Step)

_V = TypeVar("_V", bound=_Verb)


def steps_of(effect: Sequence[Step], verb: type[_V]) -> list[_V]:
    """Return the steps of an effect with a verb, including nested ones, in their order."""
    found: list[_V] = []
    for step in effect:
        if isinstance(step, verb):
            found.append(step)
        if isinstance(step, Roll | IfSecondDie):
            found += steps_of(step.then, verb)
    return found
