"""§ Endwertung: pure functions from the table to numbers, with what counted. Nothing here changes the table.

All seven steps look at the table as it lies, so their order matters only to those who read it aloud.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from atoll.engine import Line, Part

from .components import AT_LEAST, ELEMENT_SLOT, END_VP, METRICS, MOST
from .kinds import ELEMENTS, RESOURCES, STANDARD_PLACES
from .state import WutakiState, hired

UNFULFILLED_PENALTY: Final = 8
SET_SIZE: Final = 5
SET_VP: Final = 3
MOST_SET_VP: Final = 15

# -- § Metrics --------------------------------------------------------------------------------------------------------


def _of_element(element: int) -> Callable[[WutakiState, int], int]:
    return lambda s, p: fulfilled_of(s, p, element)


def _of_resource(kind: int) -> Callable[[WutakiState, int], int]:
    return lambda s, p: s.stock[p][kind]


def _at_place(place: int) -> Callable[[WutakiState, int], int]:
    return lambda s, p: s.markers[place].count(p)


def fulfilled_of(s: WutakiState, p: int, element: int) -> int:
    """How many pacts of an element the seat has fulfilled."""
    pacts = s.box.pacts
    return sum(pacts[card].element == element for card in s.fulfilled[p])


def unfulfilled_of(s: WutakiState, p: int, element: int) -> int:
    """How many pacts of an element lie unfulfilled before the seat."""
    pacts = s.box.pacts
    return sum(pacts[card].element == element for card in s.pacts[p])


def omen_cards(s: WutakiState, p: int) -> int:
    """Omens in hand and on the table."""
    return len(s.omens[p]) + (s.permanent[p] >= 0)


def place_upgrades(s: WutakiState, p: int) -> int:
    """Own upgrade markers on standard places."""
    return sum(owners.count(p) for owners in s.markers)


def tower_upgrades(s: WutakiState, p: int) -> int:
    """Own tower upgrades: 0, 1, 2."""
    return sum(card >= 0 for card in s.built[p])


def upgrades_done(s: WutakiState, p: int) -> int:
    """Upgrades as they lie now, places and tower. The marker on the pyramid is none (R23)."""
    return place_upgrades(s, p) + tower_upgrades(s, p)


_BY_NAME: Final[dict[str, Callable[[WutakiState, int], int]]] = {
    "fulfilled_pacts": lambda s, p: len(s.fulfilled[p]),
    **{f"fulfilled_{name}": _of_element(index) for index, name in enumerate(ELEMENTS)},
    "unfulfilled_pacts": lambda s, p: len(s.pacts[p]),
    "pact_elements": lambda s, p: len({s.box.pacts[card].element for card in s.fulfilled[p]}),
    "omen_cards": omen_cards,
    "vengeance_cards": lambda s, p: len(s.vengeance[p]),
    "hired_workers": hired,
    "upgrades_done": upgrades_done,
    "place_upgrades": place_upgrades,
    "tower_upgrades": tower_upgrades,
    "pyramid_level": lambda s, p: s.pyramid[p],
    **{name: _of_resource(index) for index, name in enumerate(RESOURCES)},
    "resources": lambda s, p: sum(s.stock[p]),
    **{f"upgrade_at:{name}": _at_place(index) for index, name in enumerate(STANDARD_PLACES)},
}
_METRICS: Final = tuple(_BY_NAME[name] for name in METRICS)


def metric(s: WutakiState, p: int, index: int) -> int:
    """The value of a metric (an index into METRICS) for a seat."""
    return _METRICS[index](s, p)


# -- the seven steps --------------------------------------------------------------------------------------------------


def score_vengeance(s: WutakiState, p: int) -> Line:
    """§ Endwertung 1. Each vengeance card whose limit is exceeded costs its penalty."""
    parts = []
    for card in s.vengeance[p]:
        printed = s.box.vengeance[card]
        value = metric(s, p, printed.metric)
        points = -printed.penalty if value > printed.limit else 0
        parts.append(Part("vengeance_card", points, {"vengeance": card, "value": value, "limit": printed.limit}))
    return _line("vengeance", parts)


def score_unfulfilled(s: WutakiState, p: int) -> Line:
    """§ Endwertung 2. Each unfulfilled pact costs 8 VP."""
    parts = [Part("unfulfilled_pact", -UNFULFILLED_PENALTY, {"pact": card}) for card in s.pacts[p]]
    return _line("unfulfilled", parts)


def holds(s: WutakiState, p: int, secret_pact: int) -> bool:
    """§ Geheimpakte. Whether the condition of a secret pact holds for a seat. A tie for the most fails (R64)."""
    card = s.box.secret_pacts[secret_pact]
    value = metric(s, p, card.metric)
    if card.condition == MOST:
        return all(value > metric(s, q, card.metric) for q in range(s.seats) if q != p)
    holding: bool = value >= card.n if card.condition == AT_LEAST else value <= card.n
    return holding


def score_secret_pacts(s: WutakiState, p: int) -> Line:
    """§ Endwertung 3. Each secret pact whose condition holds; one that fails costs nothing (R63)."""
    parts = []
    for card in s.secret_pacts[p]:
        points = s.box.secret_pacts[card].vp if holds(s, p, card) else 0
        parts.append(Part("secret_pact", points, {"secret_pact": card}))
    return _line("secret_pacts", parts)


def score_elements(s: WutakiState, p: int) -> Line:
    """§ Endwertung 4. Element card and tower: a bonus per fulfilled pact of the element, a malus per anti-element pact.

    The malus counts accepted and fulfilled pacts alike.
    """
    parts = []
    cards = [s.box.elements[s.element[p]]] if s.element[p] >= 0 else []
    if s.built[p][ELEMENT_SLOT] >= 0:
        cards.append(s.box.tower_upgrades[s.built[p][ELEMENT_SLOT]])
    for number, card in enumerate(cards):
        owner = "tower" if number else "element"
        good = fulfilled_of(s, p, card.element)
        bad = fulfilled_of(s, p, card.anti) + unfulfilled_of(s, p, card.anti)
        if good:
            parts.append(Part(f"{owner}_bonus", good * card.bonus, {"n": good, "element": card.element}))
        if bad:
            parts.append(Part(f"{owner}_malus", -bad * card.malus, {"n": bad, "element": card.anti}))
    return _line("elements", parts)


def score_permanent_omen(s: WutakiState, p: int) -> Line:
    """§ Endwertung 5. The permanent omen on the table."""
    parts = []
    card = s.permanent[p]
    if card >= 0:
        effect = s.box.omens[card].action.effects[0]
        if effect.verb == END_VP:
            value = metric(s, p, effect.metric)
            parts.append(Part("permanent_omen", value // effect.per * effect.vp, {"omen": card, "value": value}))
    return _line("permanent", parts)


def score_pacts_of_others(s: WutakiState, p: int) -> Line:
    """§ Endwertung 6. 1 VP per pact of the own element that others have fulfilled, times the multiplier."""
    parts = []
    if s.element[p] >= 0 and s.masterboard[p] >= 0:
        element = s.box.elements[s.element[p]].element
        times = s.box.masterboards[s.masterboard[p]].multiplier[s.multiplier[p]]
        for q in range(s.seats):
            n = fulfilled_of(s, q, element)
            if q != p and n:
                parts.append(Part("pacts_of_seat", n * times, {"seat": q, "n": n, "times": times}))
    return _line("others", parts)


def score_resources(s: WutakiState, p: int) -> Line:
    """§ Endwertung 7. 3 VP per 5 equal resources, 15 at most."""
    parts = []
    left = MOST_SET_VP
    for kind, n in enumerate(s.stock[p]):
        points = min(n // SET_SIZE * SET_VP, left)
        left -= points
        if points:
            parts.append(Part("resource_sets", points, {"resource": kind, "n": n}))
    return _line("resources", parts)


STEPS: Final = (
    score_vengeance,
    score_unfulfilled,
    score_secret_pacts,
    score_elements,
    score_permanent_omen,
    score_pacts_of_others,
    score_resources,
)


def _line(key: str, parts: Sequence[Part]) -> Line:
    return Line(key, sum(part.points for part in parts), parts=parts, rule="final_scoring")


def explain(s: WutakiState, p: int) -> list[Line]:
    """The points on the track, then the seven steps."""
    return [Line("track", s.vp[p], rule="points"), *(step(s, p) for step in STEPS)]


def score(s: WutakiState, p: int) -> int:
    """The total of a seat, as if the game ended now."""
    return sum(line.points for line in explain(s, p))


# -- § Ermittlung des Gewinners ---------------------------------------------------------------------------------------


def standing_key(s: WutakiState, p: int) -> tuple[int, int, int]:
    """What seats are ranked by: points, then tokens in stock, then upgrades done."""
    return score(s, p), sum(s.stock[p]), upgrades_done(s, p)


def leaders(s: WutakiState) -> list[int]:
    """The seats that share first place by points, tokens and upgrades."""
    keys = [standing_key(s, p) for p in range(s.seats)]
    return [p for p, key in enumerate(keys) if key == max(keys)]


def ranking(s: WutakiState) -> list[int]:
    """The place of each seat; whom the holder of the start marker has chosen stands before those it tied with."""
    keys = [(*standing_key(s, p), p == s.winner) for p in range(s.seats)]
    return [1 + sum(other > key for other in keys) for key in keys]
