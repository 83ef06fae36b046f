"""The points of everything in Atua (AU-5, AU-7), with their explanation.

Pure functions of counts, then of the state. A list of counts is indexed by COUNTED: the symbols,
all totems together, beach cards. The key of a `ScoreLine` is the row of the score sheet; its rule
is the rule that applied. Its parts name the things counted, with their `number` and, if players are
compared, the highest number of another player (`against`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isqrt
from typing import Any, Final

from atoll.engine import ScoreLine, ScorePart

from .components import (
    BEACH_CARD,
    COCONUT,
    COUNTED,
    DIFFICULTIES,
    SOURCES,
    TOTEM,
    TOTEMS,
    VOLCANO,
    WINDOWS,
    AtuaComponents,
    Card,
    PairSource,
    Resident,
    Ruler,
)
from .geometry import Island
from .lattice import CARD_INTS
from .state import NO_RESIDENT, NOT_SCORED, AtuaState

_VOLCANOES: Final = SOURCES.index("volcanoes")


def count(island: Island, supply: int, resident: Resident | None = None) -> list[int]:
    """Return a player's counts of each thing in COUNTED.

    Coconut symbols of a resident count as coconuts here, but nobody can pay with them (R34).
    Rule AU-5.1, rulings R34, R40 and R41.

    Args:
        island: The player's island.
        supply: The player's coconuts.
        resident: The player's resident; None unless it is revealed.
    """
    counts = [*island.counts, 0, island.beach_cards()]
    counts[COCONUT] += supply
    if resident is not None:
        for symbol, number in resident.gains:
            counts[symbol] += number
    counts[TOTEM] = sum(counts[totem] for totem in TOTEMS)
    return counts


def count_cards(cards: Iterable[Card]) -> list[int]:
    """Return the counts of each thing in COUNTED printed on some cards."""
    counts = [0] * len(COUNTED)
    for card in cards:
        for symbol in card.symbols:
            counts[symbol] += 1
        counts[BEACH_CARD] += card.beach
    counts[TOTEM] = sum(counts[totem] for totem in TOTEMS)
    return counts


# -- the six sources -------------------------------------------------------------------------------


def score_source(
    components: AtuaComponents,
    source: int,
    counts: Sequence[int],
    volcano_distances: Sequence[int],
    *,
    open_end: bool = False,
    solo: bool = False,
) -> ScoreLine:
    """Return the score of a source for a player now.

    Rules AU-5.2, AU-5.3, AU-5.4, AU-5.5 and AU-7.4.

    Args:
        components: The components.
        source: Index of the source in SOURCES.
        counts: The player's counts of each thing in COUNTED.
        volcano_distances: Squared distances of the player's volcanoes.
        open_end: Whether volcanoes beyond the ruler score too.
        solo: Whether twin totems count.
    """
    if source < len(components.pairs):
        return _score_pairs(components, source, counts)
    key = SOURCES[source]
    if key == "coconuts":
        return _score_coconuts(counts[COCONUT], components.coconut_points)
    if key == "totems":
        return score_all_totems(components, counts) if solo else score_totems(components, counts)
    return score_volcanoes(components.ruler, volcano_distances, open_end=open_end)


def _score_pairs(components: AtuaComponents, source: int, counts: Sequence[int], *, tahuma: bool = False) -> ScoreLine:
    """Return the score of pairs: a surplus consumer makes the source worth 0.

    Tahuma scores half of his consumers instead, rounded down, even without resources (R53).
    Rules AU-5.2 and AU-7.5, rulings R31, R32 and R53.
    """
    pair = components.pairs[source]
    consumers, resources = counts[pair.consumer], counts[pair.resource]
    pairs = _pairs(pair, counts, tahuma=tahuma)
    points = pairs * pair.points_per_pair
    too_many = "half_of_too_many" if tahuma else "too_many"
    rule = "pairs" if consumers <= resources else too_many
    parts = (
        ScorePart(COUNTED[pair.consumer], points, {"number": consumers}),
        ScorePart(COUNTED[pair.resource], 0, {"number": resources}),
    )
    return ScoreLine(SOURCES[source], points, {"pairs": pairs, "each": pair.points_per_pair}, parts, rule)


def _pairs(pair: PairSource, counts: Sequence[int], *, tahuma: bool = False) -> int:
    consumers = counts[pair.consumer]
    if consumers <= counts[pair.resource]:
        return consumers
    return consumers // 2 if tahuma else 0


def _score_coconuts(coconuts: int, points_each: int) -> ScoreLine:
    """Score each coconut, without spending it. Rule AU-5.3."""
    points = coconuts * points_each
    return ScoreLine(
        "coconuts", points, {"each": points_each}, (ScorePart("coconut", points, {"number": coconuts}),), "each"
    )


def score_totems(components: AtuaComponents, counts: Sequence[int]) -> ScoreLine:
    """Return the score of the totems without a twin, by their number.

    Rule AU-5.4, ruling R29.
    """
    return _totem_line(components, counts, _without_twin(counts), "without_twin")


def _without_twin(counts: Sequence[int]) -> int:
    return [counts[totem] for totem in TOTEMS].count(1)


def score_all_totems(components: AtuaComponents, counts: Sequence[int]) -> ScoreLine:
    """Return the score of all totems by their number, including twins.

    Numbers beyond the table score as its last entry.
    Rule AU-7.4, ruling R52.
    """
    return _totem_line(components, counts, min(counts[TOTEM], len(components.totem_table) - 1), "all")


def _totem_line(components: AtuaComponents, counts: Sequence[int], number: int, rule: str) -> ScoreLine:
    points = components.totem_table[number]
    parts = [ScorePart(COUNTED[totem], 0, {"number": counts[totem]}) for totem in TOTEMS if counts[totem]]
    return ScoreLine(
        "totems", points, {"number": number}, (*parts, ScorePart("scoring_totems", points, {"number": number})), rule
    )


def score_volcanoes(ruler: Ruler, distances: Sequence[int], *, open_end: bool = False) -> ScoreLine:
    """Return the score of all volcanoes by their squared distance (`d2`) to the village.

    In the parts, `distance` is in whole units.
    Rule AU-5.5.

    Args:
        ruler: The volcano ruler.
        distances: Squared distances of the volcanoes.
        open_end: Whether volcanoes beyond the ruler score too.
    """
    parts = tuple(
        ScorePart("volcano_at", ruler_points(ruler, d2, open_end=open_end), {"d2": d2, "distance": isqrt(d2)})
        for d2 in distances
    )
    return ScoreLine("volcanoes", sum(part.points for part in parts), {"number": len(parts)}, parts, "ruler")


def ruler_points(ruler: Ruler, d2: int, *, open_end: bool = False) -> int:
    """Return the points of a volcano at a squared distance.

    A band begins on its line. The end of the ruler still scores (R46).
    Rule AU-5.5, rulings R46 and R47.

    Args:
        ruler: The volcano ruler.
        d2: The squared distance to the village.
        open_end: Whether volcanoes beyond the ruler score too.
    """
    for limit, points in zip(ruler.max_d2, ruler.points, strict=True):
        if d2 <= limit:
            return points
    return ruler.beyond_open_end if open_end else ruler.beyond


# -- tiles and bonuses -----------------------------------------------------------------------------


def score_resident(resident: Resident, row: Iterable[Card]) -> ScoreLine:
    """Return the score of a resident for each two of its thing in the row.

    Its own symbols don't count there.
    Rule AU-5.6, rulings R35 and R36.
    """
    number = count_cards(row)[resident.row_thing]
    pairs = number // 2
    points = pairs * resident.row_points
    parts = (ScorePart(COUNTED[resident.row_thing], points, {"number": number}),)
    return ScoreLine("resident", points, {"pairs": pairs, "each": resident.row_points}, parts, "pairs_in_row")


def has_most(values: Sequence[int], seat: int) -> bool:
    """Return whether no seat has more than this one; several seats can have the most, even 0.

    Rule AU-5.1, rulings R37 and R38.
    """
    return values[seat] == max(values)


def _compared(thing: str, values: Sequence[int], seat: int, points: int = 0) -> ScorePart:
    others = [value for other, value in enumerate(values) if other != seat]
    return ScorePart(f"most_{thing}", points, {"number": values[seat], "against": max(others, default=0)})


def score_fate(components: AtuaComponents, number: int, counts: Sequence[Sequence[int]], owner: int) -> ScoreLine:
    """Return the score of a fate by the number of its categories in which the owner has the most.

    Rule AU-5.7, rulings R39 and R42.

    Args:
        components: The components.
        number: The fate.
        counts: Per seat, its counts of each thing in COUNTED.
        owner: The seat that owns the fate.
    """
    fate = components.fates[number]
    held = 0
    parts = []
    for thing in fate.categories:
        values = [counts_of_seat[thing] for counts_of_seat in counts]
        held += has_most(values, owner)
        parts.append(_compared(COUNTED[thing], values, owner))
    points = fate.payoff[held]
    parts.append(ScorePart("majorities", points, {"number": held, "of": len(fate.categories)}))
    return ScoreLine("fate", points, {"fate": number, "held": held}, tuple(parts), "majority")


def score_beach_bonus(components: AtuaComponents, lengths: Sequence[int], seat: int) -> ScoreLine:
    """Return the bonus for the longest beach, by the number of its cards.

    All seats that have it score, unless there are no beaches.
    Rule AU-5.9, ruling R37.

    Args:
        components: The components.
        lengths: Per seat, its longest beach.
        seat: The seat.
    """
    return _score_beach(components.beach_bonus, lengths, seat)


def score_coconut_bonus(components: AtuaComponents, coconuts: Sequence[int], seat: int) -> ScoreLine:
    """Return the bonus for the most coconuts, with the symbols of a revealed resident.

    All seats that have the most score, even with 0 coconuts (R37).
    Rule AU-5.10.

    Args:
        components: The components.
        coconuts: Per seat, its coconuts.
        seat: The seat.
    """
    won = components.coconut_bonus if has_most(coconuts, seat) else 0
    return ScoreLine("coconut_bonus", won, {}, (_compared("coconut", coconuts, seat, won),), "most")


def _score_beach(points: int, lengths: Sequence[int], seat: int) -> ScoreLine:
    won = _beach_won(points, lengths, seat)
    return ScoreLine("beach_bonus", won, {}, (_compared("longest_beach", lengths, seat, won),), "longest")


def _beach_won(points: int, lengths: Sequence[int], seat: int) -> int:
    return points if lengths[seat] and has_most(lengths, seat) else 0


# -- solo ------------------------------------------------------------------------------------------


def score_solo_beach_bonus(
    components: AtuaComponents, player_length: int, pile: Iterable[Card]
) -> tuple[ScoreLine, ScoreLine]:
    """Return the bonus for the longer beach of player and Tahuma; both get it if they are equal.

    Tahuma's beach cards are one beach.
    Rule AU-7.6.

    Args:
        components: The components.
        player_length: The player's longest beach.
        pile: The cards of Tahuma's pile.

    Returns:
        The line of the player, then that of Tahuma.
    """
    lengths = (player_length, count_cards(pile)[BEACH_CARD])
    mine, his = (_score_beach(components.solo.beach_bonus, lengths, seat) for seat in (0, 1))
    return mine, his


def score_tahuma(
    components: AtuaComponents,
    difficulty: str,
    pile: Sequence[Card],
    hut: int,
    player_volcanoes: int,
    player_length: int,
) -> tuple[ScoreLine, ...]:
    """Return the score of all symbols printed on Tahuma's pile, without an island.

    His volcanoes score only if he has more of them than the player (R54).
    Rule AU-7.5, ruling R54.

    Args:
        components: The components.
        difficulty: One of DIFFICULTIES.
        pile: The cards of his pile.
        hut: Coconuts on his hut.
        player_volcanoes: The number of the player's volcanoes.
        player_length: The player's longest beach.
    """
    counts = count_cards(pile)
    compared = (counts[VOLCANO], player_volcanoes)
    volcano_points = _tahumas_volcanoes(components, *compared)
    return (
        ScoreLine(
            f"start_{difficulty}", components.solo.start_points[DIFFICULTIES.index(difficulty)], rule="difficulty"
        ),
        *(_score_pairs(components, source, counts, tahuma=True) for source in range(len(components.pairs))),
        _score_coconuts(hut, components.solo.hut_coconut_points),
        score_totems(components, counts),
        ScoreLine(
            "volcanoes", volcano_points, {}, (_compared("volcano", compared, 0, volcano_points),), "more_than_player"
        ),
        score_solo_beach_bonus(components, player_length, pile)[1],
    )


def _tahumas_volcanoes(components: AtuaComponents, his: int, players: int) -> int:
    return components.solo.tahuma_volcano_points if his > players else 0


def tahumas_points(
    components: AtuaComponents,
    difficulty: str,
    counts: Sequence[int],
    hut: int,
    player_volcanoes: int,
    player_length: int,
) -> int:
    """Return the sum of the lines of `score_tahuma`.

    Args:
        components: The components.
        difficulty: One of DIFFICULTIES.
        counts: The counts of his pile, of each thing in COUNTED.
        hut: Coconuts on his hut.
        player_volcanoes: The number of the player's volcanoes.
        player_length: The player's longest beach.
    """
    points = components.solo.start_points[DIFFICULTIES.index(difficulty)] + hut * components.solo.hut_coconut_points
    for pair in components.pairs:
        points += _pairs(pair, counts, tahuma=True) * pair.points_per_pair
    points += components.totem_table[_without_twin(counts)] + _tahumas_volcanoes(
        components, counts[VOLCANO], player_volcanoes
    )
    return points + _beach_won(components.solo.beach_bonus, (player_length, counts[BEACH_CARD]), 1)


# -- the state -------------------------------------------------------------------------------------


def counts_of(s: AtuaState, seat: int) -> list[int]:
    """Return a seat's counts of each thing in COUNTED."""
    return count(s.islands[seat], s.supply[seat], s.resident_of(seat))


