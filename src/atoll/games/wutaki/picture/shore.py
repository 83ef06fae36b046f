"""The surroundings of the island: the supply, resting workers, and the stones that count points."""

from __future__ import annotations

from typing import Final

from markupsafe import Markup

from atoll.engine.translations import GameMessages
from atoll.picture import Region, Row, Rows, fragment

from ..kinds import RESOURCES, WORKERS
from .drawing import draw
from .scene import RIM, RIMS, SIDES, STAGE
from .table import area, worker_name

_HEAPS: Final = ((), ((0, 36),), ((-9, 36), (9, 36)), ((-9, 36), (9, 36), (0, 22)))
"""The positions of the tokens of a pile.

One token is drawn for up to 7, two for up to 14, three for more.
"""


@fragment
def supply(words: GameMessages, tokens: Row) -> Region:
    """Return the common supply, by resource."""
    piles = [
        {
            "id": f"supply-{kind}",
            "name": f"{words.say('table.supply', {'resource': index})}: {n}",
            "choice": f"take {kind} *; bonus {kind}",
            "sign": kind,
            "n": n,
            "x": 26 + index * 41,
            "heap": _HEAPS[min(3, -(-n // 7))],
        }
        for index, (kind, n) in enumerate(zip(RESOURCES, tokens, strict=True))
    ]
    return area("supply", words.say("table.supply.title"), 216, 66, draw("supply", piles=piles))


@fragment
def idle(words: GameMessages, numbers: Rows) -> Region:
    """Return the workers that rest; `numbers` is their number by seat and type."""
    resting = [
        (seat, kind) for seat, row in enumerate(numbers) for kind, number in enumerate(row) for _ in range(number)
    ]
    step = min(26, 140 / max(1, len(resting)))
    workers = [
        {"seat": seat, "kind": WORKERS[kind], "x": 48 + place * step} for place, (seat, kind) in enumerate(resting)
    ]
    listed = ", ".join(worker_name(words, seat, kind) for seat, kind in resting)
    title = words.say("table.idle")
    name = f"{title}: {listed or words.say('table.nobody')}"
    return area("idle", title, 190, 48, draw("idle", name=name, workers=workers))


def rims(words: GameMessages, vp: Row) -> list[Region]:
    """Return the stones around the island, with a marker for the points of each seat.

    Args:
        words: The messages of the game.
        vp: The points by seat. The marker of 100 points is on 0 again.
    """
    on = [(seat, points % 100) for seat, points in enumerate(vp)]
    return [rim(words, side, *(each for each in on if each[1] in stones)) for side, stones in SIDES.items()]


@fragment
def rim(words: GameMessages, side: str, *standing: tuple[int, int]) -> Region:
    """Return a side of the rim with its markers.

    Args:
        words: The messages of the game.
        side: The side of the rim.
        *standing: The seats whose markers are there, each with its stone.
    """
    left, top, width, height = RIMS[side]
    markers = []
    for seat, n in standing:
        sharing = [each for each, where in standing if where == n]
        x, y = _stone(n)
        aside = (sharing.index(seat) - (len(sharing) - 1) / 2) * 17
        dx, dy = (0, aside) if _is_upright(side) else (aside, 0)
        markers.append({"seat": seat, "x": x - left + dx, "y": y - top + dy, "r": 11 if len(sharing) == 1 else 9})
    title = words.say("table.rim", {"first": SIDES[side][0], "last": SIDES[side][-1]})
    return area(f"rim-{side}", title, width, height, draw("rim", stones=_stones(side), markers=markers))


@fragment
def _stones(side: str) -> Markup:
    left, top, _, _ = RIMS[side]
    width, height = (20, 28) if _is_upright(side) else (30, 20)
    stones = []
    for n in SIDES[side]:
        x, y = _stone(n)
        stones.append({"n": n, "x": x - left, "y": y - top, "w": width, "h": height})
    return draw("stones", stones=stones)


def _is_upright(side: str) -> bool:
    return side in ("left", "right")


def _stone(n: int) -> tuple[float, float]:
    """Return the middle of a stone."""
    wide, high = (length - RIM for length in STAGE)
    if n <= 20:
        return 13, 13 + high * (20 - n) / 20
    if n <= 50:
        return 13 + wide * (n - 20) / 30, 13
    if n <= 70:
        return 13 + wide, 13 + high * (n - 50) / 20
    return 13 + wide * (100 - n) / 30, 13 + high
