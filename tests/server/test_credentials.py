"""Accounts: what turns a guest into one, its name for itself, and the ways back."""

import asyncio
import re
from functools import partial
from typing import Any

import msgspec
import pytest
from sqlalchemy import select
from typer.testing import CliRunner

from atoll.cli import main as cli
from atoll.engine.languages import LANGUAGES
from atoll.server.domain.model import NewTable, Refused, User
from atoll.server.domain.skeleton import skeleton
from atoll.server.notify.message import notification_message
from atoll.server.play.rescues import WAIT_DAYS
from atoll.server.play.users import ACCOUNT_SESSION_DAYS, FORMER_NAME_DAYS, RENAME_DAYS
from atoll.server.presentation.texts import level_names
from atoll.store import schema

from .conftest import ME, OPEN, Browser, Room, Site, Time, refused

pytestmark = pytest.mark.anyio

_DAY_S = 86_400


async def _account(room: Room, name: str) -> User:
    """Somebody with an account."""
    login = await room.tables.users.guest(name)
    await room.tables.credentials.add_code(login.user)
    known = await room.tables.users.by_token(login.token, "session")
    assert known is not None and known.has_account
    return known


async def test_a_guest_becomes_an_account_with_all_that_it_has(both: Room) -> None:
    running = await both.table("atacama", "Ada", "Bob")
    over = await both.table("atacama", "Bob", "Ada")
    ada = both.people["Ada"]
    await both.tables.chat.say(ada, running, "hello")
    await both.tables.notification_settings.add(ada, "ntfy", {"url": "https://ntfy.sh/ada"}, "en")
    code = await both.tables.credentials.add_code(ada)
    assert re.fullmatch(r"([0-9A-HJKMNP-TV-Z]{5}-){3}[0-9A-HJKMNP-TV-Z]{5}", code)
    both.people["Ada"] = await both.signed_in("Ada")
    assert both.people["Ada"].id == ada.id and both.people["Ada"].has_account
    for table in (running, over):
        view = await both.view("Bob", table)
        assert {seat.name: seat.guest for seat in view.seats}["Ada"] is False
        assert {seat.name: seat.guest for seat in view.seats}["Bob"] is True
    mine = await both.tables.table_lists.mine(both.people["Ada"])
    assert {card.id for card in mine} == {running, over}
    [notice] = await both.tables.store.notices.lease(10**15, 10**15)
    said = notification_message("1", notice.kind, "", notice.data, None, "de", "", "https://x/")
    assert "Wiederherstellungscode" in said.title and said.link == "https://x/account"


async def test_a_seat_with_another_name_than_the_accounts_stays_marked(room: Room) -> None:
    table = await room.table("atacama", "Ada", "Bob")
    await room.tables.credentials.add_code(room.people["Ada"], "Anna")
    anna = await room.signed_in("Ada")
    view = await room.view("Bob", table)
    assert anna.name == "Anna" and view.seats[0].name == "Ada" and view.seats[0].guest
    said = await room.tables.chat.say(anna, table, "hello")
    assert said.name == "Ada" and said.guest, "the line has the mark of the seat whose name it shows"


async def test_a_printed_code_works_once_and_is_replaced(both: Room) -> None:
    ada = await _account(both, "Ada")
    code = await both.tables.credentials.add_code(ada)
    typed = code.lower().replace("-", " ").replace("0", "o").replace("1", "l")
    found = await asyncio.gather(
        *(both.tables.credentials.sign_in_with_code(typed, "Firefox · Linux") for _ in range(3)), return_exceptions=True
    )
    [(login, fresh)] = [each for each in found if isinstance(each, tuple)]
    assert login.user.id == ada.id and fresh != code
    assert all(isinstance(each, Refused) and each.code == "bad_code" for each in found if not isinstance(each, tuple))
    for wrong in (code, "", "x" * 500):
        with refused("bad_code"):
            await both.tables.credentials.sign_in_with_code(wrong, "")
    assert (await both.tables.credentials.sign_in_with_code(fresh, ""))[0].user.id == ada.id
    [mine] = await both.tables.credentials.mine(ada)
    with refused("last_credential") as caught:
        await both.tables.credentials.remove(ada, mine.id)
    assert caught.value.status == 409
    with refused("no_page"):
        await both.tables.credentials.remove(await _account(both, "Bob"), mine.id)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        # examples of UTS #39, and of attacks
        ("paypal", "раура\u04cf"),
        ("scope", "ѕсоре"),
        ("Ada", "Аda"),
        ("Ada", "A d\u200ba"),
        ("Alice", "AIice"),
        ("admin", "adrnin"),
        ("Toys-R-Us", "ToуЅ-Я-Us".replace("Я", "R")),
        ("Bob", "B0b"),
        ("Ａｄａ", "ada"),
    ],
)
def test_names_that_look_alike_have_one_skeleton(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)
    assert skeleton(one) != skeleton(one + "x")


