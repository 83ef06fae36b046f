"""The possessions in front of each seat: goods and counts, workers, boards, upgrades and pacts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from atoll.engine.translations import GameMessages
from atoll.picture import Drawing, Fact, Region, Row, Rows, fragment

from ..components import VP, WutakiComponents
from ..describe import describe
from ..kinds import ELEMENTS, WORKERS
from ..signs import Sign
from .cults import Cult, Price, board_text, goods, hire_in_words, hire_signs, points
from .drawing import draw, in_row, row_width, sign_of
from .table import named, sockets, tower_sign

_CREW: Final = 32
_CHIP: Final = 27
"""The heights of workers and of chips, in pixels."""
_ON_CHIP: Final = 14.5
"""The size of the signs on a chip."""


@fragment
def belongings(words: GameMessages, seats: int, side: int, cult: Cult, *, own: bool) -> Region:
    """Return the possessions of a seat.

    They are points, resources, counts of cards, workers, boards, upgrades and pacts. The viewer's
    own goods, boards, upgrades and pacts are in the dock.

    Args:
        words: The messages of the game.
        seats: The number of seats.
        side: The side of the island.
        cult: The possessions.
        own: Whether they are the viewer's.
    """
    shown = [points(words, cult).comparison_copy()] if own else goods(words, cult, mine=False)
    facts = [*shown, *_counts(words, cult), *_marks(words, cult)]
    drawings = [_crew(words, cult.seat, cult.home, cult.idle, cult.tower)]
    if not own:
        drawings += _chips(words, seats, side, cult)
    return Region(f"cult-{cult.seat}", "", "seat", drawings, facts, seat=cult.seat)


def _counts(words: GameMessages, cult: Cult) -> list[Fact]:
    """Return the numbers of cards."""
    return [
        Fact(f"count-{key}-{cult.seat}", words.say(f"table.count.{key}"), str(count), sign_of(sign), count)
        for key, sign, count in (
            ("fulfilled", "tablet", cult.fulfilled),
            ("omens", "omen", cult.omens),
            ("vengeance", "curse", cult.vengeance),
            ("secret_pacts", "secret", cult.secret_pacts),
        )
    ]


def _marks(words: GameMessages, cult: Cult) -> list[Fact]:
    """Return the marks of a seat.

    They are those of the start player, of the claim to the next start, and of the end of the game.
    """
    return [
        Fact(f"{id}-{cult.seat}", words.say(f"table.{key}"), value, sign_of(sign))
        for has, id, key, value, sign in (
            (cult.starts, "start", "start_marker.has", "✓", "idol"),
            (cult.claims, "claim", "start_marker.claims", "›", "idol"),
            (cult.has_ended, "ender", "ender", "✓", "skull"),
            (cult.last_turn, "last-turn", "last_turn", "1", "torch"),
        )
        if has
    ]


# -- workers ---------------------------------------------------------------------------------------


@fragment
def _crew(words: GameMessages, seat: int, home: Row, idle: Row, tower: Row) -> Drawing:
    """Return the workers of a seat. `home`, `idle` and `tower` are their numbers there, by type."""
    crews, x = [], 0.0
    for kind, numbers in enumerate(zip(home, idle, tower, strict=True)):
        each = _of_type(words, seat, kind, x, *numbers)
        crews.append(each)
        x += each["width"] + 3
    return Drawing(f"crew-of-{seat}", x, _CREW, draw("crews", crews=crews))


def _of_type(words: GameMessages, seat: int, kind: int, x: float, home: int, idle: int, tower: int) -> dict[str, Any]:
    """Return the workers of one type, from x on; a shadow if there are none."""
    id, step = f"crew-{seat}-{WORKERS[kind]}", 15
    workers: list[dict[str, Any]] = []
    for zone, count, css in (("home", home, ""), ("idle", idle, "idle"), ("tower", tower, "in-tower")):
        for n in range(count):
            aside = 5 if zone == "tower" else 0
            each = {"x": x + 8 + len(workers) * step + aside, "id": f"{id}-{zone}-{n}", "css": css}
            workers.append(each)
    tower_width = tower * step + 8 if tower else 0
    return {
        "id": id,
        "name": words.say("table.workers.all", {"worker": kind, "home": home, "idle": idle, "tower": tower}),
        "seat": seat,
        "kind": WORKERS[kind],
        "home": home,
        "x": x,
        "width": max(step, (home + idle) * step + tower_width),
        "workers": workers,
        "shade": None if workers else x + 8,
        "tower_width": max(tower_width, 20) if tower else 0,
        "tower_x": x + (home + idle) * step + 1,
    }


# -- chips -----------------------------------------------------------------------------------------


def _chips(words: GameMessages, seats: int, side: int, cult: Cult) -> list[Drawing]:
    """Return boards, upgrades and pacts.

    Each is a drawing of its own, so that they fill lines of any width.
    """
    seat, found = cult.seat, []
    if cult.hire is not None:
        found.append(_hire_chip(words, seat, cult.cost_marker, cult.hire))
    if cult.masterboard >= 0:
        found.append(_board_chip(words, seats, seat, cult.masterboard, cult.track, cult.multiplier, cult.fields))
    for slot, card in enumerate(cult.built):
        if card >= 0:
            found.append(_built_chip(words, seats, side, seat, slot, card))
    if cult.ability >= 0:
        found.append(_ability_chip(words, seats, seat, cult.ability, used=cult.ability_used))
    if cult.permanent >= 0:
        found.append(_permanent_chip(words, seats, seat, cult.permanent))
    return found + [_pact_chip(words, seats, seat, place, pact) for place, pact in enumerate(cult.pacts)]


def _chip(id: str, name: str, signs: Sequence[Sign], css: str, fields: Rows = ()) -> Drawing:
    """Return a small thing among a seat's possessions."""
    width = row_width(signs, _ON_CHIP) + 9 + (22 if fields else 0)
    shown = {
        "id": id,
        "name": name,
        "choice": "",
        "css": css,
        "width": width,
        "row": in_row(signs, 5.5, _CHIP / 2 + 1, _ON_CHIP),
        "fields": sockets(fields, width - 15, 19, 20),
    }
    return Drawing(f"chip-{id}", width, _CHIP, draw("seat_chip", chip=shown, height=_CHIP))


