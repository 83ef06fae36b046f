"""The open turn of a seat: choices are drafted, undone and confirmed as the seat's answer."""

from __future__ import annotations

import time
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from atoll.bots import usual_amounts
from atoll.engine import AmountSet, IllegalChoice, MalformedChoice, TurnDraft, WrongSeat

from ..domain import metrics
from ..domain.limits import Limits
from ..domain.model import CommandResult, Mix, Refused, User
from ..table import lifecycle, permissions
from ..table.live_table import LiveTable
from .commands import Command
from .executor import CommandExecutor

MOST_CHOICES: Final = 64
"""Largest number of choices in one request."""


class Turns:
    """Actions of a seat during its turn."""

    def __init__(self, executor: CommandExecutor, limits: Limits) -> None:
        self._executor: CommandExecutor = executor
        self._limits: Limits = limits

    async def choose(
        self,
        who: User | None,
        table: str,
        seat: int,
        choices: Sequence[int | str],
        stamp: str,
        key: str = "",
        confirm: bool | None = None,
    ) -> CommandResult:
        """Add choices to the turn draft, all or none, and confirm the turn if requested.

        Args:
            who: The user.
            table: Id of the table.
            seat: The user's seat.
            choices: The choices, as numbers or texts.
            stamp: Stamp of the turn that the user has seen.
            key: An idempotency key, or "".
            confirm: Whether to confirm immediately. None to confirm if the turn is complete, a
                single choice, and the user's settings don't require confirmation of such turns.

        Returns:
            The new stamp, and whether the turn is confirmed.

        Raises:
            Refused: If the seat isn't asked, the stamp is outdated, or a choice isn't legal.
        """
        started = time.perf_counter()
        done = await self._do(table, MakeChoices(permissions.require_user(who), seat, choices, stamp, confirm), key)
        metrics.COMMAND_SECONDS.observe(time.perf_counter() - started)
        return done

    async def undo(
        self, who: User | None, table: str, seat: int, stamp: str, key: str = "", choice: int | str | None = None
    ) -> CommandResult:
        """Undo the last choice of the turn draft, or an answer to an open sealed decision.

        Args:
            who: The user.
            table: Id of the table.
            seat: The user's seat.
            stamp: Stamp of the turn that the user has seen.
            key: An idempotency key, or "".
            choice: A picked member of the current set to remove instead, or None.

        Returns:
            The new stamp.

        Raises:
            Refused: If there is nothing to undo, or the stamp is outdated.
        """
        user = permissions.require_user(who)
        if choice is not None:
            return await self._do(table, RemovePicked(user, seat, stamp, choice), key)
        return await self._do(table, UndoChoices(user, seat, stamp, whole=False), key)

    async def restart(self, who: User | None, table: str, seat: int, stamp: str, key: str = "") -> CommandResult:
        """Discard the turn draft.

        Args:
            who: The user.
            table: Id of the table.
            seat: The user's seat.
            stamp: Stamp of the turn that the user has seen.
            key: An idempotency key, or "".

        Returns:
            The new stamp.

        Raises:
            Refused: If there is nothing to discard, or the stamp is outdated.
        """
        return await self._do(table, UndoChoices(permissions.require_user(who), seat, stamp, whole=True), key)

    async def confirm(self, who: User | None, table: str, seat: int, stamp: str, key: str = "") -> CommandResult:
        """Make a complete turn draft final.

        Args:
            who: The user.
            table: Id of the table.
            seat: The user's seat.
            stamp: Stamp of the turn that the user has seen.
            key: An idempotency key, or "".

        Returns:
            The new stamp.

        Raises:
            Refused: If the turn is incomplete, or the stamp is outdated.
        """
        return await self._do(table, ConfirmTurn(permissions.require_user(who), seat, stamp), key)

    def _do(self, table: str, command: _TurnCommand, key: str) -> Coroutine[Any, Any, CommandResult]:
        self._limits.hit("command", command.user.id)
        return self._executor.execute(table, command, key)


def add_to_draft(draft: TurnDraft, choices: Sequence[int | str]) -> None:
    """Add choices to a turn draft, all or none.

    Args:
        draft: The turn draft.
        choices: The choices, as numbers or texts.

    Raises:
        IllegalChoice: If a choice isn't legal.
        MalformedChoice: If a choice doesn't exist in this game.
        WrongSeat: If the turn is complete already.
    """
    draft.add([_read(draft, each) for each in choices])


def mix_of(draft: TurnDraft) -> Mix | None:
    """Return facts about the mix of amounts that a turn draft is asked for, or None."""
    asked = draft.position.decision(draft.seat).into if draft.open else None
    if not isinstance(asked, AmountSet):
        return None
    return Mix(() if draft.picked else usual_amounts(draft.position, draft.seat), asked.unasked_total)


def _read(draft: TurnDraft, choice: int | str) -> int:
    """Return a choice by its number or text."""
    return draft.position.parse(choice) if isinstance(choice, str) else choice


class _TurnCommand(Command[CommandResult]):
    __slots__ = ()
    answer: ClassVar[Any] = CommandResult
    user: User


def _command_result(live: LiveTable, user: User, seat: int, *, confirmed: bool) -> CommandResult:
    return CommandResult(live.row.id, live.version_for(user.id), live.stamp(seat), live.row.sequence, confirmed)


