"""A level that didn't beat the one below at a number of seats is offered nowhere for it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from atoll.bots import Level, levels
from atoll.engine import Game
from atoll.server.domain.model import NewTable, Refused, SeatPlan

from .conftest import Room, Site

pytestmark = pytest.mark.anyio


def without_strong_for_two(game: Game, seats: int | None) -> Sequence[Level]:
    return [level for level in levels(game, seats) if seats != 2 or level.name != "strong"]


async def test_a_table_with_it_is_refused_and_one_for_more_seats_is_made(room: Room) -> None:
    room.tables.catalogue._levels = without_strong_for_two
    ada, me, strong = await room.person("Ada"), SeatPlan("me"), SeatPlan("bot", bot="strong")
    with pytest.raises(Refused, match="unknown bot 'strong'; allowed: beginner, casual, expert"):
        await room.tables.table_setup.create(ada, NewTable("atacama", (me, strong)))
    with pytest.raises(Refused, match="stand_in: unknown bot 'strong'"):
        await room.tables.table_setup.create(ada, NewTable("atacama", (me, SeatPlan("open")), stand_in="strong"))
    assert await room.tables.table_setup.create(ada, NewTable("atacama", (me, strong, strong, strong)))


async def test_a_rematch_takes_the_usual_level_instead(room: Room) -> None:
    options = {"start_player": "seat_1"}
    table = await room.table("atacama", "Ada", "bot:strong", options=options, stand_in="strong")
    ada = room.people["Ada"]
    await room.tables.votes.vote(ada, table, 0, "cancel", True)
    room.tables.catalogue._levels = without_strong_for_two
    view = await room.view("Ada", await room.tables.table_setup.rematch(ada, table))
    assert [seat.bot for seat in view.seats] == ["", "casual"]
    assert view.stand_in == "casual"


def test_the_form_and_the_api_know_it(site: Site) -> None:
    site.tables.catalogue._levels = without_strong_for_two
    browser = site.browser("Ada")
    two, four = (browser.get(f"/new?game=atacama&seats={seats}").text for seats in (2, 4))
    assert 'value="bot:strong"' not in two
    assert '<option value="strong"' not in two
    assert 'value="bot:strong"' in four
    found = {game["id"]: game for game in site.program("Bob").ask("GET", "/games").json()}["atacama"]
    assert "strong" in found["bots"]
    assert "strong" not in found["bots_by_seats"]["2"]
    assert "strong" in found["bots_by_seats"]["4"]
