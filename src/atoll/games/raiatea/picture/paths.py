"""The round track, the priests' path, the tattoos."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from atoll.picture import Drawing, Region, kept

from .drawing import draw
from .table import Table


class Paths(Table):
    """Where something moves on."""

    def preparing(self) -> Region:
        """Before anything is dealt."""
        name = self._say("preparing")
        return self._area("track", name, Drawing("preparing", 324, 32, draw("preparing", name=name)), "board")

    @kept
    def track(self) -> Region:
        """The round track: suns for action rounds, torches for feasts."""
        used = self.box.track[self.view["seats"]]
        now = used.index(self.s["field"])
        step = 316 / len(used)
        fields = [
            {
                "feast": self.box.fields[field].feast,
                "now": place == now,
                "done": place < now,
                "x": 4 + (place + 0.5) * step,
                "number": 1 + sum(not self.box.fields[each].feast for each in used[:place]),
            }
            for place, field in enumerate(used)
        ]
        key = "now_feast" if fields[now]["feast"] else "now_round"
        name = self._say(key, number=fields[now]["feast"] or fields[now]["number"])
        return self._area("track", name, Drawing("round-track", 324, 32, draw("track", fields=fields, name=name)))

    @kept
    def priests(self) -> Region:
        """The priests' path: stepping stones in two bends, on a phone in three."""
        most = self.box.max_priests
        first = (most + 2) // 2
        step = 214 / max(1, first - 1)
        places = [
            (18 + at * step, 80 - at % 2 * 6)
            if at < first
            else (18 + (2 * first - 1 - at - 0.5) * step, 30 - at % 2 * 6)
            for at in range(most + 1)
        ]
        in_line = (most + 3) // 3
        lines = [divmod(at, in_line) for at in range(most + 1)]
        bends = [
            (26 + 198 / max(1, in_line - 1) * (in_line - 1 - at if line % 2 else at), 114 - 62 * line)
            for line, at in lines
        ]
        return self._path("priests", places, bends, {})

    @kept
    def tattoos(self) -> Region:
        """The tattoos: a band of bark cloth in two lines, on a phone in three, one colour for each rank."""
        most = self.box.max_tattoos
        first, in_line = (most + 2) // 2, (most + 3) // 3
        places = [(21 + at % first * 250 / first, 30 + at // first * 52) for at in range(most + 1)]
        squares = [(125 / in_line + at % in_line * 250 / in_line, -10 + at // in_line * 62) for at in range(most + 1)]
        ranks = {at: self.words.name("rank", rank) for rank, at in enumerate(self.box.rank_tattoos)}
        return self._path("tattoos", places, squares, ranks)

    def _path(
        self,
        id: str,
        places: Sequence[tuple[float, float]],
        closer: Sequence[tuple[float, float]],
        ranks: Mapping[int, str],
    ) -> Region:
        """closer: where the places lie on a phone, whose drawing reaches above and below the box."""
        listed = ", ".join(f"{self.words.seat(seat)} {n}" for seat, n in enumerate(self.s[id]))
        low, tall = self._fields(id, places, ranks, 1), self._fields(id, closer, ranks, 1.5, drop=9 if ranks else 0)
        markup = draw("path", id=id, name=f"{self._say(id)}: {listed}", low=low, tall=tall)
        return self._area(id, self._say(id), Drawing(id, 250, 104, markup))

    def _fields(
        self, id: str, places: Sequence[tuple[float, float]], ranks: Mapping[int, str], scale: float, drop: int = 0
    ) -> list[dict[str, Any]]:
        """drop: how far below the middle of its place a seat's mark stands."""
        at = self.s[id]
        rank, fields = 0, []
        for number, (x, y) in enumerate(places):
            rank += number in ranks and number > 0
            here = [seat for seat in range(self.view["seats"]) if at[seat] == number]
            spots = _beside(len(here))
            fields.append(
                {
                    "number": number,
                    "x": x,
                    "y": y,
                    "rank": rank,
                    "title": ranks.get(number, ""),
                    "seats": [
                        (seat, x + dx * scale, y + dy * scale + drop, r * scale)
                        for seat, (dx, dy, r) in zip(here, spots, strict=True)
                    ],
                }
            )
        return fields


def _beside(many: int) -> list[tuple[float, float, float]]:
    """Where so many marks stand on one place of a path, and how large: in two lines from three, none over another."""
    if many <= 2:
        return [(16 * (each - (many - 1) / 2), -4, 7.5) for each in range(many)]
    above = (many + 1) // 2
    lines = [(above, -8.5), (many - above, 4.5)]
    return [(13 * (each - (beside - 1) / 2), y, 6) for beside, y in lines for each in range(beside)]
