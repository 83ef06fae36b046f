"""Names at a table: two that look alike are distinct in words and in data."""

import html
import random
import re
from importlib.resources import files

import pytest
from jinja2 import nodes

from atoll.engine.languages import LANGUAGES
from atoll.picture.templates import templates
from atoll.server.domain import names, sanitize, wall_clock
from atoll.server.domain.model import NewTable, SeatPlan
from atoll.server.domain.sanitize import NAME_LENGTH
from atoll.server.notify.message import mail, notification_message
from atoll.server.presentation.texts import site as site_texts
from atoll.testing.shares import give_shares

from .conftest import ME, OPEN, Browser, Room, Site

pytestmark = pytest.mark.anyio

BOT = SeatPlan("bot", bot="beginner")


@pytest.mark.parametrize(
    ("name", "others", "apart"),
    [
        ("Ann", ["Bob"], "Ann"),
        ("Ann", ["Ann"], "Ann 2"),
        ("ann", ["ANN", "Ann 2"], "ann 3"),
        ("A n n", ["Ann", "Ann2"], "A n n 3"),
        ("Ａｎｎ", ["Ann"], "Ａｎｎ 2"),
        ("An\u3164n", ["Ann"], "An\u3164n 2"),
        ("\u05d0\u05d1", ["\u05d0\u05d1"], "\u05d0\u05d1 2"),
        ("x" * NAME_LENGTH, ["X" * NAME_LENGTH], "x" * (NAME_LENGTH - 2) + " 2"),
    ],
)
def test_a_name_gets_a_number_where_another_looks_like_it(name: str, others: list[str], apart: str) -> None:
    assert names.distinct(name, others) == apart


def test_a_label_of_a_seat_is_known_as_one() -> None:
    for language in LANGUAGES:
        texts = site_texts(language)
        labels = [texts.text(key, number=3) for key in ("seat.bot_name", "seat.number")]
        for label in (*labels, texts.text("seat.kind.person")):
            assert names.is_label(label.upper())


def test_two_of_one_name_are_distinct_wherever_a_name_stands(site: Site) -> None:
    """Three people and a bot at one table, with chat, votes, lists and export."""
    first, second, third = site.browser("Ann"), site.browser("ann "), site.browser("Bot 4")
    table = site.call(
        site.tables.table_setup.create,
        first.user,
        NewTable("atacama", (ME, OPEN, OPEN, BOT)),
    )
    for each in (second, third):
        site.call(site.tables.table_setup.join, each.user, table)
    assert "<bdi>ann 2</bdi>" in first.get(f"/t/{table}").text
    site.call(give_shares, site.tables, table)
    for seat, each in enumerate((first, second)):
        assert each.post(f"/t/{table}/say", {"text": f"from {seat}"}).status_code == 303
        assert each.post(f"/t/{table}/vote", {"subject": "cancel", "answer": "yes", "seat": seat}).status_code == 303
    page = third.get(f"/t/{table}").text
    said = dict(re.findall(r"<b[^>]*><bdi>([^<]*)</bdi></b> <bdi>from (\w+)", page))
    assert said == {"Ann": "0", "ann 2": "1"}
    for words in ("Ann proposes to cancel", "In favor: Ann, ann 2"):
        assert words in page
    assert 'aria-label="ann 2"' in page and 'aria-label="Bot 4 2"' in page
    view = site.call(site.tables.table_views.table, third.user, table)
    assert [seat.name for seat in view.seats] == ["Ann", "ann 2", "Bot 4 2", "beginner"]
    assert [message.name for message in view.chat] == ["Ann", "ann 2"]
    export = site.call(site.tables.history.export, third.user, table)
    assert export["seats"] == ["Ann", "ann 2", "Bot 4 2", "beginner"]
    assert {entry["fields"].get("name") for entry in export["log"]} >= {"ann 2", "Bot 4 2"}
    assert "Ann proposes" in page
    listed = second.get("/mine").text
    assert "Ann<" in listed and "ann 2<" in listed


