"""Several people and devices at one table: push, secrecy, many tabs, a server that dies."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

import atoll
from atoll.server.domain.model import Clock, NewTable, SeatPlan
from atoll.server.http.pages.table import has_secrets
from atoll.server.table.chance_rounds import StartTimes
from atoll.testing.browser import choose, click, confirm, data, wait_for_turn
from atoll.testing.live_server import LiveServer
from tests.browser.axe import violations
from tests.browser.conftest import NewPage
from tests.browser.live import MortalServer, fetched, pasted
from tests.browser.test_looks import play

SOON_MS = 8_000


def test_two_players_and_a_spectator_see_each_move_at_once(live: LiveServer, new_page: NewPage) -> None:
    ada, bo = live.guest("Ada"), live.guest("Bo")
    table = live.set_table(ada, "atacama", ["me", "open"], {"start_player": "seat_1"})
    first, second, watcher = new_page(), new_page(locale="de-DE"), new_page()
    live.visit(first, ada, f"/t/{table}")
    live.visit(watcher, None, f"/t/{table}")
    live.visit(second, bo, f"/t/{table}")
    second.get_by_role("button", name="Hier Platz nehmen").click()
    for page in (first, second, watcher):
        expect(page.locator("#field-r1c1")).to_be_visible(timeout=SOON_MS)

    first.locator("#field-r5c5").click()
    expect(first.locator("#rig-r5c5")).to_have_count(1)
    second.wait_for_timeout(600)
    for page in (second, watcher):
        expect(page.locator("#rig-r5c5")).to_have_count(0)
        assert "r5c5 base" not in page.locator("#page-log").inner_text()
    first.get_by_role("button", name="Confirm").click()
    for page in (second, watcher):
        expect(page.locator("#rig-r5c5")).to_have_count(1, timeout=SOON_MS)
    expect(second.locator("#page-live")).to_contain_text("Ada setzt einen Bohrturm auf r5c5")
    expect(second).to_have_title(re.compile("Du bist dran"))
    expect(watcher.locator("#page-list")).to_have_count(0)
    expect(watcher.locator("#page-say")).to_have_count(0)
    assert data(watcher)["question"] is None

    second.locator("[for=paper-chat]").click()
    second.locator("#page-words").fill("Guten Tag <b>zusammen</b>")
    second.get_by_role("button", name="Senden").click()
    expect(first.locator("#page-chat")).to_contain_text("Guten Tag <b>zusammen</b>", timeout=SOON_MS)
    expect(second.locator("#page-words")).to_have_value("")
    second.locator("#page-words").fill("x" * 501)
    second.get_by_role("button", name="Senden").click()
    expect(second.locator("#page-hint")).to_contain_text("diese hat 501")
    expect(second.locator("#page-words")).to_have_value("x" * 501)
    unread = "[data-tab=log][data-unread], [for=paper-chat][data-unread]"
    expect(first.locator(unread)).to_have_count(2)
    expect(second.locator(unread)).to_have_count(0)
    first.locator("[for=paper-chat]").click()
    expect(first.locator(unread)).to_have_count(0)
    first.reload()
    expect(first.locator("#page-chat li[id]")).to_have_count(1)
    expect(first.locator(unread)).to_have_count(0)
    first.locator("[for=paper-chat]").click()
    first.locator("#page-words").fill("half a sen")
    second.locator("#field-r1c1").click()
    second.get_by_role("button", name="Bestätigen").click()
    expect(first.locator("#rig-r1c1")).to_have_count(1, timeout=SOON_MS)
    expect(first.locator("#page-words")).to_have_value("half a sen")


def test_the_next_table_is_offered_as_soon_as_it_waits(live: LiveServer, page: Page) -> None:
    ada, bo = live.guest("Ada"), live.guest("Bo", confirm_single=False)
    here, there = [live.set_table(ada, "atacama", ["me", "open"], {"start_player": "seat_2"}) for _ in range(2)]
    for table in (here, there):
        live.ask(live.tables.table_setup.join(bo.user, table))
        live.ask(live.tables.table_setup.start(ada.user, table))
    live.visit(page, ada, f"/t/{here}")
    expect(page.locator("main[data-waits]")).to_have_count(1)
    expect(page.locator("#page-next")).to_have_count(0)
    play(live, bo, there, 1)
    page.locator("#page-next").click(timeout=SOON_MS)
    expect(page.locator(f"main[data-table={there}]")).to_have_count(1)
    expect(page.locator("#page-next")).to_have_count(0)


@pytest.mark.parametrize("scripts", [True, False])
def test_an_invited_person_joins_by_the_link(live: LiveServer, new_page: NewPage, scripts: bool) -> None:
    ada = live.guest("Ada")
    table = live.set_table(ada, "atacama", ["me", "invite"], {})
    host, guest = new_page(java_script_enabled=scripts), new_page()
    live.visit(host, ada, f"/t/{table}", scripts=scripts)
    host.get_by_role("button", name="Create an invite link").click()
    field = host.get_by_label("Invite link" if scripts else "Link")
    expect(field).to_have_value(re.compile(r"/join\?game=\w+#"))
    link = field.input_value()
    guest.goto(link)
    expect(guest.get_by_role("heading", name="Atacama")).to_be_visible()
    expect(guest.locator("main")).to_contain_text("20 minutes")
    expect(guest.locator(".seated li")).to_have_text(["Ada", "Invited"])
    guest.get_by_label("Your name").fill("Cy")
    guest.get_by_role("button", name="Sit down").click()
    expect(guest.locator(".seat-name", has_text="Cy")).to_be_visible(timeout=SOON_MS)
    late = new_page()
    late.goto(link)
    expect(late.locator("main")).to_contain_text("Somebody has already taken a seat with this link.")
    other = live.set_table(ada, "atua", ["me", "invite"], {})
    token = live.ask(live.tables.table_setup.invite(ada.user, other, 1))
    late.goto(f"{live.url}/join#{token}")  # in the same tab: only what stands after the # is another
    expect(late.get_by_role("heading", name="Atua")).to_be_visible()


def test_an_invite_link_is_made_and_copied_at_its_seat(live: LiveServer, new_page: NewPage) -> None:
    ada, bo = live.guest("Ada"), live.guest("Bo")
    table = live.set_table(ada, "raiatea", ["me", "invite", "invite"])
    page = new_page(locale="de-DE", viewport={"width": 360, "height": 740})
    live.visit(page, ada, f"/t/{table}")
    second = page.locator(".places li").nth(2)
    second.get_by_role("button", name="Einladungslink erstellen").click()
    expect(second.get_by_text("Der Link ist kopiert:")).to_be_visible()
    field = second.get_by_label("Einladungslink")
    link = field.input_value()
    assert pasted(page) == link
    assert page.locator("#page-gathering").evaluate("(e) => e.scrollWidth <= e.clientWidth")
    expect(second.get_by_role("button", name="Teilen")).to_have_count(0)  # nothing to share by here
    live.ask(live.tables.table_setup.set_seat(ada.user, table, 1, SeatPlan("open")))
    live.ask(live.tables.table_setup.join(bo.user, table, 1))
    expect(page.locator(".places li").nth(1)).to_contain_text("Bo")
    expect(field).to_have_value(link)  # the link stays when the page changes
    expect(second.get_by_text("Der Link ist kopiert:")).to_be_visible()
    guest = new_page()
    guest.goto(link)
    guest.get_by_label("Your name").fill("Cy")
    guest.get_by_role("button", name="Sit down").click()
    expect(guest.locator("#page-bar")).to_be_visible()
    expect(page.get_by_label("Einladungslink")).to_have_count(0)


def test_on_a_phone_an_invite_link_is_shared(live: LiveServer, new_page: NewPage) -> None:
    ada = live.guest("Ada")
    table = live.set_table(ada, "atacama", ["me", "invite"], {})
    page = new_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page.add_init_script("navigator.share = async (what) => { window.shared = what; };")
    live.visit(page, ada, f"/t/{table}")
    page.get_by_role("button", name="Create an invite link").tap()
    field = page.get_by_label("Invite link")
    expect(field).to_have_value(re.compile(r"/join\?game=\w+#"))
    wanted = {"text": "Ada invites you to Atacama", "url": field.input_value()}
    assert page.evaluate("() => window.shared") == wanted
    page.evaluate("() => { window.shared = null; }")
    page.get_by_role("button", name="Share").tap()
    assert page.evaluate("() => window.shared") == wanted


def test_the_host_swaps_seats_and_all_see_who_is_here_before_the_start(
    live: LiveServer, new_page: NewPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("atoll.server.play.subscriptions._GONE_S", 0.5)
    ada, bob, shy = live.guest("Ada"), live.guest("Bob"), live.guest("Shy", presence=False)
    table = live.set_table(ada, "raiatea", ["me", "open", "open", "open"])
    for login in (bob, shy):
        live.ask(live.tables.table_setup.join(login.user, table))
    host = new_page(viewport={"width": 390, "height": 844}, locale="de-DE")
    guest, hidden = new_page(), new_page()
    live.visit(host, ada, f"/t/{table}")
    here = host.locator("#page-main")
    expect(here).to_have_attribute("data-here", "")
    live.visit(hidden, shy, f"/t/{table}")
    live.visit(guest, bob, f"/t/{table}")
    expect(here).to_have_attribute("data-here", "1", timeout=SOON_MS)
    expect(host.locator("#page-here")).to_contain_text("Bob")
    assert host.locator("#place-1").evaluate("(e) => getComputedStyle(e, '::before').content") not in ("none", "normal")
    assert host.locator("#place-2").evaluate("(e) => getComputedStyle(e, '::before').content") == "none"
    expect(guest.locator("#page-main")).to_have_attribute("data-here", "0", timeout=SOON_MS)

    # The host moves Bob up, by keyboard; the dot goes along, and both know their new seats.
    expect(guest.locator("button.up")).to_have_count(0)
    host.locator("#place-1 button.up").press("Enter")
    for page, first, second in ((host, "Bob", "Ada"), (guest, "Bob", "Ada")):
        expect(page.locator("#place-0 b")).to_have_text(first, timeout=SOON_MS)
        expect(page.locator("#place-1 b")).to_have_text(second)
    expect(host.locator("#place-1 .you")).to_be_visible()
    expect(guest.locator("#place-0 .you")).to_be_visible()
    expect(here).to_have_attribute("data-here", "0")
    expect(guest.locator("#page-main")).to_have_attribute("data-here", "1", timeout=SOON_MS)
    assert violations(host) == []

    # An open seat changes places as well.
    host.locator("#place-3 button.up").click()
    expect(host.locator("#place-3 b")).to_have_text("Shy", timeout=SOON_MS)
    expect(host.locator("#place-2 b")).not_to_have_text("Shy")
    guest.close()
    expect(here).to_have_attribute("data-here", "", timeout=SOON_MS)
    expect(host.locator("#page-here")).to_have_text("")


def test_why_an_invite_link_cannot_be_made_is_said_at_the_table(live: LiveServer, new_page: NewPage) -> None:
    ada = live.guest("Ada")
    table = live.set_table(ada, "atacama", ["me", "invite"], {})
    page = live.visit(new_page(), ada, f"/t/{table}")
    page.route("**/invite", lambda route: route.abort())
    page.get_by_role("button", name="Create an invite link").click()
    expect(page.get_by_text("The server can’t be reached.").last).to_be_visible()


@pytest.mark.parametrize(("bank", "counted"), [(600, True), (7200, False)])
def test_the_last_hour_of_a_clock_is_counted_by_the_second(
    live: LiveServer, new_page: NewPage, bank: int, counted: bool
) -> None:
    ada, bo = live.guest("Ada"), live.guest("Bo")
    plans = (SeatPlan("me"), SeatPlan("open"))
    new = NewTable("atacama", plans, {"start_player": "seat_1"}, Clock(bank_s=bank, increment_s=60, cap_s=bank))
    table = live.ask(live.tables.table_setup.create(ada.user, new))
    live.ask(live.tables.table_setup.join(bo.user, table))
    live.ask(live.tables.table_setup.start(ada.user, table))
    mine, theirs = new_page(viewport={"width": 390, "height": 844}, has_touch=True), new_page()
    for page, login in ((mine, ada), (theirs, bo)):
        live.visit(page, login, f"/t/{table}")
        time = page.locator("#page-time")
        if counted:
            expect(time).to_have_text(re.compile(r"^9:[0-5]\d$"))
            expect(time).not_to_have_text(time.inner_text())
        else:
            expect(time).to_be_hidden()  # words say enough
    expect(theirs.locator("#seat-0 .clock")).to_contain_text(re.compile(r"9:[0-5]\d left" if counted else "2 h left"))


@pytest.mark.parametrize("scripts", [True, False])
def test_a_link_brings_the_seats_to_another_device(live: LiveServer, new_page: NewPage, scripts: bool) -> None:
    ada = live.guest("Ada")
    table = live.set_table(ada, "atacama", ["me", "device"], {})
    here, there = new_page(java_script_enabled=scripts), new_page(java_script_enabled=scripts, locale="de-DE")
    live.visit(here, ada, "/account", scripts=scripts)
    here.get_by_role("button", name="Show the link").click()
    expect(here.get_by_role("img", name="QR")).to_be_visible()
    link = here.get_by_label("Link").input_value()
    there.goto(link)
    if not scripts:
        there.get_by_label("Link").fill(link)
        there.get_by_role("button", name="Weiter").click()
    there.get_by_role("button", name="Als Ada anmelden").click()
    expect(there.get_by_role("heading", name="Erlaube dieses Gerät")).to_be_visible()
    if not scripts:
        here.reload()
    here.get_by_role("button", name="Allow").click(timeout=SOON_MS)
    if not scripts:
        there.reload()
        there.get_by_role("button", name="Als Ada anmelden").click(timeout=SOON_MS)
    there.wait_for_url("**/mine")
    there.goto(f"{live.url}/t/{table}")
    expect(there.locator("#page-list")).to_be_visible()


def test_without_a_stream_the_page_asks_now_and_then(live: LiveServer, new_page: NewPage) -> None:
    ada, bo = live.guest("Ada", confirm_single=False), live.guest("Bo", confirm_single=False)
    table = live.set_table(ada, "atacama", ["me", "open"], {"start_player": "seat_1"})
    live.ask(live.tables.table_setup.join(bo.user, table))
    live.ask(live.tables.table_setup.start(ada.user, table))
    first, second = new_page(), new_page()
    second.route(re.compile(r"/events(\?|$)"), lambda route: route.abort())
    live.visit(first, ada, f"/t/{table}")
    live.visit(second, bo, f"/t/{table}")
    first.locator("#field-r2c2").click()
    expect(second.locator("#rig-r2c2")).to_have_count(1, timeout=20_000)


def test_script_in_names_and_messages_is_text(live: LiveServer, page: Page) -> None:
    ada = live.guest("<img src=x onerror=a=1>")
    table = live.set_table(ada, "atacama", ["me", "device"])
    for text in ("<script>a=1</script><svg onload=a=1>", "\"'><img src=x onerror=a=1>", "</script><b id=a>", "${a=1}"):
        live.ask(live.tables.chat.say(ada.user, table, text))
    for path in (f"/t/{table}", "/mine", "/settings", f"/t/{table}/replay"):
        live.visit(page, ada, path)
        assert page.evaluate("() => typeof window.a") == "undefined", path
        assert not page.locator("img[src=x], svg[onload]").count()
    live.visit(page, ada, f"/t/{table}")
    expect(page.locator("#page-chat")).to_contain_text("</script><b id=a>")


def test_after_the_network_was_away_the_page_catches_up(live: LiveServer, new_page: NewPage) -> None:
    ada = live.guest("Ada")
    table = live.set_table(ada, "atacama", ["me", "device"], {"start_player": "seat_1"})
    first, second = new_page(), new_page()
    live.visit(first, None, f"/t/{table}")
    live.visit(second, None, f"/t/{table}")
    for seat, field in enumerate(("r5c5", "r1c1")):
        second.wait_for_timeout(500)  # a request sent before would still bring the choice
        first.context.set_offline(True)  # the whole network is away
        second.route(f"**/t/{table}*", lambda route: route.abort())  # or only the page can't be had
        turn = live.view(ada, table, seat).turn
        assert turn is not None
        live.ask(live.tables.turns.choose(ada.user, table, seat, [f"place {field} base"], turn.stamp, confirm=True))
        for page in (first, second):
            expect(page.get_by_text("No connection")).to_be_visible(timeout=SOON_MS)
            assert not page.locator(f"#rig-{field}").count()
        first.context.set_offline(False)
        second.unroute(f"**/t/{table}*")
        for page in (first, second):
            expect(page.locator(f"#rig-{field}")).to_have_count(1, timeout=SOON_MS)
            expect(page.get_by_text("No connection")).to_be_hidden(timeout=SOON_MS)


@pytest.mark.fuzz
@pytest.mark.parametrize("seconds", [4, 20])
def test_after_so_long_without_network_the_page_has_what_it_missed(
    live: LiveServer, new_page: NewPage, seconds: int
) -> None:
    ada = live.guest("Ada")
    table = live.set_table(ada, "atacama", ["me", "device"], {"start_player": "seat_1"})
    page = live.visit(new_page(), None, f"/t/{table}")
    page.context.set_offline(True)
    turn = live.view(ada, table, 0).turn
    assert turn is not None
    live.ask(live.tables.turns.choose(ada.user, table, 0, ["place r5c5 base"], turn.stamp, confirm=True))
    page.wait_for_timeout(1000 * seconds)
    expect(page.get_by_text("No connection")).to_be_visible(timeout=SOON_MS)
    page.context.set_offline(False)
    expect(page.locator("#rig-r5c5")).to_have_count(1, timeout=SOON_MS)
    expect(page.get_by_text("No connection")).to_be_hidden(timeout=SOON_MS)


def test_the_replay_steps_through_the_game_and_plays_on(live: LiveServer, page: Page) -> None:
    ada = live.guest("Ada", confirm_single=False)
    table = live.set_table(ada, "atacama", ["me", "device"], {"start_player": "seat_1"})
    chooser = random.Random(2)
    view = live.view(ada, table)
    while view.status == "running":
        assert view.turn is not None and view.seat is not None
        live.ask(
            live.tables.turns.choose(ada.user, table, view.seat, [chooser.choice(view.turn.legal)], view.turn.stamp)
        )
        view = live.view(ada, table)
    live.visit(page, ada, f"/t/{table}/replay")
    expect(page.locator(".rig")).to_have_count(0)
    page.get_by_role("button", name="Next move").click()
    expect(page.locator(".rig")).to_have_count(1)
    address = page.url
    page.locator("#page-slider").fill("12")
    expect(page.locator(".rig")).to_have_count(12)
    page.locator("#page-slider").press("End")
    expect(page.locator(".rig.last")).to_have_count(1)
    page.goto(address)
    expect(page.locator(".rig")).to_have_count(1)
    first = page.locator(".rig").get_attribute("id")
    page.locator("label[for=paper-about]").click()
    page.get_by_role("button", name="Play on").click()
    expect(page.locator(".seat-notes", has_text="bot")).to_have_count(1)
    expect(page.locator(f"#{first}")).to_have_count(1)
    assert page.locator(".rig").count() <= 2  # the bot may have answered


def test_chance_is_fixed_by_two_browsers_and_verified_by_both(
    live: LiveServer, new_page: NewPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Through their pages alone: seals, shares, the record as it is heard, the verdicts of page and rules."""
    monkeypatch.setattr(live.tables.table_setup, "_times", StartTimes(60.0, 600.0))
    ada, bob = live.guest("Ada", confirm_single=False), live.guest("Bob", confirm_single=False)
    table = live.set_table(ada, "atacama", ["me", "open"], {"setup": "enhanced"})
    # A test can't forge pages that a service worker requests.
    host, other = new_page(reduced_motion="reduce"), new_page(reduced_motion="reduce")
    live.visit(host, ada, f"/t/{table}")
    expect(host.locator("main.status-gathering")).to_be_visible()
    live.visit(other, bob, f"/t/{table}/fairness")
    expect(other.locator("main")).to_contain_text("shown when the game is over")
    live.visit(other, bob, f"/t/{table}")
    other.get_by_role("button", name="Sit down here").click()
    for page in (host, other):
        expect(page.locator("main.status-running")).to_be_visible()
    fair = live.ask(live.tables.history.fairness(None, table))
    assert all(fair.shares) and all(fair.seals) and not fair.rounds
    chooser = random.Random(4)
    while live.view(ada, table).status == "running":
        login, seat = (ada, 0) if live.view(ada, table).seats[0].to_move else (bob, 1)
        live.step(login, table, seat, chooser)
    for page in (host, other):
        expect(page.locator("main.status-over")).to_be_visible()
        page.wait_for_function(
            "name => JSON.parse(localStorage.getItem(name))?.over", arg=f"atoll chance {table} heard"
        )
        page.goto(f"{live.url}/t/{table}/fairness")
        expect(page.locator("#page-verdict.open")).to_contain_text("nothing contradicts it")
        expect(page.locator("#page-checks li")).to_have_count(1)
        expect(page.locator("#page-checks li")).to_contain_text("This page can’t apply the rules.")
        page.get_by_role("button", name="Replay the game by the rules").click()
        expect(page.locator("#page-verdict.proven")).to_contain_text("Proven")
        page.go_back()
    other.evaluate("() => localStorage.clear()")
    other.reload()
    expect(other.locator("#page-checks")).to_contain_text("gave no share to the start that counted")
    host.route("**/fairness", _forge)
    host.reload()
    expect(host.locator("#page-verdict.wrong")).to_be_visible()
    expect(host.locator("#page-checks .wrong")).to_contain_text("isn’t the one that seed and shares give")


