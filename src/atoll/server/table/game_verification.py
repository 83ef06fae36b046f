"""Verification of a complete game: its rules by replay, and its chance by its commitments.

The file of the game contains everything, so that the server where it was played isn't needed. The
file doesn't prove what the players saw during the game. A `BrowserRecord` can be compared for that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, Literal

import msgspec

from atoll.engine import CHANCE, AtollError, Draw, Game, Position, SaveError
from atoll.engine import record as records

from .fair_chance import FairChance, commitment, is_hex, public_lines, record_digest
from .takebacks import SavedAnswer, Takeback, parse_takeback, public_lines_with_takebacks, public_record

LONGEST: Final = 4 * 1024 * 1024
"""Largest number of characters of a file, far above the longest game."""
MOST_ANSWERS: Final = 10_000
"""Largest number of answers of a file, take-backs included; twelve times the longest games."""

State = Literal["right", "wrong", "open"]
"""Outcome of a check. With "open" nothing is wrong, but the check wasn't possible."""


class Finding(msgspec.Struct, frozen=True):
    """The result of one check.

    Attributes:
        key: Key of its message (`proof.<key>`).
        state: The outcome.
        fields: Values for the message.
    """

    key: str
    state: State
    fields: Mapping[str, Any] = msgspec.field(default_factory=dict)


class OwnShare(msgspec.Struct):
    """A share that a browser has made.

    Attributes:
        share: The share in hex.
        given: Whether the server has accepted its commitment.
        shown: Whether the server has accepted the share itself.
    """

    share: str
    given: bool = False
    shown: bool = False


class BrowserRecord(msgspec.Struct):
    """A browser's record of a table, as the browser saves it.

    Attributes:
        table: Id of the table.
        commitment: Commitment to the seed, as first seen.
        shares: The browser's shares, by seat.
        commitments: All commitments at the time when it revealed its share; None if it never did.
        rounds: Number of times it was asked for a new share after it had revealed one.
        lines: Number of lines of the public record that it has received.
        digest: Their running digest.
    """

    table: str
    commitment: str = ""
    shares: dict[str, OwnShare] = msgspec.field(default_factory=dict)
    commitments: list[str] | None = None
    rounds: int = 0
    lines: int = 0
    digest: str = ""


class _Listed(msgspec.Struct):
    """A chance event, as a saved game lists it."""

    index: int
    kind: str
    pool: list[int]
    outcome: int


class _Fairness(msgspec.Struct):
    """The data about chance of a saved game."""

    commitment: str
    contributions: list[str] | None
    seed: str | None
    draws: list[_Listed] | None
    commitments: list[str]


class _Head(msgspec.Struct):
    """The part of a saved game that identifies the game."""

    format: Literal["atoll-export-1"]
    game: str
    rules_version: int
    box: str


class _Export(_Head):
    """The parts of a saved game that are read; it has more."""

    table: str
    seats: list[str]
    options: dict[str, Any]
    status: str
    record: list[SavedAnswer]
    undone: list[Takeback]
    result: dict[str, Any]
    fairness: _Fairness
    start: dict[str, Any] | None


@dataclass(slots=True)
class ImportedGame:
    """A game from a file, not yet replayed.

    Attributes:
        game: The game.
        table: Id of its table.
        begin: Creates the first position, without a source of chance.
        steps: Answers and digests of positions; `line` counts from 1.
        names: Name per seat.
        fairness: Data about chance, or None if the file has none.
        result: Totals and places, as the file says.
        undone: The take-backs in order.
        position: A first position.
    """

    game: Game
    table: str
    begin: Callable[[], Position]
    steps: list[records.RecordLine]
    names: list[str]
    fairness: _Fairness | None = None
    result: dict[str, list[int] | None] = field(default_factory=dict)
    undone: list[Takeback] = field(default_factory=list)
    position: Position = field(init=False)

    def __post_init__(self) -> None:
        self.position = self.begin()


# -- reading ---------------------------------------------------------------------------------------


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


