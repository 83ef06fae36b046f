"""The values of Wutaki's choices for a seat, in points of the final score, for bots.

See `valuation.py` for the value of individual resources.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from atoll.engine import Choose, Kind

from . import components as c
from . import kinds, scoring, visits
from .components import Effect
from .kinds import FIRST_STANDARD, GOLD, LOYAL, RESOURCES, SPECIAL
from .prices import place_price, tower_price
from .state import WutakiState, board, hired, masterboard, place_of
from .valuation import Valuation, giving, plunder, trade

SPREAD: Final = 30.0
TUNING: Final = {"cut": 0, "temperature": 0.1}  # The valuation knows a turn well; rollouts blur it.

Valuer = Callable[..., float]
"""Returns the value of a choice. Its parameters are the valuation and the parts of the choice."""


def _visit(o: Valuation, worker: int, place: int) -> float:
    return o.visiting(place, worker)


def _pay(o: Valuation, kind: int, n: int) -> float:
    if o.ask.prompt == "swap":
        spare = max(0, o.stock[kind] - o.need[kind])
        wanted = sum(
            max(0, need - have) for k, (need, have) in enumerate(zip(o.need, o.stock, strict=True)) if k != kind
        )
        good = min(spare, wanted, n)
        return good * 0.9 - (n - good) * 1.0
    # Tokens that aren't paid in this kind must be paid in later ones.
    later = [o.token(k, -1) for k in range(kind + 1, len(RESOURCES)) if o.stock[k]]
    return -o.paid(kind, n) + n * (sum(later) / len(later) if later else 0.0)


def _take(o: Valuation, kind: int, n: int) -> float:
    own = sum(o.token(kind, each) for each in range(n))
    if o.ask.prompt == "buy_with_points":
        return own - n * 1.05
    later = [o.token(k) for k in range(kind + 1, len(RESOURCES))]
    return own - n * (max(later) if later else 0.0)


def _again(o: Valuation) -> float:
    return o.execution(place_of(o.s.spot))


def _move_in(o: Valuation) -> float:
    about = o.ask.placeholders or {}
    return o.visiting(about["place"], o.s.worker)


def _use(o: Valuation, ability: int) -> float:
    effect = o.s.components.abilities[ability].action.effects[0]
    if effect.verb == c.REPEAT_ACTION:
        return _again(o) - 3.5 * min(1.0, o.rounds)
    thrift = {c.FULFIL_PACT: 14.0, c.PLAY_OMEN: 4.0, c.RETURN_VENGEANCE: 4.0, c.BURN_OMENS: 2.0}[effect.verb]
    return o.effect(effect) - thrift * min(1.0, o.rounds)


def _leave(o: Valuation, worker: int, where: int) -> float:
    return (-2.0 if worker == SPECIAL else 0.0) - (1.0 if where == kinds.HOME else 0.0)


def _recall(o: Valuation, worker: int, place: int) -> float:
    return 2.5 if worker == SPECIAL else 2.0


def _chase_group(o: Valuation, place: int, other: int) -> float:
    return o.chasing(place, other, relocate=o.s.spot == kinds.CHASE) + 0.1 * o.leader(other)


def _build(o: Valuation, card: int) -> float:
    return o.tower(card, tower_price(o.s, card, 0, free=False)) + _points_asked(o)


def _upgrade(o: Valuation, place: int) -> float:
    used = sum(n > have for n, have in zip(o.need, o.stock, strict=True))
    bonus = 0.3 if board(o.s).places[FIRST_STANDARD + place].kind == GOLD or used else 0.0
    return o.upgrade(place, place_price(o.s, place, 0, free=False)) + bonus + _points_asked(o)


def _points_asked(o: Valuation) -> float:
    """Return the points of the requested upgrade."""
    return float((o.ask.placeholders or {}).get("vp", 0))


def _marker(o: Valuation, place: int, slot: int) -> float:
    return o.leader(o.s.markers[place][slot])


def _option(o: Valuation, index: int) -> float:
    if o.ask.prompt == "on_climb":
        offer = masterboard(o.s, o.seat).on_climb
        return o.action(offer) if offer is not None else 0.0
    place = place_of(o.s.spot) if o.s.spot >= 0 else 0
    for effect in visits.action_at(o.s, o.seat, place).effects:
        if effect.verb == c.CHOOSE and index < len(effect.options):
            return o.action(effect.options[index])
    return 0.0


def _accept_choice(o: Valuation, card: int) -> float:
    slot = o.s.display.index(card)
    gold = board(o.s).slot_gold[slot] if o.ask.prompt == "accept_pact" else 0
    return o.accepting(card) + 0.9 * gold


def _keep(o: Valuation, secret_pact: int) -> float:
    card = o.s.components.secret_pacts[secret_pact]
    own = o.s.components.elements[o.s.element[o.seat]].element
    if card.metric == c.METRICS.index(f"fulfilled_{kinds.ELEMENTS[own]}"):
        return float(card.vp * 0.45)
    return float(card.vp) * {c.MOST: 0.3, c.AT_LEAST: 0.25, c.AT_MOST: 0.65}[card.condition]


def _hire(o: Valuation) -> float:
    return o.hiring(1, 0, free=False) or 0.1


def _idle(o: Valuation, worker: int) -> float:
    return 0.0 if worker == LOYAL else -0.1


def _trade_way(o: Valuation, way: int) -> float:
    return trade(o, _ANY_TRADE) if way == 0 else 0.1


_ANY_TRADE: Final = Effect(c.TRADE, "")

_CHOICES: Final[dict[Kind, Valuer]] = {
    kinds.KEEP: _keep,
    kinds.TAKE_BOARD: lambda o, face: (0.0, 2.5, 3.0, 1.0, 1.0)[face],
    kinds.VISIT: _visit,
    kinds.CROWD_IN: lambda o, worker, place: _visit(o, worker, place) - 2.0 * min(1.0, o.rounds),
    kinds.BESIDE: lambda o, field: 0.0,
    kinds.IDLE_WORKER: _idle,
    kinds.AGAIN: _again,
    kinds.MOVE_IN: _move_in,
    kinds.PAY: _pay,
    kinds.TAKE: _take,
    kinds.BONUS: lambda o, kind: o.token(kind),
    kinds.TRADE: _trade_way,
    kinds.RAID: lambda o: plunder(o, Effect(c.PLUNDER, "")),
    kinds.ACCEPT: _accept_choice,
    kinds.GIFT: giving,
    kinds.DISCARD_PACT: lambda o, card: o.lacking(card) - 0.5 * o.reward(card),
    kinds.FULFIL: lambda o, card: o.fulfilling(card),
    kinds.HIRE: _hire,
    kinds.CHASE_GROUP: _chase_group,
    kinds.LEAVE: _leave,
    kinds.RECALL: _recall,
    kinds.UPGRADE: _upgrade,
    kinds.BUILD: _build,
    kinds.MARKER: _marker,
    kinds.PLAY: lambda o, card: o.omen(card),
    kinds.DISCARD: lambda o, card: -o.omen(card),
    kinds.GIVE_VENGEANCE: lambda o, card: o.vengeance(card),
    kinds.RETURN_VENGEANCE: lambda o, card: o.vengeance(card),
    kinds.TO: lambda o, other: o.leader(other),
    kinds.FROM: lambda o, other: sum(o.s.stock[other]) + len(o.s.omens[other]) / 9,
    kinds.WINNER: lambda o, other: -float((other - o.s.start) % o.s.seats),  # Ruling R29.
    kinds.OPTION: _option,
    kinds.USE: _use,
    kinds.PASS_KIND: lambda o: 0.0,
}


def choice_values(s: WutakiState, ask: Choose) -> list[float]:
    """Return the value of each choice for the seat that is asked, in points of the final score.

    Only differences matter.
    """
    valuation = Valuation(s, ask.seat, ask)
    return [_value(valuation, choice) for choice in ask.choices]


def _value(valuation: Valuation, choice: int) -> float:
    kind = kinds.VOCABULARY.kind_of(choice)
    return _CHOICES[kind](valuation, *kind.parts(choice))


def expected_scores(s: WutakiState) -> Sequence[float]:
    """Return the expected final score of each seat.

    It is the current score plus the expected points of open pacts, omens and workers.
    """
    found = []
    for seat in range(s.seats):
        tokens = sum(s.stock[seat])
        hope = min(len(s.pacts[seat]) * 9.0, tokens * 1.2) if not s.ending else 0.0
        found.append(scoring.score(s, seat) + hope + 0.5 * len(s.omens[seat]) + 1.5 * hired(s, seat))
    return found
