"""Tables as cards of a list: whose they are, how much time they give, and how those ended that are over."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from starlette.requests import Request

from ...card import TableCard
from ...model import SeatInfo
from .. import clocks
from ..texts import GameTexts, Texts, site
from .context import covers, language_of


@dataclass(frozen=True, slots=True)
class Listed:
    """A card with what is written on it: the texts of its game, its time if that is limited, how it ended if it has.

    seats: in the order of their places when it is over, each with its points and whether it has won.
    """

    card: TableCard
    words: GameTexts
    pace: str
    ended: str
    seats: tuple[tuple[SeatInfo, int | None, bool], ...]


def listed(request: Request, tables: Iterable[TableCard]) -> list[Listed]:
    """Tables for a list; those of a game that can't be shown are left out."""
    words = {each.game.id: each.words for each in covers(request)}
    texts = site(language_of(request))
    return [_listed(card, words[card.game], texts) for card in tables if card.game in words]


def _listed(card: TableCard, words: GameTexts, texts: Texts) -> Listed:
    pace = "" if card.clock is None else clocks.told(card.clock, texts)[0]
    if not card.places:
        return Listed(card, words, pace, "", tuple((seat, None, False) for seat in card.seats))
    ranked = sorted(card.seats, key=lambda seat: card.places[seat.seat])
    seats = tuple((seat, card.totals[seat.seat], card.places[seat.seat] == 1) for seat in ranked)
    return Listed(card, words, pace, ended(card.seats, card.places, texts), seats)


def ended(seats: Sequence[SeatInfo], places: Sequence[int], texts: Texts) -> str:
    """How a game ended, in short: for who held one seat of it, else who has won."""
    mine = [places[seat.seat] for seat in seats if seat.mine]
    winners = places.count(1)
    if len(mine) != 1:
        names = ", ".join(sitting(seat, texts) for seat in seats if places[seat.seat] == 1)
        return texts.text("card.won_by" if winners else "card.lost", names=names, n=winners)
    [place] = mine
    if place == 1:
        return texts.text("card.won" if winners == 1 else "card.shared")
    if len(seats) <= 2 or not winners:
        return texts.text("card.lost")
    return texts.text("card.place", place=place, of=len(seats))


def sitting(seat: SeatInfo, texts: Texts) -> str:
    """Who sits there, by name; a bot by its level."""
    return texts.text("new.seat.bot", level=texts.level(seat.bot)) if seat.bot else seat.name
