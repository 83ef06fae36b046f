"""The data of Wutaki's rules page: tables of setup, places, prices, tracks and points; pictures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from atoll.engine import Game, Options
from atoll.engine.translations import GameMessages
from atoll.picture import ComponentPicture, Drawing, RuleTable, by_seats
from atoll.picture.rulebook import NOTHING, Cell
from atoll.picture.svg_macros import signed

from . import scoring
from .components import BOARDS, COUNTER_EVENTS, Board, Level, Masterboard, WutakiComponents
from .describe import action_in_words, cost_in_words, describe, effects_in_words, face_in_words
from .kinds import ELEMENTS, EXTRA, FIRST_STANDARD, LOYAL, MAIN_PLACES, RESOURCES, SPECIAL, VILLAGE, WORKERS
from .picture import pieces
from .state import WutakiState

_IN_THE_BOX: Final[dict[str, str]] = {
    **dict.fromkeys(("resource_tokens", "pacts", "secret_pacts", "omens", "vengeance", "round_cards"), "game"),
    **dict.fromkeys(("element_cards", "tower_upgrades", "cost_markers", "masterboards", "abilities"), "game"),
    **dict.fromkeys(("neutral_markers", "start_markers", "player_boards"), "game"),
    **dict.fromkeys(("loyal_workers_per_player", "extra_workers_per_player", "special_workers_per_player"), "player"),
    **dict.fromkeys(("upgrade_markers_per_player", "vp_markers_per_player"), "player"),
}
"""The contents of the box by their key in `counts`.

