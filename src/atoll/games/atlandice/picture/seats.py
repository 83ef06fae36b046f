"""What lies before the viewer and before each seat."""

from __future__ import annotations

from atoll.picture import Fact, Region, kept

from .drawing import KIND_NAMES, draw
from .table import Table


class Seats(Table):
    """What each seat has."""

    @kept
    def mine(self, seat: int) -> Region:
        """What lies before the viewer."""
        return Region("mine", self._say("mine"), "hand", (), self._belongings(seat))

    @kept
    def seat(self, seat: int) -> Region:
        """What lies before a seat, of the viewer's own the points, and what is left for it to do in this round."""
        score, *others = self._belongings(seat)
        facts = [score.again()] if self._is("viewer", seat) else [score, *others]
        picks = self.live["picks"][seat]
        facts.append(Fact(f"picks-{seat}", self._say("picks"), str(picks), draw("die_symbol"), picks))
        if len(self.s["holds"]) > self.view["seats"]:
            said = self._say("handed.yes" if self.s["handed"][seat] else "handed.no")
            label, why = self._say("handed"), self.words.say("rule.neutral")
            facts.append(Fact(f"handed-{seat}", label, said, draw("pawn_symbol"), help=why))
        return Region(f"belongings-{seat}", "", "seat", (), facts, seat=seat)

    def _belongings(self, holder: int) -> list[Fact]:
        """What lies before a holder: points, tiles, resources; a click on the viewer's own resources donates them."""
        score = self.live["scores"][holder]
        facts = [
            Fact(
                f"score-{holder}",
                self._say("score"),
                str(score),
                draw("point_symbol"),
                score,
                help=self._say("score.help", points=self.live["points"][holder]),
            )
        ]
        for kind, count in enumerate(self.s["holds"][holder]):
            choice = f"donate {KIND_NAMES[kind]} *" if self._is("viewer", holder) else ""
            label = self.words.name("resources", kind)
            facts.append(
                Fact(
                    f"hold-{holder}-{KIND_NAMES[kind]}",
                    label,
                    str(count),
                    draw("symbol", kind=KIND_NAMES[kind]),
                    count,
                    choice,
                )
            )
        tiles = self.s["won"][holder]
        names = ", ".join(self.words.name("tile", tile) for tile in tiles)
        facts.append(
            Fact(f"won-{holder}", self._say("won"), str(len(tiles)), draw("tile_symbol"), len(tiles), help=names)
        )
        return facts