def read(games: Mapping[str, Game], text: str) -> ImportedGame:
    """Return a saved game, parsed: an export of a table, or a record.

    Args:
        games: All games by id.
        text: The text of the file.

    Raises:
        SaveError: If the file is too long, isn't a saved game, or is incomplete.
        AtollError: If the game is unknown or its options aren't valid.
    """
    if len(text) > LONGEST:
        raise SaveError(f"the file has {len(text):,} characters: expected at most {LONGEST:,}")
    count = count_answers(text)
    if count > MOST_ANSWERS:
        raise SaveError(f"the file has {count:,} answers: expected at most {MOST_ANSWERS:,}")
    return _from_export(games, text) if text.lstrip().startswith("{") else _from_record(games, text)


def _from_record(games: Mapping[str, Game], text: str) -> ImportedGame:
    record = records.read(text)
    game = games[record.game]
    begin = partial(records.start, game, record)
    seats = begin().seats
    proof = record.proof
    fairness = None
    if "commitment" in proof:
        shares = [proof.get(f"share-{seat}", "") for seat in range(seats)]
        fixed = [proof.get(f"commitment-{seat}", "") for seat in range(seats)]
        fairness = _Fairness(proof["commitment"], shares, proof.get("seed"), None, fixed)
    names = [f"Seat {seat + 1}" for seat in range(seats)]
    result = {"totals": record.scores, "places": record.places}
    undone = [parse_takeback(text) for what, text in proof.items() if what.startswith("undone-")]
    return ImportedGame(game, proof.get("table", ""), begin, record.steps, names, fairness, result, undone)


def _from_export(games: Mapping[str, Game], text: str) -> ImportedGame:
    try:
        head = msgspec.json.decode(text, type=_Head)
        game = games[head.game]
        game.check_made("file", head.box, head.rules_version)
        export = msgspec.json.decode(text, type=_Export)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise SaveError(f"the file isn't a saved game: {error}"[:300]) from None
    if export.status != "over":
        raise SaveError(f"the game is {export.status}: only finished games can be verified")
    if export.start is not None:
        begin = partial(game.load, export.start)
    else:
        begin = partial(game.new, len(export.seats), export.options)
    seats = begin().seats
    if seats != len(export.seats):
        raise SaveError(f"the file has {len(export.seats)} seats: expected {seats}")
    steps = []
    for number, each in enumerate(export.record, 1):
        if each.choice is None:
            raise SaveError(f"answer {number} is hidden: expected a file that was saved after the end")
        steps.append(records.RecordLine(number, CHANCE if each.seat is None else each.seat, each.choice))
    fairness = export.fairness if export.fairness.commitment else None
    return ImportedGame(game, export.table, begin, steps, export.seats, fairness, export.result, export.undone)


def read_browser_record(text: str) -> BrowserRecord:
    """Return the parsed file that a browser saves about a table.

    Args:
        text: The text of the file.

    Raises:
        SaveError: If the text isn't such a file.
    """
    try:
        return msgspec.json.decode(text[:LONGEST], type=BrowserRecord)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise SaveError(f"the text isn't a browser's record of a table: {error}"[:300]) from None


# -- checking --------------------------------------------------------------------------------------


def verify(played: ImportedGame, kept: BrowserRecord | None = None) -> list[Finding]:
    """Return all findings on a game.

    Args:
        played: The game.
        kept: The record of a player's browser, or None.
    """
    chance = _Chance(played)
    lines: list[str] = []
    rules = _check_rules(played, chance, lines)
    is_complete = rules.state == "right"
    findings = [
        rules,
        *_check_takebacks(played, lines, is_complete),
        *_check_commitments(played),
        chance.finding(is_complete),
        *chance.listed(is_complete),
    ]
    if kept is not None:
        findings += _check_browser_record(played, kept, lines)
    return findings


def overall_state(findings: Sequence[Finding]) -> State:
    """Return the overall outcome: "wrong" if anything is wrong, "open" if anything is open."""
    states = {each.state for each in findings}
    return "wrong" if "wrong" in states else "open" if "open" in states else "right"


def _named(played: ImportedGame, seats: Sequence[int]) -> dict[str, str]:
    return {"names": ", ".join(played.names[seat] for seat in seats)}


