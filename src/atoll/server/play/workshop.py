"""The workshop: variants of a game that its owner edits, plays and simulates. Nothing is stored.

A variant is named by a token, which holds its changes. Simulations run in processes of their own.
"""

from __future__ import annotations

import binascii
import json
import secrets
import threading
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping, Sequence
from functools import lru_cache
from ipaddress import ip_address
from typing import Any, Final

import structlog
from msgspec import Struct

from atoll.bots import GreedyBot, derive_seed
from atoll.engine import AtollError, Game, IllegalChoice, Position, SeatView, TurnDraft
from atoll.engine.chance import seeded_source
from atoll.engine.component_changes import with_changes
from atoll.lab.comparison import Comparison, check_comparable, compare
from atoll.lab.plan import SimulationPlan
from atoll.lab.play import Row
from atoll.lab.run import run, workers_here

from ..domain.model import LogEntry, Refused, User
from ..domain.settings import ServerSettings
from .tryouts import Tryout, TryoutTurn
from .turns import add_to_draft, mix_of

GAMES: Final = 500
"""Games of each variant in a simulation."""
ORIGINAL: Final = "original"
VARIANT: Final = "variant"
LONGEST_TOKEN: Final = 20_000
"""Largest length of a variant's token."""
MOST_CHOICES: Final = 2000
"""Largest number of choices of a game that is played."""

_MOST_BYTES: Final = 200_000  # of the changes in a token
_MOST_JOBS: Final = 10
_BOT: Final = "greedy"
_SEED: Final = 1

log = structlog.get_logger(__name__)


class Simulation(Struct):
    """A simulation of a variant and the original.

    Attributes:
        game: Id of the game.
        token: Token of the variant.
        done: Number of games done.
        total: Number of games wanted.
        found: The comparison, or None while it runs.
        failed: Whether a rule or a bot failed with this variant.
        stopped: Whether a later simulation replaced it.
    """

    game: str
    token: str
    done: int
    total: int
    found: Comparison | None = None
    failed: bool = False
    stopped: bool = False


class Workshop:
    """Variants of games for their owners.

    Attributes:
        is_local: Whether only this machine can reach the server, so that everybody may use it.
    """

    def __init__(self, settings: ServerSettings) -> None:
        self.is_local: bool = not settings.public_url and _is_loopback(settings.host)
        self._jobs: dict[str, Simulation] = {}
        self._busy: threading.Lock = threading.Lock()

    def may_use(self, who: User | None) -> bool:
        """Return whether a user may use the workshop."""
        return self.is_local or (who is not None and who.standing.role == "operator")

    def require(self, who: User | None) -> None:
        """Reject users who may not use the workshop.

        Args:
            who: The user.

        Raises:
            Refused: If the server is open to others, and the user isn't an operator.
        """
        if not self.may_use(who):
            raise Refused("no_workshop", 403, "the workshop is open on a local server, or to operators")

    def simulate(self, game: Game, token: str, changed: Game) -> str:
        """Start to simulate a variant and the original, and return the id of the simulation.

        An earlier simulation stops.

        Args:
            game: The original game.
            token: Token of the variant.
            changed: The game with the variant's components.

        Returns:
            The id of the simulation.

        Raises:
            Refused: If the variant doesn't differ from the original, or can't be simulated.
        """
        seats = game.min_multiplayer_seats
        try:
            plans = {
                name: SimulationPlan.make(each, seats, {}, (_BOT,), seed=_SEED, seconds=3600.0, iterations=1)
                for name, each in ((ORIGINAL, game), (VARIANT, changed))
            }
            check_comparable(plans)
        except AtollError as error:
            raise Refused("same_variant", 409, str(error)) from None
        for each in self._jobs.values():
            each.stopped = each.stopped or (each.found is None and not each.failed)
        job, id = Simulation(game.id, token, 0, GAMES * len(plans)), secrets.token_urlsafe(9)
        while len(self._jobs) >= _MOST_JOBS:
            del self._jobs[next(iter(self._jobs))]
        self._jobs[id] = job
        threading.Thread(target=self._play, args=(job, plans), daemon=True, name="workshop").start()
        return id

    def _play(self, job: Simulation, plans: Mapping[str, SimulationPlan]) -> None:
        """Play the games of a simulation, in a thread of its own."""
        with self._busy:
            try:
                rows = {name: _rows(job, plan) for name, plan in plans.items()}
                if not job.stopped:
                    first = plans[ORIGINAL]
                    job.found = compare(first.game, first.to_json(), rows)
            except Exception:
                job.failed = True
                log.exception("simulation failed", game=job.game)

    def simulation(self, id: str) -> Simulation:
        """Return a simulation.

        Args:
            id: Its id.

        Raises:
            Refused: If it is unknown, as after a restart of the server.
        """
        if id not in self._jobs:
            raise Refused("no_page", 404, "unknown simulation")
        return self._jobs[id]


