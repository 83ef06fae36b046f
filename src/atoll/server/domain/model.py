"""Data types of the use cases: plain values that are safe for templates and JSON.

No value contains a State or a Position. Everything about the game comes from a view with the
reader's rights. Times are UTC with a time zone.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final, Literal, get_args

from msgspec import Struct, field

from atoll.lessons.coach import BlunderWarning

from .notices import TableNotices
from .planned_answers import Plan
from .playing_hours import Calendar
from .progress import LearningProgress
from .standing import Standing

SeatKind = Literal["me", "device", "invite", "open", "bot"]
"""The planned holder of a seat.

- "me": the creator.
- "device": another player on the creator's device (a hot-seat game).
- "invite": whoever has the invite link.
- "open": anybody.
- "bot": a bot.
"""

Visibility = Literal["lobby", "link", "private"]
"""Access to a table for people without a seat.

- "lobby": everybody; the table is listed in the lobby.
- "link": everybody who knows its address.
- "private": nobody.
"""

ChatAfter = Literal["nobody", "players", "anyone"]
"""The people who may chat at a table after the end of the game."""

Status = Literal["gathering", "running", "over", "cancelled", "repair"]
"""The state of a table.

- "gathering": it waits for players, or for the seals and shares of the chance.
- "running": the game is being played.
- "over": the game has ended.
- "cancelled": it was canceled, before the start or during the game.
- "repair": the rules failed, and the game can't continue until they are fixed.
"""

UserKind = Literal["guest", "account", "program"]
"""The kind of a user.

- "guest": known by the session of a browser only.
- "account": has a credential, and the name for itself.
- "program": known by an API token only.
"""

Theme = Literal["auto", "light", "dark", "contrast-light", "contrast-dark"]
"""Colors of the pages: those of the system, or a chosen scheme, with high contrast or without."""

TextSize = Literal[100, 115, 130, 150]
"""Size of the pages' texts in percent of the usual size."""

Hand = Literal["right", "left"]
"""The hand that holds a phone; the bar of a table has its buttons on this side."""

THEMES: Final[tuple[str, ...]] = get_args(Theme)
TEXT_SIZES: Final[tuple[int, ...]] = get_args(TextSize)
HANDS: Final[tuple[str, ...]] = get_args(Hand)

Pace = Literal["slow", "normal", "fast", "off"]
"""Speed at which a page plays back the turns of others; "off" shows the result immediately."""


class Refused(Exception):
    """A request that isn't carried out; nothing has changed.

    Attributes:
        code: Stable name of the reason, and key of its message (`refused.<code>`).
        status: HTTP status.
        detail: English sentence for the API.
        fields: Values for the message.
        retry_after: Seconds to wait before another try, or 0.
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
    """A person's settings for all tables.

    Attributes:
        language: Language code, or "" for the browser's language.
        theme: Colors of the pages.
        text_size: Size of the pages' texts in percent.
        hand: The hand that holds a phone.
        confirm_single: Whether a turn of a single choice also waits for an explicit confirmation.
        shortcuts: Whether single keys (letters, digits) are keyboard shortcuts.
        pace: Speed at which a page plays back the turns of others.
        presence: Whether others at a table see that the person has it open.
        notices: Pairs of the id of a table and what the person hears of it. The person hears
            everything of other tables.
    """

    language: str = ""
    theme: Theme = "auto"
    text_size: TextSize = 100
    hand: Hand = "right"
    confirm_single: bool = True
    shortcuts: bool = True
    pace: Pace = "normal"
    presence: bool = True
    notices: tuple[tuple[str, TableNotices], ...] = ()

    def notices_of(self, table: str) -> str:
        """Return what the person hears of a table, or "" for everything."""
        return dict(self.notices).get(table, "")

    @property
    def color_scheme(self) -> str:
        """The color scheme of the theme: `auto`, `light` or `dark`."""
        return self.theme.removeprefix("contrast-")


class User(Struct, frozen=True):
    """A person, or a bot that plays through the API.

    Attributes:
        id: Id of the user.
        name: Display name.
        settings: Settings for all tables.
        calendar: Playing hours and vacations.
        learning: Progress in lessons and puzzles.
        kind: Kind of the user.
        standing: Role, and what sanctions forbid.
    """

    id: str
    name: str
    settings: Settings = Settings()
    calendar: Calendar = Calendar()
    learning: LearningProgress = LearningProgress()
    kind: UserKind = "guest"
    standing: Standing = Standing()

    @property
    def has_account(self) -> bool:
        """True if the user has an account, so that nobody else has the name."""
        return self.kind == "account"


class Login(Struct, frozen=True):
    """A user with a new secret token.

    Attributes:
        user: The user.
        token: The token. It is shown once; only its hash is stored.
    """

    user: User
    token: str


AtZero = Literal["stand_in", "vote", "end"]
"""The action when a player's time runs out.

