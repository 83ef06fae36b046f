"""Games that strangers bring to be verified: how much work they may make, and whose turn it is."""

import asyncio
import json
import re
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import Mock
from urllib.parse import quote

import httpx2
import pytest

from atoll.engine import CHANCE, Position
from atoll.engine import record as records
from atoll.server.bots.pool import BotPool
from atoll.server.domain.settings import ServerSettings
from atoll.server.play.verification import ReplayQueue
from atoll.server.table import game_verification

from ..chance.made import made
from .conftest import GAMES, Room, Site, opened, refused
from .serving import serving

pytestmark = pytest.mark.anyio


@cache
def taken_back(times: int) -> str:
    """Return a finished game whose last reversible answer was taken back a number of times."""
    saved = made().file
    answers = [(CHANCE if each["seat"] is None else each["seat"], each["choice"]) for each in saved["record"]]
    game = GAMES["atacama"]
    options = saved["fairness"]["terms"]["options"]
    for length in reversed(range(len(answers))):
        position = game.new(2, options)
        for index, (who, text) in enumerate(answers[:length]):
            records.advance(position, index, who, game.parse(text))
        assert position.record is not None
        undone = {"kind": "undo", "length": length, "sequence": position.sequence, "record": [saved["record"][length]]}
        if game_verification.verify(GAMES, json.dumps({**saved, "undone": [undone]})).value == "open":
            return json.dumps({**saved, "undone": [undone] * times})
    raise AssertionError("nothing can be taken back")


def test_an_answer_is_played_once_however_often_others_were_taken_back(monkeypatch: pytest.MonkeyPatch) -> None:
    text = taken_back(300)
    length = len(made().file["record"])
    apply, count = Position.apply, 0

    def counted(self: Position, *given: Any) -> None:
        nonlocal count
        count += 1
        apply(self, *given)

    monkeypatch.setattr(Position, "apply", counted)
    assert game_verification.verify(GAMES, text).names == ["terms"]
    assert 300 < count <= 300 + 2 * length


def test_the_work_of_a_file_is_known_before_it_is_played() -> None:
    length = len(made().file["record"])
    assert game_verification.count_answers(taken_back(50)) == length + 50
    assert game_verification.count_answers(json.dumps({"record": [], "undone": [{"record": []}] * 9})) == 10
    assert game_verification.count_answers("atoll 1\n" + "= 00\n" * 20 + "proof undone-1 undo 3 4 p0 x | p1 y") == 23
    for nonsense in ("", "{", '{"record": 7}', "[" * 100_000, "{" + '"a":{' * 100_000):
        assert game_verification.count_answers(nonsense) <= 1
    longest = {"wutaki": 816}  # steps of a random game of four
    assert 10 * max(longest.values()) < game_verification.MOST_ANSWERS


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", r"The file contains 10\d\d\d answers\. A game can be replayed with at most 10000\."),
        ("de", r"Die Datei enthält 10\d\d\d Antworten\. Nachspielen lassen sich höchstens 10000\."),
    ],
)
def test_a_file_with_too_much_work_is_refused_at_once(
    site: Site, monkeypatch: pytest.MonkeyPatch, language: str, sentence: str
) -> None:
    monkeypatch.setattr(BotPool, "verify", Mock(side_effect=AssertionError("it is played")))
    text = taken_back(game_verification.MOST_ANSWERS)
    answer = site.browser().post("/verify", {"game": text}, headers={"accept-language": language})
    assert answer.status_code == 422 and re.search(sentence, answer.text)


async def test_an_address_brings_so_many_answers_an_hour(sqlite_url: str) -> None:
    text = taken_back(50)
    count = game_verification.count_answers(text)
    async with opened(sqlite_url, limits={"verified": f"{2 * count}/hour"}) as room:
        for _ in range(2):
            assert (await room.tables.verification.file("1.2.3.4", text)).names == ["terms"]
        with refused("limit"):
            await room.tables.verification.file("1.2.3.4", text)
        assert (await room.tables.verification.file("1.2.3.5", text)).value == "open"


async def test_short_files_of_addresses_with_nothing_in_front_go_first() -> None:
    line, order, ends = ReplayQueue(), list[str](), asyncio.Event()

    async def bring(name: str, address: str, length: int) -> None:
        async with line.turn(address, length, 20):
            order.append(name)
            await ends.wait()

    async with asyncio.TaskGroup() as tasks:
        files = [("bomb", "a", 9000), ("again", "a", 9000), ("small", "a", 10), ("long", "b", 500), ("short", "c", 300)]
        for name, address, length in files:
            tasks.create_task(bring(name, address, length))
            await asyncio.sleep(0)
        assert order == ["bomb"]
        with pytest.raises(TimeoutError):
            async with line.turn("d", 1, 0.01):
                raise AssertionError("its turn has come")
        ends.set()
    assert order == ["bomb", "short", "long", "again", "small"]
    async with line.turn("a", 1, 0.01):
        pass


async def test_where_none_gets_a_turn_it_says_so(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("atoll.server.play.verification._PATIENCE_S", 0.01)
    async with room.tables.verification._line.turn("9.9.9.9", 1, 1):
        with refused("busy"):
            await room.tables.verification.file("1.2.3.4", taken_back(1))


def test_a_server_takes_a_game_as_long_as_its_help_says(tmp_path: Path) -> None:
    """The form is longer than the file: quotes and blanks are escaped in it."""
    most = ServerSettings().game_bytes
    with serving(f"sqlite:///{tmp_path}/atoll.db") as server, httpx2.Client(base_url=server.base, timeout=60) as client:
        page = client.get("/verify").text
        [token] = set(re.findall(r'name="csrf"[^>]*?value="([^"]+)"', page))
        headers = {"content-type": "application/x-www-form-urlencoded"}
        form = f"csrf={token}&game={quote(json.dumps(made().file))}"
        for length, status in ((most, 200), (most + 1, 413)):
            body = form.encode().ljust(length, b"+")
            assert client.post("/verify", content=body, headers=headers).status_code == status
        # Other forms aren't read so far.
        assert client.post("/settings", content=form.encode().ljust(most, b"+"), headers=headers).status_code == 413
