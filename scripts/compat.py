"""Writes what the current code stores and answers, as test data for later code.

    PYTHONPATH=src .venv/bin/python scripts/compat.py

writes tests/compat: a database with tables of all games (`atoll.db.xz`), the answers of the API on
it (`answers.json.xz`), and two saves and two records of each game, in the middle and at the end. It
uses only the API and public functions of the engine. Until release 0.1.0 it runs again after each
change of a format. The files of that release are permanent.
"""

from __future__ import annotations

import json
import lzma
import random
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from starlette.testclient import TestClient

import atoll
from atoll.engine import Game, record
from atoll.server.compose.app import create_app
from atoll.server.domain import wall_clock
from atoll.server.domain.limits import DEFAULTS
from atoll.server.domain.settings import ServerSettings
from atoll.testing.shares import seal_body, share_body

FOLDER: Final = Path(__file__).parent.parent / "tests" / "compat"
START: Final = 1_790_000_000_000
SECRET: Final = "5a" * 32
MIDDLE: Final = {"atacama": 16, "atlandice": 40, "atua": 40, "raiatea": 120, "wutaki": 120}
STAGED: Final = 6


class Time:
    """The server's time of day, set by hand."""

    def __init__(self, now: int) -> None:
        self.now: int = now

    def __call__(self) -> int:
        """Milliseconds."""
        return self.now


