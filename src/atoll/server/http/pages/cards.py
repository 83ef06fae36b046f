"""Cards of tables in lists: their players, time control and result."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from starlette.requests import Request

from ...domain.model import SeatInfo
from ...domain.table_card import TableCard
from ...presentation import clocks
from ...presentation.outcome import outcome
from ...presentation.texts import GameTexts, Texts, bot, person, site
from ..session import tables as services
from .context import covers, language_of


@dataclass(frozen=True, slots=True)
class ListedTable:
    """A card of a table, with its texts in the reader's language.

    Attributes:
        card: The table.
        words: Texts of its game.
        pace: Time control in words, or "" without one.
        ended: Result of the game in words, or "" while it isn't over.
        seats: Per seat its number, the player's name, the score (None before the end) and whether
            it has won. Finished games list the best seat first.
        away: Whether a bot plays for the reader, who may return.
        stands: Whether maintenance has stopped the clocks of the game.
    """

    card: TableCard
    words: GameTexts
    pace: str
    ended: str
    seats: tuple[tuple[int, str, int | None, bool], ...]
    away: bool = False
    stands: bool = False


def cards_of(request: Request, tables: Iterable[TableCard], *, named: bool = False) -> list[ListedTable]:
    """Return the cards of tables; tables whose game can't be shown are left out.

    Args:
        request: The request.
        tables: The tables.
        named: Whether results name the winners also where the reader played.
    """
    words = {each.game.id: each.words for each in covers(request)}
    texts = site(language_of(request))
    stands = services(request).executor.stands_since is not None
    return [
        _card_of(card, words[card.game], texts, named=named, stands=stands) for card in tables if card.game in words
    ]


def _card_of(card: TableCard, words: GameTexts, texts: Texts, *, named: bool, stands: bool) -> ListedTable:
    """Return the card of a table."""
    names = [player_name(seat, texts) for seat in card.seats]
    pace = "" if card.clock is None else clocks.describe_time_control(card.clock, texts)[0]
    if not card.places:
        away = card.status == "running" and any(seat.mine and seat.stand_in for seat in card.seats)
        seats = tuple((seat, name, None, False) for seat, name in enumerate(names))
        stopped = stands and card.status == "running" and card.clock is not None
        return ListedTable(card, words, pace, "", seats, away, stopped)
    ranked = sorted(range(len(card.seats)), key=card.places.__getitem__)
    best_first = tuple((seat, names[seat], card.totals[seat], card.places[seat] == 1) for seat in ranked)
    mine = [seat.seat for seat in card.seats if seat.mine and not named]
    return ListedTable(card, words, pace, outcome(card.places, mine, names, texts), best_first)


def player_name(seat: SeatInfo, texts: Texts) -> str:
    """Return the name of a seat's player; a bot's name contains its number and level."""
    if seat.kind in ("open", "invite") and not seat.name:
        return texts.text(f"seat.kind.{seat.kind}")
    if seat.stand_in and seat.name:
        return texts.text("seat.with_bot", name=person(seat.name, texts))
    return bot(seat.seat, seat.bot, texts) if seat.bot else person(seat.name, texts)
