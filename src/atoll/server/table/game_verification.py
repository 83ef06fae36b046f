"""Verification of whole games: files are read, replayed by the rules, and their chance is judged.

The file of a game contains everything, so that the server where it was played isn't needed. Only
the terms in it decide how the game is replayed. The file doesn't prove what the players were told
during the game. The file that a browser saves (`Kept`) can be compared for that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, Literal

import msgspec

from atoll.engine import CHANCE, AtollError, Draw, Game, Position, SaveError
from atoll.engine import record as records

from ..domain.model import Offer, SeatName, SharedDraws, Terms
from .chance_protocol import NEW, PROTOCOL, canonical, seed_digest, start_digest
from .chance_verdict import Facts, Kept, Missing, Published, Replay, Verdict, judge
from .takebacks import (
    Recorder,
    SavedAnswer,
    Takeback,
    ToldAnswer,
    last_own_line,
    parse_takeback,
    reader_lines,
    told_by_file,
    told_by_rules,
)

EXPORT_FORMAT: Final = "atoll-export-2"
"""Format of the file that a table saves."""
LONGEST: Final = 4 * 1024 * 1024
"""Largest number of characters of a file, far above the longest game."""
MOST_ANSWERS: Final = 10_000
"""Largest number of answers of a file, take-backs included; twelve times the longest games."""
_SHOWN: Final = 200
"""Largest number of characters of a reason that is shown."""


class _Head(msgspec.Struct):
    """The part of a saved game that says what it is."""

    format: str


class _ListedDraw(msgspec.Struct):
    """A chance event as a saved game lists it, for judges without the rules."""

    pool: list[int]
    outcome: int


class _Fairness(msgspec.Struct):
    """The data about chance of a saved game."""

    protocol: str
    offer: Offer | None
    terms: Terms | None
    seals: tuple[str, ...]
    shares: tuple[str, ...] | None
    seed: str | None
    names: tuple[SeatName | None, ...]
    draws: list[_ListedDraw] | None


class _Result(msgspec.Struct):
    """The result of a saved game."""

    places: list[int]
    totals: list[int]


class _Export(_Head):
    """The parts of a saved game that are read; it has more."""

    status: str
    seats: list[str]
    record: list[SavedAnswer]
    undone: list[Takeback]
    result: _Result | None
    fairness: _Fairness
    start: dict[str, Any] | None


# -- limits ----------------------------------------------------------------------------------------


class _Answers(msgspec.Struct):
    """A list of answers that aren't parsed."""

    record: list[msgspec.Raw] = []


class _Counted(_Answers):
    """The parts of an export that cost time."""

    undone: list[_Answers] = []


def count_answers(text: str) -> int:
    """Return an upper bound of the number of answers in a saved game.

    This takes little time. For other texts it is usually 0.
    """
    if not text.lstrip().startswith("{"):
        return len(text.splitlines()) + text.count("|")
    try:
        counted = msgspec.json.decode(text, type=_Counted)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return 0
    return sum(max(1, len(each.record)) for each in (counted, *counted.undone))


# -- verification ----------------------------------------------------------------------------------


def verify(games: Mapping[str, Game], text: str, kept: Sequence[Kept] = ()) -> Verdict:
    """Return the verdict on a saved game: an export of a table, or a record.

    Args:
        games: All games by id.
        text: The text of the file.
        kept: Files that browsers of one person have saved about the table.

    Raises:
        SaveError: If the file is too long, isn't a saved game, is of a running game, or belongs to
            another table than `kept`.
    """
    if len(text) > LONGEST:
        raise SaveError(f"the file has {len(text):,} characters: expected at most {LONGEST:,}")
    count = count_answers(text)
    if count > MOST_ANSWERS:
        raise SaveError(f"the file has {count:,} answers: expected at most {MOST_ANSWERS:,}")
    return _of_export(games, text, kept) if text.lstrip().startswith("{") else _of_record(games, text, kept)


