"""The evaluation of Atlandice positions for the bots.

It predicts who will have the most of each kind at its next scoring. Scoring with the district and
at the end gives the same points. They differ in how much can still change until then: little if
few resources are left in the district, or little time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from math import exp, sqrt
from typing import Final

from atoll.engine import Choose

from . import effects, scoring
from .components import DONATION, INVENTORY_ALL
from .kinds import (
    BLACK_MARKET,
    DISTRICTS,
    DONATE,
    GAIN,
    KINDS,
    MOVE,
    MOVE_SUBMARINE,
    SEARCH,
    SEARCH_NEUTRAL,
    SET_DIE,
    SWAP,
    TAKE,
    TAKE_EXTRA,
    VOCABULARY,
)
from .state import USED_UP, AtlandiceState
from .tile_effects import areas_of

SPREAD: Final = 3.0
TUNING: Final = {"net_cut": 6}  # in the middle of a turn a net is as uncertain as `expected_scores`

_SHARE: Final = 0.17  # share of all dice to come that take from one area
_STOP: Final = 0.5  # probability that the hand stops at a space ahead
_REACH: Final = 9  # spaces ahead that matter
_LATER: Final = 0.88  # discount of an inventory for each space further ahead
_MOVE: Final = 0.1  # worth in points of rearranging the table
_CHAIN: Final = 0.7  # worth in points of searching another area


@cache
def _ahead(margin: int, tenths: int) -> float:
    """Return the probability of being level or ahead at the scoring.

    Args:
        margin: The present lead, in resources.
        tenths: The expected number of resources still to be taken, in tenths.
    """
    return 1.0 / (1.0 + exp(-1.7 * (margin + 0.5) / (0.25 + 0.55 * sqrt(tenths / 10))))


def _best_others(counts: Sequence[int], holder: int) -> tuple[int, int]:
    """Return the highest and the second highest number of the other holders."""
    others = sorted((count for other, count in enumerate(counts) if other != holder), reverse=True)
    return others[0], others[1] if len(others) > 1 else 0


class _MajorityForecast:
    """The expected points of each holder from every kind, and the effect of changes on them.

    Attributes:
        s: The state.
        counts: Per kind and holder, the resources.
        left: Per area, the resources there.
        to_come: The expected number of resources still to be taken from one area.
        inventories: Per kind, and last for all kinds, the expected points of inventories.
        kinds: Per kind and holder, the expected points.
        all: Per holder, the expected points of inventories of all kinds.
    """

    def __init__(self, s: AtlandiceState) -> None:
        components = s.components
        self.s: AtlandiceState = s
        self.counts: list[list[int]] = [scoring.held(s, kind) for kind in range(KINDS)]
        self.left: list[int] = [sum(stock) for stock in s.stock]
        picks = s.seats * components.allotment[s.seats].picks
        rounds = (len(components.spaces) - 1 - s.clock) / 2
        self.to_come: float = _SHARE * (rounds * picks + max(0, picks - s.turn))
        self.inventories: list[float] = [0.0] * (KINDS + 1)
        for ahead, space in enumerate(components.spaces[s.clock + 1 : s.clock + 1 + _REACH]):
            if 0 <= space < DONATION:
                self.inventories[space] += components.inventory * _STOP * _LATER**ahead
        self.kinds: list[list[float]] = [self.worth(kind, self.counts[kind], self.left[kind]) for kind in range(KINDS)]
        self.all: list[float] = self.worth_of_all(self.totals())

    def worth(self, kind: int, counts: Sequence[int], left: int) -> list[float]:
        """Return the expected points of a kind for each holder.

        Args:
            kind: The kind.
            counts: Per holder, the resources.
            left: The resources left in its district.
        """
        if self.s.open_tile[kind] == USED_UP:
            return [0.0] * len(counts)
        takes = min(float(left), self.to_come)
        tenths = int(takes * 10)
        inventory = self.inventories[kind] * min(1.0, takes / 4)
        first, second = self.s.components.first, self.s.components.second
        found = []
        for holder, count in enumerate(counts):
            if not count and takes < 1:
                found.append(0.0)
                continue
            best, next_best = _best_others(counts, holder)
            chance = _ahead(count - best, tenths)
            behind = (1.0 - chance) * _ahead(count - next_best, tenths)
            found.append(chance * (first + inventory) + behind * second)
        return found

    def worth_of_all(self, totals: Sequence[int]) -> list[float]:
        """Return the expected points of inventories of all kinds for each holder."""
        weight = self.inventories[INVENTORY_ALL]
        return [weight * _ahead(count - _best_others(totals, holder)[0], 60) for holder, count in enumerate(totals)]

    def totals(self) -> list[int]:
        """Return the number of resources of each holder."""
        return [sum(column) for column in zip(*self.counts, strict=True)]

    def lead(self, worth: Sequence[float], seat: int) -> float:
        """Return the lead of a seat over the mean of the other seats."""
        seats = self.s.seats
        return worth[seat] - (sum(worth[:seats]) - worth[seat]) / (seats - 1)

    def change(self, seat: int, holder: int, gains: Sequence[int], areas: Sequence[tuple[int, int]]) -> float:
        """Return the change of a seat's lead by a change of the table.

        Args:
            seat: The seat.
            holder: The holder that gains resources.
            gains: The number of resources gained, by kind.
            areas: The changed areas, each with the number of resources added.
        """
        left = self.left[:]
        for area, number in areas:
            left[area] += number
        found = 0.0
        for kind in range(KINDS):
            if gains[kind] or left[kind] != self.left[kind]:
                counts = self.counts[kind][:]
                counts[holder] += gains[kind]
                found += self.lead(self.worth(kind, counts, left[kind]), seat)
                found -= self.lead(self.kinds[kind], seat)
        if any(gains):
            totals = self.totals()
            totals[holder] += sum(gains)
            found += self.lead(self.worth_of_all(totals), seat) - self.lead(self.all, seat)
        return found


_ONE: Final = tuple(tuple(int(kind == each) for each in range(KINDS)) for kind in range(KINDS))
_NONE: Final = (0,) * KINDS


class _ChoiceValuer:
    """The evaluation of the choices of a seat.

    Attributes:
        s: The state.
        seat: The seat.
        forecast: The forecast of the present state.
        ends: Whether the round ends with this turn.
    """

    def __init__(self, s: AtlandiceState, seat: int) -> None:
        self.s: AtlandiceState = s
        self.seat: int = seat
        self.forecast: _MajorityForecast = _MajorityForecast(s)
        self.ends: bool = s.turn == s.seats * s.components.allotment[s.seats].picks - 1

    def take(self, area: int, kind: int, holder: int) -> float:
        """Return the worth of a resource from an area for a holder.

        Args:
            area: The area.
            kind: The kind of the resource.
            holder: The holder that gets it.
        """
        return self.forecast.change(self.seat, holder, _ONE[kind], ((area, -1),))

    def takes(self, area: int, holder: int) -> list[float]:
        """Return the worth of each single resource of an area, the best first."""
        found = []
        for kind, number in enumerate(self.s.stock[area]):
            if number:
                found += [self.take(area, kind, holder)] * min(number, 2)
        return sorted(found, reverse=True)

    def search(self, area: int, holder: int) -> float:
        """Return the worth of searching an area: resources, effect and clock."""
        takes = self.takes(area, holder)
        found = takes[0] if takes else 0.0
        if self.s.submarine == area and len(takes) > 1:
            found += self.optional(takes[1], holder)
        if area != BLACK_MARKET:
            found += sum(
                (self.effect(step, area, holder) for step in self.s.components.effects[self.s.open_tile[area]]), 0.0
            )
        if self.ends:
            found += self.clock_after(area)
        return found

    def optional(self, worth: float, holder: int) -> float:
        """Return the worth of an extra resource. A player may decline it."""
        return max(0.0, worth) if holder < self.s.seats else worth

    def effect(self, step: effects.Step, area: int, holder: int) -> float:
        """Return the approximate worth of a step of an effect.

        Args:
            step: The step.
            area: The area that is searched.
            holder: The holder for whom it is searched.
        """
        if isinstance(step, effects.Roll):
            return len(step.on) / 6 * sum(self.effect(each, area, holder) for each in step.then)
        if isinstance(step, effects.IfSecondDie):
            second = self.s.taken[self.s.active] + self.s.handed[self.s.active] == 1
            return sum(self.effect(each, area, holder) for each in step.then) if second else 0.0
        if isinstance(step, effects.Gain):
            takes = [self.takes(each, holder) for each in areas_of(self.s, step.source, area)]
            best = [each[1:2] if step.source == "here" else each[:1] for each in takes]
            return max((self.optional(each[0], holder) for each in best if each), default=0.0)
        if isinstance(step, effects.SearchRolled):
            return _CHAIN
        return 0.0 if isinstance(step, effects.AdvanceClock) else _MOVE

    def clock_after(self, area: int) -> float:
        """Return the worth of the place of the last die if a die of this area is taken."""
        for other in range(DISTRICTS + 1):
            if self.s.dice_at(other) > (other == area):
                return self.clock(other)
        return 0.0

    def clock(self, area: int) -> float:
        """Return the worth of the last die at this area: an inventory, or the end of the game."""
        s = self.s
        end = len(s.components.spaces) - 1
        stop = min(s.clock + s.hands(area), end)
        if stop == end:
            expected = self.forecast.lead(expected_scores(s), self.seat)
            return self.forecast.lead([float(score) for score in scoring.scores(s)], self.seat) - expected
        space = s.components.spaces[stop]
        if not 0 <= space < DONATION:
            return 0.0
        points = [0.0] * len(s.holds)
        for winner in scoring.most(scoring.held_for_space(s, space)):
            points[winner] = float(s.components.inventory)
        return self.forecast.lead(points, self.seat)

    def of_search(self, choice: int) -> float:
        """Return the worth of a die for the seat itself."""
        return self.search(SEARCH.part(choice), self.seat)

    def of_search_neutral(self, choice: int) -> float:
        """Return the worth of a die for the neutral player."""
        return self.search(SEARCH_NEUTRAL.part(choice), self.s.seats)

    def of_take(self, choice: int) -> float:
        """Return the worth of a resource, or of the submarine's extra one."""
        kind = TAKE.part(choice) if choice in TAKE else TAKE_EXTRA.part(choice)
        return self.take(self.s.here, kind, self.s.recipient)

    def of_gain(self, choice: int) -> float:
        """Return the worth of a resource by an effect."""
        area, kind = GAIN.parts(choice)
        return self.take(area, kind, self.s.recipient)

    def of_decline(self, choice: int) -> float:
        """Return 0, because nothing changes."""
        return 0.0

    def of_move(self, choice: int) -> float:
        """Return the worth of one resource fewer at the source and one more at the target.

        The source is the searched area, or the black market.
        """
        to = MOVE.parts(choice)[1]
        source = self.s.here if to == BLACK_MARKET else BLACK_MARKET
        return self.forecast.change(self.seat, self.seat, _NONE, ((source, -1), (to, 1)))

    def of_swap(self, choice: int) -> float:
        """Return the worth of swapping two resources.

        A kind is easier to get in an area with many dice, and the next player can take it first.
        """
        kind, area, other = SWAP.parts(choice)
        following = (self.seat + 1) % self.s.seats
        worse = self.forecast.change(self.seat, following, _ONE[kind], ())
        worse -= self.forecast.change(self.seat, following, _ONE[other], ())
        return _MOVE * worse * (self.s.dice_at(area) - self.s.dice_at(self.s.here))

    def of_set_die(self, choice: int) -> float:
        """Return the worth of turning a die.

        The last die decides how far the hand moves. Other dice are better left as they are.
        """
        area, face = SET_DIE.parts(choice)
        target = self.s.area_of(face)
        return self.clock(target) if self.ends else -_MOVE * (target != area)

    def of_move_submarine(self, choice: int) -> float:
        """Return the worth of moving the submarine.

        The other players come first, so the extra resource is theirs in areas with dice.
        """
        return -_MOVE * self.s.dice_at(MOVE_SUBMARINE.part(choice))

    def of_donate(self, choice: int) -> float:
        """Return the worth of a donation: points now for majorities later."""
        kind, amount = DONATE.parts(choice)
        components = self.s.components
        gains = [-amount * each for each in _ONE[kind]]
        worth = self.forecast.change(self.seat, self.seat, gains, ((kind, amount),))
        return worth + amount * float(components.donation_points) / float(components.donation_cost)


