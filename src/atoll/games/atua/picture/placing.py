"""The card in the hand: the data with which scripts show its placements and their effects."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from atoll.engine.rules import Rules
from atoll.engine.translations import GameMessages
from atoll.picture import Fragment, Hidden, Row, Rows, fragment

from .. import scoring
from ..components import BEACH_CARD, COCONUT, SOURCES, STARS, SYMBOLS, TOTEM, TOTEMS, VOLCANO, AtuaComponents
from ..faces import CARD_UNITS, ROTATIONS
from ..geometry import Island
from ..kinds import LEFT
from ..lattice import position
from ..outline import UNIT
from ..placement_faults import REASONS
from ..state import NOT_SCORED, AtuaState
from ..view import AtuaView
from .drawing import draw, face_of
from .table import ROWS, Bounds, components_of, island_of, say, village_of

_BEACH: Final = "0123456789abcdef"
_TOOLS: Final = ("rotate_left", "rotate_right", "left", "right", "up", "down", "best", "place", "tools", "gain")


class Hand(NamedTuple):
    """The card in the hand, and everything that determines the effect of its placement.

    Attributes:
        card: Its number.
        seat: The seat that places it.
        solo: Whether Tahuma is the opponent.
        open_end: Whether volcanoes beyond the ruler score as many points as its last band.
        placed: The cards of the seat's island.
        placements: Its legal placements; see lattice.py.
        coconuts: The change of the seat's coconuts by taking it: coconuts won minus its price.
        counts: Per seat, its counts of each thing in COUNTED.
        beach: Per seat the number of cards in the longest beach.
        sheet: The points of the seat's sources, NOT_SCORED for open ones.
        fates: The fates that the seat has bought.
        pile: Solo: the cards in Tahuma's pile.
        left_over: Solo: the cards that go there as soon as the card in the hand is placed.
    """

    card: int
    seat: int
    solo: bool
    open_end: bool
    placed: Row
    placements: Row
    coconuts: int
    counts: Rows
    beach: Row
    sheet: Row
    fates: Row
    pile: Row
    left_over: Row


def hold(words: GameMessages, seen: AtuaView, bounds: Bounds) -> Fragment:
    """Return the card that the viewer is placing, for the scripts; an empty element otherwise.

    Args:
        words: The game's messages.
        seen: The view.
        bounds: The visible part of the sea.
    """
    return _hold(words, bounds, _hand(words, seen) if seen.placements else None)


def _hand(words: GameMessages, seen: AtuaView) -> Hand:
    s, seat = seen.state, seen.shown
    pile = s.tahuma_pile[0] if seen.solo else ()
    assert not isinstance(pile, Hidden)
    coconuts = _coconuts_won(components_of(words), seen)
    left_over: Row = ()
    if seen.solo and s.supply[0] + coconuts < components_of(words).solo.discard_price:  # can't pay for discarding
        left_over = tuple(card for slot, card in enumerate(s.row) if slot != s.held)
    return Hand(
        card=s.row[s.held],
        seat=seat,
        solo=seen.solo,
        open_end=seen.options.volcano_ruler == "open_end",
        placed=s.placed[seat],
        placements=seen.placements,
        coconuts=coconuts,
        counts=seen.live.counts,
        beach=seen.live.beach,
        sheet=s.sheet[seat],
        fates=s.fates[seat],
        pile=pile,
        left_over=left_over,
    )


def _coconuts_won(components: AtuaComponents, seen: AtuaView) -> int:
    s, held = seen.state, seen.state.held
    if not seen.solo:
        return s.row_coconuts[held] - held
    return -components.solo.left_card_price if held == LEFT else min(components.solo.right_card_gain, s.hut)


@fragment
def _hold(words: GameMessages, bounds: Bounds, hand: Hand | None) -> Fragment:
    if hand is None:
        return Fragment.of(draw("hold", hold="", faces=[]))
    components, game = components_of(words), words.game
    island, card = island_of(game, hand.solo, hand.placed), components.cards[hand.card]
    outcomes, outcome_of = _outcomes(components, island, hand)
    data = {
        "card": card.id,
        "unit": UNIT,
        "left": bounds.left,
        "top": bounds.top,
        "edges": [face.edge for face in card.faces],
        "units": _units(game, island),
        "symbols": [[x, y, symbol in STARS] for symbol, x, y in island.symbols()],
        "outcomes": outcomes,
        "outcomeOf": outcome_of,
        **_texts(words),
    }
    faces = [{"rot": rot, "face": face_of(game, hand.card, rot)} for rot in range(ROTATIONS)]
    return Fragment.of(draw("hold", hold=json.dumps(data, separators=(",", ":")), faces=faces))


@fragment
def _texts(words: GameMessages) -> Mapping[str, Mapping[str, str]]:
    return {
        "names": {
            **{name: words.name("symbol", symbol) for symbol, name in enumerate(SYMBOLS)},
            **{row: say(words, f"row.{row}") for row in ROWS},
            "beach": say(words, "beach"),
        },
        "reasons": {reason: words.say(f"reason.{reason}") for reason in REASONS},
        "texts": {each: say(words, f"tool.{each}") for each in _TOOLS},
    }


# -- the effect of a placement ---------------------------------------------------------------------


def _outcomes(components: AtuaComponents, island: Island, hand: Hand) -> tuple[list[dict[str, Any]], list[int]]:
    """Return the different outcomes of the legal placements, and per placement its outcome.

    An outcome has the change of the viewer's points if the game ended now (``gain``). It also has
    the changed ``rows`` of the sheet and ``symbols`` (except coconuts) as [name, by, then], and the
    longest ``beach`` as [by, then] or None.
    """
    card = components.cards[hand.card]
    have, beach = hand.counts[hand.seat], hand.beach[hand.seat]
    brings = scoring.count_cards([card])
    brings[COCONUT] += hand.coconuts
    now = _rows(components, hand, have, island.volcano_distances(), beach)
    village_x, village_y = (each // UNIT - 1 for each in village_of(island))
    beaches: dict[tuple[int, int, int], tuple[int, int]] = {}
    known: dict[Any, int] = {}
    outcomes: list[dict[str, Any]] = []
    found = []
    for placement in hand.placements:
        x, y, rot = position(placement)
        covered = tuple(symbol for symbol, _, _ in island.covered(x, y))
        distances = tuple(
            (x + left - village_x) ** 2 + (y + top - village_y) ** 2
            for left, top, symbol in card.faces[rot].symbols
            if symbol == VOLCANO
        )
        longest, beach_cards = beach, have[BEACH_CARD]
        if card.beach or island.covers_beach(x, y):
            spot = x, y, rot if card.beach else 0
            if spot not in beaches:
                beaches[spot] = island.beach_with(card.faces[rot], x, y, island.shores_beside(x, y))
            longest, beach_cards = beaches[spot]
        key = covered, distances, longest, beach_cards
        if key not in known:
            known[key] = len(outcomes)
            after = [a + b for a, b in zip(have, brings, strict=True)]
            after[BEACH_CARD] = beach_cards
            for symbol in covered:
                after[symbol] -= 1
                after[TOTEM] -= symbol in TOTEMS
            then = _rows(components, hand, after, [*island.volcano_distances(), *distances], longest, hand.left_over)
            rows = [[row, then[row] - now[row], then[row]] for row in now if then[row] != now[row]]
            outcomes.append(
                {
                    "gain": sum(by for _, by, _ in rows),
                    "symbols": [
                        [SYMBOLS[symbol], after[symbol] - have[symbol], after[symbol]]
                        for symbol in range(len(SYMBOLS))
                        if after[symbol] != have[symbol] and symbol != COCONUT
                    ],
                    "rows": rows,
                    "beach": [longest - beach, longest] if longest != beach else None,
                }
            )
        found.append(known[key])
    return outcomes, found


def _rows(
    components: AtuaComponents,
    hand: Hand,
    counts: Sequence[int],
    distances: Sequence[int],
    longest: int,
    left_over: Row = (),
) -> dict[str, int]:
    """Return the rows of the sheet that a placement can change, as if the game ended now.

    Args:
        components: The components.
        hand: The card in the hand.
        counts: The seat's counts of each thing in COUNTED.
        distances: The squared distances of its volcanoes.
        longest: The number of cards in its longest beach.
        left_over: Solo: the cards that Tahuma gets in addition to his pile.
    """
    seat = hand.seat
    found = {
        name: scoring.score_source(components, source, counts, distances, open_end=hand.open_end, solo=hand.solo).points
        for source, name in enumerate(SOURCES)
        if hand.sheet[source] == NOT_SCORED
    }
    if hand.solo:
        his = [components.cards[card] for card in (*hand.pile, *left_over)]
        found["beach_bonus"] = scoring.score_solo_beach_bonus(components, longest, his)[0].points
        return found
    everyone = [counts if other == seat else each for other, each in enumerate(hand.counts)]
    beaches = [longest if other == seat else each for other, each in enumerate(hand.beach)]
    found["fate"] = sum(scoring.score_fate(components, fate, everyone, seat).points for fate in hand.fates)
    found["beach_bonus"] = scoring.score_beach_bonus(components, beaches, seat).points
    found["coconut_bonus"] = scoring.score_coconut_bonus(components, [each[COCONUT] for each in everyone], seat).points
    return found


# -- terrain ---------------------------------------------------------------------------------------


def _units(game: Rules, island: Island) -> dict[str, Any]:
    """Return the visible units as lines of letters, with a blank for a unit without a card."""
    seen: dict[tuple[int, int], str] = {}
    for card, x, y, rot in island.cards():
        for unit, letter in enumerate(_letters(game, card, rot)):
            seen[x + unit // CARD_UNITS, y + unit % CARD_UNITS] = letter
    left, top = min(x for x, _ in seen), min(y for _, y in seen)
    right, bottom = max(x for x, _ in seen), max(y for _, y in seen)
    lines = ["".join(seen.get((x, y), " ") for x in range(left, right + 1)) for y in range(top, bottom + 1)]
    return {"left": left, "top": top, "lines": lines}


@fragment
def _letters(game: Rules[AtuaState, AtuaComponents], card: int, rot: int) -> str:
    """Return the units of a card by column: L, S, or a hexadecimal digit of a beach.

    The bits of the digit are its path sides; N is 1.
    """
    face = game.components.cards[card].faces[rot]
    letters = []
    for unit in range(CARD_UNITS * CARD_UNITS):
        mask = sum((path >> unit & 1) << side for side, path in enumerate(face.paths))
        letters.append("L" if face.land >> unit & 1 else "S" if face.sea >> unit & 1 else _BEACH[mask])
    return "".join(letters)
