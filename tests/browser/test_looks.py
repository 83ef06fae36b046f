"""Layout and accessibility of pages: axe, overlaps, clipping, sideways scrolling, small elements."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import atoll
from atoll.server.domain.model import Login
from atoll.testing.live_server import LiveServer, serving
from tests.browser.axe import COLOURS, violations
from tests.browser.conftest import NewPage

GAMES = [(id, atoll.games[id].seat_counts[-1]) for id in atoll.games]
PROBLEMS = Path(__file__).with_name("problems.js").read_text("utf-8").replace("export function", "function")
SIZES = {"phone": (390, 844), "wide": (1400, 900)}
NARROW = (390, 360)
# Loads the pictures that are shown, which else come when they are scrolled to; it fails if one can't be drawn.
LOADED = """() => {
    const shown = [...document.querySelectorAll(".rules-picture img")].filter((img) => img.checkVisibility());
    return Promise.all(shown.map((img) => { img.loading = "eager"; return img.decode(); })).then(() => null);
}"""


class World:
    """A person with a table of each kind, so that every page has something to show."""

    def __init__(self, live: LiveServer) -> None:
        self.live = live
        self.login = live.guest("Ada Lovelace", confirm_single=False)
        self.gathering = live.set_table(self.login, "atacama", ["me", "open"])
        self.running = live.set_table(self.login, "atacama", ["me", "device"], {"setup": "enhanced", "tactic": True})
        self.over = live.set_table(self.login, "atacama", ["me", "device"])
        self.studied = live.set_table(self.login, "atacama", ["me", "device", "device", "device"])
        self.advised = live.set_table(self.login, "atacama", ["me", "device"], advice=True)
        play(live, self.login, self.running, 9)
        play(live, self.login, self.over, 60)
        play(live, self.login, self.studied, 90)
        live.analyzed(self.login, self.studied)
        seat = live.view(self.login, self.advised).seat
        live.ask(live.tables.bot_analysis.advise(self.login.user, self.advised, seat or 0))
        self.imported = live.import_random_game("atacama")

    def paths(self) -> dict[str, str]:
        """Every page by name."""
        return {
            "start": "/",
            "lobby": "/lobby",
            "learn": "/learn",
            "mine": "/mine",
            "new": "/new?game=atacama",
            "settings": "/settings",
            "notices": "/settings/notices",
            "one game's tables": "/lobby?game=atua",
            "puzzles": "/puzzles/atacama",
            "verify": "/verify",
            "about": "/about",
            "privacy": "/privacy",
            "sign in": "/sign-in",
            "rules": "/rules/atacama",
            "lessons": "/learn/atacama",
            "lesson": "/learn/atacama/first?step=6",
            "lesson, a wrong choice": "/learn/atacama/first?step=4&choice=place+r9c9+base&wrong=2",
            "join": "/join",
            "device": "/device",
            "account": "/account",
            "missing": "/nowhere",
            "gathering": f"/t/{self.gathering}",
            "table": f"/t/{self.running}",
            "score": f"/t/{self.over}",
            "tryout": f"/t/{self.running}/try",
            "replay": f"/t/{self.over}/replay?at=9",
            "fairness": f"/t/{self.over}/fairness",
            "imported": f"/t/{self.imported}/fairness",
            "advice": f"/t/{self.advised}",
            "analysis": f"/t/{self.studied}",
            "analysis in replay": f"/t/{self.studied}/replay?at=9",
        }


def play(live: LiveServer, login: Login, table: str, choices: int, seed: int = 1) -> None:
    """Make random choices at a table whose seats are all this person's."""
    chooser = random.Random(seed)
    for _ in range(choices):
        view = live.view(login, table)
        if view.status != "running":
            return
        asked = next(info.seat for info in view.seats if info.to_move and not info.ready)
        turn = live.view(login, table, asked).turn
        if turn is None:
            return
        if turn.can_confirm:
            live.ask(live.tables.turns.confirm(login.user, table, asked, turn.stamp))
        else:
            live.ask(live.tables.turns.choose(login.user, table, asked, [chooser.choice(turn.legal)], turn.stamp))


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server with short analyses, whose findings are irrelevant here."""
    with serving(tmp_path_factory.mktemp("looks"), analysis_seconds=0.5) as server:
        yield server


@pytest.fixture(scope="module")
def world(live: LiveServer) -> World:
    return World(live)


def visit(world: World, page: Page, path: str) -> None:
    world.live.visit(page, world.login, path)
    page.evaluate(
        "() => document.querySelectorAll('main details:not([data-closes])').forEach((fold) => { fold.open = true; })"
    )
    page.wait_for_timeout(100)


@pytest.fixture(params=[("en-GB", "light"), ("de-DE", "dark")])
def reader(request: pytest.FixtureRequest, new_page: NewPage) -> Page:
    """A page for each language, and for each theme."""
    language, theme = request.param
    return new_page(locale=language, color_scheme=theme, reduced_motion="reduce")


def test_axe_finds_nothing_in_open_dialogs(world: World, reader: Page) -> None:
    table = world.live.set_table(world.login, "atacama", ["me", "device"], {"setup": "enhanced", "tactic": True})
    visit(world, reader, f"/t/{table}")
    for opener in ("[aria-haspopup=dialog]", "[data-keys]"):
        if opener == "[data-keys]":
            reader.locator("[for=paper-about]").click()
        reader.locator(opener).first.click()
        reader.locator("dialog[open]").wait_for()
        assert not violations(reader, within="dialog[open]")
        reader.keyboard.press("Escape")


@pytest.mark.parametrize(("language", "theme", "size"), [("en-GB", "dark", "wide"), ("de-DE", "light", "phone")])
def test_the_rules_of_all_games_fit_and_axe_finds_nothing(
    live: LiveServer, new_page: NewPage, language: str, theme: str, size: str
) -> None:
    """All games fit in German on a phone, which has the least room, and some of them in a wide window.

    axe checks each game once.
    """
    page = new_page(**_options(size, language), color_scheme=theme)
    found = []
    wide = [game for game, _ in GAMES[1::2]]
    for game in wide if size == "wide" else atoll.games:
        page.goto(f"{live.url}/rules/{game}")
        page.evaluate(LOADED)
        if (game in wide) == (size == "wide"):
            found += [f"{game}: {each}" for each in violations(page)]
        for width in sorted({SIZES[size][0], *NARROW}, reverse=True):
            page.set_viewport_size({"width": width, "height": SIZES[size][1]})
            found += [
                f"{game}: {width} px: {each}" for check in ("sideways", "scrolls") for each in broken(page, check)
            ]
        if size == "wide":
            continue  # prints what a phone does
        page.emulate_media(media="print", color_scheme="dark")
        displays = page.locator(".rules-section").evaluate_all("(all) => all.map((e) => getComputedStyle(e).display)")
        printed, pictures = page.locator(".rules-picture").evaluate_all(
            """(all) => { const drawn = (each) => each.checkVisibility();
              const shown = all.filter(drawn).map((each) => [...each.querySelectorAll("img")].filter(drawn));
              return [shown.flat().map((img) => img.src), shown.length]; }"""
        )
        assert 0 < len(printed) == pictures
        found += [f"{game}: printed dark, {each}" for each in printed if "dark" in each]
        found += [f"{game}: printed, a {each} lies on what follows it" for each in {*displays} - {"block"}]
        page.emulate_media(media="screen", color_scheme="light")
    assert not found, "\n".join(found)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("language", "size"), [("en-GB", "wide"), ("de-DE", "phone")])
def test_pages_fit_and_axe_finds_nothing(world: World, new_page: NewPage, language: str, theme: str, size: str) -> None:
    """Each page in both languages, sizes and themes: every other one is dark when wide, the rest on a phone.

    German words on a phone have the least room. Axe looks at each page once.
    """
    page = new_page(**_options(size, language), color_scheme=theme)
    found = []
    for at, (name, path) in enumerate(world.paths().items()):
        if (at % 2 == 0) != ((size == "wide") == (theme == "light")):
            continue
        visit(world, page, path)
        found += [f"{name}: {problem}" for problem in problems(page, size)]
        if (at % 4 < 2) == (size == "wide"):
            found += [f"{name}: {each}" for each in violations(page)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(("game", "seats"), GAMES)
@pytest.mark.parametrize("size", SIZES)
def test_tables_of_all_games_fit_and_axe_finds_nothing(
    live: LiveServer, new_page: NewPage, game: str, seats: int, size: str
) -> None:
    """In German, whose words are longer; at the start, early and late in a game.

    Axe looks at a wide table once in each theme.
    """
    page = _sized(new_page, size, "de-DE")
    login = live.guest("Maximiliane Wolkenstein", confirm_single=False)
    table = live.set_table(login, game, ["me", *["device"] * (seats - 1)])
    found = []
    for moves in (0, 12, 90):
        play(live, login, table, moves, seed=moves)
        view = live.view(login, table)
        asked = next((info.seat for info in view.seats if info.to_move), 0)
        live.visit(page, login, f"/t/{table}?seat={asked}")
        page.wait_for_timeout(100)
        found += [f"after {moves}: {problem}" for problem in problems(page, size)]
        lines = page.locator(".seat-notes > .note:not(.clock)").evaluate_all(
            "(all) => all.map((e) => e.offsetHeight / parseFloat(getComputedStyle(e).fontSize))"
        )
        assert lines and max(lines) < 2, "what is said of a seat stands in one line"
        if size == "wide" and moves == 12:
            found += [f"light: {each}" for each in violations(page)]
            page.emulate_media(color_scheme="dark")
            found += [f"dark: {each}" for each in violations(page, only=COLOURS)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("game", atoll.games)
def test_seats_on_a_phone_take_the_room_they_have(live: LiveServer, new_page: NewPage, game: str) -> None:
    login = live.guest("Ada", confirm_single=False)
    fewest, most = atoll.games[game].seat_counts[0], atoll.games[game].seat_counts[-1]
    signs, page = {}, new_page(**_options("phone", "de-DE"))
    shown = page.locator("#page-seats")
    for seats in (fewest, most):
        table = live.set_table(login, game, ["me", *["device"] * (seats - 1)])
        play(live, login, table, 12)
        live.visit(page, login, f"/t/{table}?seat=0")
        page.locator("label[data-tab=seats]").click()
        assert shown.evaluate("(e) => e.scrollHeight <= e.clientHeight")
        signs[seats] = page.locator(".seats .symbol").first.evaluate("(e) => e.clientWidth")
        assert not broken(page, "clipped") and not broken(page, "overlap")
    assert signs[fewest] > 20 and signs[fewest] >= signs[most]
    page.set_viewport_size({"width": 1400, "height": 900})
    expect(shown).not_to_have_attribute("data-room", re.compile("."))


@pytest.mark.parametrize("game", ["atua", "raiatea", "wutaki"])
def test_however_much_the_seats_have_a_low_phone_shows_all_of_it(
    live: LiveServer, new_page: NewPage, game: str
) -> None:
    """Late in a game with the most seats, a seat's goods fill the lines next to its name if necessary."""
    login = live.guest("Maximiliane Wolkenstein", confirm_single=False)
    table = live.set_table(login, game, ["me", *["device"] * (atoll.games[game].seat_counts[-1] - 1)])
    play(live, login, table, 200, seed=3)
    page = new_page(**{**_options("phone", "de-DE"), "viewport": {"width": 390, "height": 664}})
    live.visit(page, login, f"/t/{table}?seat=0")
    page.locator("label[data-tab=seats]").click()
    seats = page.locator("#page-seats")
    assert seats.evaluate("(e) => e.scrollHeight <= e.clientHeight")
    assert not [problem for check in ("clipped", "overlap", "sideways", "small") for problem in broken(page, check)]
    page.set_viewport_size({"width": 390, "height": 1200})
    expect(seats).not_to_have_attribute("data-crowded", re.compile(""))