_OF: Final[dict[str, Callable[[_ChoiceValuer, int], float]]] = {
    "search": _ChoiceValuer.of_search,
    "search_neutral": _ChoiceValuer.of_search_neutral,
    "take": _ChoiceValuer.of_take,
    "take_extra": _ChoiceValuer.of_take,
    "gain": _ChoiceValuer.of_gain,
    "decline": _ChoiceValuer.of_decline,
    "move": _ChoiceValuer.of_move,
    "swap": _ChoiceValuer.of_swap,
    "set_die": _ChoiceValuer.of_set_die,
    "move_submarine": _ChoiceValuer.of_move_submarine,
    "donate": _ChoiceValuer.of_donate,
}
"""Per kind of choice, the method that evaluates it."""


def expected_scores(s: AtlandiceState) -> list[float]:
    """Return the expected points of each seat: present points and the next scoring of each kind."""
    if s.over:
        return [float(score) for score in scoring.scores(s)[: s.seats]]
    forecast = _MajorityForecast(s)
    return [
        sum((kind[seat] for kind in forecast.kinds), forecast.all[seat]) + scoring.points_so_far(s, seat)
        for seat in range(s.seats)
    ]


def choice_values(s: AtlandiceState, ask: Choose) -> list[float]:
    """Return per choice the change of the seat's expected lead over the mean of the others."""
    mind = _ChoiceValuer(s, ask.seat)
    return [_OF[VOCABULARY.kind_of(choice).name](mind, choice) for choice in ask.choices]
