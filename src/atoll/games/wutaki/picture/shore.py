"""Around the island: the supply, the workers who rest, the stones on which points are counted."""

from __future__ import annotations

from atoll.picture import Region, kept

from ..kinds import RESOURCES, WORKERS
from .drawing import draw
from .scene import RIM, RIMS, SIDES, STAGE
from .table import Table


class Shore(Table):
    """The edge of the table."""

    @kept
    def supply(self) -> Region:
        """The common supply."""
        heaps = ((), ((0, 36),), ((-9, 36), (9, 36)), ((-9, 36), (9, 36), (0, 22)))
        piles = [
            {
                "id": f"supply-{kind}",
                "name": f"{self._say('supply', resource=index)}: {self.s['supply'][index]}",
                "choice": f"take {kind} *; bonus {kind}",
                "sign": kind,
                "n": self.s["supply"][index],
                "x": 26 + index * 41,
                "heap": heaps[min(3, -(-self.s["supply"][index] // 7))],
            }
            for index, kind in enumerate(RESOURCES)
        ]
        return self._area("supply", self._say("supply.title"), 216, 66, draw("supply", piles=piles))

    @kept
    def idle(self) -> Region:
        """The workers who rest, of all seats."""
        resting = [
            (seat, kind)
            for seat in range(self.view["seats"])
            for kind in range(len(WORKERS))
            for _ in range(self.s["idle"][seat][kind])
        ]
        step = min(26, 140 / max(1, len(resting)))
        workers = [
            {"seat": seat, "kind": WORKERS[kind], "x": 48 + place * step} for place, (seat, kind) in enumerate(resting)
        ]
        listed = ", ".join(self._say("worker", seat=seat, worker=kind) for seat, kind in resting)
        name = f"{self._say('idle')}: {listed or self._say('nobody')}"
        return self._area("idle", self._say("idle"), 190, 48, draw("idle", name=name, workers=workers))

    def rims(self) -> list[Region]:
        """The stones around the island, with a marker per seat; beyond 99 it begins anew."""
        return [self._rim(side) for side in SIDES]

    def _rim(self, side: str) -> Region:
        stones = SIDES[side]
        there = [(seat, self.s["vp"][seat] % 100) for seat in range(self.view["seats"])]
        return self._marked_rim(side, *(each for each in there if each[1] in stones))

    @kept
    def _marked_rim(self, side: str, *there: tuple[int, int]) -> Region:
        """A side of the rim. there: the seats whose markers stand on it, and where."""
        left, top, width, height = RIMS[side]
        upright = side in ("left", "right")
        markers = []
        for seat, n in there:
            sharing = [each for each, where in there if where == n]
            x, y = _stone(n)
            aside = (sharing.index(seat) - (len(sharing) - 1) / 2) * 17
            dx, dy = (0, aside) if upright else (aside, 0)
            markers.append({"seat": seat, "x": x - left + dx, "y": y - top + dy, "r": 11 if len(sharing) == 1 else 9})
        stones = [
            {"n": n, "x": x - left, "y": y - top, "w": 20 if upright else 30, "h": 28 if upright else 20}
            for n in SIDES[side]
            for x, y in [_stone(n)]
        ]
        markup = draw("rim", stones=draw("stones", stones=stones), markers=markers)
        title = self._say("rim", first=SIDES[side][0], last=SIDES[side][-1])
        return self._area(f"rim-{side}", title, width, height, markup)


def _stone(n: int) -> tuple[float, float]:
    """The middle of a stone of the rim."""
    wide, high = (length - RIM for length in STAGE)
    if n <= 20:
        return 13, 13 + high * (20 - n) / 20
    if n <= 50:
        return 13 + wide * (n - 20) / 30, 13
    if n <= 70:
        return 13 + wide, 13 + high * (n - 50) / 20
    return 13 + wide * (100 - n) / 30, 13 + high
