"""Ways to a table and away from it: making, finding, leaving, canceling, playing again."""

from __future__ import annotations

import dataclasses
import random
import re
import time
from collections.abc import Iterator
from functools import partial

import pytest
from playwright.sync_api import Locator, Page, Route, expect

import atoll
from atoll.server.domain import wall_clock
from atoll.server.domain.model import Login
from atoll.testing.browser import choose, click, data, pick, wait_until
from atoll.testing.live_server import LiveServer
from tests.browser.axe import violations
from tests.browser.conftest import NewPage
from tests.browser.live import pasted
from tests.browser.test_looks import play

SOON_MS = 8_000
OPTIONS = {"start_player": "seat_1"}

SOUNDS = "window.heard = []; export const play = (name, volume) => window.heard.push([name, volume]);"


def test_the_first_button_starts_a_game_against_bots(live: LiveServer, page: Page) -> None:
    page.goto(live.url)
    first = page.locator("main button").first
    expect(first).to_contain_text("Play now against bots")
    first.click()
    expect(page.locator("#page-bar")).to_be_visible()
    expect(page.locator(".seat-notes", has_text="bot")).not_to_have_count(0)


@pytest.mark.parametrize("seats", ["bot", "device", "open", "invite"])
def test_a_table_is_set_in_three_clicks(live: LiveServer, page: Page, seats: str) -> None:
    """The three clicks are the game, its default number of players, and the table.

    Another number of players needs more.
    """
    page.goto(live.url)
    page.get_by_role("link", name="New table").click()
    page.get_by_role("radio", name="Wutaki").check()
    expect(page).to_have_url(re.compile("game=wutaki"))
    if seats != "bot":
        page.locator("[name='seat.1']").select_option(seats)
    page.get_by_role("button", name="Create the table").click()
    expect(page).to_have_url(re.compile("/t/[a-z0-9]+$"))
    if seats in ("open", "invite"):
        expect(page.locator(".places")).to_contain_text({"open": "Open", "invite": "Invited"}[seats])
    else:
        expect(page.locator("#page-regions, .curtain")).to_be_visible(timeout=SOON_MS)


def test_a_game_that_is_chosen_before_the_scripts_run_is_shown(live: LiveServer, page: Page) -> None:
    waiting: list[Route] = []

    def hold(route: Route) -> None:
        waiting.append(route)

    page.route("**/static/page.js*", hold, times=1)
    page.goto(f"{live.url}/new", wait_until="commit")
    page.get_by_role("radio", name="Wutaki").check()
    expect(page).to_have_url(re.compile("/new$"))
    [script] = waiting
    script.continue_()
    expect(page).to_have_url(re.compile("game=wutaki"))
    page.go_back()
    page.locator("body[data-ready]").wait_for()
    expect(page.get_by_role("radio", name="Atacama")).to_be_checked()
    expect(page).to_have_url(re.compile("/new$"))


def test_who_looks_at_another_number_of_players_loses_nothing_that_was_chosen(live: LiveServer, page: Page) -> None:
    page.goto(f"{live.url}/new?game=wutaki")
    page.locator("[name='seat.1']").select_option("device")
    page.locator("[name='name.1']").fill("Grandma")
    page.locator("[name='visibility']").select_option("private")
    page.get_by_role("radio", name="3").check()
    expect(page).to_have_url(re.compile("seats=3"))
    expect(page.locator("[name='seat.1']")).to_have_value("device")
    expect(page.locator("[name='name.1']")).to_have_value("Grandma")
    expect(page.locator("[name='visibility']")).to_have_value("private")
    expect(page).not_to_have_url(re.compile("csrf"))


def test_a_form_that_is_refused_leads_back(live: LiveServer, new_page: NewPage) -> None:
    page = live.visit(new_page(), live.guest("Ada"), "/join")
    page.get_by_label("Link, or the code from it").fill("nothing")
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("heading", name="This no longer exists")).to_be_visible()
    page.get_by_role("button", name="Back").click()
    expect(page.get_by_label("Link, or the code from it")).to_be_visible()


