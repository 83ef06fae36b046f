"""Planned answers, given before the seat is asked. Anything unexpected ends a plan."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import msgspec

from atoll.engine import AtollError, IllegalChoice, MalformedChoice, Position, TurnDraft, WrongSeat
from atoll.engine.state import declarations
from atoll.engine.view import view_field

from ..domain import metrics
from ..domain.limits import Limits
from ..domain.model import Refused, User
from ..domain.planned_answers import Plan
from ..table import lifecycle, permissions
from ..table.live_table import LiveTable
from .commands import Command
from .executor import CommandExecutor
from .turns import MOST_CHOICES, add_to_draft

MOST_STEPS: Final = 8


class PlannedTurns:
    """Setting plans, and answering by them."""

    def __init__(self, executor: CommandExecutor, limits: Limits) -> None:
        self._executor: CommandExecutor = executor
        self._limits: Limits = limits

    async def plan(self, who: User | None, table: str, seat: int, plan: Plan) -> None:
        """Replace the planned answers of a seat; no steps delete them.

        Nobody else learns of a plan before it is used.

        Args:
            who: The user.
            table: Id of the table.
            seat: The user's seat.
            plan: The planned answers.

        Raises:
            Refused: If the seat isn't the user's or can't plan now, or the plan isn't valid.
        """
        user = permissions.require_user(who)
        self._limits.hit("command", user.id)
        await self._executor.execute(table, SetPlan(user, seat, plan))

    async def answer_due(self, table: str) -> None:
        """Answer for one seat that is asked and has a plan, or end its plan (job)."""
        await self._executor.execute(table, PlayPlannedTurn())


def plan_of(live: LiveTable, seat: int) -> Plan | None:
    """Return the plan of a seat, even if an unexpected decision has ended it; None without."""
    stored = live.seats[seat].plan
    return None if stored is None else msgspec.convert(stored["plan"], Plan)


def _check(live: LiveTable, plan: Plan) -> None:
    """Check that the game has the decisions and choices of a plan."""
    game = live.game
    assert game is not None
    if len(plan.steps) > MOST_STEPS or (plan.repeat and len(plan.steps) != 1):
        raise Refused("bad_plan", 422, f"a plan has 1 to {MOST_STEPS} answers, or exactly 1 if it is repeated")
    for step in plan.steps:
        if step.prompt not in game.prompts:
            raise Refused("bad_plan", 422, f"unknown prompt {step.prompt!r}; allowed: {', '.join(game.prompts)}")
        if not 0 < len(step.choices) <= MOST_CHOICES:
            raise Refused("bad_plan", 422, f"an answer has 1 to {MOST_CHOICES} choices, not {len(step.choices)}")
        for text in step.choices:
            try:
                choice = game.parse(text)
            except AtollError as error:
                raise Refused("bad_plan", 422, str(error)) from None
            kinds = game.prompts[step.prompt]
            if not any(choice in kind for kind in kinds):
                allowed = ", ".join(kind.name for kind in kinds)
                raise Refused("bad_plan", 422, f"{text!r} doesn't answer {step.prompt!r}; allowed: {allowed}")


def _own_state_digest(position: Position, seat: int) -> str:
    """Return a digest of a seat's part of the state, as the seat may know it."""
    state = position.state
    found: dict[str, Any] = {}
    for name, visibility in declarations(type(state)):
        by = visibility.by
        if by is not None and not by.mask:
            first = by.first + seat * by.each
            found[name] = view_field(state, name, visibility, seat)[first : first + by.each]
    return hashlib.sha256(msgspec.json.encode(found)).hexdigest()[:32]


def _stored_plan(plan: Plan, position: Position, seat: int, options: Sequence[int] | None) -> dict[str, Any]:
    """Return a plan for the store, with the data that must be unchanged when it is used.

    Args:
        plan: The plan.
        position: The current position.
        seat: The seat.
        options: The legal choices of the decision that the plan repeats, or None.
    """
    own_state = _own_state_digest(position, seat) if plan.untouched else ""
    return {"plan": msgspec.to_builtins(plan), "own": own_state, "options": None if options is None else list(options)}


def _answer(position: Position, seat: int, plan: Plan, kept: dict[str, Any]) -> list[int] | None:
    """Return a seat's answer by its plan, or None if the decision isn't the expected one.

    Args:
        position: The current position.
        seat: The seat.
        plan: The plan.
        kept: The stored plan with the data that must be unchanged.
    """
    step = plan.steps[0]
    ask = position.decision(seat)
    if ask.prompt != step.prompt or (plan.untouched and kept["own"] != _own_state_digest(position, seat)):
        return None
    if kept["options"] is not None and kept["options"] != list(ask.choices):
        return None
    draft = TurnDraft(position, seat)
    try:
        add_to_draft(draft, step.choices)
    except (IllegalChoice, MalformedChoice, WrongSeat):
        return None
    return draft.final() if draft.picked else list(draft.choices)


@dataclass(slots=True)
class SetPlan(Command[None]):
    """Set or delete the planned answers of a seat.

    Attributes:
        user: The user.
        seat: The seat.
        plan: The planned answers; without steps they are deleted.
    """

    name: ClassVar[str] = "plan"
    user: User
    seat: int
    plan: Plan

    def apply(self, live: LiveTable, now: int) -> None:
        """Store the plan in the seat."""
        row = permissions.require_own_seat(live, self.user, self.seat)
        permissions.require_running(live)
        permissions.require_present(row)
        if self.plan.steps:
            permissions.require_plan(live, row)
            _check(live, self.plan)
            assert live.position is not None
            row.plan = _stored_plan(self.plan, live.position, self.seat, None)
        else:
            row.plan = None
        row.revision += 1
        live.mark_changed(self.seat, public=False)


@dataclass(slots=True)
class PlayPlannedTurn(Command[None]):
    """Answer for one seat that is asked and has a plan; an unexpected decision ends the plan."""

    name: ClassVar[str] = "planned turn"
    user: None = None

    def apply(self, live: LiveTable, now: int) -> None:
        """Apply the planned answer, or end the plan and notify its player."""
        position = live.position
        if live.row.status != "running" or position is None:
            return
        seat = next((each for each in position.to_move if live.has_plan(each)), None)
        if seat is None:
            return
        row = live.seats[seat]
        plan, stored = plan_of(live, seat), row.plan
        assert plan is not None and stored is not None
        options = position.decision(seat).choices
        choices = _answer(position, seat, plan, stored)
        if choices is None:
            row.plan = {**stored, "plan": msgspec.to_builtins(msgspec.structs.replace(plan, ended=True))}
            row.revision += 1
            live.mark_changed(seat, public=False)
            live.notify("plan", row.user_id, now, mark=f"{seat}.{row.asked}", asked=row.asked)
            lifecycle.schedule_next(live, now, by_bot=True)
            return
        rest = plan if plan.repeat else msgspec.structs.replace(plan, steps=plan.steps[1:])
        row.plan = stored if rest.steps else None
        lifecycle.answer(live, seat, choices, now)
        live.log_event("automatic", now, seat=seat, name=row.name)
        if row.plan is not None:
            row.plan = _stored_plan(rest, position, seat, options if plan.repeat else None)
        metrics.part(metrics.CHOICES, "person").inc(len(choices))