async def test_the_others_are_named_as_they_are_at_the_table(room: Room) -> None:
    """Notices of all kinds, also for who comes back to a rematch."""
    ann, bea = await room.person("Ann"), (await room.tables.users.guest("Ann")).user
    table = await room.tables.table_setup.create(ann, NewTable("atacama", (ME, OPEN, OPEN, BOT)))
    await room.tables.table_setup.join(bea, table)
    await room.tables.table_setup.join(await room.person("Cid"), table)
    async with room.tables.executor.locked(table) as live:
        assert [row.name for row in live.seats] == ["Ann", "Ann 2", "Cid", "beginner"]
        live.notifiable_users = {ann.id, bea.id, room.people["Cid"].id}
        live.notify("turn", room.people["Cid"].id, wall_clock.now_ms(), mark="")
        (notice,) = live.pending.notices
        assert notice.data["names"] == ["Ann", "Ann 2"]
        room.tables.executor.evict(live)
    people = (ann, bea, room.people["Cid"])
    await give_shares(room.tables, table)
    for seat, user in enumerate(people):
        await room.tables.votes.vote(user, table, seat, "cancel", True)
    again = await room.tables.table_setup.rematch(bea, table)
    async with room.tables.executor.locked(again) as live:
        assert len({names.key(row.name) for row in live.seats}) == 4
    await room.tables.table_setup.join(ann, again)
    async with room.tables.executor.locked(again) as live:
        assert sorted(row.name for row in live.seats) == ["Ann", "Ann 2", "Cid", "beginner"]


async def test_names_at_one_device_are_distinct(room: Room) -> None:
    ann = await room.person("Ann")
    plans = (ME, SeatPlan("device", name="Ann"), SeatPlan("device", name="ANN"), SeatPlan("device"))
    table = await room.tables.table_setup.create(ann, NewTable("atacama", plans))
    assert [seat.name for seat in (await room.view("Ann", table)).seats] == ["Ann", "Ann 2", "ANN 3", "Ann 4"]


async def test_who_watches_isnt_taken_for_who_played(room: Room) -> None:
    table = await room.table("atacama", "Ada", "Bob", chat_after="anyone")
    await room.play(table, "Ada", "Bob")
    other = (await room.tables.users.guest("ADA")).user
    assert (await room.tables.chat.say(other, table, "well played")).name == "ADA 2"


HEBREW, ARABIC = "\u05d0\u05d1\u05d2", "\u0633\u0627\u0631\u0629"
_NAME = f"(?:{HEBREW}|{ARABIC})"
_FREE = re.compile(f"(?<![\u2068\u05d0-\u06ff]){_NAME}|{_NAME}(?: [0-9]+)?(?![\u2069 \u05d0-\u06ff0-9])")
_HELD = re.compile('<bdi>[^<]*</bdi>|<input[^>]*>|"(?:seats|names)": *\\[[^]]*\\]')


def free(page: str) -> list[str]:
    """Return where a name stands so that it can turn what stands around it."""
    bare = _HELD.sub("", html.unescape(page))
    return [bare[max(0, found.start() - 60) : found.end() + 20] for found in _FREE.finditer(bare)]


