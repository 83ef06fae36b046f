"""Random games and their positions, and the visible state of a position: the tools of the laws."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from random import Random
from typing import Any

from atoll.engine import PUBLIC, Game, Position, RulesError, State
from atoll.engine import save as saves

from .cases import Case


class BrokenLaw(AssertionError):
    """A game, or the engine, breaks a law."""


@dataclass(frozen=True)
class Effort:
    """The effort with which a law is tested.

    Attributes:
        moments: Positions per game.
        options: Choices tried per position.
        steps: Answers to continue with.
        twins: Pairs of twins to compare.
        clicks: Decisions made in a browser.
    """

    moments: int = 6
    choices: int = 5
    steps: int = 8
    twins: int = 4
    clicks: int = 20


Law = Callable[[Case, Effort], None]
"""A check of a case that raises `BrokenLaw`."""


@dataclass
class RandomGame:
    """A complete random game with chance entered by hand.

    Attributes:
        applied: All answers in order: (seat or None for chance, choice).
        labels: Prompt or kind of chance of each answer.
        checkpoints: Indices of answers that were given at a checkpoint.
        secrets: Indices of answers that not everybody learns.
        sealed: Indices of answers to a sealed decision.
    """

    applied: list[tuple[int | None, int]] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    checkpoints: list[int] = field(default_factory=list)
    secrets: list[int] = field(default_factory=list)
    sealed: list[int] = field(default_factory=list)


def offered(position: Position, seat: int) -> list[int]:
    """Return the legal choices of a seat, and check them.

    Args:
        position: The position.
        seat: The seat.

    Raises:
        BrokenLaw: If there are none, or if they aren't ascending choices of declared kinds.
    """
    options = position.legal_choices(seat)
    prompt = position.decision(seat).prompt
    if not options:
        raise BrokenLaw(f"{prompt!r} of seat {seat} offers nothing")
    if any(type(option) is not int for option in options):
        raise BrokenLaw(f"{prompt!r} of seat {seat} offers {options}: expected ints")
    if any(one >= two for one, two in pairwise(options)):
        raise BrokenLaw(f"{prompt!r} of seat {seat} offers {options}: expected ascending choices, each once")
    if options[0] < 0 or options[-1] >= position.game.vocabulary.decisions:
        raise BrokenLaw(f"{prompt!r} of seat {seat} offers {options}: not all are decisions of the vocabulary")
    declared = getattr(position.game, "prompts", None)
    if declared is not None:
        other = next((each for each in options if not any(each in kind for kind in declared.get(prompt, ()))), None)
        if other is not None:
            raise BrokenLaw(f"{prompt!r} offers {position.text(other)!r}; declared: {declared.get(prompt)}")
    return options


def step(position: Position, rng: Random) -> tuple[int | None, int]:
    """Apply a random answer of a seat or of chance.

    Args:
        position: The position.
        rng: Source of the answer.

    Returns:
        The seat (None for chance) and the choice.

    Raises:
        BrokenLaw: If the rules fail or offer invalid choices.
    """
    seat: int | None = None
    if position.to_move:
        seat = rng.choice(position.to_move)
        choice = rng.choice(offered(position, seat))
    else:
        outcomes = position.outcomes()
        if not outcomes:
            raise BrokenLaw("a draw from an empty pool")
        choice = rng.choices(list(outcomes), list(outcomes.values()))[0]
    try:
        position.apply(choice, seat)
    except RulesError as error:
        raise BrokenLaw(f"after {position.text(choice)!r} of {seat}: {error}") from error
    return seat, choice


def play_steps(position: Position, rng: Random, steps: int) -> None:
    """Apply random answers until the game is over or the number of steps is reached.

    Args:
        position: The position.
        rng: Source of the answers.
        steps: Maximum number of answers.

    Raises:
        BrokenLaw: If the rules fail or offer invalid choices.
    """
    for _ in range(steps):
        if position.over:
            return
        step(position, rng)


@lru_cache(maxsize=256)
def random_game(case: Case) -> RandomGame:
    """Return the cached random game of a case.

    Args:
        case: The case.

    Raises:
        BrokenLaw: If the game doesn't end within its maximum, or the rules fail.
    """
    rng = Random(f"{case} {case.seed}")
    position = case.game.new(case.seats, case.options)
    played = RandomGame()
    while not position.over:
        number = len(played.applied)
        if number > case.game.max_answers or len(position.record or ()) > case.game.max_answers:
            raise BrokenLaw(f"the game isn't over after {case.game.max_answers} answers, its maximum")
        if position.checkpoint_sequence == position.sequence and not position.sealed_answers:
            played.checkpoints.append(number)
        ask = position.pending_chance or position.decision(position.to_move[0])
        if position.sealed:
            played.sealed.append(number)
        if position.sealed or ask.audience != PUBLIC:
            played.secrets.append(number)
        chance = position.pending_chance
        played.labels.append(chance.kind.name if chance else position.decision(position.to_move[0]).prompt)
        played.applied.append(step(position, rng))
    if len(position.record or ()) > case.game.max_answers:
        raise BrokenLaw(f"the game had {len(position.record or ())} answers; its maximum is {case.game.max_answers}")
    return played


def spread_over_labels(played: RandomGame, among: Iterable[int], count: int, rng: Random) -> list[int]:
    """Return indices of answers with as many different labels as possible.

    Args:
        played: The game.
        among: Indices to choose from.
        count: Maximum number of indices.
        rng: Source of the selection.

    Returns:
        The indices in ascending order.
    """
    by_label: dict[str, list[int]] = {}
    for number in among:
        by_label.setdefault(played.labels[number], []).append(number)
    for numbers in by_label.values():
        rng.shuffle(numbers)
    groups = list(by_label.values())
    rng.shuffle(groups)
    chosen: list[int] = []
    while len(chosen) < count and any(groups):
        for numbers in groups:
            if numbers and len(chosen) < count:
                chosen.append(numbers.pop())
    return sorted(chosen)


def moments_at(case: Case, numbers: Sequence[int], *, end: bool = False) -> Iterator[Position]:
    """Yield the position of the random game before each of the given answers.

    The same position object is yielded each time and continued afterwards. Copy it to keep or
    change it.

    Args:
        case: The case.
        numbers: Indices of the answers.
        end: Whether to yield the end of the game too.

    Yields:
        The positions in order.

    Raises:
        BrokenLaw: If the random game breaks a law.
    """
    position = case.game.new(case.seats, case.options)
    wanted = set(numbers)
    for number, (seat, choice) in enumerate(random_game(case).applied):
        if number in wanted:
            yield position
        position.apply(choice, seat)
    if end:
        yield position


def moments(case: Case, count: int, *, end: bool = False) -> Iterator[Position]:
    """Return some positions of the random game, its start included; see `moments_at`.

    Args:
        case: The case.
        count: Number of positions without the end.
        end: Whether to yield the end of the game too.

    Raises:
        BrokenLaw: If the random game breaks a law.
    """
    played = random_game(case)
    numbers = spread_over_labels(played, range(1, len(played.applied)), count - 1, Random(case.seed))
    return moments_at(case, [0, *numbers], end=end)


def moments_and_end(case: Case, count: int) -> Iterator[Position]:
    """Return some positions of the random game, its start and end included; see `moments_at`."""
    return moments(case, count, end=True)


def finished(case: Case) -> Position:
    """Return the end of the random game."""
    position = case.game.new(case.seats, case.options)
    for seat, choice in random_game(case).applied:
        position.apply(choice, seat)
    return position


def checkpoint_state(position: Position) -> State:
    """Return a copy of the state at the last checkpoint."""
    game = position.game
    state = saves.decode_state(game.state_type, position.save_data()["state"])
    state.components = game.components
    state.options = position.options
    game.derive(state)
    return state


def reload(position: Position) -> Position:
    """Return an independent copy by saving and loading, with its own events and record."""
    game = position.game
    assert isinstance(game, Game)
    return game.load(position.save())


def visible_state(position: Position, viewer: int | None) -> dict[str, Any]:
    """Return everything that leaves the engine for a viewer: view, log, and record."""
    log = [event.seen_by(viewer) for event in position.events]
    return {
        "view": position.view(viewer),
        "log": [each for each in log if each is not None],
        "record": position.view_record(viewer),
    }


def viewers(position: Position) -> tuple[int | None, ...]:
    """Return all seats, and None for spectators."""
    return (*range(position.seats), None)


def full_knowledge(position: Position) -> dict[str, Any]:
    """Return everything that can be known about a position."""
    return {
        "save": position.save_data(),
        "record": list(position.record or ()),
        "events": [event.to_json() for event in position.events],
        "to_move": list(position.to_move),
        "seen": {str(viewer): visible_state(position, viewer) for viewer in viewers(position)},
    }


def difference(one: Any, two: Any) -> str | None:
    """Return the first difference of two plain values as text; None if they are equal."""
    if json.dumps(one) == json.dumps(two):
        return None
    return _first_difference(one, two, "")


def _first_difference(one: Any, two: Any, where: str) -> str | None:
    """Return the first difference of two plain values as text, with its path."""
    if isinstance(one, dict) and isinstance(two, dict) and list(one) == list(two):
        found = (_first_difference(one[key], two[key], f"{where}.{key}") for key in one)
        return next((each for each in found if each), None)
    if isinstance(one, list | tuple) and isinstance(two, list | tuple) and len(one) == len(two):
        pairs = enumerate(zip(one, two, strict=True))
        found = (_first_difference(*pair, f"{where}[{index}]") for index, pair in pairs)
        return next((each for each in found if each), None)
    if json.dumps(one) == json.dumps(two):
        return None
    return f"{where.lstrip('.')}: {json.dumps(one)[:200]} and {json.dumps(two)[:200]}"


def must_be_equal(one: Any, two: Any, what: str) -> None:
    """Check that two plain values are equal.

    Args:
        one: A value.
        two: The other value.
        what: Description of the values, for the message.

    Raises:
        BrokenLaw: If they differ; the message has the first difference.
    """
    found = difference(one, two)
    if found:
        raise BrokenLaw(f"{what}: {found}")
