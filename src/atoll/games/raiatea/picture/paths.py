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
        """The priests' path: stepping stones in two bends."""
        most = self.box.max_priests
        first = (most + 2) // 2
        step = 214 / max(1, first - 1)
        places = [
            (18 + at * step, 80 - at % 2 * 6)
            if at < first
            else (18 + (2 * first - 1 - at - 0.5) * step, 30 - at % 2 * 6)
            for at in range(most + 1)
        ]
        return self._path("priests", "", 104, self._fields("priests", places, {}, drop=-6))

    @kept
    def priests_tall(self) -> Region:
        """The priests' path on a phone: in three bends."""
        most = self.box.max_priests
        in_line = (most + 3) // 3
        lines = [divmod(at, in_line) for at in range(most + 1)]
        places = [
            (26 + 198 / max(1, in_line - 1) * (in_line - 1 - at if line % 2 else at), 155 - 62 * line)
            for line, at in lines
        ]
        return self._path("priests", "-tall", 186, self._fields("priests", places, {}, 1.5, drop=-9))

    @kept
    def tattoos(self) -> Region:
        """The tattoos: a band of bark cloth in two lines, one colour for each rank; marks are left of the numbers."""
        first = (self.box.max_tattoos + 2) // 2
        places = [(21 + at % first * 250 / first, 30 + at // first * 52) for at in range(self.box.max_tattoos + 1)]
        return self._path("tattoos", "", 104, self._fields("tattoos", places, self._ranks(), drop=-1))

    @kept
    def tattoos_tall(self) -> Region:
        """The tattoos on a phone: in three lines."""
        in_line = (self.box.max_tattoos + 3) // 3
        places = [
            (125 / in_line + at % in_line * 250 / in_line, 31 + at // in_line * 62)
            for at in range(self.box.max_tattoos + 1)
        ]
        return self._path("tattoos", "-tall", 186, self._fields("tattoos", places, self._ranks(), 1.5, drop=9))

    def _ranks(self) -> Mapping[int, str]:
        return {at: self.words.name("rank", rank) for rank, at in enumerate(self.box.rank_tattoos)}

    def _path(self, id: str, form: str, height: int, fields: Sequence[Mapping[str, Any]]) -> Region:
        """form: what tells the drawing of a phone from that of a desktop."""
        listed = ", ".join(f"{self.words.seat(seat)} {n}" for seat, n in enumerate(self.s[id]))
        markup = draw(f"path{form}".replace("-", "_"), id=id, name=f"{self._say(id)}: {listed}", fields=fields)
        return self._area(f"{id}{form}", self._say(id), Drawing(f"{id}{form}", 250, height, markup))

    def _fields(
        self,
        id: str,
        places: Sequence[tuple[float, float]],
        ranks: Mapping[int, str],
        scale: float = 1,
        drop: int = 0,
    ) -> list[dict[str, Any]]:
        """drop: how far below the middle of its place a seat's mark stands."""
        at = self.s[id]
        rank, fields = 0, []
        for number, (x, y) in enumerate(places):
            rank += number in ranks and number > 0
            here = [seat for seat in range(self.view["seats"]) if at[seat] == number]
            spots = _beside(len(here), left=bool(ranks))
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


def _beside(many: int, *, left: bool) -> list[tuple[float, float, float]]:
    """Where so many marks stand on one place of a path, and how large: in two lines from three, none over another.

    left: the lower line begins where the upper one does; at its right there is a number.
    """
    if many <= 2:
        return [(16 * (each - (many - 1) / 2), -6 if left else -4, 7.5) for each in range(many)]
    above = min(3, many - 1) if left else (many + 1) // 2
    lines = [(above, above, -8.5), (many - above, above if left else many - above, 4.5)]
    return [(13 * (each - (broad - 1) / 2), y, 6) for beside, broad, y in lines for each in range(beside)]
