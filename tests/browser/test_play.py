"""Games through the page by clicks, keyboard and touch; each way offers exactly the legal choices."""

from __future__ import annotations

import random
import time

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

import atoll
from atoll.server.domain.model import Login
from atoll.server.http.session import cookie_name
from atoll.testing.browser import (
    check_offer,
    choose,
    click,
    confirm,
    data,
    elements,
    number_in,
    open_page,
    pick,
    tap,
    wait_for_turn,
    wait_until,
)
from atoll.testing.browser_laws import click_through
from atoll.testing.live_server import LiveServer
from atoll.testing.play import BrokenLaw
from tests.browser.conftest import NewPage
from tests.browser.live import fetched

# Games, seats and decisions; with more seats than fewest only the beginning, as it's the same page. Whole games are
# played in test_whole_games.py.
GAMES = [
    (id, seats, 10 if seats == atoll.games[id].seat_counts[0] else 4)
    for id in atoll.games
    for seats in atoll.games[id].seat_counts
]
LATE = 24  # of the 28 turns of a game of Atacama

# of each line that a seat's name begins: it, the colour of its bar, the colour of that seat's mark
BARS = """() => {
  const marks = [...document.querySelectorAll("#page-seats .seat-name")].map(name =>
    [name.textContent.trim(), getComputedStyle(name.closest("[id^=seat-]").querySelector(".mark")).fill]);
  return [...document.querySelectorAll("#page-log li")].flatMap(line => marks
    .filter(([name]) => line.textContent.trim().startsWith(name + " "))
    .map(([, mark]) => [line.textContent, getComputedStyle(line).borderLeftColor, mark]));
}"""


def skip_to(live: LiveServer, page: Page, login: Login, turn: int, *, scripts: bool = True) -> None:
    """Let the middle of a page's game of Atacama be played at random without the page, until this turn.

    A turn that the seat has begun is confirmed; the state that it sees counts it already.
    """
    table, chooser = data(page)["table"], random.Random(turn)
    page.goto("about:blank")
    while True:
        seen = live.view(login, table, 0)
        begun = seen.turn is not None and seen.turn.can_confirm
        if seen.view["state"]["turn"] >= turn and not begun:  # type: ignore[index]
            break
        if seen.turn is None:
            time.sleep(0.02)
        else:
            live.step(login, table, 0, chooser)
    live.visit(page, login, f"/t/{table}", scripts=scripts)
    page.keyboard.press("Escape")  # don't replay the missed moves


def test_a_game_against_a_bot_by_clicking(live: LiveServer, page: Page) -> None:
    page.goto(live.url)
    page.get_by_label("Your name").fill("Ada")
    page.get_by_role("button", name="Play now against bots: Atacama").click()
    chooser = random.Random(1)
    page.wait_for_selector("main.play")
    turns = 0
    token = next(each["value"] for each in page.context.cookies() if each["name"] == cookie_name(live.tables))
    user = live.ask(live.tables.users.by_token(token, "session"))
    while wait_for_turn(page):
        legal = [row[1] for row in data(page)["question"]["legal"]]
        choose(page, chooser.choice(legal), click)
        confirm(page, click)
        turns += 1
        if turns == 3:
            skip_to(live, page, Login(user, token), LATE)
    assert turns >= 5
    first = page.locator(".ranking > li.place-1 .seat-name").first.inner_text()
    expect(page.locator("#page-prompt")).to_have_text(
        f"The game is over: {'you have' if first == 'Ada' else first + ' has'} won."
    )
    expect(page.locator("#page-coach")).to_have_count(0)
    expect(page.locator("#page-log")).to_be_visible()
    expect(page.locator("[data-skip], [data-count]").locator("visible=true")).to_have_count(1)
    page.keyboard.press("Escape")
    bars = page.evaluate(BARS)
    assert len({color for _, color, _ in bars}) == 2
    assert [color for _, color, _ in bars] == [mark for _, _, mark in bars]
    for row in page.locator(".ranking > li").all():
        if not row.locator("details[open]").count():
            row.locator("summary").click()
        total = number_in(row.locator(".total").inner_text())
        assert sum(number_in(cell.inner_text()) for cell in row.locator("tr.line td").all()) == total
        for body in row.locator("tbody").all():
            parts = [number_in(cell.inner_text()) for cell in body.locator("tr.part td.number").all()]
            assert sum(parts) == total
    page.reload()
    expect(page.locator(".ranking > li")).to_have_count(2)