def read_kept(text: str) -> list[Kept]:
    """Return the files that browsers of one person have saved about a table.

    Args:
        text: The text of a file, or of a JSON list of files; "" for none.

    Raises:
        SaveError: If the text isn't such a file.
    """
    if not text.strip():
        return []
    try:
        given = msgspec.json.decode(text[:LONGEST], type=Kept | list[Kept])
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise SaveError(f"the text isn't a browser's file about a table: {error}"[:300]) from None
    return [given] if isinstance(given, Kept) else given


def _of_export(games: Mapping[str, Game], text: str, kept: Sequence[Kept]) -> Verdict:
    """Return the verdict on an export of a table."""
    try:
        head = msgspec.json.decode(text, type=_Head)
        if head.format != EXPORT_FORMAT:
            if not head.format.startswith("atoll-"):
                raise SaveError(f"the file isn't a saved game: its format is {head.format[:40]!r}")
            return _other_protocol(head.format)
        export = msgspec.json.decode(text, type=_Export)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise SaveError(f"the file isn't a saved game: {error}"[:300]) from None
    if export.status != "over":
        raise SaveError(f"the game is {export.status}: only finished games can be verified")
    fair = export.fairness
    if fair.protocol != PROTOCOL:
        return _other_protocol(fair.protocol)
    if fair.terms is not None and fair.terms.shared is not None and fair.seed is None:
        return Verdict("open", (Missing("seed", "secret"),))
    if fair.offer is None or fair.terms is None or fair.shares is None or fair.seed is None or export.result is None:
        return Verdict("wrong", (Missing("form", "wrong", {"detail": "offer, terms, shares, seed or result"}),))
    file = Published(fair.offer, fair.terms, fair.seals, fair.seed, fair.shares, fair.names)
    answers = [(CHANCE if each.seat is None else each.seat, each.choice or "") for each in export.record]
    course = _Course(answers, export.undone, export.result.totals, export.result.places, export.start, fair.seed)
    by_file = told_by_file(export.record, export.undone)
    replay = _replay(games, file.terms, course, by_file)
    if replay.rules is not None and not replay.rules_wrong:  # without the rules only the list has pools
        replay.draws = [(each.pool, each.outcome) for each in fair.draws or ()]
    return _judge(file, replay, kept)


def _other_protocol(name: str) -> Verdict:
    """Return the verdict on a file of another protocol."""
    if not name:
        return Verdict("open", (Missing("form", "none"),))
    return Verdict("open", (Missing("form", "protocol", {"name": name[:40]}),))


def _of_record(games: Mapping[str, Game], text: str, kept: Sequence[Kept]) -> Verdict:
    """Return the verdict on a record."""
    record = records.read(text)
    proof = record.proof
    undone = [parse_takeback(each) for what, each in proof.items() if what.startswith("undone-")]
    answers = [(step.who, step.text) for step in record.steps if not step.digest]
    if record.scores is None or record.places is None:
        raise SaveError("the game isn't over: only finished games can be verified")
    course = _Course(answers, undone, record.scores, record.places, None, "")
    game = games[record.game]
    options = dict(records.start(game, record).options)
    if "round" not in proof:
        bare = Terms(game.id, record.rules_version, game.components_digest, options, (), NEW)
        replay = _replay(games, bare, course, None, seats=record.seats)
        if replay.rules is not None and replay.rules_wrong:
            return Verdict("wrong", (replay.rules,))
        missing = () if replay.rules is None else (replay.rules,)
        return Verdict("open", (Missing("form", "none"), *missing))
    file = _published_of_record(record, options)
    return _judge(file, _replay(games, file.terms, course, None), kept)


