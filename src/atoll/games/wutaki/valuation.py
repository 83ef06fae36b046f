"""The values of Wutaki's tokens, cards, places and effects for a seat, in points.

These are rough estimates of the final score, not rules. The constants were tuned by play. Nothing
here changes the state.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from atoll.engine import Choose

from . import components as c
from . import kinds, scoring, visits
from .cards import playable
from .components import Action, Cost, Effect, Tokens
from .kinds import FIRST_STANDARD, GOLD, LOYAL, RESOURCES, SPECIAL, STANDARD_PLACES
from .places import harvest
from .prices import can_hire, fixed_part, hire_price, place_price, tower_price
from .state import WutakiState, board, group, hired, masterboard, others
from .workers import chase_options

NEEDED: Final = 1.7
"""The value of a token that an open pact is still missing."""
SPARE: Final = 0.75
"""The value of a token that no open pact asks for."""
LAST: Final = 0.6
"""The value of a token in the last turn: five alike are 3 points."""
OMEN: Final = 1.6
VENGEANCE: Final = -2.8
SECRET_PACT: Final = 2.4
WORKER: Final = 2.4
"""The value of one more worker for each round still to come."""
HARM: Final = 0.8
"""The value of a point that the only opponent loses.

With more opponents it is lower, unless the leader loses the point.
"""
LATE: Final = 0.3
"""The number of rounds left from which pacts are given away.

Before, they can still be fulfilled.
"""
MARKER: Final = 1.0
"""The value of a marker at a standard place for its owner in a round."""
REHIRE: Final = 3.5
"""The largest cost of a worker driven back into the tower for its owner, who hires it again."""
BONUS: Final = 0.5
"""The value of an own marker at a standard place in a round.