def source_now(s: AtuaState, seat: int, source: int) -> ScoreLine:
    """Return the score of a source for a seat now.

    Args:
        s: The state.
        seat: The seat.
        source: Index of the source in SOURCES.
    """
    return _source(s, source, s.islands[seat], counts_of(s, seat))


def _source(s: AtuaState, source: int, island: Island, counts: Sequence[int]) -> ScoreLine:
    distances = island.volcano_distances() if source == _VOLCANOES else ()
    return score_source(s.components, source, counts, distances, open_end=s.open_end, solo=s.solo)


def sources_of(s: AtuaState, seat: int) -> list[ScoreLine]:
    """Return the sources of a seat: scored ones as they were then, open ones as they are now."""
    worth = {NOT_SCORED: (s.islands[seat], counts_of(s, seat))}
    for window, had in enumerate(s.counted(seat)):
        placed = s.placed[seat][: CARD_INTS * (1 + had.cards)]
        island = Island.load(s.components, placed, s.islands[seat].lattice)
        worth[window] = island, count(island, had.supply, s.resident_of(seat) if had.revealed else None)
    lines = []
    for source, window in enumerate(s.scored_in[seat]):
        line = _source(s, source, *worth[window])
        when = (
            ScorePart("open", 0) if window == NOT_SCORED else ScorePart("scored", 0, {"stack": WINDOWS[window].upper()})
        )
        lines.append(ScoreLine(line.key, line.points, line.fields, (when, *line.parts), line.rule))
    return lines


