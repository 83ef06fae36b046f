"""Rows of the database as values.

Times are whole milliseconds since 1970, UTC. Ids of users, tables and channels are random texts.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import Any, Final

from .codec import reader


@dataclass(slots=True)
class UserRow:
    """A person, or a bot that plays through the API.

    Attributes:
        id: Id of the user.
        name: Display name.
        settings: `Settings` as plain data.
        created: Time of creation.
        seen: Time of the last activity.
        calendar: `Calendar` as plain data: playing hours and vacations.
        learning: `LearningProgress` as plain data: progress in lessons and puzzles.
        kind: "guest", "account" or "program"; see `domain.model.UserKind` of the server.
        skeleton: Skeleton of an account's name, which no other account has; None for others.
        renamed: Time of an account's last renaming, or of a guest's renaming by a moderator; else
            None.
        role: "moderator", "operator" or "".
        muted_until: Time until which the user can't write messages, or None. Like the next two, it
            follows from the user's sanctions.
        banned_until: Time until which the user can't use the site, or None.
        unrated_until: Time until which the user can't play rated games, or None.
        limited_until: Time until which a new guest from the network of a banned user has limits, or
            None.
        unread: Whether an action of a moderator waits to be read by the user.
        reachable: Whether the user has a confirmed channel for notifications.
        profile: `ProfileVisibility` as plain data: who sees which part of an account's profile.
    """

    id: str
    name: str
    settings: dict[str, Any]
    created: int
    seen: int
    calendar: dict[str, Any] = field(default_factory=dict)
    learning: dict[str, Any] = field(default_factory=dict)
    kind: str = "guest"
    skeleton: str | None = None
    renamed: int | None = None
    role: str = ""
    muted_until: int | None = None
    banned_until: int | None = None
    unrated_until: int | None = None
    limited_until: int | None = None
    unread: bool = False
    reachable: bool = False
    profile: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class CredentialRow:
    """A way to prove who a user is.

    Attributes:
        id: Id of the credential.
        user_id: The user.
        kind: "passkey", "mail", "oidc" or "code".
        subject: Id of a passkey, mail address, issuer and subject, or SHA-256 of a printed code.
        label: Name that the user knows it by, or "".
        created: Time of creation.
        data: Facts that belong to the kind.
        last_used: Time of the last use, or None.
    """

    id: str
    user_id: str
    kind: str
    subject: str
    label: str
    created: int
    data: dict[str, Any] = field(default_factory=dict)
    last_used: int | None = None


@dataclass(slots=True)
class TokenRow:
    """A hashed secret that proves who a user is.

    Attributes:
        hash: SHA-256 of the token, in hex.
        user_id: The user that it belongs to.
        kind: "session", "api" or "calendar".
        created: Time of creation.
        expires: Time from which it isn't valid any more.
        device: Browser and system that the token was made for, or "".
        label: Name that the user gave to an API token, or "".
        last_used: Start of the day (UTC) of the last use.
        id: Public id, by which the user names the token.
        network: Hash of the network that last used it, or None.
    """

    hash: str
    user_id: str
    kind: str
    created: int
    expires: int
    device: str = ""
    label: str = ""
    last_used: int = 0
    id: str = field(default_factory=lambda: secrets.token_hex(8))
    network: str | None = None


@dataclass(slots=True)
class ChallengeRow:
    """A hashed one-time secret on the way to a session.

    Attributes:
        hash: SHA-256 of the secret, in hex.
        kind: "device" for a link to another device, "passkey" for a challenge to an authenticator,
            "mail" for a link in a mail, "oidc" for the way to an OpenID Connect provider,
            "rescue" for a link of the operator.
        user_id: The user that it leads to, or None if that isn't known yet.
        session_hash: SHA-256 of the secret of the browser that answers it; "" before it is known.
        created: Time of creation.
        expires: Time from which it isn't valid any more.
        data: Facts that belong to the kind.
        used: Time at which it was used, or None.
    """

    hash: str
    kind: str
    user_id: str | None
    session_hash: str
    created: int
    expires: int
    data: dict[str, Any] = field(default_factory=dict)
    used: int | None = None


@dataclass(slots=True)
class TableRow:
    """A table.

    Attributes:
        id: Id of the table.
        game: Id of the game.
        rules_version: Version of the rules that wrote the position.
        box: Hash of the components.
        options: Options of the game.
        visibility: "lobby", "link" or "private".
        status: "gathering", "running", "over", "cancelled" or "repair".
        host: Id of the user that hosts the table.
        clock: `Clock` as plain data, or None if the table has no clocks.
        created: Time of creation.
        changed: Time of the last change whose time may be public.
        position: Save of the position, the source of truth of a running game. None before the
            start, and in rows of lists, which don't read it.
        sequence: Sequence number of the position.
        number: Number of answers in the record.
        told: Number of events.
        said: Number of chat messages.
        version: Count of the changes that anybody but the acting seat can notice.
        revision: Count of all writes. A write with another revision is a conflict.
        votes: Seats in favor, by subject of an open vote.
        result: Places and totals per seat after the end; None before.
        rematch: Id of the table where the same people play again, or "".
        origin: Table and sequence number at which the game was forked from another one, or None.
        repair: Reason for which the rules failed here, or "".
        advice: Whether the players may ask a bot for advice.
        chat_after: Who may chat after the end: "nobody", "players" or "anyone".
        removed: Ids of the users whom the host has removed before the start.
        pause: Start and end of a pause of all clocks, or None.
        fixed: Sequence number after the last chance event or reveal. Earlier answers can't be taken
            back.
        stand_in: Level of the bot that replaces a player who leaves; "" for the default level.
        pace: "none" (no clock), "live" or "correspondence"; it follows from the clock.
        rated: Whether the game counts for ratings. Before the start: if nothing prevents it then.
        least_reliability: Reliability in percent that a player needs to take an open seat; 0 for
            none.
        approval: Whether the host lets in everybody one by one who isn't invited by name.
        language: Language in which the host uses the site; "" if it isn't known.
        chance: Id of the table in the protocol of chance; "" for an imported game. It is another
            one than `id` after a game was set back.
        round: Number of the current round of chance, from 1; 0 for an imported game.
        offered: Time at which the round began.
        seed: Secret seed of the round, in hex; "" for an imported game.
        terms: The terms and seals of the round once the list of seals is closed; None before.
        start: The position that the terms begin with, unless it is the game's setup: its `save`,
            and how many answers (`number`), events (`told`) and chance events (`chances`) precede
            it in this table; None for the setup.
        competition_id: The competition that the table belongs to, or None.
    """

    id: str
    game: str
    rules_version: int
    box: str
    options: dict[str, Any]
    visibility: str
    status: str
    host: str
    clock: dict[str, Any] | None
    created: int
    changed: int
    position: str | None = None
    sequence: int = 0
    number: int = 0
    told: int = 0
    said: int = 0
    version: int = 0
    revision: int = 0
    votes: dict[str, list[int]] = field(default_factory=dict)
    result: dict[str, Any] | None = None
    rematch: str = ""
    origin: dict[str, Any] | None = None
    repair: str = ""
    advice: bool = False
    chat_after: str = "players"
    removed: list[str] = field(default_factory=list)
    pause: list[int] | None = None
    fixed: int = 0
    stand_in: str = ""
    pace: str = "none"
    rated: bool = False
    least_reliability: int = 0
    approval: bool = False
    language: str = ""
    chance: str = ""
    round: int = 0
    offered: int = 0
    seed: str = ""
    terms: dict[str, Any] | None = None
    start: dict[str, Any] | None = None
    competition_id: str | None = None


@dataclass(slots=True)
class SeatRow:
    """A seat of a table.

    Attributes:
        game_id: Id of the table.
        seat: Number of the seat, from 0.
        kind: "person", "bot", "invite", "request" (a person asks the host for the seat) or "open".
        user_id: User that holds the seat, has it reserved or asks for it. None for a bot, a free
            seat, or a person whose account is deleted.
        name: Display name at this table; "" for a person whose account is deleted.
        bot: Level of the bot that plays the seat now, or "".
        away: Whether a bot plays for the person, who may return.
        draft: Choices of the turn draft.
        revision: Count of the changes of the seat's draft, plan and answers; part of its stamp.
        bank_ms: Milliseconds on the clock when it last started or stopped; None if it never ran.
        asked: Time since which the seat is asked, or None if it isn't.
        due: Time at which the clock runs out, or None if it stands still.
        overdue: Whether the clock ran out and the other players decide.
        calendar: Copy of the user's calendar.
        nudged: Time of the last nudge, or None.
        turn: Sequence number before the seat's last answer, and the milliseconds on its clock then
            (None if it never ran). None if no answer can be taken back.
        plan: Planned answers, with the data that must be unchanged when the seat is asked; None
            without.
        ended: Time at which the game ended or was canceled, or None. An index over it finds a
            user's open tables without reading the others, and ended ones page by page.
        seal: Seal of the seat's share in the current round, or None.
        share: The share once it is shown, or None.
        unshown: Whether an earlier round was broken off because this seat's share wasn't shown. The
            seat gives no share any more.
        name_salt: Salt of the tag of the name in the terms; "" before, and for deleted accounts.
        guest: Whether the player is a guest, whose name anybody may use.
        turns: Number of turns that the player has finished under a time control, or has missed.
        late: Number of those in which the player's time ran out.
        departure: Reason for which a bot plays for the person: "resigned", "time" or "removed"; ""
            if none does.
    """

    game_id: str
    seat: int
    kind: str
    user_id: str | None = None
    name: str = ""
    bot: str = ""
    away: bool = False
    draft: list[int] = field(default_factory=list)
    revision: int = 0
    bank_ms: int | None = None
    asked: int | None = None
    due: int | None = None
    overdue: bool = False
    calendar: dict[str, Any] = field(default_factory=dict)
    nudged: int | None = None
    turn: tuple[int, int | None] | None = None
    plan: dict[str, Any] | None = None
    ended: int | None = None
    seal: str | None = None
    share: str | None = None
    unshown: bool = False
    name_salt: str = ""
    guest: bool = False
    turns: int = 0
    late: int = 0
    departure: str = ""


@dataclass(slots=True)
class ChoiceRow:
    """One answer of a record.

    Attributes:
        game_id: Id of the table.
        number: Index in the record, from 0.
        sequence: Sequence number of the decision or chance event that it answers.
        seat: The seat that answered; -1 for chance.
        choice: The choice or outcome, encoded.
        audience: The seats that learn the answer, encoded as in the engine.
        auto: Whether the rules took the only choice of a public decision without asking.
        pool: Sorted domain indices that an outcome was drawn from; None for other answers.
        at: Time of the answer.
    """

    game_id: str
    number: int
    sequence: int
    seat: int
    choice: int
    audience: int
    auto: bool
    pool: list[int] | None
    at: int


@dataclass(slots=True)
class TakebackRow:
    """Answers that were removed from the record, which tells them all the same.

    Attributes:
        game_id: Id of the table.
        number: Number of events of the table before the take-back.
        length: Number of answers left in the record.
        sequence: Sequence number of the moment that the game returned to.
        kind: "undo" (all agreed to take them back) or "again" (the rules were fixed, and the open
            turn started over).
        taken: Sequence number, seat, choice and audience of each removed answer.
        at: Time of the take-back.
    """

    game_id: str
    number: int
    length: int
    sequence: int
    kind: str
    taken: list[tuple[int, int, int, int]]
    at: int

    def choices(self) -> list[ChoiceRow]:
        """Return the removed answers as rows of the record."""
        return [
            ChoiceRow(self.game_id, self.length + index, sequence, seat, choice, audience, False, None, self.at)
            for index, (sequence, seat, choice, audience) in enumerate(self.taken)
        ]


@dataclass(slots=True)
class RoundRow:
    """A round of chance whose start was broken off, or whose game was set back.

    Attributes:
        game_id: Id of the table.
        number: Number of events of the table before.
        chance: Id of the table in the protocol of chance then.
        round: Number of the round.
        seed: Its secret seed, in hex.
        terms_digest: Digest of its terms; "" if the list of seals wasn't closed.
        reason: Reason; see `BrokenRound`.
        concerned: Seats that the reason names.
        at: Time of the break.
    """

    game_id: str
    number: int
    chance: str
    round: int
    seed: str
    terms_digest: str
    reason: str
    concerned: list[int]
    at: int


@dataclass(slots=True)
class CheckpointRow:
    """A checkpoint of a game, as a complete save.

    Attributes:
        game_id: Id of the table.
        number: Number of answers in the record at the checkpoint.
        sequence: Sequence number of the checkpoint.
        position: The save.
    """

    game_id: str
    number: int
    sequence: int
    position: str


@dataclass(slots=True)
class EventRow:
    """An event of the game or of its table.

    Attributes:
        game_id: Id of the table.
        number: Index in the event log, from 0.
        sequence: Sequence number of the position after the event.
        origin: "game" or "table".
        data: Key and fields. Events of the game have an audience for each field.
        at: Time of the event.
        user_id: User whom an event of the table names, or None.
    """

    game_id: str
    number: int
    sequence: int
    origin: str
    data: dict[str, Any]
    at: int
    user_id: str | None = None


@dataclass(slots=True)
class ResultRow:
    """The result of one seat of a finished game.

    Attributes:
        game_id: Id of the table.
        seat: Number of the seat.
        user_id: User that held the seat. None for a bot, or if the account is deleted.
        kind: "person", "device" (a further seat of a person who has another one) or "bot".
        game: Id of the game.
        seats: Number of seats.
        options_hash: Hash of the options; see `table.results.options_hash` of the server.
        listed: Whether everybody may see the game: it was in the lobby.
        place: Place, 1 for the best; seats that are level share one.
        score: Final score.
        points: Points by key of the score line.
        length: Number of decisions of all seats.
        turns: Number of the seat's turns under a time control.
        late: Number of those in which its time ran out.
        departure: Reason for which a bot played the person's last turns: "resigned", "time" or
            "removed"; "" if the person played to the end.
        rated: Whether the game counts for ratings.
        ended: Time of the end.
    """

    game_id: str
    seat: int
    user_id: str | None
    kind: str
    game: str
    seats: int
    options_hash: str
    listed: bool
    place: int
    score: int
    points: dict[str, int]
    length: int
    turns: int
    late: int
    departure: str
    rated: bool
    ended: int


@dataclass(slots=True)
class DepartureRow:
    """A player left a running game with other people, or was late.

    Attributes:
        game_id: Id of the table.
        seat: Number of the seat.
        at: Time of the departure.
        user_id: The player, or None if the account is deleted.
        cause: "resigned", "time" or "removed".
        progress: Number of decisions of all seats before.
    """

    game_id: str
    seat: int
    at: int
    user_id: str | None
    cause: str
    progress: int


@dataclass(slots=True)
class RatingRow:
    """The rating of an account in one game.

    Attributes:
        user_id: The account.
        game: Id of the game.
        mu: Expected strength.
        sigma: Uncertainty of the strength.
        games: Number of games that changed it.
        last: End of the last one.
    """

    user_id: str
    game: str
    mu: float
    sigma: float
    games: int
    last: int


@dataclass(slots=True)
class RatingChangeRow:
    """Ratings of one person before and after a rated game.

    Attributes:
        game_id: Id of the table, which may have been deleted.
        seat: Number of the seat.
        number: Number of the game in the order in which rated games were applied.
        game: Id of the game.
        user_id: The account, or None if it is deleted.
        group_hash: Hash of the people at the table, for the weights of games of the same group.
        ended: Time of the end.
        mu_before: Expected strength before.
        sigma_before: Its uncertainty.
        mu: Expected strength after.
        sigma: Its uncertainty.
        weight: Weight of the change; 0 if the game doesn't count for this person.
        model: Name of the model.
        place: Place of the seat; the stand-in's if the player left.
        departed: Whether the player left the game.
    """

    game_id: str
    seat: int
    number: int
    game: str
    user_id: str | None
    group_hash: str
    ended: int
    mu_before: float
    sigma_before: float
    mu: float
    sigma: float
    weight: float
    model: str
    place: int
    departed: bool


@dataclass(slots=True)
class SeekerRow:
    """Somebody who looks for a game with other people now.

    Attributes:
        user_id: The user.
        game: Id of the game.
        players: Number of seats.
        pace: Name of the time control.
        rated: Whether the game shall count for ratings.
        rating: The user's rating in points.
        low: Lowest rating of others that the user accepts at first, in points.
        high: Highest one.
        since: Time at which the search began.
        until: Time until which the user is here, unless the page reports again.
        game_id: The table that was found, or None.
    """

    user_id: str
    game: str
    players: int
    pace: str
    rated: bool
    rating: int
    low: int
    high: int
    since: int
    until: int
    game_id: str | None = None


@dataclass(slots=True)
class MessageRow:
    """A chat message.

    Attributes:
        game_id: Id of the table.
        number: Index in the chat, from 0.
        user_id: Author, or None if the account is deleted.
        seat: The author's seat, or None for a spectator.
        name: The author's name, or "" if the account is deleted.
        text: The message; "" for a reaction.
        at: Time of the message.
        guest: Whether the author was a guest.
        reaction: The reaction, or "" for a text.
        deleted_by: "author" (the text is gone), "moderator" (it isn't shown) or "".
    """

    game_id: str
    number: int
    user_id: str | None
    seat: int | None
    name: str
    text: str
    at: int
    guest: bool = False
    reaction: str = ""
    deleted_by: str = ""


@dataclass(slots=True)
class NoteRow:
    """A private note of a user at a table.

    Attributes:
        game_id: Id of the table.
        user_id: The user, who alone can read it.
        text: The note; "" for none.
        at: Time of the last change.
    """

    game_id: str
    user_id: str
    text: str
    at: int


@dataclass(slots=True)
class AnalysisRow:
    """Analysis of a finished game by a strong bot.

    Attributes:
        game_id: Id of the table.
        data: `Analysis` as plain data.
        at: Time at which it was finished.
    """

    game_id: str
    data: dict[str, Any]
    at: int


@dataclass(slots=True)
class InviteRow:
    """A one-time link to a seat.

    Attributes:
        hash: SHA-256 of the link's secret, in hex.
        game_id: Id of the table.
        seat: The seat.
        created: Time of creation.
        used: Time at which it was used, or None.
    """

    hash: str
    game_id: str
    seat: int
    created: int
    used: int | None = None


@dataclass(slots=True)
class CommandRow:
    """The answer to a command, stored under its idempotency key.

    Attributes:
        user_id: The user that sent the command.
        key: The idempotency key.
        request: Digest of the request. The same key with another request is an error.
        answer: The answer as plain data.
        at: Time of the command.
    """

    user_id: str
    key: str
    request: str
    answer: Any
    at: int


@dataclass(slots=True)
class ServerRow:
    """A server that uses this database.

    Attributes:
        id: Id of the server process.
        place: Process and machine; "" once the server has ended.
        seen: Time of the last heartbeat.
        version: Version of its program.
    """

    id: str
    place: str
    seen: int
    version: str = ""


@dataclass(slots=True)
class SchemaInfoRow:
    """Facts about the schema, and about the backup that the database came from.

    Attributes:
        readable_from: Oldest schema whose program can use this database.
        copied: Time of the backup that this database is, until `atoll restore` has prepared it;
            None for a database that servers may use.
        backup: Time of the backup that was restored most recently, or None.
        restored: Time of that restore, or None.
    """

    readable_from: int
    copied: int | None = None
    backup: int | None = None
    restored: int | None = None


@dataclass(slots=True)
class BackupRow:
    """A copy of the database.

    Attributes:
        id: Random id.
        at: Time of the copied state.
        kind: "sqlite" or "pg_dump".
        schema: Revision of the schema.
        tables: Number of tables.
        bytes: Size of the copy.
        verified: Whether the copy was checked without errors.
    """

    id: str
    at: int
    kind: str
    schema: str
    tables: int
    bytes: int
    verified: bool


@dataclass(slots=True)
class MaintenanceRow:
    """A time in which nobody can play.

    Attributes:
        id: Random id.
        begins: Beginning.
        ends: End, or None while it lasts.
        until: Announced end, or None.
        text: Announcement of the operator, or "".
    """

    id: str
    begins: int
    ends: int | None = None
    until: int | None = None
    text: str = ""


@dataclass(slots=True)
class JobRow:
    """A job: work that happens automatically at a time.

    Attributes:
        id: Unique id, usually `<kind>:<table>`.
        kind: "bot", "clock", "start", "plan", "pack", "analysis", "account", "competition", "ban",
            "rename", "close", "ended" or "sweep".
        game_id: Id of the table, or None.
        due: Time at which it is due.
        token: Random text that changes when the job is set again. Finishing an old job therefore
            doesn't remove its successor.
        lease: Time until which a server works on it; 0 if none does.
        attempts: Number of leases so far.
    """

    id: str
    kind: str
    game_id: str | None
    due: int
    token: str
    lease: int = 0
    attempts: int = 0


@dataclass(slots=True)
class ChannelRow:
    """A channel that reaches a user.

    Attributes:
        id: Id of the channel.
        user_id: The user.
        kind: "push", "mail", "discord", "slack", "ntfy" or "webhook".
        address: Address of the channel, by field.
        secret: Key that signs webhook requests, and proves the links in mails.
        kinds: Kinds of notices that are sent.
        language: Language code of the texts.
        created: Time of creation.
        digest: Whether notices are sent together, once a day.
        confirmed: Whether the owner of the address agreed to get messages.
        sent: Time of the last successful delivery, or None.
        error: Response to the last delivery if it failed, or "".
        cause: Category of that error, or "" if it isn't known.
    """

    id: str
    user_id: str
    kind: str
    address: dict[str, str]
    secret: str
    kinds: list[str]
    language: str
    created: int
    digest: bool = False
    confirmed: bool = True
    sent: int | None = None
    error: str = ""
    cause: str = ""


@dataclass(slots=True)
class NoticeRow:
    """A notification in the outbox.

    Attributes:
        id: Unique id that is never used again.
        user_id: The recipient.
        kind: Kind of notice; see `domain.notices`.
        game_id: Id of the table that it is about, or None.
        data: Fields of its text.
        due: Time at which it is sent.
        at: Time of creation.
        asked: Time since which the seat is asked that the notice is about, or None. The notice is
            void once the seat isn't asked since then any more.
        channel_id: Channel that delivers it; "" for a notice that isn't assigned to channels yet.
        lease: Time until which a server works on it; 0 if none does.
        state: "waiting", "sent", "failed" or "void".
        begun: Number of delivery attempts.
        failed: Number of attempts that are known to have failed.
    """

    id: str
    user_id: str
    kind: str
    game_id: str | None
    data: dict[str, Any]
    due: int
    at: int
    asked: int | None = None
    channel_id: str = ""
    lease: int = 0
    state: str = "waiting"
    begun: int = 0
    failed: int = 0


@dataclass(slots=True)
class CompetitionRow:
    """A competition: a season of a league or solo league, a mini cup or an evening.

    Attributes:
        id: Id of the competition.
        kind: "league", "mini", "evening" or "solo".
        league_id: Id of the first competition of the series.
        season: Number of the season, from 1.
        game: Id of the game.
        options: Options of the game.
        table_seats: Usual number of seats of a table.
        clock: `Clock` as plain data, or None if its games have no clocks.
        rated: Whether its games are rated.
        state: "open" (sign-up), "check_in", "starting" (the draw is done), "running", "over" or
            "cancelled".
        opens: Time from which sign-up is open.
        seed_hash: SHA-256 of the seed, in hex; published at once.
        seed: The seed, in hex; published with the draw, in a solo league when the season is over.
        rules: `CompetitionRules` as plain data.
        title: Name that the host gave, or "".
        listed: Whether lists show it; a private cup is known by its address only.
        host_id: User that hosts a private cup, or None.
        starts: Time of the draw and of the first games; None for a cup that isn't full.
        ends: Hard end of the games; None for a cup that isn't full.
        round: Number of the current round, from 1; 0 before the draw.
        host_log: What the host has done, and why. Players are named by their ids.
        standings: Divisions with standings and games, without names, once it is over; None before.
    """

    id: str
    kind: str
    league_id: str
    season: int
    game: str
    options: dict[str, Any]
    table_seats: int
    clock: dict[str, Any] | None
    rated: bool
    state: str
    opens: int
    seed_hash: str
    seed: str
    rules: dict[str, Any]
    title: str = ""
    listed: bool = True
    host_id: str | None = None
    starts: int | None = None
    ends: int | None = None
    round: int = 0
    host_log: list[dict[str, Any]] = field(default_factory=list)
    standings: list[dict[str, Any]] | None = None


@dataclass(slots=True)
class EntryRow:
    """An entry of a user in a competition.

    Attributes:
        competition_id: The competition.
        user_id: The user.
        name: Name of the user.
        entered: Time of the sign-up.
        state: "waiting" (signed up), "entered" (checked in), "playing" or "out" (dropped out).
        ladder: Position on the ladder of the previous season, from 1; None for newcomers.
        rating: Rating at the draw, or None.
        tier: Tier, from 1; None before the draw.
        division: Division, from 1; None before the draw.
        number: Number in the division, from 0; None before the draw.
        left: Time at which the player dropped out, or None.
        points: Points at the end, as a fraction; "" before.
        tiebreaks: Tie-breaks at the end, by name.
        rank: Rank in the division at the end; None before.
        lot: Lot in the draw, in hex, which follows from the name at the draw; "" before.
    """

    competition_id: str
    user_id: str
    name: str
    entered: int
    state: str = "waiting"
    ladder: int | None = None
    rating: int | None = None
    tier: int | None = None
    division: int | None = None
    number: int | None = None
    left: int | None = None
    points: str = ""
    tiebreaks: dict[str, Any] = field(default_factory=dict)
    rank: int | None = None
    lot: str = ""


@dataclass(slots=True)
class CompetitionGameRow:
    """A game of a competition.

    Attributes:
        competition_id: The competition.
        round: Number of the round, from 1.
        division: Number of the division, from 1.
        number: Number of the game in its division and round, from 1.
        game_id: Id of the table, which is created after the draw.
        seating: Numbers of the players, in the order of the seats.
        late_seats: Seats that were late at the hard end; None before.
        annulled: Whether the host has annulled the game.
    """

    competition_id: str
    round: int
    division: int
    number: int
    game_id: str
    seating: list[int]
    late_seats: list[int] | None = None
    annulled: bool = False


@dataclass(slots=True)
class BlockRow:
    """A block, which keeps two users apart in both directions.

    Attributes:
        id: Id by which the blocking user names it.
        user_id: The user that blocks.
        blocked_id: The user that is blocked, who isn't notified.
        created: Time of creation.
    """

    id: str
    user_id: str
    blocked_id: str
    created: int


@dataclass(slots=True)
class ReportRow:
    """A report about a message, a person or a table.

    Attributes:
        id: Id of the report.
        created: Time of creation.
        reporter_id: The reporter; None without a session, or if the account is deleted.
        contact: Mail address of a reporter without a session, or "".
        language: Language in which the reporter hears the outcome.
        reason: One of `REASONS` of the server.
        text: The reporter's own words.
        user_id: The reported user, or None.
        game_id: The table, or None.
        message: Number of the reported message, or None.
        subject: Text that is the same for reports about the same thing.
        context: Copy of the table's public facts and of the messages around, or {}.
        state: "open", "taken" or "closed".
        weight: Percentage by which the reporter's former reports make this one count.
        moderator_id: The moderator who took or closed it, or None.
        closed: Time at which it was closed, or None.
        outcome: "upheld", "rejected" or "".
    """

    id: str
    created: int
    reporter_id: str | None
    contact: str
    language: str
    reason: str
    text: str
    user_id: str | None
    game_id: str | None
    message: int | None
    subject: str
    context: dict[str, Any]
    weight: int
    state: str = "open"
    moderator_id: str | None = None
    closed: int | None = None
    outcome: str = ""


@dataclass(slots=True)
class SanctionRow:
    """An action of a moderator about a person.

    Attributes:
        id: Id of the sanction.
        user_id: The person, or None after the deletion of the account.
        kind: One of `ACTIONS` of the server.
        begins: Time from which it applies.
        ends: Time until which it applies; None if it has no end or is a single act.
        reason: One of `REASONS` of the server.
        text: The moderator's statement for the person.
        moderator_id: The moderator, or None for the operator's command line.
        report_id: The report that led to it, or None.
        data: Facts that belong to the kind: `table`, `message`, `name`.
        lifted: Time at which it was lifted, or None.
        objection: The person's objection, or "".
        verdict: "rejected" or "lifted" after the decision about the objection; else "".
        subject_hash: Hash of a credential of a deleted account to which it applies, or None.
        networks: Hashes of the networks that a banned user had used last.
    """

    id: str
    user_id: str | None
    kind: str
    begins: int
    ends: int | None
    reason: str
    text: str
    moderator_id: str | None = None
    report_id: str | None = None
    data: dict[str, Any] = field(default_factory=dict)
    lifted: int | None = None
    objection: str = ""
    verdict: str = ""
    subject_hash: str | None = None
    networks: list[str] = field(default_factory=list)


@dataclass(slots=True)
class AuditRow:
    """One act of a moderator or operator.

    Attributes:
        id: Id of the row.
        created: Time of the act.
        actor_id: The moderator or operator; None for the command line and deleted accounts.
        action: Name of the act.
        subject: Id of the user, table or report that it concerned; "" for deleted accounts.
        data: Further facts.
    """

    id: str
    created: int
    actor_id: str | None
    action: str
    subject: str
    data: dict[str, Any] = field(default_factory=dict)


STABLE_TABLE_COLUMNS: Final = (
    *("rules_version", "box", "options", "visibility", "status", "host", "clock", "said", "result"),
    *(
        "rematch",
        "origin",
        "repair",
        "pause",
        "stand_in",
        "rated",
        "chance",
        "round",
        "offered",
        "seed",
        "terms",
        "start",
        "removed",
    ),
)
"""Columns of a table that answers rarely change: only at the end of a game.

Values in them are replaced, never changed in place, so that a change can be detected.
"""
STABLE_SEAT_COLUMNS: Final = (
    *("kind", "user_id", "name", "bot", "away", "bank_ms", "due", "overdue", "calendar"),
    *("nudged", "plan", "ended", "seal", "share", "unshown", "name_salt", "guest", "late", "departure"),
)
"""Columns of a seat that answers rarely change: only with clocks, or at the end of a game.

Values in them are replaced, never changed in place.
"""

stable_table_values: Final = reader(STABLE_TABLE_COLUMNS)
"""Returns the values of `STABLE_TABLE_COLUMNS` of a row."""
stable_seat_values: Final = reader(STABLE_SEAT_COLUMNS)
"""Returns the values of `STABLE_SEAT_COLUMNS` of a row."""