It doesn't include the higher yield for everybody.
"""
LONGEST: Final = 5
"""The number of rounds that are looked ahead."""
PACE: Final = 18
"""The number of points that the leader gains in a round."""
HIGH: Final = 3
"""The number of levels from which a climber may end the game within a round."""


class Valuation:
    """The values of things for one seat in one state.

    Attributes:
        s: The state.
        seat: The seat.
        ask: The decision.
        stock: The seat's tokens.
        hand: The seat's omens.
        nested: Whether an omen that plays omens is being evaluated.
        worker: The type of the worker whose visit is evaluated.
        moving: Whether a move after a chase is being evaluated.
        last: Whether the seat is in its last turn.
        rounds: Number of rounds still to be expected.
        need: Tokens of each kind that open pacts cost.
        need_any: Tokens of any kind that open pacts cost.
    """

    def __init__(self, s: WutakiState, seat: int, ask: Choose) -> None:
        self.s: WutakiState = s
        self.seat: int = seat
        self.ask: Choose = ask
        self.stock: list[int] = s.stock[seat]
        self.hand: list[int] = s.omens[seat]
        self.nested: bool = False
        self.worker: int = s.worker
        self.moving: bool = False
        self.last: bool = s.ending or s.ender >= 0
        left = (s.components.end_vp - max(s.vp)) / PACE
        if max(s.pyramid) >= HIGH:
            left = min(1.0, left)
        self.rounds: float = 0.0 if self.last else max(0.3, min(LONGEST, left))
        self.need: list[int] = [0] * len(RESOURCES)
        self.need_any: int = 0
        for card in s.pacts[seat]:
            tokens = s.components.pacts[card].action.cost.tokens
            for kind, n in tokens.pairs[s.cost_marker[seat]]:
                self.need[kind] += n
            self.need_any += tokens.any

    # -- tokens ------------------------------------------------------------------------------------

    def token(self, kind: int, index: int = 0) -> float:
        """Return the value of the next token of a kind when `index` more of it have come before."""
        have = self.stock[kind] + index
        if self.last:
            return LAST
        if have < self.need[kind]:
            return NEEDED
        spare = SPARE + (0.2 if kind == GOLD else 0.0) + (0.3 if self.need_any else 0.0)
        return spare * (1.0 if have < 6 else 0.6)

    def gained(self, kind: int, n: int) -> float:
        """Return the value of n tokens of a kind."""
        n = min(n, self.s.supply[kind])
        return sum(self.token(kind, index) for index in range(n)) - self.too_much(RESOURCES[kind], n)

    def paid(self, kind: int, n: int) -> float:
        """Return the cost of handing over n tokens of a kind."""
        return sum(self.token(kind, -1 - index) for index in range(n))

    def price(self, tokens: Tokens) -> float:
        """Return the cost of a printed amount; any kinds are the cheapest ones."""
        fixed = fixed_part(tokens, self.s.cost_marker[self.seat])
        total = sum(self.paid(kind, n) for kind, n in enumerate(fixed))
        return total + tokens.any * (LAST if self.last else SPARE)

    def cost(self, cost: Cost) -> float:
        """Return the value of a cost."""
        return self.price(cost.tokens) + cost.omen * OMEN + cost.vp + cost.worker * (WORKER * self.rounds * 0.6 + 1)

    # -- cards -------------------------------------------------------------------------------------

    def too_much(self, metric: str, more: int) -> float:
        """Return the penalties that would be due if a metric grew, minus hopes.

        They are those of the own vengeance cards.
        """
        if not more:
            return 0.0
        s, seat = self.s, self.seat
        index = c.METRICS.index(metric)
        due = 0.0
        for card in s.vengeance[seat]:
            printed = s.components.vengeance[card]
            if printed.metric == index:
                value = scoring.metric(s, seat, index)
                if value <= printed.limit < value + more:
                    due += printed.penalty
        return due - self.hope(index, more)

    def hope(self, index: int, more: int) -> float:
        """Return the points to hope for if a metric grew.

        They are those of own secret pacts and the permanent omen.
        """
        s, seat = self.s, self.seat
        points = 0.0
        for card in s.secret_pacts[seat]:
            aim = s.components.secret_pacts[card]
            if aim.metric == index and aim.condition != c.AT_MOST:
                value = scoring.metric(s, seat, index)
                if aim.condition == c.AT_LEAST:
                    points += aim.vp * (min(aim.n, value + more) - min(aim.n, value)) / aim.n
                else:
                    most = max(scoring.metric(s, other, index) for other in others(s, seat))
                    points += aim.vp * 0.3 * (value <= most < value + more)
        if s.permanent[seat] >= 0:
            effect = s.components.omens[s.permanent[seat]].action.effects[0]
            if effect.verb == c.END_VP and effect.metric == index:
                points += more * effect.vp / effect.per
        return points

    def element_points(self, card: int, *, fulfilled: bool) -> float:
        """Return the points of a pact from the own element and tower."""
        s, seat = self.s, self.seat
        element = s.components.pacts[card].element
        cards: list[c.ElementCard | c.TowerUpgrade] = []
        if s.element[seat] >= 0:
            cards.append(s.components.elements[s.element[seat]])
        built = s.built[seat][c.ELEMENT_SLOT]
        if built >= 0:
            cards.append(s.components.tower_upgrades[built])
        points = 0.0
        for each in cards:
            if each.anti == element:
                points -= each.malus
            elif each.element == element and fulfilled:
                points += each.bonus
        return points

    def reward(self, card: int) -> float:
        """Return the value of fulfilling a pact, without its cost and the penalty it averts."""
        s, seat = self.s, self.seat
        pact = s.components.pacts[card]
        found = sum(self.effect(effect) for effect in pact.action.effects) + self.element_points(card, fulfilled=True)
        track = masterboard(s, seat).track[s.seats]
        if s.track[seat] + 1 < len(track):
            found += sum(self.effect(effect) for effect in track[s.track[seat] + 1])
        found -= self.too_much("fulfilled_pacts", 1)
        return found - self.too_much(f"fulfilled_{kinds.ELEMENTS[pact.element]}", 1)

    def lacking(self, card: int) -> int:
        """Return the number of tokens and omens that a pact is missing.

        Other open pacts keep the tokens that they need.
        """
        s, seat = self.s, self.seat
        cost = s.components.pacts[card].action.cost
        fixed = fixed_part(cost.tokens, s.cost_marker[seat])
        own = card in s.pacts[seat]
        missing = 0
        for kind, n in enumerate(fixed):
            free = self.stock[kind] if own else max(0, self.stock[kind] - self.need[kind])
            missing += max(0, n - free)
        spare = sum(self.stock) - sum(fixed)
        missing += max(0, cost.tokens.any - max(0, spare))
        return missing + 2 * max(0, cost.omen - len(self.hand))

    def accepting(self, card: int) -> float:
        """Return the value of taking a pact: its reward if it will be paid, else its penalty."""
        reward = self.reward(card)
        missing = self.lacking(card)
        open_pacts = len(self.s.pacts[self.seat])
        workers = sum(self.s.home[self.seat]) * (0.5 if self.last else 1.0)
        reach = 2.2 * workers + 8 * max(0.0, self.rounds - 0.4) - 2.0 * open_pacts
        if self.last and missing:
            return -13.0
        chance = 1.0 if missing == 0 else max(0.0, min(1.0, (reach - missing) / 8 + 0.4))
        failing = -8 + self.element_points(card, fulfilled=False)
        cost = self.price(self.s.components.pacts[card].action.cost.tokens)
        return chance * (reward - 0.75 * cost) + (1 - chance) * failing - 1.5 * max(0, open_pacts - 2)

    def fulfilling(self, card: int) -> float:
        """Return the value of fulfilling a pact now."""
        cost = self.s.components.pacts[card].action.cost
        return float(self.reward(card) + 8 - 0.4 * self.price(cost.tokens) - cost.omen * OMEN * 0.5)

    def omen(self, card: int) -> float:
        """Return the value of playing an omen."""
        found = self.action(self.s.components.omens[card].action)
        older = self.s.permanent[self.seat]
        if self.s.components.omens[card].permanent and older >= 0:
            found -= self.action(self.s.components.omens[older].action)
        return found - OMEN * 0.5

    def vengeance(self, card: int) -> float:
        """Return the cost of holding a vengeance card: its penalty if it is due or near."""
        printed = self.s.components.vengeance[card]
        room = printed.limit - scoring.metric(self.s, self.seat, printed.metric)
        return float(printed.penalty if room < 0 else printed.penalty * (0.7 if room == 0 else 0.3))

    def leader(self, other: int) -> float:
        """Return the weight of harming another seat, which grows with its points."""
        return 1.0 + self.s.vp[other] / 50

    def harm(self, other: int) -> float:
        """Return the value of a point that another seat loses, which is lower among more seats."""
        s = self.s
        ahead = all(s.vp[other] >= s.vp[rival] for rival in others(s, self.seat))
        return HARM * (1.0 if ahead else 0.5) / (s.seats - 1)

    def burden(self, other: int, card: int) -> float:
        """Return the cost of a pact for the seat that it is given to.

        It is below 0 if the seat gains by it.
        """
        s = self.s
        if self.rounds > LATE:
            return -self.reward(card)
        if (s.ending and other not in s.last_turns) or s.ender == other:
            return float(scoring.UNFULFILLED_PENALTY)
        return -0.6 * Valuation(s, other, self.ask).accepting(card)

    def driven_off(self, other: int, workers: tuple[int, int]) -> float:
        """Return the cost for a seat if some of its workers go back into the tower.

        `workers` has the numbers of extra and special ones.
        """
        each = min(REHIRE, WORKER * self.rounds)
        return sum(workers) * each + workers[1] * 0.5 * each

    def chasing(self, place: int, other: int, relocate: bool) -> float:
        """Return the value of driving a group of workers off a place, and of moving in.

        Args:
            place: The place.
            other: The owner of the workers.
            relocate: Whether the own worker may move in.
        """
        s = self.s
        found = self.harm(other) * self.driven_off(other, group(s, place, other))
        if relocate and not self.moving:
            self.moving = True
            found += max(0.0, self.visiting(place, self.worker))
            self.moving = False
        return found

    # -- effects -----------------------------------------------------------------------------------

    def action(self, action: Action) -> float:
        """Return the value of effects minus costs."""
        return sum(self.effect(effect) for effect in action.effects) - self.cost(action.cost)

    def execution(self, place: int) -> float:
        """Return the value of carrying out the action of a place.

        The round card may spare its vengeance card.
        """
        action = visits.action_at(self.s, self.seat, place)
        found = sum(self.effect(effect) for effect in visits.effects_at(self.s, place, action))
        return found - self.cost(action.cost)

    def effect(self, effect: Effect) -> float:
        """Return the value of an effect."""
        return _EFFECTS[effect.verb](self, effect)

    def visiting(self, place: int, worker: int) -> float:
        """Return the value of a visit; a special worker acts twice."""
        outer, self.worker = self.worker, worker
        found = self.execution(place)
        self.worker = outer
        if worker == SPECIAL and place not in (kinds.PLUNDER, kinds.CHASE):
            found *= 1.6
        if FIRST_STANDARD <= place <= kinds.VILLAGE:
            found += 0.9 * self.s.markers[place - FIRST_STANDARD].count(self.seat)
        return found + (0.1 if worker == LOYAL else 0.0)

    def hiring(self, n: int, discount: int, free: bool) -> float:
        """Return the value of hiring up to n workers.

        Args:
            n: The number of workers.
            discount: The number of tokens of the cost marker that are left out.
            free: Whether the price is dropped.
        """
        if not can_hire(self.s, self.seat, discount, free):
            return 0.0
        marked, gold = hire_price(self.s, self.seat, discount, free)
        one = WORKER * self.rounds + (1.0 if self.rounds else 0.0) - marked * 1.1 - gold * 0.9
        one -= self.too_much("hired_workers", 1)
        return max(0.0, one) * (1.0 if n == 1 else 1.5)

    def building(self, effect: Effect) -> float:
        """Return the value of the best upgrade."""
        s, seat = self.s, self.seat
        gold = self.stock[GOLD]
        if not s.upgrade_markers[seat]:
            return 0.0
        values = [0.0]
        for place, owners in enumerate(s.markers):
            if len(owners) < 2:
                price = place_price(s, place, effect.discount, effect.free)
                if gold >= price:
                    values.append(self.upgrade(place, price))
        for card in s.tower_left:
            price = tower_price(s, card, effect.discount, effect.free)
            if gold >= price and s.built[seat][s.components.tower_upgrades[card].slot] < 0:
                values.append(self.tower(card, price))
        return effect.vp + max(values)

    def upgrade(self, place: int, price: int) -> float:
        """Return the value of a marker on a standard place beyond its points.

        It consists of bonuses and yields.
        """
        gain = self.rounds * (BONUS + self.visits(place)) - price * 0.8
        gain -= self.too_much(f"upgrade_at:{STANDARD_PLACES[place]}", 1) + self.too_much("place_upgrades", 1)
        return gain - self.too_much("upgrades_done", 1)

    def visits(self, place: int) -> float:
        """Return the value in a round of one more token or hire at a standard place."""
        kind = board(self.s).places[FIRST_STANDARD + place].kind
        if kind < 0:
            return 0.3
        return 0.9 if self.need[kind] > self.stock[kind] or kind == self.s.cost_marker[self.seat] else 0.5

    def tower(self, card: int, price: int) -> float:
        """Return the value of a tower upgrade beyond its points."""
        s, seat = self.s, self.seat
        printed = s.components.tower_upgrades[card]
        if printed.slot == c.ELEMENT_SLOT:
            good = scoring.fulfilled_of(s, seat, printed.element)
            bad = scoring.fulfilled_of(s, seat, printed.anti) + scoring.unfulfilled_of(s, seat, printed.anti)
            worth = good * printed.bonus - bad * printed.malus + 0.2 * self.rounds
        else:
            worth = 1.5 * self.visits(printed.place - FIRST_STANDARD) * self.rounds
        worth -= price * 0.8 + self.too_much("tower_upgrades", 1)
        return float(worth - self.too_much("upgrades_done", 1))

    def climbing(self, discount: int) -> float:
        """Return the value of the next level."""
        s, seat = self.s, self.seat
        levels = board(s).levels
        if s.pyramid[seat] >= len(levels):
            return 0.0
        level = levels[s.pyramid[seat]]
        found = level.vp + 1.0 + sum(self.effect(effect) for effect in level.climb.effects)
        found -= 0.6 * self.price(level.climb.cost.tokens) - 0.8 * discount
        return found - self.too_much("pyramid_level", 1)


def _gain(o: Valuation, e: Effect) -> float:
    assert e.tokens is not None
    fixed = sum(o.gained(kind, n) for kind, n in e.tokens.pairs[o.s.cost_marker[o.seat]])
    best = max(o.token(kind) for kind in range(len(RESOURCES)))
    return fixed + e.tokens.any * best


def _lose(o: Valuation, e: Effect) -> float:
    assert e.tokens is not None
    return -o.price(e.tokens)


def _play_omen(o: Valuation, e: Effect) -> float:
    if o.nested:  # Omens that play omens aren't followed further.
        return 0.5 * OMEN * min(e.n, len(o.hand))
    o.nested = True
    values = sorted((o.omen(card) for card in playable(o.s, o.seat, o.hand)), reverse=True)
    o.nested = False
    return sum(max(0.0, value) for value in values[: e.n])


def _accept(o: Valuation, e: Effect) -> float:
    if not e.bonus:  # It is one of four pacts that nobody knows yet.
        return max(0.0, 3.0 - 1.5 * len(o.s.pacts[o.seat])) * min(1.0, o.rounds)
    values = [0.0]
    for slot, card in enumerate(o.s.display):
        if card >= 0:
            values.append(o.accepting(card) + 0.9 * board(o.s).slot_gold[slot])
    return max(values)


def _gift_pact(o: Valuation, e: Effect) -> float:
    cards = o.s.pacts[o.seat] if e.own else [card for card in o.s.display if card >= 0]
    return max((giving(o, card) for card in cards), default=0.0)


def giving(o: Valuation, card: int) -> float:
    """Return the value of giving a pact to the player who suffers most.

    An own pact is a burden less.
    """
    away = max(o.harm(other) * o.burden(other, card) for other in others(o.s, o.seat))
    return away - (o.accepting(card) if card in o.s.pacts[o.seat] else 0.0)


def _chase(o: Valuation, e: Effect) -> float:
    groups = [kinds.CHASE_GROUP.parts(choice) for choice in chase_options(o.s, o.seat)]
    return max((o.chasing(place, other, e.relocate) for place, other in groups), default=0.0)


def _remove_upgrade(o: Valuation, e: Effect) -> float:
    owners = [owner for owners in o.s.markers for owner in owners if owner != o.seat]
    return max((o.harm(other) * MARKER * max(0.5, o.rounds) for other in owners), default=0.0)


def _discard_pact(o: Valuation, e: Effect) -> float:
    return max((8 - o.accepting(card) * 0.5 for card in o.s.pacts[o.seat] if o.lacking(card) > 3), default=-3.0)


def _fulfil(o: Valuation, e: Effect) -> float:
    cards = o.s.pacts[o.seat]
    reach = 99 if e.free else e.discount
    return max((o.fulfilling(card) + 0.5 * e.discount for card in cards if o.lacking(card) <= reach), default=0.0)


def _vengeance_away(o: Valuation, e: Effect) -> float:
    return e.n * max((o.vengeance(card) for card in o.s.vengeance[o.seat]), default=0.0)


def plunder(o: Valuation, e: Effect) -> float:
    """Return the value of the best tokens in the maw, as many as may be taken."""
    maw = o.s.maw
    values = sorted((o.token(kind, index) for kind, n in enumerate(maw) for index in range(n)), reverse=True)
    return sum(values[: e.n] if e.n else values)


def _raid(o: Valuation, e: Effect) -> float:
    return 0.8 * sum(o.s.maw)


def _take_resources(o: Valuation, e: Effect) -> float:
    best = max((min(e.n, sum(o.s.stock[other])) for other in others(o.s, o.seat)), default=0)
    return best * 1.9


def trade(o: Valuation, e: Effect) -> float:
    """Return the value of trading spare tokens for missing ones."""
    lacking = sum(max(0, n - have) for n, have in zip(o.need, o.stock, strict=True))
    spare = sum(max(0, have - n) for n, have in zip(o.need, o.stock, strict=True))
    return min(lacking, spare) * (NEEDED - SPARE) + (0.3 if lacking > spare else 0.0)


def _yield(o: Valuation, e: Effect) -> float:
    n = harvest(o.s, o.seat, e.places[0])
    return o.gained(e.kind, n) if e.kind >= 0 else o.hiring(n, 0, free=False)


def _end_vp(o: Valuation, e: Effect) -> float:
    value = scoring.metric(o.s, o.seat, e.metric) + (0.5 * o.rounds if e.per == 1 else o.rounds)
    return value / e.per * e.vp


def _choose(o: Valuation, e: Effect) -> float:
    return max(o.action(option) for option in e.options)


_EFFECTS: Final[dict[int, Callable[[Valuation, Effect], float]]] = {
    c.VP: lambda o, e: float(e.n),
    c.GAIN: _gain,
    c.LOSE: _lose,
    c.DRAW_OMEN: lambda o, e: 0.0 if o.last else e.n * OMEN - o.too_much("omen_cards", e.n),
    c.PLAY_OMEN: _play_omen,
    c.DRAW_VENGEANCE: lambda o, e: e.n * VENGEANCE - o.too_much("vengeance_cards", e.n),
    c.RETURN_VENGEANCE: _vengeance_away,
    c.GIFT_VENGEANCE: lambda o, e: _vengeance_away(o, e) + 2.0 * e.n,
    c.DRAW_SECRET_PACT: lambda o, e: e.n * SECRET_PACT,
    c.HIRE: lambda o, e: o.hiring(e.n, e.discount, e.free),
    c.ACCEPT_PACT: _accept,
    c.GIFT_PACT: _gift_pact,
    c.DISCARD_PACT: _discard_pact,
    c.RENEW_PACTS: lambda o, e: 0.2,
    c.FULFIL_PACT: _fulfil,
    c.UPGRADE: lambda o, e: o.building(e),
    c.REPLACE_UPGRADE: lambda o, e: 1.0 + 0.8 * o.rounds,
    c.REMOVE_UPGRADE: _remove_upgrade,
    c.CLIMB: lambda o, e: o.climbing(e.discount),
    c.CHASE: _chase,
    c.PLUNDER: plunder,
    c.RAID: _raid,
    c.TAKE_RESOURCES: _take_resources,
    c.TAKE_OMEN: lambda o, e: e.n * (OMEN + 0.4),
    c.RECALL_WORKER: lambda o, e: 2.5 * e.n if not o.last else 0.0,
    c.CLAIM_START: lambda o, e: 0.0 if o.last else 0.5,
    c.TRADE: trade,
    c.RAISE_MULTIPLIER: lambda o, e: 1.0 * sum(len(o.s.fulfilled[other]) for other in others(o.s, o.seat)) / 4,
    c.CHOOSE: _choose,
    c.EMPTY_MAW: lambda o, e: 0.0,
    c.YIELD: _yield,
    c.MODIFIER: lambda o, e: 0.0,
    c.END_VP: _end_vp,
    c.FLAG: lambda o, e: 0.6 * hired(o.s, o.seat),
    c.REPEAT_ACTION: lambda o, e: 0.0,
    c.OCCUPIED_FIELD: lambda o, e: 0.0,
    c.BURN_OMENS: lambda o, e: min(len(o.hand), e.n) * (e.vp - (0.0 if o.last else OMEN)),
}
