"""The coach of a first game: effects of choices, upcoming events, and warnings of blunders.

A game can have a module `learn/coach.py` next to its rules with any of these functions:

- `notes(seen) -> Iterator[Note]`: facts that hold now and matter to the seat. Changes of them are
  reported.
- `soon(seen) -> Iterator[Note]`: upcoming events and their meaning for the seat.

Both get only a view and the components. Their texts have these keys:

- `<game>.coach.note.<key>` when a fact begins to hold, `<game>.coach.gone.<key>` when it ends. If
  one of them is missing, nothing is said.
- `<game>.coach.soon.<key>` for upcoming events.
- `<game>.coach.prompt.<prompt>` for the meaning of a question.
- `<game>.coach.kind.<kind>` and `<game>.coach.kind.<kind>.<name of its last part>` for the kinds of
  choices.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import inf
from statistics import fmean
from time import perf_counter
from typing import Any, Final, Literal, TypeAlias

from atoll.bots import GreedyBot, derive_seed, judge
from atoll.engine import Position, SeatView
from atoll.engine.rules import Rules, ScoreLine

Note: TypeAlias = tuple[str, Mapping[str, Any]]
"""A fact or event of a game: message key, values for the text."""

LOST: Final = 0.15
"""Loss of share above which a player is warned."""
_WORLDS: Final = 4  # an argument must hold in this number of determinizations
_LEAST_VISITS: Final = 8


@dataclass(frozen=True, slots=True)
class StandingChange:
    """A difference in a seat's situation.

    Attributes:
        about: `score` for a score line that gained or lost points, `note` for a fact that holds
            now, `gone` for one that no longer holds.
        key: Message key of the score line or fact.
        fields: Values for the text.
        points: Points gained; negative if lost, 0 for facts.
    """

    about: Literal["score", "note", "gone"]
    key: str
    fields: Mapping[str, Any]
    points: int = 0


@dataclass(frozen=True, slots=True)
class SeatSnapshot:
    """The situation of a seat.

    Attributes:
        lines: Lines of its score.
        notes: Facts that the game's coach reports.
    """

    lines: tuple[ScoreLine, ...]
    notes: tuple[Note, ...]


def standing(position: Position, seat: int) -> SeatSnapshot:
    """Return the situation of a seat, from its own knowledge."""
    return SeatSnapshot(
        tuple(position.explain()[seat]), tuple(_coach_notes(position.game, position.view(seat), "notes"))
    )


def upcoming_events(game: Rules, view: Mapping[str, Any]) -> list[Note]:
    """Return the upcoming events that the seat of a view can know."""
    return list(_coach_notes(game, view, "soon"))


def _coach_notes(game: Rules, view: Mapping[str, Any], what: str) -> Iterable[Note]:
    """Return the notes of one of the game's coach functions; none for a spectator's view."""
    tell = getattr(_coach(game.package), what, None)
    if tell is None or view["viewer"] is None:
        return ()
    found: Iterable[Note] = tell(game.seen(view))
    return found


@cache
def _coach(package: str) -> Any:
    """Return the game's coach module; None if the game has none."""
    name = f"{package}.learn.coach"
    try:
        known = importlib.util.find_spec(name)
    except ModuleNotFoundError:
        known = None
    return None if known is None else importlib.import_module(name)


def changes(before: SeatSnapshot, after: SeatSnapshot) -> list[StandingChange]:
    """Return the differences between two situations: score lines first, then facts."""
    found = [
        StandingChange("score", line.key, line.fields, points)
        for line, points in score_shifts(before.lines, after.lines)
    ]
    found += [StandingChange("note", *note) for note in after.notes if note not in before.notes]
    return found + [StandingChange("gone", *note) for note in before.notes if note not in after.notes]


def score_shifts(before: Sequence[ScoreLine], after: Sequence[ScoreLine]) -> Iterator[tuple[ScoreLine, int]]:
    """Yield the lines whose points differ, with the difference.

    Lines are paired with the most similar line before.
    """
    left = list(before)
    fresh = []
    for line in after:
        same = next((each for each in left if (each.key, each.fields) == (line.key, line.fields)), None)
        if same is None:
            fresh.append(line)
        else:
            left.remove(same)
            if line.points != same.points:
                yield line, line.points - same.points
    for line in fresh:
        like = max(
            (each for each in left if each.key == line.key), key=lambda each: _equal_fields(each, line), default=None
        )
        if like is not None and _equal_fields(like, line) >= max(len(line.fields) - 1, 0):
            left.remove(like)
            if line.points != like.points:
                yield line, line.points - like.points
        elif line.points:
            yield line, line.points
    yield from ((line, -line.points) for line in left if line.points)


def _equal_fields(one: ScoreLine, other: ScoreLine) -> int:
    """Return the number of equal fields of two lines."""
    return sum(other.fields.get(name) == value for name, value in one.fields.items())


# -- warnings of blunders --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class BlunderWarning:
    """An argument against a turn that the rules can prove.

    Kinds of arguments:

    - `mine`: a line of the seat's own score gets fewer points than after another choice, once the
      others have answered.
    - `theirs`: a line of the score of `seat` gets more points.
    - `end`: a line of the seat's own score got fewer points in all games that bots continued from
      here.

    Attributes:
        lost: Share that the seat loses by the turn, 0 to 1.
        about: Kind of the argument.
        seat: Seat whose score line it is.
        key: Message key of the score line.
        fields: Values for the text.
        points: Difference in points; for `end` the mean.
        games: Number of continued games for `end`.
    """

    lost: float
    about: Literal["mine", "theirs", "end"]
    seat: int
    key: str
    fields: Mapping[str, Any]
    points: int
    games: int = 0