async def test_an_account_has_its_name_for_itself(both: Room) -> None:
    guest = (await both.tables.users.guest("Аda")).user  # Cyrillic
    await _account(both, "Ada")
    with refused("name_taken"):
        await both.tables.credentials.add_code(guest)
    await both.tables.credentials.add_code(guest, "Eve")
    with refused("name_taken"):
        await _account(both, "eVe")
    racing = [(await both.tables.users.guest("Cid")).user for _ in range(3)]
    done = await asyncio.gather(*map(both.tables.credentials.add_code, racing), return_exceptions=True)
    assert sum(isinstance(each, str) for each in done) == 1
    assert {(each.code, each.status) for each in done if isinstance(each, Refused)} == {("name_taken", 409)}


def test_names_of_roles_games_and_levels_are_nobodys(site: Site) -> None:
    for name in ("Atoll", "ADMIN", "adrnin", "Moderator", "Betreiber", "Atacama", *level_names()):
        with refused("name_reserved"):
            site.call(site.tables.users.guest, name)
    assert len(level_names()) == 7 * len(LANGUAGES)
    ada = site.browser("Ada")
    answer = ada.post("/settings", {"whole": "1", "name": "Admin"})
    assert answer.status_code == 409 and "This name is reserved" in answer.text


async def test_an_account_is_renamed_rarely_and_its_old_name_stays_reserved(both: Room, clock: Time) -> None:
    ada = await _account(both, "Ada")
    assert (await both.tables.users.rename(ada, "Bea")).name == "Bea"
    with refused("renamed") as caught:
        await both.tables.users.rename(ada, "Cid")
    assert caught.value.fields == {"n": RENAME_DAYS}
    with refused("name_taken"):
        await _account(both, "ada")
    clock.passes(RENAME_DAYS * _DAY_S)
    assert (await both.tables.users.rename(ada, "Ada")).name == "Ada", "its own name comes back"
    with refused("name_taken"):
        await _account(both, "Bea")
    clock.passes(FORMER_NAME_DAYS * _DAY_S)
    await _account(both, "Bea")
    guest = (await both.tables.users.guest("Dan")).user
    for name in ("Eve", "Fay", "Ada"):
        assert (await both.tables.users.rename(guest, name)).name == name, "guests are marked instead"


async def test_a_session_of_an_account_ends_after_a_while_without_use(both: Room, clock: Time) -> None:
    login = await both.tables.users.guest("Ada")
    other = await both.tables.users.sign_in(login.user.id)
    await both.tables.credentials.add_code(login.user)
    for _ in range(3):
        clock.passes((ACCOUNT_SESSION_DAYS - 1) * _DAY_S)
        both.tables.users.forget(login.user.id)
        assert await both.tables.users.by_token(login.token, "session") is not None
    both.tables.users.forget(login.user.id)
    assert await both.tables.users.by_token(other.token, "session") is None
    await both.tables.store.delete_inactive_guests(10**15)
    assert await both.tables.store.user(login.user.id) is not None, "an account isn't swept away"


def test_a_guest_keeps_its_name_and_comes_back_with_the_code(site: Site) -> None:
    ada = site.browser("Ada")
    tables = [
        site.call(site.tables.table_setup.create, ada.user, NewTable("atacama", (ME, OPEN), visibility="lobby"))
        for _ in range(2)
    ]
    bob = site.browser("Bob")
    mark = re.compile(r'data-mark="guest"[^>]*>(?:<bdi>)?Ada')
    assert mark.search(bob.get(f"/t/{tables[0]}").text) and mark.search(bob.get("/lobby").text)
    assert "Only this browser knows that you are Ada." in ada.get("/mine").text
    assert "Only this browser" not in bob.get("/").text
    site.browser("Cid").post("/account/code", {"name": "Ada B"})
    wrong = ada.post("/account/code", {"name": "ada b"})
    assert wrong.status_code == 409 and 'id="wrong-name">Somebody already has an account with this name' in wrong.text
    assert ada.post("/account/code", {"name": "Ada"}).headers["location"] == "/account/code"
    [code] = re.findall(r"<code>([0-9A-Z-]{23})<", ada.get("/account/code").text)
    assert code not in ada.get("/account").text
    assert not mark.search(bob.get(f"/t/{tables[0]}").text) and "Only this browser" not in ada.get("/mine").text

    there = site.browser("Eve")
    assert "You are Eve in this browser" in there.get("/sign-in").text
    old = dict(there.cookies)
    wrong = there.post("/sign-in", {"code": "12345-12345-12345-12345"})
    assert wrong.status_code == 422 and "This code isn’t valid" in wrong.text
    assert "<bdi>Eve<" in there.get("/settings").text
    assert there.post("/sign-in", {"code": code}).headers["location"] == "/account/code"
    assert code not in (shown := there.get("/account/code").text) and re.search(r"<code>[0-9A-Z-]{23}<", shown)
    assert all(f"/t/{table}" in there.get("/mine").text for table in tables)
    there.cookies = old
    assert "<bdi>Eve<" not in there.get("/settings").text, "the session that was replaced has ended"
    assert "Recovery code" in ada.get("/account").text and "/remove" not in ada.get("/account").text