def explain(s: AtuaState) -> list[list[ScoreLine]]:
    """Return per seat sources, resident, fates and bonuses, as if the game ended now.

    Rule AU-5.8, rulings R33 and R45.
    """
    if len(s.islands) < s.seats:
        return [[] for _ in range(s.seats)]
    sheets = [sources_of(s, seat) for seat in range(s.seats)]
    _add_tiles_and_bonuses(s, sheets, _counts(s), _beaches(s))
    return sheets


def _counts(s: AtuaState) -> list[list[int]]:
    return [counts_of(s, seat) for seat in range(s.seats)]


def _beaches(s: AtuaState) -> list[int]:
    return [island.longest_beach() for island in s.islands]


def _short_sheets(s: AtuaState, counts: Sequence[Sequence[int]], lengths: Sequence[int]) -> list[list[ScoreLine]]:
    """Return the lines of `explain`, with scored sources from the sheet and without their parts."""
    sheets = [
        [
            _source(s, source, s.islands[seat], counts[seat])
            if scored == NOT_SCORED
            else ScoreLine(SOURCES[source], scored)
            for source, scored in enumerate(s.sheet[seat])
        ]
        for seat in range(s.seats)
    ]
    _add_tiles_and_bonuses(s, sheets, counts, lengths)
    return sheets


