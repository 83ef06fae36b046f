"""What a learner sees and does: an observation in one of three forms, actions in one of two.

| form | observation |
|---|---|
| `flat` | the int32 vector of `atoll.engine.observation` |
| `onehot` | float32, made from it: see `atoll.bots.onehot` |
| `tokens` | int32 rows of zone, seat, component, place and amount, made from it: see `atoll.env.tokens` |

| actions | an action is |
|---|---|
| `vocabulary` | a choice of the whole vocabulary, its seats counted from the agent (0 itself, 1 its left neighbour) |
| `candidates` | the number of a row: `candidates` has one of kind and parts for each legal choice, filled up with -1 |
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from atoll.bots.onehot import OneHot, choice_rows
from atoll.engine import Game, IllegalChoice, Position, RulesError
from atoll.engine.observation import Observing, Piece

from .tokens import Tokens

FORMS: Final = ("flat", "onehot", "tokens")
ACTIONS: Final = ("vocabulary", "candidates")


class Interface:
    """Observations and actions of one game, option set and number of seats.

    form, actions: see the module. shape: of an observation, size: its numbers.
    count: how many actions there are.
    low, high: bounds of each number of an observation.
    """

    def __init__(
        self,
        game: Game,
        seats: int,
        options: Mapping[str, Any] | None = None,
        form: str = "flat",
        actions: str = "vocabulary",
    ) -> None:
        """Raises SeatCountError, OptionError, ValueError, and TypeError for a state that can't become numbers."""
        if form not in FORMS:
            raise ValueError(f"form {form!r}: allowed are {', '.join(FORMS)}")
        if actions not in ACTIONS:
            raise ValueError(f"actions {actions!r}: allowed are {', '.join(ACTIONS)}")
        self.game: Game = game
        self.seats: int = seats
        self.options: Mapping[str, Any] = game.new(seats, options).options
        self.form: str = form
        self.actions: str = actions
        self.observing: Observing = Observing(game, seats, self.options)
        self._onehot: OneHot | None = OneHot(self.observing) if form == "onehot" else None
        self._tokens: Tokens | None = Tokens(self.observing) if form == "tokens" else None
        self._flat: NDArray[np.int32] = np.zeros(self.observing.size, np.int32)
        self._buffer: memoryview[int] = self._flat.data
        self._rows: NDArray[np.int32] = choice_rows(game.vocabulary)
        self.count: int = game.vocabulary.decisions if actions == "vocabulary" else game.most_options
        self.shape: tuple[int, ...] = (self.observing.size if self._onehot is None else self._onehot.size,)
        if self._tokens is not None:
            self.shape = self._tokens.shape
        self.size: int = int(np.prod(self.shape))
        self.candidates_shape: tuple[int, int] = (self.count, self._rows.shape[1])
        self.dtype: type[Any] = np.int32 if self._onehot is None else np.float32
        low, high = self._bounds()
        self.low: NDArray[Any] = low
        self.high: NDArray[Any] = high

    def __reduce__(self) -> tuple[Any, ...]:
        return Interface, (self.game, self.seats, self.options, self.form, self.actions)

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """What stands where in a flat observation."""
        return self.observing.pieces

    def spaces(self) -> spaces.Dict:
        """The space of the observations of `observe`."""
        found: dict[str, spaces.Space[Any]] = {
            "observation": spaces.Box(self.low, self.high, dtype=self.dtype),
            "action_mask": spaces.Box(0, 1, (self.count,), np.int8),
        }
        if self.actions == "candidates":
            most = int(self._rows.max())
            found["candidates"] = spaces.Box(-1, most, self.candidates_shape, np.int32)
        return spaces.Dict(found)

    def observe(self, position: Position, seat: int) -> dict[str, NDArray[Any]]:
        """What the seat knows and can do, in new arrays."""
        found: dict[str, NDArray[Any]] = {"observation": np.zeros(self.shape, self.dtype)}
        found["action_mask"] = np.zeros(self.count, np.int8)
        self.write(position, seat, found["observation"])
        self.mask(position, seat, found["action_mask"])
        if self.actions == "candidates":
            found["candidates"] = np.full(self.candidates_shape, -1, np.int32)
            self.candidates(position, seat, found["candidates"])
        return found

    def write(self, position: Position, seat: int, out: NDArray[Any]) -> None:
        """Write the observation into an array of `shape` and `dtype`."""
        if self.form == "flat":
            self.observing.write(position, seat, out.data)
            return
        self.observing.write(position, seat, self._buffer)
        if self._onehot is not None:
            self._onehot.write(self._flat, out)
        if self._tokens is not None:
            self._tokens.write(self._flat, out)

    def mask(self, position: Position, seat: int, out: NDArray[np.int8]) -> None:
        """Write 1 for each action that the seat can take now, else 0; (count,)."""
        out[:] = 0
        legal = position.legal(seat)
        if self.actions == "vocabulary":
            out[self.observing.turning.all_seen(legal, seat)] = 1
        else:
            out[: self._fitting(legal)] = 1

    def candidates(self, position: Position, seat: int, out: NDArray[np.int32]) -> None:
        """Write the legal choices as rows of kind and parts, their seats counted from the agent; (count, 1 + parts)."""
        legal = position.legal(seat)
        out[:] = -1
        if legal:
            out[: self._fitting(legal)] = self._rows[self.observing.turning.all_seen(legal, seat)]

    def choice(self, position: Position, seat: int, action: int) -> int:
        """The choice that an action means. Raises IllegalChoice if the seat can't make it now."""
        if not 0 <= action < self.count:
            raise IllegalChoice(f"there is no action {action}; allowed: 0 to {self.count - 1}, as the mask says")
        if self.actions == "vocabulary":
            return self.observing.turning.choice(action, seat)
        legal = position.legal(seat)
        if action >= len(legal):
            raise IllegalChoice(f"there is no candidate {action} now; there are {len(legal)}")
        return legal[action]

    def action(self, position: Position, seat: int, choice: int) -> int:
        """The action that means a legal choice."""
        if self.actions == "vocabulary":
            return self.observing.turning.seen(choice, seat)
        return position.legal(seat).index(choice)

    @property
    def zones(self) -> tuple[str, ...]:
        """What each zone of a token is; the first is that of no token. Raises ValueError for another form."""
        if self._tokens is None:
            raise ValueError(f"only tokens have zones, not a {self.form} observation")
        return tuple(self._tokens.zones)

    def split(self, observation: NDArray[Any]) -> dict[str, NDArray[Any]]:
        """The named arrays of a flat observation, as windows into it."""
        if self.form != "flat":
            raise ValueError(f"only a flat observation has named arrays, not a {self.form} one")
        return {
            piece.name: observation[piece.start : piece.start + piece.size].reshape(piece.shape)
            for piece in self.pieces
        }

    def table(self) -> str:
        """The pieces of a flat observation as a Markdown table."""
        lines = ["| array | shape | from | to |", "|---|---|---|---|"]
        lines += [f"| `{p.name}` | {p.shape} | {p.low} | {p.high} |" for p in self.pieces]
        return "\n".join(lines)

    def _fitting(self, legal: list[int]) -> int:
        if len(legal) > self.count:
            raise RulesError(f"{len(legal)} legal choices; {self.game.id} declares {self.count} at most")
        return len(legal)

    def _bounds(self) -> tuple[NDArray[Any], NDArray[Any]]:
        if self._onehot is not None:
            most = max(max(piece.size, piece.high) for piece in self.pieces)
            return np.zeros(self.size, np.float32), np.full(self.size, most, np.float32)
        if self._tokens is not None:
            tokens = self._tokens
            return np.broadcast_to(tokens.low, self.shape).copy(), np.broadcast_to(tokens.high, self.shape).copy()
        low = np.concatenate([np.full(piece.size, piece.low, np.int32) for piece in self.pieces])
        high = np.concatenate([np.full(piece.size, piece.high, np.int32) for piece in self.pieces])
        return low, high
