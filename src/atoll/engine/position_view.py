"""Views of positions: everything that a seat or a spectator may know."""

from __future__ import annotations

from typing import Any

from mypy_extensions import mypyc_attr

from . import view as views
from .driver import Driver
from .history import History
from .json_types import JsonObject
from .options import Options


@mypyc_attr(serializable=True)
class PositionView:
    """Views of one position.

    Args:
        driver: Driver of the position.
        history: Answers of the position.
        options: Resolved options.
    """

    __slots__ = ("_driver", "_history", "_options")

    def __init__(self, driver: Driver, history: History, options: Options) -> None:
        self._driver: Driver = driver
        self._history: History = history
        self._options: Options = options

    def view(self, seat: int | None) -> JsonObject:
        """Return everything that a viewer may know, as JSON-able data.

        Args:
            seat: The seat; None for a spectator.

        Raises:
            WrongSeat: If the seat doesn't exist.
        """
        driver = self._driver
        return self._view(seat, views.view_state(driver.state, seat), driver.game.derived_view(driver.state, seat))

    def public(self) -> views.PublicView:
        """Return the part of the view that is the same for all viewers, for `json_view`."""
        state, segment = self._driver.state, self._history.segment
        saved = None
        if segment is not None and segment.saved is not None and views.is_fully_public(state):
            saved = segment.saved if segment.base == state else None
        return views.PublicView(self._driver.game, state, saved)

    def json_view(self, seat: int | None, public: views.PublicView) -> JsonObject:
        """Return the content of `view` with parts that are already encoded as JSON.

        Args:
            seat: The seat; None for a spectator.
            public: Public view of the current state, whose JSON is reused.

        Raises:
            WrongSeat: If the seat doesn't exist.
        """
        driver = self._driver
        state = driver.state
        return self._view(seat, public.state_for(state, seat), public.live_for(driver.game, state, seat))

    def record(self, viewer: int | None) -> list[list[int | None]]:
        """Return the record as [actor, choice], with None for choices hidden from the viewer."""
        return views.view_record(self._history.record or [], viewer)

    def _view(self, seat: int | None, state: Any, live: Any) -> JsonObject:
        driver = self._driver
        if seat is not None:
            driver.check_seat(seat)
        sealed = driver.sealed is not None
        return {
            "game": driver.game.id,
            "seats": driver.seats,
            "viewer": seat,
            "sequence": driver.sequence,
            "over": driver.over,
            "options": dict(self._options),
            "to_move": list(driver.to_move),
            "sealed": sealed,
            "ready": [each not in driver.to_move for each in range(driver.seats)] if sealed else None,
            "decision": self._decision(seat),
            "answers": self._answers(seat),
            "state": state,
            "live": live,
            "ranking": driver.game.ranking(driver.state) if driver.over else None,
        }

    def _decision(self, viewer: int | None) -> JsonObject | None:
        """Return the open decision; seats that aren't asked get only seat and prompt."""
        driver = self._driver
        if driver.sealed is not None:
            if viewer is None or viewer not in driver.to_move:
                return None
            return views.describe_choose(driver.decision(viewer), whole=True)
        if not driver.to_move:
            return None
        ask = driver.decision(driver.to_move[0])
        return views.describe_choose(ask, whole=viewer == ask.seat)

    def _answers(self, viewer: int | None) -> list[list[int | None]]:
        """Return the answers since the checkpoint as [actor, choice], None for secret choices."""
        segment = self._history.segment
        if segment is None:
            return []
        answers = views.view_record(segment.answers(), viewer)
        own = [] if viewer is None else self._driver.sealed_answers().get(viewer, [])
        return answers + [[viewer, choice] for choice in own]
