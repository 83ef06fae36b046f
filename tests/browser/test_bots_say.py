"""Advice in an open turn, the analysis after the game, and the score as it is counted."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from atoll.server.domain.model import Login
from atoll.testing.browser import data, wait_until
from atoll.testing.live_server import LiveServer
from tests.browser.axe import violations
from tests.browser.conftest import NewPage
from tests.browser.live import fetched
from tests.browser.test_looks import play

SOON_MS = 20_000
OPTIONS = {"start_player": "seat_1"}


def _alone(live: LiveServer, **settings: bool) -> tuple[Login, str]:
    """Somebody who plays against a bot and is to move."""
    login = live.guest("Ada", **settings)
    return login, live.set_table(login, "atacama", ["me", "bot"], OPTIONS)


def _finished(live: LiveServer, login: Login) -> str:
    table = live.set_table(login, "atacama", ["me", "device"], OPTIONS)
    play(live, login, table, 60)
    assert live.view(login, table).status == "over"
    return table


def test_a_strong_bot_is_asked_and_its_best_choice_is_marked_and_taken(live: LiveServer, page: Page) -> None:
    login, table = _alone(live)
    live.visit(page, login, f"/t/{table}")
    expect(page.locator(".advised")).to_have_count(0)
    page.get_by_role("button", name="What would a strong bot do?").click()
    box = page.get_by_role("region", name="A strong bot would")
    expect(box).to_be_visible(timeout=SOON_MS)
    expect(page.locator("#page-advice")).to_have_count(0)
    best = data(page)["advised"]
    field = best.split()[1]
    expect(page.locator(f"#field-{field}.advised")).to_have_count(1)
    expect(box.locator("li").first).to_contain_text(f"Place a rig on {field}")
    expect(box.locator("li").first).to_contain_text(re.compile(r"wins about \d+ %.*Ada:\s*−?\d+", re.S))
    page.reload()
    expect(box).to_be_visible()
    box.get_by_role("button", name=f"Choose this: Place a rig on {field}").click()
    expect(page.locator(f"#rig-{field}")).to_have_count(1)
    expect(box).to_have_count(0)
    turn = live.view(login, table).turn
    assert turn is not None
    assert turn.staged_texts == (best,)


# Words of a hint that lie on one of its buttons; how far its panel reaches into the scene.
HINT = """() => {
    const boxOf = (e) => e.getBoundingClientRect();
    const [words, buttons] = ["#page-advised li p > *", "#page-advised li button"].map((css) =>
        [...document.querySelectorAll(css)]);
    const meet = (one, other) => one.left < other.right && other.left < one.right
        && one.top < other.bottom && other.top < one.bottom;
    const under = words.filter((each) => buttons.some((button) => meet(boxOf(each), boxOf(button))));
    const scene = boxOf(document.querySelector(".scene"));
    return [under.map((each) => each.textContent), scene.right - boxOf(document.querySelector("#page-advised")).left];
}"""


def test_a_hint_covers_neither_its_buttons_nor_the_scene_that_it_speaks_of(live: LiveServer, page: Page) -> None:
    login = live.guest("Ada")
    table = live.set_table(login, "atacama", ["me", "bot", "bot", "bot"], OPTIONS)
    live.visit(page, login, f"/t/{table}")
    page.locator("#page-advice").click()
    expect(page.locator("#page-advised")).to_be_visible(timeout=SOON_MS)
    under, over = page.evaluate(HINT)
    assert under == []
    assert over <= 0


# The part of the proposed choice that the panel of a hint covers.
COVERED = """() => {
    const [panel, best] = ["#page-advised", ".scene .element.advised"].map((css) =>
        document.querySelector(css).getBoundingClientRect());
    const across = Math.min(panel.right, best.right) - Math.max(panel.left, best.left);
    return Math.min(across, Math.min(panel.bottom, best.bottom) - Math.max(panel.top, best.top));
}"""


@pytest.mark.parametrize(
    ("field", "size"), [("r1c5", (390, 664)), ("r9c5", (390, 664)), ("r5c1", (844, 390)), ("r5c9", (844, 390))]
)
def test_on_a_phone_a_hint_gives_way_to_what_it_would_choose(
    live: LiveServer, new_page: NewPage, field: str, size: tuple[int, int]
) -> None:
    """It does so for every field: the test replaces the bot's field by another one."""
    login, table = _alone(live)
    page = new_page(viewport={"width": size[0], "height": size[1]}, is_mobile=True, has_touch=True)
    live.visit(page, login, f"/t/{table}")
    page.locator("#page-advice").tap()
    expect(page.locator("#page-advised")).to_be_visible(timeout=SOON_MS)

    def told(route: Route) -> None:
        answer = fetched(route)
        text = re.sub(r'("advised": ?")[^"]+', rf"\g<1>place {field} base", answer.text())
        route.fulfill(response=answer, body=text)

    page.route(f"**/t/{table}*", told)
    page.reload()
    expect(page.locator(f"#field-{field}.advised")).to_have_count(1)
    assert page.evaluate(COVERED) <= 0