@pytest.mark.parametrize(("game", "seats", "decisions"), GAMES)
def test_at_each_decision_exactly_the_legal_choices_are_offered(
    live: LiveServer, new_page: NewPage, game: str, seats: int, decisions: int
) -> None:
    page = new_page(reduced_motion="reduce")  # else each seat is first shown the moves that it missed
    click_through(live, page, atoll.games[game], seats, decisions)


def test_what_a_page_offers_too_much_or_too_little_is_found(live: LiveServer, page: Page) -> None:
    login = live.guest("Ada")
    table = live.set_table(login, "atacama", ["me", "device"], {"start_player": "seat_1"})
    live.visit(page, login, f"/t/{table}")
    turn = live.view(login, table, 0).turn
    assert turn is not None
    check_offer(page, turn.texts)
    with pytest.raises(BrokenLaw, match="the page's choices"):
        check_offer(page, turn.texts[1:])
    page.locator("#field-r4c4").evaluate("(field) => field.classList.remove('legal')")
    with pytest.raises(BrokenLaw, match=r"'field-r4c4' .* glows: False"):
        check_offer(page, turn.texts)
    page.locator("#field-r4c4").evaluate("(field) => field.remove()")
    with pytest.raises(BrokenLaw, match="buttons for choices that no element represents"):
        check_offer(page, turn.texts)


def test_a_game_by_keyboard_alone(live: LiveServer, new_page: NewPage) -> None:
    page = new_page(reduced_motion="reduce")  # the bot's moves aren't played
    login = live.guest("Ada")
    table = live.set_table(login, "atacama", ["me", "bot"], {"setup": "enhanced", "tactic": True})
    live.visit(page, login, f"/t/{table}")
    chooser, decisions = random.Random(3), 0
    while wait_for_turn(page):
        decisions += 1
        if decisions == 6:
            skip_to(live, page, login, LATE)
            continue
        if data(page)["confirm"]:
            page.locator("#page-confirm").focus()
            page.keyboard.press("Enter")
            wait_until(page, "() => !document.getElementById('page-confirm')")
            continue
        legal = [row[1] for row in data(page)["question"]["legal"]]
        choose(page, chooser.choice(legal), lambda target: press(page, target))
        page.locator("#page-main").focus()
        page.keyboard.press("c")
        wait_until(page, "() => !document.getElementById('page-confirm')")
    expect(page.locator(".ranking > li")).to_have_count(2)


def press(page: Page, target: Locator) -> None:
    """Reach something with keys and press it: elements by B and N, tabs by arrows, all else by Tab."""
    wanted = target.get_attribute("id")
    if target.evaluate("(e) => e.matches('label[data-tab]')"):
        page.locator("[name=tab]:checked").focus()
        for _ in range(6):
            if target.evaluate("(e) => e.control.checked"):
                break
            page.keyboard.press("ArrowRight")
        assert target.evaluate("(e) => e.control.checked")
        return
    if "element" in (target.get_attribute("class") or "").split():
        if target.locator("xpath=ancestor::dialog").count() == 0:
            page.locator("#page-main").focus()
            page.keyboard.press("b")
        else:
            target.locator("xpath=ancestor::dialog").locator(".element").first.focus()
        for _ in range(200):
            if page.evaluate("() => document.activeElement.id") == wanted:
                break
            page.keyboard.press("n")
    else:
        for _ in range(60):
            if target.evaluate("(e) => e === document.activeElement"):
                break
            page.keyboard.press("Tab")
    assert target.evaluate("(e) => e === document.activeElement")
    page.keyboard.press("Enter")


def test_who_chose_by_keys_what_is_gone_then_is_at_the_table_still(live: LiveServer, page: Page) -> None:
    """Wutaki: of two secret pacts one goes back."""
    login = live.guest("Ada")
    table = live.set_table(login, "wutaki", ["me", "bot"])
    live.visit(page, login, f"/t/{table}?seat=0")
    press(page, page.locator("#secret-1"))
    expect(page.locator("#page-confirm")).to_be_visible()
    assert page.evaluate(FOCUSED, "#secret-1")
    page.keyboard.press("c")
    expect(page.locator("#secret-1")).to_have_count(0)
    assert page.evaluate(FOCUSED, "#page-main, #page-main *")
    page.keyboard.press("b")
    assert page.evaluate(FOCUSED, ".element")


