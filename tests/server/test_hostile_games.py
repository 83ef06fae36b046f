"""Games of other packages that pass their trial, or nearly, and go wrong later.

The server and the other games continue.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest

from atoll.engine import registry
from atoll.new_game import new_game
from atoll.server.compose import runaway_guard
from tests.toy import GAME as TOY

from .serving import Player, Server, serving, together

pytestmark = [pytest.mark.source, pytest.mark.xdist_group("hostile games")]  # one house for all

LOOP = "while True: pass"
IMPATIENT = "from atoll.server.compose import runaway_guard; runaway_guard.SECONDS = 0.5"
PATIENT_S = 120  # seconds of processor time last longer on a busy machine
UNDRAWN = "all choices are in the list"
PICTURE = """
from pathlib import Path

from atoll.picture.default_table import emblem, symbols
from atoll.picture import default_table


def regions(game, view, words):
    if Path({mark!r}).exists():
        {does}
    return default_table.regions(game, view, words)
"""


@dataclass
class House:
    """A server with games of other packages.

    Attributes:
        server: The server.
        folder: Folder for files named after games. A game fails while its file exists.
    """

    server: Server
    folder: Path

    @contextmanager
    def spoilt(self, game: str) -> Iterator[None]:
        """Let the game fail meanwhile; afterwards its file would delay the trial of a new server."""
        (self.folder / game).touch()
        yield
        (self.folder / game).unlink()

    def page(self, path: str) -> httpx2.Response:
        """A page as somebody sees it who looks on."""
        return httpx2.get(f"{self.server.base}{path}", timeout=PATIENT_S)


def put(folder: Path, id: str, rules: str = "", picture: str = "") -> None:
    """Write a game of another package.

    Args:
        folder: Folder of the package.
        id: Id of the game.
        rules: Code that runs at the end of a round once the game is spoilt.
        picture: Code that runs before the picture is drawn once the game is spoilt.
    """
    new_game(id, folder, inside=False)
    home = folder / f"atoll-{id}" / "src" / f"atoll_{id}"
    mark = str(folder / id)
    if rules:
        text = (home / "rules.py").read_text()
        spoilt = f"    if __import__('pathlib').Path({mark!r}).exists():\n        {rules}\n"
        assert text.count("    bring_up(s, divers)\n") == 1
        (home / "rules.py").write_text(text.replace("    bring_up(s, divers)\n", spoilt + "    bring_up(s, divers)\n"))
    if picture:
        (home / "picture.py").write_text(PICTURE.format(mark=mark, does=picture))
    (folder / f"atoll_{id}").symlink_to(home)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """One house for all of them."""
    folder = tmp_path_factory.mktemp("hostile")
    put(folder, "heavy")
    with (folder / "atoll_heavy" / "words" / "en.po").open("a") as words:
        words.write('\nmsgid "heavy.more"\nmsgstr "' + "x" * 50_000_000 + '"\n')
    put(folder, "loops", rules=LOOP)
    put(folder, "blots", picture="raise ValueError('a blot')")
    put(folder, "broods", picture=LOOP)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")]))
        patch.setenv(registry.VARIABLE, "atoll_heavy atoll_loops atoll_blots atoll_broods")
        with serving(f"sqlite:///{folder}/house.db", before=IMPATIENT) as server:
            patch.setenv(registry.VARIABLE, "atoll_loops atoll_blots atoll_broods")  # when it starts again
            yield House(server, folder)


def send(player: Player, table: str) -> Any:
    """Answer by the first choice that there is."""
    view = player.get(f"/tables/{table}")
    turn = view["turn"]
    body = {"choices": turn["texts"][:1], "stamp": turn["stamp"], "confirm": True}
    return player.client.post(f"/tables/{table}/seats/{view['seat']}/apply", json=body)


def playing(house: House, game: str) -> tuple[str, list[Player]]:
    """A table of this game, before the last seat answers in a round."""
    table, players = together(house.server, game, "Ada", "Bob")
    assert send(players[0], table).is_success
    for player in players:
        player.client.timeout = PATIENT_S
    return table, players


def others_go_on(house: House) -> None:
    """Somebody plays another game."""
    table, players = together(house.server, "atacama", "Cy", "Dan")
    (mover,) = (each for each in players if each.get(f"/tables/{table}")["turn"])
    assert send(mover, table).is_success


def test_one_with_50_megabytes_of_words_is_left_out(house: House) -> None:
    player = Player(house.server, "Ada")
    offered = {each["id"] for each in player.get("/games")}
    assert {"loops", "blots", "broods", "atua"} <= offered and "heavy" not in offered


def test_one_whose_picture_fails_is_played_without(house: House) -> None:
    table, (ada, bob) = playing(house, "blots")
    assert UNDRAWN not in house.page(f"/t/{table}").text
    with house.spoilt("blots"):
        page = house.page(f"/t/{table}")
        assert page.status_code == 200 and UNDRAWN in page.text
        assert send(bob, table).is_success
        assert ada.get(f"/tables/{table}")["turn"]["texts"]


def test_one_whose_rules_never_end_waits_for_repair(house: House) -> None:
    table, (ada, bob) = playing(house, "loops")
    before = ada.get(f"/tables/{table}")
    with house.spoilt("loops"):
        answer = send(bob, table)
    assert (answer.status_code, answer.json()["code"]) == (503, "repair")
    others_go_on(house)
    after = ada.get(f"/tables/{table}")
    assert after["status"] == "repair" and after["view"] == before["view"], "nothing is lost"
    assert "Something went wrong while applying the rules" in house.page(f"/t/{table}").text


def test_one_that_never_ends_again_and_again_is_left_out(house: House) -> None:
    table, (ada, bob) = playing(house, "broods")
    with house.spoilt("broods"):
        for _ in range(runaway_guard.TIMES):
            assert UNDRAWN in house.page(f"/t/{table}").text
    others_go_on(house)
    page = house.page(f"/t/{table}")
    assert page.status_code == 503 and "the others can" in page.text
    assert "broods" not in {each["id"] for each in ada.get("/games")}
    assert ada.get(f"/tables/{table}")["status"] == "repair"

    house.server.end()
    house.server.start()
    assert UNDRAWN not in house.page(f"/t/{table}").text
    assert send(bob, table).is_success, "nothing is lost"


def test_one_that_only_waits_is_interrupted_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """The guard takes this module for a game's."""
    assert (runaway_guard.SECONDS, runaway_guard.PATIENCE_S) == (2.0, 20.0)
    for name, seconds in (("SECONDS", 0.2), ("PATIENCE_S", 0.6), ("_EVERY_S", 0.05)):
        monkeypatch.setattr(runaway_guard, name, seconds)
    guard = runaway_guard.RunawayGuard({"toy": TOY}, lambda *_: None)

    async def waits() -> float:
        task = asyncio.create_task(guard.run())
        await asyncio.sleep(0)
        started = time.monotonic()
        with pytest.raises(runaway_guard.RulesTimeout, match=r"toy ran for \d\.\d s of processor time"):
            time.sleep(60)  # noqa: ASYNC251 - as a game that waits
        waited = time.monotonic() - started
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return waited

    assert 0.6 <= asyncio.run(waits()) < 30