def _forge(route: Route) -> None:
    """Answer with one outcome changed."""
    response = fetched(route)
    forged = re.sub(r'"outcome":(\d+)', lambda m: f'"outcome":{(int(m[1]) + 1) % 9}', response.text(), count=1)
    route.fulfill(response=response, body=forged)


def test_people_at_one_device_play_without_reloading(live: LiveServer, page: Page) -> None:
    login = live.guest("Ada")
    table = live.set_table(login, "atacama", ["me", "device"], {"start_player": "seat_1"})
    live.visit(page, login, f"/t/{table}")
    for seat in (0, 1, 0):
        assert data(page)["seat"] == seat
        legal = [row[1] for row in data(page)["question"]["legal"]]
        choose(page, legal[0], click)
        confirm(page, click)


@pytest.mark.parametrize("game", [id for id in atoll.games if has_secrets(atoll.games[id])])
def test_a_curtain_hides_each_seat_from_the_next_at_one_device(live: LiveServer, page: Page, game: str) -> None:
    login = live.guest("Ada", confirm_single=False)
    seats = atoll.games[game].seat_counts[-1]
    table = live.set_table(login, game, ["me", *["device"] * (seats - 1)])
    live.visit(page, login, f"/t/{table}")
    expect(page.locator(".curtain")).to_be_visible()
    expect(page.locator("#page-regions")).to_have_count(0)
    address = page.url
    page.locator("#page-lift").click()
    expect(page.locator("#page-list")).to_be_visible()
    expect(page.locator(".curtain")).to_have_count(0)
    assert page.url == address
    seen = data(page)["seat"]
    page.reload()
    expect(page.locator(".curtain")).to_be_visible()
    page.locator("#page-lift").click()
    for _ in range(30):
        if not wait_for_turn(page) or data(page)["seat"] != seen:
            break
        if not data(page)["confirm"]:
            choose(page, data(page)["question"]["legal"][0][1], click)
        if page.locator(".curtain").count():
            break
        confirm(page, click)
        if page.locator(".curtain").count():
            break
    expect(page.locator(".curtain")).to_be_visible()
    assert data(page)["question"] is None


