"""Games leave a database as records and come into one as finished tables."""

from pathlib import Path

import pytest

from atoll.engine import AtollError, SaveError, record
from atoll.server.domain.model import Fairness
from atoll.server.play.record_files import export_game, import_game
from atoll.server.table.chance_protocol import PROTOCOL
from tests.server.conftest import GAMES, Room, opened

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("game", ["atacama", "toy"])
async def test_a_played_table_is_exported_and_imported_elsewhere(room: Room, tmp_path: Path, game: str) -> None:
    table = await room.table(game, "Ann", "Bob")
    await room.play(table, "Ann", "Bob")
    text = await export_game(room.tables.store.url.render_as_string(), table, GAMES)
    assert record.check(GAMES[game], text) is None
    other = f"sqlite:///{tmp_path}/other.db"
    copy = await import_game(other, text, GAMES, ["Ann", "Bob"])
    imported = await export_game(other, copy, GAMES)
    assert imported.splitlines() == [line for line in text.splitlines() if not line.startswith("proof ")]
    mine = await room.view("Ann", table)
    async with opened(other) as elsewhere:
        view = await elsewhere.view(None, copy)
        assert view.status == "over"
        assert [seat.name for seat in view.seats] == ["Ann", "Bob"]
        assert view.score is not None and mine.score is not None
        assert (view.score.totals, view.score.lines) == (mine.score.totals, mine.score.lines)
        told = [(each.key, each.sequence) for each in view.log if each.origin == "game"]
        assert told == [
            (each.key, each.sequence) for each in (await room.view(None, table)).log if each.origin == "game"
        ]
        one, two = [await each.tables.history.moment(None, id, 7) for each, id in ((room, table), (elsewhere, copy))]
        assert (one.view, one.moments) == (two.view, two.moments)
        proof = await elsewhere.tables.history.fairness(None, copy)
        assert proof == Fairness(""), "here nothing was fixed before the game"
        assert (await room.tables.history.fairness(None, table)).protocol == PROTOCOL
        assert (await elsewhere.tables.bot_analysis.analyse(await elsewhere.person("Eve"), copy)).state == "computing"
        with pytest.raises(SaveError, match="1 names: expected 2"):
            await import_game(other, text, GAMES, ["Ann"])


async def test_imported_names_that_look_alike_are_numbered(room: Room, tmp_path: Path) -> None:
    table = await room.table("toy", "Ann", "Bob")
    await room.play(table, "Ann", "Bob")
    text = await export_game(room.tables.store.url.render_as_string(), table, GAMES)
    other = f"sqlite:///{tmp_path}/other.db"
    copy = await import_game(other, text, GAMES, ["Ann", "ANN"])
    async with opened(other) as elsewhere:
        view = await elsewhere.view(None, copy)
        assert [seat.name for seat in view.seats] == ["Ann", "ANN 2"]


async def test_a_running_game_keeps_its_secrets(room: Room) -> None:
    url = room.tables.store.url.render_as_string()
    table = await room.table("toy", "Ann", "Bob")
    await room.play(table, "Ann", "Bob", most=9)
    with pytest.raises(SaveError, match="the game is running, and its record contains all secrets; use --running"):
        await export_game(url, table, GAMES)
    text = await export_game(url, table, GAMES, running=True)
    assert record.check(GAMES["toy"], text) is None
    with pytest.raises(SaveError, match="only finished ones can be imported"):
        await import_game(url, text, GAMES)


async def test_what_has_no_record_is_named(room: Room) -> None:
    url = room.tables.store.url.render_as_string()
    with pytest.raises(SaveError, match="table 'nowhere' isn't in this database"):
        await export_game(url, "nowhere", GAMES)
    waiting = await room.table("toy", "Ann", "Bob", start=False)
    with pytest.raises(SaveError, match="hasn't started"):
        await export_game(url, waiting, GAMES)
    table = await room.table("atacama", "Ann", "Bob")
    await room.play(table, "Ann", "Bob")
    forked = await room.tables.history.continue_from(await room.person("Ann"), table, 5)
    with pytest.raises(SaveError, match="began at a later moment"):
        await export_game(url, forked, GAMES, running=True)


HEAD = "atoll 1\ngame toy\nrules 1\nbox {box}\nseats 2\n"
HOSTILE = {
    "nothing": "",
    "noise": "\x00\xff" * 1000,
    "a bomb": "atoll 1\n" + "#" * 2_000_001,
    "a million lines": HEAD + "start 0\n" * 200_000,
    "json instead": "[" * 100_000,
    "a number too long": HEAD.replace("rules 1", "rules " + "9" * 5000),
    "a number that isn't one": HEAD.replace("seats 2", "seats \u00b2"),
    "digits of another script": HEAD + "p\u0663 rest\n",
    "too many seats": HEAD.replace("seats 2", "seats 999999999"),
    "no seats": HEAD.replace("seats 2", "seats -1"),
    "a seat that isn't there": HEAD + "start 0\np9 wish pink\n",
    "an option that isn't there": HEAD + "option " + "x" * 100_000 + " 1\n",
    "another box": HEAD.replace("{box}", "0" * 16),
    "a hash that isn't one": HEAD + "= " + "f" * 100_000 + "\n",
    "chance out of range": HEAD + "start 99\n",
    "a choice out of range": HEAD + "start 0\np0 bid 999999999999999999\n",
    "scores without a game": HEAD + "scores 1 2\nplaces 1 2\n",
}


@pytest.mark.parametrize("name", HOSTILE)
async def test_a_hostile_record_is_refused_and_leaves_nothing(tmp_path: Path, name: str) -> None:
    file = tmp_path / "other.db"
    text = HOSTILE[name].replace("{box}", GAMES["toy"].components_hash)
    with pytest.raises(AtollError) as caught:
        await import_game(f"sqlite:///{file}", text, GAMES)
    assert len(str(caught.value)) < 1000
    assert not file.exists()
