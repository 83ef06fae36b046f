"""What a page's update costs the server: random games, after each move every viewer's page is brought up to date.

    make updates                                  # all games
    make updates ARGS="atua --number 3 --profile"  # one game, and where its time goes

The application runs in this process and is asked as browsers ask it, without a network between: guard, session, view,
drawing and compression are in the time, the move itself isn't. Viewers are everybody at the table and a spectator.
Per game: processor time of an update and the bytes that it is sent, compressed; half of all, and 95 of 100, need less.
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import pstats
import random
import re
import statistics
import tempfile
import time
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import atoll
from atoll.picture.block import completed
from atoll.server.app import create_app
from atoll.server.limits import DEFAULTS
from atoll.server.model import NewTable, SeatPlan, User
from atoll.server.settings import ServerSettings
from atoll.server.tables import Tables
from atoll.server.web.session import COOKIE

_SHARE: Final = "ab" * 32
_MOST_MOVES: Final = 2000
_CONFIRMS: Final = 0.5


class Browser:
    """Somebody's page of a table."""

    def __init__(self, app: Any, state: Mapping[str, Any], token: str = "") -> None:
        self._app: Any = app
        self._state: Mapping[str, Any] = state
        self.page: str = ""
        self._cookie: bytes = f"{COOKIE}={token}".encode() if token else b"atoll_pre=spectator"

    async def get(self, path: str, *headers: tuple[bytes, bytes]) -> tuple[int, bytes]:
        """How many bytes were sent, and what they say."""
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "GET",
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "root_path": "",
            "headers": [(b"host", b"127.0.0.1"), (b"accept-encoding", b"gzip"), (b"cookie", self._cookie), *headers],
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 80),
            "state": dict(self._state),
        }
        body: list[bytes] = []

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Any) -> None:
            assert message.get("status", 200) == 200, message
            body.append(message.get("body", b""))

        await self._app(scope, receive, send)
        sent = b"".join(body)
        return len(sent), zlib.decompress(sent, 47) if sent[:2] == b"\x1f\x8b" else sent

    async def update(self, path: str) -> tuple[int, float]:
        """Bring the page up to date: how many bytes were sent, and the processor time in ms."""
        has = ".".join(sorted(set(re.findall(r'data-block="([\w-]{8})\.', self.page))))
        begun = time.process_time()
        sent, content = await self.get(path, (b"x-fragment", b"1"), (b"x-blocks", has.encode()))
        ms = 1000 * (time.process_time() - begun)
        self.page = completed(content.decode(), self.page)
        return sent, ms


@dataclass
class Found:
    """ms and bytes of every update of a game."""

    ms: list[float] = field(default_factory=list)
    sent: list[int] = field(default_factory=list)


async def play(game: str, games: int, seed: int, profile: cProfile.Profile | None) -> Found:
    """Random games of people alone, the fewest that the game is for, but two."""
    found = Found()
    with tempfile.TemporaryDirectory() as folder:
        settings = ServerSettings(url=f"sqlite:///{folder}/x.db", bot_workers=1, limits=dict.fromkeys(DEFAULTS, ""))
        app = create_app(settings)
        async with app.router.lifespan_context(app):
            for number in range(games):
                await _play_one(app, game, random.Random(seed + number), found, profile)
    return found


async def _play_one(app: Any, game: str, rng: random.Random, found: Found, profile: cProfile.Profile | None) -> None:
    tables: Tables = app.state.tables
    count = max(2, min(atoll.games[game].seat_counts))
    logins = [await tables.people.guest(f"P{n}") for n in range(count)]
    users: list[User] = [login.user for login in logins]
    plans = (SeatPlan("me"), *[SeatPlan("open")] * (count - 1))
    table = await tables.gathering.create(users[0], NewTable(game, plans))
    for seat in range(1, count):
        await tables.gathering.join(users[seat], table, seat)
    for seat, user in enumerate(users):
        await tables.gathering.contribute(user, table, seat, _SHARE)
    state = {"tables": tables}
    pages = [Browser(app, state, login.token) for login in logins] + [Browser(app, state)]
    for page in pages:
        await page.update(f"/t/{table}")
    for _ in range(_MOST_MOVES):
        if not await _step(tables, users, table, rng):
            return
        for user, page in zip([*users, None], pages, strict=True):
            version = (await tables.reading.table(user, table)).version
            if f'"version":"{version}"' in page.page:
                continue  # what somebody has only staged, nobody else can notice
            if profile is not None:
                profile.enable()
            sent, ms = await page.update(f"/t/{table}")
            if profile is not None:
                profile.disable()
            found.ms.append(ms)
            found.sent.append(sent)


async def _step(tables: Tables, users: list[User], table: str, rng: random.Random) -> bool:
    """One random click of somebody who can do something; False when the game is over."""
    for user in users:
        view = await tables.reading.table(user, table)
        turn, seat = view.turn, view.seat
        if turn is None or seat is None or not (turn.legal or turn.can_confirm):
            continue
        if turn.can_confirm and (not turn.legal or rng.random() < _CONFIRMS):
            await tables.turn.confirm(user, table, seat, turn.stamp)
        else:
            await tables.turn.choose(user, table, seat, [rng.choice(turn.legal)], turn.stamp)
        return True
    return False


def _most(values: Sequence[float]) -> float:
    """What 95 of 100 don't exceed."""
    return statistics.quantiles(values, n=20)[-1]


def main() -> None:
    """Parse the command line and measure."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("games", nargs="*", default=sorted(atoll.games))
    parser.add_argument("--number", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--profile", action="store_true")
    arguments = parser.parse_args()
    print("game       updates     p50 / p95         sent p50 / p95")
    for game in arguments.games:
        profile = cProfile.Profile() if arguments.profile else None
        found = asyncio.run(play(game, arguments.number, arguments.seed, profile))
        print(
            f"{game:10s} {len(found.ms):7d} {statistics.median(found.ms):6.2f} /{_most(found.ms):6.2f} ms"
            f" {statistics.median(found.sent):7.0f} /{_most(found.sent):6.0f} bytes"
        )
        if profile is not None:
            pstats.Stats(profile).sort_stats("tottime").print_stats(45)
            pstats.Stats(profile).sort_stats("cumtime").print_stats(60)


if __name__ == "__main__":
    main()
