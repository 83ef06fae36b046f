"""Final scoring (WU-11): pure functions from the state to numbers, with the reasons of the points.

Nothing here changes the state. All seven steps use the same state, so their order matters only to
people who read it aloud.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from atoll.engine import ScoreLine, ScorePart

from .components import AT_LEAST, CONDITIONS, ELEMENT_SLOT, END_VP, METRICS, MOST, ElementCard, TowerUpgrade
from .kinds import ELEMENTS, RESOURCES, STANDARD_PLACES
from .state import WutakiState, hired, others

UNFULFILLED_PENALTY: Final = 8
SET_SIZE: Final = 5
SET_VP: Final = 3
MOST_SET_VP: Final = 15

# -- WU-11.9 Metrics -------------------------------------------------------------------------------


def _of_element(element: int) -> Callable[[WutakiState, int], int]:
    return lambda s, seat: fulfilled_of(s, seat, element)


def _of_resource(kind: int) -> Callable[[WutakiState, int], int]:
    return lambda s, seat: s.stock[seat][kind]


def _at_place(place: int) -> Callable[[WutakiState, int], int]:
    return lambda s, seat: s.markers[place].count(seat)


def fulfilled_of(s: WutakiState, seat: int, element: int) -> int:
    """Return the number of pacts of an element that the seat has fulfilled.

    Args:
        s: The state.
        seat: The seat concerned.
        element: The element.
    """
    pacts = s.components.pacts
    return sum(pacts[card].element == element for card in s.fulfilled[seat])


def unfulfilled_of(s: WutakiState, seat: int, element: int) -> int:
    """Return the number of unfulfilled pacts of an element in front of the seat.

    Args:
        s: The state.
        seat: The seat concerned.
        element: The element.
    """
    pacts = s.components.pacts
    return sum(pacts[card].element == element for card in s.pacts[seat])


def omen_cards(s: WutakiState, seat: int) -> int:
    """Return the number of omens in hand and on the table. Rule WU-11.9."""
    return len(s.omens[seat]) + (s.permanent[seat] >= 0)


def place_upgrades(s: WutakiState, seat: int) -> int:
    """Return the number of own upgrade markers on standard places."""
    return sum(owners.count(seat) for owners in s.markers)


def tower_upgrades(s: WutakiState, seat: int) -> int:
    """Return the number of own tower upgrades: 0 to 2."""
    return sum(card >= 0 for card in s.built[seat])


def upgrades_done(s: WutakiState, seat: int) -> int:
    """Return the upgrades as they lie now, places and tower; the pyramid marker isn't one.

    Rule WU-7.5, ruling R23.
    """
    return place_upgrades(s, seat) + tower_upgrades(s, seat)


_BY_NAME: Final[dict[str, Callable[[WutakiState, int], int]]] = {
    "fulfilled_pacts": lambda s, seat: len(s.fulfilled[seat]),
    **{f"fulfilled_{name}": _of_element(index) for index, name in enumerate(ELEMENTS)},
    "unfulfilled_pacts": lambda s, seat: len(s.pacts[seat]),
    "pact_elements": lambda s, seat: len({s.components.pacts[card].element for card in s.fulfilled[seat]}),
    "omen_cards": omen_cards,
    "vengeance_cards": lambda s, seat: len(s.vengeance[seat]),
    "hired_workers": hired,
    "upgrades_done": upgrades_done,
    "place_upgrades": place_upgrades,
    "tower_upgrades": tower_upgrades,
    "pyramid_level": lambda s, seat: s.pyramid[seat],
    **{name: _of_resource(index) for index, name in enumerate(RESOURCES)},
    "resources": lambda s, seat: sum(s.stock[seat]),
    **{f"upgrade_at:{name}": _at_place(index) for index, name in enumerate(STANDARD_PLACES)},
}
_METRICS: Final = tuple(_BY_NAME[name] for name in METRICS)


def metric(s: WutakiState, seat: int, index: int) -> int:
    """Return the value of a metric for a seat. Rule WU-11.9.

    Args:
        s: The state.
        seat: The seat concerned.
        index: The index of the metric in `METRICS`.
    """
    return _METRICS[index](s, seat)


# -- the seven steps -------------------------------------------------------------------------------


def score_vengeance(s: WutakiState, seat: int) -> ScoreLine:
    """Score each vengeance card whose limit is exceeded: its penalty. Rule WU-11.2."""
    parts = []
    for card in s.vengeance[seat]:
        printed = s.components.vengeance[card]
        value = metric(s, seat, printed.metric)
        points = -printed.penalty if value > printed.limit else 0
        parts.append(ScorePart("vengeance_card", points, {"vengeance": card, "value": value, "limit": printed.limit}))
    return _line("vengeance", parts)


def score_unfulfilled(s: WutakiState, seat: int) -> ScoreLine:
    """Score each unfulfilled pact: -8 VP. Rule WU-11.3."""
    parts = [ScorePart("unfulfilled_pact", -UNFULFILLED_PENALTY, {"pact": card}) for card in s.pacts[seat]]
    return _line("unfulfilled", parts)


def holds(s: WutakiState, seat: int, secret_pact: int) -> bool:
    """Return whether the condition of a secret pact holds for a seat; a tie for the most fails.

    Rule WU-11.4, ruling R64.

    Args:
        s: The state.
        seat: The seat concerned.
        secret_pact: The secret pact.
    """
    card = s.components.secret_pacts[secret_pact]
    value = metric(s, seat, card.metric)
    if card.condition == MOST:
        return all(value > metric(s, other, card.metric) for other in others(s, seat))
    return value >= card.n if card.condition == AT_LEAST else value <= card.n


def score_secret_pacts(s: WutakiState, seat: int) -> ScoreLine:
    """Score each secret pact whose condition holds; one that fails costs nothing.

    Rule WU-11.4, ruling R63.

    Args:
        s: The state.
        seat: The seat concerned.

    Returns:
        The score line.
    """
    parts = []
    for card in s.secret_pacts[seat]:
        printed = s.components.secret_pacts[card]
        fields = {"secret_pact": card, "value": metric(s, seat, printed.metric)}
        if holds(s, seat, card):
            parts.append(ScorePart("secret_pact", printed.vp, fields))
        elif printed.condition == MOST:
            rival = max(others(s, seat), key=lambda other: metric(s, other, printed.metric))
            most = metric(s, rival, printed.metric)
            parts.append(ScorePart("secret_pact.not_most", 0, {**fields, "most": most, "seat": rival}))
        else:
            parts.append(
                ScorePart(f"secret_pact.not_{CONDITIONS[printed.condition]}", 0, {**fields, "limit": printed.n})
            )
    return _line("secret_pacts", parts)


def controls(s: WutakiState, seat: int) -> list[ElementCard | TowerUpgrade]:
    """Return the cards that score elements.

    They are the element card, then the tower upgrade of an element.
    """
    found: list[ElementCard | TowerUpgrade] = []
    if s.element[seat] >= 0:
        found.append(s.components.elements[s.element[seat]])
    if s.built[seat][ELEMENT_SLOT] >= 0:
        found.append(s.components.tower_upgrades[s.built[seat][ELEMENT_SLOT]])
    return found


def score_elements(s: WutakiState, seat: int) -> ScoreLine:
    """Score element card and tower: a bonus per pact of the element, a malus per anti-element pact.

    The malus counts accepted and fulfilled pacts alike.
    Rules WU-7.3 and WU-11.5.

    Args:
        s: The state.
        seat: The seat concerned.

    Returns:
        The score line.
    """
    parts = []
    for number, card in enumerate(controls(s, seat)):
        owner = "tower" if number else "element"
        good = fulfilled_of(s, seat, card.element)
        bad = fulfilled_of(s, seat, card.anti) + unfulfilled_of(s, seat, card.anti)
        if good:
            parts.append(ScorePart(f"{owner}_bonus", good * card.bonus, {"n": good, "element": card.element}))
        if bad:
            parts.append(ScorePart(f"{owner}_malus", -bad * card.malus, {"n": bad, "element": card.anti}))
    return _line("elements", parts)


def score_permanent_omen(s: WutakiState, seat: int) -> ScoreLine:
    """Score the permanent omen on the table. Rule WU-11.6."""
    parts = []
    card = s.permanent[seat]
    if card >= 0:
        effect = s.components.omens[card].action.effects[0]
        if effect.verb == END_VP:
            value = metric(s, seat, effect.metric)
            parts.append(ScorePart("permanent_omen", value // effect.per * effect.vp, {"omen": card, "value": value}))
    return _line("permanent", parts)


def score_pacts_of_others(s: WutakiState, seat: int) -> ScoreLine:
    """Score 1 VP per pact of the own element that others have fulfilled, times the multiplier.

    Rule WU-11.7, ruling R21.

    Args:
        s: The state.
        seat: The seat concerned.

    Returns:
        The score line.
    """
    parts = []
    if s.element[seat] >= 0 and s.masterboard[seat] >= 0:
        element = s.components.elements[s.element[seat]].element
        times = s.components.masterboards[s.masterboard[seat]].multiplier[s.multiplier[seat]]
        for other in range(s.seats):
            n = fulfilled_of(s, other, element)
            if other != seat and n:
                parts.append(ScorePart("pacts_of_seat", n * times, {"seat": other, "n": n, "times": times}))
    return _line("others", parts)


def score_resources(s: WutakiState, seat: int) -> ScoreLine:
    """Score 3 VP per 5 equal resources, 15 at most. Rule WU-11.8."""
    parts = []
    left = MOST_SET_VP
    for kind, n in enumerate(s.stock[seat]):
        points = min(n // SET_SIZE * SET_VP, left)
        left -= points
        if points:
            parts.append(ScorePart("resource_sets", points, {"resource": kind, "n": n}))
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


def _line(key: str, parts: Sequence[ScorePart]) -> ScoreLine:
    return ScoreLine(key, sum(part.points for part in parts), parts=parts, rule="final_scoring")


def explain(s: WutakiState, seat: int) -> list[ScoreLine]:
    """Return the points on the track, then the seven steps. Rule WU-11.1."""
    return [ScoreLine("track", s.vp[seat], rule="points"), *(step(s, seat) for step in STEPS)]


def reminders(s: WutakiState, seat: int) -> dict[str, list[list[int]]]:
    """Return the points of each card of a seat if the game ended now.

    An unfulfilled pact costs its penalty and the malus of element and tower for the anti-element;
    it counts nothing.

    Args:
        s: The state.
        seat: The seat concerned.

    Returns:
        `[card, points, counted value]` for each card, by domain.
    """
    pacts = s.components.pacts
    return {
        "pact": [
            [
                card,
                -UNFULFILLED_PENALTY
                - sum(each.malus for each in controls(s, seat) if each.anti == pacts[card].element),
                0,
            ]
            for card in s.pacts[seat]
        ],
        "vengeance": [
            [part.fields["vengeance"], part.points, part.fields["value"]] for part in score_vengeance(s, seat).parts
        ],
        "secret_pact": [
            [part.fields["secret_pact"], part.points, part.fields["value"]]
            for part in score_secret_pacts(s, seat).parts
        ],
    }


def score(s: WutakiState, seat: int) -> int:
    """Return the total of a seat, as if the game ended now."""
    return sum(line.points for line in explain(s, seat))


# -- WU-10.3 Winner --------------------------------------------------------------------------------


def standing_key(s: WutakiState, seat: int) -> tuple[int, int, int]:
    """Return the sort key of the ranking: points, then tokens in stock, then upgrades done."""
    return score(s, seat), sum(s.stock[seat]), upgrades_done(s, seat)


def leaders(s: WutakiState) -> list[int]:
    """Return the seats that share first place by points, tokens and upgrades."""
    keys = [standing_key(s, seat) for seat in range(s.seats)]
    return [seat for seat, key in enumerate(keys) if key == max(keys)]


def ranking(s: WutakiState) -> list[int]:
    """Return the place of each seat; the choice of the start marker's holder comes before its tie.

    Rule WU-10.3, ruling R29.
    """
    keys = [(*standing_key(s, seat), seat == s.winner) for seat in range(s.seats)]
    return [1 + sum(other > key for other in keys) for key in keys]