- "stand_in": a bot plays, and the player may return.
- "vote": the other players vote for a bot or for canceling the game. Until then the player may
  still move.
- "end": the game ends without a result.
"""


class Clock(Struct, frozen=True):
    """A time control: a bank per seat, which grows by the increment after each turn, up to the cap.

    If all three are equal, they are the time for each turn. The last three attributes need a bank
    of at least `LONG_S`.

    Attributes:
        bank_s: Seconds per seat at the start.
        increment_s: Seconds added after each turn.
        cap_s: Largest number of seconds in the bank.
        hours: Whether clocks stop outside of a player's playing hours.
        weekend: Whether clocks stop on a player's weekends.
        vacation: Whether clocks stop on a player's days of vacation. One day is taken automatically
            before the player's time runs out.
        at_zero: The action when a player's time runs out.
    """

    bank_s: int
    increment_s: int
    cap_s: int
    hours: bool = False
    weekend: bool = False
    vacation: bool = False
    at_zero: AtZero = "stand_in"


LONG_S: Final = 12 * 3600
"""Seconds of a bank from which players aren't expected to stay at the table."""


class SeatPlan(Struct, frozen=True):
    """The planned holder of a seat of a new table.

    Attributes:
        kind: Kind of holder.
        name: Name of the player, for "device".
        bot: Level of the bot, for "bot".
    """

    kind: SeatKind
    name: str = ""
    bot: str = ""