def _rows(job: Simulation, plan: SimulationPlan) -> list[Row]:
    """Return the rows of a plan's games; fewer if the simulation is stopped."""
    found: list[Row] = []
    # With one process the games would be played in this one, and delay its answers.
    for batch, _ in run(plan, range(GAMES), workers=max(2, workers_here())):
        found += [rows[-1] for rows in batch]
        job.done += len(batch)
        if job.stopped:
            break
    return found


def _is_loopback(host: str) -> bool:
    """Return whether a server that listens on this host can be reached from its machine only."""
    if host == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


# -- variants --------------------------------------------------------------------------------------


def token_of(changes: Mapping[str, Any]) -> str:
    """Return the token of a variant; "" without changes."""
    if not changes:
        return ""
    packed = zlib.compress(json.dumps(changes, ensure_ascii=False, separators=(",", ":")).encode(), 9)
    return urlsafe_b64encode(packed).decode().rstrip("=")


def changes_in(token: str) -> dict[str, Any]:
    """Return the changes in the token of a variant.

    Args:
        token: The token.

    Raises:
        Refused: If the token is malformed or too long.
    """
    if not token:
        return {}
    try:
        unpacking = zlib.decompressobj()
        packed = urlsafe_b64decode(token + "=" * (-len(token) % 4)) if len(token) <= LONGEST_TOKEN else b""
        text = unpacking.decompress(packed, _MOST_BYTES)
        found = None if unpacking.unconsumed_tail else json.loads(text)
    except (ValueError, RecursionError, binascii.Error, zlib.error):
        found = None
    if not isinstance(found, dict) or not all(isinstance(each, str | int | float) for each in found.values()):
        raise Refused("malformed", 422, "the variant is malformed or too long")
    return found


@lru_cache(maxsize=8)
def variant(game: Game, token: str) -> Game:
    """Return a game with the components of a variant.

    Args:
        game: The original game.
        token: Token of the variant.

    Raises:
        ComponentError: If the game refuses the components.
        Refused: If the token is malformed.
    """
    changes = changes_in(token)
    return type(game)(with_changes(game.data, changes)) if changes else game


# -- play ------------------------------------------------------------------------------------------


class WorkshopGame:
    """A game of a variant, in which the first seat plays against greedy bots.

    The same seed and choices always give the same game, so its address holds all of it.

    Attributes:
        seed: Seed of chance and bots.
        draft: The turn draft of the first seat, or None when the game is over.
    """

    def __init__(self, game: Game, seed: int, choices: Sequence[int]) -> None:
        self.seed: int = seed
        begun = game.new(game.min_multiplayer_seats, seed=seed)
        # Only a loaded position collects events.
        self._position: Position = game.load(begun.save_data(), source=seeded_source(derive_seed(seed, -1)))
        self._position.take_events()
        self._bot: GreedyBot = GreedyBot()
        self._before: list[int] = []
        self._turns: list[TryoutTurn] = []
        self._logged: int = 0
        self.draft: TurnDraft | None = self._next_draft()
        for choice in choices:
            self.choose([choice])

    def choose(self, choices: Sequence[int]) -> None:
        """Make choices, and let the others answer once the turn is complete.

        Args:
            choices: The choices, all or none.

        Raises:
            IllegalChoice: If the game is over.
            AtollError: If a choice isn't legal.
        """
        draft = self.draft
        if draft is None:
            raise IllegalChoice("the game is over")
        add_to_draft(draft, choices)
        if draft.open:
            return
        self._position.apply(draft.choices, draft.seat)
        self._note(draft.seat, draft.choices)
        self._before += draft.inputs
        self.draft = self._next_draft()

    def _next_draft(self) -> TurnDraft | None:
        """Let bots answer until the first seat is asked, and return its draft."""
        position = self._position
        while position.to_move and 0 not in position.to_move:
            seat = position.to_move[0]
            choices = self._bot.choose(SeatView(position, seat), 0.0, derive_seed(self.seed, position.sequence))
            position.apply(choices, seat)
            self._note(seat, choices)
        return TurnDraft(position, 0) if position.to_move else None

    def _note(self, seat: int, choices: Sequence[int]) -> None:
        """Note a turn and its log as the first seat sees it."""
        found = [event.seen_by(0) for event in self._position.take_events()]
        entries = [
            LogEntry(number, self._position.sequence, "game", seen["key"], seen["fields"], tuple(seen["lacking"]))
            for number, seen in enumerate(filter(None, found), self._logged)
        ]
        self._logged += len(entries)
        self._turns.append(TryoutTurn(seat, tuple(choices) if seat == 0 else (), (), tuple(entries)))

    def to_tryout(self) -> Tryout:
        """Return the game as a value, in the form of a tryout."""
        draft, position = self.draft, self._position
        return Tryout(
            table="",
            game=position.game.id,
            seat=0,
            sequence=0,
            guess=self.seed,
            choices=(*self._before, *([] if draft is None else draft.inputs)),
            asked=None if draft is None else 0,
            legal=() if draft is None else tuple(draft.legal()),
            picked=() if draft is None else tuple(draft.removable()),
            view=position.view(0) if draft is None else draft.view(),
            tried=tuple(self._turns),
            scores=tuple(position.scores()) if position.over else None,
            mix=None if draft is None else mix_of(draft),
        )