def test_games_are_known_by_their_covers(live: LiveServer, page: Page) -> None:
    login = live.guest("Ada")
    live.set_table(login, "wutaki", ["me", "open"])
    for path, covers in (("/new", len(atoll.games)), ("/lobby", 1)):
        live.visit(page, login, path)
        for picture in page.locator("img.thumbnail").all():
            page.wait_for_function("(img) => img.complete && img.naturalWidth === 320", arg=picture.element_handle())
        assert page.locator("img.thumbnail").count() >= covers


def test_a_table_that_gathers_says_what_is_played_who_has_come_and_how_others_come(
    live: LiveServer, new_page: NewPage
) -> None:
    ada, bo = live.guest("Ada"), live.guest("Bo")
    table = live.set_table(ada, "raiatea", ["me", "bot", "open"])
    host = new_page(locale="de-DE", viewport={"width": 360, "height": 740})
    live.visit(host, ada, f"/t/{table}")
    gathering = host.locator("#page-gathering")
    expect(gathering.get_by_role("heading", name="2 von 3 Plätzen sind besetzt")).to_be_visible()
    expect(gathering.locator(".places li")).to_contain_text(["Ada", "Bot 2", "Frei"])
    assert gathering.evaluate("(e) => e.scrollWidth <= e.clientWidth")
    title = gathering.get_by_role("heading", name="Raiatea")
    assert title.evaluate("(e) => e.scrollWidth <= e.clientWidth")
    gathering.get_by_role("button", name="Kopieren").click()
    expect(gathering.get_by_role("button", name="Kopiert")).to_be_visible()
    copied = pasted(host)
    assert copied == f"{live.url}/t/{table}"
    guest = new_page()
    live.visit(guest, bo, copied.removeprefix(live.url))
    assert not guest.locator("[data-copy]").count()  # who sits there invites
    guest.get_by_role("button", name="Sit down here").click()
    for page in (host, guest):
        expect(page.locator("main.status-running")).to_be_visible()
        expect(page.locator("#page-gathering")).to_have_count(0)
        expect(page.locator("#paper-log")).to_be_checked()


def test_a_table_that_waits_for_its_reader_is_the_first_thing_on_the_start_page(
    live: LiveServer, new_page: NewPage
) -> None:
    ada = live.guest("Ada")
    table = live.set_table(ada, "atacama", ["me", "device"], OPTIONS)
    other = live.set_table(ada, "atacama", ["me", "open"], OPTIONS)
    page = new_page(viewport={"width": 360, "height": 740}, is_mobile=True)
    live.visit(page, ada, "/")
    card = page.locator(f"a.card[href='/t/{table}']")
    expect(card).to_have_count(1)  # neither among the others again nor among those that anybody may join
    first = page.locator(".cover").first.bounding_box()
    box = card.bounding_box()
    assert box and first
    assert box["y"] + box["height"] <= first["y"] < 740
    expect(page.locator(f"[aria-labelledby=start-mine] a.card[href='/t/{other}']")).to_have_count(1)


def test_a_seat_to_which_nobody_comes_is_given_to_a_bot(live: LiveServer, new_page: NewPage) -> None:
    ada, bo = live.guest("Ada"), live.guest("Bo")
    table = live.set_table(ada, "atlandice", ["me", "open", "invite"])
    host, other = new_page(), new_page()
    live.visit(host, ada, f"/t/{table}")
    live.visit(other, bo, f"/t/{table}")
    assert not other.get_by_role("button", name="Add a bot").count()
    host.get_by_role("button", name="Add a bot").first.click()
    expect(host.locator(".places li")).to_contain_text(["Ada", "Bot 2", "Invited"])
    expect(other.locator(".places li")).to_contain_text(["Ada", "Bot 2", "Invited"])
    host.get_by_role("button", name="Add a bot").click()
    expect(host.locator("main.status-running")).to_be_visible()


def test_the_head_of_a_page_is_two_lines_on_a_small_phone(live: LiveServer, new_page: NewPage) -> None:
    for name in ("", "Augusta King of Lovelace"):
        page = new_page(locale="de-DE", viewport={"width": 360, "height": 740}, is_mobile=True)
        live.visit(page, live.guest(name) if name else None, "/join")
        tops = page.locator(".mast nav a").evaluate_all("(all) => all.map((e) => e.getBoundingClientRect().top)")
        assert len({round(top) for top in tops}) == 1
        last = page.locator(".mast nav a:last-child")
        assert last.evaluate("(e) => e.getBoundingClientRect().right") <= 360
        assert last.evaluate("(e) => e.scrollWidth > e.clientWidth") == bool(name)  # only a name is cut


