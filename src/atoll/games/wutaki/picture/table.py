"""What all drawings of Wutaki begin with: the side of the island, what the rules work out, who stands where."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from atoll.engine import Game
from atoll.engine.words import Words
from atoll.picture import Drawing, Region, TablePicture

from ..components import Board, RoundCard, WutakiBox
from ..describe import describe
from ..kinds import ELEMENTS, RESOURCES, WORKERS
from ..prices import hire_price
from ..signs import Sign
from ..state import WutakiState
from ..workers import next_hire, upkeep


class Table(TablePicture):
    """One view in pictures."""

    box: WutakiBox

    def __init__(self, game: Game, view: Mapping[str, Any], words: Words) -> None:
        super().__init__(game, view, words)
        self._table: WutakiState | None = None

    @property
    def board(self) -> Board:
        """The side of the island that is up."""
        board: Board = self.box.boards[self.s["side"]]
        return board

    def _work_out(self, what: str, about: Any) -> Any:
        """See TablePicture: what the rules work out of public facts; what is said of one card at the end."""
        if what == "reminder":
            domain, card = about
            said = self.live["reminders"].get(domain, ())
            return next(((points, value) for each, points, value in said if each == card), None)
        if self._table is None:
            self._table = self.game.state_from_view(self.view.raw)
        if what == "next_hire":
            return next_hire(self._table, about)
        return hire_price(self._table, about, 0, free=False) if what == "hire_price" else upkeep(self._table, about)

    def _tell(self, domain: str, index: int) -> str:
        return describe(self.words, domain, index, self.view["seats"])

    def _area(self, id: str, title: str, width: float, height: float, markup: Markup, name: str = "") -> Region:
        return Region(id, title, "board", [Drawing(f"at-{id}", width, height, markup, name)], flow="fit")

    def _named(self, title: str, text: str, spot: int) -> str:
        """What a place is called: what it does, and who stands there."""
        there = [worker["name"] for field in self._sockets(spot, 0, 0, 1) for worker in field["who"]]
        parts = [f"{title}.", text, self._say("there", who=", ".join(there)) if there else ""]
        return " ".join(filter(None, parts))

    def _sockets(self, spot: int, x: float, y: float, step: float) -> list[dict[str, Any]]:
        """The fields of a place around x, with who stands there."""
        fields, guest = self.s["fields"][spot], self.s["guest"]
        found = []
        for field, who in enumerate(fields):
            pair = [who] + ([guest[2]] if len(guest) == 3 and guest[0] == spot and guest[1] == field else [])
            found.append(
                {
                    "x": x + (field - (len(fields) - 1) / 2) * step,
                    "y": y,
                    "r": min(13, step / 2 - 0.5),
                    "field": field + 1,
                    "who": [self._who(each) for each in pair if each >= 0],
                }
            )
        return found

    def _who(self, who: int) -> dict[str, Any]:
        seat, kind = divmod(who, len(WORKERS))
        name = self._say("worker", seat=seat, worker=kind)
        return {"seat": seat, "kind": WORKERS[kind], "name": name}

    def _round_card(self) -> RoundCard:
        card = self.s["round_card"]
        found: RoundCard = self.box.in_round[card]
        return found

    def _tower_price(self, slot: int) -> list[Sign]:
        return [(str(max(0, self.box.tower_prices[slot] - self._round_card().upgrade_discount)), "gold")]

    def _tower_sign(self, card: int) -> str:
        upgrade = self.box.tower_upgrades[card]
        if upgrade.element >= 0:
            return ELEMENTS[upgrade.element]
        return RESOURCES[self.board.places[upgrade.place].kind]


def count_of(zone: Any) -> int:
    """How many cards are in a zone, whether the viewer sees them or not."""
    return len(zone) if isinstance(zone, list) else int(zone["count"])
