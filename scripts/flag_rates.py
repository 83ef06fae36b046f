"""Rates of signs of abuse that flag honest people, and that find planted cheats.

Run `python -m scripts.flag_rates`. Populations are simulated for half a year, ranked by Plackett
and Luce, and rated as on a server. The search for signs sees the last 90 days, once a week.
"""

from __future__ import annotations

import argparse
import heapq
import math
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from atoll import games
from atoll.lab.rating_calibration import bot_games
from atoll.ratings import MODEL, Rating
from atoll.ratings.rules import WINDOW_MS, weight
from atoll.server.domain import flags
from atoll.store import RatedGame, RatedSeat

_DAY_MS: Final = 86_400_000
_HOUR_MS: Final = 3_600_000
_MINUTE_MS: Final = 60_000
_DAYS: Final = 180
_WINDOW_DAYS: Final = 90
_LOOK_DAYS: Final = 7
_GROUPS: Final = 12
_SPREAD: Final = 1.2
_FEWEST_TOGETHER: Final = 8
"""Number of games together from which on a pair counts in the rates; fewer are never flagged."""

Bend = Callable[[int, Sequence[int], list[float]], None]
"""Changes the values that rank a game: its day, its players, and their values."""


@dataclass(frozen=True, slots=True)
class Rate:
    """A rate of flags.

    Attributes:
        sign: Kind of the flag.
        who: The population.
        flagged: Number of accounts, pairs or households that were flagged.
        count: Number of all.
        cheats: Whether they should be flagged.
    """

    sign: str
    who: str
    flagged: int
    count: int
    cheats: bool = False

    @property
    def percent(self) -> float:
        """The rate in percent."""
        return 100 * self.flagged / self.count


# -- rated games -----------------------------------------------------------------------------------


