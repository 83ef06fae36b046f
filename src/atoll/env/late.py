"""The ends of games, on which exact methods run: OpenSpiel's `atoll_late_atacama` and so on.

    game = pyspiel.load_game("atoll_late_raiatea(seed=11,left=5,deals=4)")
    table = as_tree(game)                          # of atoll.env.tiny

It begins where a game that greedy bots play by the seed has so many decisions left. What the seat that is asked then
can't know is dealt anew by chance, in one of so many ways (`Position.redeal`); its own cards are the same in all. How
many histories there are depends on the game and the seed; with the settings of `LATE` one to six thousand.
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
"""Per game the usual settings. In Atua and Wutaki few enough histories are left only when one seat alone decides."""


def late_position(game: Game, seats: int, seed: int, left: int) -> Position:
    """Where a game of greedy bots has so many decisions left; its chance is entered by hand.

    A decision is between two choices or more; seats that answer at once, unseen, take one together. Raises ValueError
    where the game has fewer.
    """
    if left < 1:
        raise ValueError(f"left {left}: allowed are whole numbers from 1")
    position = game.new(seats, seed=seed)
    greedy = bot(game, "greedy")
    random = Random(seed)
    moments: deque[Position] = deque(maxlen=left)
    while not position.over:
        seat = position.to_move[0]
        if len(position.legal(seat)) > 1 and not any(position.ready or ()):
            moments.append(position.fork())
        position.apply(decide(greedy, SeatView(position, seat), 1.0, random.getrandbits(32)).choices, seat)
    if len(moments) < left:
        raise ValueError(f"left {left}: this game had {len(moments)} decisions")
    return moments[0]


def deal(position: Position, deals: int) -> list[tuple[Position, float]]:
    """So many re-deals for the seat that is asked, equal ones together, each with its part of them.

    Raises ValueError for fewer than 1.
    """
    if deals < 1:
        raise ValueError(f"deals {deals}: allowed are whole numbers from 1")
    if deals == 1:
        return [(position, 1.0)]
    found: dict[str, Position] = {}
    count: Counter[str] = Counter()
    for seed in range(deals):
        copy = position.fork()
        copy.redeal(copy.to_move[0], seed)
        found.setdefault(copy.digest(), copy)
        count[copy.digest()] += 1
    return [(copy, count[key] / deals) for key, copy in found.items()]


class _Deals(list[tuple[Position, float]]):
    """Where a game can begin, with probabilities; it isn't changed, so a copy is itself."""

    def __deepcopy__(self, memo: dict[int, Any]) -> _Deals:
        return self


class LateState(SpielState):
    """One moment; in the first, chance deals."""

    def __init__(self, game: LateGame) -> None:
        super().__init__(game, game.deals[0][0].fork())
        self._deals: _Deals | None = game.deals if len(game.deals) > 1 else None

    def current_player(self) -> int:
        """As in every game, after the deal."""
        return super().current_player() if self._deals is None else int(pyspiel.PlayerId.CHANCE)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes with their probabilities; of the deal, the number of each."""
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


class LateGame(SpielGame):
    """The end of a game with the fewest seats that play against each other, and its usual options."""

    home: ClassVar[str] = __name__

    def __init__(self, game: Game, params: Mapping[str, Any] | None = None) -> None:
        """params: seed, left, deals. Raises ValueError."""
        given = {**LATE[game.id], **dict(params or {})}
        seats = game.usual_seats
        kind = _kind(game)
        self.deals: _Deals = _Deals(deal(late_position(game, seats, given["seed"], given["left"]), given["deals"]))
        super().__init__(game, {"players": seats}, kind=kind, shown=given, deals=len(self.deals))

    def new_initial_state(self) -> LateState:
        """The first moment."""
        return LateState(self)


def _kind(game: Game) -> Any:
    return game_type(game, LATE[game.id], f"late_{game.id}")


def _register(game: Game) -> None:
    def construct(self: LateGame, params: Mapping[str, Any] | None = None) -> None:
        LateGame.__init__(self, game, params)

    pyspiel.register_game(_kind(game), type(f"Late_{game.id}", (LateGame,), {"__init__": construct}))


for _id in LATE:
    if f"{PREFIX}late_{_id}" not in {each.short_name for each in pyspiel.registered_games()}:
        _register(atoll.games[_id])
