"""The end of a game: podium and sentences on how it was won, made from the score lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ..domain.model import Score
from .texts import GameTexts, ScoreLineText, Texts, lines_of

_STEPS: Final = 3
"""Number of places on the podium."""
_NAMED_LINES: Final = 2
"""Number of score lines that a sentence names."""


@dataclass(frozen=True, slots=True)
class Contender:
    """A seat or a rival at the end of a game.

    Attributes:
        place: Its place, 1 for the best.
        seat: Its seat, or None for a rival.
        name: Its name.
        points: Its total.
        lines: Its score lines: key and text of each.
    """

    place: int
    seat: int | None
    name: str
    points: int
    lines: tuple[tuple[str, ScoreLineText], ...]


def contenders(score: Score | None, words: GameTexts) -> list[Contender]:
    """Return the seats of a finished game, best first; a single seat is ranked with its rivals.

    Args:
        score: The result, or None before the end.
        words: Messages of the game, with the players' names.
    """
    if score is None:
        return []
    found = [
        Contender(place, seat, words.seat(seat), score.totals[seat], _lines(score.lines[seat], words))
        for seat, place in enumerate(score.places)
    ]
    if len(found) == 1:
        place = 2 if score.places[0] == 1 else 1
        for rival in score.rivals:
            lines = _lines(rival["lines"], words)
            total = sum(line.points for _, line in lines)
            found.append(Contender(place, None, words.say(f"rival.{rival['key']}"), total, lines))
    return sorted(found, key=lambda each: each.place)


def _lines(lines: Sequence[Mapping[str, Any]], words: GameTexts) -> tuple[tuple[str, ScoreLineText], ...]:
    return tuple(zip((line["key"] for line in lines), lines_of(lines, words), strict=True))


def podium(found: Sequence[Contender]) -> list[Contender]:
    """Return the best three, or none if nobody else was ranked."""
    return list(found[:_STEPS]) if len(found) > 1 else []


def decision(found: Sequence[Contender], texts: Texts) -> str:
    """Return sentences on who won and which score lines made the difference; "" without a score.

    Args:
        found: The contenders, best first.
        texts: Messages of the site.
    """
    if not found:
        return ""
    winners = [each for each in found if each.place == 1]
    others = [each for each in found if each.place != 1]
    if not winners:
        said = "ended.alone.lost" if len(found) == 1 else "ended.nobody"
        return _sentence(texts, said, found[0])
    if len(winners) > 1:
        names = texts.text("ended.and").join((", ".join(each.name for each in winners[:-1]), winners[-1].name))
        shared = texts.text("ended.shared", names=names, n=winners[0].points)
        return _signed(" ".join([shared, *(_best(each, texts) for each in winners)]))
    winner = winners[0]
    if not others:
        return _signed(" ".join(filter(None, [_sentence(texts, "ended.alone.won", winner), _best(winner, texts)])))
    second = others[0]
    margin = winner.points - second.points
    key = "ended.won" if margin > 0 else "ended.level" if not margin else "ended.decided"
    n = margin if margin > 0 else winner.points
    fields = {"winner": winner.name, "second": second.name, "points": winner.points, "other": second.points}
    how = (_lead(winner, second, texts) if margin > 0 else "") or _best(winner, texts)
    return _signed(" ".join(filter(None, [texts.text(key, n=n, **fields), how])))


def _sentence(texts: Texts, key: str, who: Contender) -> str:
    return _signed(texts.text(key, name=who.name, n=who.points))


def _lead(winner: Contender, second: Contender, texts: Texts) -> str:
    """Return a sentence on the lines in which the winner is ahead; "" if there are none.

    A line is compared with all lines of the same key. Keys that several lines of the winner have,
    such as the rows of a board, name nothing that can be compared.
    """
    count = Counter(key for key, _ in winner.lines)
    other: Counter[str] = Counter()
    for key, line in second.lines:
        other[key] += line.points
    leads = [
        (line.points - other[key], line, other[key])
        for key, line in winner.lines
        if count[key] == 1 and line.points > other[key]
    ]
    leads.sort(key=lambda each: -each[0])
    named = [
        texts.text("ended.line", line=line.words, points=line.points, other=less)
        for _, line, less in leads[:_NAMED_LINES]
    ]
    return texts.text("ended.lead", lines=texts.text("ended.and").join(named)) if named else ""


def _best(who: Contender, texts: Texts) -> str:
    """Return a sentence on a contender's best line; "" without a line that brought points."""
    best = max((line for _, line in who.lines), key=lambda line: line.points, default=None)
    if best is None or best.points <= 0:
        return ""
    return texts.text("ended.best", name=who.name, line=best.words, n=best.points)


def _signed(text: str) -> str:
    """Return a text with minus signs before numbers."""
    return text.replace(" -", " −").replace("(-", "(−")