def _rated(schedule: Iterable[tuple[int, Sequence[int], Sequence[int]]]) -> list[RatedGame]:
    """Return games with the ratings before each, as a server stores them.

    Args:
        schedule: Day, players and places of each game, in order.
    """
    ratings: dict[int, Rating] = defaultdict(lambda: MODEL.newcomer)
    groups: dict[frozenset[int], list[int]] = defaultdict(list)
    found = []
    for number, (day, players, places) in enumerate(schedule):
        earlier = groups[frozenset(players)]
        part = weight(sum(each > day - WINDOW_MS // _DAY_MS for each in earlier))
        if not part:
            continue
        earlier.append(day)
        before = [ratings[player] for player in players]
        seats = [
            RatedSeat(str(player), place, "", rating.mu, rating.sigma)
            for player, place, rating in zip(players, places, before, strict=True)
        ]
        found.append(RatedGame(str(number), "atacama", day, seats))
        for player, old, new in zip(players, before, MODEL.rate(before, places), strict=True):
            ratings[player] = old.moved(new, part)
    return found


def _ranked(
    days: Sequence[tuple[int, Sequence[int]]], strengths: Sequence[float], rng: random.Random, bend: Bend | None = None
) -> Iterator[tuple[int, Sequence[int], list[int]]]:
    """Yield games with places: the order of strengths with Gumbel noise, which a cheat bends."""
    for day, players in days:
        values = [strengths[player] - math.log(rng.expovariate(1)) for player in players]
        if bend is not None:
            bend(day, players, values)
        yield day, players, [1 + sum(other > value for other in values) for value in values]


def circles(seats: int, seed: int, *, gifts: bool = False) -> list[RatedGame]:
    """Return games of 12 circles of friends, who play once in six days, and of strangers.

    Args:
        seats: Number of seats, and of friends in a circle.
        seed: Seed of strengths and games.
        gifts: Whether the second friend of each circle comes last in each game with the first one.
    """
    rng = random.Random(f"{seed}.{seats}")
    people = _GROUPS * seats + 12
    strengths = [rng.gauss(0, _SPREAD) for _ in range(people)]
    days: list[tuple[int, Sequence[int]]] = []
    for day in range(_DAYS):
        days += [
            (day, rng.sample(range(group * seats, (group + 1) * seats), seats))
            for group in range(_GROUPS)
            if rng.random() < 1 / 6
        ]
        days += [(day, rng.sample(range(people), seats)) for _ in range(max(1, people // (6 * seats)))]

    def give(_day: int, players: Sequence[int], values: list[float]) -> None:
        """Let the givers come last."""
        for group in range(_GROUPS):
            taker, giver = group * seats, group * seats + 1
            if taker in players and giver in players:
                values[players.index(giver)] = min(values) - 1

    return _rated(_ranked(days, strengths, rng, give if gifts else None))


def strangers(seats: int, seed: int, *, learning: bool = False, throwing: bool = False) -> list[RatedGame]:
    """Return games of 36 players against changing opponents, about 50 each in 90 days.

    Args:
        seats: Number of seats.
        seed: Seed of strengths and games.
        learning: Whether every third player improves by 2 standard deviations in the half year.
        throwing: Whether every sixth player comes last on purpose for 25 days.
    """
    rng = random.Random(f"{seed}.{seats}")
    strengths = [rng.gauss(0, _SPREAD) for _ in range(36)]
    drawn = [(rng.randrange(_DAYS), rng.sample(range(36), seats)) for _ in range(36 * 100 // seats)]

    def change(day: int, players: Sequence[int], values: list[float]) -> None:
        """Let some improve, or throw games."""
        for seat, player in enumerate(players):
            if learning and player % 3 == 0:
                values[seat] += 2 * day / _DAYS
            if throwing and player % 6 == 0 and 80 <= day < 105:
                values[seat] = min(values) - 1

    return _rated(_ranked(sorted(drawn), strengths, rng, change))


def bots(seats: int, seed: int) -> list[RatedGame]:
    """Return real games of eight bots of very different strength, as they calibrate the ratings.

    Args:
        seats: Number of seats.
        seed: Seed of the games.
    """
    played = bot_games(games["atacama"], seats, 300, seed=seed).games
    return _rated((_DAYS * number // len(played), each.players, each.places) for number, each in enumerate(played))


def flagged(
    found: Sequence[RatedGame], search: Callable[[Sequence[RatedGame]], list[flags.Flag]]
) -> set[tuple[str, ...]]:
    """Return the users of all flags of a search that looks once a week at 90 days."""
    looks = range(_LOOK_DAYS, _DAYS + _LOOK_DAYS, _LOOK_DAYS)
    windows = ([each for each in found if look - _WINDOW_DAYS <= each.ended < look] for look in looks)
    return {tuple(sorted(flag.users)) for window in windows for flag in search(window)}


def _pairs(found: Sequence[RatedGame]) -> set[tuple[str, ...]]:
    """Return the pairs that have played together often enough for a flag."""
    met = Counter(pair for each in found for pair in combinations(sorted(seat.user_id for seat in each.seats), 2))
    return {pair for pair, count in met.items() if count >= _FEWEST_TOGETHER}


def one_sided_rates(seeds: int) -> Iterator[Rate]:
    """Yield the rates of one-sided pairs.

    Args:
        seeds: Number of simulations.
    """
    given = range(_GROUPS)
    for seats in (2, 3, 4):
        count = hits = found = 0
        for seed in range(seeds):
            fair = circles(seats, seed)
            pairs = _pairs(fair)
            count += len(pairs)
            hits += len(flagged(fair, flags.one_sided) & pairs)
            cheats = {tuple(sorted((str(group * seats), str(group * seats + 1)))) for group in given}
            found += len(flagged(circles(seats, seed, gifts=True), flags.one_sided) & cheats)
        yield Rate("one_sided", f"friends, {seats} seats", hits, count)
        yield Rate("one_sided", f"gifts, {seats} seats", found, seeds * len(given), cheats=True)


def bot_rates() -> Iterator[Rate]:
    """Yield the rates of one-sided pairs and swings of honest bots."""
    for seats in (2, 4):
        played = bots(seats, 1)
        pairs = _pairs(played)
        yield Rate("one_sided", f"bots, {seats} seats", len(flagged(played, flags.one_sided) & pairs), len(pairs))
        yield Rate("swing", f"bots, {seats} seats", len(flagged(played, flags.swings)), 8)


def swing_rates(seeds: int) -> Iterator[Rate]:
    """Yield the rates of swings.

    Args:
        seeds: Number of simulations.
    """
    for seats in (2, 4):
        for who, step, cheats in (("strangers", 1, False), ("learners", 3, False), ("throwers", 6, True)):
            some = {(str(player),) for player in range(0, 36, step)}
            hits = 0
            for seed in range(seeds):
                played = strangers(seats, seed, learning=who == "learners", throwing=cheats)
                hits += len(flagged(played, flags.swings) & some)
            yield Rate("swing", f"{who}, {seats} seats", hits, seeds * len(some), cheats)


# -- two accounts ----------------------------------------------------------------------------------

_MONTH: Final = 30
_GAMES: Final = 3
_EVENING_MS: Final = 20 * _MINUTE_MS


def _think(rng: random.Random, median_s: float) -> int:
    return int(1000 * median_s * math.exp(rng.gauss(0, 0.8)))


def household(rng: random.Random, together: float, median_s: float) -> list[tuple[int, str]]:
    """Return the answers of two people who play three correspondence games with each other.

    Each of them visits twice a day at any time between 8 and 23 h.

    Args:
        rng: Source of chance.
        together: Share of the evenings on which both play for 20 minutes at the same time.
        median_s: Median of the seconds of an answer.
    """
    turn = [rng.randrange(2) for _ in range(_GAMES)]
    found: list[tuple[int, str]] = []
    for day in range(_MONTH):
        visits = [(day * _DAY_MS + int(rng.uniform(8, 23) * _HOUR_MS), who) for who in (0, 1, 0, 1)]
        if rng.random() < together:
            visits.append((day * _DAY_MS + int(rng.uniform(18, 22) * _HOUR_MS), 2))
        for at, who in sorted(visits):
            if who == 2:
                found += _evening(rng, turn, at, median_s)
                continue
            time = at
            for game in range(_GAMES):
                if turn[game] == who:
                    time += _think(rng, median_s)
                    found.append((time, str(who)))
                    turn[game] = 1 - who
    return sorted(found)


def _evening(rng: random.Random, turn: list[int], at: int, median_s: float) -> Iterator[tuple[int, str]]:
    """Yield the answers of two people who play at the same time."""
    free = [(at, 0), (at, 1)]
    while free:
        time, who = heapq.heappop(free)
        mine = [game for game, each in enumerate(turn) if each == who]
        time += _think(rng, median_s) if mine else _MINUTE_MS // 12
        if time > at + _EVENING_MS:
            continue
        if mine:
            turn[rng.choice(mine)] = 1 - who
            yield time, str(who)
        heapq.heappush(free, (time, who))


def two_accounts(rng: random.Random, changes: int, median_s: float) -> list[tuple[int, str]]:
    """Return the answers of one person who plays three correspondence games between two accounts.

    Args:
        rng: Source of chance.
        changes: Number of changes between the accounts in each of two visits a day.
        median_s: Median of the seconds of an answer.
    """
    turn = [rng.randrange(2) for _ in range(_GAMES)]
    found: list[tuple[int, str]] = []
    for day in range(_MONTH):
        for _ in range(2):
            time, who = day * _DAY_MS + int(rng.uniform(8, 23) * _HOUR_MS), rng.randrange(2)
            for _ in range(changes + 1):
                for game in range(_GAMES):
                    if turn[game] == who:
                        time += _think(rng, median_s)
                        found.append((time, str(who)))
                        turn[game] = 1 - who
                who = 1 - who
                time += _think(rng, 6)
    return sorted(found)


def alternating_rates(seeds: int) -> Iterator[Rate]:
    """Yield the rates of alternating accounts.

    Args:
        seeds: Number of simulations.
    """
    cases: list[tuple[str, bool, Callable[[random.Random], list[tuple[int, str]]]]] = [
        ("household, together on 30 % of evenings", False, lambda rng: household(rng, 0.3, 30)),
        ("household, together on all evenings", False, lambda rng: household(rng, 1.0, 30)),
        ("household, quick, on all evenings", False, lambda rng: household(rng, 1.0, 15)),
        ("two accounts, two changes a visit", True, lambda rng: two_accounts(rng, 2, 8)),
        ("two accounts, one change a visit", True, lambda rng: two_accounts(rng, 1, 8)),
        ("two accounts, slow, one change", True, lambda rng: two_accounts(rng, 1, 20)),
    ]
    for who, cheats, answers in cases:
        hits = sum(flags.is_alternating(*flags.joint_visits(answers(random.Random(seed)))) for seed in range(seeds))
        yield Rate("alternating", who, hits, seeds, cheats)


def main() -> None:
    """Print all rates."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=12, help="number of simulations per population")
    seeds = parser.parse_args().seeds
    for rates in (one_sided_rates(seeds), swing_rates(seeds), bot_rates(), alternating_rates(25 * seeds)):
        for each in rates:
            wanted = "found" if each.cheats else "false"
            print(f"{each.sign:12}{each.who:42}{wanted} {each.percent:5.1f} %  of {each.count}", flush=True)


if __name__ == "__main__":
    main()
