"""Endgames, on which exact methods run: OpenSpiel's `atoll_late_atacama` and others.

    game = pyspiel.load_game("atoll_late_raiatea(seed=11,left=5,deals=4)")
    table = as_tree(game)                          # of atoll.env.tiny

An endgame begins where a seeded game of greedy bots has the given number of decisions left. Hidden
information of the seat to move is determinized by chance, in one of the given number of deals. Its
own cards are the same in all deals. The number of histories depends on the game and the seed; with
the settings of `LATE` it is one to six thousand.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping
from random import Random
from typing import Any, ClassVar, Final

import pyspiel

import atoll
from atoll.bots import bot, decide
from atoll.engine import Game, Position, SeatView

from .openspiel import PREFIX, SpielGame, SpielState, game_type

LATE: Final[dict[str, dict[str, int]]] = {
    "atacama": {"seed": 2, "left": 5, "deals": 1},
    "atlandice": {"seed": 2, "left": 6, "deals": 1},
    "raiatea": {"seed": 11, "left": 5, "deals": 4},
}
"""Default settings by game.

Atua and Wutaki are missing: they have few enough histories only when a single seat decides.
"""


def late_position(game: Game, seats: int, seed: int, left: int) -> Position:
    """Return the position where a game of greedy bots has the given number of decisions left.

    A decision has at least two choices. Simultaneous, hidden answers of several seats count as one
    decision. The position's chance is entered by hand.

    Args:
        game: The game.
        seats: Number of seats.
        seed: Seed of the game and its bots.
        left: Number of decisions left, at least 1.

    Returns:
        The position.

    Raises:
        ValueError: If `left` is below 1, or the game has fewer decisions.
    """
    if left < 1:
        raise ValueError(f"invalid left {left}: expected at least 1")
    position = game.new(seats, seed=seed)
    greedy = bot(game, "greedy")
    random = Random(seed)
    moments: deque[Position] = deque(maxlen=left)
    while not position.over:
        seat = position.to_move[0]
        if len(position.legal_choices(seat)) > 1 and not any(position.sealed_ready or ()):
            moments.append(position.fork())
        position.apply(decide(greedy, SeatView(position, seat), 1.0, random.getrandbits(32)).choices, seat)
    if len(moments) < left:
        raise ValueError(f"invalid left {left}: this game had {len(moments)} decisions")
    return moments[0]


def deal(position: Position, deals: int) -> list[tuple[Position, float]]:
    """Return determinizations for the seat to move, with their probabilities.

    Args:
        position: The position.
        deals: Number of determinizations, at least 1; with 1 the position itself is returned.

    Returns:
        The different positions, each with its part of the determinizations.

    Raises:
        ValueError: If `deals` is below 1.
    """
    if deals < 1:
        raise ValueError(f"invalid deals {deals}: expected at least 1")
    if deals == 1:
        return [(position, 1.0)]
    found: dict[str, Position] = {}
    count: Counter[str] = Counter()
    for seed in range(deals):
        copy = position.fork()
        copy.determinize(copy.to_move[0], seed)
        found.setdefault(copy.digest(), copy)
        count[copy.digest()] += 1
    return [(copy, count[key] / deals) for key, copy in found.items()]


class _Deals(list[tuple[Position, float]]):
    """Initial positions with their probabilities.

    They never change, so deep copies share them.
    """

    def __deepcopy__(self, memo: dict[int, Any]) -> _Deals:
        return self


class EndgameState(SpielState):
    """A state of an endgame; at the first one, chance deals."""

    def __init__(self, game: EndgameGame) -> None:
        super().__init__(game, game.deals[0][0].fork())
        self._deals: _Deals | None = game.deals if len(game.deals) > 1 else None

    def current_player(self) -> int:
        """Return the player to move; chance before the deal."""
        return super().current_player() if self._deals is None else int(pyspiel.PlayerId.CHANCE)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes with their probabilities; before the deal, the numbers of deals."""
        if self._deals is None:
            return super().chance_outcomes()
        return [(number, chance) for number, (_, chance) in enumerate(self._deals)]

    def _apply_action(self, action: int) -> None:
        if self._deals is None:
            super()._apply_action(action)
            return
        self.position = self._deals[action][0].fork()
        self._deals = None

    def _action_to_string(self, player: int, action: int) -> str:
        return super()._action_to_string(player, action) if self._deals is None else f"deal {action}"

    def __str__(self) -> str:
        return super().__str__() if self._deals is None else "before the deal"


class EndgameGame(SpielGame):
    """An endgame with the game's `min_multiplayer_seats` and default options.

    Attributes:
        deals: Initial positions with their probabilities.
    """

    home: ClassVar[str] = __name__

    def __init__(self, game: Game, params: Mapping[str, Any] | None = None) -> None:
        """Create an endgame.

        Args:
            game: The game.
            params: `seed`, `left` and `deals`; None for the settings of `LATE`.

        Raises:
            ValueError: If a parameter is out of range.
        """
        given = {**LATE[game.id], **dict(params or {})}
        seats = game.min_multiplayer_seats
        kind = _kind(game)
        self.deals: _Deals = _Deals(deal(late_position(game, seats, given["seed"], given["left"]), given["deals"]))
        super().__init__(game, {"players": seats}, kind=kind, shown=given, deals=len(self.deals))

    def new_initial_state(self) -> EndgameState:
        """Return the initial state."""
        return EndgameState(self)


def _kind(game: Game) -> Any:
    """Return the OpenSpiel type of a game's endgame."""
    return game_type(game, LATE[game.id], f"late_{game.id}", seats=game.min_multiplayer_seats)


def _register(game: Game) -> None:
    """Register the endgame of a game with OpenSpiel."""

    def construct(self: EndgameGame, params: Mapping[str, Any] | None = None) -> None:
        """Construct the endgame as OpenSpiel does."""
        EndgameGame.__init__(self, game, params)

    pyspiel.register_game(_kind(game), type(f"Late_{game.id}", (EndgameGame,), {"__init__": construct}))


for _id in LATE:
    if f"{PREFIX}late_{_id}" not in {each.short_name for each in pyspiel.registered_games()}:
        _register(atoll.games[_id])
