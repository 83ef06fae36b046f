"""Cards of finished tables state the result.

They do so for players, spectators, solo games and shared ranks.
"""

import random
import re

import pytest

import atoll
from atoll.server.domain.model import NewTable, TableView
from atoll.server.http.pages.cards import player_name
from atoll.server.presentation.outcome import outcome
from atoll.server.presentation.texts import game_texts, options_line
from atoll.server.presentation.texts import site as texts_of
from atoll.testing.shares import give_shares

from .conftest import DEVICE, ME, OPEN, Browser, Site

NAMES = ("Ada", "Bo", "Cy")


def _played(site: Site, table: str, *people: Browser) -> TableView:
    """The table at its end, after random choices of these people."""
    rng = random.Random(1)
    while True:
        for browser in people:
            view: TableView = site.call(site.tables.table_views.table, browser.user, table)
            if view.status == "over":
                return view
            if view.turn is not None and view.turn.can_confirm:
                site.call(site.tables.turns.confirm, browser.user, table, view.seat, view.turn.stamp)
            elif view.turn is not None and view.turn.legal:
                choice = rng.choice(view.turn.legal)
                site.call(site.tables.turns.choose, browser.user, table, view.seat, [choice], view.turn.stamp)


@pytest.mark.parametrize(
    ("places", "mine", "told"),
    [
        ((1, 2), (0,), ("Won", "Gewonnen")),
        ((1, 2), (1,), ("Lost", "Verloren")),
        ((1, 1), (1,), ("Shared first place", "Geteilter Sieg")),
        ((3, 1, 2), (2,), ("Place 2 of 3", "Platz 2 von 3")),
        ((1,), (0,), ("Won", "Gewonnen")),
        ((2,), (0,), ("Lost", "Verloren")),
        ((2, 2), (0,), ("Lost", "Verloren")),
        ((2, 1, 3), (), ("Bo has won", "Bo hat gewonnen")),
        ((1, 3, 1), (), ("Ada, Cy have won", "Ada, Cy haben gewonnen")),
        ((1, 2), (0, 1), ("Ada has won", "Ada hat gewonnen")),
        ((2,), (), ("Lost", "Verloren")),
    ],
)
def test_how_a_game_ended_is_said_in_short(
    places: tuple[int, ...], mine: tuple[int, ...], told: tuple[str, str]
) -> None:
    for language, wanted in zip(("en", "de"), told, strict=True):
        assert outcome(places, mine, NAMES[: len(places)], texts_of(language)) == wanted


def test_a_card_of_a_game_that_is_over_names_who_has_won_first_with_all_points(site: Site) -> None:
    ada, bob = site.browser("Ada"), site.browser("Bob")
    table = site.call(site.tables.table_setup.create, ada.user, NewTable("atacama", (ME, OPEN)))
    site.call(site.tables.table_setup.join, bob.user, table)
    site.call(site.tables.table_setup.start, ada.user, table)
    assert '<span class="card-state">Won' not in ada.get("/mine").text
    view = _played(site, table, ada, bob)
    assert view.score is not None
    best, other = sorted((0, 1), key=view.score.places.__getitem__)
    for browser, told in zip((ada, bob), ("Won", "Lost") if best == 0 else ("Lost", "Won"), strict=True):
        page = browser.get("/mine").text
        assert re.search(rf'<span class="card-state">{told} · <time', page)
        who = re.findall(
            r'<span class="who[^"]*">.*?</svg>(?:<span[^>]*>)+(\w+)(?:</span>)+ <b title="([^"]*)">([^<]*)</b>',
            page,
            re.DOTALL,
        )
        assert [name for name, _, _ in who] == [("Ada", "Bob")[best], ("Ada", "Bob")[other]]
        assert [points for _, _, points in who] == [
            str(view.score.totals[seat]).replace("-", "−") for seat in (best, other)
        ]
        assert page.count('aria-label="Won"') == 1


@pytest.mark.parametrize("seats", [1, 2, 6])
def test_what_is_usual_for_so_many_seats_is_not_said(seats: int) -> None:
    game = atoll.games["atua"]
    words = game_texts(game, "en")
    usual = game.resolve_options({}, seats)
    assert options_line(words, usual, usual_for=seats) == ""
    assert options_line(words, {**usual, "volcano_ruler": "infinite"}, usual_for=seats).count(":") == 1
    if usual["residents"]:
        assert options_line(words, {**usual, "residents": False}, usual_for=seats) == "Residents: no"


def test_a_card_of_a_game_without_result_says_that_it_was_cancelled(site: Site) -> None:
    ada = site.browser("Ada")
    table = site.call(site.tables.table_setup.create, ada.user, NewTable("atacama", (ME, DEVICE)))
    site.call(give_shares, site.tables, table)
    site.call(site.tables.votes.vote, ada.user, table, 0, "cancel", True)
    page = ada.get("/mine/cancelled").text
    assert '<span class="card-state">Canceled · <time' in page and 'aria-label="Won"' not in page


def test_who_is_replaced_by_a_bot_keeps_the_name_on_cards(site: Site) -> None:
    ada, bob = site.browser("Ada"), site.browser("Bob")
    table = site.call(site.tables.table_setup.create, ada.user, NewTable("atacama", (ME, OPEN)))
    site.call(site.tables.table_setup.join, bob.user, table)
    site.call(site.tables.table_setup.start, ada.user, table)
    site.call(site.tables.departures.leave, bob.user, table, 1)
    assert "Bob (bot)" in ada.get("/mine").text and "A bot plays for you" not in ada.get("/mine").text
    assert "Bob (bot)" in bob.get("/mine").text and "A bot plays for you" in bob.get("/mine").text
    [card] = site.call(site.tables.table_lists.mine, ada.user)
    assert [player_name(seat, texts_of("en")) for seat in card.seats] == ["Ada", "Bob (bot)"]
