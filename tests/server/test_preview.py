"""Previews of choices, and reasons why a choice isn't legal."""

import pytest

from atoll.server.domain.model import NewTable, TableView, User
from atoll.testing.shares import give_shares
from tests.toy import GAME as TOY

from .conftest import DEVICE, ME, Browser, Room, Site, refused, site_at

pytestmark = pytest.mark.anyio


async def _someones_turn(room: Room, game: str = "atacama") -> tuple[str, User, int, str, int]:
    table = await room.table(game, "Ada", "Bob")
    name, view = await room.mover(table, "Ada", "Bob")
    assert view.turn is not None and view.seat is not None
    return table, room.people[name], view.seat, view.turn.stamp, view.turn.legal[0]


async def test_a_preview_changes_nothing(room: Room) -> None:
    table, who, seat, _, choice = await _someones_turn(room)
    before = await room.view(who.name, table)
    shown = await room.tables.previews.preview(who, table, seat, [choice])
    assert shown is not None and before.view is not None and shown["state"] != before.view["state"]
    assert await room.tables.previews.preview(who, table, seat, [choice, choice]) is None
    assert await room.tables.previews.preview(who, table, seat, ["nonsense"]) is None
    assert await room.view(who.name, table) == before


async def test_why_not_names_the_reason(room: Room) -> None:
    table, who, seat, stamp, choice = await _someones_turn(room)
    assert await room.tables.previews.why_not(who, table, seat, choice) is None
    await room.tables.turns.choose(who, table, seat, [choice], stamp, confirm=True)
    other = next(user for user in room.people.values() if user is not who)
    why = await room.tables.previews.why_not(other, table, 1 - seat, choice)
    assert why is not None and why.origin == "game"
    with refused("malformed"):
        await room.tables.previews.why_not(other, table, 1 - seat, 10**9)


async def test_a_complete_turn_says_so_whoever_is_asked_next(room: Room) -> None:
    """The next decision may be another player's, whose choices are unknown."""
    table, who, seat, stamp, first = await _someones_turn(room)
    choice = first
    for _ in range(20):
        await room.tables.turns.choose(who, table, seat, [choice], stamp)
        turn = (await room.tables.table_views.table(who, table, seat=seat)).turn
        assert turn is not None
        if turn.can_confirm and not turn.legal:
            break
        choice, stamp = turn.legal[0], turn.stamp
    why = await room.tables.previews.why_not(who, table, seat, first)
    assert why is not None and why.key == "complete"


def _table(site: Site, browser: Browser, game: str) -> tuple[str, TableView]:
    """A game of two at one device, and the view of who begins."""
    table: str = site.call(site.tables.table_setup.create, browser.user, NewTable(game, (ME, DEVICE)))
    site.call(give_shares, site.tables, table)
    return table, site.call(site.tables.table_views.table, browser.user, table)


def test_the_end_of_a_set_says_that_its_members_come_first(sqlite_url: str) -> None:
    """It's legal in addition to the other choices that are tried, but not before them."""
    with site_at(sqlite_url, {"toy": TOY}) as site:
        ada = site.browser("Ada")
        table, _ = _table(site, ada, "toy")
        enough, white = TOY.parse("enough"), TOY.parse("wish white")
        why = site.call(site.tables.previews.why_not, ada.user, table, 0, enough, white)
        assert (why.origin, why.key) == ("table", "later")
        told = ada.get(f"/t/{table}/preview?choices={enough},{white}").json()
        assert (told["html"], told["why"]) == (None, "You can choose this once the rest is chosen.")
        assert site.call(site.tables.previews.why_not, ada.user, table, 0, white, enough) is None


def test_where_nothing_else_speaks_against_it_the_question_comes_first(site: Site) -> None:
    ada = site.browser("Ada")
    table, view = _table(site, ada, "atacama")
    assert view.turn is not None

    def why() -> str:
        said: str = ada.get(f"/t/{table}/why?choice=fly").json()["text"]
        return said

    assert why() == "That comes later. First: Place one of your rigs on a free field."
    site.call(site.tables.turns.choose, ada.user, table, view.seat, [view.turn.legal[0]], view.turn.stamp)
    assert why() == "Your turn is complete: confirm it or take something back."
