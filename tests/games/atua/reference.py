"""Atua's geometry once more, slow and obvious: unit by unit, straight from the printed data and RULES.md.

Nothing here uses the game's own faces, planes or islands; the fast code is compared with this.
"""

import tomllib
from collections.abc import Mapping
from importlib import resources
from typing import Any

NEIGHBORS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
OPPOSITE = {"N": "S", "E": "W", "S": "N", "W": "E"}
CLOCKWISE = {"N": "E", "E": "S", "S": "W", "W": "N"}
STARS = ("volcano", "village_star")

ILLEGAL_SEAMS = {
    ("L", "S"): "sea_touches_land",
    ("S", "L"): "sea_touches_land",
    ("L", "E"): "beach_end_blocked",
    ("E", "L"): "beach_end_blocked",
    ("S", "E"): "beach_end_blocked",
    ("E", "S"): "beach_end_blocked",
}


def printed_data() -> dict[str, Any]:
    """The component data as parsed TOML."""
    return tomllib.loads((resources.files("atoll.games.atua") / "components.toml").read_text(encoding="utf-8"))


class Print:
    """A card as it lies in one rotation: letters, path sides of its beach units, symbols (x, y, id)."""

    def __init__(self, card: Mapping[str, Any], rot: int) -> None:
        self.letters = {(x, y): letter for y, row in enumerate(card["terrain"]) for x, letter in enumerate(row)}
        self.paths: dict[tuple[int, int], set[str]] = {unit: set() for unit in self.letters}
        for (x, y), letter in self.letters.items():
            for side, (step_x, step_y) in NEIGHBORS.items():
                if letter == "B" and self.letters.get((x + step_x, y + step_y)) == "B":
                    self.paths[x, y].add(side)
        for end in card["ends"]:
            side, index = end[0], int(end[1])
            unit = {"N": (index, 0), "S": (index, 5), "W": (0, index), "E": (5, index)}[side]
            self.paths[unit].add(side)
        self.symbols = [(2 * (one["slot"] % 3), 2 * (one["slot"] // 3), str(one["symbol"])) for one in card["symbols"]]
        for _ in range(rot):
            self.letters = {(5 - y, x): letter for (x, y), letter in self.letters.items()}
            self.paths = {(5 - y, x): {CLOCKWISE[side] for side in sides} for (x, y), sides in self.paths.items()}
            self.symbols = [(4 - y, x, symbol) for x, y, symbol in self.symbols]
        self.border = [
            (x, y, side, x + step_x, y + step_y)
            for x, y in self.letters
            for side, (step_x, step_y) in NEIGHBORS.items()
            if (x + step_x, y + step_y) not in self.letters
        ]


class SlowIsland:
    """An island as a dict of visible units and a list of visible symbols."""

    def __init__(self) -> None:
        self.units: dict[tuple[int, int], tuple[int, str, set[str]]] = {}
        self.symbols: list[tuple[int, int, str]] = []
        self.cards = 0

    def place(self, print_: Print, x: int, y: int) -> None:
        for unit, letter in print_.letters.items():
            self.units[x + unit[0], y + unit[1]] = (self.cards, letter, print_.paths[unit])
        self.symbols = [one for one in self.symbols if not self._inside(one[0], one[1], x, y)]
        self.symbols += [(x + left, y + top, symbol) for left, top, symbol in print_.symbols]
        self.cards += 1

    @staticmethod
    def _inside(unit_x: int, unit_y: int, x: int, y: int) -> bool:
        return x <= unit_x < x + 6 and y <= unit_y < y + 6

    def units_inside(self, symbol: tuple[int, int, str], x: int, y: int) -> int:
        left, top, _ = symbol
        return sum(self._inside(unit_x, unit_y, x, y) for unit_x in (left, left + 1) for unit_y in (top, top + 1))

    def code(self, unit: tuple[int, int], side: str) -> str:
        _, letter, paths = self.units[unit]
        if letter != "B":
            return letter
        return "E" if side in paths else "F"

    def reasons(self, print_: Print, x: int, y: int) -> set[str]:
        """All reasons against a placement; none if it is legal."""
        reasons = set()
        covered = 0
        for symbol in self.symbols:
            if not (x - 2 < symbol[0] < x + 6 and y - 2 < symbol[1] < y + 6):
                continue
            inside = self.units_inside(symbol, x, y)
            if symbol[2] in STARS:
                if inside:
                    reasons.add("star_covered")
            elif inside == 4:
                covered += 1
            elif inside:
                reasons.add("symbol_cut")
        if not covered:
            reasons.add("no_symbol_covered")
        for unit_x, unit_y, side, outside_x, outside_y in print_.border:
            other = (x + outside_x, y + outside_y)
            if other in self.units:
                mine = print_.letters[unit_x, unit_y]
                if mine == "B":
                    mine = "E" if side in print_.paths[unit_x, unit_y] else "F"
                reason = ILLEGAL_SEAMS.get((mine, self.code(other, OPPOSITE[side])))
                if reason:
                    reasons.add(reason)
        return reasons

    def nearby(self) -> list[tuple[int, int]]:
        """All positions at which a card overlaps or touches the island; no other is legal."""
        xs = [x for x, _ in self.units]
        ys = [y for _, y in self.units]
        return [(x, y) for x in range(min(xs) - 6, max(xs) + 2) for y in range(min(ys) - 6, max(ys) + 2)]

    def beaches(self) -> list[tuple[set[int], set[tuple[int, int]]]]:
        """The cards and units of each connected beach."""
        rest = {unit for unit, (_, letter, _) in self.units.items() if letter == "B"}
        found = []
        while rest:
            todo, beach = [rest.pop()], set()
            while todo:
                x, y = todo.pop()
                beach.add((x, y))
                for step_x, step_y in NEIGHBORS.values():
                    other = (x + step_x, y + step_y)
                    if other in rest:
                        rest.remove(other)
                        todo.append(other)
            found.append(({self.units[unit][0] for unit in beach}, beach))
        return found

    def beach_cards(self) -> int:
        return len({card for card, letter, _ in self.units.values() if letter == "B"})

    def volcano_distances(self) -> list[int]:
        ((village_x, village_y),) = [(x, y) for x, y, symbol in self.symbols if symbol == "village_star"]
        return sorted(
            (x - village_x) ** 2 + (y - village_y) ** 2 for x, y, symbol in self.symbols if symbol == "volcano"
        )
