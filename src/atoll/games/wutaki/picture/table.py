"""Parts that several areas of the table have: fields with workers, tower upgrades."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup

from atoll.engine.translations import GameMessages
from atoll.picture import Drawing, Region, Rows

from ..components import WutakiComponents
from ..kinds import ELEMENTS, RESOURCES, WORKERS
from ..signs import Sign
from ..view import WutakiTable


def area(id: str, title: str, width: float, height: float, markup: Markup) -> Region:
    """Return an area of the scene with one drawing.

    Args:
        id: The id of the area.
        title: Its title.
        width: The width of the drawing in pixels.
        height: Its height.
        markup: The drawing.
    """
    return Region(id, title, "board", [Drawing(f"at-{id}", width, height, markup)], flow="fit")


def fields_at(s: WutakiTable, spot: int) -> Rows:
    """Return the fields of a spot, each with the workers on it as numbers of `state.WORKER`."""
    fields = [(who,) if who >= 0 else () for who in s.fields[spot]]
    if s.guest and s.guest[0] == spot:
        _, field, who = s.guest
        fields[field] = (*fields[field], who)
    return tuple(fields)


def named(words: GameMessages, title: str, text: str, fields: Rows) -> str:
    """Return the name of a place for screen readers.

    Args:
        words: The messages of the game.
        title: The title of the place.
        text: The description of its action.
        fields: Its fields; see `fields_at`.
    """
    there = [worker_name(words, *divmod(who, len(WORKERS))) for field in fields for who in field]
    parts = [f"{title}.", text, words.say("table.there", {"who": ", ".join(there)}) if there else ""]
    return " ".join(filter(None, parts))


def worker_name(words: GameMessages, seat: int, kind: int) -> str:
    """Return the name of a worker.

    Args:
        words: The messages of the game.
        seat: The seat concerned.
        kind: The type of the worker.
    """
    return words.say("table.worker", {"seat": seat, "worker": kind})


def sockets(fields: Rows, x: float, y: float, step: float) -> list[dict[str, Any]]:
    """Return the fields of a place as the template draws them.

    Args:
        fields: The fields; see `fields_at`.
        x: The middle of their row.
        y: Its height.
        step: The distance between two fields.
    """
    return [
        {
            "x": x + (field - (len(fields) - 1) / 2) * step,
            "y": y,
            "r": min(13, step / 2 - 0.5),
            "field": field + 1,
            "who": [{"seat": who // len(WORKERS), "kind": WORKERS[who % len(WORKERS)]} for who in workers],
        }
        for field, workers in enumerate(fields)
    ]


def tower_price(components: WutakiComponents, slot: int, discount: int) -> list[Sign]:
    """Return the price of a tower upgrade.

    Args:
        components: The components.
        slot: The slot of the upgrade.
        discount: The gold that it costs less in this round.
    """
    return [(str(max(0, components.tower_prices[slot] - discount)), "gold")]


def tower_sign(components: WutakiComponents, side: int, card: int) -> str:
    """Return the sign of a tower upgrade.

    Args:
        components: The components.
        side: The side of the island, which determines the yields of places.
        card: The upgrade.
    """
    upgrade = components.tower_upgrades[card]
    if upgrade.element >= 0:
        return ELEMENTS[upgrade.element]
    return RESOURCES[components.boards[side].places[upgrade.place].kind]
