"""Request bodies of the API, and the types of their fields."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from atoll.engine.languages import ENGLISH, LANGUAGES

from ...domain.model import AtZero, ChatAfter, Clock, NewTable, Reaction, SeatPlan
from ...domain.planned_answers import Plan, PlannedAnswer
from ...domain.profile import Audience, ProfileVisibility
from ...domain.standing import Reason
from ...play.quick_match import Wish
from ...play.subjects import Subject

SeatNumber = Annotated[int, Meta(ge=0, le=31, description="Number of the seat, from 0.")]
Sequence = Annotated[int, Meta(ge=0, le=10_000_000, description="Number of answers before the moment.")]
Key = Annotated[
    str, Meta(max_length=64, pattern="^[!-~]*$", description="Idempotency key: a repeated request changes nothing.")
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
    """A request body; fields other than the declared ones are refused."""


class GuestBody(_Body, frozen=True, kw_only=True):
    """A new user.

    Attributes:
        name: Name of the user.
    """

    name: Name


class NameBody(_Body, frozen=True, kw_only=True):
    """A confirmation by name.

    Attributes:
        name: Your name.
    """

    name: Name


class LabelBody(_Body, frozen=True, kw_only=True):
    """The name of a program.

    Attributes:
        label: Name of the program.
    """

    label: Name


class TokenBody(_Body, frozen=True, kw_only=True):
    """A secret token.

    Attributes:
        token: The token.
    """

    token: Token


class SwapBody(_Body, frozen=True, kw_only=True):
    """The seat whose holder changes places with another one.

    Attributes:
        other: Number of the other seat.
    """

    other: SeatNumber


class SubjectBody(_Body, frozen=True, kw_only=True):
    """A person: by a seat or message of a table, or by the name of an account.

    Attributes:
        table: Id of a table that you may see, or "".
        seat: A seat of the table, or null.
        message: Number of a message at the table, or null.
        name: Name of an account, if `table` is "".
    """

    table: Annotated[str, Meta(max_length=32)] = ""
    seat: Annotated[int, Meta(ge=0, le=31)] | None = None
    message: Annotated[int, Meta(ge=0, le=10_000_000)] | None = None
    name: Annotated[str, Meta(max_length=100)] = ""

    def subject(self) -> Subject:
        """Return the subject for the services."""
        return Subject(self.table, self.seat, self.message, self.name)


class ReportBody(SubjectBody, frozen=True, kw_only=True):
    """A report; without `table` and `name`, its text names what it is about.

    Attributes:
        table: Id of the table, or "".
        seat: The reported seat, or null.
        message: Number of the reported message, or null.
        name: Name of the reported account, if `table` is "".
        reason: The reason.
        text: Your own words.
        mail: Mail address for the outcome, if you send no token.
        language: Language in which you hear the outcome.
    """

    reason: Reason
    text: Annotated[str, Meta(max_length=8000)] = ""
    mail: Annotated[str, Meta(max_length=300)] = ""
    language: Language = ENGLISH


class ObjectionBody(_Body, frozen=True, kw_only=True):
    """An objection to a sanction.

    Attributes:
        text: Why the decision is wrong.
    """

    text: Annotated[str, Meta(min_length=1, max_length=8000)]


class SeatBody(_Body, frozen=True, kw_only=True):
    """The planned holder of a seat.

    Attributes:
        kind: "me", "device" (another player on your device), "invite" (an invited person), "open"
            (anybody) or "bot".
        name: Name of the player, for "device".
        bot: Level of the bot, for "bot"; see GET /games.
    """

    kind: Literal["me", "device", "invite", "open", "bot"]
    name: Annotated[str, Meta(max_length=100)] = ""
    bot: BotLevel = ""

    def plan(self) -> SeatPlan:
        """Return the plan for the services."""
        return SeatPlan(self.kind, self.name, self.bot)


class ClockBody(_Body, frozen=True, kw_only=True):
    """A time control; if the three durations are equal, they are the time for each turn.

    `hours`, `weekend` and `vacation` need a bank of at least 12 hours.

    Attributes:
        bank_s: Seconds per seat at the start.
        increment_s: Seconds added after each turn.
        cap_s: Largest number of seconds in the bank.
        hours: Whether clocks stop outside of a player's playing hours.
        weekend: Whether clocks stop on a player's weekends.
        vacation: Whether clocks stop on a player's days of vacation.
        at_zero: The action when a player's time runs out: "stand_in" (a bot plays), "vote" (the
            others decide) or "end" (the game ends without a result).
    """

    bank_s: AtLeastAMinute
    increment_s: Seconds
    cap_s: AtLeastAMinute
    hours: bool = False
    weekend: bool = False
    vacation: bool = False
    at_zero: AtZero = "stand_in"

    def clock(self) -> Clock:
        """Return the time control for the services."""
        return Clock(**msgspec.structs.asdict(self))


class NewTableBody(_Body, frozen=True, kw_only=True):
    """A new table.

    Attributes:
        game: Id of the game.
        seats: The planned holders of all seats.
        options: Options of the game; missing ones have their default.
        clock: The time control, or null for a game without clocks.
        visibility: Access for people without a seat: "lobby" (everybody; the table is listed),
            "link" (everybody who knows its address) or "private" (nobody).
        advice: Whether players may ask a bot for advice; null allows it only if one person plays
            against bots.
        stand_in: Level of the bot that replaces a player who leaves; "" for the default level.
        chat_after: Who may chat after the end of the game.
        rated: Whether the game counts for ratings: for accounts only, with a clock, without bots
            and advice.
        least_reliability: Reliability in percent that a player needs to take an open seat; 0 for
            none.
        approval: Whether you let in everybody one by one who isn't invited by name; not for games
            that count for ratings.
        language: Language in which you use the site, for the filter of the lobby; "" to leave it
            open.
        key: Idempotency key: a repeated request changes nothing.
    """

    game: Annotated[str, Meta(max_length=32)]
    seats: Annotated[list[SeatBody], Meta(min_length=1, max_length=32)]
    options: Annotated[dict[str, bool | int | str], Meta(max_length=50)] = {}
    clock: ClockBody | None = None
    visibility: Literal["lobby", "link", "private"] = "lobby"
    advice: bool | None = None
    stand_in: Annotated[str, Meta(max_length=60)] = ""
    chat_after: ChatAfter = "players"
    rated: bool = False
    least_reliability: Literal[0, 85, 95] = 0
    approval: bool = False
    language: Annotated[str, Meta(max_length=8)] = ""
    key: Key = ""

    def plan(self) -> NewTable:
        """Return the plan for the services."""
        clock = None if self.clock is None else self.clock.clock()
        seats = tuple(seat.plan() for seat in self.seats)
        return NewTable(
            game=self.game,
            seats=seats,
            options=self.options,
            clock=clock,
            visibility=self.visibility,
            advice=self.advice,
            stand_in=self.stand_in,
            chat_after=self.chat_after,
            rated=self.rated,
            least_reliability=self.least_reliability,
            approval=self.approval,
            language=self.language,
        )


class QuickBody(_Body, frozen=True, kw_only=True):
    """A game to find other people for.

    Attributes:
        game: Id of the game.
        seats: Number of seats.
        pace: Time control: "quick" (10 minutes), "evening" (an hour), "turn" (a day per turn),
            "slow" (three days per turn) or "daily" (a week, and a day per turn).
        rated: Whether the game counts for ratings; for accounts only.
        range: Largest distance of the others' ratings in points; it grows while you wait. 0 for
            all.
    """

    game: Annotated[str, Meta(max_length=32)]
    seats: Annotated[int, Meta(ge=2, le=32)]
    pace: Literal["quick", "evening", "turn", "slow", "daily"] = "quick"
    rated: bool = False
    range: Literal[0, 150, 400] = 0

    def wish(self) -> Wish:
        """Return the wish for the services."""
        return Wish(self.game, self.seats, self.pace, self.rated, self.range)


class JoinBody(_Body, frozen=True, kw_only=True):
    """A seat to take.

    Attributes:
        seat: The seat, or null for the first free one.
        key: Idempotency key: a repeated request changes nothing.
    """

    seat: SeatNumber | None = None
    key: Key = ""


class RequestAnswerBody(_Body, frozen=True, kw_only=True):
    """The host's answer to a person who asks for a seat.

    Attributes:
        admit: Whether the person gets the seat.
        stamp: Stamp of the request as you read it; see the seats of a table.
        key: Idempotency key: a repeated request changes nothing.
    """

    admit: bool
    stamp: Annotated[str, Meta(max_length=32)]
    key: Key = ""


class InvitePersonBody(_Body, frozen=True, kw_only=True):
    """An invitation by name.

    Attributes:
        name: Name of the account.
        seat: The seat, or null for the first free one.
    """

    name: Name
    seat: SeatNumber | None = None


class ProfileBody(_Body, frozen=True, kw_only=True):
    """The people who see each part of your profile.

    Attributes:
        since: Since when the account exists.
        online: Whether you are here now.
        results: Games in the archive, places and the last results.
        ratings: Ratings per game.
        reliability: Reliability.
        statistics: Statistics per game.
        achievements: Achievements.
        invitations: Who may invite you by name.
    """

    since: Audience
    online: Audience
    results: Audience
    ratings: Audience
    reliability: Audience
    statistics: Audience
    achievements: Audience
    invitations: Audience

    def visibility(self) -> ProfileVisibility:
        """Return the visibility for the services."""
        return ProfileVisibility(**msgspec.structs.asdict(self))


_Digest = Annotated[str, Meta(min_length=64, max_length=64, pattern="^[0-9a-f]{64}$")]


class SealBody(_Body, frozen=True, kw_only=True):
    """A seal, which fixes a share of the chance.

    Attributes:
        offer: Digest of the offer, which your program works out from the table's `chance`.
        seal: Digest of offer, seat and share.
    """

    offer: _Digest
    seal: _Digest


class ShareBody(_Body, frozen=True, kw_only=True):
    """A share of the chance.

    Attributes:
        terms: Digest of the terms, which your program works out from the table's `chance`.
        share: 32 bytes in lowercase hex, made by your program.
    """

    terms: _Digest
    share: _Digest


class StampBody(_Body, frozen=True, kw_only=True):
    """The stamp of a turn.

    Attributes:
        stamp: Stamp of the turn as you read it.
        key: Idempotency key: a repeated request changes nothing.
    """

    stamp: Annotated[str, Meta(max_length=32)]
    key: Key = ""


class ApplyBody(StampBody, frozen=True, kw_only=True):
    """Choices to make, all or none.

    Attributes:
        stamp: Stamp of the turn as you read it.
        key: Idempotency key: a repeated request changes nothing.
        choices: The choices, as numbers or texts.
        confirm: Whether they are final immediately; otherwise they are added to the turn draft.
    """

    choices: Annotated[list[Choice], Meta(min_length=1, max_length=64)]
    confirm: bool = True


class UndoBody(StampBody, frozen=True, kw_only=True):
    """A choice to undo.

    Attributes:
        stamp: Stamp of the turn as you read it.
        key: Idempotency key: a repeated request changes nothing.
        choice: A picked member of a set to remove, as number or text; null for the last choice.
    """

    choice: Choice | None = None


class AdviceBody(_Body, frozen=True, kw_only=True):
    """A turn to get advice for.

    Attributes:
        stamp: Stamp of the turn as you read it; "" for the turn as it is now.
    """

    stamp: Annotated[str, Meta(max_length=32)] = ""


class VoteBody(_Body, frozen=True, kw_only=True):
    """An agreement to a vote, or its withdrawal.

    Attributes:
        subject: `cancel`, `pause`, `resume`, `remove:<seat>` or `undo:<seat>:<sequence>`.
        yes: Whether you agree.
    """

    subject: Annotated[str, Meta(max_length=24)]
    yes: bool = True


class HoursBody(_Body, frozen=True, kw_only=True):
    """Playing hours.

    Attributes:
        zone: Time zone, such as `Europe/Berlin`.
        first: Full hour at which they begin.
        last: Full hour at which they end; the same as `first` for all day.
    """

    zone: Annotated[str, Meta(max_length=60)]
    first: Annotated[int, Meta(ge=0, le=23)]
    last: Annotated[int, Meta(ge=0, le=23)]


class VacationBody(_Body, frozen=True, kw_only=True):
    """A vacation.

    Attributes:
        days: Number of days.
        begin: First day in your time zone, or null to begin now.
    """

    days: Annotated[int, Meta(ge=1, le=366)]
    begin: date | None = None


class QuietBody(_Body, frozen=True, kw_only=True):
    """Quiet hours without notifications, in your time zone.

    Attributes:
        first: Full hour at which they begin.
        last: Full hour at which they end; the same as `first` for none.
    """

    first: Annotated[int, Meta(ge=0, le=23)]
    last: Annotated[int, Meta(ge=0, le=23)]


class NewChannelBody(_Body, frozen=True, kw_only=True):
    """A new notification channel.

    Attributes:
        kind: Kind of channel.
        address: `mail` for mail; `url`, `p256dh` and `auth` of the browser's subscription for push;
            `url` for the other kinds.
        language: Language of the notifications.
    """

    kind: Literal["push", "mail", "discord", "slack", "ntfy", "webhook"]
    address: Annotated[dict[str, Annotated[str, Meta(max_length=1000)]], Meta(max_length=3)]
    language: Language = ENGLISH


class ChannelBody(_Body, frozen=True, kw_only=True):
    """The notifications that a channel sends.

    Attributes:
        kinds: Kinds of notifications.
        digest: Whether they are sent together once a day; only for mail.
    """

    kinds: Annotated[
        list[Literal["turn", "reminder", "started", "over", "message", "invitation", "nudge", "undo", "plan"]],
        Meta(max_length=10),
    ]
    digest: bool = False


class ChatBody(_Body, frozen=True, kw_only=True):
    """A chat message: a text or a reaction.

    Attributes:
        text: The message.
        reaction: A message of one click, instead of a text.
        key: Idempotency key: a repeated request changes nothing.
    """

    text: Annotated[str, Meta(max_length=2000)] = ""
    reaction: Reaction | Literal[""] = ""
    key: Key = ""


class NotesBody(_Body, frozen=True, kw_only=True):
    """Private notes.

    Attributes:
        text: The notes; an empty text deletes them.
    """

    text: Annotated[str, Meta(max_length=4000)]


class PlannedAnswerBody(_Body, frozen=True, kw_only=True):
    """A planned answer to an expected question.

    Attributes:
        prompt: Key of the question.
        choices: The complete answer, as texts.
    """

    prompt: Annotated[str, Meta(max_length=100)]
    choices: Annotated[list[Annotated[str, Meta(max_length=200)]], Meta(min_length=1, max_length=64)]


class PlanBody(_Body, frozen=True, kw_only=True):
    """Planned answers to the next questions.

    Attributes:
        steps: The answers, in order; an empty list deletes the plan.
        repeat: Whether the only answer is repeated while the same question has the same choices.
        untouched: Whether the plan also ends if anything else changes what belongs to the seat.
    """

    steps: Annotated[list[PlannedAnswerBody], Meta(max_length=8)]
    repeat: bool = False
    untouched: bool = True

    def plan(self) -> Plan:
        """Return the plan for the services."""
        steps = tuple(PlannedAnswer(each.prompt, tuple(each.choices)) for each in self.steps)
        return Plan(steps, self.repeat, self.untouched)


class TryBody(_Body, frozen=True, kw_only=True):
    """A step of a tryout.

    Attributes:
        sequence: Number of answers before the moment at which it starts; null for now.
        guess: Number of the guess at hidden information, from 0.
        choices: All choices so far.
    """

    sequence: Sequence | None = None
    guess: Annotated[int, Meta(ge=0, le=10_000_000)] = 0
    choices: Annotated[list[Choice], Meta(max_length=300)] = []


class PlayOnBody(_Body, frozen=True, kw_only=True):
    """A new game that continues from a past moment.

    Attributes:
        sequence: Number of answers before the moment.
        seat: Your seat; null for your seat in the original game or the seat that is asked.
        bot: Level of the bots; "" for the default level.
        key: Idempotency key: a repeated request changes nothing.
    """

    sequence: Sequence
    seat: SeatNumber | None = None
    bot: BotLevel = ""
    key: Key = ""
