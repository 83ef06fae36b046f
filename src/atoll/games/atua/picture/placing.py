"""What the page must know to show at once where a card may be placed, and what comes of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from .. import scoring
from ..components import (
    BEACH_CARD,
    COCONUT,
    SOURCES,
    STARS,
    SYMBOLS,
    TOTEM,
    TOTEMS,
    VOLCANO,
    AtuaBox,
    Card,
)
from ..faces import CARD_UNITS
from ..faults import REASONS
from ..geometry import Island
from ..kinds import LEFT
from ..lattice import position
from ..outline import UNIT
from ..state import NOT_SCORED
from .drawing import face_of
from .table import ROWS, Table

_BEACH: Final = "0123456789abcdef"


class Placing(Table):
    """A card that is being placed."""

    @property
    def options(self) -> Sequence[int]:
        """What the viewer can choose."""
        options: Sequence[int] = (self.view["decision"] or {}).get("options", ())
        return options

    def faces(self) -> list[dict[str, Any]]:
        """The card that is being placed, in its four rotations, for the ghost that follows the pointer."""
        if not self._is("prompt", "place"):
            return []
        card = self.box.cards[self.s["row"][self.s["held"]]]
        return [{"rot": rot, "face": face_of(face)} for rot, face in enumerate(card.faces)]

    def hold(self, island: Island, left: float, top: float) -> str:
        """What fits.js must know to show at once where the card may lie, and why not."""
        if not self._is("prompt", "place"):
            return ""
        number = self.s["row"][self.s["held"]]
        outcomes, outcome_of = self._outcomes(island, number)
        texts = (
            "rotate_left",
            "rotate_right",
            "left",
            "right",
            "up",
            "down",
            "best",
            "place",
            "tools",
            "gain",
        )
        return json.dumps(
            {
                "card": self.box.cards[number].id,
                "unit": UNIT,
                "left": left,
                "top": top,
                "edges": [face.edge for face in self.box.cards[number].faces],
                "units": _units(self.box, island),
                "symbols": [[x, y, symbol in STARS] for symbol, x, y in island.symbols()],
                "outcomes": outcomes,
                "outcomeOf": outcome_of,
                "names": {
                    **{SYMBOLS[symbol]: self._symbol(symbol) for symbol in range(len(SYMBOLS))},
                    **{row: self._say(f"row.{row}") for row in ROWS},
                    "beach": self._say("beach"),
                },
                "reasons": {reason: self.words.say(f"reason.{reason}") for reason in REASONS},
                "texts": {each: self._say(f"tool.{each}") for each in texts},
            },
            separators=(",", ":"),
        )

    def _outcomes(self, island: Island, number: int) -> tuple[list[dict[str, Any]], list[int]]:
        """What the legal placements of a card change, each outcome once, and per placement which of them it has.

        An outcome says by how many points it changes what the viewer would have if the game ended now (``gain``), and
        what is different: ``rows`` of the sheet and ``symbols`` (but coconuts) as [name, by, then], the longest
        ``beach`` as [by, then] or None.
        """
        seat = self.shown
        card = self.box.cards[number]
        have = self.live["counts"][seat]
        brings = scoring.count_cards([card])
        brings[COCONUT] += self._coconuts_won()
        beach = self.live["beach"][seat]
        now = self._rows(have, island.volcano_distances(), beach)
        left_over = self._left_over()
        village_x, village_y = (each // UNIT - 1 for each in self._village(island))
        beaches: dict[tuple[int, int, int], tuple[int, int]] = {}
        known: dict[Any, int] = {}
        outcomes: list[dict[str, Any]] = []
        found = []
        for placement in self.options:
            x, y, rot = position(placement)
            covered = tuple(symbol for symbol, _, _ in island.covered(x, y))
            distances = tuple(
                (x + left - village_x) ** 2 + (y + top - village_y) ** 2
                for left, top, symbol in card.faces[rot].symbols
                if symbol == VOLCANO
            )
            longest, beach_cards = beach, have[BEACH_CARD]
            if card.beach or island.covers_beach(x, y):
                spot = x, y, rot if card.beach else 0
                if spot not in beaches:
                    beaches[spot] = island.beach_with(card.faces[rot], x, y, island.shores_beside(x, y))
                longest, beach_cards = beaches[spot]
            key = covered, distances, longest, beach_cards
            if key not in known:
                known[key] = len(outcomes)
                after = [a + b for a, b in zip(have, brings, strict=True)]
                after[BEACH_CARD] = beach_cards
                for symbol in covered:
                    after[symbol] -= 1
                    after[TOTEM] -= symbol in TOTEMS
                then = self._rows(after, [*island.volcano_distances(), *distances], longest, left_over)
                rows = [[row, then[row] - now[row], then[row]] for row in now if then[row] != now[row]]
                outcomes.append(
                    {
                        "gain": sum(by for _, by, _ in rows),
                        "symbols": [
                            [SYMBOLS[symbol], after[symbol] - have[symbol], after[symbol]]
                            for symbol in range(len(SYMBOLS))
                            if after[symbol] != have[symbol] and symbol != COCONUT
                        ],
                        "rows": rows,
                        "beach": [longest - beach, longest] if longest != beach else None,
                    }
                )
            found.append(known[key])
        return outcomes, found

    def _coconuts_won(self) -> int:
        """How many coconuts more the viewer has when the held card is placed; the price makes it fewer."""
        held = self.s["held"]
        if not self.solo:
            return int(self.s["row_coconuts"][held]) - int(held)
        solo = self.box.solo
        return -solo.left_card_price if held == LEFT else min(solo.right_card_gain, self.s["hut"])

    def _left_over(self) -> list[Card]:
        """Solo: what goes to Tahuma as soon as the held card is placed: the other one, if discarding is too dear."""
        if not self.solo or self.s["supply"][0] + self._coconuts_won() >= self.box.solo.discard_price:
            return []
        return [self.box.cards[number] for slot, number in enumerate(self.s["row"]) if slot != self.s["held"]]

    def _rows(
        self, counts: Sequence[int], distances: Sequence[int], longest: int, left_over: Sequence[Card] = ()
    ) -> dict[str, int]:
        """Points if the game ended now, of the rows that a placement can change: open sources, fates, bonuses.

        For the viewer with these counts, squared distances of volcanoes and longest beach; solo ``left_over`` is
        Tahuma's.
        """
        seat, box = self.shown, self.box
        open_end = self.view["options"]["volcano_ruler"] == "open_end"
        found = {
            name: scoring.score_source(box, source, counts, distances, open_end=open_end, solo=self.solo).points
            for source, name in enumerate(SOURCES)
            if self.s["sheet"][seat][source] == NOT_SCORED
        }
        if self.solo:
            pile = [box.cards[number] for number in self.s["tahuma_pile"][0]]
            found["beach_bonus"] = scoring.score_solo_beach_bonus(box, longest, [*pile, *left_over])[0].points
            return found
        everyone = [counts if other == seat else each for other, each in enumerate(self.live["counts"])]
        beaches = [longest if other == seat else each for other, each in enumerate(self.live["beach"])]
        fates = (scoring.score_fate(box, fate, everyone, seat).points for fate in self.s["fates"][seat])
        found["fate"] = sum(fates)
        found["beach_bonus"] = scoring.score_beach_bonus(box, beaches, seat).points
        found["coconut_bonus"] = scoring.score_coconut_bonus(box, [each[COCONUT] for each in everyone], seat).points
        return found


def _units(box: AtuaBox, island: Island) -> dict[str, Any]:
    """The visible units: lines of L, S, a blank where nothing lies, or a digit with the path sides of a beach (N=1)."""
    seen: dict[tuple[int, int], str] = {}
    for number, x, y, rot in island.cards():
        face = box.cards[number].faces[rot]
        for unit in range(CARD_UNITS * CARD_UNITS):
            mask = sum((path >> unit & 1) << side for side, path in enumerate(face.paths))
            letter = "L" if face.land >> unit & 1 else "S" if face.sea >> unit & 1 else _BEACH[mask]
            seen[x + unit // CARD_UNITS, y + unit % CARD_UNITS] = letter
    left, top = min(x for x, _ in seen), min(y for _, y in seen)
    right, bottom = max(x for x, _ in seen), max(y for _, y in seen)
    lines = ["".join(seen.get((x, y), " ") for x in range(left, right + 1)) for y in range(top, bottom + 1)]
    return {"left": left, "top": top, "lines": lines}
