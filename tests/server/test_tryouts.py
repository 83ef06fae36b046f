"""Trying out: a seat plays on privately from a guess, and learns nothing by it that it couldn't know."""

from __future__ import annotations

import html
import json
import random
import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

import atoll
from atoll.engine.languages import LANGUAGES
from atoll.server.domain.model import NewTable
from atoll.server.play.tryouts import MOST_TRIED, Tryout, TryoutStep
from atoll.server.presentation import texts
from atoll.testing.shares import give_shares

from .conftest import DEVICE, ME, Browser, Room, Site, refused, site_at
from .test_secrecy import NAMES, at_checkpoint, rewrite, twins

pytestmark = pytest.mark.anyio


async def played_on(room: Room, name: str, table: str, most: int, **values: Any) -> Tryout:
    """Try random choices of the seats that are asked, one after the other.

    Args:
        room: The server.
        name: The player.
        table: Id of the table.
        most: Largest number of choices.
        values: Fields of the first step.
    """
    rng = random.Random(3)
    view = await room.view(name, table)
    assert view.seat is not None
    trying, who = room.tables.tryouts, room.people[name]
    found = await trying.tryout(who, table, view.seat, TryoutStep(**values))
    for _ in range(most):
        if found.asked is None:
            break
        step = TryoutStep(found.sequence, found.guess, found.choices)
        found = await trying.tryout(who, table, view.seat, step, [rng.choice(found.legal)])
    return found


async def test_nothing_at_the_table_changes(room: Room) -> None:
    table = await room.table("toy", *NAMES)
    await room.play(table, *NAMES, most=6)
    name, before = await room.mover(table, *NAMES)
    found = await played_on(room, name, table, 12)
    assert {each.seat for each in found.tried} == {0, 1, 2}
    assert found.sequence == before.view_sequence
    for each in NAMES:
        await room.view(each, table)
    assert await room.view(name, table) == before
    assert await played_on(room, name, table, 12) == found


async def test_it_begins_with_what_the_seat_sees_and_goes_on_to_the_end(room: Room) -> None:
    table = await room.table("toy", *NAMES)
    name, view = await room.mover(table, *NAMES)
    start = await played_on(room, name, table, 0)
    assert view.view is not None and (start.asked, start.tried, start.choices) == (view.seat, (), ())
    assert {**start.view, "sequence": 0} == {**view.view, "sequence": 0}
    end = await played_on(room, name, table, MOST_TRIED)
    assert end.asked is None and end.scores is not None and end.legal == ()
    with refused("illegal"):
        step = TryoutStep(end.sequence, end.guess, [*end.choices, end.choices[0]])
        await room.tables.tryouts.tryout(room.people[name], table, end.seat, step)


async def test_what_is_tried_from_two_positions_that_look_the_same_is_the_same(room: Room) -> None:
    """Cards that the seat can't know make no difference, not to what it, the others or chance bring."""
    table, position = await at_checkpoint(room, 20)
    name, view = await room.mover(table, *NAMES)
    true = [await played_on(room, name, table, 25, guess=guess) for guess in range(3)]
    assert any(each.drawn for tried in true for each in tried.tried)
    assert len({msgspec.json.encode(each.view) for each in true}) > 1
    for twin in twins(position, view.seat):
        await rewrite(room, table, twin)
        assert [await played_on(room, name, table, 25, guess=guess) for guess in range(3)] == true


async def test_a_seat_that_knows_the_swapped_cards_would_see_a_difference(room: Room) -> None:
    """So the comparison above can fail."""
    table, position = await at_checkpoint(room, 20)
    name, view = await room.mover(table, *NAMES)
    true = await played_on(room, name, table, 0)
    hands = position["state"]["hands"]
    assert view.seat is not None and hands[view.seat]
    other = (view.seat + 1) % 3
    twin = next(each for each in twins(position, other, 1000) if each["state"]["hands"][view.seat] != hands[view.seat])
    await rewrite(room, table, twin)
    assert await played_on(room, name, table, 0) != true


async def test_its_draws_have_nothing_to_do_with_the_tables(room: Room) -> None:
    table, _ = await at_checkpoint(room, 20)
    name, _ = await room.mover(table, *NAMES)
    true = await played_on(room, name, table, 25)
    assert any(each.drawn for each in true.tried)
    live = await room.tables.executor._find(table)
    live.row.seed = "00" * 32
    assert await played_on(room, name, table, 25) == true


