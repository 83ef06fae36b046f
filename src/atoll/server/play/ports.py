"""Ports: the interfaces through which use cases reach processes, mail servers and push services.

`compose/app.py` connects the adapters.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from atoll.lessons.coach import BlunderWarning

from ..table.chance_verdict import Verdict

Watch = Callable[[int, int], None]
"""Receives the number of steps done and the number of all steps."""


class BotFailed(Exception):
    """The workers gave no answer; the message has the reason, for example a memory limit."""


class BotWorkers(Protocol):
    """Processes that choose for bots, advise, analyze and verify.

    Each method raises `BotFailed` if it gets no answer.
    """

    async def choose(
        self, saved: str, seat: int, level: str, seed: int, seconds: float = math.inf, *, host: str = ""
    ) -> list[int]:
        """Return the choices of a bot.

        Args:
            saved: The position, as a save.
            seat: A seat to move.
            level: The level of the bot.
            seed: Seed of the bot's random choices.
            seconds: Time limit, in addition to the limit of the workers.
            host: Host of the table; hosts are served in turn.

        Returns:
            A complete turn.

        Raises:
            BotFailed: If the workers don't answer.
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
            seconds: Thinking time.
            seed: Seed of the bot's random choices.
            wait: Longest time until a worker is free, in seconds.
            iterations: Number of search iterations, or None for as many as the time allows.

        Raises:
            BotFailed: If the workers don't answer.
        """

    async def warn(
        self, saved: str, seat: int, choices: Sequence[int], seconds: float, seed: int, *, wait: float = 3.0
    ) -> BlunderWarning | None:
        """Return the strongest objection to a seat's choices, or None.

        Args:
            saved: The position, as a save.
            seat: A seat to move.
            choices: The choices of its complete turn.
            seconds: Thinking time.
            seed: Seed of the bot's random choices.
            wait: Longest time until a worker is free, in seconds.

        Raises:
            BotFailed: If the workers don't answer.
        """

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
            steps: All answers in order: the seat, or chance, and its choice.
            seconds: Time per decision.
            seed: Seed of the bot's random choices.
            watch: Receives the progress.
            iterations: Number of search iterations per decision, or None for as many as the time
                allows.

        Raises:
            BotFailed: If the workers don't answer.
        """

    async def verify(self, text: str, kept: str, seconds: float, *, wait: float = 20.0) -> Verdict:
        """Return the verdict on a game that is replayed; see `game_verification.verify`.

        Args:
            text: The saved game.
            kept: File that a player's browser has saved, a list of several, or "".
            seconds: Time for the replay.
            wait: Longest time until a worker is free, in seconds.

        Raises:
            SaveError: If the text isn't a saved game.
            BotFailed: If the workers don't answer.
        """


@dataclass(frozen=True, slots=True)
class Identity:
    """A user of an OpenID Connect provider.

    Attributes:
        issuer: The provider.
        subject: Id of the user there.
        label: Verified mail address, or "".
    """

    issuer: str
    subject: str
    label: str


class IdentityProvider(Protocol):
    """An OpenID Connect provider that the operator has set up.

    Attributes:
        name: Name on the pages.
    """

    name: str

    async def address(self, state: str, nonce: str, verifier: str) -> str:
        """Return the address at which a user signs in there.

        Args:
            state: Secret that comes back with the user.
            nonce: Secret that the identity must contain.
            verifier: Secret that proves that the same client asks for the identity (PKCE).

        Raises:
            Refused: If the provider can't be reached.
        """

    async def identity(self, code: str, issuer: str, nonce: str, verifier: str) -> Identity:
        """Return the user of a code that came back from the provider.

        Args:
            code: The code.
            issuer: Issuer that came back with it, or "".
            nonce: The nonce.
            verifier: The verifier.

        Raises:
            Refused: If the code or the identity isn't valid.
        """


class NotificationChannels(Protocol):
    """The channels that the operator has set up, and the check of their addresses.

    Attributes:
        base: Address of this site, with a slash at its end.
    """

    base: str

    @property
    def possible(self) -> tuple[str, ...]:
        """Kinds of channels that are set up."""

    @property
    def push_key(self) -> str:
        """Public key with which browsers subscribe to web push, or "" without web push."""

    async def send_sign_in(self, mail: str, token: str, code: str, language: str) -> None:
        """Send a mail with the ways to prove that its reader has the address.

        Args:
            mail: The address.
            token: Secret of the link.
            code: Code of six digits.
            language: Language code.

        Raises:
            Exception: If the mail server doesn't take it.
        """

    async def send_outcome(self, mail: str, outcome: str, language: str) -> None:
        """Send a mail with the outcome of a report.

        Args:
            mail: The address of the reporter.
            outcome: "upheld" or "rejected".
            language: Language code.

        Raises:
            Exception: If the mail server doesn't take it.
        """

    def checked(self, kind: str, given: Mapping[str, str]) -> dict[str, str]:
        """Return the address of a channel in the form in which it is stored.

        Args:
            kind: Kind of channel.
            given: Fields of the form.

        Raises:
            Refused: If the kind isn't set up or the address isn't valid.
        """