def _add_tiles_and_bonuses(
    s: AtuaState, sheets: Sequence[list[ScoreLine]], counts: Sequence[Sequence[int]], lengths: Sequence[int]
) -> None:
    if s.solo:
        sheets[0].append(score_solo_beach_bonus(s.components, lengths[0], tahumas_cards(s))[0])
        return
    coconuts = [each[COCONUT] for each in counts]
    for seat, lines in enumerate(sheets):
        if s.revealed[seat] != NO_RESIDENT:
            lines.append(
                ScoreLine("resident", s.resident_points[seat], {"resident": s.revealed[seat]}, (), "pairs_in_row")
            )
        lines += [score_fate(s.components, fate, counts, seat) for fate in s.fates[seat]]
        lines.append(score_beach_bonus(s.components, lengths, seat))
        lines.append(score_coconut_bonus(s.components, coconuts, seat))


def tahumas_cards(s: AtuaState) -> list[Card]:
    """Return the cards of Tahuma's pile."""
    return [s.components.cards[number] for number in s.tahuma_pile[0]]


def tahumas_sheet(s: AtuaState) -> tuple[ScoreLine, ...]:
    """Return Tahuma's points as if the game ended now. Rules AU-7.5 and AU-7.6."""
    island, difficulty = s.islands[0], str(s.options["solo_difficulty"])
    return score_tahuma(
        s.components,
        difficulty,
        tahumas_cards(s),
        s.hut,
        island.counts[VOLCANO],
        island.longest_beach(),
    )


