"""The end of a game on its page: winners, scores and the next level.

It also covers players that the rules control.
"""

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import atoll
from atoll.games.atua import scoring
from atoll.server.domain.model import NewTable, SeatPlan
from atoll.testing.shares import give_shares

from .conftest import DEVICE, ME, Browser, Site, site_at

GAMES = {id: atoll.games[id] for id in ("atacama", "atlandice", "atua")}


@pytest.fixture
def site(sqlite_url: str) -> Iterator[Site]:
    """The application with these games."""
    with site_at(sqlite_url, GAMES) as found:
        yield found


def play_to_the_end(site: Site, browser: Browser, game: str, *seats: SeatPlan, **options: Any) -> str:
    """A finished game, played at random at one device."""
    table: str = site.call(site.tables.table_setup.create, browser.user, NewTable(game, seats, options))
    site.call(give_shares, site.tables, table)
    rng = random.Random(1)
    while True:
        view = site.call(site.tables.table_views.table, browser.user, table)
        if view.status == "over":
            return table
        assert view.turn is not None
        turn, seat = view.turn, view.seat
        if turn.can_confirm:
            site.call(site.tables.turns.confirm, browser.user, table, seat, turn.stamp)
        else:
            site.call(site.tables.turns.choose, browser.user, table, seat, [rng.choice(turn.legal)], turn.stamp)


@pytest.mark.parametrize(("wins", "said"), [(False, "Lost"), (True, "Won")])
def test_the_end_of_a_solo_game_says_won_or_lost_and_explains_tahuma(
    site: Site, monkeypatch: pytest.MonkeyPatch, wins: bool, said: str
) -> None:
    monkeypatch.setattr(scoring, "beats_tahuma", lambda s: wins)
    ada = site.browser("Ada")
    table = play_to_the_end(site, ada, "atua", ME, solo_difficulty="medium")
    page = ada.get(f"/t/{table}").text
    assert f'<span class="place">{said}</span>' in page
    assert f"The game is over: you have {said.lower()}." in page
    [decided] = re.findall('<p class="decided">(.*?)</p>', page)
    assert "Tahuma" in decided and "Ada" in decided
    assert page.index("step-1") < page.index("step-2"), "the podium of two"
    assert "The game is over: Ada" not in page
    assert "The game is over: Ada has won." in site.browser("Bob").get(f"/t/{table}").text or not wins
    ranking = page[page.index('<ol class="ranking">') : page.index("</ol>", page.index('<ol class="ranking">'))]
    rival = ranking[ranking.index('<li class="rival">') :]
    for what in ("Tahuma", "Start, medium", "Fishers and fish", "Fishers:", "Totems that count:", "Volcanoes"):
        assert what in rival
    assert ("Play the next level" in page) == wins
    if wins:
        form = page[page.index('<form method="post" action="/new">') : page.index("Play the next level")]
        fields = dict(re.findall(r'name="([^"]+)" value="([^"]*)"', form))
        assert fields["option.solo_difficulty"] == "hard"
        made = ada.post("/new", {name: value for name, value in fields.items() if name != "csrf"})
        assert made.status_code == 303
        new = site.call(site.tables.table_views.table, ada.user, made.headers["location"].removeprefix("/t/"))
        assert (new.game, len(new.seats), new.options["solo_difficulty"]) == ("atua", 1, "hard")


def test_the_end_of_a_game_for_two_explains_the_neutral_player(site: Site) -> None:
    ada = site.browser("Ada")
    table = play_to_the_end(site, ada, "atlandice", ME, DEVICE)
    page = ada.get(f"/t/{table}").text
    winners = page[page.index("The game is over: ") : page.index(" won.</p>")]
    score = site.call(site.tables.table_views.table, ada.user, table).score
    assert winners.endswith("have" if score.places.count(1) > 1 else "has")
    assert "Neutral player" in page[page.index('<li class="rival">') :]
    score = site.call(site.tables.table_views.table, ada.user, table).score
    assert [each["key"] for each in score.rivals] == ["neutral"]
    assert len(score.places) == 2