The value says whether they are counted for the "game" or for each "player".
"""


class _Tables:
    """The tables for a number of players and a side of the main board."""

    def __init__(self, game: Game[WutakiState, WutakiComponents], words: GameMessages, seats: int, side: int) -> None:
        self.components: WutakiComponents = game.components
        self.counts: Mapping[str, int] = game.data["counts"]
        self.words: GameMessages = words
        self.seat_counts: tuple[int, ...] = game.seat_counts
        self.seats: int = seats
        self.board: Board = self.components.boards[side]

    def say(self, key: str, /, **fields: Any) -> str:
        """Return a text of a table."""
        return self.words.say(f"rule.table.{key}", fields)

    def by_seats(self, rows: Sequence[tuple[str, Callable[[int], Cell]]]) -> RuleTable:
        """Return a table with a column for each number of players."""
        return by_seats(self.say("players"), self.seat_counts, self.seats, rows)

    def contents(self) -> RuleTable:
        """Return the contents of the box."""
        rows: list[tuple[Cell, ...]] = []
        for key, whose in _IN_THE_BOX.items():
            n = self.counts[key]
            each = whose == "player"
            rows.append((self.say(f"contents.{key}"), n if each else NOTHING, n * max(self.seat_counts) if each else n))
        return RuleTable((self.say("contents.what"), self.say("contents.player"), self.say("contents.all")), rows)

    def setup(self) -> RuleTable:
        """Return the start of the game: the possessions of each seat, and the supply."""
        components, board = self.components, self.board

        def supply(kind: int) -> Callable[[int], Cell]:
            """Return the tokens of a kind in the supply by number of seats."""
            return lambda count: components.tokens[kind] - count * components.start_stock[kind]

        rows: list[tuple[str, Callable[[int], Cell]]] = [
            (self.say("setup.vp"), lambda _: components.start_vp),
            (self.say("setup.stock"), lambda _: self._amounts(components.start_stock)),
            (self.say("setup.loyal"), lambda _: components.loyal_workers),
            (self.say("setup.tower"), lambda _: f"{board.extra_workers} + {components.special_workers}"),
            (self.say("setup.markers"), lambda _: components.upgrade_markers),
            *((self.say("setup.supply", resource=kind), supply(kind)) for kind in range(len(RESOURCES))),
            (self.say("setup.fields"), lambda count: sum(place.fields[count] for place in board.places)),
            (self.say("setup.counter"), lambda count: len(self.board.counter_positions(count))),
        ]
        return self.by_seats(rows)

    def _amounts(self, stock: Sequence[int]) -> str:
        """Return the same number of each kind as one number, else kind by kind."""
        if len(set(stock)) == 1:
            return str(stock[0])
        return ", ".join(f"{n} {self.words.name('resource', kind)}" for kind, n in enumerate(stock))

    def standard(self) -> RuleTable:
        """Return the yields of the standard places by level, and the bonuses for marker owners."""
        head = [self.say("place")]
        head += [self.say("standard.level", level=level) for level in range(len(self.board.places[VILLAGE].yields))]
        return RuleTable([*head, self.say("standard.bonus")], [self._yields(place) for place in _standard()])

    def _yields(self, place: int) -> tuple[Cell, ...]:
        printed = self.board.places[place]
        level = [self._yield(printed.kind, n) for n in printed.yields]
        bonus = self.words.say("table.or").join(self.words.name("resource", kind) for kind in printed.bonus)
        return (self.words.name("place", place), *level, bonus)

    def _yield(self, kind: int, n: int) -> str:
        if kind < 0:
            return self.say("standard.hire", number=n)
        return self.words.say("effect.tokens", {"n": n, "resource": kind})

    def places(self) -> RuleTable:
        """Return the actions of the other places of the main board."""
        return RuleTable(
            (self.say("place"), self.say("places.action")),
            [
                (self.words.name("place", place), action_in_words(self.words, self.board.places[place].action))
                for place in range(len(MAIN_PLACES))
                if place not in _standard()
            ],
        )

    def fields(self) -> RuleTable:
        """Return the fields in use at each place."""
        return self.by_seats(
            [
                (self.words.name("place", place), printed.fields.__getitem__)
                for place, printed in enumerate(self.board.places)
            ]
        )

    def hiring(self) -> RuleTable:
        """Return the price of each worker of the tower, from left to right."""
        *extras, special = reversed(range(len(self.board.hire_prices)))
        rows = [(self.say("hiring.extra", number=nth + 1), left) for nth, left in enumerate(extras)]
        rows.append((self.words.name("worker", SPECIAL), special))
        return RuleTable(
            (self.say("hiring.worker"), self.say("price")), [(name, self._hire(left)) for name, left in rows]
        )

    def _hire(self, left: int) -> str:
        marked, gold = self.board.hire_prices[left]
        parts = [self.words.say("effect.cost_marker", {"n": marked})] if marked else []
        parts += [self.words.say("effect.tokens", {"n": gold, "resource": 0})] if gold else []
        return ", ".join(parts) or self.say("hiring.free")

    def slots(self) -> RuleTable:
        """Return the gold of the slots for open pacts, from left to right."""
        return RuleTable(
            (self.say("slots.slot"), *(str(slot + 1) for slot in range(len(self.board.slot_gold)))),
            [(self.say("slots.gold"), *(signed(gold) if gold else "0" for gold in self.board.slot_gold))],
        )

    def counter(self) -> RuleTable:
        """Return the positions of the pact counter with their events."""
        rows: list[tuple[str, Callable[[int], Cell]]] = [
            (self.say("counter.positions"), lambda count: ", ".join(map(str, self.board.counter_positions(count))))
        ]
        for event, name in enumerate(COUNTER_EVENTS):

            def positions(count: int, event: int = event) -> str:
                """Return the positions of an event for a number of seats."""
                here = [str(at) for at in self.board.counter_positions(count) if self.board.counter_event[at] == event]
                return ", ".join(here) or NOTHING

            rows.append((self.say(f"counter.{name}"), positions))
        return self.by_seats(rows)

    def upgrades(self) -> RuleTable:
        """Return the prices of upgrades."""
        rows: list[tuple[Cell, ...]] = [
            (self.say("upgrades.place", number=slot + 1), price) for slot, price in enumerate(self.board.upgrade_prices)
        ]
        rows += [
            (self.say(f"upgrades.{slot}"), price)
            for slot, price in zip(("element", "resource"), self.components.tower_prices, strict=True)
        ]
        return RuleTable((self.say("upgrades.what"), self.say("upgrades.gold")), rows)

    def pyramid(self) -> RuleTable:
        """Return the levels of the pyramid, the top first."""
        head = ("level", "room", "cost", "vp", "extras")
        return RuleTable(
            [self.say(f"pyramid.{each}") for each in head],
            [
                (number, level.room, self._climb(level), level.vp, self._extras(level) or NOTHING)
                for number, level in reversed(list(enumerate(self.board.levels, 1)))
            ],
        )

    def _climb(self, level: Level) -> str:
        return cost_in_words(self.words, level.climb.cost) or NOTHING

    def _extras(self, level: Level) -> str:
        return effects_in_words(self.words, level.climb.effects)

    def tracks(self) -> RuleTable:
        """Return the spaces of the pact tracks with their effects."""
        faces = [index for index, face in enumerate(self.components.masterboards) if face.track[self.seats]]
        tracks = [self.components.masterboards[index].track[self.seats] for index in faces]
        head = [self.say("tracks.pact"), *(self.words.name("masterboard", index) for index in faces)]
        rows: list[tuple[Cell, ...]] = []
        for space in range(1, max(map(len, tracks), default=1)):
            there = [effects_in_words(self.words, track[space]) if space < len(track) else "" for track in tracks]
            if any(there):
                rows.append((space, *(each or NOTHING for each in there)))
        return RuleTable(head, rows)

    def elements(self) -> RuleTable:
        """Return the elements with their opposites."""
        return RuleTable(
            [self.say(f"elements.{each}") for each in ("element", "anti")],
            [
                (self.words.name("element", self.components.elements[card].element), self.words.name("element", anti))
                for card in range(len(ELEMENTS))
                for anti in [self.components.elements[card].anti]
            ],
        )

    def scoring(self) -> RuleTable:
        """Return the sums of the final score."""
        cards = self.components.elements
        towers = [each for each in self.components.tower_upgrades if each.element >= 0]
        most = max((n for face in self.components.masterboards for n in face.multiplier), default=1)
        points: dict[str, str] = {
            "vengeance": _range([-card.penalty for card in self.components.vengeance]),
            "unfulfilled": signed(-scoring.UNFULFILLED_PENALTY),
            "secret_pacts": _range([card.vp for card in self.components.secret_pacts]),
            "element_bonus": _range([card.bonus for card in cards]),
            "element_malus": _range([-card.malus for card in cards]),
            "tower_bonus": _range([card.bonus for card in towers]),
            "tower_malus": _range([-card.malus for card in towers]),
            "permanent": self.say("scoring.as_printed"),
            "others": _range([1, most]),
            "resources": signed(scoring.SET_VP),
        }
        facts = {"size": scoring.SET_SIZE, "most": scoring.MOST_SET_VP}
        return RuleTable(
            (self.say("scoring.what"), self.say("scoring.vp")),
            [(self.say(f"scoring.{key}", **facts), vp) for key, vp in points.items()],
        )

    def boards(self) -> RuleTable:
        """Return all differences between the two sides of the main board."""
        rows: list[tuple[Cell, ...]] = []

        def compare(name: str, what: Callable[[Board], str]) -> None:
            """Add a row if the sides differ."""
            found = [what(board) for board in self.components.boards]
            if found[0] != found[1]:
                rows.append((name, *found))

        compare(self.say("setup.tower"), lambda board: f"{board.extra_workers} + {self.components.special_workers}")
        compare(
            self.say("slots.gold"), lambda board: " / ".join(signed(gold) if gold else "0" for gold in board.slot_gold)
        )
        compare(self.say("boards.upgrades"), lambda board: " / ".join(map(str, board.upgrade_prices)))
        for number in range(len(self.board.levels)):

            def level(board: Board, number: int = number) -> str:
                """Return the points and extras of a level."""
                extras = self._extras(board.levels[number])
                vp = self.words.say("effect.vp", {"n": board.levels[number].vp})
                return f"{vp}; {extras}" if extras else vp

            compare(self.say("boards.level", number=number + 1), level)
        for place in range(len(MAIN_PLACES)):

            def action(board: Board, place: int = place) -> str:
                """Return the action or the yields of a place."""
                printed = board.places[place]
                if printed.yields:
                    return " / ".join(map(str, printed.yields))
                return action_in_words(self.words, printed.action)

            def fields(board: Board, place: int = place) -> str:
                """Return the number of fields of a place, by number of seats."""
                return " / ".join(str(board.places[place].fields[count]) for count in self.seat_counts)

            compare(self.words.name("place", place), action)
            compare(self.say("boards.fields", place=place), fields)
        names = [self.words.say(f"option.board.{each}") for each in BOARDS]
        return RuleTable((self.say("boards.what"), *names), rows)


def _standard() -> range:
    return range(FIRST_STANDARD, VILLAGE + 1)


def _range(values: Sequence[int]) -> str:
    """Return one signed number, or the ones nearest to and farthest from zero."""
    ordered = sorted(set(values), key=abs)
    return " … ".join(signed(each) for each in dict.fromkeys((ordered[0], ordered[-1])))


def tables(game: Game, words: GameMessages, seats: int, options: Options) -> dict[str, RuleTable]:
    """Return all tables, for a number of players and the side of the main board that is played.

    Args:
        game: The game.
        words: The messages of the game.
        seats: The number of seats.
        options: The options of the game.
    """
    made = _Tables(game, words, seats, BOARDS.index(options["board"]))
    return {
        "contents": made.contents(),
        "setup": made.setup(),
        "standard": made.standard(),
        "places": made.places(),
        "fields": made.fields(),
        "hiring": made.hiring(),
        "slots": made.slots(),
        "counter": made.counter(),
        "upgrades": made.upgrades(),
        "pyramid": made.pyramid(),
        "tracks": made.tracks(),
        "elements": made.elements(),
        "scoring": made.scoring(),
        "boards": made.boards(),
    }


def gallery(game: Game[WutakiState, WutakiComponents], words: GameMessages) -> dict[str, Sequence[ComponentPicture]]:
    """Return the components by group: resources, workers and markers, cards and masterboards."""
    components = game.components
    counts, most = game.data["counts"], max(game.seat_counts)

    def say(key: str, /, **fields: Any) -> str:
        """Return a text of the gallery."""
        return words.say(f"rule.gallery.{key}", fields)

    def cards(domain: str, count: Callable[[int], int] = lambda _: 1) -> list[ComponentPicture]:
        """Return the pictures of a domain's cards."""
        found = []
        for card in range(len(components.ids[domain])):
            text = describe(words, domain, card, most)
            drawn = pieces.card_alone(words, domain, card, text)
            found.append(ComponentPicture(words.name(domain, card), count(card), drawn, text))
        return found

    workers = {
        LOYAL: components.loyal_workers,
        EXTRA: counts["extra_workers_per_player"],
        SPECIAL: components.special_workers,
    }
    return {
        "resources": [
            ComponentPicture(words.name("resource", kind), components.tokens[kind], pieces.piece_alone(name))
            for kind, name in enumerate(RESOURCES)
        ],
        "workers": [
            ComponentPicture(
                words.name("worker", kind), n * most, pieces.piece_alone(WORKERS[kind], kind), say(WORKERS[kind])
            )
            for kind, n in workers.items()
        ],
        "markers": [
            ComponentPicture(
                say("upgrade_marker"),
                components.upgrade_markers * most,
                pieces.piece_alone("flag"),
                say("upgrade_marker.does"),
            ),
            *(
                ComponentPicture(
                    say("cost_marker", resource=kind),
                    1,
                    pieces.cost_marker_alone(RESOURCES[kind]),
                    say("cost_marker.does"),
                )
                for kind in components.cost_markers
            ),
            ComponentPicture(
                say("start_marker"), counts["start_markers"], pieces.piece_alone("idol"), say("start_marker.does")
            ),
        ],
        "pacts": cards("pact"),
        "tower_upgrades": cards("tower_upgrade"),
        "omens": cards("omen", lambda card: components.omens[card].copies),
        "vengeance": cards("vengeance"),
        "secret_pacts": cards("secret_pact"),
        "element_cards": cards("element_card"),
        "abilities": cards("ability"),
        "round_cards": [
            ComponentPicture(
                words.name("round_card", card),
                1,
                _round_card(words, components, card),
                describe(words, "round_card", card, most),
            )
            for card in range(len(components.round_cards))
        ],
        "masterboards": [
            ComponentPicture(
                words.name("masterboard", index),
                face.copies,
                pieces.masterboard_alone(words, index, most),
                _face_text(words, face, min(game.seat_counts)),
            )
            for index, face in enumerate(components.masterboards)
        ],
    }


def _round_card(words: GameMessages, components: WutakiComponents, card: int) -> Drawing:
    return pieces.round_card_alone(words, card, words.say(f"rule.gallery.round.{components.round_cards[card].kind}"))


def _face_text(words: GameMessages, face: Masterboard, fewest: int) -> str:
    """Return the effects of a masterboard; its pact track has a table."""
    parts = [face_in_words(words, face)]
    if any(face.track):
        parts.append(words.say("rule.gallery.track"))
    if face.recommended_from > fewest:
        parts.append(words.say("rule.gallery.recommended", {"number": face.recommended_from}))
    return " ".join(filter(None, parts))
