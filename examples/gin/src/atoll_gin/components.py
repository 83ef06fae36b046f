"""The components of Gin Rummy, and the schema of `components.toml`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from msgspec import Meta

from atoll.engine import JsonMapping
from atoll.engine.component_schema import FileLocation, NamedEntrySchema, Schema, Text, in_order, read
from atoll.engine.languages import LANGUAGES

from .kinds import CARDS, MELDS, RANK_IDS, RANKS, SEATS, SUIT_IDS
from .melds import worths_of


@dataclass(frozen=True, slots=True)
class GinComponents:
    """The components of Gin Rummy.

    Attributes:
        hand: Cards dealt to each player.
        limit: The most deadwood to knock with.
        gin: The bonus for gin.
        undercut: The bonus for an undercut.
        wall: Cards of the stock that nobody draws.
        takes: The number of cards taken from the discards that ends a deal.
        value: The value of each rank.
        worths: The worth of each set of cards of one suit, by its mask.
        ranks: Short names of the ranks, by language.
        suits: Short names of the suits, by language.
        titles: Names of the elements, by language and domain.
    """

    hand: int
    limit: int
    gin: int
    undercut: int
    wall: int
    takes: int
    value: tuple[int, ...]
    worths: tuple[int, ...]
    ranks: Mapping[str, tuple[str, ...]]
    suits: Mapping[str, tuple[str, ...]]
    titles: Mapping[str, Mapping[str, tuple[str, ...]]]


class _Game(Schema):
    id: Literal["gin"]
    name: Text
    hand: Annotated[int, Meta(ge=5, le=10)]
    limit: Annotated[int, Meta(ge=0, le=30)]
    gin: Annotated[int, Meta(ge=0, le=100)]
    undercut: Annotated[int, Meta(ge=0, le=100)]
    wall: Annotated[int, Meta(ge=0, le=20)]
    takes: Annotated[int, Meta(ge=1, le=50)]


class _Rank(NamedEntrySchema):
    value: Annotated[int, Meta(ge=1, le=15)]


class _File(Schema):
    game: _Game
    ranks: Annotated[list[_Rank], Meta(min_length=RANKS, max_length=RANKS)]
    suits: list[NamedEntrySchema]


def load_components(data: JsonMapping) -> GinComponents:
    """Return the components described by parsed component data.

    Args:
        data: Content of a `components.toml`.

    Raises:
        ComponentError: If a table or key is missing or unknown, or a value is impossible.
    """
    file = read(data, _File)
    game = file.game
    ranks = in_order("ranks", file.ranks, RANK_IDS)
    suits = in_order("suits", file.suits, SUIT_IDS)
    left = CARDS - SEATS * game.hand - 1
    FileLocation("game").need(game.wall < left, f"wall is {game.wall}", f"less than the {left} cards of the stock")
    value = tuple(rank.value for rank in ranks)
    rank_names = {language: tuple(rank.name.said(language) for rank in ranks) for language in LANGUAGES}
    suit_names = {language: tuple(suit.name.said(language) for suit in suits) for language in LANGUAGES}
    return GinComponents(
        hand=game.hand,
        limit=game.limit,
        gin=game.gin,
        undercut=game.undercut,
        wall=game.wall,
        takes=game.takes,
        value=value,
        worths=worths_of(value),
        ranks=rank_names,
        suits=suit_names,
        titles={language: _titles(rank_names[language], suit_names[language]) for language in LANGUAGES},
    )


def _titles(ranks: Sequence[str], suits: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
    """Return the names of cards and melds."""
    cards = [f"{ranks[card % RANKS]}{suits[card // RANKS]}" for card in range(CARDS)]
    return {"card": tuple(cards), "meld": tuple(" ".join(cards[card] for card in meld) for meld in MELDS)}
