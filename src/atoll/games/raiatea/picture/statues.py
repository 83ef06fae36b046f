"""The statues with their task tiles."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup

from atoll.engine.translations import GameMessages
from atoll.picture import Drawing, Region, Row, fragment

from ..components import AUCTION, TASK_KINDS, RaiateaComponents
from ..kinds import SPACES_EACH
from ..state import NO_TILE
from .drawing import area, draw, inline
from .signs import task_signs
from .texts import components_of, describer, id_of, say


@fragment
def statue(words: GameMessages, statue: int, tiles: Row, *, unlocked: bool, revealed: bool) -> Region:
    """Draw the task rows of a statue, from top to bottom.

    Args:
        words: The messages of the game.
        statue: The statue, from 0.
        tiles: The tasks on its spaces.
        unlocked: Whether they can be built.
        revealed: Whether they lie face up.

    Returns:
        The region.
    """
    first = statue * SPACES_EACH
    rows = [row for row in components_of(words).rows if row[0] in range(first, first + SPACES_EACH)]
    drawn = []
    for number, row in enumerate(rows):
        for place, space in enumerate(row):
            at = (95.5 - len(row) * 23 + place * 46, 62 + number * 36)
            drawn.append(_tile(words, statue, space, tiles[space - first], *at, revealed=revealed))
    title = say(words, "statue" if unlocked else "statue.locked", number=statue + 1)
    parts = [str(statue + 1), "#vp", *([] if unlocked else ["#lock"])]
    plinth = inline(parts, 95, 322, 120, scale=0.42, size=16, css="pale")
    markup = draw("statue", number=statue, tiles=drawn, plinth=plinth, locked=not unlocked)
    return area(f"statue-{statue}", title, Drawing(f"statue-{statue}", 190, 332, markup, title))


def _tile(
    words: GameMessages, statue: int, space: int, task: int, x: float, y: float, *, revealed: bool
) -> dict[str, Any]:
    """Return a space of a statue: a task, an empty space or a tile that lies face down."""
    told, components, id = describer(words), components_of(words), id_of(words, "space", space)
    where = told.space(space)
    if task == NO_TILE:
        kind = "empty" if revealed else "hidden"
        name = say(words, f"tile.{kind}", n=statue + 1, where=where)
        return {"id": id, "x": x, "y": y, "choice": "", "parts": "", "kind": kind, "name": name}
    return {
        "id": id,
        "x": x,
        "y": y,
        "choice": "" if components.task_kind[task] == AUCTION else f"build {id}",
        "parts": task_parts(components, task, x, y),
        "kind": TASK_KINDS[components.task_kind[task]],
        "name": say(words, "tile", n=components.task_vp[task], text=told.task(task), where=where),
    }


def task_parts(components: RaiateaComponents, task: int, x: float, y: float) -> Markup:
    """Return the demand of a task as a line of signs in the middle of its tile.

    Args:
        components: The components.
        task: The task.
        x: The left edge of the tile.
        y: The top edge of the tile.
    """
    return inline(task_signs(components, task), x + 22, y + 16.5, 39, scale=0.58, size=16, gap=1)
