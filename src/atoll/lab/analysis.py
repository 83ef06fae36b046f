"""Analysis of a series of games: win rates, distributions, usage of every element, and warnings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from atoll.engine import Game
from atoll.engine.translations import GameMessages
from atoll.engine.vocabulary import Numbers

from .course import Course, course_of
from .plan import split_factor
from .play import Row
from .proportions import MeanEstimate, Proportion
from .results import ResultsError

ENOUGH: Final = 30
"""Minimum number of games, seats or offers for a warning."""

ALWAYS: Final = 0.95
"""Rate from which an element counts as nearly always chosen."""
TOO_OFTEN: Final = 0.10
"""Distance from the expected win rate from which an element is warned about."""


@dataclass(frozen=True, slots=True)
class ElementUsage:
    """The usage of an element of the game, such as a card, a location or an option.

    Attributes:
        element: Id of the element, such as `place field r1c1`.
        name: Name of the element, for people.
        offered: Number of decisions that offered it.
        chosen: Number of times it was chosen.
        with_it: Win rate of the seats that chose it at least once in their game.
        without_it: Win rate of the seats that were offered it but never chose it.
    """

    element: str
    name: str
    offered: int
    chosen: int
    with_it: Proportion
    without_it: Proportion

    @property
    def rate(self) -> float:
        """Times chosen per decision that offered it."""
        return self.chosen / self.offered if self.offered else 0.0


@dataclass(slots=True)
class Report:
    """The analysis of a series of games.

    Attributes:
        plan: First row of the results file.
        title: Title of the game in English.
        games: Number of games.
        seats: Win rate of each seat.
        bots: Win rate of each bot.
        first: Win rate of the start player.
        scores: Final scores of each bot.
        lengths: Decisions per game.
        lead_changes: Changes of the sole leader per game; None if they weren't counted.
        branching: Choices per decision; None if they weren't counted.
        widest: Highest number of choices of a decision.
        sources: Key, mean points of winners, and mean points of the others, for each source of
            points.
        uses: Usage of the elements, those whose users win most unusually first.
        margins: Lead of the winner at the end of each game; None with one seat.
        course: The games over time; None if it wasn't noted.
        depth: Per bot with a factor of thinking, its results against the same bot without.
        warnings: Conspicuous results, as sentences.
    """

    plan: Row
    title: str
    games: int
    seats: list[Proportion]
    bots: list[Proportion]
    first: Proportion
    scores: list[MeanEstimate]
    lengths: MeanEstimate
    lead_changes: MeanEstimate | None
    branching: MeanEstimate | None
    widest: int
    sources: list[tuple[str, float, float]]
    uses: list[ElementUsage]
    margins: MeanEstimate | None
    course: Course | None
    depth: list[Proportion]
    warnings: list[str] = field(default_factory=list)


def analyze_results(game: Game, rows: Iterable[Row]) -> Report:
    """Analyze the rows of a results file.

    Args:
        game: The game.
        rows: Rows of the file, the plan first.

    Returns:
        The analysis.

    Raises:
        ResultsError: If no game is finished, or the results belong to another game.
    """
    rows = list(rows)
    plan = rows[0]
    games = [row for row in rows if row["row"] == "game"]
    if plan["game"] != game.id:
        raise ResultsError(f"the results are of {plan['game']!r}, not of {game.id!r}")
    if not games:
        raise ResultsError("the results hold no finished game")
    fair = 1 / plan["seats"]
    watched = [row for row in games if "branching" in row]
    report = Report(
        plan=plan,
        title=GameMessages(game, "en").title(),
        games=len(games),
        seats=_seats(games, fair),
        bots=_bots(games),
        first=_first(games, fair),
        scores=_scores(games),
        lengths=MeanEstimate("decisions", tuple(float(row["decisions"]) for row in games)),
        lead_changes=MeanEstimate("lead changes", tuple(float(row["lead_changes"]) for row in watched))
        if watched
        else None,
        branching=MeanEstimate("choices", tuple(row["branching"] for row in watched)) if watched else None,
        widest=max((row["widest"] for row in watched), default=0),
        sources=_sources(games),
        uses=sorted(_uses(game, [row for row in games if "used" in row]), key=_usualness),
        margins=MeanEstimate("margin", tuple(margin(row["scores"]) for row in games)) if plan["seats"] > 1 else None,
        course=course_of(games),
        depth=_depth(games),
    )
    report.warnings = list(_warnings(game, report))
    return report


def _usualness(use: ElementUsage) -> tuple[bool, float, str]:
    """Return the place of an element in the table: the clearest difference first, unused last."""
    low, high = use.with_it.interval
    return not use.with_it.games, -max(low - use.with_it.fair, use.with_it.fair - high), use.name


def margin(scores: Sequence[float]) -> float:
    """Return the lead of the highest score over the next one; 0 for a tie."""
    *_, second, best = sorted(scores)
    return float(best - second)


def _depth(games: Sequence[Row]) -> list[Proportion]:
    """Return how often bots with more time finish ahead of the same bots without."""
    found: dict[str, list[float]] = defaultdict(lambda: [0.0, 0])
    for row in games:
        for name in dict.fromkeys(row["bots"]):
            base, factor = split_factor(name)
            others = [place for place, bot in zip(row["places"], row["bots"], strict=True) if bot == base]
            if factor == 1 or not others:
                continue
            own = [place for place, bot in zip(row["places"], row["bots"], strict=True) if bot == name]
            pairs = [(place < other) + (place == other) / 2 for place in own for other in others]
            found[f"{name} ahead of {base}"][0] += sum(pairs) / len(pairs)
            found[f"{name} ahead of {base}"][1] += 1
    return [Proportion(name, wins, int(number), 0.5) for name, (wins, number) in sorted(found.items())]


def win_share(game: Row, seat: int) -> float:
    """Return the part of a win that a seat gets: shared wins are divided equally.

    Args:
        game: Row of the game.
        seat: The seat.

    Returns:
        1 for a sole win, 1 / n if n seats share it, 0 for a loss.
    """
    places: list[int] = game["places"]
    return (places[seat] == 1) / max(1, places.count(1))


def _seats(games: Sequence[Row], fair: float) -> list[Proportion]:
    """Return the win rate of each seat."""
    seats = range(len(games[0]["places"]))
    return [
        Proportion(f"seat {seat + 1}", sum(win_share(row, seat) for row in games), len(games), fair) for seat in seats
    ]


def _bots(games: Sequence[Row]) -> list[Proportion]:
    """Return the games that each bot won with any of its seats.

    A bot with more seats is expected to win more often.
    """
    counts: dict[str, list[float]] = defaultdict(lambda: [0.0, 0, 0.0])
    for row in games:
        for name in dict.fromkeys(row["bots"]):
            own = [seat for seat, other in enumerate(row["bots"]) if other == name]
            count = counts[name]
            count[0] += sum(win_share(row, seat) for seat in own)
            count[1] += 1
            count[2] += len(own) / len(row["bots"])
    return [Proportion(key, wins, int(number), fair / number) for key, (wins, number, fair) in sorted(counts.items())]


def _first(games: Sequence[Row], fair: float) -> Proportion:
    """Return the win rate of the start player."""
    return Proportion("who begins", sum(win_share(row, row["first"]) for row in games), len(games), fair)


def _scores(games: Sequence[Row]) -> list[MeanEstimate]:
    """Return the final scores of each bot."""
    found: dict[str, list[float]] = defaultdict(list)
    for row in games:
        for name, score in zip(row["bots"], row["scores"], strict=True):
            found[name].append(float(score))
    return [MeanEstimate(name, tuple(values)) for name, values in sorted(found.items())]


def _sources(games: Sequence[Row]) -> list[tuple[str, float, float]]:
    """Return each source of points: its key, the mean points of winners, and of the others."""
    totals: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    counts = [0, 0]
    for row in games:
        for seat, points in enumerate(row["points"]):
            side = 0 if row["places"][seat] == 1 else 1
            counts[side] += 1
            for key, value in points.items():
                totals[key][side] += value
    return [
        (key, winners / max(1, counts[0]), others / max(1, counts[1]))
        for key, (winners, others) in sorted(totals.items(), key=lambda item: -abs(item[1][0]))
    ]


class _SeatGroup:
    """Seats of several games that have something in common.

    Attributes:
        number: Number of seats.
        wins: Their wins.
        expected: Sum of the win rates of their bots in all games.
    """

    __slots__ = ("expected", "number", "wins")

    def __init__(self) -> None:
        self.number: int = 0
        self.wins: float = 0.0
        self.expected: float = 0.0

    def add(self, wins: float, expected: float) -> None:
        """Count one seat."""
        self.number += 1
        self.wins += wins
        self.expected += expected

    def share(self, name: str) -> Proportion:
        """Return the win rate of the seats."""
        return Proportion(name, self.wins, self.number, self.expected / self.number if self.number else 0.0)


def _uses(game: Game, games: Sequence[Row]) -> list[ElementUsage]:
    """Return the usage of all elements.

    A seat is expected to win as often as its bot does in all games. Otherwise the preferences of a
    strong bot would look like the merit of an element.
    """
    results: dict[str, list[float]] = defaultdict(list)
    for row in games:
        for seat, name in enumerate(row["bots"]):
            results[name].append(win_share(row, seat))
    expected = {name: sum(wins) / len(wins) for name, wins in results.items()}
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    seats: dict[str, tuple[_SeatGroup, _SeatGroup]] = defaultdict(lambda: (_SeatGroup(), _SeatGroup()))
    for row in games:
        for element, pairs in row["used"].items():
            count = counts[element]
            chosen_by, passed_by = seats[element]
            for seat, (offered, chosen) in enumerate(pairs):
                count[0] += offered
                count[1] += chosen
                if offered:
                    (chosen_by if chosen else passed_by).add(win_share(row, seat), expected[row["bots"][seat]])
    words = GameMessages(game, "en")
    return [
        ElementUsage(
            element,
            element_name(game, words, element),
            offered,
            chosen,
            seats[element][0].share("chosen"),
            seats[element][1].share("passed over"),
        )
        for element, (offered, chosen) in sorted(counts.items())
    ]


def element_name(game: Game, words: GameMessages, element: str) -> str:
    """Return the name that people use for an element.

    Args:
        game: The game.
        words: Messages of the language.
        element: Id of the element, such as `place field r1c1`.

    Returns:
        The name.
    """
    kind, *rest = element.split(" ")
    if not rest:
        return kind.replace("_", " ")
    domain, name = rest
    return f"{kind.replace('_', ' ')}: {words.name(domain, game.notation.index(domain, name))}"


def _all_elements(game: Game) -> Iterable[str]:
    """Yield all elements that decisions can offer, except plain numbers."""
    for kind in game.vocabulary.kinds:
        if kind.is_chance:
            continue
        if not kind.domains:
            yield kind.name
        for domain in dict.fromkeys(kind.domains):
            if not isinstance(domain, Numbers):
                for name in game.notation.names(domain.name):
                    yield f"{kind.name} {domain.name} {name}"


def _warnings(game: Game, report: Report) -> Iterable[str]:
    """Yield all warnings."""
    if report.plan["seats"] > 1:
        yield from _seat_warnings(report)
    yield from _element_warnings(game, report)


def _seat_warnings(report: Report) -> Iterable[str]:
    """Yield warnings about seats and the start player."""
    for share in report.seats:
        if share.games >= ENOUGH and not share.interval[0] <= share.fair <= share.interval[1]:
            word = "often" if share.share > share.fair else "seldom"
            yield f"{share.name} wins too {word}: {percent(share)}, expected {share.fair:.1%}"
    first = report.first
    if first.games >= ENOUGH and not first.interval[0] <= first.fair <= first.interval[1]:
        what = "an advantage" if first.share > first.fair else "a disadvantage"
        yield f"to begin is {what}: who begins wins {percent(first)}, expected {first.fair:.1%}"


def _element_warnings(game: Game, report: Report) -> Iterable[str]:
    """Yield warnings about elements."""
    if not report.uses:
        return
    used = {use.element: use for use in report.uses}
    words = GameMessages(game, "en")
    missing = [element_name(game, words, each) for each in _all_elements(game) if each not in used]
    if missing:
        shown = ", ".join(missing[:20]) + (", ..." if len(missing) > 20 else "")
        yield f"never on offer with these options ({len(missing)}): {shown}"
    for use in report.uses:
        yield from _use_warnings(use)


def _use_warnings(use: ElementUsage) -> Iterable[str]:
    """Yield warnings about the usage of one element."""
    if use.offered < ENOUGH:
        return
    if not use.chosen:
        yield f"{use.name} was on offer {use.offered:,} times and never chosen"
    elif use.rate >= ALWAYS and use.without_it.games:
        yield f"{use.name} was chosen nearly always: {use.rate:.0%} of {use.offered:,} times"
    share, other = use.with_it, use.without_it
    if share.games >= ENOUGH and other.games >= ENOUGH:
        low, high = share.interval
        rates = f"who chose it won {percent(share)}, expected {share.fair:.1%}"
        if low > share.fair + TOO_OFTEN and low > other.share:
            yield f"{use.name} wins too often: {rates}"
        elif high < share.fair - TOO_OFTEN and high < other.share:
            yield f"{use.name} loses too often: {rates}"


def percent(share: Proportion) -> str:
    """Return a win rate with its interval as text."""
    low, high = share.interval
    return f"{share.share:.1%} (95 %: {low:.1%} to {high:.1%})"


def describe_plan(plan: Mapping[str, Any]) -> str:
    """Return the settings of a plan in one line."""
    options = ", ".join(f"{key} = {str(value).lower()}" for key, value in plan["options"].items()) or "no options"
    thinking = f"{plan['iterations']} iterations" if plan["iterations"] else f"at most {plan['seconds']:g} s"
    return (
        f"{plan['seats']} seats; {options}; bots {', '.join(plan['bots'])} ({thinking} a decision); seed {plan['seed']}"
    )


def describe_labels(plan: Mapping[str, Any]) -> str:
    """Return what an experiment varied in a plan, in one line; "" outside of experiments."""
    return ", ".join(
        f"{key} = {str(value).lower() if isinstance(value, bool) else value}" for key, value in plan["labels"].items()
    )
