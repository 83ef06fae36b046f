"""Names at a table: two that are alike are told apart wherever one stands, in words and in data."""

import re

import pytest

from atoll.engine.words import LANGUAGES
from atoll.server import names, times
from atoll.server.model import NewTable, SeatPlan
from atoll.server.typed import NAME_LENGTH
from atoll.server.web.texts import site as site_texts

from .conftest import ME, OPEN, SHARE, Room, Site

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
    assert names.told_apart(name, others) == apart


def test_a_label_of_a_seat_is_known_as_one() -> None:
    for language in LANGUAGES:
        texts = site_texts(language)
        labels = [texts.text(key, number=3) for key in ("seat.bot_name", "seat.number")]
        for label in (*labels, texts.text("seat.kind.person")):
            assert names.is_label(label.upper())


def test_two_of_one_name_are_told_apart_wherever_a_name_stands(site: Site) -> None:
    """Two people and a bot, a game with a chat, votes, an undo and a nudge, up to the list of games that are over."""
    first, second, third = site.browser("Ann"), site.browser("ann "), site.browser("Bot 4")
    table = site.call(
        site.tables.gathering.create,
        first.user,
        NewTable("atacama", (ME, OPEN, OPEN, BOT)),
    )
    for each in (second, third):
        site.call(site.tables.gathering.join, each.user, table)
    assert "<b>ann 2</b>" in first.get(f"/t/{table}").text
    for seat, each in enumerate((first, second, third)):
        site.call(site.tables.gathering.contribute, each.user, table, seat, SHARE)
    for seat, each in enumerate((first, second)):
        assert each.post(f"/t/{table}/say", {"text": f"from {each.user.id}"}).status_code == 303
        assert each.post(f"/t/{table}/vote", {"subject": "cancel", "answer": "yes", "seat": seat}).status_code == 303
    page = third.get(f"/t/{table}").text
    said = dict(re.findall(r"<b>([^<]*)</b> from (\w+)", page))
    assert said == {"Ann": first.user.id, "ann 2": second.user.id}
    for words in ("Ann proposes to cancel", "In favour: Ann, ann 2"):
        assert words in page
    assert 'aria-label="ann 2"' in page and 'aria-label="Bot 4 2"' in page
    view = site.call(site.tables.reading.table, third.user, table)
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
    ann, bea = await room.person("Ann"), (await room.tables.people.guest("Ann")).user
    table = await room.tables.gathering.create(ann, NewTable("atacama", (ME, OPEN, OPEN, BOT)))
    await room.tables.gathering.join(bea, table)
    await room.tables.gathering.join(await room.person("Cid"), table)
    async with room.tables.keeper.held(table) as live:
        assert [row.name for row in live.seats] == ["Ann", "Ann 2", "Cid", "beginner"]
        live.reached = {ann.id, bea.id, room.people["Cid"].id}
        live.notify("turn", room.people["Cid"].id, times.now_ms(), mark="")
        (notice,) = live.pending.notices
        assert notice.data["names"] == ["Ann", "Ann 2"]
        room.tables.keeper.throw_away(live)
    people = (ann, bea, room.people["Cid"])
    for seat, user in enumerate(people):
        await room.tables.gathering.contribute(user, table, seat, SHARE)
    for seat, user in enumerate(people):
        await room.tables.votes.vote(user, table, seat, "cancel", True)
    again = await room.tables.gathering.rematch(bea, table)
    async with room.tables.keeper.held(again) as live:
        assert len({names.key(row.name) for row in live.seats}) == 4
    await room.tables.gathering.join(ann, again)
    async with room.tables.keeper.held(again) as live:
        assert sorted(row.name for row in live.seats) == ["Ann", "Ann 2", "Cid", "beginner"]


async def test_names_at_one_device_and_of_tables_of_earlier_versions_are_told_apart(room: Room) -> None:
    ann = await room.person("Ann")
    plans = (ME, SeatPlan("device", name="Ann"), SeatPlan("device", name="ANN"), SeatPlan("device"))
    table = await room.tables.gathering.create(ann, NewTable("atacama", plans))
    assert [seat.name for seat in (await room.view("Ann", table)).seats] == ["Ann", "Ann 2", "ANN 3", "Ann 4"]
    async with room.tables.keeper.held(table) as live:
        for row in live.seats:
            row.name = "Ann"
        live.touch(0, 1, 2, 3)
        await room.tables.keeper.store.commit(live.collect(None, ""))
        room.tables.keeper.throw_away(live)
    assert [seat.name for seat in (await room.view("Ann", table)).seats] == ["Ann", "Ann 2", "Ann 3", "Ann 4"]
    (card,) = await room.tables.lists.mine(ann)
    assert [seat.name for seat in card.seats] == ["Ann", "Ann 2", "Ann 3", "Ann 4"]


async def test_who_watches_isnt_taken_for_who_played(room: Room) -> None:
    table = await room.table("atacama", "Ada", "Bob")
    await room.play(table, "Ada", "Bob")
    other = (await room.tables.people.guest("ADA")).user
    assert (await room.tables.chat.say(other, table, "well played")).name == "ADA 2"
