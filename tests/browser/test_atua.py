"""Atua's cards by hand: dragged, turned, placed, refused with a reason; by mouse, touch and keyboard."""

from __future__ import annotations

import random
from copy import deepcopy
from math import cos, radians, sin
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from atoll.games.atua import GAME
from atoll.server.domain.model import Login
from atoll.testing.browser import data, number_in, wait_until
from atoll.testing.live_server import LiveServer
from tests.browser.conftest import NewPage
from tests.browser.live import fetched, show
from tests.browser.test_looks import play
from tests.games.atua.reference import NEIGHBORS, Print, SlowIsland
from tests.games.atua.test_geometry import PRINTS, slow
from tests.games.atua.test_picture import held

FIRST_GAME = {"residents": False, "fates": False, "start_player": "seat_1"}


@pytest.fixture
def table(live: LiveServer, page: Page) -> str:
    """A first game against a bot; the own seat begins."""
    return open_table(live, page, live.guest("Ada", confirm_single=False))


def open_table(live: LiveServer, page: Page, login: Login, **options: Any) -> str:
    found = live.set_table(login, "atua", ["me", "bot"], {**FIRST_GAME, **options})
    live.visit(page, login, f"/t/{found}")
    expect(page.locator(".row-card.legal")).to_have_count(4)
    return found


def staged(page: Page) -> str:
    """Return the prompt of the open turn."""
    return page.locator("#page-prompt").inner_text()


def legal(page: Page) -> list[str]:
    return [row[1] for row in (data(page)["question"] or {"legal": []})["legal"]]


def center(page: Page, selector: str) -> tuple[float, float]:
    box = page.locator(selector).first.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def island_point(page: Page, x: float, y: float) -> tuple[float, float]:
    """Return the position of a point of the lattice on the screen."""
    found: list[float] = page.evaluate(
        """([x, y]) => {
            const d = document.getElementById("drawing-island");
            const h = JSON.parse(document.getElementById("atua-hold").dataset.hold);
            const p = new DOMPoint((x - h.left) * h.unit, (y - h.top) * h.unit).matrixTransform(d.getScreenCTM());
            return [p.x, p.y];
        }""",
        [x, y],
    )
    return found[0], found[1]


def ghost_at(page: Page, text: str) -> None:
    """Move the card to a place by its buttons."""
    _, x, y, rot = text.split()
    wanted = (int(x), int(y), int(rot))
    for _ in range(400):
        at = ghost(page)
        if at == wanted:
            return
        if at[2] != wanted[2]:
            page.keyboard.press("r")
        elif at[0] != wanted[0]:
            page.locator(".atua-tools button").nth(2 if at[0] > wanted[0] else 5).click()
        else:
            page.locator(".atua-tools button").nth(3 if at[1] > wanted[1] else 4).click()
    raise AssertionError(f"the card stays at {ghost(page)}")


def ghost(page: Page) -> tuple[int, int, int]:
    """Return the position of the floating card: x, y, rot."""
    found: list[int] = page.evaluate(
        """() => {
            const h = JSON.parse(document.getElementById("atua-hold").dataset.hold);
            const g = document.querySelector(".atua-over .ghost");
            const [x, y] = g.getAttribute("transform").match(/-?[\\d.]+/g).map(Number);
            return [Math.round(x / h.unit + h.left), Math.round(y / h.unit + h.top), Number(g.dataset.rot)];
        }"""
    )
    return found[0], found[1], found[2]


def outcomes(page: Page) -> list[dict[str, Any]]:
    """Return the changes by each legal placement, in the order of the legal choices."""
    found: list[dict[str, Any]] = page.evaluate(
        """() => {
            const { outcomes, outcomeOf } = JSON.parse(document.getElementById("atua-hold").dataset.hold);
            return outcomeOf.map((number) => outcomes[number]);
        }"""
    )
    return found


def beach_card(page: Page) -> Any:
    """A card with beach in the row that can be taken, if there is one."""
    return page.locator(".row-card.legal:has(.sand)").first


