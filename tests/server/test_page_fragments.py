"""Fragments of pages: a page that names what it has gets the rest, whole and right, whatever it names."""

import random
import re
from collections.abc import Iterator
from urllib.parse import urljoin

import pytest
from markupsafe import escape

import atoll
from atoll.server.domain.model import NewTable, SeatPlan
from atoll.server.http.pages.context import CSRF, KEY
from atoll.testing.fragments import as_header, completed, digests
from atoll.testing.shares import give_shares

from .conftest import Browser, Site, site_at

FLEETING = re.compile(r'(nonce|value)="[\w-]{12,}"')
LOADED = re.compile(r"""<(?:link rel="(?:stylesheet|icon)" [^>]*?href|script [^>]*?src)="([^"]+)\"""")
FIRST_LOAD = 100 * 1024  # bytes
STEPS = 24


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The application with all games."""
    with site_at(f"sqlite:///{tmp_path_factory.mktemp('blocks')}/atoll.db", atoll.games) as found:
        yield found


def gathered(site: Site, game: str, chooser: random.Random) -> tuple[str, list[Browser]]:
    """A table with people alone, and options as they come; its people's browsers, and a spectator's."""
    seats = max(2, atoll.games[game].seat_counts[0])
    people = [site.browser(f"P{seat}") for seat in range(seats)]
    options = chooser.choice(atoll.games[game].option_sets(seats))
    plans = (SeatPlan("me"), *[SeatPlan("open")] * (seats - 1))
    gathering = site.tables.table_setup
    table = site.call(gathering.create, people[0].user, NewTable(game, plans, options, visibility="lobby"))
    for seat, person in enumerate(people):
        if seat:
            site.call(gathering.join, person.user, table, seat)
    site.call(give_shares, site.tables, table)
    return table, [*people, site.browser()]


def step(site: Site, table: str, people: list[Browser], chooser: random.Random) -> None:
    """A random click of somebody who can do something."""
    for person in people:
        view = site.call(site.tables.table_views.table, person.user, table)
        turn = view.turn
        if turn is not None and turn.can_confirm and chooser.random() < 0.5:
            site.call(site.tables.turns.confirm, person.user, table, view.seat, turn.stamp)
            return
        if turn is not None and turn.legal:
            choices = [chooser.choice(turn.legal)]
            site.call(site.tables.turns.choose, person.user, table, view.seat, choices, turn.stamp)
            return


def fragment(browser: Browser, table: str, has: str = "") -> str:
    answer = browser.get(f"/t/{table}", headers={"x-fragments": has})
    assert answer.status_code == 200
    text: str = answer.text
    return text


def lasting(page: str) -> str:
    return FLEETING.sub("", page)


@pytest.mark.parametrize("game", sorted(atoll.games))
def test_what_is_sent_completes_every_page_to_what_it_would_be_anew(games: Site, game: str) -> None:
    """People and a spectator bring their pages up to date at moments of their own."""
    chooser = random.Random(game)
    table, browsers = gathered(games, game, chooser)
    held = dict.fromkeys(range(len(browsers)), "")
    sent = whole = 0
    for _ in range(STEPS):
        for _ in range(chooser.choice((1, 1, 3))):
            step(games, table, browsers[:-1], chooser)
        for at, browser in enumerate(browsers):
            if chooser.random() < 0.3:
                continue
            anew = fragment(browser, table)
            new = fragment(browser, table, ".".join(digests(held[at])))
            if held[at]:
                sent, whole = sent + len(new), whole + len(anew)
            held[at] = completed(new, held[at])
            assert lasting(held[at]) == lasting(anew)
    assert sent < 0.6 * whole


def test_the_answer_to_a_command_lacks_what_the_page_has(games: Site) -> None:
    chooser = random.Random(1)
    table, browsers = gathered(games, "raiatea", chooser)
    for _ in range(3):
        step(games, table, browsers[:-1], chooser)
    ada = browsers[0]
    page = fragment(ada, table)
    headers = as_header(page)
    answer = ada.post(f"/t/{table}/say", {"text": "hello", "key": "k1"}, headers=headers)
    assert answer.status_code == 200 and len(answer.text) < len(page) / 3
    assert lasting(completed(answer.text, page)) == lasting(fragment(ada, table))


def test_whoever_names_what_others_have_gets_nothing_of_theirs(games: Site) -> None:
    """Omitted fragments are always the reader's own: with the rest they make the reader's own page."""
    chooser = random.Random(2)
    table, browsers = gathered(games, "wutaki", chooser)
    for _ in range(12):
        step(games, table, browsers[:-1], chooser)
    pages = [fragment(browser, table) for browser in browsers]
    theirs = ".".join(digest for page in pages[:-1] for digest in digests(page))
    spectator = pages[-1]
    assert set(digests(pages[0])) - set(digests(spectator)), "nothing is Ada's alone"
    sent = fragment(browsers[-1], table, theirs)
    assert len(sent) < len(spectator)
    assert lasting(completed(sent, spectator)) == lasting(spectator)


@pytest.mark.parametrize(
    "has",
    ["x", "=", "." * 5000, "AAAAAAAA", "A" * 20_000, "<script>", '"><img>', "é" * 8, "AAAAAAAA.BBBBBBBB," * 900],
    ids=["short", "sign", "dots", "unknown", "long", "script", "markup", "accents", "many"],
)
def test_a_page_that_says_nonsense_gets_all(games: Site, has: str) -> None:
    table, browsers = gathered(games, "atacama", random.Random(3))
    answer = browsers[0].get(f"/t/{table}", headers={"x-fragments": has.encode()})
    assert answer.status_code == 200
    assert lasting(answer.text) == lasting(fragment(browsers[0], table))


def test_tokens_are_the_pages_own_and_no_change(games: Site) -> None:
    """Cached fragments get the page's own tokens, too. Texts by users stay unchanged."""
    table, browsers = gathered(games, "atacama", random.Random(6))
    player, *others, spectator = browsers
    games.call(games.tables.chat.say, player.user, table, str(CSRF + KEY))
    one, other = fragment(player, table), fragment(player, table)
    for page in (one, other, *(fragment(each, table) for each in others)):
        assert CSRF not in page and KEY not in page and str(escape(str(CSRF + KEY))) in page
        for name in ("csrf", "key"):
            assert len(set(re.findall(f'name="{name}" value="([^"]{{16,}})"', page))) == 1
    assert one != other and digests(one) == digests(other)
    assert FLEETING.search(fragment(spectator, table))


