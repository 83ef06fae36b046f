"""The figures and pieces on the rules page of Atacama."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from atoll.engine import Game, Options
from atoll.engine.languages import said
from atoll.engine.translations import GameMessages
from atoll.picture import ComponentPicture, Drawing, RuleTable, by_seats

from . import picture
from .components import ORES, AtacamaComponents
from .kinds import BASE, CONCESSION, DOUBLE, RIG, SUB_BOARD
from .rules import rigs_to_place
from .state import AtacamaState


def tables(
    game: Game[AtacamaState, AtacamaComponents], words: GameMessages, seats: int, options: Options
) -> dict[str, RuleTable]:
    """Return the tables of setup and scoring.

    They show rigs and roles per number of players, the signs of the concessions, and the batches of
    the enhanced setup.

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

    def role(count: int, place: int) -> str:
        """Return the role of a place in turn order; empty beyond the number of players."""
        if place >= count:
            return ""
        axis, concession = components.roles[count][place]
        return say("roles.role", axis=axis, concession=concession)

    return {
        "setup": by_seats(
            say("players"),
            game.seat_counts,
            seats,
            [
                (words.name(RIG.name, BASE), lambda count: components.allotment[count, False][BASE]),
                (say("setup.tactic", rig=BASE), lambda count: components.allotment[count, True][BASE]),
                (say("setup.tactic", rig=DOUBLE), lambda count: components.allotment[count, True][DOUBLE]),
                (say("setup.all"), lambda count: rigs_to_place(components, count, options)),
            ],
        ),
        "roles": by_seats(
            say("players"),
            game.seat_counts,
            seats,
            [
                (say("roles.place", place=place + 1), partial(role, place=place))
                for place in range(max(game.seat_counts))
            ],
        ),
        "signs": RuleTable(
            (say("signs.concession"), *(words.name("ore", ore) for ore in range(len(ORES)))),
            [
                (words.name(CONCESSION.name, each), *("+" if sign > 0 else "−" for sign in components.multiplier[each]))
                for each in range(CONCESSION.size)
            ],
        ),
        "batches": RuleTable(
            (say("batches.batch"), say("batches.turn"), say("batches.boards")),
            [(number + 1, turn, len(places)) for number, (turn, places) in enumerate(components.batches)],
        ),
    }


def gallery(game: Game[AtacamaState, AtacamaComponents], words: GameMessages) -> dict[str, Sequence[ComponentPicture]]:
    """Return the sub-boards, concessions and rigs, by group."""
    components = game.components
    concessions, rigs = ({each["id"]: each for each in game.data[table]} for table in ("concessions", "rigs"))
    return {
        "sub_boards": [
            ComponentPicture(
                words.say("rule.gallery.sub_board", {"sub_board": board}),
                1,
                Drawing(f"piece-board-{board}", 300, 316, picture.printed_board(words, components, board)),
            )
            for board in range(SUB_BOARD.size)
        ],
        "concessions": [
            ComponentPicture(
                words.name(CONCESSION.name, each),
                1,
                Drawing(f"piece-concession-{each}", 184, 76, picture.concession_card(components, each)),
                words.translated(said(concessions[CONCESSION.names[each]]["text"], words.language)),
            )
            for each in range(CONCESSION.size)
        ],
        "rigs": [
            ComponentPicture(
                words.name(RIG.name, kind),
                rigs[RIG.names[kind]]["count"],
                Drawing(f"piece-rig-{kind}", 110, 90, picture.rig_alone(kind)),
                words.say(f"rule.gallery.{RIG.names[kind]}", {"factor": components.factor[kind]}),
            )
            for kind in range(RIG.size)
        ],
    }