async def test_a_moment_that_is_past_can_be_tried_and_one_where_the_seat_was_not_asked_cannot(room: Room) -> None:
    table = await room.table("atacama", "Ada", "Bob")
    name, view = await room.mover(table, "Ada", "Bob")
    assert view.seat is not None and "try" in view.can
    other = "Bob" if name == "Ada" else "Ada"
    assert "try" not in (await room.view(other, table)).can
    first = view.view_sequence
    start = await played_on(room, name, table, 0)
    with refused("not_asked"):
        await room.tables.tryouts.tryout(room.people[other], table, 1 - view.seat)
    with refused("not_yours"):
        await room.tables.tryouts.tryout(room.people[other], table, view.seat)
    await room.play(table, "Ada", "Bob", most=5)
    assert await room.tables.tryouts.tryout(room.people[name], table, view.seat, TryoutStep(first)) == start
    with refused("no_moment"):
        await room.tables.tryouts.tryout(room.people[name], table, view.seat, TryoutStep(10**6))
    await room.play(table, "Ada", "Bob")
    with refused("over"):
        await room.tables.tryouts.tryout(room.people[name], table, view.seat, TryoutStep(first))


async def test_what_is_no_choice_is_refused(room: Room) -> None:
    table = await room.table("atacama", "Ada", "Bob", advice=False)
    name, view = await room.mover(table, "Ada", "Bob")
    assert view.seat is not None and view.turn is not None
    who, seat, at, legal = room.people[name], view.seat, view.view_sequence, view.turn.legal
    trying = room.tables.tryouts
    illegal = next(choice for choice in range(200) if choice not in legal)
    for choices, code in (
        ([illegal], "illegal"),
        ([10**9], "malformed"),
        (["nonsense"], "malformed"),
        ([legal[0]] * (MOST_TRIED + 1), "malformed"),
    ):
        with refused(code):
            await trying.tryout(who, table, seat, TryoutStep(at, 0, choices))
        with refused(code):
            await trying.tryout(who, table, seat, TryoutStep(at), choices)
    assert await trying.ahead(who, table, seat, TryoutStep(at), [illegal]) is None
    assert await trying.ahead(who, table, seat, TryoutStep(at), []) is None
    with refused("nothing"):
        await trying.without(who, table, seat, TryoutStep(at), legal[0])


# -- over HTTP -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with site_at(f"sqlite:///{tmp_path_factory.mktemp('trying')}/atoll.db", dict(atoll.games)) as site:
        yield site


def table_of(site: Site, browser: Browser, game: str) -> str:
    """A game at one device, of as few as it can be played by, but not alone."""
    seats = atoll.games[game].min_multiplayer_seats
    table: str = site.call(site.tables.table_setup.create, browser.user, NewTable(game, (ME, *[DEVICE] * (seats - 1))))
    site.call(give_shares, site.tables, table)
    return table


def data_of(page: str) -> dict[str, Any]:
    found = re.search(r'id="page-data"[^>]*>(.*?)</script>', page, re.DOTALL)
    assert found is not None, page[:500]
    data: dict[str, Any] = json.loads(found[1])
    return data


@pytest.mark.parametrize("game", list(atoll.games))
def test_it_is_a_page_without_scripts_in_every_game(shared: Site, game: str) -> None:
    """From the table's link by forms and links alone, with previews and reasons on the way."""
    ada = shared.browser("Ada")
    language = LANGUAGES[list(atoll.games).index(game) % len(LANGUAGES)]
    spoken = {"accept-language": language}
    table = table_of(shared, ada, game)
    seat = shared.call(shared.tables.table_views.table, ada.user, table).seat
    link = re.search(r'id="page-try" href="([^"]+)"', ada.get(f"/t/{table}?seat={seat}", headers=spoken).text)
    assert link is not None
    led = ada.get(html.unescape(link[1]), headers=spoken)
    assert led.status_code == 303
    rng, visited = random.Random(4), [led.headers["location"]]
    for _ in range(8):
        page = ada.get(visited[-1], headers=spoken)
        assert page.status_code == 200
        assert texts.site(language).text("try.banner") in html.unescape(page.text)
        data = data_of(page.text)
        assert data["here"] == visited[-1]
        if data["question"] is None:
            break
        legal = [row[0] for row in data["question"]["legal"]]
        choice = rng.choice(legal)
        asked = {"seat": str(seat), "step": data["step"]}
        ahead = ada.get(f"/t/{table}/try/preview", params={**asked, "choices": str(choice)}, headers=spoken)
        assert "page-regions" in ahead.json()["html"]
        why = ada.get(f"/t/{table}/try/why", params={**asked, "choice": "nonsense"}, headers=spoken)
        assert why.json()["text"]
        led = ada.post(f"/t/{table}/try/choose", {**asked, "choices": str(choice)}, headers=spoken)
        assert led.status_code == 303, led.text
        visited.append(led.headers["location"])
    back = re.search(r'id="page-take-back" data-turn href="([^"]+)"', ada.get(visited[-1], headers=spoken).text)
    assert back is not None and html.unescape(back[1]) in visited