def test_without_scripts_a_page_is_whole(games: Site) -> None:
    table, browsers = gathered(games, "atacama", random.Random(4))
    page = fragment(browsers[0], table)
    answer = browsers[0].get(f"/t/{table}")
    assert set(digests(page)) <= set(digests(answer.text))
    assert completed(answer.text, "") == answer.text


def test_a_past_moment_and_a_preview_lack_what_the_page_has(games: Site) -> None:
    chooser = random.Random(5)
    table, browsers = gathered(games, "atacama", chooser)
    mover, turn = browsers[0], None
    while turn is None or not turn.legal or games.call(games.tables.table_views.table, None, table).view_sequence < 3:
        step(games, table, browsers[:-1], chooser)
        turns = [(each, games.call(games.tables.table_views.table, each.user, table).turn) for each in browsers[:-1]]
        mover, turn = next((each, found) for each, found in turns if found)
    headers = as_header(fragment(mover, table))
    moment = f"/t/{table}/moment?at=2"
    assert len(mover.get(moment, headers=headers).text) < len(mover.get(moment).text)
    preview = f"/t/{table}/preview?choices={turn.legal[0]}"
    assert len(mover.get(preview, headers=headers).json()["html"]) < len(mover.get(preview).json()["html"]) * 0.6


@pytest.mark.parametrize("game", sorted(atoll.games))
def test_the_first_load_of_a_table_is_small(games: Site, game: str) -> None:
    """In the middle of a game: the page, its style, its script and its icons, as they are sent."""
    chooser = random.Random(game)
    table, browsers = gathered(games, game, chooser)
    for _ in range(STEPS):
        step(games, table, browsers[:-1], chooser)
    sizes: dict[str, int] = {}
    wanted = [f"/t/{table}"]
    while wanted:
        address = wanted.pop()
        if address in sizes:
            continue
        answer = browsers[0].get(address, headers={"accept-encoding": "gzip"})
        assert answer.status_code == 200, address
        sizes[address] = int(answer.headers["content-length"])
        wanted += [urljoin(address, each).partition("#")[0] for each in LOADED.findall(answer.text)]
    own = f"/static/games/{game}"
    assert sizes.keys() == {
        f"/t/{table}",
        f"{own}/page.js",
        f"{own}/page.css",
        "/static/contrast.css",
        "/static/atoll.svg",
    }
    assert sum(sizes.values()) < FIRST_LOAD, sizes
