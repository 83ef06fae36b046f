"""The evaluation of Atua positions for the bots.

Open sources are valued as they stand, and as the cards to come may change them. All values are in
points of the final score. The constants were measured in games of the greedy bot against itself:
the growth of a source per card, and the share of gaps that are closed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import exp
from typing import Any, Final

from atoll.engine import Choose

from . import scoring
from .components import BEACH_CARD, COCONUT, COUNTED, SOURCES, STARS, TOTEM, TOTEMS, VILLAGE_STAR, VOLCANO
from .faces import CARD_UNITS, ROTATIONS, SLOT_UNITS
from .kinds import BUY_FATE, LEFT, SCORE, TAKE, TAKE_SIDE
from .lattice import position
from .scoring import ruler_points
from .state import NOT_SCORED, TURN, AtuaState
from .strips import Shore

SPREAD: Final = 9.0
TUNING: Final = {"cut": 0}  # random rollouts are useless: a card placed at random spoils an island

_COCONUTS: Final = SOURCES.index("coconuts")
_TOTEMS: Final = SOURCES.index("totems")
_VOLCANOES: Final = SOURCES.index("volcanoes")

_GROWTH: Final = (0.6, 0.6, 0.9, 0.2, 0.65, 0.6)  # points that a source gains with each card to come
_CLOSING: Final = 0.72  # share of surplus consumers that remain surplus after another card
_FILLING: Final = 0.85  # share of spare resources that remain unused after another card
_TOTEM_PACE: Final = 0.25  # totems per card
_COIN: Final = 0.45  # worth of a coconut once its source is scored: it buys cards, fates and the bonus
_LAST: Final = CARD_UNITS - SLOT_UNITS


def expected_scores(s: AtuaState) -> list[float]:
    """Return the expected final score of each seat; in the solo game, the lead over Tahuma."""
    if len(s.islands) < s.seats:
        return [0.0] * s.seats
    counts, lengths = _compared(s)
    found = [_Forecast(s, seat, counts, lengths).expected() for seat in range(s.seats)]
    if s.solo:
        found[0] -= _tahuma(s, s.tahuma_pile[0], s.hut)
    return found


def choice_values(s: AtuaState, ask: Choose) -> list[float]:
    """Return per choice the points that the asked seat can expect after it.

    Only differences between choices are meaningful.
    """
    forecast = _Forecast(s, ask.seat, *_compared(s), in_turn=s.phase == TURN)
    values: list[float] = _WEIGH[ask.prompt](s, forecast, ask)
    return values


def _compared(s: AtuaState) -> tuple[list[list[int]], list[int]]:
    """Return per seat its counts of each thing in COUNTED, and per seat its longest beach."""
    return [scoring.counts_of(s, seat) for seat in range(s.seats)], [island.longest_beach() for island in s.islands]


class _Forecast:
    """The possessions of a seat, its open sources, and the best of the other seats.

    Attributes:
        s: The state.
        seat: The seat.
        to_come: Cards that the seat will still get after the current turn.
        open: Per source, whether it isn't scored yet.
        counts: The seat's counts of each thing in COUNTED; see `scoring.counts_of`.
        volcanoes: Points of the seat's volcanoes.
        others: Per thing in COUNTED, the highest count of another seat.
        longest: The longest beach of another seat.
        beach: The seat's longest beach.
        closed: Probability that the cards to come close a gap of one between consumers and
            resources.
        filled: Probability that they make use of a spare resource.
    """

    def __init__(
        self, s: AtuaState, seat: int, counts: Sequence[list[int]], lengths: Sequence[int], *, in_turn: bool = False
    ) -> None:
        self.s: AtuaState = s
        self.seat: int = seat
        rounds, turns = divmod(s.turn, s.seats)
        taken = rounds + ((seat - s.start_player) % s.seats < turns) + in_turn
        self.to_come: int = (s.components.solo_turns if s.solo else s.components.rounds) - taken
        self.open: list[bool] = [points == NOT_SCORED for points in s.sheet[seat]]
        self.counts: list[int] = counts[seat]
        self.volcanoes: int = sum(self._volcano(d2) for d2 in s.islands[seat].volcano_distances())
        rest = [each for other, each in enumerate(counts) if other != seat]
        self.others: list[int] = [max(each) for each in zip(*rest, strict=True)] if rest else [0] * len(COUNTED)
        if s.solo:
            others = [sum([s.components.cards[card].beach for card in s.tahuma_pile[0]])]
        else:
            others = [each for other, each in enumerate(lengths) if other != seat]
        self.longest: int = max(others)
        self.beach: int = lengths[seat]
        self.closed: float = 1.0 - _CLOSING**self.to_come
        self.filled: float = 1.0 - _FILLING**self.to_come

    def _volcano(self, d2: int) -> int:
        return ruler_points(self.s.components.ruler, d2, open_end=self.s.open_end)

    def expected(self) -> float:
        """Return the expected final score: scored and open sources, tiles and bonuses."""
        scored = sum(points for points in self.s.sheet[self.seat] if points != NOT_SCORED)
        growth = sum(each for each, is_open in zip(_GROWTH, self.open, strict=True) if is_open) * self.to_come
        total = scored + growth + self.s.resident_points[self.seat] + self.things(self.counts)
        total += self.volcano_points(self.volcanoes) + self.shore(self.beach, self.counts[BEACH_CARD])
        return total + self.coconuts(self.counts[COCONUT])

    def things(self, counts: Sequence[int]) -> float:
        """Return the worth of symbols in the open sources and for the seat's fates."""
        total = sum(self.source(source, counts) for source in (0, 1, 2, _TOTEMS) if self.open[source])
        for fate in self.s.fates[self.seat]:
            if BEACH_CARD not in self.s.components.fates[fate].categories:
                total += self.fate(fate, counts)
        return total

    def source(self, source: int, counts: Sequence[int]) -> float:
        """Return the worth of a source of symbols at the end, without its average growth."""
        components = self.s.components
        if source == _TOTEMS:
            return self._totems(counts)
        pair = components.pairs[source]
        consumers, resources = counts[pair.consumer], counts[pair.resource]
        each = pair.points_per_pair
        if consumers > resources:
            return float(each * (consumers + resources) / 2 * self.closed ** (consumers - resources))
        worth = float(consumers)
        chance = 1.0
        for _ in range(resources - consumers):
            chance *= self.filled
            worth += chance
        return each * worth

    def _totems(self, counts: Sequence[int]) -> float:
        table = self.s.components.totem_table
        if self.s.solo:
            return _between(table, counts[TOTEM] + _TOTEM_PACE * self.to_come)
        single = sum(counts[totem] == 1 for totem in TOTEMS)
        return _between(table, single + _TOTEM_PACE * self.to_come * (len(TOTEMS) - single) / len(TOTEMS))

    def volcano_points(self, points: int) -> float:
        """Return the worth of volcanoes with these points: 0 if their source is scored."""
        return points if self.open[_VOLCANOES] else 0.0

    def shore(self, longest: int, cards: int) -> float:
        """Return the worth of the longest beach and the beach cards for bonus and fates."""
        total = self.s.components.beach_bonus * self.most(longest, self.longest) if longest or self.to_come else 0.0
        for fate in self.s.fates[self.seat]:
            if BEACH_CARD in self.s.components.fates[fate].categories:
                counts = self.counts.copy()
                counts[BEACH_CARD] = cards
                total += self.fate(fate, counts)
        return total

    def known_shore(self, known: dict[tuple[int, int], float], beach: tuple[int, int]) -> float:
        """Return the worth of a beach by `shore`, cached in `known`."""
        worth = known.get(beach)
        if worth is None:
            worth = known[beach] = self.shore(*beach)
        return worth

    def coconuts(self, coconuts: int) -> float:
        """Return the worth of a number of coconuts: as points, for spending, and for the bonus."""
        each = self.s.components.coconut_points if self.open[_COCONUTS] else _COIN * min(1.0, self.to_come / 3)
        if self.s.solo:
            return each * coconuts
        bonus = self.s.components.coconut_bonus * self.most(coconuts, self.others[COCONUT])
        return each * coconuts + bonus

    def most(self, mine: int, theirs: int) -> float:
        """Return the probability that the seat has the most in the end.

        It is 0 or 1 if no cards are to come.
        """
        if not self.to_come:
            return float(mine >= theirs)
        return 1.0 / (1.0 + exp((theirs - mine - 0.3) / (0.5 + 0.3 * self.to_come)))

    def fate(self, number: int, counts: Sequence[int]) -> float:
        """Return the expected payoff of a fate, with its categories treated as independent."""
        fate = self.s.components.fates[number]
        chances = [1.0]
        for thing in fate.categories:
            chance = self.most(counts[thing], self.others[thing])
            chances = [a * (1 - chance) + b * chance for a, b in zip([*chances, 0.0], [0.0, *chances], strict=True)]
        return sum(chance * points for chance, points in zip(chances, fate.payoff, strict=True))