def test_advice_by_keyboard_and_by_touch(live: LiveServer, new_page: NewPage) -> None:
    login, table = _alone(live)
    page = new_page()
    live.visit(page, login, f"/t/{table}")
    page.locator("#page-main").focus()
    page.keyboard.press("h")
    expect(page.locator("#page-advised")).to_be_visible(timeout=SOON_MS)
    login, table = _alone(live)
    phone = new_page(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True, locale="de-DE")
    live.visit(phone, login, f"/t/{table}")
    phone.locator("label[data-tab=seats]").tap()
    phone.get_by_role("button", name="Was täte ein starker Bot?").tap()
    expect(phone.locator("#page-advised")).to_contain_text("gewinnt etwa", timeout=SOON_MS)
    phone.locator("#page-advised").get_by_role("button").first.tap()
    expect(phone.locator("#page-advised")).to_have_count(0)


def test_what_a_bot_has_said_is_put_away(live: LiveServer, new_page: NewPage) -> None:
    """A button does it, and Escape once nothing nearer is open; the hint can be had again."""
    login, table = _alone(live)
    page = new_page()
    live.visit(page, login, f"/t/{table}")
    box, hint = page.locator("#page-advised"), page.locator("#page-advice")
    hint.click()
    expect(box).to_be_visible(timeout=SOON_MS)
    assert not violations(page)
    page.locator("#page-menu > summary").click()
    page.keyboard.press("Escape")
    expect(page.locator("#page-menu[open]")).to_have_count(0)
    expect(box).to_be_visible()
    page.keyboard.press("Escape")
    expect(box).to_have_count(0)
    expect(page.locator(".advised")).to_have_count(0)
    page.keyboard.press("h")
    expect(box).to_be_visible(timeout=SOON_MS)
    box.get_by_role("button", name="Close").click()
    expect(box).to_have_count(0)
    page.reload()
    expect(hint).to_be_visible()
    expect(box).to_have_count(0)
    plain = new_page(java_script_enabled=False)
    live.visit(plain, login, f"/t/{table}", scripts=False)
    plain.locator("#page-advice").click()
    plain.locator("#page-advised").get_by_role("button", name="Close").click()
    expect(plain.locator("#page-advice")).to_be_visible()
    expect(plain.locator("#page-advised")).to_have_count(0)


def test_advice_and_analysis_without_javascript(live: LiveServer, new_page: NewPage) -> None:
    page = new_page(java_script_enabled=False)
    login, table = _alone(live, confirm_single=False)
    live.visit(page, login, f"/t/{table}", scripts=False)
    page.get_by_role("button", name="What would a strong bot do?").click()
    expect(page.locator("#page-advised li").first).to_contain_text("wins about")
    page.locator("#page-advised").get_by_role("button").first.click()
    expect(page.locator(".rig").first).to_be_visible()
    over = _finished(live, login)
    page.goto(f"{live.url}/t/{over}")
    expect(page.locator(".ranking .total").first).to_be_visible()
    expect(page.locator("[data-count], [data-skip]").locator("visible=true")).to_have_count(0)
    page.get_by_role("button", name="Analyze the game").click()
    for _ in range(100):
        if page.locator(".curve").count():
            break
        page.get_by_role("link", name="Check the progress").click()
        page.wait_for_timeout(200)
        page.reload()
    expect(page.locator(".curve svg[role=img]")).to_be_visible()


