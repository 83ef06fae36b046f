"""What was told of a game, for pages: lines of the log with the things that they name, and acts for the player."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..domain.model import Act, LogEntry
from . import pictures, texts


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the log. at: the moment after it. names: the ids of what it names, of elements and of seats.

    undone: see LogEntry.
    """

    number: int
    at: int
    origin: str
    words: str
    names: tuple[str, ...]
    undone: bool


def lines(entries: Sequence[LogEntry], words: texts.GameTexts, site: texts.Texts) -> list[Line]:
    """Lines of the log, in the order of the entries."""
    return [
        Line(
            entry.number,
            entry.sequence,
            entry.origin,
            texts.log_line(entry, words, site),
            tuple(pictures.named(words.game, entry)),
            entry.undone,
        )
        for entry in entries
    ]


def acts_json(acts: Sequence[Act], words: texts.GameTexts, site: texts.Texts) -> list[dict[str, Any]]:
    """Acts as the page's scripts read them. Where nothing was told, a line without number says who chose."""
    return [
        {"start": act.start, "end": act.end, "seats": act.seats, "lines": _lines_of(act, words, site)} for act in acts
    ]


def _lines_of(act: Act, words: texts.GameTexts, site: texts.Texts) -> list[dict[str, Any]]:
    told = lines(act.log, words, site)
    if told or not act.seats:
        return [{"number": line.number, "words": line.words, "names": line.names} for line in told]
    said = site.text("player.untold", names=", ".join(words.seat(seat) for seat in act.seats))
    return [{"number": None, "words": said, "names": [f"seat-{seat}" for seat in act.seats]}]