def scores(s: AtuaState) -> list[int]:
    """Return the total of each seat, as if the game ended now, without Tahuma's."""
    if len(s.islands) < s.seats:
        return [0] * s.seats
    return [sum(line.points for line in lines) for lines in _short_sheets(s, _counts(s), _beaches(s))]


def standing(s: AtuaState) -> list[tuple[int, int]]:
    """Return per seat the criteria of the ranking: points, then coconuts.

    Symbols of a revealed resident count as coconuts.
    Rule AU-6.1, ruling R48.
    """
    if len(s.islands) < s.seats:
        return [(0, 0)] * s.seats
    return [(points, counts_of(s, seat)[COCONUT]) for seat, points in enumerate(scores(s))]


def beats_tahuma(s: AtuaState) -> bool:
    """Return whether the player wins: by points, then by coconuts; a complete tie is a win.

    Rule AU-7.7, ruling R57.
    """
    if not s.islands:
        return True
    his = sum(line.points for line in tahumas_sheet(s))
    return standing(s)[0] >= (his, s.hut)


def live(s: AtuaState, viewer: int | None) -> dict[str, Any]:
    """Return the facts that a viewer can compute.

    Args:
        s: The state.
        viewer: The seat of the viewer; None for a spectator.

    Returns:
        `counts` by seat and thing in COUNTED; `sources`, the points now by seat and source;
        `beach`, the cards in the longest beach by seat; `sheets`, by seat the lines as [key,
        points] as if the game ended now; `scores`, their sums by seat; `resident`, the points of
        the viewer's own tile now, or None; `tahuma`, his lines as [key, points] at the end of a
        solo game, else None.
    """
    resident = None
    if viewer is not None and s.residents[viewer] != NO_RESIDENT:
        resident = score_resident(
            s.components.residents[s.residents[viewer]], [s.components.cards[card] for card in s.row]
        ).points
    begun = len(s.islands) == s.seats
    counts, beaches = (_counts(s), _beaches(s)) if begun else ([], [])
    sheets = _short_sheets(s, counts, beaches) if begun else [[] for _ in range(s.seats)]
    return {
        "counts": counts,
        "sources": [
            [
                line.points if scored == NOT_SCORED else _source(s, source, s.islands[seat], had).points
                for source, (scored, line) in enumerate(zip(s.sheet[seat], sheets[seat], strict=False))
            ]
            for seat, had in enumerate(counts)
        ],
        "beach": beaches,
        "sheets": [[[line.key, line.points] for line in lines] for lines in sheets],
        "scores": [sum(line.points for line in lines) for lines in sheets],
        "resident": resident,
        "tahuma": [[line.key, line.points] for line in tahumas_sheet(s)] if s.solo and s.over else None,
    }