def _deleted(answer: Any) -> set[str]:
    """Names of the cookies that an answer deletes."""
    return {each.partition("=")[0] for each in answer.headers.get_list("set-cookie") if "Max-Age=0" in each}


def test_a_shown_code_is_its_users_alone(site: Site) -> None:
    ada, eve = site.browser("Ada"), site.browser("Eve")
    eve.post("/account/code")
    [code] = re.findall(r"<code>([0-9A-Z-]{23})<", eve.get("/account/code").text)
    ada.post("/account/code")
    ada.post("/device-link")
    secrets = [site.cookie(what) for what in ("code", "link")]
    old = dict(ada.cookies)
    assert set(secrets) <= set(old)
    eve.cookies |= {secrets[0]: old[secrets[0]]}
    assert eve.get("/account/code").headers["location"] == "/account", "it is Ada's"
    assert _deleted(ada.post("/sign-in", {"code": code})) == set(secrets), "they go with Ada"
    assert code not in (shown := ada.get("/account/code").text) and "<code>" in shown
    assert _deleted(ada.post("/settings/delete", {"name": "Eve"})) >= set(secrets)


def test_players_at_the_device_of_an_account_are_marked(site: Site) -> None:
    ada = site.browser("Ada")
    ada.post("/account/code")
    form = {"game": "atacama", "seats": "2", "seat.0": "device", "name.0": "Dan", "seat.1": "me"}
    table = ada.post("/new", form).headers["location"]
    other = Browser(site, None)
    seats = site.call(site.tables.table_views.table, None, table.removeprefix("/t/")).seats
    assert [(seat.name, seat.guest) for seat in seats] == [("Dan", True), ("Ada", False)]
    assert other.get("/account").headers["location"] == "/sign-in"


def test_the_operators_link_waits_and_can_be_refused(site: Site, clock: Time) -> None:
    ada, url = site.browser("Ada"), site.tables.store.url.render_as_string(hide_password=False)
    ada.post("/account/code")
    link = partial(
        CliRunner().invoke, cli.app, ["admin", "link", "ADA", "--db", url, "--public-url", "https://t.example"]
    )
    first = link()
    assert first.exit_code == 0, first.output
    [token] = re.findall(r"https://t.example/rescue#(\S+)", first.output)
    assert "unknown account" in CliRunner().invoke(cli.app, ["admin", "link", "Bob", "--db", url]).output
    thief = site.browser()
    early = thief.post("/rescue", {"token": token})
    assert early.status_code == 409 and f"works only in {WAIT_DAYS} days" in early.text
    [refuse] = re.findall(r'action="(/rescue/\w+/refuse)"', ada.get("/account").text)
    table = schema.notices
    query = select(table.c.data).where(table.c.kind == "account", table.c.data.contains("rescue"))

    async def told() -> list[str]:
        return await site.tables.store._database.read(lambda connection: list(connection.scalars(query)))

    [data] = map(msgspec.json.decode, site.call(told))
    said = notification_message("1", "account", "", data, None, "en", "", "https://t.example/")
    assert said.link == f"https://t.example{refuse}"
    assert "Refuse the link" in thief.get(refuse).text
    assert ada.post(refuse).status_code == 303
    clock.passes(WAIT_DAYS * _DAY_S)
    assert thief.post("/rescue", {"token": token}).status_code == 410

    [token] = re.findall(r"https://t.example/rescue#(\S+)", link().output)
    clock.passes(WAIT_DAYS * _DAY_S)
    back = site.browser("Eve")
    old = dict(back.cookies)
    assert back.post("/rescue", {"token": token}).headers["location"] == "/account#ways"
    assert "Ada" in back.get("/settings").text and thief.post("/rescue", {"token": token}).status_code == 410
    back.cookies = old
    assert "<bdi>Eve<" not in back.get("/settings").text, "the session that was replaced has ended"