def _confirm(live: LiveTable, seat: int, choices: Sequence[int], now: int) -> None:
    lifecycle.answer(live, seat, choices, now)
    metrics.part(metrics.CHOICES, "person").inc(len(choices))


def _complete_turn(live: LiveTable, draft: TurnDraft) -> list[int]:
    """Return the choices of a complete turn, or refuse and leave the draft as it was before."""
    chosen = draft.final()
    if chosen is None:
        live.turn_drafts.pop(draft.seat, None)
        raise Refused("incomplete", 409, "the turn is incomplete: more choices are needed")
    return chosen


@dataclass(slots=True)
class MakeChoices(_TurnCommand):
    """Add choices to the turn draft; see `Turns.choose`.

    Attributes:
        user: The user.
        seat: The user's seat.
        choices: The choices, as numbers or texts.
        stamp: Stamp of the turn that the user has seen.
        final: Whether to confirm immediately; None to follow the user's settings.
    """

    name: ClassVar[str] = "choose"
    user: User
    seat: int
    choices: Sequence[int | str]
    stamp: str
    final: bool | None

    def request(self) -> Any:
        """Return all parameters."""
        return [self.seat, self.choices, self.stamp, self.final]

    def apply(self, live: LiveTable, now: int) -> CommandResult:
        """Add the choices to the draft, or confirm the turn with them."""
        seat, choices, final = self.seat, self.choices, self.final
        position = permissions.require_asked(live, self.user, seat, self.stamp)
        if final and not live.seats[seat].draft and len(choices) == 1 and choices[0] in position.decision(seat).choices:
            # A single legal choice that is confirmed immediately needs no draft.
            chosen = [int(choices[0])]
        else:
            draft = live.turn_draft(seat)
            self._add_choices(draft)
            chosen = list(draft.choices)
            if final is None:
                final = not draft.open and len(chosen) == 1 and not self.user.settings.confirm_single
            if not final:
                live.set_draft(seat, draft.inputs)
            elif draft.picked:
                chosen = _complete_turn(live, draft)
        live.drop_plan(seat)
        if final:
            _confirm(live, seat, chosen, now)
        return _command_result(live, self.user, seat, confirmed=final)

    def _add_choices(self, draft: TurnDraft) -> None:
        if not 0 < len(self.choices) <= MOST_CHOICES:
            raise Refused("malformed", 422, f"{len(self.choices)} choices: expected 1 to {MOST_CHOICES}")
        try:
            add_to_draft(draft, self.choices)
        except IllegalChoice as error:
            raise Refused("illegal", 422, str(error)) from None
        except MalformedChoice as error:
            raise Refused("malformed", 422, str(error)) from None
        except WrongSeat as error:
            raise Refused("complete", 409, str(error)) from None


@dataclass(slots=True)
class UndoChoices(_TurnCommand):
    """Undo the last drafted choice or a sealed answer, or discard the whole draft.

    Attributes:
        user: The user.
        seat: The user's seat.
        stamp: Stamp of the turn that the user has seen.
        whole: Whether to discard the whole draft.
    """

    name: ClassVar[str] = "take back"
    user: User
    seat: int
    stamp: str
    whole: bool

    def request(self) -> Any:
        """Return all parameters."""
        return [self.seat, self.stamp, self.whole]

    def apply(self, live: LiveTable, now: int) -> CommandResult:
        """Shorten the draft."""
        position = permissions.require_turn(live, self.user, self.seat, self.stamp)
        chosen = list(live.seats[self.seat].draft)
        if not chosen and self.seat in position.sealed_answers:
            chosen = lifecycle.withdraw(live, self.seat, now)
        if not chosen:
            raise Refused("nothing", 409, "nothing was chosen in this turn yet")
        live.drop_plan(self.seat)
        live.set_draft(self.seat, [] if self.whole else chosen[:-1])
        return _command_result(live, self.user, self.seat, confirmed=False)


@dataclass(slots=True)
class RemovePicked(_TurnCommand):
    """Remove a picked member of a set from the turn draft."""

    name: ClassVar[str] = "drop"
    user: User
    seat: int
    stamp: str
    choice: int | str

    def request(self) -> Any:
        """Return all parameters."""
        return [self.seat, self.stamp, self.choice]

    def apply(self, live: LiveTable, now: int) -> CommandResult:
        """Remove the member from the draft."""
        permissions.require_asked(live, self.user, self.seat, self.stamp)
        draft = live.turn_draft(self.seat)
        try:
            draft.remove(_read(draft, self.choice))
        except IllegalChoice as error:
            raise Refused("nothing", 409, str(error)) from None
        except MalformedChoice as error:
            raise Refused("malformed", 422, str(error)) from None
        live.set_draft(self.seat, draft.inputs)
        return _command_result(live, self.user, self.seat, confirmed=False)


@dataclass(slots=True)
class ConfirmTurn(_TurnCommand):
    """Make the turn draft final."""

    name: ClassVar[str] = "confirm"
    user: User
    seat: int
    stamp: str

    def request(self) -> Any:
        """Return all parameters."""
        return [self.seat, self.stamp]

    def apply(self, live: LiveTable, now: int) -> CommandResult:
        """Apply the draft as the seat's answer."""
        permissions.require_asked(live, self.user, self.seat, self.stamp)
        _confirm(live, self.seat, _complete_turn(live, live.turn_draft(self.seat)), now)
        return _command_result(live, self.user, self.seat, confirmed=True)
