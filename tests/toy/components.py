"""The printed matter of the toy: shells, cards and charms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from atoll.engine import ComponentError

from .kinds import AMOUNT, CARD, CHARM, MOST_SEATS, SHELL

LANGUAGES: Final = ("en", "de")
EFFECTS: Final = ("calm", "shells", "storm", "echo")
CALM, SHELLS_EFFECT, STORM, ECHO_EFFECT = range(4)


@dataclass(frozen=True, slots=True)
class ToyBox:
    """The Box of the toy; shells, cards and charms are counted in the order of the component data.

    shells: per colour how many there are; start_shells: of each colour per player at the start.
    cards: the whole deck, sorted, a card as many times as it has copies; price (shells), points, effect: per card,
    the effect as index of EFFECTS. charm_shell: per charm the colour that it counts. goal: so many open cards end it.
    card_ids, charm_ids: the names in texts of choices. titles: language -> domain -> names for people.
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


class _Named(msgspec.Struct):
    id: str
    name: dict[str, str]


class _Game(_Named):
    goal: int
    start_shells: int


class _Shell(_Named):
    count: int


class _Card(_Named):
    copies: int
    price: int
    points: int
    effect: str


class _Charm(_Named):
    shell: str


class _Data(msgspec.Struct):
    game: _Game
    shells: list[_Shell]
    cards: list[_Card]
    charms: list[_Charm]


def load_box(data: Mapping[str, Any]) -> ToyBox:
    """The Box from parsed component data. Raises ComponentError."""
    try:
        found = msgspec.convert(data, _Data)
    except msgspec.ValidationError as error:
        raise ComponentError(f"toy components: {error}") from None
    colours = SHELL.names or ()
    _check_ids("shells", found.shells, len(colours))
    _check_ids("cards", found.cards, CARD.size)
    _check_ids("charms", found.charms, CHARM.size)
    if tuple(shell.id for shell in found.shells) != colours:
        raise ComponentError(f"[[shells]]: the ids must be, in this order, {', '.join(colours)}")
    if len(found.charms) < MOST_SEATS:
        raise ComponentError(f"[[charms]]: {len(found.charms)} charms; allowed: {MOST_SEATS} to {CHARM.size}")
    if found.game.goal < 1:
        raise ComponentError(f"[game] goal {found.game.goal}: at least 1 is allowed")
    _check_shells(found.shells, found.game.start_shells)
    for card in found.cards:
        _check_card(card)
    for charm in found.charms:
        if charm.shell not in colours:
            raise ComponentError(f"[[charms]] {charm.id!r}: shell {charm.shell!r}; allowed: {', '.join(colours)}")
    return ToyBox(
        shells=tuple(shell.count for shell in found.shells),
        start_shells=found.game.start_shells,
        cards=tuple(index for index, card in enumerate(found.cards) for _ in range(card.copies)),
        price=tuple(card.price for card in found.cards),
        points=tuple(card.points for card in found.cards),
        effect=tuple(EFFECTS.index(card.effect) for card in found.cards),
        charm_shell=tuple(colours.index(charm.shell) for charm in found.charms),
        goal=found.game.goal,
        card_ids=tuple(card.id for card in found.cards),
        charm_ids=tuple(charm.id for charm in found.charms),
        titles={
            language: {
                "shell": tuple(each.name[language] for each in found.shells),
                "card": tuple(each.name[language] for each in found.cards),
                "charm": tuple(each.name[language] for each in found.charms),
            }
            for language in LANGUAGES
        },
    )


def _check_ids(table: str, entries: Sequence[_Named], most: int) -> None:
    if not 1 <= len(entries) <= most:
        raise ComponentError(f"[[{table}]]: {len(entries)} entries; allowed: 1 to {most}")
    seen: set[str] = set()
    for entry in entries:
        if entry.id in seen:
            raise ComponentError(f"[[{table}]] {entry.id!r} stands twice; each id is allowed once")
        seen.add(entry.id)
        for language in LANGUAGES:
            if not entry.name.get(language):
                raise ComponentError(f"[[{table}]] {entry.id!r}: name.{language} is missing")


def _check_shells(shells: Sequence[_Shell], start_shells: int) -> None:
    for shell in shells:
        if not 0 <= start_shells * MOST_SEATS <= shell.count:
            raise ComponentError(
                f"[[shells]] {shell.id!r}: count {shell.count}; allowed: at least {MOST_SEATS} x {start_shells}"
            )
    total = sum(shell.count for shell in shells)
    if total >= AMOUNT.high:
        raise ComponentError(f"[[shells]]: {total} in all; allowed: fewer than {AMOUNT.high}")


def _check_card(card: _Card) -> None:
    where = f"[[cards]] {card.id!r}"
    if not 1 <= card.copies <= 9:
        raise ComponentError(f"{where}: copies {card.copies}; allowed: 1 to 9")
    if not 0 <= card.price <= 9:
        raise ComponentError(f"{where}: price {card.price}; allowed: 0 to 9")
    if not 0 <= card.points <= 9:
        raise ComponentError(f"{where}: points {card.points}; allowed: 0 to 9")
    if card.effect not in EFFECTS:
        raise ComponentError(f"{where}: effect {card.effect!r}; allowed: {', '.join(EFFECTS)}")