def _check_commitments(played: ImportedGame) -> list[Finding]:
    """Compare seed and shares with their commitments."""
    fairness = played.fairness
    if fairness is None:
        return [Finding("seed_open", "open")]
    if fairness.seed is None or not is_hex(fairness.seed) or commitment(fairness.seed) != fairness.commitment:
        findings = [Finding("seed_wrong", "wrong")]
    else:
        findings = [Finding("seed_right", "right")]
    shares, fixed = _shares(played)
    seats = range(played.position.seats)
    wrong = [seat for seat in seats if fixed[seat] and shares[seat] and not _fits(shares[seat], fixed[seat])]
    loose = [seat for seat in seats if shares[seat] and not fixed[seat]]
    withheld = [seat for seat in seats if fixed[seat] and not shares[seat]]
    if wrong:
        findings.append(Finding("shares_wrong", "wrong", _named(played, wrong)))
    elif loose:
        findings.append(Finding("shares_loose", "open", _named(played, loose)))
    elif any(shares):
        findings.append(Finding("shares_right", "right", _named(played, [seat for seat in seats if shares[seat]])))
    else:
        findings.append(Finding("shares_none", "open"))
    if withheld:
        findings.append(Finding("shares_withheld", "open", _named(played, withheld)))
    return findings


def _shares(played: ImportedGame) -> tuple[list[str], list[str]]:
    """Return the share and the commitment of each seat, "" for missing ones."""
    fairness, seats = played.fairness, played.position.seats
    if fairness is None:
        return [""] * seats, [""] * seats
    shares = (fairness.contributions or [])[:seats]
    fixed = fairness.commitments[:seats]
    return shares + [""] * (seats - len(shares)), fixed + [""] * (seats - len(fixed))


def _fits(share: str, fixed: str) -> bool:
    return is_hex(share) and commitment(share) == fixed


class _Chance:
    """Compares the outcomes of a replay with the key's numbers and with the list in the file."""

    def __init__(self, played: ImportedGame) -> None:
        fairness = played.fairness
        self._game: Game = played.game
        self._draws: list[_Listed] | None = None if fairness is None else fairness.draws
        self._source: FairChance | None = None
        if fairness is not None and fairness.seed is not None and is_hex(fairness.seed):
            self._source = FairChance(fairness.seed, played.table, _shares(played)[0])
        self._count: int = 0
        self._wrong: Finding | None = None
        self._list_wrong: Finding | None = None

    def see(self, position: Position, choice: int) -> None:
        """Compare a recorded outcome with the outcome that is due, if the rules request one."""
        ask = position.pending_chance
        if ask is None or choice not in ask.kind:
            return
        pool = sorted(ask.pool) if isinstance(ask, Draw) else list(range(ask.kind.size))
        outcome = choice - ask.kind.first
        self._count += 1
        fields = {"number": self._count, "kind": ask.kind.name}
        if self._source is not None and self._wrong is None:
            due = pool[self._source.pick(position.chance_count, len(pool))]
            if due != outcome:
                texts = {"found": self._game.text(choice), "due": self._game.text(ask.kind.first + due)}
                self._wrong = Finding("draws_due", "wrong", fields | texts)
        if self._draws is not None and self._list_wrong is None:
            listed = self._draws[self._count - 1] if self._count <= len(self._draws) else None
            if listed is None or (listed.kind, listed.outcome, listed.pool) != (ask.kind.name, outcome, pool):
                self._list_wrong = Finding("pools_wrong", "wrong", fields)

    def finding(self, whole: bool) -> Finding:
        """Return the finding on the outcomes.

        Args:
            whole: Whether the whole game was replayed.
        """
        if self._wrong is not None:
            return self._wrong
        if self._source is None or not whole:
            return Finding("draws_open", "open", {"done": 0 if self._source is None else self._count})
        return Finding("draws_right", "right", {"all": self._count})

    def listed(self, whole: bool) -> list[Finding]:
        """Return the findings on the list of pools, if the file has one.

        Args:
            whole: Whether the whole game was replayed.
        """
        if self._draws is None:
            return []
        if self._list_wrong is not None:
            return [self._list_wrong]
        if whole and len(self._draws) > self._count:
            more = self._draws[self._count]
            return [Finding("pools_wrong", "wrong", {"number": self._count + 1, "kind": more.kind})]
        if not whole:
            return [Finding("pools_open", "open", {"done": self._count})]
        return [Finding("pools_right", "right", {"all": self._count})]