def test_what_is_guessed_is_marked_in_the_picture(shared: Site) -> None:
    """They are all cards of another seat's hand and the drawn ones, but nothing that was there before."""
    ada = shared.browser("Ada")
    table = table_of(shared, ada, "raiatea")
    seat = shared.call(shared.tables.table_views.table, ada.user, table).seat
    rng, address = random.Random(7), ada.get(f"/t/{table}/try?seat={seat}").headers["location"]
    start = data_of(ada.get(address).text)
    assert start["unsure"] == [] and start["question"]
    known, marked = _tags(ada.get(address).text), 0
    assert known
    for _ in range(20):
        page = ada.get(address).text
        data, tags = data_of(page), _tags(page)
        if data["question"] is None:
            break
        unsure = set(data["unsure"])
        marked += bool(unsure)
        asked = data["stamp"] and re.search(r'id="page-prompt"[^>]*><strong>', page)
        if asked:
            hand = page.partition('class="own"')[2].partition('id="page-seats"')[0]
            assert {id for id in _tags(hand) if id.startswith("hand-")} <= unsure, "another's hand"
        else:
            assert not any(known.get(id) == tags[id] for id in unsure if id in tags), "it stood there before"
        step = {"seat": str(seat), "step": data["step"], "choices": str(rng.choice(data["question"]["legal"])[0])}
        address = ada.post(f"/t/{table}/try/choose", step).headers["location"]
    assert marked, "nothing is marked"


def _tags(page: str) -> dict[str, str]:
    """The elements of a page by their ids."""
    return {
        re.findall(r'id="([^"]*)"', tag)[0]: tag for tag in re.findall(r'<[a-z]+ [^<>]*class="element[^<>]*>', page)
    }


@pytest.mark.parametrize("step", ["x", "-1", "1.-1", "1..2", "9" * 5000, "0.0.²", "1." * 3000, ".", "0.0.<script>"])
def test_no_address_breaks_it(shared: Site, step: str) -> None:
    ada = shared.browser("Ada")
    table = table_of(shared, ada, "atacama")
    seat = str(shared.call(shared.tables.table_views.table, ada.user, table).seat)
    given = {"seat": seat, "step": step}
    for path in ("", "/preview", "/why"):
        answer = ada.get(f"/t/{table}/try{path}", params=given)
        assert answer.status_code == 422 and "<script>x" not in answer.text, path
    for path in ("choose", "undo"):
        assert ada.post(f"/t/{table}/try/{path}", {**given, "choices": "0", "choice": "0"}).status_code == 422


def test_programs_can_try_too_and_not_too_often(sqlite_url: str) -> None:
    with site_at(sqlite_url, limits={"replay": "3/minute"}) as site:
        ada = site.program("Ada")
        table: str = site.call(site.tables.table_setup.create, ada.user, NewTable("atacama", (ME, DEVICE)))
        site.call(give_shares, site.tables, table)
        seat = site.call(site.tables.table_views.table, ada.user, table).seat
        path = f"/tables/{table}/seats/{seat}/try"
        start = ada.ask("POST", path, {}).json()
        text = atoll.games["atacama"].text(start["legal"][0])
        by_text = ada.ask("POST", path, {"sequence": start["sequence"], "choices": [text]})
        assert by_text.json()["choices"] == start["legal"][:1]
        assert ada.ask("POST", path, {"guess": -1}).status_code == 422
        assert ada.ask("POST", path, {"guess": 1}).json()["guess"] == 1
        assert ada.ask("POST", path, {}).status_code == 429