def test_nobody_is_offered_what_the_table_does_not_allow(live: LiveServer, page: Page) -> None:
    login = live.guest("Ada")
    for advice, offered in ((None, 0), (True, 1)):
        table = live.set_table(login, "atacama", ["me", "device"], OPTIONS, advice=advice)
        live.visit(page, login, f"/t/{table}")
        expect(page.locator("#page-list")).to_be_visible()
        expect(page.locator("#page-advice")).to_have_count(offered)
    page.goto(f"{live.url}/new?game=atacama")
    page.get_by_label("Hints from a bot").select_option("yes")
    page.locator("[name='seat.1']").select_option("open")
    page.get_by_role("button", name="Create the table").click()
    expect(page.locator(".gathering")).to_contain_text("everybody may ask what a strong bot would do")


def test_an_analysis_is_asked_for_watched_and_leads_into_the_replay(live: LiveServer, new_page: NewPage) -> None:
    login = live.guest("Ada", confirm_single=False)
    table = _finished(live, login)
    page, watcher = new_page(reduced_motion="reduce"), new_page(reduced_motion="reduce")
    live.visit(page, login, f"/t/{table}")
    live.visit(watcher, None, f"/t/{table}")
    expect(watcher.locator("#page-analysis")).to_be_visible()
    expect(watcher.locator("[data-command=analyse]")).to_have_count(0)
    page.get_by_role("button", name="Analyze the game").click()
    expect(page.locator("#page-analysis progress")).to_be_visible()
    for each in (page, watcher):
        expect(each.locator(".curve svg[role=img]")).to_be_visible(timeout=60_000)
        expect(each.locator(".curve polyline")).to_have_count(2)
    analysis = live.analyzed(login, table)
    expect(page.locator(".turning-points > li")).to_have_count(len(analysis.turning_points))
    page.get_by_text("The curve in numbers").click()
    rows = page.locator("#page-values tbody tr")
    assert rows.count() > 10
    shares = [int(text.split()[0]) for text in rows.last.locator("td").all_inner_texts()]
    assert shares == [round(100 * share) for share in analysis.shares]
    first = analysis.judgments[analysis.turning_points[0]]
    page.get_by_role("link", name="See this moment").first.click()
    expect(page.locator("#page-main.replay")).to_be_visible()
    assert f"at={first.sequence}" in page.url
    expect(page.locator(".rig")).to_have_count(first.sequence)
    expect(page.locator(".curve .now")).to_have_count(1)
    page.get_by_role("link", name="See this moment").last.click()
    last = analysis.judgments[analysis.turning_points[-1]]
    expect(page.locator(".rig")).to_have_count(last.sequence)


DIM = """[...document.querySelectorAll(".ranking tbody tr, .ranking .total")]
    .filter((line) => Number(getComputedStyle(line).opacity) < 0.5).length"""


def _dim(page: Page) -> int:
    """Return the number of lines of the score that aren't lit yet."""
    found: int = page.evaluate(f"() => {DIM}")
    return found


BESIDE = """() => {
    const [panel, scene] = ["#page-result", ".scene"].map((css) => document.querySelector(css).getBoundingClientRect());
    return panel.left >= scene.right - 1 || panel.bottom <= scene.top;
}"""
# The last line that is lit so far, and whether all of it can be seen where lines are scrolled.
LAST_LIT = """() => {
    const lit = [...document.querySelectorAll(".ranking > li")].reverse()
        .flatMap((place) => [...place.querySelectorAll("tbody tr"), place.querySelector(".total")])
        .findLast((line) => Number(getComputedStyle(line).opacity) >= 0.5).getBoundingClientRect();
    const panel = document.querySelector("#page-result").getBoundingClientRect();
    const foot = document.querySelector(".score > .commands").getBoundingClientRect();
    return lit.height > 0 && lit.top >= panel.top - 1 && lit.bottom <= Math.min(panel.bottom, foot.top) + 1;
}"""


# Lines are counted in a third of the time.
FASTER = """{
    const [wait, animate] = [window.setTimeout, Element.prototype.animate];
    window.setTimeout = (act, ms, ...given) => wait(act, ms / 3, ...given);
    Element.prototype.animate = function (frames, { delay = 0, duration, ...rest }) {
        return animate.call(this, frames, { ...rest, delay: delay / 3, duration: duration / 3 });
    };
}"""