def _published_of_record(record: records.Record, options: dict[str, Any]) -> Published:
    """Return the published data of a record: its proof lines and its head."""
    proof, seats = record.proof, range(record.seats)
    number = int(proof["round"]) if proof["round"].isdecimal() and len(proof["round"]) < 10 else 0
    table, seed = proof.get("table", ""), proof.get("seed", "")
    tags = tuple(proof.get(f"seat-{seat}", "") for seat in seats)
    shared = _shared_of_record(proof["shared"]) if "shared" in proof else None
    terms = Terms(record.game, record.rules_version, proof.get("components", ""), options, tags, NEW, shared)
    offer = Offer(table, number, seed_digest(table, number, seed))
    seals = tuple(proof.get(f"seal-{seat}", "") for seat in seats)
    return Published(offer, terms, seals, seed, tuple(proof.get(f"share-{seat}", "") for seat in seats))


def _shared_of_record(text: str) -> SharedDraws:
    """Return the shared draws that a record names: id of the competition, round and hash."""
    parts = text.split(" ")
    if len(parts) != 3 or not parts[1].isdecimal() or len(parts[1]) > 9:
        raise SaveError(f"shared {text[:80]!r}: expected the id of a competition, a round and a hash")
    return SharedDraws(parts[0], int(parts[1]), parts[2])


def _judge(file: Published, replay: _Replay, kept: Sequence[Kept]) -> Verdict:
    """Return the verdict of a game against the joined files of one person's browsers."""
    facts = Facts(
        file.offer.table,
        file.terms.game,
        file.terms.options,
        tuple("person" if each.startswith("person ") else each for each in file.terms.seats),
        tuple("" if name is None else name.name for name in file.names),
        file.offer.round,
        file.terms.start == NEW,
    )
    shown = tuple({(each.terms, each.seat, each.share): each for one in kept for each in one.shown}.values())
    heard = sorted((one.record for one in kept if one.record is not None), key=lambda each: (each.lines, each.live))
    tables = {one.table for one in kept}
    try:
        if len(tables) > 1:
            raise ValueError(f"files of several tables: {', '.join(sorted(tables))[:200]}")
        joined = [Kept("atoll-kept-2", table, shown, each) for table in tables for each in heard or (None,)]
        found = [judge(file, replay.judged(), each) for each in joined or (None,)]
    except ValueError as error:
        raise SaveError(str(error)) from None
    # The longest record counts. A shorter one of the same person can only contradict.
    verdict = next((each for each in found if each.value == "wrong"), found[-1])
    return msgspec.structs.replace(verdict, facts=facts)


# -- replay ----------------------------------------------------------------------------------------


class _Course(msgspec.Struct):
    """The course of a game in a file.

    Attributes:
        answers: Seat (or `CHANCE`) and text of each answer that counts in the end.
        undone: The take-backs in order.
        totals: Total of each seat, as the file says.
        places: Place of each seat, as the file says.
        start: The save that the terms name, or None.
        seed: The server's seed, which the terms name the save with.
    """

    answers: list[tuple[int, str]]
    undone: list[Takeback]
    totals: list[int]
    places: list[int]
    start: dict[str, Any] | None
    seed: str


class _Replay(msgspec.Struct):
    """The result of a replay; see `Replay`.

    Attributes:
        told: The answers as they were told; None if neither file nor rules say to whom.
        draws: Pool and outcome of each chance event.
        rules: The contradiction with the rules, or the reason why they can't be applied, or None.
        rules_wrong: Whether `rules` is a contradiction.
        back: The contradiction of a take-back with the rules, or None.
    """

    told: Sequence[ToldAnswer] | None
    draws: list[tuple[list[int], int]]
    rules: Missing | None = None
    rules_wrong: bool = False
    back: Missing | None = None

    def judged(self) -> Replay:
        """Return the replay as the judge takes it."""
        told = () if self.told is None else self.told
        lines = None if self.told is None else partial(reader_lines, told)
        return Replay(self.draws, lines, partial(last_own_line, told), self.rules, self.rules_wrong, self.back)


