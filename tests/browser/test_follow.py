"""Moves of others are played one after the other: live, after a return, and in the replay."""

import random
import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from atoll.server.domain.model import Login
from atoll.testing.browser import choose, click, wait_until
from atoll.testing.live_server import LiveServer
from tests.browser.axe import violations
from tests.browser.conftest import NewPage
from tests.browser.test_offers import COVERED

FIELDS = ("r1c1", "r2c5", "r9c9", "r5c3")
UPDATE = re.compile(r"/t/\w+\?seat=\d$")


def lit(page: Page) -> set[str]:
    """The elements that are lit."""
    found: list[str] = page.evaluate("() => [...document.querySelectorAll('.element.spot')].map((e) => e.id)")
    return set(found)


def marked(page: Page) -> set[str]:
    """The elements that have changed since the last choice."""
    found: list[str] = page.evaluate("() => [...document.querySelectorAll('.element.since')].map((e) => e.id)")
    return set(found)


def player(page: Page, name: str) -> Locator:
    return page.locator(f"[data-player={name}]")


class Friends:
    """A table of people; those without a page play through the service."""

    def __init__(self, live: LiveServer, names: str, *, tactic: bool = False, **settings: Any) -> None:
        self.live = live
        self.people = [live.guest(name, **settings) for name in names.split()]
        options = {"start_player": "seat_1", "tactic": tactic}
        self.table = live.set_table(self.people[0], "atacama", ["me", *("open" for _ in self.people[1:])], options)
        for login in self.people[1:]:
            live.ask(live.tables.table_setup.join(login.user, self.table))
        live.ask(live.tables.table_setup.start(self.people[0].user, self.table))

    @property
    def path(self) -> str:
        return f"/t/{self.table}"

    def place(self, seat: int, field: str) -> None:
        """A seat places a rig."""
        login: Login = self.people[seat]
        turn = self.live.view(login, self.table, seat).turn
        assert turn is not None
        choices = [f"place {field} base"]
        self.live.ask(self.live.tables.turns.choose(login.user, self.table, seat, choices, turn.stamp, confirm=True))


def test_what_others_do_at_a_table_is_played_act_by_act(live: LiveServer, page: Page) -> None:
    friends = Friends(live, "Ada Bo Cy Di", pace="slow", confirm_single=False)
    live.visit(page, friends.people[0], friends.path)
    choose(page, f"place {FIELDS[0]} base", click)
    expect(page.locator(f"#rig-{FIELDS[0]}")).to_have_count(1)
    friends.place(1, FIELDS[1])
    expect(player(page, "play")).to_be_visible()
    player(page, "play").click()  # pause: from here on at the test's pace
    expect(player(page, "play")).to_have_attribute("aria-label", "Play")
    friends.place(2, FIELDS[2])
    friends.place(3, FIELDS[3])
    expect(page.locator(".told-at")).to_have_text("1 of 3 · your turn, left to watch: 2")
    wait_until(page, "() => JSON.parse(document.getElementById('page-data').textContent).mine")
    assert page.locator(".element.legal").count() == 0, "nothing can be chosen in an earlier picture"
    assert not page.locator("#page-list").is_visible()
    for at, (name, field) in enumerate(zip(("Bo", "Cy", "Di"), FIELDS[1:], strict=True), 1):
        expect(page.locator(".told")).to_contain_text(f"{at} of 3")
        expect(page.locator(".told")).to_contain_text(f"{name} places a rig on {field}")
        expect(page.locator("#page-live")).to_contain_text(f"{name} places a rig on {field}")
        expect(page.locator(".rig")).to_have_count(1 + at)
        assert lit(page) == {f"field-{field}"}
        newest = page.locator("#page-log li:visible").first
        expect(newest).to_contain_text(f"{name} places a rig on {field}")
        if at < 3:
            page.keyboard.press(".")
    page.keyboard.press(",")
    expect(page.locator(".rig")).to_have_count(3)
    assert not violations(page)
    page.get_by_role("button", name="Skip").click()
    expect(page.locator(".rig")).to_have_count(4)
    expect(page.locator(".player")).to_be_hidden()
    expect(page.locator("#page-live")).to_contain_text("Place one of your rigs")
    assert page.locator(".field.legal").count() > 60
    changed = {f"field-{field}" for field in FIELDS[1:]}
    assert marked(page) >= changed
    assert f"field-{FIELDS[0]}" not in marked(page)
    page.reload()
    wait_until(page, "() => document.querySelectorAll('.element.since').length > 0")
    assert marked(page) >= changed
    expect(page.locator(".player")).to_be_hidden()
    page.locator("#page-again").click()
    expect(page.locator(".told")).to_contain_text("1 of 3")
    page.locator("#field-r7c7").click(force=True)  # a click in the picture while it is my turn: I have seen enough
    expect(page.locator(".player")).to_be_hidden()
    choose(page, "place r8c8 base", click)
    wait_until(page, "() => document.querySelectorAll('.element.since').length === 0")


