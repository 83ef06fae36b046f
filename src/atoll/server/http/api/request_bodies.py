"""What programs send to the API: the bodies of requests, and the types of their fields."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from atoll.engine.languages import ENGLISH, LANGUAGES

from ...domain.model import AtZero, Clock, NewTable, SeatPlan
from ...domain.planned_answers import Plan, PlannedAnswer

SeatNumber = Annotated[int, Meta(ge=0, le=31, description="A seat, from 0.")]
Sequence = Annotated[int, Meta(ge=0, le=10_000_000, description="How many answers had been given.")]
Key = Annotated[
    str, Meta(max_length=64, pattern="^[!-~]*$", description="Idempotency key: a repetition changes nothing.")
]
Name = Annotated[str, Meta(min_length=1, max_length=100)]
Token = Annotated[str, Meta(min_length=1, max_length=100)]
BotLevel = Annotated[str, Meta(max_length=32)]
Seconds = Annotated[int, Meta(ge=0, le=7_776_000)]
AtLeastAMinute = Annotated[int, Meta(ge=60, le=7_776_000)]
Choice = Annotated[int, Meta(ge=0, le=2**31 - 1)] | Annotated[str, Meta(max_length=200)]


if TYPE_CHECKING:
    Language = str
else:
    Language = Literal[LANGUAGES]


class _Body(Struct, forbid_unknown_fields=True, frozen=True):
    """What is sent: nothing else than these fields."""


class GuestBody(_Body, frozen=True, kw_only=True):
    """A new user."""

    name: Name


class NameBody(_Body, frozen=True, kw_only=True):
    """Your name."""

    name: Name


class TokenBody(_Body, frozen=True, kw_only=True):
    """A secret token."""

    token: Token


class SeatBody(_Body, frozen=True, kw_only=True):
    """Who shall sit on a seat. `bot` is a level, see GET /games."""

    kind: Literal["me", "device", "invite", "open", "bot"]
    name: Annotated[str, Meta(max_length=100)] = ""
    bot: BotLevel = ""

    def plan(self) -> SeatPlan:
        """The seat as a room takes it."""
        return SeatPlan(self.kind, self.name, self.bot)


class ClockBody(_Body, frozen=True, kw_only=True):
    """Time for a game, in seconds; all three the same: for each turn. hours, weekend, vacation: whether time stands
    still outside of a person's playing hours, on its weekends and on vacation (with a bank of 12 hours or more).
    at_zero: a bot stands in, the others decide by vote, or the game ends without result.
    """

    bank_s: AtLeastAMinute
    increment_s: Seconds
    cap_s: AtLeastAMinute
    hours: bool = False
    weekend: bool = False
    vacation: bool = False
    at_zero: AtZero = "stand_in"

    def clock(self) -> Clock:
        """The clock as a room takes it."""
        return Clock(**msgspec.structs.asdict(self))


class NewTableBody(_Body, frozen=True, kw_only=True):
    """A new table. advice: whether those who play may ask a bot; null: only if one person plays against bots.

    stand_in: the level of the bot that plays for a person who leaves, "" for casual.
    """

    game: Annotated[str, Meta(max_length=32)]
    seats: Annotated[list[SeatBody], Meta(min_length=1, max_length=32)]
    options: Annotated[dict[str, bool | int | str], Meta(max_length=50)] = {}
    clock: ClockBody | None = None
    visibility: Literal["lobby", "link", "private"] = "lobby"
    advice: bool | None = None
    stand_in: Annotated[str, Meta(max_length=60)] = ""
    key: Key = ""

    def plan(self) -> NewTable:
        """The table as a room takes it."""
        clock = None if self.clock is None else self.clock.clock()
        seats = tuple(seat.plan() for seat in self.seats)
        return NewTable(self.game, seats, self.options, clock, self.visibility, self.advice, self.stand_in)


class JoinBody(_Body, frozen=True, kw_only=True):
    """Which seat; without one, the first that is free."""

    seat: SeatNumber | None = None
    key: Key = ""


class CommitmentBody(_Body, frozen=True, kw_only=True):
    """SHA-256 of the 32 bytes of your share, in lower case hex."""

    commitment: Annotated[str, Meta(min_length=64, max_length=64, pattern="^[0-9a-f]{64}$")]


class ShareBody(_Body, frozen=True, kw_only=True):
    """32 random bytes in lower case hex, made by the one who sits there."""

    share: Annotated[str, Meta(min_length=64, max_length=64, pattern="^[0-9a-f]{64}$")]


class StampBody(_Body, frozen=True, kw_only=True):
    """The stamp of the turn as it was read."""

    stamp: Annotated[str, Meta(max_length=32)]
    key: Key = ""


class ApplyBody(StampBody, frozen=True, kw_only=True):
    """Choices, as numbers or texts, taken all or none. confirm: final at once, else staged."""

    choices: Annotated[list[Choice], Meta(min_length=1, max_length=64)]
    confirm: bool = True


class UndoBody(StampBody, frozen=True, kw_only=True):
    """choice: a picked member of a set, as number or text, to drop; without it the last choice is taken back."""

    choice: Choice | None = None


class AdviceBody(_Body, frozen=True, kw_only=True):
    """The stamp of the turn as it was read; without it, the turn as it is now."""

    stamp: Annotated[str, Meta(max_length=32)] = ""


class VoteBody(_Body, frozen=True, kw_only=True):
    """Consent, or its withdrawal. Subjects: `cancel`, `pause`, `resume`, `remove:<seat>`, `undo:<seat>:<sequence>`."""

    subject: Annotated[str, Meta(max_length=24)]
    yes: bool = True


class HoursBody(_Body, frozen=True, kw_only=True):
    """From when until when you play, in full hours of your time zone; the same hour twice: all day."""

    zone: Annotated[str, Meta(max_length=60)]
    first: Annotated[int, Meta(ge=0, le=23)]
    last: Annotated[int, Meta(ge=0, le=23)]


class VacationBody(_Body, frozen=True, kw_only=True):
    """So many days of vacation, from the beginning of a day in your time zone; without one, from now on."""

    days: Annotated[int, Meta(ge=1, le=366)]
    begin: date | None = None


class QuietBody(_Body, frozen=True, kw_only=True):
    """From which hour until which of your time zone you are told of nothing; the same hour twice: never."""

    first: Annotated[int, Meta(ge=0, le=23)]
    last: Annotated[int, Meta(ge=0, le=23)]


class NewChannelBody(_Body, frozen=True, kw_only=True):
    """A way to reach you. address: `mail`, or `url`; for push `url`, `p256dh` and `auth` of the subscription."""

    kind: Literal["push", "mail", "discord", "slack", "ntfy", "webhook"]
    address: Annotated[dict[str, Annotated[str, Meta(max_length=1000)]], Meta(max_length=3)]
    language: Language = ENGLISH


class ChannelBody(_Body, frozen=True, kw_only=True):
    """What is told by a channel. digest: all together once a day, for mail."""

    kinds: Annotated[
        list[Literal["turn", "reminder", "started", "over", "message", "invitation", "nudge", "undo", "plan"]],
        Meta(max_length=10),
    ]
    digest: bool = False


class ChatBody(_Body, frozen=True, kw_only=True):
    """A message."""

    text: Annotated[str, Meta(min_length=1, max_length=2000)]
    key: Key = ""


class NotesBody(_Body, frozen=True, kw_only=True):
    """What you note, line by line; an empty text ends it."""

    text: Annotated[str, Meta(max_length=4000)]


class PlannedAnswerBody(_Body, frozen=True, kw_only=True):
    """A question that you foresee, by its key, and your whole answer to it, as texts."""

    prompt: Annotated[str, Meta(max_length=100)]
    choices: Annotated[list[Annotated[str, Meta(max_length=200)]], Meta(min_length=1, max_length=64)]


class PlanBody(_Body, frozen=True, kw_only=True):
    """Answers to the next questions, in their order; none: there is no plan any more. See `Plan`."""

    steps: Annotated[list[PlannedAnswerBody], Meta(max_length=8)]
    repeat: bool = False
    untouched: bool = True

    def plan(self) -> Plan:
        """The plan as the room takes it."""
        steps = tuple(PlannedAnswer(each.prompt, tuple(each.choices)) for each in self.steps)
        return Plan(steps, self.repeat, self.untouched)


class TryBody(_Body, frozen=True, kw_only=True):
    """What is tried out: from which moment (without: now), on which guess, and all choices so far."""

    sequence: Sequence | None = None
    guess: Annotated[int, Meta(ge=0, le=10_000_000)] = 0
    choices: Annotated[list[Choice], Meta(max_length=300)] = []


class PlayOnBody(_Body, frozen=True, kw_only=True):
    """From which moment, on which seat, against which bots."""

    sequence: Sequence
    seat: SeatNumber | None = None
    bot: BotLevel = ""
    key: Key = ""