def test_cards_to_choose_from_are_whole_on_a_low_phone(live: LiveServer, new_page: NewPage) -> None:
    """In Raiatea's first decision, a player keeps two of five rituals."""
    login = live.guest("Ada")
    table = live.set_table(login, "raiatea", ["me", *["device"] * 4])
    page = new_page(**{**_options("phone", "de-DE"), "viewport": {"width": 390, "height": 664}})
    live.visit(page, login, f"/t/{table}?seat=0")
    cards = page.locator("#region-choose .drawings")
    assert cards.locator("svg").count() > 2
    assert cards.evaluate("(e) => e.scrollHeight <= e.clientHeight")
    assert not [problem for check in ("clipped", "overlap", "small") for problem in broken(page, check)]


def test_two_players_leave_the_board_of_a_low_phone_all_its_width(live: LiveServer, new_page: NewPage) -> None:
    login = live.guest("Ada", confirm_single=False)
    page = new_page(**{**_options("phone", "de-DE"), "viewport": {"width": 390, "height": 664}})
    live.visit(page, login, f"/t/{live.set_table(login, 'atacama', ['me', 'device'])}?seat=0")
    drawn = page.locator("#drawing-board").evaluate("(e) => e.getScreenCTM().a * e.viewBox.baseVal.width")
    assert drawn > 380
    assert not [problem for check in ("clipped", "overlap", "small") for problem in broken(page, check)]