def test_letters_are_heard_at_a_fresh_table_and_on_any_layout(live: LiveServer, page: Page) -> None:
    login = live.guest("Ada")
    table = live.set_table(login, "atacama", ["me", "device"], {"start_player": "seat_1"})

    def press_russian(key: str, code: str) -> None:
        page.evaluate(
            """([key, code]) => document.activeElement.dispatchEvent(
                new KeyboardEvent("keydown", { key, code, bubbles: true, cancelable: true })
            )""",
            [key, code],
        )

    for page_key in (page.keyboard.press, lambda key: press_russian({"n": "т", "u": "г"}[key], f"Key{key.upper()}")):
        live.visit(page, login, f"/t/{table}")
        assert page.evaluate(FOCUSED, "body")
        page_key("n")
        assert page.evaluate(FOCUSED, ".element.legal")
        page.keyboard.press("Enter")
        expect(page.locator("#page-undo")).to_be_visible()
        page.evaluate("() => document.activeElement.blur()")
        page_key("u")
        expect(page.locator("#page-undo")).to_have_count(0)
    page.keyboard.press("?")
    page.evaluate("() => document.activeElement.blur()")
    page.keyboard.press("n")
    assert page.evaluate(FOCUSED, "body"), "behind an open dialog letters do nothing"
    page.keyboard.press("Escape")
    page.locator("a.skip[href='#page-main']").first.focus()
    page.keyboard.press("n")
    assert page.evaluate(FOCUSED, "a.skip"), "letters are the table's alone"


FOCUSED = "(css) => document.activeElement.matches(css)"


def test_from_picture_to_tools_it_is_a_short_way_by_tab_and_the_log_is_one_stop(live: LiveServer, page: Page) -> None:
    for game in atoll.games.values():
        login = live.guest("Ada")
        table = live.set_table(login, game.id, ["me", *["device"] * (game.seat_counts[0] - 1)])
        chooser = random.Random(6)
        for _ in range(4):
            seat = next(info.seat for info in live.view(login, table).seats if info.to_move and not info.ready)
            live.step(login, table, seat, chooser)
        seat = next(info.seat for info in live.view(login, table).seats if info.to_move and not info.ready)
        live.visit(page, login, f"/t/{table}?seat={seat}")
        page.locator("#page-main").focus()
        page.keyboard.press("b")
        assert page.evaluate(FOCUSED, ".element"), game.id
        stops = 0
        while not page.evaluate(FOCUSED, ".skip"):
            page.keyboard.press("Tab")
            stops += 1
            assert stops <= 4, game.id
        page.keyboard.press("Enter")
        assert page.evaluate(FOCUSED, "#page-tools"), game.id
        page.keyboard.press("Tab")
        assert page.evaluate(FOCUSED, "#page-tools *, #page-menu summary"), game.id
        page.locator("#page-main").focus()
        page.keyboard.press("l")
        lines = page.locator("#page-log a").all()
        for key, line in (("ArrowDown", lines[0]), ("ArrowDown", lines[1]), ("End", lines[-1]), ("Home", lines[0])):
            page.keyboard.press(key)
            assert line.evaluate("(each) => each === document.activeElement"), (game.id, key)
        page.keyboard.press("Tab")
        assert not page.evaluate(FOCUSED, "#page-log *"), game.id


def test_arrows_walk_over_the_board(live: LiveServer, page: Page) -> None:
    login = live.guest("Ada")
    table = live.set_table(login, "atacama", ["me", "device"], {"start_player": "seat_1"})
    live.visit(page, login, f"/t/{table}")
    page.locator("#field-r2c2").focus()
    for key, field in (
        ("ArrowRight", "r2c3"),
        ("ArrowRight", "r2c4"),
        ("ArrowDown", "r3c4"),
        ("ArrowLeft", "r3c3"),
        ("ArrowUp", "r2c3"),
    ):
        page.keyboard.press(key)
        assert page.evaluate("() => document.activeElement.id") == f"field-{field}"