def test_the_lobby_hears_of_a_table_and_leads_to_it(live: LiveServer, new_page: NewPage) -> None:
    ada, bo = live.guest("Ada"), live.guest("Bo")
    page = new_page()
    live.visit(page, bo, "/lobby")
    table = live.set_table(ada, "atacama", ["me", "open"], OPTIONS)
    card = page.locator(f"a[href='/t/{table}']")
    expect(card).to_contain_text("Waiting for players", timeout=SOON_MS)
    card.click()
    page.get_by_role("button", name="Sit down here").click()
    expect(page.locator("#field-r1c1")).to_be_visible(timeout=SOON_MS)
    live.visit(page, bo, "/mine")
    expect(page.locator(f"a[href='/t/{table}']")).to_contain_text("Running")
    live.visit(page, ada, "/mine")
    expect(page.locator(".card").first).to_contain_text("Your turn")


def _seated(live: LiveServer) -> tuple[str, Login, Login]:
    """A running table with two people."""
    ada, bo = live.guest("Ada"), live.guest("Bo")
    table = live.set_table(ada, "atacama", ["me", "open"], OPTIONS)
    live.ask(live.tables.table_setup.join(bo.user, table))
    live.ask(live.tables.table_setup.start(ada.user, table))
    return table, ada, bo


def _two(live: LiveServer, new_page: NewPage) -> tuple[str, Page, Page]:
    """A running table with two people, and their pages."""
    table, ada, bo = _seated(live)
    first, second = new_page(reduced_motion="reduce"), new_page(reduced_motion="reduce")
    live.visit(first, ada, f"/t/{table}")
    live.visit(second, bo, f"/t/{table}")
    return table, first, second


def _open_act(page: Page, name: str) -> Locator:
    """The step of the menu's part about the table that has to be confirmed."""
    page.locator("#page-menu > summary").click()
    page.locator(".acts summary", has_text=name).click()
    return page.locator(".acts details[open]")


def test_who_leaves_is_replaced_by_a_bot_and_may_return(live: LiveServer, new_page: NewPage) -> None:
    _, first, second = _two(live, new_page)
    act = _open_act(second, "Leave the game")
    expect(act).to_contain_text("A bot (Casual) plays on for you.")
    act.get_by_role("button", name="Leave").click()
    expect(first.locator("#seat-1")).to_contain_text("stand-in bot", timeout=SOON_MS)
    second.get_by_role("button", name="Take my seat back from the bot").click()
    expect(first.locator("#seat-1")).not_to_contain_text("stand-in bot", timeout=SOON_MS)
    expect(first.locator("#page-log")).to_contain_text("Bo is back.")


def test_what_lies_below_a_note_can_be_pressed(live: LiveServer, new_page: NewPage) -> None:
    _, _, second = _two(live, new_page)
    _open_act(second, "Replace Ada with a bot").get_by_role("button", name="Let a bot play").click()  # who is here
    note = second.locator("#page-hint")
    expect(note).to_be_visible()
    box = note.bounding_box()
    assert box is not None
    point = [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]
    assert not second.evaluate("([x, y]) => document.elementFromPoint(x, y).closest('#page-hint')", point)


def test_a_game_is_cancelled_when_all_agree(live: LiveServer, new_page: NewPage) -> None:
    _, first, second = _two(live, new_page)
    _open_act(first, "Cancel the game").get_by_role("button", name="Propose it").click()
    expect(first.locator("#page-menu")).not_to_have_attribute("open", "")
    expect(second.locator(".vote")).to_contain_text("In favor: Ada (1 of 2)", timeout=SOON_MS)
    first.get_by_role("button", name="Withdraw").click()
    expect(second.locator(".vote")).to_have_count(0, timeout=SOON_MS)
    _open_act(first, "Cancel the game").get_by_role("button", name="Propose it").click()
    second.get_by_role("button", name="Agree").click()
    for page in (first, second):
        expect(page.locator("#page-prompt")).to_have_text("This game was canceled.", timeout=SOON_MS)


