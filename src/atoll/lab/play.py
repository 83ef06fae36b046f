"""Games between bots and their rows in a results file.

`docs/study/reference-formats.md` describes the rows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from time import perf_counter
from typing import Any, Final

from atoll.bots import Bot, RandomBot, derive_seed
from atoll.bots.evaluation import evaluation
from atoll.engine import AtollError, Choose, Game, Position, RulesError, SeatView, record

from .plan import SimulationPlan

Row = dict[str, Any]

MOST_SAMPLES: Final = 24
"""Largest number of moments of a game at which scores are noted; a long game has at least half."""


def play_batch(plan: SimulationPlan, numbers: Sequence[int]) -> tuple[list[list[Row]], float]:
    """Play games of a plan.

    Args:
        plan: The plan.
        numbers: Numbers of the games.

    Returns:
        For each game its rows, as `play_game` returns them, and the total time in seconds.

    Raises:
        AtollError: If the rules or a bot fail; the message has the game's number and seed.
    """
    start = perf_counter()
    return [play_game(plan, number) for number in numbers], perf_counter() - start


def play_game(plan: SimulationPlan, number: int) -> list[Row]:
    """Play one game of a plan to its end.

    Args:
        plan: The plan.
        number: Number of the game.

    Returns:
        The rows of its decisions, if the plan wants them, followed by the row of the game.

    Raises:
        RulesError: If the game takes more decisions than it declares.
        AtollError: If the rules or a bot fail; the message has the game's number and seed.
    """
    seed = plan.seed_of(number)
    bots = plan.make_bots(number)
    watched = plan.used or plan.decisions
    recorded = watched or plan.records
    blind = all(isinstance(each, RandomBot) for each in bots)
    position = plan.game.new(plan.seats, plan.options, seed=seed, snapshots=recorded or not blind)
    notes = GameStatistics(plan, number) if watched else None
    decisions = 0
    first: int | None = None
    try:
        while not position.over:
            if first is None and not position.sealed:
                first = plan.game.start_player_of(position.state)
            seat = position.to_move[0]
            if notes is not None:
                notes.sample(position)
            choices = bot_choices(bots[seat], position, seat, plan.seconds, derive_seed(seed, decisions))
            for choice in choices:
                if notes is not None:
                    notes.add(position, position.decision(seat), choice)
                position.apply(choice, seat)
                decisions += 1
            if decisions > plan.game.max_answers:
                raise RulesError(f"more than {plan.game.max_answers} decisions, the maximum that the game declares")
    except AtollError as error:
        raise type(error)(f"game {number} (seed {seed}, {', '.join(plan.names(number))}): {error}") from error
    row: Row = {
        "row": "game",
        "number": number,
        "seed": seed,
        "bots": plan.names(number),
        "first": first,
        "scores": position.scores(),
        "places": position.ranking(),
        "decisions": decisions,
        "chances": position.chance_count,
        "points": [_points(lines) for lines in position.explain()],
    }
    if plan.records:
        row["record"] = record.write(position)
    if notes is None:
        return [row]
    return [*notes.rows, {**row, **notes.summary(row["scores"])}]


def bot_choices(bot: Bot, position: Position, seat: int, seconds: float, seed: int) -> list[int]:
    """Return the choices of a bot.

    A random bot gets no view, which saves most of the time.

    Args:
        bot: The bot.
        position: The position.
        seat: The seat that the bot plays.
        seconds: Time limit in seconds.
        seed: Seed of the bot.

    Returns:
        The next choices of the seat, at least one.
    """
    if isinstance(bot, RandomBot):
        return [bot.pick(position.legal_choices(seat), seed)]
    return bot.choose(SeatView(position, seat), seconds, seed)


def _points(lines: Iterable[Any]) -> dict[str, int]:
    """Return the points per source: the score lines, added up by key."""
    found: dict[str, int] = {}
    for line in lines:
        found[line.key] = found.get(line.key, 0) + line.points
    return found


class GameStatistics:
    """Statistics of one game that are collected while it is played.

    Attributes:
        plan: The plan.
        number: Number of the game.
        rows: Rows of the decisions, if the plan wants them.
        offered: Per seat and element, the number of decisions that offered it.
        chosen: Per seat and element, the number of times it was chosen.
        options: Number of choices of all decisions together.
        widest: Highest number of choices of a decision.
        decisions: Number of decisions.
        leader: Seat that last had the sole lead; None if none had it yet.
        lead_changes: Number of times another seat took the sole lead.
    """

    def __init__(self, plan: SimulationPlan, number: int) -> None:
        self.plan: SimulationPlan = plan
        self.number: int = number
        self.rows: list[Row] = []
        self.offered: list[Counter[str]] = [Counter() for _ in range(plan.seats)]
        self.chosen: list[Counter[str]] = [Counter() for _ in range(plan.seats)]
        self.options: int = 0
        self.widest: int = 0
        self.decisions: int = 0
        self.leader: int | None = None
        self.lead_changes: int = 0
        self._course: list[tuple[int, list[int], list[float]]] = []
        self._step: int = 1  # decisions between two samples of the course

    def sample(self, position: Position) -> None:
        """Note scores and expected scores at some moments, fewer as the game gets longer.

        Args:
            position: The position before a turn.
        """
        if not self.plan.used or position.sealed or self.decisions < len(self._course) * self._step:
            return
        if len(self._course) == MOST_SAMPLES:
            self._course = self._course[::2]
            self._step *= 2
            if self.decisions < len(self._course) * self._step:
                return
        expected = evaluation(self.plan.game).expected_scores(position.state)
        self._course.append((self.decisions, position.scores(), [round(float(each), 2) for each in expected]))

    def add(self, position: Position, asked: Choose, choice: int) -> None:
        """Count a decision before its answer is applied.

        Args:
            position: The position.
            asked: The decision.
            choice: The answer.
        """
        scores = position.scores()
        ahead = [seat for seat, score in enumerate(scores) if score == max(scores)]
        if len(ahead) == 1:
            if self.leader is not None and ahead[0] != self.leader:
                self.lead_changes += 1
            self.leader = ahead[0]
        width = len(asked.choices)
        self.decisions += 1
        self.options += width
        self.widest = max(self.widest, width)
        if self.plan.used:
            names = elements(self.plan.game)
            seen: set[str] = set()
            for option in asked.choices:
                seen.update(names(option))
            self.offered[asked.seat].update(seen)
            self.chosen[asked.seat].update(names(choice))
        if self.plan.decisions:
            self.rows.append(
                {
                    "row": "decision",
                    "number": self.number,
                    "sequence": position.sequence,
                    "seat": asked.seat,
                    "prompt": asked.prompt,
                    "source": asked.source,
                    "options": width,
                    "choice": position.text(choice),
                    "scores": scores,
                }
            )

    def summary(self, scores: list[int]) -> Row:
        """Return the fields that the statistics add to the row of the game.

        Args:
            scores: The final scores.
        """
        found: Row = {
            "lead_changes": self.lead_changes,
            "branching": round(self.options / max(1, self.decisions), 3),
            "widest": self.widest,
        }
        if self.plan.used:
            course = [*self._course, (self.decisions, scores, scores)]
            found["course"] = dict(zip(("at", "scores", "expected"), map(list, zip(*course, strict=True)), strict=True))
            seats = range(self.plan.seats)
            names = sorted(set().union(*self.offered))
            found["used"] = {name: [[self.offered[s][name], self.chosen[s][name]] for s in seats] for name in names}
        return found


class _Elements:
    """Maps choices to their elements, such as `place field r1c1`.

    A kind without domains is its own element.
    """

    def __init__(self, game: Game) -> None:
        self.game: Game = game
        self._known: dict[int, tuple[str, ...]] = {}

    def __call__(self, choice: int) -> tuple[str, ...]:
        found = self._known.get(choice)
        if found is None:
            kind = self.game.vocabulary.kind_of(choice)
            parts = zip(kind.domains, kind.parts(choice), strict=True)
            names = [f"{kind.name} {d.name} {self.game.notation.name(d.name, part)}" for d, part in parts]
            found = self._known[choice] = tuple(dict.fromkeys(names)) or (kind.name,)
        return found


_ELEMENTS: dict[tuple[str, str], _Elements] = {}


def elements(game: Game) -> _Elements:
    """Return the cached mapping from a game's choices to their elements."""
    key = (game.id, game.components_hash)
    if key not in _ELEMENTS:
        _ELEMENTS[key] = _Elements(game)
    return _ELEMENTS[key]
