"""Tables as cards of a list: whose they are, how much time they give, and how those ended that are over."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from starlette.requests import Request

from ...card import TableCard
from ...model import SeatInfo
from .. import clocks
from ..outcome import outcome
from ..texts import GameTexts, Texts, person, site
from .context import covers, language_of


@dataclass(frozen=True, slots=True)
class Listed:
    """A card with what is written on it: the texts of its game, its time if that is limited, how it ended if it has.

    seats: in the order of their places when it is over, each with its points and whether it has won. away: a bot plays
    for the reader, who may come back.
    """

    card: TableCard
    words: GameTexts
    pace: str
    ended: str
    seats: tuple[tuple[SeatInfo, int | None, bool], ...]
    away: bool = False


def listed(request: Request, tables: Iterable[TableCard]) -> list[Listed]:
    """Tables for a list; those of a game that can't be shown are left out."""
    words = {each.game.id: each.words for each in covers(request)}
    texts = site(language_of(request))
    return [_listed(card, words[card.game], texts) for card in tables if card.game in words]


def _listed(card: TableCard, words: GameTexts, texts: Texts) -> Listed:
    pace = "" if card.clock is None else clocks.told(card.clock, texts)[0]
    if not card.places:
        away = card.status == "running" and any(seat.mine and seat.stand_in for seat in card.seats)
        return Listed(card, words, pace, "", tuple((seat, None, False) for seat in card.seats), away)
    ranked = sorted(card.seats, key=lambda seat: card.places[seat.seat])
    seats = tuple((seat, card.totals[seat.seat], card.places[seat.seat] == 1) for seat in ranked)
    mine, names = [seat.seat for seat in card.seats if seat.mine], [sitting(seat, texts) for seat in card.seats]
    return Listed(card, words, pace, outcome(card.places, mine, names, texts), seats)


def sitting(seat: SeatInfo, texts: Texts) -> str:
    """Who sits there, by name, with a word of the bot that stands in for it; a bot by its level."""
    if seat.stand_in and seat.name:
        return texts.text("seat.with_bot", name=seat.name)
    return texts.text("new.seat.bot", level=texts.level(seat.bot)) if seat.bot else person(seat.name, texts)