def test_a_card_dragged_from_the_row_is_taken_and_floats_where_it_is_dropped(page: Page, table: str) -> None:
    page.mouse.move(*center(page, ".row-card.legal >> nth=1"))
    page.mouse.down()
    wanted = center(page, "#drawing-island")
    page.mouse.move(*wanted, steps=6)
    expect(page.locator(".atua-tools")).to_be_visible()
    page.mouse.up()
    assert all(text.startswith("place ") for text in legal(page))
    x, y, rot = ghost(page)
    assert rot == 0
    centre_x, centre_y = island_point(page, x + 3, y + 3)
    assert abs(centre_x - wanted[0]) < 40
    assert abs(centre_y - wanted[1]) < 40
    expect(page.locator(".row-card.held")).to_have_count(1)


def pick_up(page: Page, slot: int = 0) -> None:
    page.locator(".row-card.legal").nth(slot).click()
    expect(page.locator(".atua-tools")).to_be_visible()


def test_the_best_place_comes_first_and_the_next_ones_after_it(page: Page, table: str) -> None:
    pick_up(page)
    gains = [outcome["gain"] for outcome in outcomes(page)]
    choices = legal(page)
    assert len(gains) == len(choices)
    seen = []
    for _ in range(5):
        x, y, rot = ghost(page)
        seen.append(gains[choices.index(f"place {x} {y} {rot}")])
        page.get_by_role("button", name="Next fitting place").click()
    assert seen[0] == max(gains)
    assert seen == sorted(seen, reverse=True)
    rot = ghost(page)[2]
    assert page.locator(".atua-over .spots circle").count() == sum(text.endswith(f" {rot}") for text in choices)


def test_a_fitting_card_glows_and_is_placed(page: Page, table: str) -> None:
    pick_up(page)
    wanted = legal(page)[0]
    ghost_at(page, wanted)
    expect(page.locator(".atua-over .ghost.fits")).to_have_count(1)
    expect(page.locator(".atua-over .strike").first).to_be_attached()
    expect(page.locator("#page-regions .placed.arriving")).to_have_count(1)
    page.get_by_role("button", name="Place", exact=True).click()
    expect(page.locator("#page-confirm")).to_be_visible()
    expect(page.locator(".atua-tools")).to_have_count(0)
    expect(page.locator(".atua-over.empty")).to_have_count(1)
    assert page.locator(".placed").count() == 2