def _between(table: Sequence[int], index: float) -> float:
    """Return the value of a table at a fractional index, by linear interpolation."""
    low = min(int(index), len(table) - 1)
    high = min(low + 1, len(table) - 1)
    return table[low] + (table[high] - table[low]) * (index - low)


# -- placing ---------------------------------------------------------------------------------------


def _placements(forecast: _Forecast, number: int) -> list[float]:
    """Return per legal placement of a card the worth of the island with it."""
    s = forecast.s
    island = s.islands[forecast.seat]
    card = s.components.cards[number]
    symbols = [each for each in island.symbols() if each[0] not in STARS]
    ((village_x, village_y),) = [(x, y) for symbol, x, y in island.stars if symbol == VILLAGE_STAR]
    gained = scoring.count_cards([card])
    volcanoes = [
        [(x - village_x, y - village_y) for x, y, symbol in face.symbols if symbol == VOLCANO] for face in card.faces
    ]
    worths: dict[tuple[int, ...], float] = {}
    coasts: dict[tuple[int, int], float] = {}
    beside: Sequence[Shore] = ()
    turning_matters = card.beach or any(volcanoes)
    values = []
    column = here = -1
    x = y = 0
    in_column: list[tuple[int, int]] = []
    worth = shore = value = 0.0
    plain_shore = forecast.shore(forecast.beach, forecast.counts[BEACH_CARD])
    plain_volcanoes = forecast.volcano_points(forecast.volcanoes)
    ruler, open_end = s.components.ruler, s.open_end
    for placement in island.placements(card):
        if placement // ROTATIONS != here:
            here = placement // ROTATIONS
            x, y, rot = position(placement)
            if x != column or not in_column:
                column = x
                in_column = [(symbol, top) for symbol, left, top in symbols if 0 <= left - x <= _LAST]
            covered = tuple([symbol for symbol, top in in_column if 0 <= top - y <= _LAST])
            found = worths.get(covered)
            if found is None:
                found = worths[covered] = forecast.things(_after(forecast.counts, gained, covered))
            worth = found
            shore = plain_shore
            if card.beach or island.covers_beach(x, y):
                beside = island.shores_beside(x, y)
                if not card.beach:
                    shore = forecast.known_shore(coasts, island.beach_with(card.faces[rot], x, y, beside))
            value = worth + shore + plain_volcanoes
        if turning_matters:
            rot = placement % ROTATIONS
            if card.beach:
                shore = forecast.known_shore(coasts, island.beach_with(card.faces[rot], x, y, beside))
            points = forecast.volcanoes
            for left, top in volcanoes[rot]:
                points += ruler_points(ruler, (x + left) ** 2 + (y + top) ** 2, open_end=open_end)
            value = worth + shore + forecast.volcano_points(points)
        values.append(value)
    return values


