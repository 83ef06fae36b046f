"""Measures the cost of a page's update: after each move of random games all pages are updated.

    make updates                                  # all games
    make updates ARGS="atua --number 3 --profile"  # one game, with a profile

The application runs in this process without a network, and gets requests as from browsers. The time
includes guard, session, view, drawing and compression, but not the move itself. Viewers are all
players and a spectator. For each game the median and the 95th percentile are printed: processor
time of an update, and its compressed bytes.
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import pstats
import random
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import atoll

from .served import Browser, party, served

_MOST_MOVES: Final = 2000


@dataclass
class Found:
    """Milliseconds and bytes of all updates of a game."""

    ms: list[float] = field(default_factory=list)
    sent: list[int] = field(default_factory=list)


async def play(game: str, games: int, seed: int, profile: cProfile.Profile | None) -> Found:
    """Play random games between people, with the game's `min_multiplayer_seats`.

    Args:
        game: Id of the game.
        games: Number of games.
        seed: Seed of the first game.
        profile: Profile of the updates; None for none.

    Returns:
        The figures of all games.
    """
    found = Found()
    async with served() as app:
        for number in range(games):
            await _play_one(app, game, random.Random(seed + number), found, profile)
    return found


async def _play_one(app: Any, game: str, rng: random.Random, found: Found, profile: cProfile.Profile | None) -> None:
    people = await party(app, game)
    path = f"/t/{people.table}"
    pages = [Browser(app, token) for token in (*people.tokens, "")]
    for page in pages:
        await page.update(path)
    for _ in range(_MOST_MOVES):
        if not await people.click(rng):
            return
        for user, page in zip([*people.users, None], pages, strict=True):
            if page.version == (await people.view(user)).version:
                continue  # a turn draft isn't visible to others
            if profile is not None:
                profile.enable()
            found.sent.append(await page.update(path))
            found.ms.append(page.ms)
            if profile is not None:
                profile.disable()


def _most(values: Sequence[float]) -> float:
    """Return the 95th percentile."""
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
