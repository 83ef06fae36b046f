"""The default table, made from the declarations of the state, for games without a picture.

- Counters and pools become facts.
- Elements of a domain (`public(domain="card")`, or the back of cards) become cards with names.
- A list whose places are named (`public(places="cell")`) becomes a board.
- Fields indexed by seat are shown at their seat; the viewer's own cards are in the dock.

Each element represents the choices that name it. The label of a field is the message
`table.<field>`, or else its name. The field `phase` isn't shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import isqrt
from typing import TYPE_CHECKING, Any, Final

from markupsafe import Markup

from atoll.engine.state import SeatNumbers, declarations
from atoll.engine.translations import humanize

from .region import Drawing, Fact, Region
from .svg_macros import element, number, shorten, wrap

if TYPE_CHECKING:
    from atoll.engine import Game
    from atoll.engine.state import Visibility
    from atoll.engine.translations import GameMessages

_HIDDEN: Final = frozenset({"seats", "over", "phase"})
_CARD: Final = (88, 120)
_CELL: Final = 56
_LINES: Final = 5
_MOST: Final = 12
_SHORT: Final = 3  # maximum length of a name that is written large
_NOTHING: Final = "–"
_ROW: Final = 8


def regions(game: Game, view: Mapping[str, Any], words: GameMessages) -> list[Region]:
    """Return boards and zones, the viewer's hand, the seats, and other facts.

    Args:
        game: The game.
        view: A view of a position.
        words: Messages of the game.
    """
    return _Table(game, view, words).regions()


def symbols() -> Markup:
    """Return the shared SVG symbols: none."""
    return Markup("")


def emblem() -> Drawing:
    """Return the drawing for lists of games: three cards and a pawn."""
    card = Markup(
        '<rect class="plain-card" x="{}" y="46" width="70" height="100" rx="8" transform="rotate({} 160 160)"/>'
    )
    cards = Markup("").join(card.format(x, turn) for x, turn in ((95, -14), (125, 0), (155, 14)))
    pawn = Markup('<g class="plain-seat-0"><circle cx="160" cy="84" r="12"/><path d="M146 122l8-28h12l8 28z"/></g>')
    return Drawing("emblem-plain", 320, 200, cards + pawn)


class _Table:
    """The regions of one view.

    Args:
        game: The game.
        view: A view of a position.
        words: Messages of the game.

    Attributes:
        game: The game.
        view: A view of a position.
        s: The state in the view.
        words: Messages of the game.
        domains: Domains of the vocabulary by name.
        fields: The fields that are shown, with their declarations.
    """

    def __init__(self, game: Game, view: Mapping[str, Any], words: GameMessages) -> None:
        self.game: Game = game
        self.view: Mapping[str, Any] = view
        self.s: Mapping[str, Any] = view["state"]
        self.words: GameMessages = words
        self.domains = game.vocabulary.domains()
        masks = {each.masks for _, each in declarations(game.state_type)}
        self.fields: list[tuple[str, Visibility]] = [
            (name, each)
            for name, each in declarations(game.state_type)
            if name not in _HIDDEN and name not in masks and self.s[name] is not None
        ]

    def regions(self) -> list[Region]:
        """Return all regions in reading order."""
        areas: list[Region] = []
        hands: list[Region] = []
        counters: list[Fact] = []
        of_seats: list[tuple[list[Drawing], list[Fact]]] = [([], []) for _ in range(self.view["seats"])]
        for name, visibility in self.fields:
            value = self.s[name]
            if visibility.by is not None:
                for seat, each in enumerate(value):
                    if seat == self.view["viewer"] and visibility.who == "owner" and self._are_cards(each, visibility):
                        drawn = self._cards(name, self._of(visibility), each, seat)
                        hands.append(Region(f"hand-{name}", self._title(name), "hand", drawn, flow="fan"))
                    else:
                        self._before(of_seats[seat], name, visibility, each, seat)
            elif visibility.places and isinstance(value, list):
                areas.append(self._board(name, visibility, value))
            elif self._are_cards(value, visibility) or (type(value) is int and value >= 0 and self._of(visibility)):
                drawn = self._cards(name, self._of(visibility), value if isinstance(value, list) else [value])
                areas.append(Region(f"zone-{name}", self._title(name), "shared", drawn))
            else:
                counters += self._facts(name, visibility, value, "")
        board = [Region("counters", self._title("table"), "board", facts=counters)] if counters else []
        seats = [
            Region(f"seat-zone-{seat}", "", "seat", drawings, facts, seat=seat)
            for seat, (drawings, facts) in enumerate(of_seats)
        ]
        return [*areas, *board, *hands, *seats]

    def _before(
        self, found: tuple[list[Drawing], list[Fact]], name: str, visibility: Visibility, value: Any, seat: int
    ) -> None:
        """Append a field's drawings and facts at a seat."""
        drawings, facts = found
        if isinstance(value, dict) and "known" in value:
            facts += self._facts(name, visibility, {"count": value["count"]}, f"-{seat}")
            value = value["known"]
        if self._are_cards(value, visibility):
            drawings += self._cards(name, self._of(visibility), value, seat)
        elif value is not None and value != []:
            facts += self._facts(name, visibility, value, f"-{seat}")

    def _of(self, visibility: Visibility) -> str:
        """Return the domain of a field's numbers; "" if there is none."""
        found = visibility.domain or visibility.back
        return found if found in self.domains else ""

    def _are_cards(self, value: Any, visibility: Visibility) -> bool:
        is_list = isinstance(value, list) and all(type(each) is int for each in value)
        return bool(value) and is_list and bool(self._of(visibility))

    def _title(self, field: str) -> str:
        key = f"table.{field}"
        return self.words.say(key) if self.words.has(f"{self.game.id}.{key}") else humanize(field)

    def _choices(self, domain: str, index: int) -> str:
        """Return the pattern of the choices that name an element."""
        name = self.game.notation.name(domain, index)
        found = []
        for kind in self.game.vocabulary.kinds:
            for at, each in enumerate(kind.domains):
                if each.name == domain and not kind.is_chance:
                    parts = ["*"] * len(kind.domains)
                    parts[at] = name
                    found.append(" ".join([kind.name, *parts]))
        return "; ".join(found)

    def _cards(self, field: str, domain: str, cards: Sequence[int], seat: int | None = None) -> list[Drawing]:
        """Return a drawing per card, each with its own id."""
        met: Counter[int] = Counter()
        place = field if seat is None else f"{field}-{seat}"
        found = []
        for card in cards:
            met[card] += 1
            id = f"card-{place}-{card}" + (f"-{met[card]}" if met[card] > 1 else "")
            if card < 0:
                continue
            drawn = self._card(id, self.words.name(domain, card), self._choices(domain, card))
            found.append(Drawing(f"of-{id}", *_CARD, drawn))
        return found

    def _card(self, id: str, name: str, choice: str) -> Markup:
        wide, high = _CARD
        large = Markup('<text class="plain-large" x="{}" y="{}">{}</text>').format(wide // 2, high // 2 + 12, name)
        lines = [shorten(line, wide - 12, 16) for line in wrap(name, wide - 14, 16)][:_LINES]
        text = Markup("").join(
            Markup('<text class="plain-name" x="{}" y="{}">{}</text>').format(wide // 2, 32 + 20 * at, line)
            for at, line in enumerate(lines)
        )
        return Markup('<g {}><rect class="plain-card" x="2" y="2" width="{}" height="{}" rx="8"/>{}</g>').format(
            element(id, name, choice=choice), wide - 4, high - 4, large if len(name) <= _SHORT else text
        )

    def _board(self, field: str, visibility: Visibility, value: Sequence[Any]) -> Region:
        """Return a board of named places, as square as possible.

        A place shows a name, a seat's pawn or a number.
        """
        columns = isqrt(len(value)) if isqrt(len(value)) ** 2 == len(value) else min(_ROW, len(value))
        cells = Markup("").join(
            self._cell(field, visibility, place, content, place % columns * _CELL, place // columns * _CELL)
            for place, content in enumerate(value)
        )
        high = -(-len(value) // columns) * _CELL
        drawing = Drawing(f"board-{field}", columns * _CELL, high, cells, self._title(field))
        return Region(f"zone-{field}", self._title(field), "board", [drawing], flow="fit")

    def _cell(self, field: str, visibility: Visibility, place: int, content: Any, x: int, y: int) -> Markup:
        name, mark = self.words.name(visibility.places, place), Markup("")
        middle = (x + _CELL // 2, y + _CELL // 2)
        said = self._said(visibility, content)
        if isinstance(visibility.holds, SeatNumbers) and type(content) is int and 0 <= content < self.view["seats"]:
            mark = Markup('<circle class="plain-seat-{}" cx="{}" cy="{}" r="18"/>').format(content % 6, *middle)
            text = Markup('<text class="plain-on" x="{}" y="{}">{}</text>')
            mark += text.format(middle[0], middle[1] + 6, content + 1)
        elif content not in (-1, None, []):
            mark = Markup('<text class="plain-name" x="{}" y="{}">{}</text>').format(
                middle[0], middle[1] + 6, shorten(said, _CELL - 8, 16)
            )
        title = f"{name}: {said}" if mark else name
        return Markup('<g {}><rect class="plain-card" x="{}" y="{}" width="{}" height="{}" rx="5"/>{}</g>').format(
            element(f"{field}-{place}", title, choice=self._choices(visibility.places, place)),
            number(x + 2),
            number(y + 2),
            _CELL - 4,
            _CELL - 4,
            mark,
        )

    def _facts(self, field: str, visibility: Visibility, value: Any, suffix: str) -> Iterator[Fact]:
        """Yield a counter; one per entry for a list of lists."""
        if isinstance(value, list) and value and isinstance(value[0], list):
            for at, each in enumerate(value):
                label = f"{self._title(field)} {at + 1}"
                yield Fact(f"fact-{field}{suffix}-{at}", label, self._said(visibility, each))
            return
        is_count = isinstance(value, dict) and list(value) == ["count"]
        said = str(value["count"]) if is_count else self._said(visibility, value)
        shown = float(said) if said.isdecimal() else None
        yield Fact(f"fact-{field}{suffix}", self._title(field), said, number=shown)

    def _said(self, visibility: Visibility, value: Any) -> str:
        """Return a value as text."""
        if isinstance(value, bool):
            return "✓" if value else _NOTHING
        if isinstance(value, dict):
            return ", ".join(f"{humanize(key)} {self._said(visibility, each)}" for key, each in value.items())
        if isinstance(value, list):
            shown = [self._said(visibility, each) for each in value[:_MOST]]
            return ", ".join([*shown, "…"] if len(value) > _MOST else shown) or _NOTHING
        if type(value) is int:
            domain = self._of(visibility)
            if isinstance(visibility.holds, SeatNumbers) and not visibility.holds.mask:
                return self.words.seat(value) if 0 <= value < self.view["seats"] else _NOTHING
            if domain and 0 <= value < len(self.game.notation.names(domain)):
                return self.words.name(domain, value)
        return _NOTHING if value is None else str(value)