# Of each action of the menu where it begins, where the site's pages do, and what lies outside of the window.
MENU = """() => {
    const seen = (css) => [...document.querySelectorAll(css)].filter((each) => each.checkVisibility());
    const boxes = (css) => seen(css).map((each) => each.getBoundingClientRect());
    const acts = boxes(".acts > form button, .acts summary");
    const [nav] = boxes("#page-menu nav");
    const [sheet] = boxes("#page-menu > .sheet");
    return {
        first: acts.length > 0 && acts.every((box) => box.bottom <= nav.top || box.right <= nav.left),
        small: acts.filter((box) => box.height < 44).length,
        inside: sheet.left >= 0 && sheet.top >= 0 && sheet.right <= innerWidth && sheet.bottom <= innerHeight,
    };
}"""


@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390), (1400, 900)])
def test_the_menu_begins_with_what_can_be_done_at_the_table(
    live: LiveServer, new_page: NewPage, width: int, height: int
) -> None:
    """It works with the keyboard and for screen readers, and the paper about the table repeats nothing."""
    table, ada, _ = _seated(live)
    page = new_page(viewport={"width": width, "height": height}, is_mobile=width < 1000, has_touch=width < 1000)
    live.visit(page, ada, f"/t/{table}")
    menu = page.locator("#page-menu > summary")
    menu.focus()
    page.keyboard.press("Enter")
    assert page.evaluate(MENU) == {"first": True, "small": 0, "inside": True}
    assert not violations(page, within="#page-menu")
    page.keyboard.press("Tab")
    section = page.get_by_role("region", name="This table").filter(has=page.locator("h2"))
    assert section.evaluate("(section) => section.contains(document.activeElement)"), "the table's part is first"
    leave = section.locator("summary", has_text="Leave the game")
    leave.focus()
    page.keyboard.press("Enter")
    expect(section.get_by_role("button", name="Leave")).to_be_visible()
    page.keyboard.press("Escape")
    expect(section).to_be_hidden()
    expect(menu).to_be_focused()
    page.keyboard.press("Enter")
    expect(section.get_by_role("button", name="Leave")).to_be_hidden()
    assert page.locator("#page-about details, #page-about button[name=subject], #page-about [name=wanted]").count() == 0


def test_without_scripts_the_menu_asks_back_before_the_game_is_cancelled(live: LiveServer, new_page: NewPage) -> None:
    login = live.guest("Ada")
    table = live.set_table(login, "atacama", ["me", "bot"], OPTIONS)
    page = new_page(java_script_enabled=False)
    live.visit(page, login, f"/t/{table}", scripts=False)
    act = _open_act(page, "Cancel the game")
    expect(act).to_contain_text("The game ends without a result.")
    act.get_by_role("button", name="Cancel the game").click()
    expect(page.locator("#page-prompt")).to_have_text("This game was canceled.")
    expect(page.locator(".acts")).to_have_count(0)


@pytest.fixture
def hasty(live: LiveServer) -> Iterator[None]:
    """Count people as absent after half a second without a sign of life."""
    executor = live.tables.executor
    old = executor.settings
    executor.settings = dataclasses.replace(old, absent_after_s=0.5)
    yield
    executor.settings = old


@pytest.mark.usefixtures("hasty")
def test_the_others_let_a_bot_play_for_who_stays_away(live: LiveServer, new_page: NewPage) -> None:
    table, first, second = _two(live, new_page)
    first.context.close()
    time.sleep(1)
    second.reload()
    live.ask(live.tables.store.change_user(_id(live, table, 0), seen=wall_clock.now_ms() - 60_000))
    _open_act(second, "Replace Ada with a bot").get_by_role("button", name="Let a bot play").click()
    expect(second.locator("#seat-0")).to_contain_text("stand-in bot", timeout=SOON_MS)


def _id(live: LiveServer, table: str, seat: int) -> str:
    row = live.ask(live.tables.store.table(table))
    user: str = row[1][seat].user_id
    return user


