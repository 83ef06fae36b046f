"""Log lines for pages, with the elements that they name, and acts for the playback."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..domain.model import Act, LogEntry
from . import pictures, texts


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line of the log.

    Attributes:
        number: Index in the reader's log.
        at: Sequence number of the moment after it.
        origin: "game" or "table".
        words: Its text.
        names: Ids of the elements and seats that it names.
        undone: Whether it belongs to an answer that was taken back.
    """

    number: int
    at: int
    origin: str
    words: str
    names: tuple[str, ...]
    undone: bool


def lines(entries: Sequence[LogEntry], words: texts.GameTexts, site: texts.Texts) -> list[LogLine]:
    """Return log entries as lines, in the same order.

    Args:
        entries: The entries.
        words: Messages of the game.
        site: Messages of the site.
    """
    return [
        LogLine(
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
    """Return acts as the page's scripts read them.

    An act without log entries has one line without a number that says who chose.

    Args:
        acts: The acts.
        words: Messages of the game.
        site: Messages of the site.
    """
    return [
        {
            "start": act.start,
            "end": act.end,
            "seats": act.seats,
            "sound": pictures.sound_of(words.game, act.log),
            "lines": _lines_of(act, words, site),
        }
        for act in acts
    ]


def _lines_of(act: Act, words: texts.GameTexts, site: texts.Texts) -> list[dict[str, Any]]:
    log_lines = lines(act.log, words, site)
    if log_lines or not act.seats:
        return [{"number": line.number, "words": line.words, "names": line.names} for line in log_lines]
    text = site.text("player.untold", names=", ".join(words.seat(seat) for seat in act.seats))
    return [{"number": None, "words": text, "names": [f"seat-{seat}" for seat in act.seats]}]