def blunder_warning(
    position: Position, seat: int, choices: Sequence[int], budget: float, seed: int
) -> BlunderWarning | None:
    """Return an argument against choices of a seat; None if none can be proved.

    Args:
        position: The position before the choices.
        seat: The seat.
        choices: The choices of the turn, in order.
        budget: Time limit in seconds.
        seed: Seed of the searches.

    Raises:
        IllegalChoice: If a choice isn't legal.
    """
    trial, decisions = position, []
    for choice in choices:
        if len(trial.legal_choices(seat)) > 1:
            decisions.append((trial, choice))
        trial = trial.fork()
        trial.apply(choice, seat)
    for at, (moment, choice) in enumerate(decisions):
        view = SeatView(moment, seat)
        judged = judge(view, choice, budget / 2 / len(decisions), derive_seed(seed, at))
        enough = min(judged.best.visits, judged.taken.visits) >= _LEAST_VISITS
        if enough and judged.best.choice != choice and judged.lost > LOST:
            found = decisive_line(view, choice, judged.best.choice, judged.lost, budget / 2 / len(decisions), seed)
            if found is not None:
                return found
    return None


def decisive_line(
    view: SeatView, taken: int, best: int, lost: float, budget: float, seed: int
) -> BlunderWarning | None:
    """Return a score line that is worse after one choice than after another, in all worlds.

    Args:
        view: View of the seat before the decision.
        taken: The worse choice.
        best: The better choice.
        lost: Share that the seat loses by the worse one, 0 to 1.
        budget: Time limit in seconds for games that are played to their ends.
        seed: Seed of the determinizations.

    Returns:
        The argument against the worse choice, or None if no line is worse in all worlds.
    """
    near = [_positions_after(view, taken, best, derive_seed(seed, world), to_end=False) for world in range(_WORLDS)]
    for seat in (view.seat, *(each for each in range(near[0][0].seats) if each != view.seat)):
        sign = -1 if seat == view.seat else 1
        shown = [
            {(line.key, _hashable(line.fields)): (line, points) for line, points in _gaps(*each, seat)} for each in near
        ]
        common = set(shown[0]).intersection(*shown[1:])
        against = {key: min(sign * world[key][1] for world in shown) for key in common}
        worst = max(common, key=lambda key: against[key], default=None)
        if worst is not None and against[worst] > 0:
            line = shown[0][worst][0]
            about: Literal["mine", "theirs"] = "mine" if seat == view.seat else "theirs"
            return BlunderWarning(lost, about, seat, line.key, line.fields, against[worst])
    return _at_the_end(view, taken, best, lost, budget, seed)


def _at_the_end(view: SeatView, taken: int, best: int, lost: float, budget: float, seed: int) -> BlunderWarning | None:
    """Return the score line that is worse at the end of all continued games."""
    begin = perf_counter()
    worlds: list[tuple[Position, Position]] = []
    while len(worlds) < 2 * _WORLDS and perf_counter() - begin < budget:
        worlds.append(_positions_after(view, taken, best, derive_seed(seed, len(worlds)), to_end=True))
    if len(worlds) < _WORLDS:
        return None
    sums = [[_by_key(position.explain()[view.seat]) for position in each] for each in worlds]
    keys = {key for both in sums for each in both for key in each}
    gaps = {key: [best.get(key, 0) - taken.get(key, 0) for taken, best in sums] for key in keys}
    worst = max(gaps, key=lambda key: min(gaps[key]), default=None)
    if worst is None or min(gaps[worst]) <= 0:
        return None
    line = next(line for line in worlds[0][1].explain()[view.seat] if line.key == worst)
    return BlunderWarning(lost, "end", view.seat, worst, line.fields, round(fmean(gaps[worst])), len(worlds))


def _positions_after(view: SeatView, taken: int, best: int, seed: int, *, to_end: bool) -> tuple[Position, Position]:
    """Return the positions after one choice and after the other, from the same determinization."""
    one, other = (_played(view, choice, seed, to_end=to_end) for choice in (taken, best))
    return one, other


def _played(view: SeatView, choice: int, seed: int, *, to_end: bool) -> Position:
    """Return the position after a choice that greedy bots continue.

    They play until the seat is asked again after others have answered, or to the end.
    """
    position, bot, number, others = view.sample(seed), GreedyBot(), 0, False
    position.apply(choice, view.seat)
    while not position.over:
        seat = position.to_move[0]
        if not to_end and others and view.seat in position.to_move:
            break
        others |= seat != view.seat
        for each in bot.choose(SeatView(position, seat), inf, derive_seed(seed, number)):
            position.apply(each, seat)
            number += 1
    return position


def _gaps(taken: Position, best: Position, seat: int) -> list[tuple[ScoreLine, int]]:
    """Return the lines of a seat whose points differ, positive if more after `taken`."""
    return list(score_shifts(best.explain()[seat], taken.explain()[seat]))


def _by_key(lines: Sequence[ScoreLine]) -> dict[str, int]:
    """Return the points by key."""
    found: dict[str, int] = {}
    for line in lines:
        found[line.key] = found.get(line.key, 0) + line.points
    return found


def _hashable(fields: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Return the fields of a line in a hashable form."""
    return tuple((name, repr(value)) for name, value in sorted(fields.items()))