def test_a_rematch_brings_the_same_people_together(live: LiveServer, new_page: NewPage) -> None:
    ada, bo = live.guest("Ada", confirm_single=False), live.guest("Bo", confirm_single=False)
    table = live.set_table(ada, "atacama", ["me", "open"], OPTIONS)
    live.ask(live.tables.table_setup.join(bo.user, table))
    live.ask(live.tables.table_setup.start(ada.user, table))
    while live.view(ada, table).status == "running":
        for login in (ada, bo):
            play(live, login, table, 1) if live.view(login, table).turn else None
    first, second = new_page(reduced_motion="reduce"), new_page(reduced_motion="reduce")
    live.visit(first, ada, f"/t/{table}")
    live.visit(second, bo, f"/t/{table}")
    first.get_by_role("button", name="Rematch").click()
    expect(first.locator(".places")).to_contain_text("Bo")
    second.get_by_role("button", name="Go to the rematch").click(timeout=SOON_MS)
    for page in (first, second):
        expect(page.locator("#field-r1c1")).to_be_visible(timeout=SOON_MS)


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_title_and_sounds_call_me_to_the_table_once_somebody_has_clicked(
    live: LiveServer, new_page: NewPage, motion: str
) -> None:
    ada, bo = live.guest("Ada", confirm_single=False), live.guest("Bo", confirm_single=False)
    table = live.set_table(ada, "atacama", ["me", "open"], OPTIONS)
    live.ask(live.tables.table_setup.join(bo.user, table))
    live.ask(live.tables.table_setup.start(ada.user, table))
    page = new_page(reduced_motion=motion)
    page.route("**/late/sounds.js", lambda route: route.fulfill(body=SOUNDS, content_type="text/javascript"))
    heard = "() => window.heard ?? []"
    live.visit(page, bo, f"/t/{table}")
    expect(page).not_to_have_title(re.compile("Your turn"))
    play(live, ada, table, 1)
    expect(page).to_have_title(re.compile("^● Your turn"), timeout=SOON_MS)
    assert page.evaluate(heard) == [], "nobody has clicked here yet"
    choose(page, pick([row[1] for row in data(page)["question"]["legal"]], random.Random(1)), click)
    expect(page).not_to_have_title(re.compile("Your turn"), timeout=SOON_MS)
    play(live, ada, table, 1)
    expect(page).to_have_title(re.compile("^● Your turn"), timeout=SOON_MS)
    page.locator("#page-menu > summary").click()
    slider = page.locator("#page-menu input[data-volume]")
    slider.fill("80")
    if motion == "reduce":
        assert page.evaluate(heard) == []
        return
    expect(slider).to_have_value("80")
    wait_until(page, "() => window.heard.length > 2")
    assert page.evaluate(heard)[0] == ["piece", 0.4], "one's own"
    assert page.evaluate(heard)[-1] == ["piece", 0.8], "how loud it is now"
    assert ["turn", 0.4] in page.evaluate(heard)
    slider.fill("0")
    play(live, bo, table, 1)
    play(live, ada, table, 1)
    before = len(page.evaluate(heard))
    expect(page).to_have_title(re.compile("^● Your turn"), timeout=SOON_MS)
    assert len(page.evaluate(heard)) == before


def test_a_turn_of_several_choices_is_taken_back_whole(live: LiveServer, page: Page) -> None:
    login = live.guest("Ada")
    table = live.set_table(login, "atua", ["me", "device"])
    live.visit(page, login, f"/t/{table}?seat={_asked(live, table)}")
    before = data(page)["question"]
    for _ in range(40):
        view = live.view(login, table, data(page)["seat"])
        if view.turn is None or len(view.turn.staged) > 1 or not view.turn.legal:
            break
        page.evaluate("() => { document.getElementById('page-list').open = true; }")
        if page.locator("#page-list select").count():
            page.locator("#page-list form button").click()
        else:
            page.locator("#page-list form button").first.click()
        wait_until(page, "() => !document.getElementById('page-main').hasAttribute('aria-busy')")
    page.get_by_role("button", name="Restart turn").click()
    expect(page.get_by_role("button", name="Restart turn")).to_have_count(0)
    assert data(page)["question"] == before


def _asked(live: LiveServer, table: str) -> int:
    return next(info.seat for info in live.view(None, table).seats if info.to_move)