def test_a_name_from_right_to_left_turns_nothing_around_it(site: Site) -> None:
    """On all pages of a table before, in and after its game, and in mails."""
    ada, bea = site.browser(HEBREW), site.browser(ARABIC)
    table = site.call(site.tables.table_setup.create, ada.user, NewTable("atacama", (ME, OPEN), visibility="lobby"))
    pages = ["/", "/mine", "/lobby", "/settings", "/about", "/delete", f"/t/{table}"]
    seen = [browser.get(page).text for browser in (ada, bea) for page in pages]
    site.call(site.tables.table_setup.join, bea.user, table)
    site.call(give_shares, site.tables, table)
    for seat, each in enumerate((ada, bea)):
        each.post(f"/t/{table}/say", {"text": f"{HEBREW}!"})
        each.post(f"/t/{table}/vote", {"subject": "cancel", "answer": "yes", "seat": seat})
        each.post(f"/t/{table}/vote", {"subject": "cancel", "answer": "no", "seat": seat})
    seen += [browser.get(page).text for browser in (ada, bea) for page in pages]
    _play(site, table, ada, bea)
    pages += [f"/t/{table}/{page}" for page in ("replay", "fairness")]
    seen += [browser.get(page).text for browser in (ada, bea) for page in pages]
    seen += [site.browser().get(f"/t/{table}").text]
    assert sum(page.count(HEBREW) for page in seen) > 60 and sum(page.count(ARABIC) for page in seen) > 60
    assert [each for page in seen for each in free(page)] == []
    notice = notification_message(
        "id", "message", table, {"name": HEBREW, "names": [HEBREW, f"{HEBREW} 2"]}, None, "en", "", "https://x/"
    )
    subject, plain, page = mail([notice], "en", "https://x/stop")
    assert HEBREW in plain and [free(each) for each in (subject, plain, page)] == [[], [], []]


def _play(site: Site, table: str, *people: Browser) -> None:
    chooser = random.Random(1)
    while True:
        for browser in people:
            view = site.call(site.tables.table_views.table, browser.user, table)
            if view.status == "over":
                return
            if view.turn is not None and view.turn.legal:
                choice = [chooser.choice(view.turn.legal)]
                site.call(
                    site.tables.turns.choose, browser.user, table, view.seat, choice, view.turn.stamp, confirm=True
                )


@pytest.mark.parametrize("text", ["\u202e", "\u2066", "\u2069", "\u200f", "\u061c"])
def test_no_control_breaks_out_of_its_isolate(text: str) -> None:
    assert sanitize.name(f"{HEBREW}{text}b") == f"{HEBREW}b"
    assert names.isolated(f"{HEBREW}{text}b") == f"\u2068{HEBREW}b\u2069"
    assert names.isolated(f"\u00e4{text}b") == "\u00e4b"


def _is_address(call: nodes.Call) -> bool:
    """Return whether a call makes an address, in which names are quoted."""
    return isinstance(call.node, nodes.Name) and call.node.name == "profile_address"


@pytest.mark.source
def test_templates_write_no_persons_name_raw() -> None:
    """A name or message of a person goes through `bdi` or `isolated`."""
    people, texts = {"info", "seat", "user", "message", "who"}, {"name", "text"}
    environment = templates("atoll.server.http.pages")
    environment.filters |= dict.fromkeys(("n", "signed", "block", "linked", "bdi", "isolated"), str)
    raw = []
    for file in (files("atoll.server.http.pages") / "templates").iterdir():
        tree = environment.parse(file.read_text("utf-8"))
        for output in tree.find_all(nodes.Output):
            held = {
                id(name)
                for each in output.find_all(nodes.Filter)
                if each.name in ("bdi", "isolated", "urlencode")
                for name in each.find_all(nodes.Getattr)
            }
            addresses = (each for each in output.find_all(nodes.Call) if _is_address(each))
            held |= {id(name) for each in addresses for name in each.find_all(nodes.Getattr)}
            asked = {id(name) for each in output.find_all(nodes.CondExpr) for name in each.test.find_all(nodes.Getattr)}
            raw += [
                f"{file.name}:{name.lineno}: {name.node.name}.{name.attr}"
                for name in output.find_all(nodes.Getattr)
                if isinstance(name.node, nodes.Name)
                and name.node.name in people
                and name.attr in texts
                and id(name) not in held | asked
            ]
    assert sorted(raw) == ["account.html.jinja:9: user.name", "settings.html.jinja:10: user.name"], "in fields"