def _after(counts: Sequence[int], gained: Sequence[int], covered: Iterable[int]) -> list[int]:
    after = [have + more for have, more in zip(counts, gained, strict=True)]
    after[BEACH_CARD] = counts[BEACH_CARD]
    for symbol in covered:
        after[symbol] -= 1
        if symbol in TOTEMS:
            after[TOTEM] -= 1
    return after


def _weigh_place(s: AtuaState, forecast: _Forecast, ask: Choose) -> list[float]:
    return _placements(forecast, s.row[s.held])


def _weigh_take(s: AtuaState, forecast: _Forecast, ask: Choose) -> list[float]:
    values = []
    for choice in ask.choices:
        slot = TAKE.part(choice)
        coconuts = forecast.counts[COCONUT] - slot + s.row_coconuts[slot]
        values.append(max(_placements(forecast, s.row[slot])) + forecast.coconuts(coconuts))
    return values


def _weigh_fate(s: AtuaState, forecast: _Forecast, ask: Choose) -> list[float]:
    coconuts = forecast.counts[COCONUT]
    values = []
    for choice in ask.choices:
        if choice in BUY_FATE:
            fate = BUY_FATE.part(choice)
            price = s.components.fates[fate].price
            values.append(forecast.fate(fate, forecast.counts) + forecast.coconuts(coconuts - price))
        else:
            values.append(forecast.coconuts(coconuts))
    return values


