"""The printed matter of the toy: shells, cards and charms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal, get_args

from msgspec import Meta

from atoll.engine import JsonMapping
from atoll.engine.component_schema import FileLocation, NamedEntrySchema, Schema, Text, in_order, localized_names, read

from .kinds import AMOUNT, MOST_SEATS, SHELL

Effect = Literal["calm", "shells", "storm", "echo"]
EFFECTS: tuple[str, ...] = get_args(Effect)
CALM, SHELLS_EFFECT, STORM, ECHO_EFFECT = range(4)


@dataclass(frozen=True, slots=True)
class ToyComponents:
    """The components of the toy game.

    Shells, cards and charms are counted in the order of the component data.

    Attributes:
        shells: Number of shells per color.
        start_shells: Shells of each color per player at the start.
        cards: The deck, sorted; a card occurs once per copy.
        price: Per card its price in shells.
        points: Per card its points.
        effect: Per card its effect as an index of EFFECTS.
        charm_shell: Per charm the color that it counts.
        goal: Number of open cards that ends the game.
        card_ids: Names of the cards in texts of choices.
        charm_ids: Names of the charms in texts of choices.
        titles: Names for people, by language and domain.
    """

    shells: tuple[int, ...]
    start_shells: int
    cards: tuple[int, ...]
    price: tuple[int, ...]
    points: tuple[int, ...]
    effect: tuple[int, ...]
    charm_shell: tuple[int, ...]
    goal: int
    card_ids: tuple[str, ...]
    charm_ids: tuple[str, ...]
    titles: Mapping[str, Mapping[str, tuple[str, ...]]]


_Digit = Annotated[int, Meta(ge=0, le=9)]


class _Game(Schema):
    id: Literal["toy"]
    name: Text
    goal: Annotated[int, Meta(ge=1, le=9)]
    start_shells: _Digit


class _Shell(NamedEntrySchema):
    count: Annotated[int, Meta(ge=0, le=99)]


class _Card(NamedEntrySchema):
    copies: Annotated[int, Meta(ge=1, le=9)]
    price: _Digit
    points: _Digit
    effect: Effect


class _Charm(NamedEntrySchema):
    shell: str


class _File(Schema):
    game: _Game
    shells: list[_Shell]
    cards: Annotated[list[_Card], Meta(min_length=1, max_length=8)]
    charms: Annotated[list[_Charm], Meta(min_length=4, max_length=6)]


def load_components(data: JsonMapping) -> ToyComponents:
    """The components from parsed component data."""
    file = read(data, _File)
    start, cards, charms = file.game.start_shells, file.cards, file.charms
    shells = in_order("shells", file.shells, SHELL)
    for shell in shells:
        enough = f"at least {MOST_SEATS} x {start}"
        FileLocation("shells", shell.id).need(shell.count >= start * MOST_SEATS, f"count is {shell.count}", enough)
    total = sum(shell.count for shell in shells)
    FileLocation("shells").need(total < AMOUNT.high, f"{total} in all", f"fewer than {AMOUNT.high}")
    return ToyComponents(
        shells=tuple(shell.count for shell in shells),
        start_shells=start,
        cards=tuple(index for index, card in enumerate(cards) for _ in range(card.copies)),
        price=tuple(card.price for card in cards),
        points=tuple(card.points for card in cards),
        effect=tuple(EFFECTS.index(card.effect) for card in cards),
        charm_shell=tuple(FileLocation("charms", charm.id).one_of("shell", charm.shell, SHELL) for charm in charms),
        goal=file.game.goal,
        card_ids=tuple(card.id for card in cards),
        charm_ids=tuple(charm.id for charm in charms),
        titles=localized_names(shell=shells, card=cards, charm=charms),
    )
