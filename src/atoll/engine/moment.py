"""A game at one moment, to be read: who is asked what, what each may know, how it stands."""

from __future__ import annotations

from typing import Any

from mypy_extensions import mypyc_attr

from . import save as saves
from . import view as views
from .decisions import Choose, Draw, Roll
from .errors import ChanceError, MalformedChoice, RulesError, WrongSeat
from .rebuild import Rebuilt
from .rules import Line
from .segment import SEATS
from .state import Event
from .vocabulary import Kind


@mypyc_attr(serializable=True, allow_interpreted_subclasses=True)
class Moment(Rebuilt):
    """All that can be asked of a running game without changing it."""

    __slots__ = ()

    # -- what is asked -------------------------------------------------------------------------------------------

    @property
    def sealed(self) -> bool:
        """Whether a sealed decision is open."""
        return self._sealed is not None

    @property
    def ready(self) -> list[bool] | None:
        """In a sealed decision: which seats have answered (or aren't asked); else None."""
        if self._sealed is None:
            return None
        return [seat not in self.to_move for seat in range(self.seats)]

    @property
    def sealed_answers(self) -> dict[int, list[int]]:
        """The answers to an open sealed decision that are in, per seat; secret until all are."""
        return {} if self._sealed is None else self._sealed.answers()

    @property
    def chance(self) -> Roll | Draw | None:
        """The chance event that waits for an outcome by hand, if any."""
        ask = self._ask
        return ask if isinstance(ask, Roll | Draw) else None

    @property
    def chances(self) -> int:
        """How many chance events have happened; the next one uses the source's number of this index."""
        return self._chances

    @property
    def checkpoint_sequence(self) -> int:
        """The sequence number at the last checkpoint."""
        return self._open.sequence

    def outcomes(self) -> dict[int, int]:
        """The possible outcomes of the pending chance event with their weights, ascending. Raises ChanceError."""
        ask = self._ask
        if type(ask) is Roll:
            return dict.fromkeys(range(ask.kind.first, ask.kind.end), 1)
        if type(ask) is Draw:
            weights: dict[int, int] = {}
            for index in sorted(ask.pool):
                choice = ask.kind.first + index
                weights[choice] = weights.get(choice, 0) + 1
            return weights
        raise ChanceError(f"no chance outcome is asked for now; {self._whose_move()}")

    def decision(self, seat: int) -> Choose:
        """What a seat is asked now. Raises WrongSeat if it isn't."""
        ask = self._ask
        if type(ask) is Choose and ask.seat == seat:
            return ask
        self._check_seat(seat)
        if self._sealed is not None:
            private = self._sealed.asked(seat)
            if private is not None:
                return private
        raise WrongSeat(f"seat {seat} isn't asked now; {self._whose_move()}")

    def legal(self, seat: Any) -> list[int]:
        """The choices that a seat can make now, ascending; [] if it isn't asked. Raises WrongSeat for no such seat."""
        ask = self._ask
        if type(ask) is Choose and ask.seat == seat:
            return [*ask.options]
        if self._sealed is not None and type(seat) is int and seat in self.to_move:
            private = self._sealed.asked(seat)
            if private is not None:
                return list(private.options)
        self._check_seat(seat)
        return []

    def text(self, choice: Any) -> str:
        """The text form of a choice. Raises MalformedChoice."""
        return self.game.notation.text(choice)

    def parse(self, text: str) -> int:
        """The choice with this text form. Raises MalformedChoice."""
        return self.game.notation.parse(text)

    # -- what is to be seen --------------------------------------------------------------------------------------

    def view(self, seat: int | None) -> dict[str, Any]:
        """All that a seat, or with None a spectator, may know, as JSON-able data. Raises WrongSeat."""
        return self._view(seat, views.view_state(self.state, seat), self.game.live(self.state, seat))

    def public_view(self) -> views.PublicView:
        """What all see alike of the table as it is now; see `encodable_view`."""
        segment = self._segment
        saved = None
        if segment is not None and segment.saved is not None and views.is_open(self.state):
            saved = segment.saved if segment.base == self.state else None
        return views.PublicView(self.game, self.state, saved)

    def encodable_view(self, seat: int | None, public: views.PublicView) -> dict[str, Any]:
        """What `view` gives, to be encoded as JSON: `state` and `live` are JSON already, and most of it made for all.

        public: of the table as it is now. Raises WrongSeat.
        """
        state = self.state
        return self._view(seat, public.state_for(state, seat), public.live_for(self.game, state, seat))

    def _view(self, seat: int | None, state: Any, live: Any) -> dict[str, Any]:
        if seat is not None:
            self._check_seat(seat)
        return {
            "game": self.game.id,
            "seats": self.seats,
            "viewer": seat,
            "sequence": self.sequence,
            "over": self.over,
            "options": dict(self.options),
            "to_move": list(self.to_move),
            "sealed": self.sealed,
            "ready": self.ready,
            "decision": self._view_decision(seat),
            "answers": self._view_answers(seat),
            "state": state,
            "live": live,
            "ranking": self.ranking() if self.over else None,
        }

    def _view_decision(self, viewer: int | None) -> dict[str, Any] | None:
        """The decision that is open: with its options for the seat that is asked, else only who is asked what."""
        if self._sealed is not None:
            if viewer is None or viewer not in self.to_move:
                return None
            return views.describe_choose(self.decision(viewer), whole=True)
        if not self.to_move:
            return None
        ask = self.decision(self.to_move[0])
        return views.describe_choose(ask, whole=viewer == ask.seat)

    def _view_answers(self, viewer: int | None) -> list[list[int | None]]:
        """What was answered since the last checkpoint, as far as the viewer may know it: [who, choice]."""
        segment = self._segment
        if segment is None or not self._snapshots:
            return []
        if not segment.choices and self._sealed is None:
            return []
        told = views.view_record(segment.answers(), viewer)
        own = [] if viewer is None else self.sealed_answers.get(viewer, [])
        return told + [[viewer, choice] for choice in own]

    def view_record(self, viewer: int | None) -> list[list[int | None]]:
        """The record [who, choice] of all answers, with None for the choices that the viewer may not know."""
        self._need_snapshots("give a record")
        return views.view_record(self.record or [], viewer)

    def own_answers(self, seat: int) -> list[int]:
        """What a seat has answered since the last checkpoint, what was taken unasked too; also in play-outs."""
        if self._snapshots:
            segment = self._open
            pairs = zip(segment.who, segment.choices, strict=True)
            found = [choice for who, choice in pairs if who >= 0 and who % SEATS == seat]
        else:
            pairs = zip(self._log[1::2], self._log[::2], strict=True)
            found = [choice for who, choice in pairs if who == seat]
        return found if self._sealed is None else found + self._sealed.answers().get(seat, [])

    @property
    def events(self) -> list[Event]:
        """All events so far, as far as this position was told them (forks aren't)."""
        return list(self.state.told or ())

    def take_events(self) -> list[Event]:
        """The events since the last call."""
        told = self.state.told or []
        fresh = told[self._taken :]
        self._taken = len(told)
        return fresh

    def scores(self) -> list[int]:
        """One total per seat, as if the game ended now."""
        return self.game.scores(self.state)

    def ranking(self) -> list[int]:
        """The place of each seat (1 is best, ties shared), as if the game ended now."""
        return self.game.ranking(self.state)

    def explain(self) -> list[list[Line]]:
        """Per seat, line by line, what makes up its score, as if the game ended now."""
        return self.game.explain(self.state)

    def digest(self) -> str:
        """A short hash of the table as it is now, secrets included."""
        return saves.digest(self.state)

    # -- checks and messages -------------------------------------------------------------------------------------

    def _check_seat(self, seat: Any) -> None:
        if type(seat) is not int or not 0 <= seat < self.seats:
            raise WrongSeat(f"there is no seat {seat!r}; allowed: 0 to {self.seats - 1}")

    def _check_whole(self) -> None:
        if self._broken:
            raise RulesError("the rules failed in this play-out; it can't go on")

    def _need_snapshots(self, what: str) -> None:
        self._check_whole()
        if not self._snapshots:
            raise ValueError(f"a position made with snapshots=False can't {what}")

    def _whose_move(self) -> str:
        if self.over:
            return "the game is over"
        if not self.to_move:
            return "a chance outcome is awaited"
        return "to move: " + ", ".join(f"seat {seat}" for seat in self.to_move)

    def _safe_text(self, choice: int, kind: Kind) -> str:
        try:
            return self.text(choice)
        except MalformedChoice:
            return f"{kind.name} {choice}"

    def _offer(self, seat: int) -> str:
        options = self.decision(seat).options
        shown = ", ".join(self.text(choice) for choice in options[:12])
        return f"offered: {shown}" + (f", ... ({len(options)} in all)" if len(options) > 12 else "")

    def __repr__(self) -> str:
        return f"<{self.game.id} after {self.sequence} answers; {self._whose_move()}>"