def test_the_score_stands_beside_the_table_and_what_is_counted_is_in_sight(live: LiveServer, page: Page) -> None:
    login = live.guest("Ada", confirm_single=False)
    table = _finished(live, login)
    page.set_viewport_size({"width": 1280, "height": 720})
    page.add_init_script(FASTER)
    live.visit(page, login, f"/t/{table}")
    expect(page.locator(".totals")).to_be_hidden()
    wait_until(page, f"() => {DIM} < 3 && ({LAST_LIT})()")
    expect(page.locator("[data-count]")).to_be_visible(timeout=SOON_MS)
    totals = [text.split()[0] for text in page.locator(".ranking .total").all_text_contents()]
    expect(page.locator(".totals")).to_have_text(re.compile(rf"Ada.* {totals[0]}.*Ada.* {totals[1]}"))
    assert page.locator(".ranking details[open]").count() == 1, "one's own lines"
    place = page.locator(".ranking > li").first.locator("details")
    for is_open in (False, True):  # lines that are open push the places below them out of sight
        if place.evaluate("(e) => e.open") != is_open:
            place.locator("summary").click()
        expect(page.locator(".totals")).to_be_visible(visible=is_open)
    assert page.evaluate(BESIDE)
    expect(page.locator("#page-log li").first).to_be_in_viewport()
    page.locator("#page-result > details > summary").click()
    expect(page.locator("#seat-0")).to_be_in_viewport(ratio=1)
    assert page.evaluate(BESIDE)


# The buttons that are in sight while the score is at its top.
IN_SIGHT = """() => {
    const panel = document.querySelector("#page-result");
    panel.scrollTop = 0;
    const box = panel.getBoundingClientRect();
    const all = [...document.querySelectorAll(".score > .commands :is(a, button)")];
    return panel.scrollHeight > panel.clientHeight + 50 && all.length > 2 && all.every((each) => {
        const { left, right, top, bottom } = each.getBoundingClientRect();
        return left >= box.left && right <= box.right && top >= box.top && bottom <= box.bottom;
    });
}"""


@pytest.mark.parametrize(("size", "lines"), [((1400, 700), 15), ((390, 664), 14)])
def test_what_can_be_done_after_a_game_is_in_sight_before_the_lines(
    live: LiveServer, new_page: NewPage, size: tuple[int, int], lines: int
) -> None:
    """The commands leave most of the panel to the lines.

    Args:
        live: The server.
        new_page: Opens pages.
        size: Width and height of the window.
        lines: Number of lines of text that fit into the rest.
    """
    login = live.guest("Ada", confirm_single=False)
    table = _finished(live, login)
    page = new_page(viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce", locale="de-DE")
    live.visit(page, login, f"/t/{table}")
    expect(page.locator(".score > .commands")).to_be_visible()
    assert page.evaluate(IN_SIGHT)
    panel, foot = (page.locator(each).bounding_box() for each in ("#page-result", ".score > .commands"))
    assert foot["y"] - panel["y"] > lines * 24  # type: ignore[index]
    page.get_by_role("link", name="Analyse der Partie").click()
    expect(page.locator("#page-analysis h2")).to_be_in_viewport()


def test_the_score_is_counted_line_by_line_and_can_be_skipped_and_seen_again(live: LiveServer, page: Page) -> None:
    login = live.guest("Ada", confirm_single=False)
    table = _finished(live, login)
    live.visit(page, login, f"/t/{table}")
    skip, again = page.locator("[data-skip]"), page.locator("[data-count]")
    expect(skip).to_be_visible()
    expect(again).to_be_hidden()
    before = _dim(page)
    assert before > 2
    wait_until(page, f"() => {DIM} < {before}")
    first = page.locator(".podium .step-1").first
    assert first.evaluate("(step) => Number(getComputedStyle(step).opacity)") < 0.5
    skip.click()
    assert _dim(page) == 0
    assert page.locator(".petal").count() > 0, "the winner is celebrated"
    winner = page.locator(".place-1 .seat-name").first.inner_text()
    expect(first).to_contain_text(winner)
    expect(page.locator(".decided")).to_contain_text(winner)
    expect(page.locator(".petal")).to_have_count(0)
    expect(skip).to_be_hidden()
    again.click()
    assert _dim(page) > 2
    page.keyboard.press("Escape")
    assert _dim(page) == 0
    page.reload()
    expect(again).to_be_visible()
    assert _dim(page) == 0, "only the first time by itself"


def test_who_opens_a_place_while_the_score_is_counted_keeps_it_open(live: LiveServer, page: Page) -> None:
    login = live.guest("Ada", confirm_single=False)
    table = _finished(live, login)
    live.visit(page, login, f"/t/{table}")
    wait_until(page, "() => document.querySelectorAll('.ranking details[open]').length === 1")
    page.locator(".ranking details:not([open]) > summary").first.click()
    assert _dim(page) == 0
    expect(page.locator(".ranking details[open]")).to_have_count(2)


def test_who_wants_no_motion_has_the_whole_score_at_once(live: LiveServer, new_page: NewPage) -> None:
    login = live.guest("Ada", confirm_single=False)
    table = _finished(live, login)
    page = new_page(reduced_motion="reduce")
    live.visit(page, login, f"/t/{table}")
    expect(page.locator(".ranking > li")).to_have_count(2)
    expect(page.locator(".decided")).to_be_visible()
    assert page.locator(".petal").count() == 0
    assert _dim(page) == 0
    expect(page.locator("[data-skip], [data-count]").locator("visible=true")).to_have_count(0)


@pytest.mark.parametrize("signed_in", [True, False])
def test_single_key_shortcuts_can_be_turned_off(live: LiveServer, page: Page, signed_in: bool) -> None:
    login = live.guest("Ada")
    table = live.set_table(login, "atacama", ["me", "device"], OPTIONS)
    if signed_in:
        live.visit(page, login, "/settings")
    else:
        page.goto(f"{live.url}/settings")
    page.get_by_label("Single letters and digits").uncheck()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_label("Single letters and digits")).not_to_be_checked()
    if not signed_in:
        live.visit(page, None, f"/t/{table}")
        assert page.evaluate("() => document.body.dataset.shortcuts") == "off"
        return
    live.visit(page, login, f"/t/{table}")
    page.locator("#field-r4c4").click()
    expect(page.locator("#page-confirm")).to_be_visible()
    page.locator("#page-main").focus()
    for key in ("u", "c", "b", "l", "?"):
        page.keyboard.press(key)
    expect(page.locator("#rig-r4c4")).to_have_count(1)
    expect(page.locator("dialog[open]")).to_have_count(0)
    assert page.evaluate("() => document.activeElement.id") == "page-main"
    page.locator("#field-r4c4").focus()
    page.keyboard.press("n")
    assert page.evaluate("() => document.activeElement.id") == "field-r4c4"
    page.keyboard.press("ArrowRight")
    assert page.evaluate("() => document.activeElement.id") == "field-r4c5", "arrows always work"
    page.locator("label[for=paper-about]").click()
    page.get_by_role("button", name="Keyboard").click()
    expect(page.locator("#page-keys")).to_contain_text("turned off")


