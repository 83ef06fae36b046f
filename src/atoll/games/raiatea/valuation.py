"""The values of Raiatea's resources, cards and effects for a seat, in points of the final score.

These are rough estimates, not rules. The constants were tuned by play. Nothing here changes the
state.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import exp
from typing import Final

from atoll.engine import Choose

from . import components as c
from . import kinds
from .components import Effect, RaiateaComponents
from .kinds import ASSISTANTS, COMMODITIES, FIRST_FOREST_MASK, FORBIDDEN, MIRROR_MASK
from .scoring import pair_points
from .state import AUCTIONS, DANCE, END_OF_FEAST, OFFERING, RaiateaState
from .tasks import candidates, need, payments

PEARL: Final = 0.24
MANA: Final = 0.2
SPENT: Final = 0.03
"""The value of a pearl or mana that can't pay for a task any more."""
GOOD: Final = 0.4
TATTOO: Final = 0.9
ASSISTANT: Final = 0.7
READY: Final = 0.25
SECOND_DRAW: Final = 0.7
"""The value of the second draw of a turn, relative to the first."""
RITUAL: Final = 0.35
MASK: Final = 0.45
COLOUR: Final = 0.4
FAVOUR: Final = 0.3
"""The value of being ahead of one more player in favor."""
GREED: Final = 0.5
"""The weight of the others' gains relative to the own gain, shared among them."""
BUILD_FIRST: Final = 0.5
"""The value of completing a task now instead of later, when it may be gone."""
PRIEST_TASKS: Final = 9
SHARE_BID: Final = 0.45
"""The share of their mana that the others are expected to bid."""