def _weigh_resident(s: AtuaState, forecast: _Forecast, ask: Choose) -> list[float]:
    """Return the worth of playing the resident and of waiting.

    Playing it brings its points now. Waiting may bring more pairs as long as turns are left.
    """
    resident = s.components.residents[s.residents[forecast.seat]]
    now = scoring.score_resident(resident, [s.components.cards[card] for card in s.row]).points
    if not forecast.to_come:
        with_it = forecast.counts.copy()
        for symbol, number in resident.gains:
            with_it[symbol] += number
        gain = forecast.things(with_it) - forecast.things(forecast.counts)
        return [now + gain + forecast.coconuts(with_it[COCONUT]), forecast.coconuts(forecast.counts[COCONUT])]
    printed = (
        scoring.count_cards(s.components.cards[: s.components.island_cards])[resident.row_thing]
        / s.components.island_cards
    )
    usual = printed * len(s.row) / 2 * resident.row_points
    return [float(now), usual + resident.row_points * (0.4 + 0.12 * forecast.to_come)]


def _weigh_window(s: AtuaState, forecast: _Forecast, ask: Choose) -> list[float]:
    """Return the worth of scoring each source now.

    A source is better scored now the less it can still gain.
    The best sources that can be picked after it count too.
    """
    gains = {source: _gain_now(s, forecast, source) for source in s.open_sources(forecast.seat)}
    more = (ask.placeholders or {})["n"] - 1
    values = []
    for choice in ask.choices:
        chosen = SCORE.part(choice)
        after = sorted((gain for source, gain in gains.items() if source > chosen), reverse=True)
        values.append(gains[chosen] + sum(after[:more]))
    return values


def _gain_now(s: AtuaState, forecast: _Forecast, source: int) -> float:
    """Return the points of a source now, minus its expected points in a later window."""
    now = scoring.source_now(s, forecast.seat, source).points
    in_the_end = now if source in (_COCONUTS, _VOLCANOES) else forecast.source(source, forecast.counts)
    return now - in_the_end - _GROWTH[source] * forecast.to_come


# -- solo ------------------------------------------------------------------------------------------


def _weigh_side(s: AtuaState, forecast: _Forecast, ask: Choose) -> list[float]:
    """Return the worth of each side: the own gain minus the worth of the other card to Tahuma.

    A coconut is taken from Tahuma or given to him.
    """
    solo = s.components.solo
    pile = s.tahuma_pile[0]
    values = []
    for choice in ask.choices:
        side = TAKE_SIDE.part(choice)
        won = -solo.left_card_price if side == LEFT else min(solo.right_card_gain, s.hut)
        mine = max(_placements(forecast, s.row[side])) + forecast.coconuts(s.supply[0] + won)
        values.append(mine - _tahuma(s, [*pile, s.row[1 - side]], s.hut - won))
    return values


def _weigh_other(s: AtuaState, forecast: _Forecast, ask: Choose) -> list[float]:
    pile, price = s.tahuma_pile[0], s.components.solo.discard_price
    keep = forecast.coconuts(s.supply[0]) - _tahuma(s, [*pile, s.row[0]], s.hut)
    discard = forecast.coconuts(s.supply[0] - price) - _tahuma(s, pile, s.hut + price)
    return [keep, discard]


def _tahuma(s: AtuaState, pile: Sequence[int], hut: int) -> float:
    """Return the points of Tahuma's sheet with this pile.

    The beach bonus of the player is counted in `_Forecast.shore`.
    """
    counts = scoring.count_cards([s.components.cards[number] for number in pile])
    island = s.islands[0]
    volcanoes, longest = island.counts[VOLCANO], island.longest_beach()
    return scoring.tahumas_points(s.components, str(s.options["solo_difficulty"]), counts, hut, volcanoes, longest)


_WEIGH: Final[dict[str, Any]] = {
    "take": _weigh_take,
    "place": _weigh_place,
    "fate": _weigh_fate,
    "resident": _weigh_resident,
    "window": _weigh_window,
    "take_side": _weigh_side,
    "other": _weigh_other,
}
