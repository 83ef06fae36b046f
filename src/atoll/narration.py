"""Narration of a recorded game, step by step."""

from __future__ import annotations

from dataclasses import dataclass, field

from atoll.engine import CHANCE, Event, Game, Position
from atoll.engine.record import Record, RecordLine, replay
from atoll.engine.state import may_know
from atoll.engine.translations import FallbackMessages, GameMessages, MessageCatalogue


@dataclass(slots=True)
class NarratedStep:
    """A step of a narrated game.

    Attributes:
        number: Number of the step, from 1.
        title: The answer or chance outcome.
        happened: Log lines of its consequences.
    """

    number: int
    title: str
    log_lines: list[str] = field(default_factory=list)


class Narration:
    """Narrates recorded games of one game in a language.

    Attributes:
        game: The game.
        words: Messages of the game.
        viewer: Seat whose knowledge is narrated; None for everything.
    """

    def __init__(self, game: Game, language: str, viewer: int | None = None) -> None:
        self.game: Game = game
        self.words: GameMessages = FallbackMessages(game, language)
        self.viewer: int | None = viewer
        self._texts: MessageCatalogue = MessageCatalogue("atoll", language)

    def title(self, seats: int) -> str:
        """Return the heading: the game, the number of seats, and the viewer."""
        viewer = "" if self.viewer is None else f" ({self.words.seat(self.viewer)})"
        return f"{self.words.title()}, {seats} {self._texts.text('story.seats')}{viewer}"

    def narrate(self, record: Record) -> tuple[list[NarratedStep], Position]:
        """Narrate a recorded game.

        Args:
            record: The record.

        Returns:
            The steps, and the position after them.

        Raises:
            SaveError: If the record doesn't fit the rules.
        """
        found: list[NarratedStep] = []
        narrated = 0

        def watch(_step: RecordLine, position: Position) -> None:
            """Add the answers and events since the last call."""
            nonlocal narrated
            assert position.record is not None
            fresh = [self._title(*entry) for entry in position.record[narrated:]]
            narrated = len(position.record)
            happened = [text for event in position.take_events() if (text := self._event(event)) is not None]
            for title in fresh:
                found.append(NarratedStep(len(found) + 1, title))
            if found:
                found[-1].log_lines += happened

        end = replay(self.game, record, watch)
        return found, end

    def _title(self, who: int, choice: int, audience: int) -> str:
        """Return the text of an answer, without the choice if the viewer may not know it."""
        name = self._texts.text("story.chance") if who == CHANCE else self.words.seat(who)
        if self.viewer is not None and who != self.viewer and not may_know(audience, self.viewer):
            return f"{name}: ({self._texts.text('story.secret')})"
        return f"{name}: {self.words.choice(choice)}"

    def _event(self, event: Event) -> str | None:
        """Return the log line of an event; None if the viewer doesn't see it."""
        if self.viewer is not None:
            return self.words.event(event, self.viewer)
        return self.words.say(f"log.{event.key}", event.fields)

    def ending(self, position: Position) -> list[str]:
        """Return the scores in order of rank, each with its score lines."""
        found = []
        place, points = self._texts.text("story.place"), self._texts.text("story.points")
        places, scores, lines = position.ranking(), position.scores(), position.explain()
        for seat in sorted(range(position.seats), key=places.__getitem__):
            found.append(f"{place} {places[seat]}: {self.words.seat(seat)}, {scores[seat]} {points}")
            found += [f"  {line.points:+4d}  {self.words.score(line)}" for line in lines[seat]]
        return found
