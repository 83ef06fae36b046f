"""Codec between positions and arrays: observations in one of three forms, actions in one of two.

Forms of observations:

- `flat`: the int32 vector of `atoll.engine.observation`.
- `onehot`: float32 features, encoded from it; see `atoll.bots.one_hot`.
- `tokens`: int32 rows of zone, seat, component, place and amount; see `atoll.env.tokens`.

Forms of actions:

- `vocabulary`: a choice of the vocabulary, with seats relative to the agent (0 itself, 1 the next
  to the left).
- `candidates`: the index of a legal choice; `candidates` has its kind and parts, padded with -1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Final

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

import atoll
from atoll.bots.one_hot import OneHotEncoder, choice_rows
from atoll.engine import Game, IllegalChoice, Position, RulesError
from atoll.engine.observation import ArraySpec, ObservationEncoder

from .tokens import TokenEncoder

FORMS: Final = ("flat", "onehot", "tokens")
ACTIONS: Final = ("vocabulary", "candidates")


def find_game(game: str | Game, components: str | Path | None) -> Game:
    """Return a game by its id, with other components if a file is given.

    Args:
        game: The game or its id.
        components: TOML file of the components; None for those of the game.

    Raises:
        UnknownGame: If no game has this id.
        ComponentError: If the components can't be read or are invalid.
    """
    found: Game = atoll.games[game] if isinstance(game, str) else game
    return found if components is None else found.with_components(components)


class BatchMasks:
    """The action masks of a batch of games; only entries that change are written.

    Attributes:
        masks: The masks: (games, actions).
        candidates: Candidate actions as rows: (games, actions, 1 + parts); None without them.
    """

    def __init__(self, masks: NDArray[np.int8], candidates: NDArray[np.int32] | None) -> None:
        self.masks: NDArray[np.int8] = masks
        self.candidates: NDArray[np.int32] | None = candidates
        self._written: tuple[NDArray[np.intp], NDArray[np.intp]] | None = None

    def write(self, games: NDArray[np.intp], actions: NDArray[np.intp]) -> None:
        """Replace the legal actions.

        Args:
            games: The game of each legal action.
            actions: The legal actions.
        """
        if self._written is None:
            self.masks[:] = 0
        else:
            self.masks[self._written] = 0
        self.masks[games, actions] = 1
        self._written = games, actions


class SpaceCodec:
    """Encodes observations and decodes actions, for one game, option set and number of seats.

    Attributes:
        game: The game.
        seats: Number of seats.
        options: Resolved options of the game.
        form: Form of the observations.
        actions: Form of the actions.
        observing: Encoder of the flat form.
        count: Number of actions.
        shape: Shape of an observation.
        size: Number of elements of an observation.
        candidates_shape: Shape of the candidates: (count, 1 + parts).
        dtype: Type of the elements of an observation.
        low: Lowest value of each element.
        high: Highest value of each element.
    """

    def __init__(
        self,
        game: Game,
        seats: int,
        options: Mapping[str, Any] | None = None,
        form: str = "flat",
        actions: str = "vocabulary",
    ) -> None:
        """Create a codec.

        Args:
            game: The game.
            seats: Number of seats.
            options: Options that differ from their defaults; None for none.
            form: `flat`, `onehot` or `tokens`.
            actions: `vocabulary` or `candidates`.

        Raises:
            SeatCountError: If the game can't be played with this number of seats.
            OptionError: If an option or its value is invalid.
            ValueError: If `form` or `actions` is unknown.
            TypeError: If the game's state can't be encoded as numbers.
        """
        if form not in FORMS:
            raise ValueError(f"invalid form {form!r}: expected {', '.join(FORMS)}")
        if actions not in ACTIONS:
            raise ValueError(f"invalid actions {actions!r}: expected {', '.join(ACTIONS)}")
        self.game: Game = game
        self.seats: int = seats
        self.options: Mapping[str, Any] = game.new(seats, options).options
        self.form: str = form
        self.actions: str = actions
        self.observing: ObservationEncoder = ObservationEncoder(game, seats, self.options)
        self._onehot: OneHotEncoder | None = OneHotEncoder(self.observing) if form == "onehot" else None
        self._tokens: TokenEncoder | None = TokenEncoder(self.observing) if form == "tokens" else None
        self._flat: NDArray[np.int32] = np.zeros((1, self.observing.size), np.int32)
        self._rows: NDArray[np.int32] = choice_rows(game.vocabulary)
        self.count: int = game.vocabulary.decisions if actions == "vocabulary" else game.max_choices
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
        return SpaceCodec, (self.game, self.seats, self.options, self.form, self.actions)

    def with_options(self, options: Mapping[str, Any]) -> SpaceCodec:
        """Return the codec of the same spaces with other options for a game.

        Args:
            options: Options that differ from those of this codec.

        Raises:
            OptionError: If an option or its value is invalid.
            ValueError: If the options change the spaces.
        """
        found = SpaceCodec(self.game, self.seats, {**self.options, **options}, self.form, self.actions)
        if found.pieces != self.pieces:
            raise ValueError(f"options {dict(options)!r} change the spaces: make an environment with these options")
        return found

    @property
    def pieces(self) -> tuple[ArraySpec, ...]:
        """The arrays of a flat observation, in order."""
        return self.observing.pieces

    def spaces(self) -> spaces.Dict:
        """Return the space of the observations that `observe` returns."""
        found: dict[str, spaces.Space[Any]] = {
            "observation": spaces.Box(self.low, self.high, dtype=self.dtype),
            "action_mask": spaces.Box(0, 1, (self.count,), np.int8),
        }
        if self.actions == "candidates":
            most = int(self._rows.max())
            found["candidates"] = spaces.Box(-1, most, self.candidates_shape, np.int32)
        return spaces.Dict(found)

    def observe(self, position: Position, seat: int, mask: NDArray[np.int8] | None = None) -> dict[str, NDArray[Any]]:
        """Return the observation and the legal actions of a seat, in new arrays.

        Args:
            position: The position.
            seat: The seat.
            mask: The action mask, if it is known already.
        """
        found: dict[str, NDArray[Any]] = {"observation": np.zeros(self.shape, self.dtype)}
        self.write(position, seat, found["observation"])
        if mask is None:
            mask = np.zeros(self.count, np.int8)
            self.mask(position, seat, mask)
        found["action_mask"] = mask
        if self.actions == "candidates":
            found["candidates"] = np.full(self.candidates_shape, -1, np.int32)
            self.candidates(position, seat, found["candidates"])
        return found

    def write(self, position: Position, seat: int, out: NDArray[Any]) -> None:
        """Write the observation of a seat.

        Args:
            position: The position.
            seat: The seat.
            out: An array of `shape` and `dtype`.
        """
        if self.form == "flat":
            self.observing.write(position, seat, out)
            return
        self.observing.write(position, seat, self._flat)
        if self._onehot is not None:
            self._onehot.write(self._flat[0], out)
        if self._tokens is not None:
            self._tokens.write_batch(self._flat, out[None], np.array([len(out)]))

    def encode_batch(self, flats: NDArray[np.int32], out: NDArray[Any], filled: NDArray[np.intp]) -> None:
        """Write flat observations in another form.

        Args:
            flats: The observations: (games, numbers).
            out: The observations in the form of the codec: `(games, *shape)`.
            filled: In the form `tokens`, the number of rows of each game that may differ from 0:
                (games,). It is updated.

        Raises:
            ValueError: If the form is `flat`.
        """
        if self._onehot is not None:
            self._onehot.write_batch(flats, out)
        elif self._tokens is not None:
            self._tokens.write_batch(flats, out, filled)
        else:
            raise ValueError("observations are flat already")

    def mask(self, position: Position, seat: int, out: NDArray[np.int8]) -> None:
        """Write the action mask of a seat.

        Args:
            position: The position.
            seat: The seat.
            out: The mask: (count,), 1 for legal.

        Raises:
            RulesError: If there are more legal choices than the game declares.
        """
        out[:] = 0
        legal = position.legal_choices(seat)
        if self.actions == "vocabulary":
            out[self.observing.turning.all_seen(legal, seat)] = 1
        else:
            out[: self._legal_count(legal)] = 1

    def candidates(self, position: Position, seat: int, out: NDArray[np.int32]) -> None:
        """Write the legal choices of a seat as rows of kind and parts.

        Seats in choices are relative to the agent. Other rows are -1.

        Args:
            position: The position.
            seat: The seat.
            out: The rows: `candidates_shape`.

        Raises:
            RulesError: If there are more legal choices than the game declares.
        """
        legal = position.legal_choices(seat)
        out[:] = -1
        if legal:
            out[: self._legal_count(legal)] = self._rows[self.observing.turning.all_seen(legal, seat)]

    def legal(self, position: Position, seat: int) -> Sequence[int]:
        """Return the legal choices of a seat, with seats relative to the agent, in their order.

        Args:
            position: The position.
            seat: The seat.

        Raises:
            RulesError: If there are more legal choices than the game declares.
        """
        legal = position.legal_choices(seat)
        if self.actions == "candidates":
            self._legal_count(legal)
        return self.observing.turning.all_seen(legal, seat)

    def mask_batch(self, legal: Sequence[Sequence[int]], out: BatchMasks) -> None:
        """Write action masks, and candidates in that form of the actions.

        Args:
            legal: The legal choices of each game, as `legal` returns them.
            out: The arrays of all games.
        """
        amounts = np.fromiter(map(len, legal), np.intp, len(legal))
        choices = np.fromiter(chain.from_iterable(legal), np.intp, int(amounts.sum()))
        rows = np.repeat(np.arange(len(legal)), amounts)
        places = choices
        if out.candidates is not None:
            places = np.arange(len(choices)) - np.repeat(np.cumsum(amounts) - amounts, amounts)
        out.write(rows, places)
        if out.candidates is not None:
            out.candidates[:] = -1
            out.candidates[rows, places] = self._rows[choices]

    def choice(self, position: Position, seat: int, action: int) -> int:
        """Return the choice that an action means.

        Args:
            position: The position.
            seat: The seat.
            action: The action.

        Returns:
            The choice. In the form `vocabulary` it may be illegal.

        Raises:
            IllegalChoice: If the action doesn't exist, or the candidate isn't legal.
        """
        if not 0 <= action < self.count:
            raise IllegalChoice(f"invalid action {action}: expected 0 to {self.count - 1}")
        if self.actions == "vocabulary":
            return self.observing.turning.choice(action, seat)
        legal = position.legal_choices(seat)
        if action >= len(legal):
            raise IllegalChoice(f"invalid candidate {action}: the number of candidates is {len(legal)}")
        return legal[action]

    def action(self, position: Position, seat: int, choice: int) -> int:
        """Return the action that means a legal choice.

        Args:
            position: The position.
            seat: The seat.
            choice: The choice.
        """
        if self.actions == "vocabulary":
            return self.observing.turning.seen(choice, seat)
        return position.legal_choices(seat).index(choice)

    @property
    def zones(self) -> tuple[str, ...]:
        """The names of the zones of tokens; the first is that of padding.

        Raises:
            ValueError: If the form isn't `tokens`.
        """
        if self._tokens is None:
            raise ValueError(f"a {self.form} observation has no zones: the form must be tokens")
        return tuple(self._tokens.zones)

    def split(self, observation: NDArray[Any]) -> dict[str, NDArray[Any]]:
        """Return the named arrays of a flat observation, as views of it.

        Args:
            observation: The observation.

        Raises:
            ValueError: If the form isn't `flat`.
        """
        if self.form != "flat":
            raise ValueError(f"a {self.form} observation has no named arrays: the form must be flat")
        return {
            piece.name: observation[piece.start : piece.start + piece.size].reshape(piece.shape)
            for piece in self.pieces
        }

    def table(self) -> str:
        """Return the arrays of a flat observation as a Markdown table."""
        lines = ["| array | shape | from | to |", "|---|---|---|---|"]
        lines += [f"| `{p.name}` | {p.shape} | {p.low} | {p.high} |" for p in self.pieces]
        return "\n".join(lines)

    def _legal_count(self, legal: list[int]) -> int:
        """Return the number of legal choices.

        Args:
            legal: The legal choices.

        Raises:
            RulesError: If there are more than the game declares.
        """
        if len(legal) > self.count:
            raise RulesError(f"{len(legal)} legal choices; {self.game.id} declares {self.count} at most")
        return len(legal)

    def _bounds(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return the lowest and the highest value of each element of an observation."""
        if self._onehot is not None:
            most = max(max(piece.size, piece.high) for piece in self.pieces)
            return np.zeros(self.size, np.float32), np.full(self.size, most, np.float32)
        if self._tokens is not None:
            tokens = self._tokens
            return np.broadcast_to(tokens.low, self.shape).copy(), np.broadcast_to(tokens.high, self.shape).copy()
        low = np.concatenate([np.full(piece.size, piece.low, np.int32) for piece in self.pieces])
        high = np.concatenate([np.full(piece.size, piece.high, np.int32) for piece in self.pieces])
        return low, high
