"""What the tables take and give: plain values, safe to hand to templates and JSON.

Nothing here holds a State or a Position: whatever a value says of the game comes from a view with the reader's rights.
Times are UTC with time zone.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final, Literal

from msgspec import Struct, field

from .planned_answers import Plan
from .playing_hours import Calendar
from .progress import Learning

SeatKind = Literal["me", "device", "invite", "open", "bot"]
"""Who shall sit there: the creator; the creator again, behind the curtain; who has the invite link; anybody; a bot."""

Visibility = Literal["lobby", "link", "private"]
"""Who may watch and find a table: listed for all; all who know its address; its seats only."""

Status = Literal["gathering", "running", "over", "cancelled", "repair"]
"""gathering: seats or contributions are awaited. repair: the rules failed here; nothing can be played until mended."""

Theme = Literal["auto", "light", "dark"]

Pace = Literal["slow", "normal", "fast", "off"]
"""How fast a page plays back what others did; off: it shows at once how things stand."""


class Refused(Exception):
    """A request that isn't carried out; nothing has changed.

    code: stable name of the reason, also the words key (`refused.<code>`). status: HTTP status. fields: values for the
    words. detail: an English sentence for the API. retry_after: seconds to wait, for limits.
    """

    def __init__(
        self, code: str, status: int, detail: str, *, fields: Mapping[str, Any] | None = None, retry_after: int = 0
    ) -> None:
        super().__init__(detail)
        self.code: str = code
        self.status: int = status
        self.detail: str = detail
        self.fields: Mapping[str, Any] = fields or {}
        self.retry_after: int = retry_after


class Settings(Struct, frozen=True):
    """What a person can set for all tables.

    confirm_single: whether a turn of a single choice also waits for an explicit confirm. shortcuts: whether single
    keys (letters, digits) do something. pace: see Pace.
    """

    language: str = ""
    theme: Theme = "auto"
    sound: bool = False
    confirm_single: bool = True
    shortcuts: bool = True
    pace: Pace = "normal"


class User(Struct, frozen=True):
    """A person (or a bot that plays through the API)."""

    id: str
    name: str
    settings: Settings = Settings()
    calendar: Calendar = Calendar()
    learning: Learning = Learning()


class Login(Struct, frozen=True):
    """A user with a fresh secret token. The token is shown once and stored only as a hash."""

    user: User
    token: str


AtZero = Literal["stand_in", "vote", "end"]
"""What happens when somebody's time is up: a bot stands in and the person may return; the others decide, by their votes
to let a bot play or to cancel, and the person may still move; the game ends without a result."""


class Clock(Struct, frozen=True):
    """Time for a game: a bank per seat, refilled by the increment at each of its turns, up to the cap. If all three are
    the same, that is the time for each turn.

    hours, weekend, vacation: whether time stands still outside of a person's playing hours, on its weekends, and on its
    days of vacation, of which one is taken by itself before its time is up. Only with a bank of LONG_S or more.
    """

    bank_s: int
    increment_s: int
    cap_s: int
    hours: bool = False
    weekend: bool = False
    vacation: bool = False
    at_zero: AtZero = "stand_in"


LONG_S: Final = 12 * 3600
"""Who has so much time isn't expected to sit there all the while."""


class SeatPlan(Struct, frozen=True):
    """Who shall sit on a seat of a new table. name: for `device`. bot: the level, for `bot`."""

    kind: SeatKind
    name: str = ""
    bot: str = ""