class Valuation:
    """The values of things for one seat in one state.

    Attributes:
        s: The state.
        seat: The seat.
        ask: The decision; None outside of one.
        components: The components.
        in_feast: Whether a feast is being celebrated.
        feasts: Number of feasts with a building act still to come.
        rounds: Number of action rounds left, including a fraction of the current one.
        ending: Whether nothing but the end of the game is left.
        last_build: Whether the last building act is still to come or under way.
    """

    def __init__(self, s: RaiateaState, seat: int, ask: Choose | None = None) -> None:
        self.s: RaiateaState = s
        self.seat: int = seat
        self.ask: Choose | None = ask
        self.components: RaiateaComponents = s.components
        track = self.components.track[s.seats]
        place = track.index(s.field)
        ahead = [self.components.fields[each].feast for each in track[place:]]
        self.in_feast: bool = ahead[0] > 0
        self.feasts: int = sum(feast > 0 for feast in ahead)
        if self.in_feast and s.phase >= AUCTIONS:
            self.feasts -= 1
        self.rounds: float = sum(not feast for feast in ahead) - s.turn / s.seats
        self.ending: bool = self.feasts == 0 and self.rounds <= 0
        self.last_build: bool = self.ending and s.phase < END_OF_FEAST

    # -- resources ---------------------------------------------------------------------------------

    @property
    def pearl(self) -> float:
        """The value of one pearl; many of them are hard to spend."""
        return SPENT if self.ending else PEARL * min(1.0, 14.0 / max(1, self.s.pearls[self.seat]))

    @property
    def mana(self) -> float:
        """The value of one mana; many of them are hard to spend."""
        return SPENT if self.ending else MANA * min(1.0, 14.0 / max(1, self.s.mana[self.seat]))

    def good(self, commodity: int) -> float:
        """Return the value of a commodity: expensive ones sell better.

        At the very end it is low.
        """
        if self.ending:
            return SPENT
        held = self.s.goods_count(self.seat)
        return (GOOD + 0.05 * self.s.prices[commodity]) * min(1.0, 5.0 / max(1, held))

    def tattoo(self, n: int) -> float:
        """Return the value of the next n tattoos: points and abilities of ranks, and tasks."""
        s, seat, components = self.s, self.seat, self.components
        total = 0.0
        for step in range(n):
            now = s.tattoos[seat] + step
            if now >= components.max_tattoos:
                break
            rank = components.rank_at[now]
            gap = components.rank_tattoos[rank + 1] - components.rank_tattoos[rank]
            reachable = 1.0 if components.rank_tattoos[rank + 1] <= s.tattoos[seat] + n else self.time()
            total += (components.rank_vp[rank + 1] - components.rank_vp[rank] + 0.6) / gap * reachable
        return total

    def time(self) -> float:
        """Return the time left, from 1 at the start to 0 at the end."""
        return min(1.0, 0.25 * (self.rounds + self.feasts))

    def priest(self, n: int) -> float:
        """Return the value of n more priests: mana of feasts and paths, and conditions of tasks."""
        s, seat = self.s, self.seat
        n = min(n, self.components.max_priests - s.priests[seat])
        incomes = self.feasts - (1 if self.in_feast and s.phase > DANCE else 0) + 0.5 * self.rounds
        conditions = sum(0.3 for each in range(n) if s.priests[seat] + each < PRIEST_TASKS)
        return n * max(0.0, incomes) * MANA + conditions * (1.0 if self.feasts or self.last_build else 0.0)

    def priest_income(self) -> float:
        """Return the value of the mana that the priests will still bring, and of met conditions."""
        s, seat = self.s, self.seat
        incomes = self.feasts - (1 if self.in_feast and s.phase > DANCE else 0) + 0.5 * self.rounds
        return s.priests[seat] * max(0.0, incomes) * MANA + 0.3 * min(s.priests[seat], PRIEST_TASKS)

    def assistant(self, kind: int) -> float:
        """Return the value of one more assistant of a type: rolls, sending, conditions, masks."""
        s, seat = self.s, self.seat
        own = s.assistants(seat, kind)
        value = (ASSISTANT + 0.1 * min(own, 3)) * (0.4 + 0.6 * self.time())
        return value + sum(self._pair_share(god, c.PER_ASSISTANT, kind) for god in self.gods())

    def ready(self, kind: int) -> float:
        """Return the value of an assistant that is ready instead of exhausted."""
        return 0.0 if self.ending else READY + (0.15 if kind in (kinds.SHAMAN_CARD, kinds.PEARL_DIVER) else 0.0)

    # -- masks and tasks ---------------------------------------------------------------------------

    def gods(self) -> list[int]:
        """Return the gods of the seat's pairs."""
        return self.s.pairs[self.seat] + self.s.mirrored[self.seat]

    def _pair_share(self, god: int, family: int, counted: int) -> float:
        """Return the points that one more of the counted thing adds to a pair."""
        components = self.components
        return (
            float(components.god_vp[god])
            if components.god_family[god] == family and components.god_counts[god] == counted
            else 0.0
        )

    def pair(self, god: int) -> float:
        """Return the approximate points of a pair of this god."""
        s, seat = self.s, self.seat
        points = float(pair_points(s, seat, god))
        if self.components.god_family[god] == c.PER_COLOUR:
            points += self.components.god_vp[god] * (self.components.god_colour[god] not in self._colours())
            return min(float(self.components.god_max[god]), points + self.time())
        return points + 1.2 * self.time()

    def _colours(self) -> set[int]:
        return {self.components.god_colour[god] for god in self.gods()}

    def mask(self, god: int) -> float:
        """Return the value of one more unpaired mask: a pair with its twin, or the hope for one."""
        masks = self.s.masks[self.seat]
        if god == MIRROR_MASK:
            best = max((self.pair(each) for each in masks if each != MIRROR_MASK), default=1.0)
            return max(best, 0.8) * (0.9 if not self.ending else 1.0)
        if god in masks:
            return self.pair(god) + COLOUR
        hope = MASK * self.time()
        return hope + (0.6 if MIRROR_MASK in masks else 0.0)

    def task(self, task: int) -> float:
        """Return the points of a task, including those of masks."""
        components = self.components
        category = components.task_category[task]
        return components.task_vp[task] + sum((self._pair_share(god, c.PER_TASK, category) for god in self.gods()), 0.0)

    def cost(self, task: int) -> float:
        """Return the value of the cost of a resource task."""
        s, seat, components = self.s, self.seat, self.components
        if components.task_kind[task] != c.RESOURCE:
            return 0.0
        category = components.task_category[task]
        if category == c.COMMODITY_COST:
            goods = s.goods_of(seat)
            prices = [self.good(commodity) for commodity in range(COMMODITIES)]
            affordable = [
                sum(n * price for n, price in zip(each, prices, strict=True))
                for each in payments(s, seat, task)
                if all(n <= have for n, have in zip(each, goods, strict=True))
            ]
            return min(affordable, default=2.0)
        n = need(s, seat, task)
        if category == c.PEARL_COST:
            return n * self.pearl
        if category == c.MANA_COST:
            return n * self.mana
        if category == c.RITUAL_COST:
            # The value isn't computed card by card, because an effect may be to complete a task
            # again.
            return n * (RITUAL if self.feasts else 0.02)
        return sum(sorted(self.mask(god) for god in s.masks[seat])[:n])

    def build(self, space: int, free: bool = False) -> float:
        """Return the value of completing the task of a space now."""
        task = self.s.tiles[space]
        return self.task(task) - (0.0 if free else self.cost(task)) + BUILD_FIRST

    def best_task(self, free: bool = False) -> float:
        """Return the value of the best task that the seat could complete now."""
        found = candidates(self.s, self.seat, free=free)
        return max((self.build(space, free) for space in found), default=0.0)

    # -- effects and rituals -----------------------------------------------------------------------

    def effects(self, effects: Sequence[Effect]) -> float:
        """Return the value of a list of effects."""
        return sum(self.effect(effect) for effect in effects)

    def effect(self, effect: Effect) -> float:
        """Return the value of one effect; relative to the others if it concerns all."""
        value = _EFFECTS[effect.verb](self, effect)
        return value * (1.0 - GREED) if effect.who == c.ALL else value

    def ritual(self, card: int) -> float:
        """Return the value of executing a ritual."""
        components = self.components
        value = self.effects(components.ritual_effects[card]) + components.ritual_vp[card]
        for event, effects in components.ritual_triggers[card]:
            times = self.feasts + 0.5 * self.rounds if event == c.PRIEST_INCOME else 0.5 * self.rounds
            value += times * self.effects(effects)
        for modifier, amount in components.ritual_modifiers[card]:
            value += self.modifier(modifier) * amount
        return value

    def modifier(self, modifier: int) -> float:
        """Return the value of a passive modifier of 1 for the rest of the game."""
        if modifier >= c.DISCOUNT:
            each = 0.5 if modifier == c.DISCOUNT + c.COMMODITY_COST else 0.2
            return each * (self.feasts + (1.0 if self.last_build or self.s.phase < AUCTIONS else 0.0)) + 0.1
        if modifier == c.BID_BONUS:
            return 0.25 * self.feasts
        if modifier == c.NEIGHBOURHOOD_TASK:
            return 0.8 * self.rounds
        if modifier == c.EXTRA_GIFT:
            return 0.9 * max(0, self.feasts - 1)
        return 0.4 * self.time() + 0.15 * self.rounds

    def in_hand(self, card: int) -> float:
        """Return the value of a ritual in the hand, which may still be executed."""
        chances = self.feasts - (1 if self.in_feast and self.s.phase > OFFERING else 0)
        if chances <= 0:
            return 0.02
        return 0.05 + 0.6 * max(0.0, self.ritual(card)) * (1.0 if self.components.ritual_cost[card] <= 8 else 0.8)

    def deck(self, deck: int) -> float:
        """Return the value of drawing by rank from a deck and keeping one card."""
        cards = self.feasts - (1 if self.in_feast and self.s.phase > OFFERING else 0)
        if cards <= 0:
            return 0.02
        better = 0.06 * self.components.rank_draw[self.s.rank(self.seat)]
        full = len(self.s.hands[self.seat]) / 6.0
        return max(0.05, (RITUAL + better + (0.3 if deck == FORBIDDEN else 0.0)) * (1.2 - full))

    def best_deck(self) -> float:
        """Return the value of the better deck of those that the rank allows."""
        return max(self.deck(deck) for deck in self.components.rank_decks[self.s.rank(self.seat)])

    def succeeds(self, card: int, extra: int = 0) -> float:
        """Return the chance that a ritual of the bag finds enough mana.

        `extra` is mana in addition to the expected amount.
        """
        s, components = self.s, self.components
        cost = components.ritual_cost[card]
        expected = s.bag_mana + extra + SHARE_BID * sum(s.mana)
        if s.phase >= OFFERING:
            expected -= SHARE_BID * s.mana[self.seat]
        before = 2.0 * (s.seats - 1) * 5.0 * min(1.0, cost / 9.0) ** 2
        before += sum(components.ritual_cost[each] for each in s.bag[self.seat] if components.ritual_cost[each] < cost)
        return 1.0 / (1.0 + exp((before + cost - expected) / 5.0))

    # -- locations ---------------------------------------------------------------------------------

    def forest_card(self, card: int) -> float:
        """Return the value of taking a forest card."""
        if card < COMMODITIES:
            return self.good(card)
        if card < FIRST_FOREST_MASK:
            return self.assistant(card - COMMODITIES)
        god, treasure = self.components.mask_cards[card - FIRST_FOREST_MASK]
        return self.mask(god) + self.effects(treasure)

    def sale(self, commodity: int) -> float:
        """Return the value of the best bonus of a sale, minus that of the commodity."""
        levels = self.components.prices[commodity][: self.s.prices[commodity]]
        return max(self.effects(effects) for effects in levels) - self.good(commodity)

    def sale_at_top(self, commodity: int) -> float:
        """Return the value of a sale after a trader has raised the price to the top."""
        return max(self.effects(effects) for effects in self.components.prices[commodity]) - self.good(commodity)

    def sacrifices(self, goods: Sequence[int], kahuna: bool) -> float:
        """Return the value of the best number of sacrifices at the Marae, with the Kahuna's draw.

        Ruling R12.
        """
        s, seat = self.s, self.seat
        cheapest = min((self.good(each) for each in goods), default=0.0)
        second = SECOND_DRAW * self.best_deck()
        if s.tattoos[seat] == self.components.max_tattoos:
            return max(0.0, second - cheapest) if goods and kahuna else 0.0
        most = min(2 if kahuna else 1, s.goods_count(seat)) if goods else 0
        worth = [self.tattoo(n) + (second if n == 2 else 0.0) - n * cheapest for n in range(1, most + 1)]
        return max([0.0, *worth])

    def location(self, location: int, kahuna: bool) -> float:
        """Return the value of a location for the seat."""
        s, seat, components = self.s, self.seat, self.components
        value = 0.0
        roll = components.bonus_roll[location]
        if roll >= 0 and s.assistants(seat, roll):
            chance = min(1.0, s.counts_for_roll(seat, roll) / len(components.die))
            value += chance * self.effect(components.rewards[roll])
        goods = s.goods_held(seat)
        if location == kinds.FOREST:
            cards = sorted((self.forest_card(card) for card in s.display), reverse=True)
            if cards:
                value += (cards[0] if kahuna else sum(cards) / len(cards)) + 0.75 + (0.35 if kahuna else 0.0)
        elif location == kinds.MARAE:
            value += self.best_deck() + self.sacrifices(goods, kahuna)
        elif location == kinds.REEF:
            value += self.pearl * (2.5 + (components.kahuna_pearls if kahuna else 0))
        elif location == kinds.PATH:
            extra = 1 if kahuna else 0
            value += self.mana * (s.priests[seat] + extra) + self.priest(extra) + self.best_training()
        elif location == kinds.NEIGHBOURHOOD:
            if kahuna:
                value += max(0.0, self.best_task())
            if s.masks[seat]:
                worst = min(self.mask(god) for god in s.masks[seat])
                best = max((self.mask(god) for god in s.mask_market), default=0.0)
                value += 0.8 * max(0.0, best - worst)
        else:
            sales = sorted((max(0.0, self.sale(each)) for each in goods), reverse=True)
            times = (2 if kahuna else 1) + s.bonus[seat][c.EXTRA_SALE]
            trader = s.ready[seat][kinds.TRADER]
            if goods and trader:  # The trader is sent to the best price.
                dearer = [self.sale_at_top(each) - max(0.0, self.sale(each)) for each in goods]
                value += max(0.0, max(dearer) - READY)
            value += sum(sales[:times])
            if s.pearls[seat] >= components.hire_cost:
                for_hire = [each for each in range(ASSISTANTS) if s.assistant_market[each]]
                best = max((self.assistant(each) for each in for_hire), default=0.0)
                value += max(0.0, best - components.hire_cost * self.pearl) * (1.7 if kahuna else 1.0)
        return value

    def training(self, n: int) -> float:
        """Return the value of training n priests if mana for priests follows at once."""
        return self.priest(n) + n * self.mana - self.components.train_cost[n] * self.pearl

    def best_training(self) -> float:
        """Return the value of the best training that the seat can pay for."""
        s, seat = self.s, self.seat
        room = self.components.max_priests - s.priests[seat]
        costs = self.components.train_cost
        return max(self.training(n) for n in range(len(costs)) if costs[n] <= s.pearls[seat] and n <= room)