def test_seats_on_a_phone_are_said_in_words_where_these_fit(live: LiveServer, new_page: NewPage) -> None:
    login = live.guest("Ada", confirm_single=False)
    table = live.set_table(login, "atlandice", ["me", "device"])
    page = new_page(**_options("phone", "en-GB"))
    live.visit(page, login, f"/t/{table}?seat=0")
    page.locator("label[data-tab=seats]").click()
    seats = page.locator("#page-seats")
    label = page.locator("#seat-1 .fact-label", has_text="Books")
    assert label.bounding_box()["width"] > 20  # type: ignore[index]
    expect(seats).to_have_attribute("data-room", re.compile("words|pairs"))
    page.set_viewport_size({"width": 390, "height": 480})
    expect(seats).not_to_have_attribute("data-room", re.compile("words|pairs"))  # a resize is heard a moment later
    assert label.bounding_box()["width"] <= 1  # type: ignore[index]


def _sized(new_page: NewPage, size: str, language: str) -> Page:
    return new_page(**_options(size, language))


def _options(size: str, language: str) -> dict[str, Any]:
    width, height = SIZES[size]
    phone = size == "phone"
    return {
        "viewport": {"width": width, "height": height},
        "locale": language,
        "is_mobile": phone,
        "has_touch": phone,
        "reduced_motion": "reduce",
    }