@fragment
def _hire_chip(words: GameMessages, seat: int, cost_marker: int, hire: Price) -> Drawing:
    """Return the price of a seat's next worker; see `Cult`."""
    signs = [("", "keep"), *hire_signs(cost_marker, hire)]
    return _chip(f"hire-{seat}", hire_in_words(words, cost_marker, hire), signs, "hire-price")


@fragment
def _board_chip(
    words: GameMessages[WutakiComponents], seats: int, seat: int, face: int, track: int, multiplier: int, fields: Rows
) -> Drawing:
    """Return the masterboard of a seat with the place of its marker; see `Cult`."""
    printed = words.game.components.masterboards[face]
    at = f"{track}/{len(printed.track[seats]) - 1}" if printed.track[seats] else ""
    if len(printed.multiplier) > 1:
        at = f"×{printed.multiplier[multiplier]}"
    title = f"{words.name('masterboard', face)} ({words.say('table.card.masterboard')})"
    name = named(words, title, board_text(words, seats, face, track, multiplier), fields)
    return _chip(f"face-of-{seat}", name, [("", "mask"), (at, "")], "board", fields)


@fragment
def _built_chip(
    words: GameMessages[WutakiComponents], seats: int, side: int, seat: int, slot: int, card: int
) -> Drawing:
    """Return the tower upgrade in a slot of a seat."""
    name = _card_name(words, "tower_upgrade", card, "tower", describe(words, "tower_upgrade", card, seats))
    return _chip(f"built-{seat}-{slot}", name, [("", tower_sign(words.game.components, side, card))], "built")


@fragment
def _ability_chip(words: GameMessages, seats: int, seat: int, ability: int, *, used: bool) -> Drawing:
    """Return the ability of a seat; `used` says whether it is used up."""
    text = words.say("table.used") if used else describe(words, "ability", ability, seats)
    name = _card_name(words, "ability", ability, "ability", text)
    return _chip(f"ability-{seat}", name, [("", "bolt")], "used" if used else "ability")


@fragment
def _permanent_chip(words: GameMessages, seats: int, seat: int, omen: int) -> Drawing:
    """Return the permanent omen of a seat."""
    name = _card_name(words, "omen", omen, "omen", describe(words, "omen", omen, seats))
    return _chip(f"permanent-{seat}", name, [("", "eye")], "omen")


@fragment
def _pact_chip(words: GameMessages[WutakiComponents], seats: int, seat: int, place: int, pact: int) -> Drawing:
    """Return a pact of a seat with the points that it brings."""
    printed = words.game.components.pacts[pact]
    element, vp = ELEMENTS[printed.element], sum(e.n for e in printed.action.effects if e.verb == VP)
    name = f"{words.name('pact', pact)} ({words.name('element', printed.element)}). "
    name += describe(words, "pact", pact, seats)
    return _chip(f"pact-{seat}-{place}", name, [("", element), (str(vp), "")], f"pact {element}")


def _card_name(words: GameMessages, domain: str, card: int, kind: str, text: str) -> str:
    """Return the name of a card for screen readers; `text` describes its effects."""
    return f"{words.name(domain, card)} ({words.say(f'table.card.{kind}')}). {text}"