def test_a_game_by_touch_on_a_phone(live: LiveServer, new_page: NewPage) -> None:
    phone = {"width": 390, "height": 844}
    page = new_page(viewport=phone, is_mobile=True, has_touch=True, reduced_motion="reduce")
    login = live.guest("Ada")
    table = live.set_table(login, "atacama", ["me", "bot"], {"setup": "enhanced"})
    live.visit(page, login, f"/t/{table}")
    chooser, turns = random.Random(5), 0

    while wait_for_turn(page):
        turns += 1
        if turns == 5:
            skip_to(live, page, login, LATE)
            continue
        if not data(page)["confirm"]:
            choose(page, pick([row[1] for row in data(page)["question"]["legal"]], chooser), tap)
        confirm(page, tap)
    expect(page.locator(".ranking > li")).to_have_count(2)
    expect(page.locator(".ranking details[open]")).to_have_count(1)  # the viewer's own lines
    for tab in ("seats", "log"):  # the score is folded by going elsewhere, and opened from anywhere
        page.locator(f"label[for=tab-{tab}]").tap()
        expect(page.locator(".ranking")).to_be_hidden()
        page.locator("#page-result summary").first.tap()
        expect(page.locator(".ranking")).to_be_visible()


def test_an_illegal_element_says_why_not(live: LiveServer, page: Page) -> None:
    login = live.guest("Ada", confirm_single=False)
    table = live.set_table(login, "atacama", ["me", "device"], {"start_player": "seat_1"})
    live.visit(page, login, f"/t/{table}")
    page.locator("#field-r5c5").click()
    wait_until(page, "() => JSON.parse(document.getElementById('page-data').textContent).seat === 1")
    page.locator("#field-r5c6").click(force=True)
    expect(page.locator("#page-hint")).to_contain_text("shares an edge with the rig on r5c5")
    expect(page.locator("#page-live")).to_contain_text("shares an edge")
    page.locator("#field-r5c5").dispatch_event("click")  # the first answer may lie over it: it can't be chosen
    expect(page.locator("#page-hint")).to_contain_text("A rig already stands on r5c5")
    assert live.view(login, table, 1).turn is not None


def test_hover_and_focus_preview_the_result(live: LiveServer, page: Page) -> None:
    login = live.guest("Ada")
    table = live.set_table(login, "atacama", ["me", "device"], {"start_player": "seat_1"})
    live.visit(page, login, f"/t/{table}")
    before = page.locator("#page-regions").inner_html()
    page.locator("#field-r2c2").hover()
    expect(page.locator("#rig-r2c2.arriving")).to_have_count(1)
    for near in ("r1c2", "r2c1", "r2c3", "r3c2"):
        expect(page.locator(f"#field-{near}.blocked")).to_have_count(1)
    expect(page.locator("#supply-0-base .difference")).to_have_text("−1")
    page.mouse.move(5, 5)
    expect(page.locator(".arriving")).to_have_count(0)
    assert page.locator("#page-regions").inner_html() == before
    page.locator("#field-r3c3").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#rig-r3c4.arriving")).to_have_count(1)
    assert live.view(login, table, 0).turn.staged == ()  # type: ignore[union-attr]


def test_a_long_press_explains_and_previews_and_chooses_nothing(live: LiveServer, new_page: NewPage) -> None:
    page = new_page(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    login = live.guest("Ada", confirm_single=False)
    table = live.set_table(login, "atacama", ["me", "device"], {"start_player": "seat_1"})
    live.visit(page, login, f"/t/{table}")
    finger = page.context.new_cdp_session(page)
    for field in ("r2c2", "r6c6"):
        box = page.locator(f"#field-{field}").bounding_box()
        assert box is not None
        touch = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [touch]})
        expect(page.locator(f"#rig-{field}.arriving")).to_have_count(1)
        finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        page.wait_for_timeout(300)  # a click would come now
        expect(page.locator("#page-hint")).to_contain_text(field)
        expect(page.locator(f"#rig-{field}.arriving")).to_have_count(1)
    page.locator("#page-prompt").tap()
    expect(page.locator(".arriving")).to_have_count(0)
    page.locator("#field-r8c8").tap()
    expect(page.locator("#rig-r8c8:not(.arriving)")).to_have_count(1)
    expect(page.locator("[id^=rig-]")).to_have_count(1)


