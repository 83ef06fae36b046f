"""What a position of Atlandice is worth, for the bots: who will have the most of each kind when it is scored next.

Whether a kind is next scored with its district or in the end, the points are the same; what differs is how much can
still change until then: little if few resources are left in the district, or little time.
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
TUNING: Final = {"net_cut": 6}  # in the middle of a turn a net is as unsure as `estimate`

_SHARE: Final = 0.17  # of all dice to come, those that take from one area
_STOP: Final = 0.5  # how likely the hand stops on a space ahead
_REACH: Final = 9  # spaces ahead that matter
_LATER: Final = 0.88  # what an inventory is worth for each space further ahead
_MOVE: Final = 0.1  # points that rearranging the table is worth
_CHAIN: Final = 0.7  # points that searching some other area is worth


@cache
def _ahead(margin: int, tenths: int) -> float:
    """The chance of being level or ahead in the end with this margin now, when so many tenths of takes are to come."""
    return 1.0 / (1.0 + exp(-1.7 * (margin + 0.5) / (0.25 + 0.55 * sqrt(tenths / 10))))


def _best_others(counts: Sequence[int], holder: int) -> tuple[int, int]:
    """The highest and the second highest number of the others."""
    others = sorted((count for other, count in enumerate(counts) if other != holder), reverse=True)
    return others[0], others[1] if len(others) > 1 else 0


class _MajorityForecast:
    """What each holder can expect from every kind, and what a change of the table would change in it."""

    def __init__(self, s: AtlandiceState) -> None:
        box = s.components
        self.s: AtlandiceState = s
        self.counts: list[list[int]] = [scoring.held(s, kind) for kind in range(KINDS)]
        self.left: list[int] = [sum(stock) for stock in s.stock]
        picks = s.seats * box.allotment[s.seats].picks
        rounds = (len(box.spaces) - 1 - s.clock) / 2
        self.to_come: float = _SHARE * (rounds * picks + max(0, picks - s.turn))
        self.inventories: list[float] = [0.0] * (KINDS + 1)
        for ahead, space in enumerate(box.spaces[s.clock + 1 : s.clock + 1 + _REACH]):
            if 0 <= space < DONATION:
                self.inventories[space] += box.inventory * _STOP * _LATER**ahead
        self.kinds: list[list[float]] = [self.worth(kind, self.counts[kind], self.left[kind]) for kind in range(KINDS)]
        self.all: list[float] = self.worth_of_all(self.totals())

    def worth(self, kind: int, counts: Sequence[int], left: int) -> list[float]:
        """Per holder the points to be expected of a kind, when so many resources are left in its district."""
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
        """Per holder the points to be expected of inventories of everything."""
        weight = self.inventories[INVENTORY_ALL]
        return [weight * _ahead(count - _best_others(totals, holder)[0], 60) for holder, count in enumerate(totals)]

    def totals(self) -> list[int]:
        """Per holder all resources."""
        return [sum(column) for column in zip(*self.counts, strict=True)]

    def lead(self, worth: Sequence[float], seat: int) -> float:
        """How far a seat is ahead of the mean of the other seats."""
        seats = self.s.seats
        return worth[seat] - (sum(worth[:seats]) - worth[seat]) / (seats - 1)

    def change(self, seat: int, holder: int, gains: Sequence[int], areas: Sequence[tuple[int, int]]) -> float:
        """What a seat's lead gains if a holder gets so many of each kind, and areas so many resources."""
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
    """What a seat thinks of its options."""

    def __init__(self, s: AtlandiceState, seat: int) -> None:
        self.s: AtlandiceState = s
        self.seat: int = seat
        self.outlook: _MajorityForecast = _MajorityForecast(s)
        self.ends: bool = s.turn == s.seats * s.components.allotment[s.seats].picks - 1

    def take(self, area: int, kind: int, holder: int) -> float:
        """What it's worth that a holder gets a resource from an area."""
        return self.outlook.change(self.seat, holder, _ONE[kind], ((area, -1),))

    def takes(self, area: int, holder: int) -> list[float]:
        """What each single resource of an area is worth, the best first."""
        found = []
        for kind, number in enumerate(self.s.stock[area]):
            if number:
                found += [self.take(area, kind, holder)] * min(number, 2)
        return sorted(found, reverse=True)

    def search(self, area: int, holder: int) -> float:
        """What searching an area is worth: the best resource, one more by the submarine, effect, and the clock."""
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
        """What an extra resource is worth: a player may decline it."""
        return max(0.0, worth) if holder < self.s.seats else worth

    def effect(self, step: effects.Step, area: int, holder: int) -> float:
        """Roughly what a step of an effect is worth when an area is searched for a holder."""
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
        """What it's worth that the last die stays where it will if this area's die is taken."""
        for other in range(DISTRICTS + 1):
            if self.s.dice_at(other) > (other == area):
                return self.clock(other)
        return 0.0

    def clock(self, area: int) -> float:
        """What it's worth that the last die lies beside an area: an inventory, or the end of the game."""
        s = self.s
        end = len(s.components.spaces) - 1
        stop = min(s.clock + s.hands(area), end)
        if stop == end:
            expected = self.outlook.lead(expected_scores(s), self.seat)
            return self.outlook.lead([float(score) for score in scoring.scores(s)], self.seat) - expected
        space = s.components.spaces[stop]
        if not 0 <= space < DONATION:
            return 0.0
        points = [0.0] * len(s.holds)
        for winner in scoring.most(scoring.held_for_space(s, space)):
            points[winner] = float(s.components.inventory)
        return self.outlook.lead(points, self.seat)

    def of_search(self, choice: int) -> float:
        """A die for oneself."""
        return self.search(SEARCH.part(choice), self.seat)

    def of_search_neutral(self, choice: int) -> float:
        """A die for the neutral player."""
        return self.search(SEARCH_NEUTRAL.part(choice), self.s.seats)

    def of_take(self, choice: int) -> float:
        """A resource, or the submarine's."""
        kind = TAKE.part(choice) if choice in TAKE else TAKE_EXTRA.part(choice)
        return self.take(self.s.here, kind, self.s.recipient)

    def of_gain(self, choice: int) -> float:
        """A resource by an effect."""
        area, kind = GAIN.parts(choice)
        return self.take(area, kind, self.s.recipient)

    def of_decline(self, choice: int) -> float:
        """Nothing changes."""
        return 0.0

    def of_move(self, choice: int) -> float:
        """One fewer here, one more there; `here` or the black market is where it comes from."""
        to = MOVE.parts(choice)[1]
        source = self.s.here if to == BLACK_MARKET else BLACK_MARKET
        return self.outlook.change(self.seat, self.seat, _NONE, ((source, -1), (to, 1)))

    def of_swap(self, choice: int) -> float:
        """A kind is easier to get where many dice lie, and the next player comes first."""
        kind, area, other = SWAP.parts(choice)
        following = (self.seat + 1) % self.s.seats
        worse = self.outlook.change(self.seat, following, _ONE[kind], ())
        worse -= self.outlook.change(self.seat, following, _ONE[other], ())
        return _MOVE * worse * (self.s.dice_at(area) - self.s.dice_at(self.s.here))

    def of_set_die(self, choice: int) -> float:
        """The last die decides how far the hand moves; others are left as they are."""
        area, face = SET_DIE.parts(choice)
        target = self.s.area_of(face)
        return self.clock(target) if self.ends else -_MOVE * (target != area)

    def of_move_submarine(self, choice: int) -> float:
        """The others come first: where dice lie, the extra resource is theirs."""
        return -_MOVE * self.s.dice_at(MOVE_SUBMARINE.part(choice))

    def of_donate(self, choice: int) -> float:
        """Points now for majorities later."""
        kind, amount = DONATE.parts(choice)
        box = self.s.components
        gains = [-amount * each for each in _ONE[kind]]
        worth = self.outlook.change(self.seat, self.seat, gains, ((kind, amount),))
        return worth + amount * float(box.donation_points) / float(box.donation_cost)


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
"""Per kind of choice what judges it."""


def expected_scores(s: AtlandiceState) -> list[float]:
    """The expected points of each seat: those it has, and those of the next scoring of every kind."""
    if s.over:
        return [float(score) for score in scoring.scores(s)[: s.seats]]
    outlook = _MajorityForecast(s)
    return [
        sum((kind[seat] for kind in outlook.kinds), outlook.all[seat]) + scoring.points_so_far(s, seat)
        for seat in range(s.seats)
    ]


def choice_values(s: AtlandiceState, ask: Choose) -> list[float]:
    """Per option by how much it changes the seat's expected lead over the mean of the others."""
    mind = _ChoiceValuer(s, ask.seat)
    return [_OF[VOCABULARY.kind_of(choice).name](mind, choice) for choice in ask.choices]