def _best(values: Sequence[float], n: int) -> float:
    """Return the sum of the n best values."""
    return sum(sorted(values, reverse=True)[:n])


def _take_goods(o: Valuation, effect: Effect) -> float:
    values = [o.good(each) + 0.05 for each in range(COMMODITIES) for _ in range(o.s.goods_market[each])]
    return _best(values, effect.amount)


def _take_assistants(o: Valuation, effect: Effect) -> float:
    values = [o.assistant(each) for each in range(ASSISTANTS) for _ in range(o.s.assistant_market[each])]
    return _best(values, effect.amount)


def _ready(o: Valuation, effect: Effect) -> float:
    exhausted = o.s.exhausted[o.seat]
    values = [o.ready(each) for each in range(ASSISTANTS) for _ in range(exhausted[each])]
    return _best(values, len(values) if effect.amount == c.EVERY else effect.amount)


def _source(o: Valuation, effect: Effect) -> float:
    """Return the value of more mana for all rituals, including own ones."""
    return 0.25 + 0.35 * len(o.s.bag[o.seat]) + 0.02 * effect.amount


def _execute(o: Valuation, effect: Effect) -> float:
    """Return the value of executing another card of the hand.

    Cards that would lead to further ones are ignored, so that the recursion ends.
    """
    components = o.components
    simple = [
        card
        for card in o.s.hands[o.seat]
        if not any(each.verb == c.EXECUTE_RITUAL for each in components.ritual_effects[card])
    ]
    return max((0.6 * o.ritual(card) for card in simple), default=0.0)