@pytest.mark.parametrize("act", ["click", "Enter"])
def test_a_die_is_one_decision_and_one_tap(live: LiveServer, page: Page, act: str) -> None:
    """With two players, too, where it may go to the neutral player instead."""
    login = live.guest("Ada", confirm_single=True)
    table = live.set_table(login, "atlandice", ["me", "bot"])
    live.visit(page, login, f"/t/{table}")
    wait_until(page, "() => document.querySelector('.pawn.legal')")
    for kind, css in (("search", ".die.legal"), ("search_neutral", ".pawn.legal")):
        element = page.locator(css).first
        if act == "click":
            element.click()
        else:
            element.focus()
            page.keyboard.press(act)
        wait_until(page, "() => document.getElementById('page-undo')")
        turn = live.view(login, table, 0).turn
        assert turn is not None
        assert turn.staged_texts[0].split()[0] == kind
        page.locator("#page-undo").click()
        wait_until(page, "() => document.querySelector('.pawn.legal')")
    assert live.view(login, table, 0).turn.staged == ()  # type: ignore[union-attr]


UNDER_POINTER = "([x, y]) => document.elementFromPoint(x, y)?.closest('.element')?.dataset.choice ?? ''"
# Elements without a preview are given the time for one.
PREVIEWED = """async () => {
    const end = performance.now() + 300;
    const comes = () => document.querySelector(".previewing") !== null;
    while (!comes() && performance.now() < end) await new Promise(requestAnimationFrame);
    return comes();
}"""


@pytest.mark.parametrize("game", atoll.games)
def test_under_a_preview_the_same_is_chosen_as_before(live: LiveServer, new_page: NewPage, game: str) -> None:
    page = new_page(reduced_motion="reduce")  # nothing is replayed
    login = live.guest("Ada", confirm_single=True)
    table = live.set_table(login, game, ["me", *["device"] * (atoll.games[game].seat_counts[-1] - 1)])
    chooser = random.Random(4)
    seen = 0
    for _ in range(4):
        for _ in range(3):
            seat = next(info.seat for info in live.view(login, table).seats if info.to_move and not info.ready)
            live.step(login, table, seat, chooser)
        seat = next(info.seat for info in live.view(login, table).seats if info.to_move and not info.ready)
        live.visit(page, login, f"/t/{table}?seat={seat}")
        legal = page.locator("#page-regions .element.legal:visible")
        for i in range(min(legal.count(), 2)):
            each = legal.nth(i)
            each.scroll_into_view_if_needed()
            box = each.bounding_box()
            assert box is not None
            point = [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]
            page.mouse.move(1, 1)
            wait_until(page, "() => !document.querySelector('.previewing')")
            before = page.evaluate(UNDER_POINTER, point)
            page.mouse.move(*point)
            seen += page.evaluate(PREVIEWED)
            assert page.evaluate(UNDER_POINTER, point) == before
    assert seen > 2


FLIPS = """
window.flipped = [];
document.addEventListener("animationstart", (event) => {
    if (event.animationName === "atacama-flip") window.flipped.push(event.target.id);
});
"""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_new_batch_of_sub_boards_flips_onto_the_desert(live: LiveServer, new_page: NewPage, motion: str) -> None:
    page = new_page(reduced_motion=motion)
    page.add_init_script(FLIPS)
    login = live.guest("Ada", confirm_single=True)
    table = live.set_table(login, "atacama", ["me", "device"], {"setup": "enhanced", "start_player": "seat_1"})
    live.visit(page, login, f"/t/{table}?seat=0")
    laid = "() => [...document.querySelectorAll('.sub-board')].map((each) => each.id)"
    before = set(page.evaluate(laid))
    assert len(before) == 3
    chooser = random.Random(2)
    while (shown := live.view(login, table, 0)).view["state"]["turn"] < 6:  # type: ignore[index]
        [seat] = [info.seat for info in shown.seats if info.to_move]
        live.step(login, table, seat, chooser)
    expect(page.locator(".sub-board")).to_have_count(6)
    new = set(page.evaluate(laid)) - before
    if motion == "reduce":
        assert page.evaluate("() => window.flipped") == []
    else:
        wait_until(page, "(new_ones) => new_ones.every((each) => window.flipped.includes(each))", sorted(new))
        assert set(page.evaluate("() => window.flipped")) == new


