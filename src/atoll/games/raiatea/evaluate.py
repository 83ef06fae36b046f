"""The values of Raiatea's choices for a seat, in points of the final score, for bots.

See `valuation.py` for the value of individual resources.
"""

from __future__ import annotations

from collections.abc import Callable
from math import exp
from typing import Final

from atoll.engine import Choose, Kind

from . import components as c
from . import kinds
from .kinds import ASSISTANTS, COMMODITIES, LEVELS, MIRROR_MASK
from .scoring import pair_points, score
from .state import RaiateaState
from .valuation import FAVOUR, GREED, MASK, READY, SECOND_DRAW, SHARE_BID, TATTOO, Valuation

SPREAD: Final = 7.0
TUNING: Final = {"cut": 0}  # Random bids and preparations waste the mana that was saved for them.

Valuer = Callable[[Valuation, int], float]


def _go(o: Valuation, index: int) -> float:
    """Return the value of a location for the Kahuna, minus a share of its value for the others."""
    s = o.s
    others = [Valuation(s, seat).location(index, kahuna=False) for seat in range(s.seats) if seat != o.seat]
    return o.location(index, kahuna=True) - GREED * sum(others) / len(others)


def _pick(o: Valuation, index: int) -> float:
    return o.forest_card(index)


def _gather(o: Valuation, index: int) -> float:
    """Return the value of the best pick plus that of a commodity."""
    display = o.s.display
    best = max((o.forest_card(card) for card in display), default=0.4)
    goods = [o.good(card) for card in display if card < COMMODITIES]
    return best + (max(goods) + 0.1 if goods else 0.35) - READY


def _sacrifice(o: Valuation, index: int) -> float:
    """Return the value of a sacrifice, which comes before draws.

    The Kahuna's last one adds a draw.
    """
    gain = o.tattoo(1) - o.good(index)
    if o.seat == o.s.kahuna and o.ask is not None and (o.ask.placeholders or {})["n"] == 1:
        gain += SECOND_DRAW * o.best_deck()
    return gain + 5.0 if gain > 0 else gain


def _train(o: Valuation, index: int) -> float:
    return o.training(index)


def _place(o: Valuation, index: int) -> float:
    """Return the expected value of a mask from the market minus that of the mask.

    Others may be faster.
    """
    best = max((o.mask(god) for god in o.s.mask_market), default=0.0)
    return 0.85 * best - o.mask(index) - 0.05


def _sell(o: Valuation, index: int) -> float:
    commodity, level = divmod(index, LEVELS)
    return o.effects(o.components.prices[commodity][level]) - o.good(commodity)


def _hire(o: Valuation, index: int) -> float:
    return o.assistant(index) - o.components.hire_cost * o.pearl


def _trade(o: Valuation, index: int) -> float:
    """Return the gain of selling the commodity with its price marker at the top."""
    if not o.s.goods_of(o.seat)[index]:
        return -0.1
    top = max(o.effects(effects) for effects in o.components.prices[index])
    now = max(o.effects(effects) for effects in o.components.prices[index][: o.s.prices[index]])
    gain = top - now - READY
    return gain + 5.0 if gain > 0 and o.sale(index) + top - now > 0 else -0.1


def _buy(o: Valuation, index: int) -> float:
    return o.deck(index) - 3 * o.mana + 0.15


def _prepare(o: Valuation, index: int) -> float:
    """Return the ritual's value if it succeeds, minus that of keeping it for another feast."""
    later = o.in_hand(index) * 0.5 if o.feasts > 1 else 0.0
    return o.ritual(index) * o.succeeds(index) - later


def _bid(o: Valuation, index: int) -> float:
    return _offer(o, index) if o.ask is not None and o.ask.prompt == "offering" else _bid_for_task(o, index)


def _rivals(o: Valuation) -> list[float]:
    """Return the expected bids of the others."""
    s = o.s
    return [SHARE_BID * s.mana[seat] + (s.bonus[seat][c.BID_BONUS]) for seat in range(s.seats) if seat != o.seat]


def _offer(o: Valuation, amount: int) -> float:
    """Return the value of places in favor and of mana for own rituals, minus that of the mana."""
    value = amount + (o.s.bonus[o.seat][c.BID_BONUS] if amount else 0)
    ahead = sum(1.0 / (1.0 + exp((rival - value - 0.5) / 1.5)) for rival in _rivals(o))
    rituals = sum(o.ritual(card) * o.succeeds(card, amount) for card in o.s.bag[o.seat])
    return FAVOUR * ahead + rituals - amount * (o.mana if o.feasts > 1 else 0.6 * o.mana)


def _bid_for_task(o: Valuation, amount: int) -> float:
    """Return the value of the task weighted by the chance to win it, minus that of the mana."""
    assert o.ask is not None
    task = (o.ask.placeholders or {})["task"]
    value = amount + (o.s.bonus[o.seat][c.BID_BONUS] if amount else 0)
    chance = 1.0
    for rival in _rivals(o):
        chance /= 1.0 + exp((min(rival, 8.0) - value) / 1.5)
    price = o.mana if not o.ending else 0.02
    return (chance * o.task(task) if amount else 0.0) - amount * price


def _build(o: Valuation, index: int) -> float:
    free = o.ask is not None and o.ask.prompt == "free_task"
    return o.build(index, free)


def _shaman(o: Valuation, index: int) -> float:
    """Return the value of executing a ritual now instead of preparing it."""
    return o.ritual(index) - 0.75 * o.in_hand(index) - (0.0 if o.ending else 0.1)


