"""The figures and pieces on the rules page of Atua."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from atoll.engine import Game, Options
from atoll.engine.translations import GameMessages
from atoll.picture import ComponentPicture, RuleTable, by_seats
from atoll.picture.rulebook import NOTHING, Cell

from .components import (
    BEACH_CARD,
    COCONUT,
    DIFFICULTIES,
    SOURCES,
    SYMBOLS,
    TOTEM,
    VILLAGE_STAR,
    WINDOWS,
    AtuaComponents,
    Fate,
)
from .kinds import FATE, RESIDENT
from .picture import pieces
from .state import AtuaState

Say = Callable[..., str]


def tables(
    game: Game[AtuaState, AtuaComponents], words: GameMessages, seats: int, options: Options
) -> dict[str, RuleTable]:
    """Return the tables of setup, scoring windows, sources, tiles, bonuses and the solo game.

    Args:
        game: The game.
        words: The game's messages.
        seats: The number of players that is highlighted.
        options: The options of the table.

    Returns:
        The tables by key.
    """
    components = game.components

    def say(key: str, /, **fields: Any) -> str:
        """Return a message of the tables."""
        return words.say(f"rule.table.{key}", fields)

    return {
        "box": _box(game.data["counts"], say),
        "setup": _setup(components, say, game.seat_counts, seats),
        "windows": _windows(components, say),
        "sources": _sources(words, components, say),
        "totems": RuleTable((say("totems.number"), say("points")), list(enumerate(components.totem_table))),
        "ruler": _ruler(components, say, open_end=options["volcano_ruler"] == "open_end"),
        "fates": RuleTable(
            (say("fate"), say("price"), say("most_of"), say("points")),
            [_fate_row(words, say, number, fate) for number, fate in enumerate(components.fates)],
        ),
        "residents": RuleTable(
            (say("resident"), say("two_of"), say("points"), say("adds")),
            [
                (
                    words.name(RESIDENT.name, number),
                    _thing(words, say, tile.row_thing),
                    tile.row_points,
                    ", ".join(f"{count} × {_thing(words, say, symbol)}" for symbol, count in tile.gains) or NOTHING,
                )
                for number, tile in enumerate(components.residents)
            ],
        ),
        "bonus": RuleTable(
            (say("what"), say("points")),
            [
                (words.say("score.beach_bonus"), components.beach_bonus),
                (words.say("score.coconut_bonus"), components.coconut_bonus),
            ],
        ),
        "levels": RuleTable(
            (say("level"), say("points")),
            [
                (words.say(f"option.solo_difficulty.{level}"), points)
                for level, points in zip(DIFFICULTIES, components.solo.start_points, strict=True)
            ],
        ),
        "tahuma": _tahuma(words, components, say),
    }


def _box(counts: Mapping[str, int], say: Say) -> RuleTable:
    names = (
        "island_cards",
        "village_cards",
        "solo_cards",
        "residents",
        "fates",
        "coconuts",
        "volcano_rulers",
        "score_sheets",
    )
    return RuleTable((say("piece"), say("number")), [(say(f"box.{name}"), counts[name]) for name in names])


def _setup(components: AtuaComponents, say: Say, counts: Sequence[int], seats: int) -> RuleTable:
    """Return the setup per number of players. The solo game has neither a row nor tiles."""

    def stack(count: int, number: int) -> Cell:
        """Return the size of a stack."""
        return components.stacks[count][number]

    def several(figure: Callable[[int], int]) -> Callable[[int], Cell]:
        """Return the figure for several players; the solo game has none."""
        return lambda count: figure(count) if count > 1 else NOTHING

    def unused(count: int) -> Cell:
        """Return the number of island cards that stay out of the game."""
        return components.island_cards - sum(components.stacks[count]) - (components.row_size if count > 1 else 0)

    return by_seats(
        say("players"),
        counts,
        seats,
        [
            (say("setup.row"), several(lambda count: components.row_size)),
            *(
                (say("setup.stack", stack=name.upper()), partial(stack, number=number))
                for number, name in enumerate(WINDOWS)
            ),
            (say("setup.unused"), unused),
            (
                say("setup.coconuts"),
                lambda count: components.start_coconuts if count > 1 else components.solo.player_coconuts,
            ),
            (say("setup.hut"), lambda count: NOTHING if count > 1 else components.solo.hut_coconuts),
            (say("setup.fates"), several(lambda count: count + components.fates_revealed_extra)),
            (say("setup.turns"), lambda count: components.rounds if count > 1 else components.solo_turns),
        ],
    )


def _windows(components: AtuaComponents, say: Say) -> RuleTable:
    """Return when each stack is empty, and the number of sources scored then."""
    rows: list[tuple[Cell, ...]] = []
    solo_turn = 0
    for number, window in enumerate(components.windows):
        solo_turn += components.stacks[1][number] // 2
        rows.append((WINDOWS[number].upper(), window.round, solo_turn, window.sources_to_score))
    return RuleTable((say("windows.stack"), say("windows.round"), say("windows.solo"), say("windows.sources")), rows)


def _sources(words: GameMessages, components: AtuaComponents, say: Say) -> RuleTable:
    """Return the rule and the worth of each of the six sources."""
    rows: list[tuple[Cell, ...]] = [
        (
            words.name("source", number),
            say("sources.pair", symbol=pair.consumer, symbol_2=pair.resource),
            pair.points_per_pair,
        )
        for number, pair in enumerate(components.pairs)
    ]
    others: dict[str, Cell] = {
        "coconuts": components.coconut_points,
        "totems": f"{min(components.totem_table)}–{max(components.totem_table)}",
        "volcanoes": f"{min(components.ruler.points)}–{max(components.ruler.points)}",
    }
    rows += [(words.name("source", SOURCES.index(key)), say(f"sources.{key}"), worth) for key, worth in others.items()]
    return RuleTable((say("source"), say("what"), say("points")), rows)


def _ruler(components: AtuaComponents, say: Say, *, open_end: bool) -> RuleTable:
    """Return each band by the distance at which it begins, and the points beyond the last one."""
    ruler = components.ruler
    starts = [0, *(limit + 1 for limit in ruler.max_d2[:-1])]
    rows: list[tuple[Cell, ...]] = [
        (say("ruler.from", steps=_steps(start)), points) for start, points in zip(starts, ruler.points, strict=True)
    ]
    rows.append(
        (
            say("ruler.beyond", steps=_steps(ruler.max_d2[-1])),
            ruler.beyond_open_end if open_end else ruler.beyond,
        )
    )
    return RuleTable((say("ruler.distance"), say("points")), rows)


def _steps(square: int) -> str:
    """Return a distance in units by its square, with three significant digits."""
    return f"{square**0.5:.3g}"


def _fate_row(words: GameMessages, say: Say, number: int, fate: Fate) -> tuple[Cell, ...]:
    return (
        words.name(FATE.name, number),
        fate.price,
        ", ".join(_thing(words, say, thing) for thing in fate.categories),
        " / ".join(map(_signed, reversed(fate.payoff))),
    )


def _signed(points: int) -> str:
    return f"{points:+}".replace("-", "−")


def _thing(words: GameMessages, say: Say, thing: int) -> str:
    """Return the name of a counted thing: a symbol, all totems, or cards with a beach."""
    if thing in (TOTEM, BEACH_CARD):
        return say("totem" if thing == TOTEM else "beach_card")
    return words.name("symbol", thing)


def _tahuma(words: GameMessages, components: AtuaComponents, say: Say) -> RuleTable:
    """Return the points of the player and of Tahuma for the same things."""
    rows: list[tuple[Cell, ...]] = [
        (say("tahuma.pairs"), say("tahuma.as_usual"), say("tahuma.as_usual")),
        (say("tahuma.too_many"), 0, say("tahuma.half")),
        (
            words.name("source", SOURCES.index("coconuts")),
            components.coconut_points,
            components.solo.hut_coconut_points,
        ),
        (words.name("source", SOURCES.index("totems")), say("tahuma.all"), say("tahuma.without_twin")),
        (
            words.name("source", SOURCES.index("volcanoes")),
            say("tahuma.ruler"),
            say("tahuma.more", points=components.solo.tahuma_volcano_points),
        ),
        (words.say("score.beach_bonus"), components.solo.beach_bonus, components.solo.beach_bonus),
        (words.say("score.coconut_bonus"), NOTHING, NOTHING),
    ]
    return RuleTable((say("what"), say("tahuma.you"), say("tahuma.he")), rows)


def gallery(game: Game[AtuaState, AtuaComponents], words: GameMessages) -> dict[str, Sequence[ComponentPicture]]:
    """Return symbols with their printed number, cards, tiles, and the other pieces, by group."""
    components = game.components
    counts = game.data["counts"]

    def does(name: str, count: int, drawing: str) -> ComponentPicture:
        """Return another piece with its explanation.

        Args:
            name: The key of its messages.
            count: The number of pieces.
            drawing: The name of its symbol.
        """
        return ComponentPicture(
            words.say(f"rule.gallery.{name}"),
            count,
            pieces.ruler_alone(components) if name == "ruler" else pieces.symbol_alone(drawing),
            words.say(f"rule.gallery.{name}.does"),
        )

    def card(number: int) -> ComponentPicture:
        """Return an island card or a village card."""
        village = number - components.island_cards
        name = words.name("card", number) if village < 0 else words.name("village", village)
        shown = [words.name("symbol", symbol) for symbol in components.cards[number].symbols if symbol != VILLAGE_STAR]
        return ComponentPicture(name, 1, pieces.card_alone(components, number), ", ".join(shown))

    islands, villages = range(components.island_cards), range(components.island_cards, len(components.cards))
    printed = [symbol for number in islands for symbol in components.cards[number].symbols]
    return {
        "symbols": [
            ComponentPicture(words.name("symbol", symbol), printed.count(symbol), pieces.symbol_alone(SYMBOLS[symbol]))
            for symbol in range(len(SYMBOLS))
            if symbol not in (VILLAGE_STAR, COCONUT)
        ],
        "others": [
            does("coconut", components.coconuts, "coconut"),
            does("ruler", counts["volcano_rulers"], "volcano"),
            does("hut", counts["solo_cards"], "start"),
        ],
        "fates": [
            ComponentPicture(
                words.name(FATE.name, number),
                1,
                pieces.fate_alone(words, number),
                words.translated(fate.text.said(words.language)),
            )
            for number, fate in enumerate(components.fates)
        ],
        "residents": [
            ComponentPicture(words.name(RESIDENT.name, number), 1, pieces.resident_alone(words, number))
            for number in range(len(components.residents))
        ],
        "villages": [card(number) for number in villages],
        "land_cards": [card(number) for number in islands if not components.cards[number].beach],
        "beach_cards": [card(number) for number in islands if components.cards[number].beach],
    }