def test_what_is_taken_back_goes_from_the_page_and_what_comes_instead_is_played(live: LiveServer, page: Page) -> None:
    friends = Friends(live, "Ada Bo", pace="slow", confirm_single=False)
    live.visit(page, friends.people[0], friends.path)
    choose(page, f"place {FIELDS[0]} base", click)
    expect(page.locator(f"#rig-{FIELDS[0]}")).to_have_count(1)
    friends.place(1, FIELDS[1])
    expect(page.locator(".rig")).to_have_count(2)
    bo = friends.people[1]
    [subject] = [each for each in live.view(bo, friends.table, 1).can if each.startswith("undo:")]
    live.ask(live.tables.votes.vote(bo.user, friends.table, 1, subject, True))
    vote = page.locator(".vote")
    expect(vote).to_contain_text("Take back the last move of Bo?")
    expect(vote.locator("li")).to_have_text([f"Bo places a rig on {FIELDS[1]}."])
    assert not violations(page)
    vote.get_by_role("button", name="Agree").click()
    expect(page.locator(".rig")).to_have_count(1)
    expect(page.locator(".player")).to_be_hidden()
    expect(page.locator("#page-log s")).to_have_text(f"Bo places a rig on {FIELDS[1]}.")
    expect(page.locator("#page-log li").first).to_contain_text("is taken back")
    friends.place(1, FIELDS[2])
    expect(page.locator(".told")).to_contain_text(f"Bo places a rig on {FIELDS[2]}")
    expect(page.locator(".rig")).to_have_count(2)
    page.keyboard.press("Escape")
    assert page.locator(".field.legal").count() > 60


