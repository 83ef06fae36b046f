"""Components: the schema of `components.toml`, and the object that the rules use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from msgspec import Meta

from atoll.engine import JsonMapping
from atoll.engine.component_schema import FileLocation, NamedEntrySchema, Schema, Text, localized_names, read

from .kinds import DIVER, MOST_SEATS, PEARL


@dataclass(frozen=True, slots=True)
class StarterComponents:
    """The components of the game.

    Attributes:
        divers: Number of diver cards.
        hand: Number of divers dealt to each player.
        value: Points of each pearl.
        pearl_ids: Names of the pearls in the text form of choices.
        titles: Names for people, by language and domain.
    """

    divers: int
    hand: int
    value: tuple[int, ...]
    pearl_ids: tuple[str, ...]
    titles: Mapping[str, Mapping[str, tuple[str, ...]]]


class _Game(Schema):
    id: Literal["starter"]
    name: Text
    divers: Annotated[int, Meta(ge=1, le=DIVER.size)]
    hand: Annotated[int, Meta(ge=1, le=9)]


class _Pearl(NamedEntrySchema):
    value: Annotated[int, Meta(ge=1, le=20)]


class _File(Schema):
    game: _Game
    pearls: Annotated[list[_Pearl], Meta(min_length=1, max_length=PEARL.size)]


def load_components(data: JsonMapping) -> StarterComponents:
    """Return the components that the component data describes.

    Args:
        data: Content of a `components.toml`.

    Raises:
        ComponentError: If the data is invalid.
    """
    file = read(data, _File)
    game, pearls = file.game, file.pearls
    enough = f"at least {MOST_SEATS} x {game.hand}"
    FileLocation("game").need(game.divers >= MOST_SEATS * game.hand, f"divers is {game.divers}", enough)
    FileLocation("pearls").need(
        len(pearls) >= game.hand, f"{len(pearls)} in all", f"at least {game.hand}, one for each round"
    )
    return StarterComponents(
        divers=game.divers,
        hand=game.hand,
        value=tuple(pearl.value for pearl in pearls),
        pearl_ids=tuple(pearl.id for pearl in pearls),
        titles=localized_names(pearl=pearls),
    )