class NewTable(Struct, frozen=True):
    """A table to be made. options: those of the game; left out ones have their default.

    advice: whether those who play may ask a bot what it would do; None: only if one person plays against bots.
    stand_in: the level of the bot that plays for a person who leaves; "" for the usual one.
    """

    game: str
    seats: tuple[SeatPlan, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    clock: Clock | None = None
    visibility: Visibility = "lobby"
    advice: bool | None = None
    stand_in: str = ""


class Seating(Struct, frozen=True):
    """Where a reader sits at a table. seats: all of the reader's; asked: those that are asked now."""

    game: str
    status: Status
    seats: tuple[int, ...]
    asked: tuple[int, ...]


class Sitting(Struct, frozen=True):
    """Who sits at a table, and from which seat the reader looks; None: as a spectator."""

    game: str
    seat: int | None
    seats: tuple[SeatInfo, ...]


class SeatInfo(Struct, frozen=True):
    """A seat as everybody may see it.

    kind: "person", "bot", "invite" (awaits the invited one) or "open". name: of the person or bot; a person without one
    has had its account deleted. mine: the reader
    holds it. bot: the level of the bot that plays here now. stand_in: that bot plays for a person who may return
    (then `name` is the person's). to_move: it is asked now. ready: in a sealed decision, whether it has answered (None
    otherwise). contributed: its browser has shown its share of the chance; committed: it has fixed it. time_left_s:
    rounded up to whole minutes. due: when its time is up if it doesn't move before. overdue: its time is up, and the
    others decide. vacation_until: its time stands still until then.
    """

    seat: int
    kind: Literal["person", "bot", "invite", "open"]
    name: str
    mine: bool
    bot: str
    stand_in: bool
    to_move: bool
    ready: bool | None
    contributed: bool
    time_left_s: int | None
    committed: bool = False
    due: datetime | None = None
    overdue: bool = False
    vacation_until: datetime | None = None


class Turn(Struct, frozen=True):
    """What the viewing seat can do now. Given only if the viewing seat is asked, or has a sealed answer to take back.

    stamp: to be sent back with every command of the turn; another stamp is refused as stale. staged: choices made in
    this open turn, seen by this seat alone. legal: what can be chosen next ([] when there is only to confirm or undo).
    texts: the text form of each legal choice. can_confirm: the turn is complete and awaits the confirm.
    sealed_in: the answer to a sealed decision is in; `undo` or `restart` takes it back as long as others are awaited.
    picked, picked_texts: members of a set that are staged, equal ones as often as they are; `undo` with one of them
    drops it.
    """

    stamp: str
    staged: tuple[int, ...]
    staged_texts: tuple[str, ...]
    legal: tuple[int, ...]
    texts: tuple[str, ...]
    can_undo: bool
    can_restart: bool
    can_confirm: bool
    sealed_in: bool
    picked: tuple[int, ...] = ()
    picked_texts: tuple[str, ...] = ()


class Prospect(Struct, frozen=True):
    """A choice and what a strong bot expects of it.

    share: the part of the other seats that this seat will be ahead of (0 to 1; with two seats the chance to win, alone
    too). points: per seat what the table is worth where the bot stops looking ahead; only the differences
    between seats say something. visits: how often the bot tried it; more is surer.
    """

    choice: int
    text: str
    share: float
    points: tuple[float, ...]
    visits: int


class Advice(Struct, frozen=True):
    """What a strong bot would do in a seat's open turn, from what that seat knows. prospects: the best first.

    stamp: of the turn that it is for.
    """

    seat: int
    stamp: str
    prospects: tuple[Prospect, ...]


class Judgement(Struct, frozen=True):
    """One decision of a finished game, judged from what its seat knew then.

    sequence: of the moment before it. shares: what every seat could expect there (see Prospect). best: what a strong
    bot would have chosen; taken: what was. lost: the share that the seat gave away by it.
    """

    sequence: int
    seat: int
    shares: tuple[float, ...]
    best: Prospect
    taken: Prospect
    lost: float


class Analysis(Struct, frozen=True):
    """A finished game looked at by a strong bot, decision by decision.

    judgements: of every decision with more than one choice. turning_points: the indices of the (at most three)
    judgements that lost most, most first. scores, shares: how it ended, per seat.
    """

    judgements: tuple[Judgement, ...]
    turning_points: tuple[int, ...]
    scores: tuple[int, ...]
    shares: tuple[float, ...]


class AnalysisState(Struct, frozen=True):
    """How far the analysis of a finished game is.

    state: "none": nobody has asked for it. "computing": `done` of `of` is done (0 of 0 while it waits or is done
    elsewhere). "failed": it can be asked for again. "done": here is the analysis.
    """

    state: Literal["none", "computing", "failed", "done"]
    done: int = 0
    of: int = 0
    analysis: Analysis | None = None


class LogEntry(Struct, frozen=True):
    """Something that happened, as the reader may know it.

    number: place in the table's log. sequence: the position's sequence number after it. origin: "game" (words key
    `<game>.log.<key>`, or with `.hidden` if `lacking` isn't empty) or "table" (words key `table.log.<key>`: joined,
    left, stand_in, timed_out, paused, cancelled...; fields `seat`, `name`). undone: it tells of what was taken back.
    """

    number: int
    sequence: int
    origin: Literal["game", "table"]
    key: str
    fields: Mapping[str, Any]
    lacking: tuple[str, ...]
    undone: bool = False

    def __hash__(self) -> int:
        # The fields are a dictionary; equality compares them, too.
        return hash((self.number, self.sequence, self.key))


class Message(Struct, frozen=True):
    """A chat message. seat: None for a spectator. name: "" once that account is deleted."""

    number: int
    seat: int | None
    name: str
    mine: bool
    text: str
    at: datetime


class Vote(Struct, frozen=True):
    """An open question to the table. subject: "cancel", "remove:<seat>" (a bot takes the seat of one who is absent),
    "pause" (clocks stand still), "resume" (they run again), "undo:<seat>:<sequence>" (an answer is taken back, with all
    that came after this moment). needed: the seats whose consent is needed: persons only, and, but for an undo, none
    whose time is up. given: those who gave it. taken: what would be taken back, as the reader may know it.
    """

    subject: str
    needed: tuple[int, ...]
    given: tuple[int, ...]
    mine_missing: tuple[int, ...]
    taken: tuple[LogEntry, ...] = ()


class Score(Struct, frozen=True):
    """How a game ended: per seat its place, its total, line by line what counted; rivals: who scored without a seat."""

    places: tuple[int, ...]
    totals: tuple[int, ...]
    lines: tuple[tuple[Mapping[str, Any], ...], ...]
    rivals: tuple[Mapping[str, Any], ...] = ()


class TableView(Struct, frozen=True):
    """A table as one reader may see it.

    version: changes whenever anything this reader can see may have changed; compare for equality only. seat: the seat
    whose view this is; None: a spectator's. my_seats: the seats that the reader holds, several on the same device; then
    the page draws a curtain between them. view: the engine's view (with the staged choices carried out), None before
    the start. view_sequence: the sequence number of the confirmed position (the view's own counts the staged choices
    too). log: entries after `log_from` as asked. rematch: the table that continues with the same people, or "". advice:
    see NewTable. advised: what a bot has said on this turn, for this seat alone. notes, plan: the reader's own. can:
    what the reader may do: "join", "accept" (a seat kept for the reader), "decline:<seat>",
    "invite", "start", "contribute", "leave", "return",
    "chat", "cancel", "pause", "resume", "remove:<seat>", "undo:<seat>:<sequence>" (as vote subjects), "nudge:<seat>",
    "plan:<seat>", "advice", "rematch", "analyse", "play_on". paused_until: no clock runs until then. settled: the
    seat's last answer can't be taken back because of what came after it. commitment, commitments: what fixes the seed,
    and per seat its share of the chance ("" none). showing: before the start, only committed shares are awaited.
    stand_in: the level of the bot that plays for a person who leaves.
    """

    id: str
    game: str
    status: Status
    version: str
    options: Mapping[str, Any]
    clock: Clock | None
    visibility: Visibility
    host: bool
    seats: tuple[SeatInfo, ...]
    seat: int | None
    my_seats: tuple[int, ...]
    view: Mapping[str, Any] | None
    view_sequence: int
    turn: Turn | None
    log: tuple[LogEntry, ...]
    chat: tuple[Message, ...]
    votes: tuple[Vote, ...]
    score: Score | None
    commitment: str
    rematch: str
    advice: bool
    advised: Advice | None
    can: tuple[str, ...]
    created: datetime
    changed: datetime
    commitments: tuple[str, ...] = ()
    showing: bool = False
    paused_until: datetime | None = None
    notes: str | None = None
    plan: Plan | None = None
    settled: bool = False
    stand_in: str = ""


class Done(Struct, frozen=True):
    """A command was carried out (or had been before, under the same idempotency key).

    stamp: for the next command of this seat. confirmed: whether the choices are final now (not only staged).
    """

    table: str
    version: str
    stamp: str
    sequence: int
    confirmed: bool


class WhyNot(Struct, frozen=True):
    """Why a choice isn't legal: words key `<game>.reason.<key>` (or `table.reason.<key>` if `origin` is "table")."""

    origin: Literal["game", "table"]
    key: str
    fields: Mapping[str, Any]
    rule: str


class Moment(Struct, frozen=True):
    """A past moment of a game with the reader's rights.

    sequence: the moment shown. moments: all sequence numbers that can be shown, ascending. log: what had happened then.
    """

    table: str
    game: str
    seat: int | None
    sequence: int
    moments: tuple[int, ...]
    view: Mapping[str, Any]
    log: tuple[LogEntry, ...]


class Act(Struct, frozen=True):
    """One choice of a seat with what followed by itself; all answers to a sealed decision are one act.

    start, end: the sequence numbers of the moments before and after it. seats: who chose; none: the game begins.
    log: what was told of it, as the reader may know it. Choices of one seat of which nothing is told are part of its
    next act.
    """

    start: int
    end: int
    seats: tuple[int, ...]
    log: tuple[LogEntry, ...]


class Acts(Struct, frozen=True):
    """What has happened at a table, act by act, as the reader may know it.

    seat: whose view; None: a spectator's. acted: the moment after that seat's last choice, None if it made none.
    acts: those that end after the moment that was asked for, in their order.
    """

    seat: int | None
    acted: int | None
    acts: tuple[Act, ...]


class ChanceProof(Struct, frozen=True):
    """One chance event: number `index`, drawn from `pool` (sorted domain indices of the kind), with its outcome.

    text: the outcome as it is written in records.
    """

    index: int
    kind: str
    pool: tuple[int, ...]
    outcome: int
    text: str = ""


class Fairness(Struct, frozen=True):
    """How chance at this table can be checked; docs/fair-chance.md says how.

    commitment: SHA-256 of the seed, fixed before any contribution. contributions: per seat, hex, None until the start
    (and for seats without one ""). seed, draws: None until the game is over. committed: False for a game that was
    played elsewhere and imported: its chance was never fixed here, so there is nothing to check, and no draws.
    commitments: per seat SHA-256 of its contribution, fixed before any was shown, "" where there is none: a bot, a
    browser without scripts. Where one stands without its contribution, that was withheld.
    """

    committed: bool
    commitment: str
    contributions: tuple[str, ...] | None
    seed: str | None
    draws: tuple[ChanceProof, ...] | None
    commitments: tuple[str, ...] = ()


class Answer(Struct, frozen=True):
    """One answer of a finished game. seat: -1 is chance, -2 an undo. public: whether everybody learnt it at once."""

    seat: int
    choice: str
    public: bool


class PublicRecord(Struct, frozen=True):
    """What everybody has learnt of a game's answers, line by line; docs/fair-chance.md says how a line is written.

    lines: from number `first` on.
    """

    table: str
    first: int
    lines: tuple[str, ...]