def _mirror(o: Valuation, index: int) -> float:
    """Return the value of the pair, or a negative one if a better pair is worth waiting for."""
    gods = [god for god in o.s.masks[o.seat] if god != MIRROR_MASK]
    best = max(o.pair(god) for god in gods)
    if o.pair(index) < best:
        return -0.1
    return o.pair(index) if o.ending or o.pair(index) >= 3 or o.feasts <= 1 else -0.1


def _target(o: Valuation, index: int) -> float:
    """Return a value that is highest for the leader."""
    return float(score(o.s, index)) + 0.01 * (o.s.pearls[index] + o.s.mana[index])


def _steal_assistant(o: Valuation, index: int) -> float:
    kind, stance = divmod(index, kinds.STANCE.size)
    return o.assistant(kind) + (0.01 if stance == kinds.READY_STANCE else 0.0)


def _cancel(o: Valuation, index: int) -> float:
    owner, card = divmod(index, kinds.RITUAL.size)
    return 0.4 * Valuation(o.s, owner).ritual(card)


def _nothing(o: Valuation, index: int) -> float:
    return 0.0


_VALUERS: Final[tuple[tuple[Kind, Valuer], ...]] = (
    (kinds.GO, _go),
    (kinds.PICK, _pick),
    (kinds.GATHER, _gather),
    (kinds.SACRIFICE, _sacrifice),
    (kinds.DRAW, lambda o, index: o.deck(index)),
    (kinds.KEEP, lambda o, index: o.in_hand(index)),
    (kinds.PRIEST, lambda o, index: o.priest(1) + o.mana),
    (kinds.TRAIN, _train),
    (kinds.PLACE, _place),
    (kinds.CLAIM, lambda o, index: o.mask(index)),
    (kinds.SELL, _sell),
    (kinds.HIRE, _hire),
    (kinds.TRADE, _trade),
    (kinds.TAKE, lambda o, index: o.good(index) + 0.05),
    (kinds.ENLIST, lambda o, index: o.assistant(index)),
    (kinds.READY, lambda o, index: o.ready(index)),
    (kinds.BUY, _buy),
    (kinds.PREPARE, _prepare),
    (kinds.BID, _bid),
    (kinds.ACCEPT, lambda o, index: o.effects(o.components.gifts[index])),
    (kinds.FIRST, lambda o, index: o.ritual(index)),
    (kinds.BUILD, _build),
    (kinds.PAY, lambda o, index: -(index % kinds.COUNT.size) * o.good(index // kinds.COUNT.size)),
    (kinds.PAY_RITUAL, lambda o, index: -o.in_hand(index)),
    (kinds.PAY_MASK, lambda o, index: -o.mask(index)),
    (kinds.PERFORM, lambda o, index: o.ritual(index) - 0.5 * o.in_hand(index)),
    (kinds.SHAMAN, _shaman),
    (kinds.MIRROR, _mirror),
    (kinds.TARGET, _target),
    (kinds.STEAL_MASK, lambda o, index: o.mask(index)),
    (kinds.STEAL_ASSISTANT, _steal_assistant),
    (kinds.EXHAUST, lambda o, index: -o.ready(index)),
    (kinds.CANCEL, _cancel),
    (kinds.WINDOWS, lambda o, index: -1.0),
    (kinds.DECLINE, _nothing),
    (kinds.DONE, _nothing),
    (kinds.PASS, _nothing),
)
_STARTS: Final = tuple(kind.first for kind, _ in _VALUERS)


def choice_values(s: RaiateaState, ask: Choose) -> list[float]:
    """Return the value of each choice for the seat that is asked.

    Free actions don't use up the decision, so a good one is worth more than everything else.
    """
    valuation = Valuation(s, ask.seat, ask)
    values = []
    free: list[int] = []
    which = 0
    for place, choice in enumerate(ask.choices):
        while which + 1 < len(_STARTS) and choice >= _STARTS[which + 1]:
            which += 1
        kind, valuer = _VALUERS[which]
        values.append(valuer(valuation, choice - kind.first))
        if kind is kinds.SHAMAN or kind is kinds.MIRROR:
            free.append(place)
    if free and len(free) < len(values):
        best = max(value for place, value in enumerate(values) if place not in free)
        for place in free:
            if values[place] > 0:
                values[place] += best
    return values


def expected_scores(s: RaiateaState) -> list[float]:
    """Return the points of each seat plus the expected points of its possessions."""
    return [_estimate(s, seat) for seat in range(s.seats)]


def _estimate(s: RaiateaState, seat: int) -> float:
    points = float(score(s, seat))
    if s.over:
        return points
    o = Valuation(s, seat)
    goods = s.goods_of(seat)
    points += s.pearls[seat] * o.pearl + s.mana[seat] * o.mana
    points += sum(n * o.good(commodity) for commodity, n in enumerate(goods))
    points += o.priest_income() if not o.ending else 0.0
    points += sum(o.in_hand(card) for card in s.hands[seat])
    points += sum(o.ritual(card) * o.succeeds(card) for card in s.bag[seat])
    points += sum(o.pair(god) - pair_points(s, seat, god) for god in o.gods())
    points += sum(MASK * o.time() for _ in s.masks[seat])
    points += sum(o.ready(kind) * s.ready[seat][kind] for kind in range(ASSISTANTS))
    return (
        points + 0.4 * o.time() * (sum(s.ready[seat]) + sum(s.exhausted[seat])) + TATTOO * o.time() * _towards(s, seat)
    )


def _towards(s: RaiateaState, seat: int) -> float:
    """Return the tattoos beyond the threshold of the rank, which don't score yet."""
    return s.tattoos[seat] - s.components.rank_tattoos[s.rank(seat)]