class Tables:
    """People at tables, through the API.

    Attributes:
        client: Client of the application.
        clock: Time of day; each choice takes a second.
        rng: Source of the choices.
        tokens: Tokens of the people by name.
        shown: Recorded requests, which later code must answer in the same way.
    """

    def __init__(self, client: TestClient, clock: Time, tokens: dict[str, str] | None = None) -> None:
        self.client: TestClient = client
        self.clock: Time = clock
        self.rng: random.Random = random.Random(12)
        self.tokens: dict[str, str] = tokens or {}
        self.shown: list[dict[str, Any]] = []

    def ask(self, who: str, method: str, path: str, body: Any = None) -> Any:
        """Return the answer to a request that must succeed."""
        status, answer = self.send(who, method, path, body)
        assert status < 300, (path, answer)
        return answer

    def send(self, who: str, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """Return the status and the answer to a request."""
        headers = {"authorization": f"Bearer {self.tokens[who]}"} if who else {}
        response = self.client.request(method, f"/api/v1{path}", json=body, headers=headers)
        return response.status_code, response.json() if response.content else None

    def show(self, who: str, method: str, path: str, body: Any = None, *, game: str = "") -> Any:
        """Return the answer to a request, and record it.

        Args:
            who: Name of the person; empty for nobody.
            method: HTTP method.
            path: Path below the root of the API.
            body: Body of the request; None for none.
            game: Id of the game whose rules the answer depends on; empty for none.

        Returns:
            The answer.
        """
        status, answer = self.send(who, method, path, body)
        asked = {"game": game, "who": who, "method": method, "path": path, "body": body}
        self.shown.append(asked | {"status": status, "answer": answer})
        return answer

    def table(self, game: str, *, start: bool = True, key: str = "", **values: Any) -> str:
        """Create a table of anna, with ben at seat 1 and anna at all other seats."""
        seats = seats_of(game)
        plans = [{"kind": "me"}, {"kind": "open"}, *({"kind": "device"} for _ in range(seats - 2))]
        send = self.show if key else self.ask
        new = {"game": game, "seats": plans, "key": key, **values}
        found: str = send("anna", "POST", "/tables", new)["table"]
        if start:
            send("ben", "POST", f"/tables/{found}/join", {"key": key and f"{key}-join"})
            self.give(found)
            self.give(found)
        return found

    def give(self, table: str) -> None:
        """Seal the missing shares of a table or, once the list of seals is closed, show them."""
        chance = self.ask("anna", "GET", f"/tables/{table}")["chance"]
        step, body = ("seal", seal_body) if chance["terms"] is None else ("share", share_body)
        for seat in chance["missing"]:
            path = f"/tables/{table}/seats/{seat}/{step}"
            self.ask("ben" if seat == 1 else "anna", "POST", path, body(chance, seat, SECRET))

    def asked(self, table: str) -> tuple[str, int, dict[str, Any]] | None:
        """Return the person that can choose, the seat, and the turn; None if nobody can."""
        for seat in self.ask("anna", "GET", f"/tables/{table}")["seats"]:
            who = "anna" if seat["mine"] else "ben"
            if not seat["stand_in"]:
                turn = self.ask(who, "GET", f"/tables/{table}/seats/{seat['seat']}/legal")["turn"]
                if turn is not None and turn["legal"]:
                    return who, seat["seat"], turn
        return None

    def choose(self, table: str, *, confirm: bool = True, key: str = "") -> str:
        """Make a random choice of the seat that is asked.

        Args:
            table: Id of the table.
            confirm: Whether to confirm the turn.
            key: Idempotency key; if set, the request is recorded.

        Returns:
            The path of the seat, to which names of commands can be appended.
        """
        self.clock.now += 1000
        found = self.asked(table)
        assert found is not None
        who, seat, turn = found
        body = {"choices": [self.rng.choice(turn["legal"])], "stamp": turn["stamp"], "confirm": confirm, "key": key}
        path = f"/tables/{table}/seats/{seat}"
        if key:
            self.show(who, "POST", f"{path}/apply", body)
            return path
        status, answer = self.send(who, "POST", f"{path}/apply", body)
        if status == 409 and answer["code"] == "incomplete":
            self._pick(who, path, body)
        else:
            assert status < 300, (path, answer)
        return path

    def _pick(self, who: str, path: str, body: dict[str, Any]) -> None:
        """Pick members of a set until it is complete, the given one first, and confirm it."""
        stamp = self.ask(who, "POST", f"{path}/apply", body | {"confirm": False})["stamp"]
        while not (turn := self.ask(who, "GET", f"{path}/legal")["turn"])["can_confirm"]:
            body = {"choices": [self.rng.choice(turn["legal"])], "stamp": stamp, "confirm": False}
            stamp = self.ask(who, "POST", f"{path}/apply", body)["stamp"]
        self.ask(who, "POST", f"{path}/confirm", {"stamp": stamp})

    def play(self, table: str, until: Callable[[dict[str, Any]], bool]) -> None:
        """Make random choices until a spectator's view satisfies a condition."""
        while not until(self.ask("", "GET", f"/tables/{table}")):
            self.choose(table)

    def look(self, table: str) -> None:
        """Record everything that can be read of a table, by each person and by nobody."""
        card = self.ask("anna", "GET", f"/tables/{table}")
        game = card["game"]
        for who in ("anna", "ben", ""):
            self.show(who, "GET", f"/tables/{table}", game=game)
            self.show(who, "GET", f"/tables/{table}/log?first=3", game=game)
            self.show(who, "GET", f"/tables/{table}/chat")
            self.show(who, "GET", f"/tables/{table}/fairness", game=game)
            self.show(who, "GET", f"/tables/{table}/export", game=game)
            self.show(who, "GET", f"/tables/{table}/moments/5", game=game)
        for seat in range(len(card["seats"])):
            self.show("ben" if seat == 1 else "anna", "GET", f"/tables/{table}/seats/{seat}/legal", game=game)


def seats_of(game: str) -> int:
    """Return the number of seats of a game's tables: two if possible."""
    counts = atoll.games[game].seat_counts
    return 2 if 2 in counts else counts[0]


def in_seal(view: dict[str, Any]) -> bool:
    """Return whether some seats have answered a sealed decision, but not all."""
    ready = [seat["ready"] for seat in view["seats"] if seat["ready"] is not None]
    return any(ready) and not all(ready)


def fill(tables: Tables) -> dict[str, str]:
    """Create tables in every situation, and record commands with an idempotency key.

    Args:
        tables: The people.

    Returns:
        The ids of the tables by situation.
    """
    for name in ("anna", "ben"):
        tables.tokens[name] = tables.ask("", "POST", "/guests", {"name": name.title()})["token"]
    found: dict[str, str] = {}
    for game in atoll.games:
        found[game] = tables.table(game, clock={"bank_s": 86_400, "increment_s": 600, "cap_s": 90_000})
        tables.play(found[game], lambda view: view["view_sequence"] >= MIDDLE[view["game"]])
    for game in atoll.games:
        table = tables.table(game, visibility="link")
        tables.play(table, lambda view: view["view_sequence"] >= 200 or view["status"] == "over" or in_seal(view))
        if in_seal(tables.ask("", "GET", f"/tables/{table}")):
            found["sealed"] = table
            break
    first = next(iter(atoll.games))
    found["staged"] = tables.table(first, key="made-1", visibility="link")
    for _ in range(STAGED):
        tables.choose(found["staged"])
    found["over"] = tables.table(first)
    tables.play(found["over"], lambda view: view["status"] == "over")
    tables.show("anna", "POST", f"/tables/{found['over']}/chat", {"text": "Well played", "key": "chat-1"})
    found["left"] = tables.table(first)
    tables.choose(found["left"])
    while True:
        asked = tables.asked(found["left"])
        if asked is not None and asked[0] == "anna":
            break
        tables.choose(found["left"])
    tables.ask("ben", "POST", f"/tables/{found['left']}/seats/1/leave")
    found["gathering"] = tables.table(first, start=False)
    tables.give(found["gathering"])
    found["private"] = tables.table(first, start=False, visibility="private")
    under_way(tables, found["staged"])
    return found


def under_way(tables: Tables, table: str) -> None:
    """Record each command of a turn with a key; at the end a choice is staged."""
    for key in ("first", "second", "third"):
        path = tables.choose(table, confirm=False, key=f"{key}-1")
        who, end = ("ben" if path.endswith("1") else "anna"), {"first": "undo", "second": "restart", "third": "confirm"}
        turn = tables.ask(who, "GET", f"{path}/legal")["turn"]
        tables.show(who, "POST", f"{path}/{end[key]}", {"stamp": turn["stamp"], "key": f"{key}-2"})
    tables.choose(table, key="fourth-1")
    tables.choose(table, confirm=False)


def read(tables: Tables, found: dict[str, str]) -> None:
    """Record everything that can be read."""
    for who in ("anna", "ben", ""):
        tables.show(who, "GET", "/tables")
        tables.show(who, "GET", f"/versions?watch={found['over']}&watch={found['staged']}")
    for who in ("anna", "ben"):
        tables.show(who, "GET", "/me")
        tables.show(who, "GET", "/tables/mine")
    for table in found.values():
        tables.look(table)


def go_on(tables: Tables, found: dict[str, str]) -> None:
    """Record one more command at each table, and the table after it."""
    for kind, table in found.items():
        view = tables.ask("anna", "GET", f"/tables/{table}")
        game = view["game"]
        if kind == "sealed":
            seat = next(seat for seat in view["seats"] if seat["ready"])
            who, path = "anna" if seat["mine"] else "ben", f"/tables/{table}/seats/{seat['seat']}"
            stamp = tables.ask(who, "GET", f"{path}/legal")["turn"]["stamp"]
            tables.show(who, "POST", f"{path}/undo", {"stamp": stamp}, game=game)
        elif kind == "staged":
            seat = next(seat for seat in view["seats"] if seat["to_move"])
            who, path = "anna" if seat["mine"] else "ben", f"/tables/{table}/seats/{seat['seat']}"
            stamp = tables.ask(who, "GET", f"{path}/legal")["turn"]["stamp"]
            tables.show(who, "POST", f"{path}/confirm", {"stamp": stamp}, game=game)
        elif kind == "left":
            tables.show("ben", "POST", f"/tables/{table}/seats/1/return")
        elif kind in ("gathering", "private"):
            tables.show("ben", "POST", f"/tables/{table}/join", {})
            tables.show("ben", "POST", f"/tables/{table}/start")
        elif kind == "over":
            tables.show("ben", "POST", f"/tables/{table}/seats/1/leave")
        else:
            asked = tables.asked(table)
            assert asked is not None
            who, number, turn = asked
            body = {"choices": [turn["texts"][0]], "stamp": turn["stamp"]}
            tables.show(who, "POST", f"/tables/{table}/seats/{number}/apply", body, game=game)
        tables.look(table)


def keep(name: str, data: Any) -> None:
    """Write JSON, compressed."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    (FOLDER / name).write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))


def site(path: Path) -> TestClient:
    """Return a client of the application on a database."""
    settings = ServerSettings(url=f"sqlite:///{path}", bot_workers=1, limits=dict.fromkeys(DEFAULTS, ""))
    return TestClient(create_app(settings), base_url="http://127.0.0.1")


def write_database(folder: Path) -> None:
    """Write the database and the answers on it."""
    clock = Time(START)
    wall_clock.now_ms = wall_clock.machine_ms = clock  # a heartbeat adjusts clocks if the two differ
    with site(folder / "made.db") as client:
        tables = Tables(client, clock)
        found = fill(tables)
    path = folder / "kept.db"
    with closing(sqlite3.connect(folder / "made.db")) as source:
        source.execute("VACUUM INTO ?", (str(path),))
    (FOLDER / "atoll.db.xz").write_bytes(lzma.compress(path.read_bytes(), preset=9 | lzma.PRESET_EXTREME))
    with site(path) as client:
        reading = Tables(client, clock, tables.tokens)
        read(reading, found)
        following = Tables(client, clock, tables.tokens)
        go_on(following, found)
    rules = {game.id: game.rules_version for game in atoll.games.values()}
    answers = {"now": clock.now, "tokens": tables.tokens, "rules": rules, "tables": found}
    keep("answers.json.xz", answers | {"repeated": tables.shown, "read": reading.shown, "next": following.shown})


def write_games(game: Game) -> None:
    """Write saves and records of a game, in its middle and at its end, with all views."""
    rng = random.Random(game.id)
    position = game.new(seats_of(game.id), seed=12)
    views = {}
    for name in ("middle", "end"):
        while not position.over and (name == "end" or position.sequence < MIDDLE[game.id]):
            seat = position.to_move[0]
            position.apply(rng.choice(position.legal_choices(seat)), seat)
        views[name] = {
            "save": position.save_data(),
            "views": [position.view(viewer) for viewer in (None, *range(position.seats))],
            "legal": [
                position.legal_choices(seat) if seat in position.to_move else [] for seat in range(position.seats)
            ],
            "scores": position.scores() if position.over else None,
        }
        (FOLDER / f"{game.id}-{name}.game").write_text(record.write(position), "utf-8")
    keep(f"{game.id}.json.xz", views)


def main() -> None:
    """Write all files."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        write_database(Path(folder))
    for game in atoll.games.values():
        write_games(game)


if __name__ == "__main__":
    main()
