"""The flow of Atacama, in the order of its RULES.md.

Rule ids such as AC-3.2 and rulings such as R6 are those of RULES.md.
Scoring (AC-3.4) is in scoring.py.
Nothing here is secret or simultaneous.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from typing import Final

from atoll.engine import (
    Choose,
    Draw,
    Flow,
    Game,
    JsonMapping,
    JsonObject,
    OptionError,
    Options,
    ScoreLine,
    find_start_player,
)

from . import scoring
from .component_loader import load_components
from .components import AtacamaComponents
from .kinds import (
    BASE,
    BUY,
    COLUMNS,
    DOUBLE,
    FIELDS,
    LAY,
    NEIGHBORS,
    PLACE,
    PLACE_FIELDS,
    PROMPTS,
    ROWS,
    START,
    VOCABULARY,
)
from .options import OPTIONS
from .reasons import EXPLAINERS
from .state import LAY_BATCH, NO_RIG, NO_ROLE, NOT_LAID, TURN, AtacamaState
from .state import START as START_PHASE

# Placements are looked up in tables because listing them is the hot spot of the game.
PLACEMENTS: Final = tuple(PLACE.choices(field) for field in range(FIELDS))
"""Per field, the choices to place a rig of either kind there."""
BASES: Final = tuple(placements[BASE] for placements in PLACEMENTS)
"""Per field, the choice to place a base rig there."""
DOUBLES: Final = tuple(placements[DOUBLE] for placements in PLACEMENTS)
"""Per field, the choice to place a double rig there."""

CLOSED: Final = tuple(frozenset((field, *NEIGHBORS[field])) for field in range(FIELDS))
"""Per field, the fields that a rig there closes: the field itself and its neighbors."""


def rigs_to_place(components: AtacamaComponents, seats: int, options: Options) -> int:
    """Return the number of rigs that all players together can place.

    Args:
        components: The components.
        seats: Number of players.
        options: All options of the table. With the enhanced setup one rig pays for the concession.
    """
    paid = options["setup"] == "enhanced"
    return sum(components.allotment[seats, bool(options["tactic"])]) * seats - paid


class Atacama(Game[AtacamaState, AtacamaComponents]):
    """Atacama by Martin Schlegel."""

    id = "atacama"
    rules_version = 1
    seat_counts: tuple[int, ...] = (2, 4)
    options = OPTIONS
    max_answers = 40
    vocabulary = VOCABULARY
    prompts = PROMPTS
    state_type = AtacamaState
    explainers = EXPLAINERS
    derived_view_is_public = True

    def load_components(self, data: JsonMapping) -> AtacamaComponents:
        """Return the components described by parsed component data."""
        return load_components(data)

    def titles(self, components: AtacamaComponents, language: str) -> Mapping[str, tuple[str, ...]]:
        """Return the names of ores, concessions, axes and rigs in a language."""
        return components.titles[language]

    def text_values(self, components: AtacamaComponents) -> Mapping[str, int | str]:
        """Return the numbers of the components that messages mention."""
        return {
            "line_minimum": components.line_minimum,
            "double_factor": components.factor[DOUBLE],
            "batch_turns": ", ".join(str(turn) for turn, _ in components.batches[1:]) or "–",
        }

    def rule_facts(self, components: AtacamaComponents, seats: int, options: Options) -> Mapping[str, int | str]:
        """Return the numbers of rigs that the rules page mentions.

        Args:
            components: The components.
            seats: Number of players.
            options: All options of the table.
        """
        tactic_rigs, tactic_doubles = components.allotment[seats, True]
        return {
            "rigs": components.allotment[seats, False][0],
            "tactic_rigs": tactic_rigs,
            "tactic_doubles": tactic_doubles,
            "all_rigs": rigs_to_place(components, seats, options),
        }

    def check_options(self, options: Options, seats: int) -> None:
        """Reject the enhanced setup with 4 players.

        Rule AC-1.2, ruling R20.

        Args:
            options: All options of the table.
            seats: Number of seats.

        Raises:
            OptionError: If the setup is enhanced and `seats` isn't 2.
        """
        if options["setup"] == "enhanced" and seats != 2:
            raise OptionError("option 'setup': 'enhanced' is for 2 players only; allowed with 4: basic")

    def setup(self, components: AtacamaComponents, options: Options, seats: int) -> AtacamaState:
        """Return a state with the supplies of rigs; the first segments lay the board.

        Rule AC-2.3.

        Args:
            components: The components.
            options: All options of the table.
            seats: Number of players.
        """
        base, double = components.allotment[seats, bool(options["tactic"])]
        return AtacamaState(
            seats=seats,
            over=False,
            phase=START_PHASE,
            start_player=0,
            active=0,
            turn=0,
            turns=seats * (base + double),
            sub_boards=[NOT_LAID] * 9,
            stack=list(range(9)),
            batch=0,
            ore=[NOT_LAID] * FIELDS,
            amount=[0] * FIELDS,
            rigs=[NO_RIG] * FIELDS,
            free=[],
            base=[base] * seats,
            double=[double] * seats,
            paid=[0, 0],
            axis=[NO_ROLE] * seats,
            concession=[NO_ROLE] * seats,
            last=-1,
        )

    def play(self, s: AtacamaState) -> Flow:
        """Run one segment: the preparation, a batch of sub-boards, or a turn."""
        if s.phase == TURN:
            return play_turn(s)
        if s.phase == LAY_BATCH:
            return lay_batch(s)
        return prepare(s)

    def scores(self, s: AtacamaState) -> list[int]:
        """Return the score of each seat. The highest one wins, even if all are below zero.

        Rule AC-3.5, rulings R21 and R22.
        """
        return [scoring.score(s, seat) for seat in range(s.seats)]

    def explain(self, s: AtacamaState) -> list[list[ScoreLine]]:
        """Return the score lines of each seat."""
        return [scoring.explain(s, seat) for seat in range(s.seats)]

    def derived_view(self, s: AtacamaState, viewer: int | None) -> JsonObject:
        """Return the rigs and the worth of every line, and the scores as if the game ended now."""
        return scoring.live(s)

    def component_counts(self, s: AtacamaState) -> dict[str, int]:
        """Count rigs in supply, on the board or paid, and sub-boards in the stack or laid."""
        return {
            "base": sum(s.base) + s.rigs.count(BASE) + s.paid[BASE],
            "double": sum(s.double) + s.rigs.count(DOUBLE) + s.paid[DOUBLE],
            "sub_boards": len(s.stack) + sum(each != NOT_LAID for each in s.sub_boards),
        }


def prepare(s: AtacamaState) -> Flow:
    """Find the start player; in the basic game also lay the nine sub-boards and give the roles.

    Rule AC-2.1.
    In the enhanced game the sub-boards come in batches, and nobody has a role yet.
    """
    yield from choose_start_player(s)
    if s.options["setup"] == "basic":
        for sub_board, place in enumerate(s.components.basic_position):
            s.sub_boards[place] = sub_board
        s.ore = list(s.components.basic_ore)
        s.amount = list(s.components.basic_amount)
        s.free = list(range(FIELDS))
        s.stack = []
        give_roles(s)
        s.phase = TURN
    else:
        s.phase = LAY_BATCH


def choose_start_player(s: AtacamaState) -> Flow:
    """Draw the start player, or take the seat that the option names. Rule AC-2.2, ruling R3."""
    s.start_player = yield from find_start_player(s, START)
    s.active = s.start_player
    s.emit("start", seat=s.start_player)


def give_roles(s: AtacamaState) -> None:
    """Give each seat an axis and a concession according to its place in turn order.

    Rules AC-2.2 and AC-6.1, ruling R19.
    """
    for place, (axis, concession) in enumerate(s.components.roles[s.seats]):
        seat = (s.start_player + place) % s.seats
        s.axis[seat] = axis
        s.concession[seat] = concession
        s.emit("role", seat=seat, axis=axis, concession=concession)


def lay_sub_board(s: AtacamaState, sub_board: int, place: int) -> None:
    """Lay a sub-board with its letter at the top right; fields next to a rig are blocked.

    Rule AC-4.1, rulings R10 and R23.

    Args:
        s: The state.
        sub_board: The sub-board.
        place: The place that it fills, 0 to 8.
    """
    s.sub_boards[place] = sub_board
    fields = PLACE_FIELDS[place]
    for field, ore, amount in zip(fields, s.components.ore[sub_board], s.components.amount[sub_board], strict=True):
        s.ore[field] = ore
        s.amount[field] = amount
    s.free = sorted(s.free + [field for field in fields if s.rig_near(field) < 0])


def lay_batch(s: AtacamaState) -> Flow:
    """Lay the next three sub-boards of the stack: triangle, then diagonal, then the rest.

    Rule AC-4.1.
    """
    _, places = s.components.batches[s.batch]
    for place in places:
        sub_board: int = yield Draw(LAY, s.stack)
        s.stack.remove(sub_board)
        lay_sub_board(s, sub_board, place)
        s.emit("laid", sub_board=sub_board, place=place)
    s.batch += 1
    s.phase = TURN
    check_end(s)


def play_turn(s: AtacamaState) -> Flow:
    """Let the active player place a rig or, in the enhanced game, buy a concession.

    Passing isn't allowed.
    Rule AC-3.1, ruling R8.
    """
    seat = s.active
    choice: int = yield Choose(seat, turn_prompt(s), turn_options(s), rule="turn" if s.sold else "buy")
    if s.sold or choice in PLACE:
        place_rig(s, seat, choice)
    else:
        buy_concession(s, seat, choice)
    s.turn += 1
    s.active = (seat + 1) % s.seats
    if s.batch and s.batch < len(s.components.batches) and s.turn == s.components.batches[s.batch][0]:
        s.phase = LAY_BATCH
    else:
        check_end(s)


def turn_prompt(s: AtacamaState) -> str:
    """Return the prompt of a turn: to place, to place or buy, or only to buy.

    Rule AC-4.2, rulings R12 and R13.
    """
    if s.sold:
        return "place"
    return "turn" if s.free and not s.must_buy else "must_buy"


def turn_options(s: AtacamaState) -> list[int]:
    """Return all placements and, until a concession is sold, all purchases.

    If the active player must buy, only purchases are returned.
    Rule AC-4.2, rulings R12 and R13.
    """
    seat = s.active
    if s.sold:
        return placements(s, seat)
    if s.must_buy:
        return purchases(s, seat)
    return placements(s, seat) + purchases(s, seat)


def placements(s: AtacamaState, seat: int) -> list[int]:
    """Return the legal placements of a seat: each free field with each kind of rig in its supply.

    Rules AC-3.2 and AC-5.1, ruling R6.
    """
    if not s.rigs_left(seat, DOUBLE):
        return [BASES[field] for field in s.free]
    if not s.rigs_left(seat, BASE):
        return [DOUBLES[field] for field in s.free]
    return [choice for field in s.free for choice in PLACEMENTS[field]]


def purchases(s: AtacamaState, seat: int) -> list[int]:
    """Return the purchases of a seat: any concession for any axis, paid with a rig of either kind.

    Rules AC-4.2 and AC-5.1.
    """
    paying = [rig for rig in (BASE, DOUBLE) if s.rigs_left(seat, rig)]
    return [BUY.choice(concession, axis, rig) for concession in (0, 1) for axis in (COLUMNS, ROWS) for rig in paying]


def place_rig(s: AtacamaState, seat: int, choice: int) -> None:
    """Place a rig. It stands for the rest of the game and blocks the fields next to it.

    Rule AC-3.2, ruling R24.

    Args:
        s: The state.
        seat: The seat that places it.
        choice: The placement.
    """
    field, rig = PLACE.parts(choice)
    s.rigs[field] = rig
    if rig == BASE:
        s.base[seat] -= 1
    else:
        s.double[seat] -= 1
    free = s.free
    for closed in CLOSED[field]:
        at = bisect_left(free, closed)
        if at < len(free) and free[at] == closed:
            del free[at]
    s.last = field
    if s.events is not None:
        s.emit("placed", seat=seat, field=field, rig=rig)


def buy_concession(s: AtacamaState, seat: int, choice: int) -> None:
    """Give the buyer a concession and an axis, and the other ones to the other player for free.

    Rule AC-4.2, rulings R15 and R17.

    Args:
        s: The state.
        seat: The seat that buys.
        choice: The purchase.
    """
    concession, axis, rig = BUY.parts(choice)
    other = 1 - seat
    s.paid[rig] += 1
    if rig == BASE:
        s.base[seat] -= 1
    else:
        s.double[seat] -= 1
    s.axis[seat], s.axis[other] = axis, 1 - axis
    s.concession[seat], s.concession[other] = concession, 1 - concession
    s.emit("bought", seat=seat, concession=concession, axis=axis, rig=rig)
    s.emit("role", seat=other, axis=1 - axis, concession=1 - concession)


def check_end(s: AtacamaState) -> None:
    """End the game after the last turn, or once no field is left and the concessions are sold.

    Rule AC-3.3, rulings R7 and R13.
    """
    if s.turn == s.turns or (s.sold and not s.free):
        s.over = True
        s.emit("end_turns" if s.turn == s.turns else "end_blocked")