@pytest.fixture
def mortal(tmp_path: Path) -> Iterator[MortalServer]:
    server = MortalServer(tmp_path)
    server.start()
    yield server
    server.close()


def test_a_killed_server_loses_nothing(mortal: MortalServer, page: Page) -> None:
    """SIGKILL after a staged choice, after a confirmed one, and while the bot thinks."""
    page.goto(mortal.url)
    page.get_by_label("Your name").fill("Ada")
    page.get_by_role("button", name="Play now against bots: Atacama").click()
    page.wait_for_selector("main.play")
    chooser = random.Random(6)
    for kill in ("staged", "confirmed", "thinking"):
        assert wait_for_turn(page)
        rigs = page.locator(".rig").count()
        legal = [row[1] for row in data(page)["question"]["legal"] if row[1].endswith("base")]
        choose(page, chooser.choice(legal), click)
        if kill == "staged":
            _kill_and_return(mortal, page)
            expect(page.locator(".rig")).to_have_count(rigs + 1)
        confirm(page, click)
        if kill == "confirmed":
            page.wait_for_timeout(300)
        if kill != "staged":
            _kill_and_return(mortal, page)
            assert page.locator(".rig").count() in (rigs + 1, rigs + 2)


def _kill_and_return(mortal: MortalServer, page: Page) -> None:
    mortal.kill()
    mortal.start()
    page.reload()
    page.wait_for_selector("main.play")


