"""The printed matter: what `components.toml` must hold, said once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from msgspec import Meta

from atoll.engine import JsonMapping
from atoll.engine.components import At, Named, Part, Text, read, titles

from .kinds import DIVER, MOST_SEATS, PEARL


@dataclass(frozen=True, slots=True)
class Box:
    """divers: how many cards there are; hand: how many are dealt to each. value: points per pearl.

    pearl_ids: the names in texts of choices. titles: language -> domain -> names for people.
    """

    divers: int
    hand: int
    value: tuple[int, ...]
    pearl_ids: tuple[str, ...]
    titles: Mapping[str, Mapping[str, tuple[str, ...]]]


class _Game(Part):
    id: Literal["starter"]
    name: Text
    divers: Annotated[int, Meta(ge=1, le=DIVER.size)]
    hand: Annotated[int, Meta(ge=1, le=9)]


class _Pearl(Named):
    value: Annotated[int, Meta(ge=1, le=20)]


class _File(Part):
    game: _Game
    pearls: Annotated[list[_Pearl], Meta(min_length=1, max_length=PEARL.size)]


def load_box(data: JsonMapping) -> Box:
    """The Box from component data. Raises ComponentError."""
    file = read(data, _File)
    game, pearls = file.game, file.pearls
    enough = f"at least {MOST_SEATS} x {game.hand}"
    At("game").need(game.divers >= MOST_SEATS * game.hand, f"divers is {game.divers}", enough)
    At("pearls").need(len(pearls) >= game.hand, f"{len(pearls)} in all", f"at least {game.hand}, one for each round")
    return Box(
        divers=game.divers,
        hand=game.hand,
        value=tuple(pearl.value for pearl in pearls),
        pearl_ids=tuple(pearl.id for pearl in pearls),
        titles=titles(pearl=pearls),
    )
