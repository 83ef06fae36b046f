"""What is counted: who has how many of each kind and leads, the harbour with what the neutral player has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from atoll.picture import Drawing, Region, kept
from atoll.picture.brush import shorten

from ..kinds import KINDS
from ..state import USED_UP
from .drawing import KIND_NAMES, NARROW, draw
from .table import Table

_MAJORITY: Final = (356, 54, 38)  # width, height of the head and of a line
_STANDING: Final = (356, 58, 70)  # the same where there is more room
_SIGNS: Final = 44  # width of the signs before the first column
_REST: Final = 56  # width of what is left in a district, behind the last column
_HEAD: Final = 20.2  # size of a name above a column
_HARBOUR: Final = (356, 360)
_CRATE: Final = (22, 62)  # where the first crate stands on the barge, and the next one
_WRECK: Final = (54, 62)  # the same for what lies on the ground of the harbour


def _middle(holder: int, column: float) -> float:
    """Where the middle of a holder's column is."""
    return _SIGNS + column * (holder + 0.5)


class Counts(Table):
    """What all have, side by side."""

    def counts(self) -> list[Region]:
        """Who has how many, and the harbour. Where no barge needs the room, a phone has all numbers in one table."""
        if len(self.s["holds"]) > self.view["seats"]:
            return [self.majorities("majorities"), self.harbour("harbour")]
        found = [self.majorities("majorities-wide"), self.standings()]
        return [*found, self.harbour("wrecks")] if any(self.s["out"]) else found

    @kept
    def majorities(self, at: str) -> Region:
        """Kind by kind: how many each holder has, what that would score now, and how many are left in the district."""
        width, head, line = _MAJORITY
        column = (width - _SIGNS - _REST) / len(self.s["holds"])
        rows = [self._majority(kind, "majority", head + line * kind, column) for kind in range(KINDS)]
        heads = self._heads("holder", column)
        markup = draw("majorities", width=width, head=head, line=line, heads=heads, rows=rows, left=self._say("rest"))
        title = self._say("majorities")
        drawing = Drawing("majorities", width, head + line * KINDS + 4, markup, title)
        return Region(at, title, "shared", [drawing], flow="fit")

    @kept
    def standings(self) -> Region:
        """The same with what is out of the game, the tiles that each holder has, and its points."""
        width, head, line = _STANDING
        out = self.s["out"] if any(self.s["out"]) else ()
        column = (width - _SIGNS - (84 if out else 44)) / len(self.s["holds"])
        rows = [self._majority(kind, "standing", head + line * kind, column) for kind in range(KINDS)]
        for kind, (row, count) in enumerate(zip(rows, out, strict=False)):
            row["help"] = f"{row['help']} {self._say('out', resources=kind)}: {count}.".strip()
        scores = self.live["scores"]
        sums = [
            self._sum("won", [len(tiles) for tiles in self.s["won"]], KINDS, column, set()),
            self._sum("score", scores, KINDS + 1, column, {max(scores)} - {0}),
        ]
        markup = draw(
            "standings",
            width=width,
            head=head,
            line=line,
            heads=self._heads("standing", column),
            rows=rows,
            sums=sums,
            out=out,
            words=[self._say("rest"), self._say("out.short")],
            legend=self._say("stakes.legend"),
        )
        title = self._say("majorities")
        drawing = Drawing("standings", width, head + line * (KINDS + 2) + 28, markup, title)
        return Region("standings", title, "shared", [drawing], flow="fit")

    def _majority(self, kind: int, id: str, y: float, column: float) -> dict[str, Any]:
        holders = range(len(self.s["holds"]))
        counts = [(self._holder(holder), self.s["holds"][holder][kind]) for holder in holders]
        held = ", ".join(self._say("held", name=name, count=count) for name, count in counts)
        used_up = self.s["open_tile"][kind] == USED_UP
        values = {"resources": kind, "held": held, "left": self.live["left"][kind], "area": kind}
        return {
            "id": f"{id}-{KIND_NAMES[kind]}",
            "name": self._say("majority.used_up" if used_up else "majority", **values),
            "help": self._stakes(kind),
            "kind": KIND_NAMES[kind],
            "y": y,
            "used_up": used_up,
            "left": self.live["left"][kind],
            "cells": [
                {
                    "x": _middle(holder, column),
                    "count": self.s["holds"][holder][kind],
                    "points": self.live["stakes"][kind][holder],
                    "leads": holder in self.live["leaders"][kind],
                }
                for holder in holders
            ],
        }

    def _sum(self, key: str, counts: Sequence[int], line: int, column: float, best: set[int]) -> dict[str, Any]:
        """What each holder has of something that isn't a kind; best: the counts that lead."""
        said = ", ".join(f"{self._holder(holder)} {count}" for holder, count in enumerate(counts))
        return {
            "id": f"standing-{key}",
            "name": f"{self._say(key)}: {said}",
            "sign": key,
            "says": self._say(key),
            "y": _STANDING[1] + _STANDING[2] * line,
            "cells": [
                {"x": _middle(holder, column), "count": count, "points": 0, "leads": count in best}
                for holder, count in enumerate(counts)
            ],
        }

    def _heads(self, id: str, column: float) -> list[dict[str, Any]]:
        return [
            {
                "id": f"{id}-{holder}",
                "seat": holder if holder < self.view["seats"] else -1,
                "x": _middle(holder, column),
                "width": column,
                "name": self._holder(holder),
                "text": self._head(holder, column - 4),
            }
            for holder in range(len(self.s["holds"]))
        ]

    def _head(self, holder: int, width: float) -> str:
        """As much of a holder's name as there is room for; its mark and the lens tell the rest."""
        name = self.words.seat(holder) if holder < self.view["seats"] else self._say("neutral.short")
        return shorten(name, width, _HEAD * NARROW)

    @kept
    def harbour(self, at: str) -> Region:
        """The barge with what the neutral player has, where there is one; on the ground what is out of the game."""
        neutral = self.view["seats"]
        has_barge = len(self.s["holds"]) > neutral
        markup = draw(
            "harbour",
            barge=draw("barge", barge=self._barge(neutral)) if has_barge else "",
            cargo=[draw("crate", crate=self._crate(neutral, kind)) for kind in range(KINDS)] if has_barge else [],
            wrecks=[draw("wreck", wreck=self._wreck(kind)) for kind in range(KINDS) if self.s["out"][kind]],
        )
        title = self._say("harbour")
        return Region(at, title, "shared", [Drawing("harbour", *_HARBOUR, markup, title)], flow="fit")

    def _barge(self, holder: int) -> dict[str, Any]:
        """Whose barge it is, its points on the sail, its tiles on the sign beside."""
        score, won = self.live["scores"][holder], self.s["won"][holder]
        return {
            "holder": self._holder(holder),
            "text": self._say("neutral.short"),
            "why": self.words.say("rule.neutral"),
            "score_id": f"score-{holder}",
            "score_name": f"{self._say('score')}: {score}",
            "score_help": self._say("score.help", points=self.live["points"][holder]),
            "score": score,
            "won_id": f"won-{holder}",
            "won_name": f"{self._say('won')}: {len(won)}",
            "won_help": ", ".join(self.words.name("tile", tile) for tile in won),
            "won": len(won),
        }

    def _crate(self, holder: int, kind: int) -> dict[str, Any]:
        count = self.s["holds"][holder][kind]
        return {
            "id": f"hold-{holder}-{KIND_NAMES[kind]}",
            "name": f"{self.words.name('resources', kind)}: {count}",
            "kind": KIND_NAMES[kind],
            "count": count,
            "x": _CRATE[0] + _CRATE[1] * kind,
        }

    def _wreck(self, kind: int) -> dict[str, Any]:
        count = self.s["out"][kind]
        return {
            "id": f"out-{KIND_NAMES[kind]}",
            "name": f"{self._say('out', resources=kind)}: {count}",
            "help": self._say("out.help"),
            "kind": KIND_NAMES[kind],
            "count": count,
            "x": _WRECK[0] + _WRECK[1] * kind,
        }