class NewTable(Struct, frozen=True):
    """A table to create.

    Attributes:
        game: Id of the game.
        seats: Planned holders of the seats.
        options: Options of the game; missing ones have their default.
        clock: Time control, or None for a game without clocks.
        visibility: Access for people without a seat.
        advice: Whether the players may ask a bot for advice; None allows it only if one person
            plays against bots.
        stand_in: Level of the bot that replaces a player who leaves; "" for the default level.
        chat_after: Who may chat after the end.
        rated: Whether the game counts for ratings.
        least_reliability: Reliability in percent that a player needs to take an open seat: 0, 85 or
            95.
        approval: Whether the host lets in everybody one by one who isn't invited by name.
        language: Language in which the host uses the site; "" if it isn't known.
    """

    game: str
    seats: tuple[SeatPlan, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    clock: Clock | None = None
    visibility: Visibility = "lobby"
    advice: bool | None = None
    stand_in: str = ""
    chat_after: ChatAfter = "players"
    rated: bool = False
    least_reliability: int = 0
    approval: bool = False
    language: str = ""


class ReaderSeats(Struct, frozen=True):
    """A reader's seats at a table.

    Attributes:
        game: Id of the game.
        status: State of the table.
        seats: The reader's seats.
        asked: Those of them that are asked now.
    """

    game: str
    status: Status
    seats: tuple[int, ...]
    asked: tuple[int, ...]


class TableSeats(Struct, frozen=True):
    """The seats of a table, and the seat that the reader views it from.

    Attributes:
        game: Id of the game.
        seat: The viewing seat, or None for a spectator.
        seats: All seats.
    """

    game: str
    seat: int | None
    seats: tuple[SeatInfo, ...]


class SeatInfo(Struct, frozen=True):
    """Public information about a seat.

    Attributes:
        seat: Number of the seat, from 0.
        kind: "person", "bot", "invite" (waits for the invited person), "request" (a person asks the
            host for the seat) or "open".
        name: Name of the person or bot, also of one who is invited by name or asks for the seat; ""
            for a person whose account is deleted.
        mine: Whether the reader holds the seat.
        bot: Level of the bot that plays here now, or "".
        stand_in: Whether that bot plays for a person, who may return; `name` is the person's.
        to_move: Whether the seat is asked now.
        ready: Whether the seat has answered the open sealed decision; None if none is open.
        time_left_s: Seconds left, rounded up to whole minutes; None without a running clock.
        due: When the seat's time runs out if it doesn't move; None if its clock stands still.
        overdue: Whether its time has run out and the other players decide.
        vacation_until: End of the vacation that stops its clock, or None.
        guest: Whether its player is a guest, whose name anybody may use.
        account: Whether its player has an account, and so a profile.
        stamp: Stamp of the request for the seat, with which the host answers it; "" without one.
    """

    seat: int
    kind: Literal["person", "bot", "invite", "request", "open"]
    name: str
    mine: bool
    bot: str
    stand_in: bool
    to_move: bool
    ready: bool | None
    time_left_s: int | None
    due: datetime | None = None
    overdue: bool = False
    vacation_until: datetime | None = None
    guest: bool = False
    account: bool = False
    stamp: str = ""


class Mix(Struct, frozen=True):
    """Facts about a question for an amount of each of several things.

    Attributes:
        usual: The amount of each thing that the game's own evaluation judges best, from the seat's
            knowledge, as choices; empty if there are none.
        unasked: Sum of the amounts that aren't asked for, because only one is possible.
    """

    usual: tuple[int, ...]
    unasked: int


class Turn(Struct, frozen=True):
    """The open turn of a seat: its legal choices and its draft.

    It exists while the seat is asked, or has a sealed answer that it may take back.

    Attributes:
        stamp: Stamp to send with every command of the turn. An outdated stamp is refused as stale.
        staged: Choices of the turn draft, which only this seat sees.
        staged_texts: Their text forms.
        legal: Choices that are legal next; empty if the turn can only be confirmed or undone.
        texts: Their text forms.
        can_undo: Whether there is a choice to undo.
        can_restart: Whether the draft can be discarded.
        can_confirm: Whether the turn is complete and waits for confirmation.
        sealed_in: Whether the answer to a sealed decision is given. `undo` or `restart` takes it
            back while other answers are missing.
        picked: Picked members of a set, repeated ones as often as they were picked. `undo` with one
            of them removes it.
        picked_texts: Their text forms.
        mix: Facts about a mix of amounts that is asked for, or None.
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
    mix: Mix | None = None


class Prospect(Struct, frozen=True):
    """A choice with a strong bot's evaluation.

    Attributes:
        choice: The choice.
        text: Its text form.
        share: Expected share: the part of the opponents that the seat finishes ahead of, 0 to 1.
            With two seats, or alone, it is the chance to win.
        points: Per seat, the value of the table where the bot stops looking ahead. Only differences
            between seats are meaningful.
        visits: Number of times the bot tried the choice; more visits are more reliable.
    """

    choice: int
    text: str
    share: float
    points: tuple[float, ...]
    visits: int


class Advice(Struct, frozen=True):
    """A strong bot's advice for a seat's turn, based on that seat's knowledge.

    Attributes:
        seat: The seat.
        stamp: Stamp of the turn.
        prospects: Evaluated choices, best first.
    """

    seat: int
    stamp: str
    prospects: tuple[Prospect, ...]


class Judgment(Struct, frozen=True):
    """One decision of a finished game, judged from its seat's knowledge at that moment.

    Attributes:
        sequence: Sequence number of the moment before the decision.
        seat: The seat that decided.
        shares: Expected share of every seat at that moment; see `Prospect`.
        best: The choice that a strong bot would have made.
        taken: The choice that was made.
        lost: Share that the seat lost by its choice.
        reason: A score line that explains a turning point, or None.
    """

    sequence: int
    seat: int
    shares: tuple[float, ...]
    best: Prospect
    taken: Prospect
    lost: float
    reason: BlunderWarning | None = None


class Analysis(Struct, frozen=True):
    """A finished game, analyzed decision by decision by a strong bot.

    Attributes:
        judgments: All decisions with more than one choice.
        turning_points: Indices of the (at most three) decisions that lost most, largest loss first.
        scores: Final score per seat.
        shares: Final share per seat.
    """

    judgments: tuple[Judgment, ...]
    turning_points: tuple[int, ...]
    scores: tuple[int, ...]
    shares: tuple[float, ...]


class AnalysisState(Struct, frozen=True):
    """Progress of the analysis of a finished game.

    Attributes:
        state: "none" (never requested), "computing", "failed" (can be requested again) or "done".
        done: Number of decisions done; 0 while the analysis waits or another server computes it.
        of: Number of all decisions, or 0 as for `done`.
        analysis: The analysis if it is done, or None.
    """

    state: Literal["none", "computing", "failed", "done"]
    done: int = 0
    of: int = 0
    analysis: Analysis | None = None


class LogEntry(Struct, frozen=True):
    """An event, as the reader may know it.

    Attributes:
        number: Index in the log that this reader sees.
        sequence: Sequence number of the position after the event.
        origin: "game" or "table".
        key: Key of the message: `<game>.log.<key>` (with `.hidden` if `lacking` isn't empty) or
            `table.log.<key>`, for example `joined`, `left`, `stand_in` or `timed_out`.
        fields: Values for the message.
        lacking: Names of the fields that the reader may not know.
        undone: Whether the event belongs to an answer that was taken back.
    """

    number: int
    sequence: int
    origin: Literal["game", "table"]
    key: str
    fields: Mapping[str, Any]
    lacking: tuple[str, ...]
    undone: bool = False

    def __hash__(self) -> int:
        # `fields` is a dictionary and can't be hashed. Equality compares it, too.
        return hash((self.number, self.sequence, self.key))


Reaction = Literal["good_luck", "nice_move", "thanks", "oops", "one_moment", "good_game"]
"""A message of one click, which readers see in their own languages."""

REACTIONS: Final[tuple[str, ...]] = get_args(Reaction)


class Message(Struct, frozen=True):
    """A chat message.

    Attributes:
        number: Index in the chat.
        seat: Seat of the author, or None for a spectator.
        name: Name of the author, or "" if the account is deleted.
        mine: Whether the reader wrote it.
        text: The message; "" for a reaction.
        at: Time of the message.
        guest: Whether the author was a guest.
        reaction: The reaction, or "" for a text.
        deleted_by: Who deleted the message: "author", "moderator" or "". A deleted message has
            neither text nor reaction.
        folded: Whether the reader has blocked the author; pages hide the text until it is opened.
    """

    number: int
    seat: int | None
    name: str
    mine: bool
    text: str
    at: datetime
    guest: bool = False
    reaction: Reaction | Literal[""] = ""
    deleted_by: Literal["", "author", "moderator"] = ""
    folded: bool = False


class Vote(Struct, frozen=True):
    """An open vote.

    Attributes:
        subject: "cancel", "pause" (stop the clocks), "resume" (start them again), "remove:<seat>"
            (a bot takes the seat of an absent player) or "undo:<seat>:<sequence>" (the seat's
            answer and everything after that moment is taken back).
        needed: Seats that must agree: only persons, without the player to remove. Except for
            "undo", players whose time has run out aren't asked.
        given: Seats that have agreed.
        mine_missing: The reader's seats that must still agree.
        taken: For "undo", the log entries that would be taken back, as the reader may know them.
    """

    subject: str
    needed: tuple[int, ...]
    given: tuple[int, ...]
    mine_missing: tuple[int, ...]
    taken: tuple[LogEntry, ...] = ()


class Score(Struct, frozen=True):
    """The result of a game.

    Attributes:
        places: Place per seat, 1 for the best.
        totals: Total score per seat.
        lines: Score lines per seat; see the score lines of the engine.
        rivals: Opponents without a seat that have a score.
    """

    places: tuple[int, ...]
    totals: tuple[int, ...]
    lines: tuple[tuple[Mapping[str, Any], ...], ...]
    rivals: tuple[Mapping[str, Any], ...] = ()


class PlayerRating(Struct, frozen=True):
    """The rating of a person in a game.

    Attributes:
        game: Id of the game.
        points: The rating, rounded to tens; 1500 for newcomers.
        plus_minus: Its uncertainty, rounded to tens.
        new: Whether the person has fewer than five rated games, so that pages show no number.
        games: Number of rated games.
    """

    game: str
    points: int
    plus_minus: int
    new: bool
    games: int


class RatingChange(Struct, frozen=True):
    """The change of a rating by a game.

    Attributes:
        seat: Seat of the person.
        points: The rating after the game, rounded to tens.
        change: Points that were won or lost; 0 if the game doesn't count for this person.
        counts: Whether it counts for this person.
    """

    seat: int
    points: int
    change: int
    counts: bool


class TableView(Struct, frozen=True):
    """A table as one reader may see it.

    Attributes:
        id: Id of the table.
        game: Id of the game.
        status: State of the table.
        version: Changes whenever something that the reader can see may have changed. Compare it for
            equality only.
        options: Options of the game.
        clock: Time control, or None.
        visibility: Access for people without a seat.
        host: Whether the reader hosts the table.
        seats: All seats.
        seat: The seat that the view belongs to, or None for a spectator's view.
        my_seats: The reader's seats. With several on one device the page draws a curtain between
            them.
        view: The engine's view with the turn draft applied; None before the start.
        view_sequence: Sequence number of the confirmed position. The one in `view` counts the
            draft, too.
        turn: The open turn of the viewing seat, or None.
        log: Log entries from the requested number on.
        chat: Chat messages from the requested number on.
        votes: Open votes.
        score: The result after the end, or None.
        rematch: Id of the table where the same people play again, or "".
        advice: Whether the players may ask a bot for advice.
        advised: A bot's advice for this turn, which only this seat sees; None if it wasn't
            requested.
        can: Actions permitted to the reader: "join", "accept" (take a reserved seat),
            "decline:<seat>", "withdraw:<seat>" (the own request for a seat), "admit:<seat>" (let in
            or decline the person who asks for a seat), "invite", "start", "leave", "return",
            "chat", "cancel", "pause", "resume", "remove:<seat>", "undo:<seat>:<sequence>",
            "nudge:<seat>", "plan:<seat>", "try", "advice", "rematch", "analyse", "play_on" or
            "friendly" (let the game not count).
        created: Time of creation.
        changed: Time of the last public change.
        chance: Preparation of the table's chance before the game; None afterwards.
        chance_table: Id of the table in the protocol of chance; "" for an imported game.
        paused_until: Time until which all clocks stand still, or None.
        notes: The reader's private note; None for readers without a seat.
        plan: The viewing seat's planned answers, or None.
        settled: Whether the viewing seat's last answer can't be taken back because of a later
            event.
        stand_in: Level of the bot that replaces a player who leaves.
        chat_after: Who may chat after the end.
        competition: Id of the competition that the table belongs to, or "".
        rated: Whether the game counts for ratings.
        friendly: Why it doesn't count: "chosen", or the name of a condition that doesn't hold, such
            as "bots" or "clock"; "" if it counts, or if the server has no ratings.
        least_reliability: Reliability in percent that a player needs to take an open seat.
        approval: Whether the host lets in everybody one by one who isn't invited by name.
        changes: Changes of ratings after the end of a game that counts.
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
    rematch: str
    advice: bool
    advised: Advice | None
    can: tuple[str, ...]
    created: datetime
    changed: datetime
    chance: ChanceState | None = None
    chance_table: str = ""
    paused_until: datetime | None = None
    notes: str | None = None
    plan: Plan | None = None
    settled: bool = False
    stand_in: str = ""
    chat_after: ChatAfter = "players"
    competition: str = ""
    rated: bool = False
    friendly: str = ""
    least_reliability: int = 0
    approval: bool = False
    changes: tuple[RatingChange, ...] = ()


class CommandResult(Struct, frozen=True):
    """A command was carried out, now or before under the same idempotency key.

    Attributes:
        table: Id of the table.
        version: New version of the table.
        stamp: Stamp for the seat's next command.
        sequence: Sequence number of the position.
        confirmed: Whether the choices are final, not only drafted.
    """

    table: str
    version: str
    stamp: str
    sequence: int
    confirmed: bool


class WhyNot(Struct, frozen=True):
    """The reason for which a choice isn't legal.

    Attributes:
        origin: "game" (message `<game>.reason.<key>`) or "table" (message `table.reason.<key>`).
        key: Key of the message.
        fields: Values for the message.
        rule: The rule that forbids the choice, or "".
    """

    origin: Literal["game", "table"]
    key: str
    fields: Mapping[str, Any]
    rule: str


class PastMoment(Struct, frozen=True):
    """A past moment of a game with the reader's rights.

    Attributes:
        table: Id of the table.
        game: Id of the game.
        seat: The viewing seat, or None for a spectator.
        sequence: Sequence number of the moment.
        moments: All sequence numbers that can be shown, ascending.
        view: The view at that moment.
        log: Log entries up to that moment.
    """

    table: str
    game: str
    seat: int | None
    sequence: int
    moments: tuple[int, ...]
    view: Mapping[str, Any]
    log: tuple[LogEntry, ...]


class Act(Struct, frozen=True):
    """One choice of a seat with its automatic consequences.

    All answers to a sealed decision are one act. Choices of a seat without log entries are part of
    its next act.

    Attributes:
        start: Sequence number of the moment before the act.
        end: Sequence number of the moment after it.
        seats: Seats that chose; empty for the beginning of the game.
        log: Its log entries, as the reader may know them.
    """

    start: int
    end: int
    seats: tuple[int, ...]
    log: tuple[LogEntry, ...]


class Acts(Struct, frozen=True):
    """The playback of a table, act by act, as the reader may know it.

    Attributes:
        seat: The viewing seat, or None for a spectator.
        acted: Sequence number of the moment after that seat's last choice, or None if it made none.
        acts: Acts that end after the requested moment, in order.
    """

    seat: int | None
    acted: int | None
    acts: tuple[Act, ...]


class Offer(Struct, frozen=True):
    """The server's offer of a round, to which browsers give their seals.

    Attributes:
        table: Id of the table in the protocol of chance.
        round: Number of the round, from 1.
        seed: Digest that fixes the server's seed.
    """

    table: str
    round: int
    seed: str


class SharedDraws(Struct, frozen=True):
    """The draws that all games of a round of a solo league have in common.

    Attributes:
        competition: Id of the season.
        round: Number of the round, from 1.
        seed_hash: SHA-256 of the season's seed, in hex; published when sign-up opened.
        first: Number of the first draw; above 0 only after a game was restored from a backup.
    """

    competition: str
    round: int
    seed_hash: str
    first: int = 0


class Terms(Struct, frozen=True):
    """Everything that decides the course of chance, next to offer, seals, seed and shares.

    Attributes:
        game: Id of the game.
        rules: Version of its rules.
        components: SHA-256 of its components, in hex.
        options: Resolved options.
        seats: Per seat, `person <tag of the name>`, `same <seat of the same person>` or
            `bot <level>`.
        start: "new", or the digest of the save that the game begins with.
        shared: The draws of a solo league, which come from its seed only; None for other games.
    """

    game: str
    rules: int
    components: str
    options: Mapping[str, Any]
    seats: tuple[str, ...]
    start: str
    shared: SharedDraws | None = None


class SeatName(Struct, frozen=True):
    """A player's name with the salt of its tag in the terms.

    Attributes:
        name: The name.
        salt: The salt, in hex.
    """

    name: str
    salt: str


class ChanceState(Struct, frozen=True):
    """The preparation of a table's chance before the game; the documentation explains it.

    Attributes:
        protocol: Name of the protocol.
        offer: The current offer.
        terms: The terms, once the list of seals is closed; None before.
        seals: Seal of each seat, or "".
        missing: Seats whose seal is missing, or, once the list is closed, whose share is missing.
        names: Name and salt of each seat with a tag in the terms; empty before.
    """

    protocol: str
    offer: Offer
    terms: Terms | None
    seals: tuple[str, ...]
    missing: tuple[int, ...]
    names: tuple[SeatName | None, ...] = ()


class BrokenRound(Struct, frozen=True):
    """A round whose start was broken off, or whose game was set back.

    Attributes:
        table: Id of the table in the protocol of chance.
        number: Number of the round.
        terms: Digest of its terms; "" if the list of seals wasn't closed.
        reason: "unshown" (a share wasn't shown in time), "left" (a player left), "seat" (a seat got
            another holder), "renamed" (a player was given another name), "rules" (the rules or
            components changed), "restored" or "set_back" (the database was restored from a backup).
        seats: Seats that the reason names.
    """

    table: str
    number: int
    terms: str
    reason: str
    seats: tuple[int, ...] = ()


class ListedDraw(Struct, frozen=True):
    """One chance event.

    Attributes:
        index: Number of the event, from 0.
        kind: Name of the kind of outcome.
        pool: Sorted domain indices that the outcome was drawn from.
        outcome: Domain index of the outcome.
        text: The outcome as it is written in records.
    """

    index: int
    kind: str
    pool: tuple[int, ...]
    outcome: int
    text: str = ""


class Fairness(Struct, frozen=True):
    """Data to verify the chance of a table; the documentation explains how.

    Attributes:
        protocol: Name of the protocol; "" for an imported game, whose chance nothing has fixed.
        offer: The offer of the last round; None for an imported game.
        terms: Its terms; None before the list of seals is closed.
        seals: Per seat, the seal of its share, or "".
        shares: Per seat, its share, or "". None until the start.
        seed: The server's seed in hex; None until the game is over, and in a solo league until the
            season is over.
        rounds: Earlier rounds.
        names: Name and salt of each seat with a tag in the terms.
        draws: All chance events, for display; None as long as `seed`.
    """

    protocol: str
    offer: Offer | None = None
    terms: Terms | None = None
    seals: tuple[str, ...] = ()
    shares: tuple[str, ...] | None = None
    seed: str | None = None
    rounds: tuple[BrokenRound, ...] = ()
    names: tuple[SeatName | None, ...] = ()
    draws: tuple[ListedDraw, ...] | None = None


class RecordedAnswer(Struct, frozen=True):
    """One answer of a finished game.

    Attributes:
        seat: The seat; -1 for chance and take-backs.
        choice: Text of the choice, or the line of a take-back.
        audience: Seats that learned it immediately; None for everybody.
        auto: Whether the rules gave it without asking.
    """

    seat: int
    choice: str
    audience: tuple[int, ...] | None
    auto: bool


class ReaderRecord(Struct, frozen=True):
    """The answers of a game as a reader has learned them, one line per answer.

    Attributes:
        table: Id of the table in the protocol of chance; "" for an imported game.
        terms: Digest of the terms under which the game began; "" for an imported game.
        seats: The reader's seats; their secret answers are lines, those of others are `?`.
        first: Number of the first line.
        lines: The lines from `first` on.
    """

    table: str
    terms: str
    seats: tuple[int, ...]
    first: int
    lines: tuple[str, ...]