def _harm(points: float) -> Callable[[Valuation, Effect], float]:
    """Return a valuation of harming others, with the given points per amount."""

    def harm(o: Valuation, effect: Effect) -> float:
        """Return the points for each unit of the effect."""
        return points * effect.amount

    return harm


_EFFECTS: Final[dict[int, Callable[[Valuation, Effect], float]]] = {
    c.GAIN_PEARLS: lambda o, e: e.amount * o.pearl,
    c.GAIN_MANA: lambda o, e: e.amount * o.mana,
    c.GAIN_TATTOO: lambda o, e: o.tattoo(e.amount),
    c.GAIN_PRIEST: lambda o, e: o.priest(e.amount),
    c.PATH_ACTION: lambda o, e: o.s.priests[o.seat] * o.mana + o.best_training(),
    c.ADD_MANA_TO_SOURCE: _source,
    c.TAKE_COMMODITY: _take_goods,
    c.TAKE_ASSISTANT: _take_assistants,
    c.TAKE_MASK: lambda o, e: _best([o.mask(god) for god in o.s.mask_market], e.amount),
    c.DRAW_FOREST: lambda o, e: e.keep * (0.6 + 0.1 * e.look) * (0.2 if o.ending else 1.0),
    c.READY_ASSISTANTS: _ready,
    c.DRAW_RITUALS: lambda o, e: o.best_deck() * (0.4 + 0.6 * e.keep),
    c.EXECUTE_RITUAL: _execute,
    c.COMPLETE_TASK: lambda o, e: max(0.0, o.best_task(e.free)),
    c.RAISE_PRICES: lambda o, e: 0.15 * o.s.goods_count(o.seat),
    c.FAVOUR_FIRST: lambda o, e: FAVOUR * o.s.favour.index(o.seat),
    c.UNLOCK_STATUE: lambda o, e: 0.1 + 0.01 * (o.s.pearls[o.seat] + o.s.mana[o.seat]),
    c.STEAL_PEARLS: lambda o, e: e.amount * (o.pearl + 0.05) * (o.s.seats - 1 if e.who == c.EACH_OTHER else 1),
    c.STEAL_MANA: lambda o, e: e.amount * (o.mana + 0.05) * (o.s.seats - 1 if e.who == c.EACH_OTHER else 1),
    c.STEAL_GOODS: lambda o, e: e.commodities * (GOOD + 0.1) + e.pearls * (o.pearl + 0.05),
    c.STEAL_MASK: _harm(0.9),
    c.STEAL_ASSISTANT: _harm(0.75),
    c.LOSE_PRIEST: _harm(0.2),
    c.EXHAUST_ASSISTANTS: _harm(0.1),
    c.CANCEL_RITUAL: lambda o, e: 0.4 * e.amount if o.s.row else 0.2 * e.amount,
}
