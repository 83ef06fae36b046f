"""Random games and their moments, and what somebody sees of them: what the laws are made of."""

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
    """How hard a law looks.

    moments: of a game. options: tried at a moment. steps: answers that are played on. twins: pairs that are compared.
    clicks: decisions made in a browser.
    """

    moments: int = 6
    options: int = 5
    steps: int = 8
    twins: int = 4
    clicks: int = 20


Law = Callable[[Case, Effort], None]


@dataclass
class Script:
    """A whole random game, chance by hand.

    applied: what was applied, in this order: (seat or None for chance, choice).
    labels: per application the prompt, or the kind of chance. checkpoints, secrets, sealed: numbers of the applications
    that were awaited at a checkpoint, whose outcome not everybody learns, or that belong to a sealed decision.
    """

    applied: list[tuple[int | None, int]] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    checkpoints: list[int] = field(default_factory=list)
    secrets: list[int] = field(default_factory=list)
    sealed: list[int] = field(default_factory=list)


def offered(position: Position, seat: int) -> list[int]:
    """A seat's options. Raises BrokenLaw if there are none, or others than ascending decisions of declared kinds."""
    options = position.legal(seat)
    prompt = position.decision(seat).prompt
    if not options:
        raise BrokenLaw(f"{prompt!r} of seat {seat} offers nothing")
    if any(type(option) is not int for option in options):
        raise BrokenLaw(f"{prompt!r} of seat {seat} offers {options}: choices are ints")
    if any(one >= two for one, two in pairwise(options)):
        raise BrokenLaw(f"{prompt!r} of seat {seat} offers {options}: must be ascending, each once")
    if options[0] < 0 or options[-1] >= position.game.vocabulary.decisions:
        raise BrokenLaw(f"{prompt!r} of seat {seat} offers {options}: not all are decisions of the vocabulary")
    declared = getattr(position.game, "prompts", None)
    if declared is not None:
        other = next((each for each in options if not any(each in kind for kind in declared.get(prompt, ()))), None)
        if other is not None:
            raise BrokenLaw(f"{prompt!r} offers {position.text(other)!r}; declared: {declared.get(prompt)}")
    return options


def step(position: Position, rng: Random) -> tuple[int | None, int]:
    """One random answer of a seat or of chance; gives it. Raises BrokenLaw where the rules fail."""
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


def go_on(position: Position, rng: Random, steps: int) -> None:
    """Up to so many random answers."""
    for _ in range(steps):
        if position.over:
            return
        step(position, rng)


@lru_cache(maxsize=256)
def script(case: Case) -> Script:
    """A random game. Raises BrokenLaw if it doesn't end within the game's bound, or if the rules fail."""
    rng = Random(f"{case} {case.seed}")
    position = case.game.new(case.seats, case.options)
    played = Script()
    while not position.over:
        number = len(played.applied)
        if number > case.game.bound or len(position.record or ()) > case.game.bound:
            raise BrokenLaw(f"the game goes on after {case.game.bound} answers, its bound")
        if position.checkpoint_sequence == position.sequence and not position.sealed_answers:
            played.checkpoints.append(number)
        ask = position.chance or position.decision(position.to_move[0])
        if position.sealed:
            played.sealed.append(number)
        if position.sealed or ask.audience != PUBLIC:
            played.secrets.append(number)
        chance = position.chance
        played.labels.append(chance.kind.name if chance else position.decision(position.to_move[0]).prompt)
        played.applied.append(step(position, rng))
    if len(position.record or ()) > case.game.bound:
        raise BrokenLaw(f"the game had {len(position.record or ())} answers; its bound is {case.game.bound}")
    return played


def spread(played: Script, among: Iterable[int], count: int, rng: Random) -> list[int]:
    """So many numbers of applications, of as many different prompts and kinds of chance as there are."""
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
    """The random game just before these applications, and at its end if wanted.

    What is yielded is played on afterwards: copy it to keep it, and don't play on it.
    """
    position = case.game.new(case.seats, case.options)
    wanted = set(numbers)
    for number, (seat, choice) in enumerate(script(case).applied):
        if number in wanted:
            yield position
        position.apply(choice, seat)
    if end:
        yield position


def moments(case: Case, count: int, *, end: bool = False) -> Iterator[Position]:
    """Some moments of the random game, its start among them; see moments_at."""
    played = script(case)
    numbers = spread(played, range(1, len(played.applied)), count - 1, Random(case.seed))
    return moments_at(case, [0, *numbers], end=end)


def moments_and_end(case: Case, count: int) -> Iterator[Position]:
    """Some moments of the random game, its start and end among them; see moments_at."""
    return moments(case, count, end=True)


def finished(case: Case) -> Position:
    """The random game at its end."""
    position = case.game.new(case.seats, case.options)
    for seat, choice in script(case).applied:
        position.apply(choice, seat)
    return position


def checkpoint_state(position: Position) -> State:
    """The state at the last checkpoint, a copy."""
    game = position.game
    state = saves.decode_state(game.state_type, position.save_data()["state"])
    state.box = game.box
    state.options = position.options
    game.derive(state)
    return state


def same(position: Position) -> Position:
    """The same position from a save: an independent one that collects events and a record of its own."""
    game = position.game
    assert isinstance(game, Game)
    return game.load(position.save())


def sees(position: Position, viewer: int | None) -> dict[str, Any]:
    """All that leaves the engine for a viewer: the view with decision and options, the log, the record."""
    log = [event.seen_by(viewer) for event in position.events]
    return {
        "view": position.view(viewer),
        "log": [each for each in log if each is not None],
        "record": position.view_record(viewer),
    }


def viewers(position: Position) -> tuple[int | None, ...]:
    """All seats and the spectators."""
    return (*range(position.seats), None)


def everything(position: Position) -> dict[str, Any]:
    """All that there is to know about a position."""
    return {
        "save": position.save_data(),
        "record": list(position.record or ()),
        "events": [event.to_json() for event in position.events],
        "to_move": list(position.to_move),
        "seen": {str(viewer): sees(position, viewer) for viewer in viewers(position)},
    }


def difference(one: Any, two: Any) -> str | None:
    """The first place where two pieces of plain data differ, in words; None if they are the same to the byte."""
    if json.dumps(one) == json.dumps(two):
        return None
    return _first_difference(one, two, "")


def _first_difference(one: Any, two: Any, where: str) -> str | None:
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
    """Raises BrokenLaw naming the first difference."""
    found = difference(one, two)
    if found:
        raise BrokenLaw(f"{what}: {found}")