def test_whoever_takes_all_along_and_goes_leaves_the_table_to_the_others(live: LiveServer, new_page: NewPage) -> None:
    ada, bo = live.guest("Adalbert"), live.guest("Bo")
    table = live.set_table(ada, "atacama", ["me", "open"])
    live.ask(live.tables.table_setup.join(bo.user, table, 1))
    live.ask(live.tables.table_setup.start(bo.user, table))
    page, other = new_page(), new_page(locale="de-DE")
    live.visit(other, bo, f"/t/{table}")
    live.visit(page, ada, "/account")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download my data").click()
    assert "Adalbert" in download.value.path().read_text()
    page.get_by_role("link", name="Delete my account").click()
    name = page.get_by_label("To confirm, enter your name: Adalbert")
    page.keyboard.press("Enter")
    name.fill("Ada")
    page.get_by_role("button", name="Delete my account for good").click()
    expect(page.get_by_text("That isn’t your name. Nothing was deleted.")).to_be_visible()
    expect(name).to_be_focused()
    name.fill("Adalbert")
    name.press("Enter")
    expect(page.get_by_role("heading", name="Your account is deleted")).to_be_visible()
    page.goto(f"{live.url}/account")
    expect(page.get_by_role("link", name="Delete my account")).to_have_count(0)
    expect(other.locator("#page-seats")).to_contain_text("Gelöschtes Konto", timeout=SOON_MS)
    expect(other.locator("#page-log")).not_to_contain_text("Adalbert")


@pytest.mark.parametrize("game", sorted(atoll.games))
def test_a_spectators_phone_has_no_strip_without_content(live: LiveServer, new_page: NewPage, game: str) -> None:
    ada = live.guest("Ada")
    seats = max(2, atoll.games[game].seat_counts[0])
    table = live.set_table(ada, game, ["me", *["device"] * (seats - 1)])
    page = live.visit(new_page(viewport={"width": 390, "height": 844}), None, f"/t/{table}")
    again = page.locator("#page-tools").get_by_role("button", name="Watch the game from the beginning")
    expect(again).to_be_visible()
    below = page.locator("#page-tools, #page-goods, #page-tabs").filter(visible=True)
    assert all(each.locator("button, label, .fact").count() for each in below.all())
    expect(page.locator("#page-tabs").get_by_text("Mine", exact=True)).to_have_count(0)
    live.ask(live.tables.votes.vote(ada.user, table, 0, "cancel", True))
    expect(page.locator("#page-prompt")).to_contain_text("canceled", timeout=SOON_MS)
    expect(page.locator("#page-tools")).to_be_hidden()
