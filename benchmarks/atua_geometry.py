"""Measures how fast Atua lists legal placements: `python benchmarks/atua_geometry.py [islands]`.

Random islands have 9 cards next to the village. All 49 cards that are not on the island are tried,
in processor time:

- alone: one card in all four rotations, on an island without cached results;
- in a row: four cards after each other on such an island, as a turn asks for them.
"""

import sys
import time
from random import Random

from atoll.games.atua import GAME
from atoll.games.atua.components import AtuaComponents
from atoll.games.atua.geometry import Island
from atoll.games.atua.lattice import lattice_for, position

CARDS = 9
ROW = 4


def random_island(components: AtuaComponents, rng: Random) -> Island:
    """Return an island of CARDS random cards, each at a random legal placement."""
    while True:
        island = Island(
            components,
            components.island_cards + rng.randrange(len(components.cards) - components.island_cards),
            lattice_for(CARDS),
        )
        for number in rng.sample(range(components.island_cards), components.island_cards):
            legal = island.placements(components.cards[number])
            if legal:
                island.place(components, number, *position(rng.choice(legal)))
            if len(island.cards()) == CARDS + 1:
                return island


def fresh(components: AtuaComponents, island: Island) -> Island:
    """Return the same island without cached results."""
    return Island.load(components, island.placed, island.lattice)


def measure(islands: int) -> str:
    """Return the report for a number of islands."""
    components = GAME.components
    rng = Random(9)
    alone: list[float] = []
    rows: list[float] = []
    found = found_in_rows = 0
    for _ in range(islands):
        island = random_island(components, rng)
        others = [number for number in range(components.island_cards) if number not in island.placed[::4]]
        for number in others:
            copy = fresh(components, island)
            start = time.process_time()
            legal = copy.placements(components.cards[number])
            alone.append(time.process_time() - start)
            found += len(legal)
        for _ in range(ROW):
            row = rng.sample(others, ROW)
            copy = fresh(components, island)
            start = time.process_time()
            found_in_rows += sum(len(copy.placements(components.cards[number])) for number in row)
            rows.append(time.process_time() - start)
    lines = []
    for name, times, number in (("alone", alone, found), ("in a row", rows, found_in_rows)):
        cards = len(times) * (ROW if times is rows else 1)
        lines.append(
            f"{name:<9} {number / sum(times):>10,.0f} placements/s   {1000 * sum(times) / cards:.3f} ms a card"
            f"   {number / cards:.0f} placements a card"
        )
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.stdout.write(measure(int(sys.argv[1]) if len(sys.argv) > 1 else 200))
