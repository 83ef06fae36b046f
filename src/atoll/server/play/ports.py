"""Ports: what the use cases need of processes, mail servers and push services. `app.py` connects the adapters."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from atoll.learn.coach import Caution

from ..table.game_verification import Finding

Watch = Callable[[int, int], None]
"""Receives the number of steps done and the number of all steps."""


class BotFailed(Exception):
    """The workers gave no answer: they failed, or used too much time or memory. The message says which."""


class BotWorkers(Protocol):
    """Processes that choose for bots, advise, analyze and verify. A call raises BotFailed if it gets no answer."""

    async def choose(self, saved: str, seat: int, level: str, seed: int, seconds: float = math.inf) -> list[int]:
        """Return the choices of a bot.

        Args:
            saved: The position, as a save.
            seat: A seat to move.
            level: The level of the bot.
            seed: The seed of its chance.
            seconds: The time that it may use, in addition to the limit of the workers.
        """

    async def advise(
        self,
        saved: str,
        seat: int,
        staged: Sequence[int],
        seconds: float,
        seed: int,
        *,
        wait: float = 20.0,
        iterations: int | None = None,
    ) -> dict[str, Any]:
        """Return the advice of a strong bot as plain data; see `atoll.bots.Advice`.

        Args:
            saved: The position, as a save.
            seat: A seat to move.
            staged: The choices of its turn so far.
            seconds: The time that the bot may use.
            seed: The seed of its chance.
            wait: The longest time until a worker is free, in seconds.
            iterations: The number of iterations of its search, or None for as many as the time allows.
        """

    async def warn(
        self, saved: str, seat: int, choices: Sequence[int], seconds: float, seed: int, *, wait: float = 3.0
    ) -> Caution | None:
        """Return the strongest objection to a seat's choices, or None. The arguments are those of `advise`."""

    async def analyse(
        self,
        saved: str,
        steps: Sequence[tuple[int, int]],
        seconds: float,
        seed: int,
        watch: Watch,
        *,
        iterations: int | None = None,
    ) -> dict[str, Any]:
        """Return the analysis of a finished game as plain data; see `atoll.bots.Analysis`.

        Args:
            saved: The first position, as a save.
            steps: All answers in order: the seat, or chance, and its answer.
            seconds: The time for each decision.
            seed: The seed of the bot's chance.
            watch: Receives the progress.
            iterations: The number of iterations for each decision, or None for as many as the time allows.
        """

    async def verify(self, text: str, kept: str, seconds: float, *, wait: float = 20.0) -> list[Finding]:
        """Return the findings of a game that is replayed; see `proof.verify`.

        Args:
            text: The saved game.
            kept: The share that its holder has stored, or "".
            seconds: The time for the replay.
            wait: The longest time until a worker is free, in seconds.

        Raises:
            SaveError: If the text isn't a saved game.
        """


class NotificationChannels(Protocol):
    """The channels that the operator has set up, and the addresses that they accept."""

    base: str
    """The address of this site, with a slash at its end."""

    @property
    def possible(self) -> tuple[str, ...]:
        """The kinds of channels."""

    @property
    def push_key(self) -> str:
        """The public key with which browsers subscribe, or "" without push."""

    def checked(self, kind: str, given: Mapping[str, str]) -> dict[str, str]:
        """Return the address of a channel in the form in which it is stored.

        Args:
            kind: The kind of the channel.
            given: The fields of the form.

        Raises:
            Refused: If the kind isn't set up or the address isn't valid.
        """