def test_an_imported_game_says_that_its_chance_was_not_committed_here(live: LiveServer, page: Page) -> None:
    page.goto(f"{live.url}/t/{live.import_random_game('atacama')}/fairness")
    expect(page.locator("#page-imported")).to_contain_text("played elsewhere and imported")
    expect(page.locator("main")).not_to_contain_text("shown when the game is over")
    expect(page.locator("#page-verdict, #page-committed, table")).to_have_count(0)


def test_a_coach_is_announced_on_a_phone_until_somebody_looks(live: LiveServer, new_page: NewPage) -> None:
    page = new_page(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    page.goto(live.url)
    page.get_by_role("button", name="Play now against bots: Atacama").tap()
    page.wait_for_selector("[data-tab=log][data-unread]")
    page.wait_for_selector(".element.legal")  # when the decision begins, the page goes to the board
    page.locator("label[data-tab=log]").tap()
    expect(page.get_by_role("heading", name="Your decision")).to_be_visible()
    expect(page.locator("[data-tab=log][data-unread]")).to_have_count(0)


def test_a_coach_is_for_the_keyboard_and_for_screen_readers_and_moves_nothing(
    live: LiveServer, new_page: NewPage
) -> None:
    page = new_page(reduced_motion="reduce", color_scheme="dark", locale="de-DE")
    page.goto(live.url)
    page.locator("button[name=game][value=wutaki]").focus()
    page.keyboard.press("Enter")
    coach = page.locator("#page-coach")
    expect(coach.locator(".kinds li")).to_have_count(2)
    expect(coach.locator(".kinds li").first).to_contain_text("(Geheimpakt).")
    assert not violations(page)
    assert page.evaluate("() => document.getAnimations().filter((each) => each.playState === 'running').length") == 0
    for _ in range(120):
        page.keyboard.press("Tab")
        if page.evaluate("() => document.activeElement.matches('#page-coach button')"):
            break
    page.keyboard.press("Enter")
    expect(coach).to_have_count(0)