def test_a_phone_asks_to_take_back_from_the_menu_which_the_log_of_a_desktop_has(
    live: LiveServer, page: Page, new_page: NewPage
) -> None:
    friends = Friends(live, "Ada Bo")
    friends.place(0, FIELDS[0])
    friends.place(1, FIELDS[1])
    ask = "Ask to take back my last move"
    live.visit(page, friends.people[0], friends.path)
    expect(page.get_by_role("button", name=ask)).to_have_count(1)
    page.locator("#page-menu > summary").click()
    expect(page.get_by_role("button", name=ask)).to_have_count(1)
    phone = new_page(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    live.visit(phone, friends.people[0], friends.path)
    expect(phone.get_by_role("button", name=ask)).to_have_count(0)
    phone.locator("#page-menu > summary").click()
    phone.get_by_role("button", name=ask).click()
    expect(phone.locator(".vote")).to_contain_text("Take back the last move of Ada?")
    page.keyboard.press("Escape")
    page.locator("label[for=paper-chat]").click()
    page.get_by_role("button", name="One moment, please.").click()
    expect(page.locator("#page-chat li")).to_contain_text("Ada One moment, please.")
    live.ask(live.tables.chat.say(friends.people[1].user, friends.table, "", reaction="good_luck"))
    expect(phone.locator("#page-hint")).to_have_text("\u2068Bo\u2069: \u2068Good luck!\u2069")
    assert phone.evaluate(COVERED) == []


def test_who_has_gone_has_no_name_where_acts_of_one_seat_are_chosen(live: LiveServer, page: Page) -> None:
    friends = Friends(live, "Ada Bo", pace="slow")
    live.visit(page, friends.people[0], friends.path)
    friends.place(0, FIELDS[0])
    live.ask(live.tables.accounts.delete(friends.people[1].user, "Bo"))
    names = page.locator("[data-whose] option")
    expect(names).to_have_text(["all", "Ada", "Deleted account"], timeout=20_000)


def test_it_goes_on_by_itself_and_ends_at_my_turn(live: LiveServer, page: Page) -> None:
    friends = Friends(live, "Ada Bo Cy Di", pace="fast", confirm_single=False)
    live.visit(page, friends.people[0], friends.path)
    page.locator("[for=paper-chat]").click()
    for seat, field in enumerate(FIELDS):
        friends.place(seat, field)
    wait_until(page, "() => document.querySelectorAll('.rig').length === 4 && !('following' in document.body.dataset)")
    expect(page.locator("#page-hint")).to_contain_text("Di places a rig on r5c3")  # the log is out of sight
    assert page.locator(".field.legal").count() > 60
    hint, scene = (page.locator(each).bounding_box() for each in ("#page-hint", ".scene"))
    assert hint and scene and hint["x"] >= scene["x"] + scene["width"] - 1, "it covers nothing that can be chosen"


def test_who_comes_back_sees_what_was_missed(live: LiveServer, new_page: NewPage) -> None:
    friends = Friends(live, "Ada Bo Cy Di", pace="slow")
    page = new_page()
    live.visit(page, friends.people[0], friends.path)
    expect(page.locator(".player")).to_be_hidden()
    page.goto(live.url)
    for seat, field in enumerate(FIELDS[:3]):
        friends.place(seat, field)
    live.visit(page, None, friends.path)
    expect(page.locator(".told")).to_contain_text("1 of 2")
    page.keyboard.press("k")
    expect(page.locator(".told")).to_contain_text("Bo places")
    expect(page.locator(".rig")).to_have_count(2)
    page.locator(f"#field-{FIELDS[3]}").click(force=True)  # a click on the board skips, no matter whose turn it is
    expect(page.locator(".rig")).to_have_count(3)
    expect(page.locator(".player")).to_be_hidden()
    other = new_page()  # a browser that has never been here knows when the seat chose last
    live.visit(other, friends.people[0], friends.path)
    expect(other.locator(".told")).to_contain_text("1 of 2")


def test_what_was_missed_is_played_although_more_happens_while_it_is_asked_for(live: LiveServer, page: Page) -> None:
    friends = Friends(live, "Ada Bo Cy Di", pace="slow")
    for seat, field in enumerate(FIELDS[:3]):
        friends.place(seat, field)
    waiting: list[Route] = []
    page.route(UPDATE, lambda route: route.continue_() if waiting else waiting.append(route))
    live.visit(page, friends.people[0], friends.path)
    while not waiting:
        page.wait_for_timeout(20)
    friends.place(3, FIELDS[3])
    wait_until(page, "() => JSON.parse(document.getElementById('page-data').textContent).mine")
    waiting[0].continue_()
    expect(page.locator(".told")).to_contain_text("1 of 3")
    expect(page.locator(".told")).to_contain_text("Bo places")


def test_nothing_of_the_present_is_seen_until_what_was_missed_is_there_or_skipped(live: LiveServer, page: Page) -> None:
    friends = Friends(live, "Ada Bo", pace="slow", tactic=True, confirm_single=False)
    for seat, field in enumerate(FIELDS[:2]):
        friends.place(seat, field)
    waiting: list[Route] = []
    page.route(UPDATE, lambda route: route.continue_() if waiting else waiting.append(route))
    live.visit(page, friends.people[0], friends.path)
    while not waiting:
        page.wait_for_timeout(20)
    expect(page.locator(f"#rig-{FIELDS[1]}")).to_be_hidden()
    assert page.locator(".element.legal").count() == 0
    page.keyboard.press("Escape")
    expect(page.locator(f"#rig-{FIELDS[1]}")).to_be_visible()
    page.locator(f"#field-{FIELDS[3]}").click()
    begun = page.get_by_role("button", name="Choose differently")
    expect(begun).to_be_visible()
    waiting[0].continue_()
    expect(page.locator("#page-again")).to_be_visible()
    assert "following" not in page.evaluate("() => ({...document.body.dataset})")
    expect(begun).to_be_visible()
    choose(page, f"place {FIELDS[3]} double", click)
    expect(page.locator(f"#rig-{FIELDS[3]}")).to_have_count(1)


def test_who_wants_no_motion_gets_a_list(live: LiveServer, new_page: NewPage) -> None:
    friends = Friends(live, "Ada Bo Cy Di", pace="normal")
    page = new_page(reduced_motion="reduce")
    live.visit(page, friends.people[0], friends.path)
    for seat, field in enumerate(FIELDS[:3]):
        friends.place(seat, field)
    expect(page.locator(".rig")).to_have_count(3)
    expect(page.locator(".player")).to_be_hidden()
    happened = page.locator("#page-happened")
    expect(happened).to_contain_text("New events: 2")
    page.reload()
    expect(happened.locator("summary")).to_have_count(0)  # seen already
    page.goto(f"{live.url}/settings")  # at the table it may be stored just then
    page.evaluate("localStorage.clear()")
    page.goto(f"{live.url}{friends.path}")
    expect(happened.locator("li")).to_have_text(["Bo places a rig on r2c5.", "Cy places a rig on r9c9."])
    happened.locator("li a").first.focus()
    wait_until(page, "() => document.querySelector('#field-r2c5.spot')")
    assert not violations(page)
    happened.get_by_role("button", name="Close").click()
    expect(happened).to_have_count(0)


def test_the_log_and_the_picture_light_each_other(live: LiveServer, new_page: NewPage) -> None:
    friends = Friends(live, "Ada Bo", pace="off")
    for seat, field in enumerate(FIELDS[:2]):
        friends.place(seat, field)
    page = new_page()
    live.visit(page, friends.people[0], friends.path)
    page.get_by_role("link", name=f"Bo places a rig on {FIELDS[1]}").hover()
    assert lit(page) == {f"field-{FIELDS[1]}"}
    expect(page.locator("#seat-1")).to_have_class(re.compile(r"\bspot\b"))
    page.locator(f"#field-{FIELDS[0]}").hover()
    assert lit(page) == set()
    expect(page.locator("#page-log li.spot")).to_contain_text(f"Ada places a rig on {FIELDS[0]}")
    phone = new_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    live.visit(phone, friends.people[0], friends.path)
    phone.locator("label[data-tab=log]").tap()
    phone.get_by_role("link", name=f"Bo places a rig on {FIELDS[1]}").tap()
    expect(phone.locator(f"#field-{FIELDS[1]}")).to_be_visible()
    assert lit(phone) == {f"field-{FIELDS[1]}"}
    phone.get_by_role("link", name="See this moment").tap()
    expect(phone).to_have_url(re.compile("/replay"))


def test_the_log_goes_back_to_its_newest_lines_when_nothing_is_looked_at(live: LiveServer, new_page: NewPage) -> None:
    friends = Friends(live, "Ada Bo", pace="off")
    for number, field in enumerate(FIELDS[:2]):
        friends.place(number, field)
    page = new_page(viewport={"width": 1400, "height": 600})
    live.visit(page, friends.people[0], friends.path)
    page.locator("#page-log").evaluate(
        """({ firstElementChild: log }) => {
            for (let i = 0; i < 40; i += 1) {
                const line = log.firstElementChild.cloneNode(true);
                line.id = `line-${i}`;
                line.dataset.names = "";
                log.prepend(line);
            }
        }"""
    )
    page.locator(f"#field-{FIELDS[0]}").hover()
    wait_until(page, "() => document.querySelector('.log-box').scrollTop > 100")
    page.locator("#page-prompt").hover()
    wait_until(page, "() => document.querySelector('.log-box').scrollTop === 0")


def test_what_scripts_light_is_not_refused_by_the_policy_of_the_page(live: LiveServer, page: Page) -> None:
    friends = Friends(live, "Ada Bo Cy Di", pace="fast", confirm_single=False)
    live.visit(page, friends.people[0], friends.path)
    page.evaluate(
        """() => {
            window.refused = [];
            const refused = ({ violatedDirective }) => window.refused.push(violatedDirective);
            document.addEventListener("securitypolicyviolation", refused);
        }"""
    )
    choose(page, f"place {FIELDS[0]} base", click)
    for seat in (1, 2, 3):
        friends.place(seat, FIELDS[seat])
        wait_until(page, "(id) => document.getElementById(id).matches('.since, .spot')", f"field-{FIELDS[seat]}")
    wait_until(page, "() => !('following' in document.body.dataset)")
    assert page.evaluate("() => window.refused") == []


@pytest.fixture
def played(live: LiveServer) -> tuple[LiveServer, Login, str]:
    """A game of two people at one device, played for a while."""
    login = live.guest("Ada", confirm_single=False, pace="fast")
    table = live.set_table(login, "atacama", ["me", "device"], {"start_player": "seat_1"})
    chooser = random.Random(4)
    for number in range(8):
        live.step(login, table, number % 2, chooser)
    return live, login, table


def test_the_replay_plays_by_itself_by_turns_and_of_one_seat(played: tuple[LiveServer, Login, str], page: Page) -> None:
    live, login, table = played
    live.visit(page, login, f"/t/{table}/replay?at=0")
    expect(page.locator(".rig")).to_have_count(0)
    player(page, "play").click()
    wait_until(page, "() => document.querySelectorAll('.rig').length >= 2")
    player(page, "play").click()
    shown = int(page.locator("#page-slider").input_value())
    assert shown == page.locator(".rig").count() >= 2
    assert f"at={shown}" in page.url
    page.locator(".player-more summary").click()
    page.get_by_label("Moves by").select_option("1")
    page.locator("#page-slider").fill("6")
    expect(page.locator(".told")).to_contain_text("7 of 9")
    expect(page.locator(".rig")).to_have_count(6)
    player(page, "next").click()  # the seventh is the other seat's
    expect(page.locator(".rig")).to_have_count(8)
    page.locator(".player-more summary").click()  # it closed when something else was clicked
    page.get_by_label("Moves by").select_option("")
    player(page, "turn_back").click()
    expect(page.locator(".rig")).to_have_count(7)
    page.keyboard.press(".")
    expect(page.locator(".rig")).to_have_count(8)
    page.locator(".player-more summary").click()
    with page.expect_response("**/settings"):
        page.get_by_label("Show what others do").select_option("slow")
    page.reload()
    expect(page.locator("body")).to_have_attribute("data-pace", "slow")
    expect(page.locator(".rig")).to_have_count(8)
    assert not violations(page)
    places = page.get_by_role("link", name="places a rig on")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/replay?**", hold, times=1)
    places.last.click()
    while not held:
        page.wait_for_timeout(20)
    places.nth(4).click()  # before the other moment has come
    rigs = page.locator(".rig")
    expect(rigs).to_have_count(4)
    with page.expect_event("requestfinished"):
        held[0].continue_()
    page.wait_for_timeout(100)
    expect(rigs).to_have_count(4)
    places.last.click()
    expect(rigs).to_have_count(1)