def test_the_rule_behind_a_question_is_read_in_place(live: LiveServer, page: Page) -> None:
    login = live.guest("Ada")
    table = live.set_table(login, "atacama", ["me", "device"], OPTIONS)
    live.visit(page, login, f"/t/{table}")
    link = page.get_by_role("link", name="Rule", exact=True)
    expect(page.locator("#page-rule")).to_be_hidden()
    link.click()
    expect(page.locator("#page-rule")).to_be_visible()
    expect(link).to_have_attribute("aria-expanded", "true")
    example = page.locator("#page-rule figure img").first
    example.scroll_into_view_if_needed()
    expect(example).to_be_visible()
    link.click()
    expect(page.locator("#page-rule")).to_be_hidden()
    for close in (
        page.locator("#page-rule").get_by_role("button", name="Close").click,
        partial(page.keyboard.press, "Escape"),
        page.locator("#page-prompt").click,
    ):
        link.click()
        expect(page.locator("#page-rule")).to_be_visible()
        close()
        expect(page.locator("#page-rule")).to_be_hidden()
        expect(link).to_have_attribute("aria-expanded", "false")
    link.click()
    page.get_by_role("link", name="All rules of this game").click()
    expect(page.locator(":target h3")).to_be_visible()
    expect(page.locator("details.rules-section")).not_to_have_count(0)
    page.get_by_role("searchbox").fill("four")
    expect(page.locator(".rules-count")).to_be_visible()
    expect(page.locator("#section-players")).to_be_visible()
    expect(page.locator("#section-goal")).to_have_count(0)


def _press(page: Page, name: str) -> None:
    """A button of the site's head; at a table it is in the menu."""
    if page.locator("#page-menu").count():
        page.locator("#page-menu > summary").click()
    page.get_by_role("button", name=name).click()


def test_language_and_colours_are_switched_on_any_page(live: LiveServer, page: Page) -> None:
    login = live.guest("Ada")
    table = live.set_table(login, "atacama", ["me", "device"], OPTIONS)
    switches = {
        f"/t/{table}": (("Deutsch", "[lang=de]"), ("Dunkel", "[lang=de][data-theme=dark]")),
        "/lobby": (
            ("English", "[lang=en][data-theme=dark]"),
            ("Light", "[data-theme=light]"),
            ("System setting", "[lang=en][data-theme=auto]"),
        ),
    }
    for path, all_here in switches.items():
        live.visit(page, login, path)
        for name, state in all_here:
            _press(page, name)
            expect(page.locator(f"html{state}")).to_have_count(1)  # the page is loaded again
            assert page.url.endswith(path)


def test_a_move_of_another_is_seen_to_happen(live: LiveServer, new_page: NewPage) -> None:
    """A change is marked for a while; it moves only for people who want motion."""
    ada, bo = live.guest("Ada", confirm_single=False), live.guest("Bo")
    table = live.set_table(ada, "atacama", ["me", "open"], OPTIONS)
    live.ask(live.tables.table_setup.join(bo.user, table))
    live.ask(live.tables.table_setup.start(ada.user, table))
    moving, still = new_page(), new_page(reduced_motion="reduce")
    for page in (moving, still):
        live.visit(page, bo, f"/t/{table}")
        page.evaluate(WATCH_FRESH)
    play(live, ada, table, 1)
    for page, moves in ((moving, True), (still, False)):
        wait_until(page, "() => window.fresh.length > 0")
        seen = page.evaluate("() => window.fresh")
        assert any(each["id"].startswith("rig-") for each in seen)
        assert any(each["moves"] for each in seen) == moves
        wait_until(page, "() => document.querySelectorAll('.fresh').length === 0")


WATCH_FRESH = """() => {
    window.fresh = [];
    new MutationObserver((changes) => {
        for (const { target } of changes) {
            if (!target.classList.contains("fresh") || window.fresh.some((each) => each.id === target.id)) continue;
            window.fresh.push({ id: target.id, moves: target.getAnimations().length > 0 });
        }
    }).observe(document.getElementById("page-main"), { attributes: true, attributeFilter: ["class"], subtree: true });
}"""


def test_a_name_that_was_given_on_the_start_page_goes_along_to_a_new_table(live: LiveServer, page: Page) -> None:
    live.visit(page, None, "/")
    page.get_by_label("Your name").fill("Ada & Bo")
    page.get_by_role("link", name="Atua").and_(page.locator("a[data-named]")).click()
    expect(page.get_by_role("heading", name="New table")).to_be_visible()
    expect(page.get_by_label("Your name")).to_have_value("Ada & Bo")