def test_undo_and_restart_take_back_what_is_not_confirmed(live: LiveServer, page: Page) -> None:
    login = live.guest("Ada")
    table = live.set_table(login, "atacama", ["me", "device"], {"start_player": "seat_1"})
    live.visit(page, login, f"/t/{table}")
    page.locator("#field-r4c4").click()
    expect(page.locator("#rig-r4c4")).to_have_count(1)
    page.reload()
    expect(page.locator("#rig-r4c4")).to_have_count(1)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#rig-r4c4")).to_have_count(0)
    page.locator("#field-r6c6").click()
    expect(page.locator("#page-confirm")).to_be_visible()
    page.mouse.move(5, 5)
    page.keyboard.press("u")
    expect(page.locator("#rig-r6c6")).to_have_count(0)


def test_two_steps_choose_field_and_kind_in_either_order(live: LiveServer, page: Page) -> None:
    login = live.guest("Ada")
    table = live.set_table(login, "atacama", ["me", "device"], {"start_player": "seat_1", "tactic": True})
    live.visit(page, login, f"/t/{table}")
    page.locator("#field-r4c4").click()
    expect(page.locator("#field-r4c4.picked")).to_have_count(1)
    page.locator("#supply-0-double").click()
    expect(page.locator("#page-prompt")).to_contain_text("double rig")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#page-confirm")).to_have_count(0)
    page.locator("#supply-0-base").click()
    page.locator("#field-r4c5").click()
    expect(page.locator("#rig-r4c5")).to_have_count(1)
    assert live.view(login, table, 0).turn.staged_texts == ("place r4c5 base",)  # type: ignore[union-attr]


def test_a_concession_is_bought_in_a_dialog(live: LiveServer, page: Page) -> None:
    login = live.guest("Ada")
    options = {"start_player": "seat_1", "setup": "enhanced", "tactic": True}
    table = live.set_table(login, "atacama", ["me", "device"], options)
    live.visit(page, login, f"/t/{table}")
    page.get_by_role("button", name="Buy a concession").click()
    page.locator("#offer-orange-rows").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator("[data-texts]")).to_have_count(2)
    dialog.locator("[data-texts='buy orange rows double']").click()
    expect(dialog).to_have_count(0)
    turn = live.view(login, table, 0).turn
    assert turn is not None
    assert turn.staged_texts == ("buy orange rows double",)
    page.get_by_role("button", name="Confirm").click()
    expect(page.locator(".seat .role.orange")).to_have_count(1)


def test_a_dialog_that_is_closed_leaves_nothing_chosen(live: LiveServer, page: Page) -> None:
    login = live.guest("Ada")
    table = live.set_table(login, "atacama", ["me", "device"], {"setup": "enhanced", "tactic": True})
    live.visit(page, login, f"/t/{table}")
    page.get_by_role("button", name="Buy a concession").click()
    page.locator("#offer-orange-rows").click()
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator(".picked")).to_have_count(0)
    page.locator(".field.legal").first.click()
    expect(page.locator(".field.picked")).to_have_count(1)


def test_every_choice_can_be_made_without_javascript(live: LiveServer, new_page: NewPage) -> None:
    page = new_page(java_script_enabled=False)
    login = live.guest("Ada", confirm_single=False)
    table = live.set_table(login, "atacama", ["me", "bot"], {"setup": "enhanced", "start_player": "seat_1"})
    live.visit(page, login, f"/t/{table}", scripts=False)
    chooser, decisions = random.Random(8), 0
    while live.view(login, table).status == "running":
        if page.locator("#page-list summary").count() == 0:
            page.wait_for_timeout(100)
            page.goto(f"{live.url}/t/{table}")
            continue
        decisions += 1
        if decisions == 6:
            skip_to(live, page, login, LATE, scripts=False)
            continue
        page.locator("#page-list summary").click()
        choices = page.locator("#page-list select")
        if choices.count():
            values = [o.get_attribute("value") or "" for o in choices.locator("option").all()]
            choices.select_option(chooser.choice(values))
            page.locator("#page-list button").click()
        else:
            chooser.choice(page.locator("#page-list button").all()).click()
    page.goto(f"{live.url}/t/{table}")
    expect(page.locator(".ranking > li")).to_have_count(2)


