"""Planning ahead: answers that a person gives before its seat is asked. Whatever wasn't foreseen ends a plan."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import msgspec

from atoll.engine import AtollError, IllegalChoice, MalformedChoice, Position, Stage, WrongSeat
from atoll.engine.state import declarations
from atoll.engine.view import view_field

from ..domain import metrics
from ..domain.limits import Limits
from ..domain.model import Refused, User
from ..domain.planned_answers import Plan
from ..table import lifecycle, permissions
from ..table.live_table import Live
from .commands import Command
from .executor import Keeper
from .turns import MOST_CHOICES, stage_choices

MOST_STEPS: Final = 8


class Planning:
    """Saying ahead what one will answer, and answering so."""

    def __init__(self, keeper: Keeper, limits: Limits) -> None:
        self._keeper: Keeper = keeper
        self._limits: Limits = limits

    async def plan(self, who: User | None, table: str, seat: int, plan: Plan) -> None:
        """Replace what my seat will answer; no steps: nothing. Nobody else learns of it before it happens."""
        user = permissions.signed_in(who)
        self._limits.hit("command", user.id)
        await self._keeper.carry_out(table, SetPlan(user, seat, plan))

    async def answer_due(self, table: str) -> None:
        """A seat with a plan may be asked (job): one such seat answers, or its plan ends."""
        await self._keeper.carry_out(table, PlannedTurn())


def plan_of(live: Live, seat: int) -> Plan | None:
    """What a seat has planned, also if that has ended by surprise."""
    kept = live.seats[seat].plan
    return None if kept is None else msgspec.convert(kept["plan"], Plan)


def _check(live: Live, plan: Plan) -> None:
    """Whether the game knows such questions and choices. Raises Refused."""
    game = live.game
    assert game is not None
    if len(plan.steps) > MOST_STEPS or (plan.repeat and len(plan.steps) != 1):
        raise Refused("bad_plan", 422, f"a plan has 1 to {MOST_STEPS} answers, one that is repeated has 1")
    for step in plan.steps:
        if step.prompt not in game.prompts:
            raise Refused("bad_plan", 422, f"{step.prompt!r} is no question; allowed: {', '.join(game.prompts)}")
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


def _own(position: Position, seat: int) -> str:
    """A digest of what belongs to a seat, as far as it may know that: its part of all that is indexed by seats."""
    state = position.state
    found: dict[str, Any] = {}
    for name, visibility in declarations(type(state)):
        by = visibility.by
        if by is not None and not by.mask:
            first = by.first + seat * by.each
            found[name] = view_field(state, name, visibility, seat)[first : first + by.each]
    return hashlib.sha256(msgspec.json.encode(found)).hexdigest()[:32]


def _kept(plan: Plan, position: Position, seat: int, options: Sequence[int] | None) -> dict[str, Any]:
    """A plan for the store, and what must not have changed when the seat is asked next."""
    own = _own(position, seat) if plan.untouched else ""
    return {"plan": msgspec.to_builtins(plan), "own": own, "options": None if options is None else list(options)}


def _answer(position: Position, seat: int, plan: Plan, kept: dict[str, Any]) -> list[int] | None:
    """What a seat answers by its plan; None if it is asked something else than it has foreseen."""
    step = plan.steps[0]
    ask = position.decision(seat)
    if ask.prompt != step.prompt or (plan.untouched and kept["own"] != _own(position, seat)):
        return None
    if kept["options"] is not None and kept["options"] != list(ask.options):
        return None
    stage = Stage(position, seat)
    try:
        stage_choices(stage, step.choices)
    except (IllegalChoice, MalformedChoice, WrongSeat):
        return None
    return stage.final() if stage.picked else list(stage.choices)


@dataclass(slots=True)
class SetPlan(Command[None]):
    """Plan ahead, or give that up."""

    name: ClassVar[str] = "plan"
    user: User
    seat: int
    plan: Plan

    def act(self, live: Live, now: int) -> None:
        """See Command."""
        row = permissions.own_seat(live, self.user, self.seat)
        permissions.check_running(live)
        permissions.check_present(row)
        if self.plan.steps:
            permissions.check_plan(live, row)
            _check(live, self.plan)
            assert live.position is not None
            row.plan = _kept(self.plan, live.position, self.seat, None)
        else:
            row.plan = None
        row.revision += 1
        live.touch(self.seat, public=False)


@dataclass(slots=True)
class PlannedTurn(Command[None]):
    """One seat that is asked and has a plan answers by it; if it has foreseen something else, its plan ends."""

    name: ClassVar[str] = "planned turn"
    user: None = None

    def act(self, live: Live, now: int) -> None:
        """See Command."""
        position = live.position
        if live.row.status != "running" or position is None:
            return
        seat = next((each for each in position.to_move if live.plans(each)), None)
        if seat is None:
            return
        row = live.seats[seat]
        plan, kept = plan_of(live, seat), row.plan
        assert plan is not None and kept is not None
        options = position.decision(seat).options
        choices = _answer(position, seat, plan, kept)
        if choices is None:
            row.plan = {**kept, "plan": msgspec.to_builtins(msgspec.structs.replace(plan, ended=True))}
            row.revision += 1
            live.touch(seat, public=False)
            live.notify("plan", row.user_id, now, mark=f"{seat}.{row.asked}", asked=row.asked)
            lifecycle.settle(live, now, by_bot=True)
            return
        rest = plan if plan.repeat else msgspec.structs.replace(plan, steps=plan.steps[1:])
        row.plan = kept if rest.steps else None
        lifecycle.answer(live, seat, choices, now)
        live.tell("automatic", now, seat=seat, name=row.name)
        if row.plan is not None:
            row.plan = _kept(rest, position, seat, options if plan.repeat else None)
        metrics.part(metrics.CHOICES, "person").inc(len(choices))
