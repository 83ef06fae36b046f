"""The round track, the priests' path, the tattoos."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from atoll.engine.translations import GameMessages
from atoll.picture import Drawing, Region, Row, fragment

from .drawing import area, draw
from .texts import components_of, say


class _Field(NamedTuple):
    """A field of a path with the marks on it, each as seat, x, y and radius."""

    number: int
    x: float
    y: float
    rank: int
    title: str
    seats: Sequence[tuple[int, float, float, float]]


@fragment
def preparing(words: GameMessages) -> Region:
    """Draw the table before anything is dealt."""
    name = say(words, "preparing")
    return area("track", name, Drawing("preparing", 324, 32, draw("preparing", name=name)), "board")


@fragment
def track(words: GameMessages, seats: int, field: int) -> Region:
    """Draw the round track: suns for action rounds, torches for feasts.

    Args:
        words: The messages of the game.
        seats: The number of seats.
        field: The field of the round marker, as an index of `RaiateaComponents.fields`.

    Returns:
        The region.
    """
    components = components_of(words)
    used = components.track[seats]
    now = used.index(field)
    step = 316 / len(used)
    fields = [
        {
            "feast": components.fields[each].feast,
            "now": place == now,
            "done": place < now,
            "x": 4 + (place + 0.5) * step,
            "number": 1 + sum(not components.fields[before].feast for before in used[:place]),
        }
        for place, each in enumerate(used)
    ]
    key = "now_feast" if fields[now]["feast"] else "now_round"
    name = say(words, key, number=fields[now]["feast"] or fields[now]["number"])
    return area("track", name, Drawing("round-track", 324, 32, draw("track", fields=fields, name=name)))


@fragment
def priests(words: GameMessages, at: Row) -> Region:
    """Draw the priests' path: stepping stones in two bends.

    `at` has the number of priests of each seat.

    Args:
        words: The messages of the game.
        at: The location of the entry in the file.

    Returns:
        The region.
    """
    most = components_of(words).max_priests
    first = (most + 2) // 2
    step = 214 / max(1, first - 1)
    places = [
        (18 + number * step, 80 - number % 2 * 6)
        if number < first
        else (18 + (2 * first - 1 - number - 0.5) * step, 30 - number % 2 * 6)
        for number in range(most + 1)
    ]
    return _path(words, "priests", at, 104, _fields(at, places, {}, drop=-6))


@fragment
def priests_tall(words: GameMessages, at: Row) -> Region:
    """Draw the priests' path on a phone: in three bends.

    `at` has the number of priests of each seat.

    Args:
        words: The messages of the game.
        at: The location of the entry in the file.

    Returns:
        The region.
    """
    most = components_of(words).max_priests
    in_line = (most + 3) // 3
    lines = [divmod(number, in_line) for number in range(most + 1)]
    places = [
        (26 + 198 / max(1, in_line - 1) * (in_line - 1 - column if line % 2 else column), 155 - 62 * line)
        for line, column in lines
    ]
    return _path(words, "priests", at, 186, _fields(at, places, {}, 1.5, drop=-9), tall=True)


@fragment
def tattoos(words: GameMessages, at: Row) -> Region:
    """Draw the tattoos: a band of bark cloth in two lines, one color for each rank.

    `at` has the number of each seat. Marks are left of the numbers.

    Args:
        words: The messages of the game.
        at: The location of the entry in the file.

    Returns:
        The region.
    """
    most = components_of(words).max_tattoos
    first = (most + 2) // 2
    places = [(21 + number % first * 250 / first, 30 + number // first * 52) for number in range(most + 1)]
    return _path(words, "tattoos", at, 104, _fields(at, places, _ranks(words), drop=-1))


@fragment
def tattoos_tall(words: GameMessages, at: Row) -> Region:
    """Draw the tattoos on a phone: in three lines. `at` has the number of each seat."""
    most = components_of(words).max_tattoos
    in_line = (most + 3) // 3
    places = [
        (125 / in_line + number % in_line * 250 / in_line, 31 + number // in_line * 62) for number in range(most + 1)
    ]
    return _path(words, "tattoos", at, 186, _fields(at, places, _ranks(words), 1.5, drop=9), tall=True)


def _ranks(words: GameMessages) -> Mapping[int, str]:
    """Return the names of the ranks by the first number of tattoos that they need."""
    return {number: words.name("rank", rank) for rank, number in enumerate(components_of(words).rank_tattoos)}


def _path(
    words: GameMessages, id: str, at: Row, height: int, fields: Sequence[_Field], *, tall: bool = False
) -> Region:
    """Draw a path. A tall one is that of a phone."""
    listed = ", ".join(f"{words.seat(seat)} {n}" for seat, n in enumerate(at))
    title, form = say(words, id), "-tall" if tall else ""
    markup = draw("path_tall" if tall else "path", id=id, name=f"{title}: {listed}", fields=fields)
    return area(f"{id}{form}", title, Drawing(f"{id}{form}", 250, height, markup))


def _fields(
    at: Row, places: Sequence[tuple[float, float]], ranks: Mapping[int, str], scale: float = 1, *, drop: int
) -> list[_Field]:
    """Return the fields of a path.

    Args:
        at: The number of the field of each seat.
        places: The middle of each field.
        ranks: The names of ranks by the number of the field at which they begin.
        scale: The scale of the marks.
        drop: How far below the middle of its field a mark stands.
    """
    rank, fields = 0, []
    for number, (x, y) in enumerate(places):
        rank += number in ranks and number > 0
        here = [seat for seat, reached in enumerate(at) if reached == number]
        spots = zip(here, _side_by_side(len(here), left=bool(ranks)), strict=True)
        marks = [(seat, x + dx * scale, y + dy * scale + drop, r * scale) for seat, (dx, dy, r) in spots]
        fields.append(_Field(number, x, y, rank, ranks.get(number, ""), marks))
    return fields


def _side_by_side(many: int, *, left: bool) -> list[tuple[float, float, float]]:
    """Return places and radii of the marks on one field of a path.

    From three marks on they are in two lines, and none covers another.

    Args:
        many: The number of marks.
        left: Whether the lower line begins where the upper one does, because there is a number at
            its right.
    """
    if many <= 2:
        return [(16 * (each - (many - 1) / 2), -6 if left else -4, 7.5) for each in range(many)]
    above = min(3, many - 1) if left else (many + 1) // 2
    lines = [(above, above, -8.5), (many - above, above if left else many - above, 4.5)]
    return [(13 * (each - (broad - 1) / 2), y, 6) for here, broad, y in lines for each in range(here)]