def test_a_cancelled_table_can_be_played_once_more(site: Site) -> None:
    ada = site.browser("Ada")
    table: str = site.call(site.tables.table_setup.create, ada.user, NewTable("atacama", (ME, DEVICE), {}))
    site.call(give_shares, site.tables, table)
    site.call(site.tables.votes.vote, ada.user, table, 0, "cancel", True)
    page = ada.get(f"/t/{table}").text
    assert "This game was canceled." in page
    assert f'action="/t/{table}/rematch"' in page
    made = ada.post(f"/t/{table}/rematch")
    assert '<button class="strong">Go to the rematch</button>' in ada.get(f"/t/{table}").text
    watching = site.browser("Eve").get(f"/t/{table}").text
    assert f'<a class="button strong" href="{made.headers["location"]}">Go to the rematch</a>' in watching


def test_moves_of_several_seats_at_a_device_are_taken_back_by_their_names(site: Site) -> None:
    ada = site.browser("Ada")
    table: str = site.call(site.tables.table_setup.create, ada.user, NewTable("atacama", (ME, DEVICE), {}))
    site.call(give_shares, site.tables, table)
    moved = []
    for _ in range(2):
        view = site.call(site.tables.table_views.table, ada.user, table)
        moved.append(view.seats[view.seat].name)
        site.call(
            site.tables.turns.choose, ada.user, table, view.seat, view.turn.legal[:1], view.turn.stamp, confirm=True
        )
    page = ada.get(f"/t/{table}?seat=0").text
    assert "Take back my last move" not in page
    [menu] = re.findall(r'<details id="page-backs".*?</details>', page, re.DOTALL)
    told = re.compile("Take back the last move of (.*?)<")
    assert len(set(moved)) == 2 and told.findall(menu) == moved[::-1]
    assert told.findall(page) == moved[::-1] * 2, "in the log, and in the menu of a phone"


def test_the_first_game_has_what_is_recommended_for_it_and_the_weakest_bot(site: Site) -> None:
    ada = site.browser("Ada")
    made = ada.post("/play", {"first": "atua"})
    view = site.call(site.tables.table_views.table, ada.user, made.headers["location"].removeprefix("/t/"))
    first = GAMES["atua"].first_game_options()
    assert first
    assert {key: view.options[key] for key in first} == first
    assert [info.bot for info in view.seats] == ["", "beginner"]


def test_play_now_against_bots_is_against_bots_and_alone_is_alone(site: Site) -> None:
    ada = site.browser("Ada")
    page = ada.get("/").text
    assert 'name="game" value="atua"' in page
    assert 'name="alone" value="atua"' in page
    assert 'name="alone" value="atacama"' not in page
    for field, seats in (("game", 2), ("alone", 1)):
        made = ada.post("/play", {field: "atua"})
        view = site.call(site.tables.table_views.table, ada.user, made.headers["location"].removeprefix("/t/"))
        assert len(view.seats) == seats
        assert view.options["fates"] is view.options["residents"] is False, "a first game"


def test_a_first_game_is_marked_and_can_be_chosen(site: Site) -> None:
    browser = site.browser()
    usual, first = (browser.get(f"/new?game=atua&seats=2{query}").text for query in ("", "&options=first"))
    assert usual.count("For a first game: off.") == 2
    checked = 'name="option.residents" value="1" aria-describedby="option-residents" checked'
    assert checked in usual
    assert checked not in first
    assert '<option value="bot:beginner" selected>' in first
    assert re.search(r'name="seats" value="3"', browser.get("/new?game=atlandice&options=first").text)


def test_master_is_offered_where_a_net_was_learnt_for_the_seats(site: Site) -> None:
    browser = site.browser()
    two, three = (browser.get(f"/new?game=atlandice&seats={seats}").text for seats in (2, 3))
    assert 'value="bot:master"' in two
    assert "Master was trained" in two
    assert "master" not in three.lower()
    assert 'value="bot:expert"' in three


@pytest.mark.parametrize("file", sorted(Path(atoll.__file__).parent.glob("games/*/nets/*")), ids=lambda file: file.name)
def test_master_is_offered_for_each_net_that_comes_along(sqlite_url: str, file: Path) -> None:
    game = file.parts[-3]
    with site_at(sqlite_url, {game: atoll.games[game]}) as site:
        page = site.browser().get(f"/new?game={game}&seats={file.name.partition('_')[0]}").text
    assert 'value="bot:master"' in page