def _check_rules(played: ImportedGame, chance: _Chance, lines: list[str]) -> Finding:
    """Replay the whole game by the rules, and add its public record to `lines`."""
    position = played.position
    assert position.record is not None
    index = 0
    for step in played.steps:
        if step.digest:
            if position.digest() != step.digest:
                return _rules_wrong(f"line {step.line}: the table isn't as recorded there")
            continue
        try:
            choice = played.game.parse(step.text)
            if step.who == CHANCE and index >= len(position.record):
                chance.see(position, choice)
            records.advance(position, index, step.who, choice)
        except AtollError as error:
            return _rules_wrong(f"{step.line}: {step.text[:80]!r}: {error}")
        index += 1
    lines.extend(public_lines(public_record(played.game, position.record)))
    if not position.over:
        return _rules_wrong("the record ends before the game is over")
    for what, found in (("totals", position.scores()), ("places", position.ranking())):
        if played.result.get(what) not in (None, found):
            return _rules_wrong(f"{what}: recorded {played.result[what]}, found {found}"[:200])
    return Finding("rules_right", "right", {"answers": index})


def _check_takebacks(played: ImportedGame, lines: list[str], whole: bool) -> list[Finding]:
    """Check the take-backs by the rules, and update `lines` to the public record with them.

    Args:
        played: The game.
        lines: The public record without take-backs; changed in place.
        whole: Whether the whole game was replayed.

    Returns:
        One finding, or none if nothing was taken back.
    """
    if not played.undone:
        return []
    if not whole:
        return [Finding("undone_open", "open")]
    answers = [(step.who, step.text) for step in played.steps if not step.digest]
    try:
        lines[:] = public_lines_with_takebacks(played.game, played.begin, answers, played.undone)
    except AtollError as error:
        return [Finding("undone_wrong", "wrong", {"detail": str(error)})]
    return [Finding("undone_right", "right", {"times": len(played.undone)})]


def _rules_wrong(detail: str) -> Finding:
    return Finding("rules_wrong", "wrong", {"detail": detail[:400]})


# -- browser records -------------------------------------------------------------------------------


def _check_browser_record(played: ImportedGame, kept: BrowserRecord, lines: Sequence[str]) -> list[Finding]:
    """Compare a browser's record with the file."""
    if kept.table != played.table:
        return [Finding("kept_other", "wrong", {"kept": kept.table[:40], "table": played.table[:40]})]
    seed_commitment = "" if played.fairness is None else played.fairness.commitment
    findings = [
        _same("kept_commitment", kept.commitment, seed_commitment) if kept.commitment else _missing("kept_commitment")
    ]
    findings += _own_shares(played, kept)
    if kept.commitments is None:
        findings.append(_missing("kept_commitments"))
    else:
        findings.append(_same("kept_commitments", kept.commitments, _shares(played)[1]))
    if kept.rounds:
        findings.append(Finding("kept_rounds_open", "open", {"times": kept.rounds}))
    if not kept.lines:
        findings.append(_missing("kept_record"))
    else:
        digest = record_digest(played.table, lines[: kept.lines])
        same = kept.lines <= len(lines) and digest == kept.digest
        findings.append(
            Finding(
                "kept_record_right" if same else "kept_record_wrong",
                "right" if same else "wrong",
                {"lines": kept.lines, "all": len(lines)},
            )
        )
    return findings


def _same(key: str, kept: Any, said: Any) -> Finding:
    return Finding(f"{key}_right", "right") if kept == said else Finding(f"{key}_wrong", "wrong")


def _missing(key: str) -> Finding:
    return Finding(f"{key}_open", "open")


def _own_shares(played: ImportedGame, kept: BrowserRecord) -> list[Finding]:
    shares, _ = _shares(played)
    states: dict[str, list[int]] = {"right": [], "wrong": [], "left_out": [], "unshown": []}
    for seat in range(played.position.seats):
        own = kept.shares.get(str(seat))
        if own is None or not own.given:
            continue
        if shares[seat]:
            states["right" if shares[seat] == own.share else "wrong"].append(seat)
        else:
            states["left_out" if own.shown else "unshown"].append(seat)
    judged: dict[str, State] = {"right": "right", "wrong": "wrong", "left_out": "wrong", "unshown": "open"}
    found = [
        Finding(f"kept_share_{state}", judged[state], _named(played, seats)) for state, seats in states.items() if seats
    ]
    return found or [_missing("kept_share")]