def _break_morph(route: Route) -> None:
    script = fetched(route).text()
    broken = script.replace("function morph(oldNode,", "function morph(oldNode,a,b,c=null.none,")
    assert broken != script
    route.fulfill(body=broken, content_type="text/javascript; charset=utf-8")


def test_a_page_whose_script_does_not_load_can_be_played(live: LiveServer, page: Page) -> None:
    login = live.guest("Ada", confirm_single=False)
    table = live.set_table(login, "atacama", ["me", "device"], {"start_player": "seat_1"})
    page.route("**/page.js", lambda route: route.abort())
    live.visit(page, login, f"/t/{table}", scripts=False)
    page.locator("#page-list summary").click()
    page.locator("#page-list button").first.click()
    expect(page.locator("#page-prompt")).to_contain_text("Ada 2")


@pytest.mark.parametrize("game", ["atacama", "atua"])
def test_a_page_that_cannot_be_morphed_is_replaced(live: LiveServer, browser: Browser, game: str) -> None:
    """It isn't loaded again: a page that fails as soon as it is there would never come to rest."""
    errors: list[str] = []
    page = open_page(browser, errors)
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url) if request.is_navigation_request() else None)
    people = [live.guest("Ada"), live.guest("Bo")]
    table = live.set_table(people[0], game, ["me", "open"])
    live.ask(live.tables.table_setup.join(people[1].user, table, 1))
    live.ask(live.tables.table_setup.start(people[0].user, table))
    page.route("**/page.js", _break_morph)
    live.visit(page, people[0], f"/t/{table}")
    chooser = random.Random(1)
    while live.view(None, table).view_sequence < 6:
        seat = next(info.seat for info in live.view(None, table).seats if info.to_move)
        live.step(people[seat], table, seat, chooser)
    shown = "(sequence) => JSON.parse(document.getElementById('page-data').textContent).sequence === sequence"
    wait_until(page, shown, live.view(people[0], table).view_sequence)
    expect(page.locator("#page-regions")).to_be_visible()
    assert errors and len(loaded) == 1
    page.context.close()


def test_what_is_tried_out_is_chosen_as_at_the_table_and_leaves_it_alone(live: LiveServer, page: Page) -> None:
    login = live.guest("Ada")
    table = live.set_table(login, "atacama", ["me", "device"])
    before = live.view(login, table)
    live.visit(page, login, f"/t/{table}")
    page.goto(page.locator("#page-try").evaluate("(link) => link.href"))
    page.locator("body[data-ready]").wait_for()
    expect(page.locator("#page-guessed")).to_be_visible()
    chooser, steps = random.Random(2), [data(page)["step"]]
    for act in (click, lambda target: press(page, target), click, click):
        legal = [row[1] for row in data(page)["question"]["legal"]]
        check_offer(page, legal)
        choose(page, chooser.choice(legal), act)
        steps.append(data(page)["step"])
    assert page.locator("#page-tried li").count() >= 2
    page.locator("#page-main").focus()
    page.keyboard.press("u")
    wait_until(page, "(old) => JSON.parse(document.getElementById('page-data').textContent).step === old", steps[-2])
    page.go_back()
    wait_until(page, "(old) => JSON.parse(document.getElementById('page-data').textContent).step === old", steps[-1])
    page.reload()
    assert data(page)["step"] == steps[-1]
    page.locator("#page-table").click()
    page.wait_for_selector("main[data-table]")
    assert live.view(login, table) == before


def test_elements_bind_only_choices_that_exist(live: LiveServer, page: Page) -> None:
    """A typing error in a pattern would never match: each one fits at least one choice of the game."""
    for game in atoll.games.values():
        login = live.guest("Ada")
        table = live.set_table(login, game.id, ["me", *["device"] * (game.seat_counts[0] - 1)])
        live.visit(page, login, f"/t/{table}")
        kinds = {kind.name: kind for kind in game.vocabulary.kinds if not kind.is_chance}
        for each in elements(page):
            for pattern in filter(None, (part.strip() for part in each["choice"].split(";"))):
                name, *parts = pattern.split()
                assert name in kinds, pattern
                allowed = [game.notation.names(domain.name) for domain in kinds[name].domains]
                assert len(parts) == len(allowed), pattern
                assert all(part in ("*", *names) for part, names in zip(parts, allowed, strict=True)), pattern