def _open(reason: Literal["unknown", "mended"], detail: str = "") -> Missing:
    return Missing("rules", reason, {"detail": detail[:_SHOWN]})


def _wrong(detail: str) -> Missing:
    return Missing("rules", "wrong", {"detail": detail[: 2 * _SHOWN]})


def _replay(
    games: Mapping[str, Game],
    terms: Terms,
    course: _Course,
    by_file: Sequence[ToldAnswer] | None,
    seats: int | None = None,
) -> _Replay:
    """Replay a game by the rules that its terms name.

    Args:
        games: All games by id.
        terms: The terms.
        course: The course of the game.
        by_file: The answers as the file says that they were told; None if it doesn't say to whom.
        seats: Number of seats; None for those of the terms.

    Returns:
        The result; without the rules, the answers as the file says.
    """
    try:
        game = games[terms.game]
    except (AtollError, LookupError) as error:
        return _Replay(by_file, [], _open("unknown", str(error)))
    if (terms.rules, terms.components) != (game.rules_version, game.components_digest):
        return _Replay(by_file, [], _open("unknown", f"{game.id}, rules {terms.rules}"))
    if any(each.kind == "again" for each in course.undone):
        return _Replay(by_file, [], _open("mended"))
    try:
        begin = _beginning(game, terms, course, len(terms.seats) if seats is None else seats)
        begin()
    except (AtollError, ValueError) as error:
        return _Replay(by_file, [], _wrong(str(error)), rules_wrong=True)
    return _by_rules(game, begin, course)


def _beginning(game: Game, terms: Terms, course: _Course, seats: int) -> Callable[[], Position]:
    """Return a function that creates the first position; only the terms decide which one."""
    if terms.start == NEW:
        return partial(game.new, seats, terms.options)
    save = course.start
    if save is None or start_digest(course.seed, save) != terms.start:
        raise SaveError("the position that the game began with isn't that of the terms")
    position = game.load(save)
    if position.seats != seats or canonical(dict(position.options)) != canonical(terms.options):
        raise SaveError("the position that the game began with has other seats or options than the terms")
    return partial(game.load, save)


def _by_rules(game: Game, begin: Callable[[], Position], course: _Course) -> _Replay:
    """Replay the whole game, then everything that was taken back."""
    recorder = Recorder(game, begin())
    found = _Replay(recorder.entries, [])
    for length, (who, text) in enumerate(course.answers):
        try:
            choice = game.parse(text)
            if who == CHANCE and length >= len(recorder.entries):
                _note_draw(recorder.position, choice, found.draws)
            recorder.advance(length, who, choice)
        except AtollError as error:
            found.rules, found.rules_wrong = _wrong(f"{length + 1}: {text[:80]!r}: {error}"), True
            return found
    fault = _end_fault(recorder.position, course)
    if fault:
        found.rules, found.rules_wrong = _wrong(fault), True
    elif course.undone:
        try:
            found.told = told_by_rules(game, begin, course.answers, course.undone)
        except AtollError as error:
            found.back = Missing("back", "wrong", {"detail": str(error)[:_SHOWN]})
    return found


def _note_draw(position: Position, choice: int, draws: list[tuple[list[int], int]]) -> None:
    """Add the pool of the chance event that the rules request, and its recorded outcome."""
    ask = position.pending_chance
    if ask is not None and choice in ask.kind:
        pool = sorted(ask.pool) if isinstance(ask, Draw) else list(range(ask.kind.size))
        draws.append((pool, choice - ask.kind.first))


def _end_fault(position: Position, course: _Course) -> str:
    """Return how the end of a replay differs from the file, or ""."""
    if not position.over:
        return "the record ends before the game is over"
    for what, said, found in (
        ("totals", course.totals, position.scores()),
        ("places", course.places, position.ranking()),
    ):
        if said != list(found):
            return f"{what}: recorded {said}, found {found}"[:_SHOWN]
    return ""
