"""Islands for tests, written as cards with position and rotation."""

from atoll.games.atua import GAME
from atoll.games.atua.components import Card
from atoll.games.atua.geometry import Island
from atoll.games.atua.lattice import lattice_for
from atoll.games.atua.placement_faults import faults
from atoll.games.atua.placement_faults import reasons as reasons_of

BOX = GAME.components
CARDS = 9


def card(name: str) -> Card:
    return BOX.cards[BOX.card(name)]


def island_of(*cards: str) -> Island:
    """An island from cards such as "village_1" and "island_36 0 4 0"; every placement must be legal."""
    village, *rest = cards
    island = Island(BOX, BOX.card(village), lattice_for(CARDS))
    for one in rest:
        name, x, y, rot = one.split()
        assert reasons(island, one) == (), one
        island.place(BOX, BOX.card(name), int(x), int(y), int(rot))
    return island


def reasons(island: Island, placing: str) -> tuple[str, ...]:
    name, x, y, rot = placing.split()
    return tuple(reasons_of(faults(island, card(name).faces[int(rot)], int(x), int(y))))


E37 = (
    ("island_02 2 4 0", 80, ["bird"]),
    ("island_24 -2 6 0", 80, ["fisher"]),
    ("island_43 -4 -3 2", 3, ["canoe"]),
    ("island_36 -4 -7 1", 38, ["fish"]),
    ("island_47 -3 -11 2", 19, ["fisher"]),
    ("island_46 -8 1 2", 18, ["fish"]),
    ("island_15 6 1 1", 100, ["bird"]),
    ("island_37 1 -12 2", 45, ["canoe"]),
    ("island_21 2 8 3", 184, ["fisher", "palm"]),
)


def e37(cards: int) -> Island:
    return island_of("village_3", *(placing for placing, _, _ in E37[:cards]))
