"""The figures and pieces on the rules page of Atlandice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from atoll.engine import Game, Options
from atoll.engine.translations import GameMessages
from atoll.picture import ComponentPicture, RuleTable, by_seats
from atoll.picture.rulebook import NOTHING, Cell

from .components import BLANK, DONATION, INVENTORY_ALL, AtlandiceComponents
from .kinds import AREA, AREAS, DISTRICTS, KINDS, RESOURCE
from .picture import pieces
from .state import AtlandiceState
from .tile_texts import tile_text


def tables(
    game: Game[AtlandiceState, AtlandiceComponents], words: GameMessages, seats: int, options: Options
) -> dict[str, RuleTable]:
    """Return the tables of the setup per number of players, areas, spaces of the clock, and points.

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

    def left_out(count: int) -> int:
        """Return the greatest number of resources of a kind that stay out of the game."""
        return max(each - components.allotment[count].stock - components.market for each in components.resources)

    return {
        "setup": by_seats(
            say("players"),
            game.seat_counts,
            seats,
            [
                (say("setup.dice"), lambda count: components.allotment[count].dice),
                (say("setup.stock"), lambda count: components.allotment[count].stock),
                (say("setup.market"), lambda count: components.market),
                (say("setup.out"), left_out),
                (say("setup.picks"), lambda count: components.allotment[count].picks),
                (say("setup.neutral"), lambda count: say("yes" if components.allotment[count].neutral else "no")),
            ],
        ),
        "areas": RuleTable(
            (say("areas.area"), say("areas.face"), say("areas.resource")),
            [
                (
                    words.name(AREA.name, area),
                    area + 1,
                    words.name("resources", area) if area < DISTRICTS else NOTHING,
                )
                for area in range(AREAS)
            ],
        ),
        "spaces": RuleTable((say("spaces.what"), say("spaces.count")), _spaces(words, components)),
        "points": RuleTable(
            (say("points.what"), say("points.vp")),
            [
                (say("points.tile"), components.tile_points),
                (say("points.first"), components.first),
                (say("points.second"), components.second),
                (say("points.inventory"), components.inventory),
                (say("points.donation", cost=components.donation_cost), components.donation_points),
                (say("points.final_first"), components.final_first),
                (say("points.final_second"), components.final_second),
            ],
        ),
    }


def _spaces(words: GameMessages, components: AtlandiceComponents) -> list[tuple[Cell, ...]]:
    """Return the effects of the spaces of the clock, with their numbers."""
    found: list[tuple[Cell, ...]] = [
        (words.say("table.space.inventory", {"resources": kind}), components.spaces.count(kind))
        for kind in range(KINDS)
    ]
    plain = {"inventory_all": INVENTORY_ALL, "donation": DONATION, "blank": BLANK}
    found += [(words.say(f"table.space.{name}"), components.spaces.count(code)) for name, code in plain.items()]
    return [row for row in found if row[1]]


def gallery(
    game: Game[AtlandiceState, AtlandiceComponents], words: GameMessages
) -> dict[str, Sequence[ComponentPicture]]:
    """Return resources with their homes, tiles with their effects, and other pieces, by group."""
    components = game.components
    return {
        "resources": [
            ComponentPicture(
                words.name("resources", kind),
                components.resources[kind],
                pieces.piece_alone(RESOURCE.names[kind]),
                words.say("rule.gallery.home", {"area": kind}),
            )
            for kind in range(KINDS)
        ],
        "tiles": [
            ComponentPicture(
                words.name("tile", tile), 1, pieces.tile_alone(words, components, tile), tile_text(words, tile)
            )
            for tile in range(len(components.tiles))
        ],
        "others": [
            ComponentPicture(
                words.say("rule.gallery.dice"),
                game.data["dice"]["count"],
                pieces.piece_alone("die-blank"),
                words.say("rule.gallery.dice.does"),
            ),
            ComponentPicture(
                words.say("rule.gallery.submarine"),
                game.data["submarine"]["count"],
                pieces.piece_alone("submarine"),
                words.say("rule.gallery.submarine.does"),
            ),
        ],
    }