def problems(page: Page, size: str) -> list[str]:
    """Return the faults of the page's layout as texts."""
    checks = ["sideways", "overlap", "clipped", "outside", *(["small", "targets"] if size == "phone" else [])]
    return [f"{check}: {each}" for check in checks for each in broken(page, check)[:5]]


def broken(page: Page, check: str) -> list[str]:
    """Return the findings of a check of problems.js."""
    result: list[str] = page.evaluate(f"() => {{\n{PROBLEMS}\nreturn {check}();\n}}")
    return result


PLANTED = {
    "sideways": "<div style='width: 3000px; height: 1px'></div>",
    "scrolls": "<div class='scroller' style='overflow-x: auto'><div style='width: 3000px'>a table</div></div>",
    "overlap": "<p>one</p><p style='margin-top: -20px'>two</p>",
    "clipped": "<div style='width: 40px; overflow: hidden; white-space: nowrap'>far too long a text</div>",
    "outside": "<svg class='drawing' width='50' height='20'><text y='15'>far too long</text></svg>",
    "small": "<svg class='drawing' width='50' height='50' viewBox='0 0 500 500'><text y='50'>tiny</text></svg>",
    "targets": "<button style='width: 10px; height: 10px; padding: 0'></button>",
}


@pytest.mark.parametrize("check", PLANTED)
def test_each_check_finds_a_planted_problem(page: Page, check: str) -> None:
    page.set_content(f"<main>{PLANTED[check]}</main>")
    assert broken(page, check)
    page.set_content(
        "<main><p>one</p><p>two</p><button style='font: 16px serif; padding: 9px'>A good button</button></main>"
    )
    assert not broken(page, check)


def test_a_games_style_changes_nothing_of_the_pages_own_texts(live: LiveServer, new_page: NewPage) -> None:
    """The classes of a game's drawings may be called as those of pages, and must not reach them."""
    page, found = new_page(), {}
    sample = """() => Object.fromEntries(["small", "number", "count", "who", "sign", "note"].map((name) => {
        const own = document.createElement("span");
        own.className = name;
        document.getElementById("page-aside").append(own);
        const { fontSize, fontWeight, fontFamily, textAlign } = getComputedStyle(own);
        return [name, [fontSize, fontWeight, fontFamily, textAlign].join()];
    }))"""
    for game, seats in GAMES:
        login = live.guest("Ada")
        table = live.set_table(login, game, ["me", *["device"] * (seats - 1)])
        live.visit(page, login, f"/t/{table}?seat=0")
        found[game] = page.evaluate(sample)
    plain = found.pop("atua")
    for game, styles in found.items():
        assert styles == plain, game