def test_what_a_place_would_change_is_told_before(page: Page, table: str) -> None:
    """In the bar at once, and on the page, where numbers show their difference."""
    pick_up(page)
    choices = legal(page)
    for choice, outcome in list(zip(choices, outcomes(page), strict=True))[:: max(1, len(choices) // 6)]:
        ghost_at(page, choice)
        told = page.locator(".atua-tools output")
        assert number_in(told.locator(".gain").inner_text()) == outcome["gain"]
        assert told.locator(".change.row").count() == len(outcome["rows"])
        symbols = outcome["symbols"] + ([["beach", *outcome["beach"]]] if outcome["beach"] else [])
        assert told.locator(".change.symbol").count() == len(symbols)
        for name, by, then in symbols:
            if then not in (0, by):  # what comes or goes altogether has no line of its own before or after
                expect(page.locator(f"#count-{name} .difference")).to_have_text(f"+{by}" if by > 0 else f"−{-by}")
        for name, _, _ in outcome["rows"]:
            expect(page.locator(f"#cell-{name}-0")).to_have_class("cell open would-change")


def test_all_fates_lie_above_the_tools_on_a_low_screen(live: LiveServer, page: Page) -> None:
    login = live.guest("Ada", confirm_single=False)
    table = live.set_table(login, "atua", ["me", *["bot"] * 5], {**FIRST_GAME, "fates": True})
    page.set_viewport_size({"width": 1280, "height": 720})
    live.visit(page, login, f"/t/{table}")
    pick_up(page)
    lowest = page.locator("#region-fates svg").evaluate_all("(all) => all.map((e) => e.getBoundingClientRect().bottom)")
    assert len(lowest) == 7
    assert max(lowest) <= page.locator(".atua-tools").bounding_box()["y"]  # type: ignore[index]


def test_shift_and_an_arrow_leap_to_the_next_fitting_place(page: Page, table: str) -> None:
    pick_up(page)
    page.locator(".atua-tools button").first.focus()
    choices = [tuple(map(int, text.split()[1:])) for text in legal(page)]
    for key, axis, way in (("ArrowLeft", 0, -1), ("ArrowDown", 1, 1), ("ArrowRight", 0, 1), ("ArrowUp", 1, -1)):
        before = ghost(page)
        page.keyboard.press(f"Shift+{key}")
        after = ghost(page)
        assert after in choices
        ahead = [each for each in choices if (each[axis] - before[axis]) * way > 0]
        assert (after == before) == (not ahead)
        assert not ahead or (after[axis] - before[axis]) * way > 0


def test_a_beach_in_the_hand_shows_where_beaches_end(live: LiveServer, page: Page) -> None:
    login = live.guest("Ada", confirm_single=False)
    for _ in range(12):
        open_table(live, page, login)
        if beach_card(page).count():
            break
    beach_card(page).click()
    expect(page.locator(".atua-tools")).to_be_visible()
    # On the bare village nothing is met: the ends shown are the card's own, all that its print has.
    ends = page.evaluate(
        """() => JSON.parse(document.getElementById("atua-hold").dataset.hold).edges[0].split("E").length - 1"""
    )
    assert page.locator(".atua-over .end.own").count() == ends
    assert page.locator(".atua-over .end.free, .atua-over .end.met").count() == 0
    page.get_by_role("button", name="Place", exact=True).click()
    page.locator("#page-confirm").click()
    for _ in range(8):  # until another beach comes
        expect(page.locator(".row-card.legal").first).to_be_visible()
        if beach_card(page).count():
            break
        page.locator(".row-card.legal").first.click()
        page.get_by_role("button", name="Place", exact=True).click()
        page.locator("#page-confirm").click()
    beach_card(page).click()
    expect(page.locator(".atua-tools")).to_be_visible()
    joined = [
        text
        for text, outcome in zip(legal(page), outcomes(page), strict=True)
        if outcome["beach"] and outcome["beach"][0] > 0
    ]
    met = 0
    for text in joined[:: max(1, len(joined) // 3)]:
        ghost_at(page, text)
        met += page.locator(".atua-over .end.met").count()
    assert bool(met) == bool(joined)
    page.locator(".atua-tools button").first.focus()
    for _ in range(12):  # far away, where it joins nothing
        page.keyboard.press("ArrowUp")
    assert page.locator(".atua-over .end.met").count() == 0
    assert page.locator(".atua-over .end.free").count() >= 1


BEACH_ENDS = """async ([hold, placements]) => {
    const { beachEnds } = await import("/static/games/atua/fits.js");
    return placements.map(([x, y, rot]) => beachEnds(hold, x, y, rot).map((end) => [end.css, end.x, end.y, end.side]));
}"""


def ends_of(island: SlowIsland, card: Print, x: int, y: int) -> list[list[Any]]:
    """Return the ends of beaches once the card lies there, unit by unit, if they meet the card's side."""
    grown = deepcopy(island)
    grown.place(card, x, y)
    found: list[list[Any]] = []
    for (unit_x, unit_y), (number, letter, paths) in grown.units.items():
        for side, name in enumerate(NEIGHBORS):
            other = grown.units.get((unit_x + NEIGHBORS[name][0], unit_y + NEIGHBORS[name][1]))
            mine = number == island.cards
            if letter == "B" and name in paths and other is None:
                found.append(["own" if mine else "free", unit_x, unit_y, side])
            elif letter == "B" and mine and other and other[0] != number:
                found.append(["met", unit_x, unit_y, side])
    assert any(each[0] == "met" for each in found) == any(
        island.cards in cards and len(cards) > 1 for cards, _ in grown.beaches()
    )
    return sorted(found)


def test_ends_meet_where_beaches_join(page: Page) -> None:
    """On the islands of whole games a beach continues from an end that sticks out, a flank, a cut."""
    show(page, "")
    met = 0
    for seed in range(3):
        chooser = random.Random(seed)
        position = GAME.new(1, seed=seed)
        while not position.over:
            legal = position.legal_choices(0)
            if position.decision(0).prompt == "place" and "E" in (hold := held(position, 0))["edges"][0]:
                island = slow(position.state.islands[0])
                faces = [Print(PRINTS[hold["card"]], rot) for rot in range(4)]
                tried = chooser.sample(legal, min(20, len(legal)))
                placements = [tuple(map(int, position.text(choice).split()[1:])) for choice in tried]
                found = page.evaluate(BEACH_ENDS, [hold, placements])
                for (x, y, rot), ends in zip(placements, found, strict=True):
                    assert sorted(ends) == ends_of(island, faces[rot], x, y), (seed, hold["card"], x, y, rot)
                    met += any(css == "met" for css, *_ in ends)
            position.apply(chooser.choice(legal), 0)
    assert met


def test_where_it_does_not_fit_the_reason_is_said_and_marked(page: Page, table: str) -> None:
    pick_up(page)
    ghost_at(page, "place 0 0 0")
    expect(page.locator(".atua-over .ghost.misfit")).to_have_count(1)
    expect(page.locator(".atua-tools output")).to_contain_text("star of a village or volcano must stay visible")
    assert page.locator(".atua-over .wrong").count() >= 1
    page.get_by_role("button", name="Place", exact=True).click(force=True)
    expect(page.locator("#page-live")).to_contain_text("must stay visible")
    assert page.locator("#page-confirm").count() == 0


def test_what_the_script_finds_legal_is_what_the_rules_do(page: Page, table: str) -> None:
    """The reasons are worked out in the browser: they must say nothing exactly where the rules allow."""
    cards = []
    for slot in range(4):
        pick_up(page, slot)
        hold = page.evaluate("() => JSON.parse(document.getElementById('atua-hold').dataset.hold)")
        cards.append((hold, legal(page)))
        page.get_by_role("button", name="Undo").click()
        expect(page.locator(".row-card.legal")).to_have_count(4)
    show(page, "")
    for hold, choices in cards:
        wrong = page.evaluate(
            """async ([hold, legal]) => {
                const { faultsOf } = await import("/static/games/atua/fits.js");
                const found = [];
                for (let x = -8; x <= 8; x += 1) for (let y = -8; y <= 8; y += 1) for (let rot = 0; rot < 4; rot += 1) {
                    const fits = faultsOf(hold, x, y, rot).length === 0;
                    if (fits !== legal.includes(`place ${x} ${y} ${rot}`)) found.push([x, y, rot, fits]);
                }
                return found;
            }""",
            [hold, choices],
        )
        assert wrong == []


def test_the_card_turns_by_key_wheel_and_right_click(page: Page, table: str) -> None:
    pick_up(page)
    start = ghost(page)[2]
    page.keyboard.press("r")
    page.keyboard.press("r")
    page.keyboard.press("Shift+R")
    assert ghost(page)[2] == (start + 1) % 4
    page.evaluate("() => { document.body.dataset.shortcuts = 'off'; }")
    page.keyboard.press("r")
    assert ghost(page)[2] == (start + 1) % 4, "who turned single letters off turns no card by one"
    page.mouse.move(*center(page, "#drawing-island"))
    page.mouse.wheel(0, 100)
    wait_until(page, "(rot) => document.querySelector('.ghost').dataset.rot === rot", str((start + 2) % 4))
    page.locator("#drawing-island").click(button="right", position={"x": 5, "y": 5}, force=True)
    assert ghost(page)[2] == (start + 3) % 4


def test_the_floating_card_is_dragged_on_and_attracted_by_where_it_fits(page: Page, table: str) -> None:
    pick_up(page)
    _, x, y, rot = legal(page)[-1].split()
    while ghost(page)[2] != int(rot):
        page.keyboard.press("r")
    at = ghost(page)
    page.mouse.move(*island_point(page, at[0] + 3, at[1] + 3))
    page.mouse.down()
    page.mouse.move(*island_point(page, int(x) + 3.3, int(y) + 2.8), steps=5)
    page.mouse.up()
    assert ghost(page) == (int(x), int(y), int(rot))


def test_by_keyboard_alone(page: Page, table: str) -> None:
    page.locator("#page-main").focus()
    page.keyboard.press("b")
    wait_until(page, "() => document.activeElement.classList.contains('element')")
    for _ in range(40):
        if page.evaluate("() => document.activeElement.matches('.row-card.legal')"):
            break
        page.keyboard.press("n")
    page.keyboard.press("Enter")
    expect(page.locator(".atua-tools")).to_be_visible()
    page.locator(".atua-tools button").first.focus()
    first = ghost(page)
    page.keyboard.press("ArrowRight")
    assert ghost(page) == (first[0] + 1, *first[1:])
    page.keyboard.press("n")
    page.keyboard.press("p")
    page.get_by_role("button", name="Place", exact=True).focus()
    at = ghost(page)
    page.keyboard.press("ArrowLeft")
    assert ghost(page) == (at[0] - 1, *at[1:])
    page.keyboard.press("n")
    page.keyboard.press("Enter")
    expect(page.locator("#page-confirm")).to_be_visible()


# The rectangles of the island's drawing and of the layer with the card in the hand, on the screen.
LAYERS = """() => ["#drawing-island", ".atua-over"].map((css) => {
    const { left, top, width, height } = document.querySelector(css).getBoundingClientRect();
    return [left, top, width, height].map(Math.round);
})"""


def test_the_sea_zooms_and_shows_all_again(page: Page, table: str) -> None:
    pick_up(page)
    (_, _, width, _), _ = page.evaluate(LAYERS)
    page.get_by_role("button", name="Zoom in").last.click()
    wait_until(
        page, "(least) => document.querySelector('#drawing-island').getBoundingClientRect().width > least", width
    )
    wait_until(page, f"() => {{ const [one, other] = ({LAYERS})(); return String(one) === String(other); }}")
    page.get_by_role("button", name="Show all").last.click()
    wait_until(page, f"(whole) => ({LAYERS})().every((each) => each[2] === whole)", width)


def test_the_sea_stays_zoomed_although_other_parts_of_the_page_change(live: LiveServer, page: Page) -> None:
    ada = live.guest("Ada", confirm_single=False)
    table = open_table(live, page, ada)
    page.get_by_role("button", name="Zoom in").last.click()
    (zoomed, _) = page.evaluate(LAYERS)
    live.ask(live.tables.chat.say(ada.user, table, "Kia ora"))
    expect(page.locator("#page-chat")).to_contain_text("Kia ora")
    assert page.evaluate(LAYERS)[0] == zoomed


@pytest.mark.parametrize("window", [(1400, 900), (2560, 1440)], ids=str)
def test_the_card_in_the_hand_lies_over_the_island(
    live: LiveServer, new_page: NewPage, window: tuple[int, int]
) -> None:
    """In a large window, too, where all lengths are enlarged."""
    page = new_page(viewport={"width": window[0], "height": window[1]})
    open_table(live, page, live.guest("Ada", confirm_single=False))
    pick_up(page)
    island, over = page.evaluate(LAYERS)
    assert island == over


def test_a_first_game_is_one_choice_in_the_form(live: LiveServer, page: Page) -> None:
    live.visit(page, live.guest("Ada"), "/new?game=atua&seats=2")
    flags = [page.locator(f"[name='option.{flag}']") for flag in ("residents", "fates")]
    for flag in flags:
        expect(flag).to_be_checked()
    page.get_by_text("A first game", exact=True).click()
    for flag in flags:
        expect(flag).not_to_be_checked()
    page.get_by_text("A standard game", exact=True).click()
    for flag in flags:
        expect(flag).to_be_checked()


@pytest.mark.parametrize("window", [(1400, 900), (1280, 720)], ids=str)
def test_six_seats_with_hidden_residents_are_all_in_sight(
    live: LiveServer, page: Page, window: tuple[int, int]
) -> None:
    ada = live.guest("Ada")
    page.set_viewport_size({"width": window[0], "height": window[1]})
    table = live.set_table(ada, "atua", ["me", *["device"] * 5], {"residents": True})
    live.visit(page, ada, f"/t/{table}?seat=0")
    expect(page.locator(".seat")).to_have_count(6)
    expect(page.locator(".seat [id^=resident-]")).to_have_count(6)
    assert page.locator(".seats").evaluate("(seats) => seats.scrollHeight <= seats.clientHeight")


def square_on(page: Page, place: str) -> list[float]:
    """The square of a placement on the screen: left, top, right, bottom."""
    _, x, y, _ = place.split()
    found: list[float] = page.evaluate(
        """([x, y]) => {
            const lattice = document.getElementById("island-cards");
            const [, step, side] = lattice.dataset.lattice.split(" ").map(Number);
            return [0, side].flatMap((more) => {
                const p = new DOMPoint(x * step + more, y * step + more).matrixTransform(lattice.getScreenCTM());
                return [p.x, p.y];
            });
        }""",
        [int(x), int(y)],
    )
    return found


def ghost_of_advice(page: Page) -> list[float]:
    """The ghost that belongs to the best arrow, on the screen: left, top, right, bottom."""
    found: list[float] = page.locator(".arrows .laid").last.evaluate(
        """(laid) => {
            const { left, top, right, bottom } = laid.querySelector(".land").getBoundingClientRect();
            return [left, top, right, bottom];
        }"""
    )
    return found


@pytest.mark.parametrize("size", [(1400, 900), (390, 844), (844, 390), (2560, 1440)])
def test_a_hint_for_a_placement_lays_a_ghost_on_its_square(
    live: LiveServer, new_page: NewPage, size: tuple[int, int]
) -> None:
    is_phone = size[0] < 1000
    page = new_page(viewport={"width": size[0], "height": size[1]}, is_mobile=is_phone, has_touch=is_phone)
    open_table(live, page, live.guest("Ada", confirm_single=False))
    page.locator(".row-card.legal").first.dispatch_event("click")
    expect(page.locator(".atua-tools")).to_be_visible()
    page.locator("#page-advice").dispatch_event("click")
    expect(page.locator("#page-advised")).to_be_visible(timeout=20_000)
    best = data(page)["advised"]
    assert best.startswith("place ")
    expect(page.locator(".arrows .laid")).to_have_count(1)
    wait_until(page, "() => document.getAnimations().every((each) => each.playState !== 'running')")
    assert ghost_of_advice(page) == pytest.approx(square_on(page, best), abs=3)
    assert ghost(page) == tuple(int(part) for part in best.split()[1:])


def test_a_replay_lays_the_better_placement_on_the_island(live: LiveServer, page: Page) -> None:
    """As at a turning point of the analysis, which is slipped into the page here."""
    login = live.guest("Ada")
    table = live.set_table(login, "atua", ["me", "device"], FIRST_GAME)
    play(live, login, table, 200)
    assert live.view(login, table).status == "over"
    best, taken = "place 3 1 1", "place -3 -1 0"

    def told(route: Route) -> None:
        answer = fetched(route)
        turning = f'<section id="page-turning" data-best="{best}" data-taken="{taken}" data-mine></section>'
        route.fulfill(response=answer, body=answer.text().replace("</main>", f"{turning}</main>"))

    page.route("**/replay?*", told)
    live.visit(page, login, f"/t/{table}/replay?seat=0&at=7")  # before it are the cards that are turned over
    expect(page.locator(".row-card.held")).to_have_count(1)
    expect(page.locator(".arrows .laid")).to_have_count(2)
    expect(page.locator(".arrows .best")).to_have_count(2)
    assert ghost_of_advice(page) == pytest.approx(square_on(page, best), abs=3)


def test_a_small_island_opens_large(page: Page, table: str) -> None:
    page.locator(".small-island").first.click()
    expect(page.locator("dialog.atua-lens")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog.atua-lens")).to_have_count(0)


def test_by_touch_on_a_phone(live: LiveServer, new_page: NewPage) -> None:
    page = new_page(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    open_table(live, page, live.guest("Ada", confirm_single=False))
    page.locator(".row-card.legal").first.tap()
    expect(page.locator(".atua-tools")).to_be_visible()
    for button in page.locator(".atua-tools button").all():
        box = button.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44
    page.get_by_role("button", name="Turn right").tap()
    page.get_by_role("button", name="Next fitting place").tap()
    page.get_by_role("button", name="Place", exact=True).tap()
    expect(page.locator("#page-confirm")).to_be_visible()
    assert "Place" in staged(page)


ROW = """() => [...document.querySelectorAll("#region-row .halo")].map((card) => {
    const { left, width, bottom } = card.getBoundingClientRect();
    return `${left} ${width} ${bottom}`;
})"""


def test_a_card_taken_on_another_part_of_a_phone_s_table_comes_to_the_island(
    live: LiveServer, new_page: NewPage
) -> None:
    page = new_page(viewport={"width": 844, "height": 390}, is_mobile=True, has_touch=True)
    open_table(live, page, live.guest("Ada", confirm_single=False))
    page.locator("label[data-tab=mine]").tap()
    expect(page.locator("#region-island")).to_be_hidden()
    page.locator(".row-card.legal").first.tap()
    expect(page.locator(".atua-tools")).to_be_visible()
    expect(page.locator("#region-island")).to_be_visible()


def test_cards_of_the_row_keep_their_places_where_one_is_missing(live: LiveServer, new_page: NewPage) -> None:
    page = new_page(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    open_table(live, page, live.guest("Ada", confirm_single=False))
    before = page.evaluate(ROW)
    page.locator(".row-card.legal").last.tap()
    page.get_by_role("button", name="Place", exact=True).tap()
    expect(page.locator("#region-row .row-card")).to_have_count(3)
    wait_until(page, f"(before) => String(({ROW})()) === String(before)", before[:3])


def test_the_row_lies_beside_the_sea_in_a_low_window(live: LiveServer, new_page: NewPage) -> None:
    page = new_page(viewport={"width": 844, "height": 390}, is_mobile=True, has_touch=True)
    open_table(live, page, live.guest("Ada", confirm_single=False))
    scene = page.locator(".scene").bounding_box()
    assert scene is not None
    for card in page.locator(".row-card").all():
        box = card.bounding_box()
        assert box is not None
        assert scene["y"] <= box["y"]
        assert box["y"] + box["height"] <= scene["y"] + scene["height"]
        assert box["width"] > 88


class Fingers:
    """Fingers on the screen, as the browser gets them from a touch screen."""

    def __init__(self, page: Page) -> None:
        self._session = page.context.new_cdp_session(page)

    def _send(self, kind: str, points: tuple[tuple[float, float], ...]) -> None:
        found = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": found})

    def drag(self, *steps: tuple[tuple[float, float], ...]) -> None:
        """Put fingers down, move them from step to step, lift them."""
        self._send("touchStart", steps[0])
        for step in steps[1:]:
            self._send("touchMove", step)
        self._send("touchEnd", ())


def test_a_finger_drags_a_card_from_the_row_and_on(live: LiveServer, new_page: NewPage) -> None:
    page = new_page(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    open_table(live, page, live.guest("Ada", confirm_single=False))
    page.locator(".row-card.legal").first.scroll_into_view_if_needed()
    fingers = Fingers(page)
    card, sea = center(page, ".row-card.legal"), center(page, "#drawing-island")
    between = (card[0] + sea[0]) / 2, (card[1] + sea[1]) / 2
    fingers.drag((card,), (between,), (sea,))
    expect(page.locator(".atua-tools")).to_be_visible()
    at = ghost(page)
    here = island_point(page, at[0] + 3, at[1] + 3)
    there = here[0] + 60, here[1] - 50
    fingers.drag((here,), ((here[0] + 30, here[1] - 20),), (there,))
    after = ghost(page)
    middle = island_point(page, after[0] + 3, after[1] + 3)
    assert max(abs(middle[0] - there[0]), abs(middle[1] - there[1])) < 45
    assert after != at


def test_two_fingers_turn_the_card_and_one_leads_it(live: LiveServer, new_page: NewPage) -> None:
    page = new_page(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    open_table(live, page, live.guest("Ada", confirm_single=False))
    page.locator(".row-card.legal").first.tap()
    expect(page.locator(".atua-tools")).to_be_visible()
    page.locator("#drawing-island").scroll_into_view_if_needed()
    x, y = center(page, "#drawing-island")
    start = ghost(page)
    fingers = Fingers(page)
    turned = [(60 * cos(radians(angle)), 60 * sin(radians(angle))) for angle in (0, 15, 30, 45)]
    fingers.drag(*(((x - dx, y - dy), (x + dx, y + dy)) for dx, dy in turned))
    assert ghost(page) == (*start[:2], (start[2] + 1) % 4)
    # The card comes to a finger that touches the open sea next to it, unless a fitting place attracts it.
    goal = max(((x - 90, y), (x + 90, y)), key=lambda each: abs(each[0] - island_point(page, start[0] + 3, 0)[0]))
    fingers.drag((goal,), ((goal[0], goal[1] + 20),), ((goal[0], goal[1] + 40),))
    at = ghost(page)
    middle = island_point(page, at[0] + 3, at[1] + 3)
    assert max(abs(middle[0] - goal[0]), abs(middle[1] - goal[1] - 40)) < 45
    fingers.drag(*(((x - apart, y), (x + apart, y)) for apart in (60, 70, 80, 90)))
    assert ghost(page) == at
    wait_until(page, "() => 'zoomed' in document.body.dataset")


# Parts of the card in the hand, and of the sheet, that lie under the tools.
UNDER_TOOLS = """() => {
    const boxOf = (css) => document.querySelector(css).getBoundingClientRect();
    const tools = boxOf(".atua-tools");
    const covered = ({ left, right, bottom }) => left < tools.right && right > tools.left && bottom > tools.top + 1;
    return [".ghost .outline", "#drawing-sheet"].filter((css) => covered(boxOf(css)));
}"""


def test_the_tools_cover_neither_the_card_in_the_hand_nor_the_sheet(live: LiveServer, page: Page) -> None:
    login = live.guest("Ada")
    table = live.set_table(login, "atua", ["me", "device"], {"start_player": "seat_1"})
    for width, height in ((1400, 900), (1280, 720)):
        page.set_viewport_size({"width": width, "height": height})
        live.visit(page, login, f"/t/{table}?seat=0")
        if not page.locator(".atua-tools").count():
            page.locator(".row-card.legal").first.click()
        expect(page.locator(".atua-tools")).to_be_visible()
        bottom = page.locator("#region-island").evaluate("(e) => e.getBoundingClientRect().bottom")
        assert page.locator(".atua-tools").evaluate("(e) => e.getBoundingClientRect().top") >= bottom - 1
        assert page.evaluate(UNDER_TOOLS) == []
