"""The verdict on the chance of a finished game: proven, open or wrong.

`judge` compares published data with the data that a player's browsers have stored. It needs no
rules: its caller replays the game. `chance_check.js` is the same for browsers.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import msgspec

from ..domain.draw import seed_hash
from ..domain.model import Offer, SeatName, Terms
from .chance_protocol import (
    NEW,
    chance_under,
    head_of,
    is_hex,
    name_tag,
    offer_digest,
    seal_of,
    seed_digest,
    terms_digest,
)

KEPT_FORMAT: Final = "atoll-kept-2"
"""Format of the file that a browser saves about a table."""
EVIDENCE: Final = (*("form", "seed", "seals", "rules", "draws", "back", "start", "terms", "share", "record", "starts"),)
"""All evidence that "proven" needs, in the order in which it is judged."""

Value = Literal["proven", "open", "wrong"]
"""A verdict."""


class Missing(msgspec.Struct, frozen=True):
    """Evidence that doesn't hold: missing if the verdict is open, contradicted if it is wrong.

    Attributes:
        evidence: Name of the evidence; see `EVIDENCE`.
        reason: Key of its message: `verdict.<evidence>.<reason>`.
        fields: Values for the message.
    """

    evidence: str
    reason: str
    fields: Mapping[str, Any] = msgspec.field(default_factory=dict)


class Facts(msgspec.Struct, frozen=True):
    """The facts that the terms fix, for display next to a verdict.

    Attributes:
        table: Id of the table.
        game: Id of the game.
        options: Resolved options.
        seats: Per seat, "person", "same <seat>" or "bot <level>".
        names: Name per seat; "" if it isn't known.
        round: Number of the round that counted, from 1.
        new: Whether the game began with its setup.
    """

    table: str
    game: str
    options: Mapping[str, Any]
    seats: tuple[str, ...]
    names: tuple[str, ...]
    round: int
    new: bool


class Verdict(msgspec.Struct, frozen=True):
    """The verdict on a game.

    Attributes:
        value: "proven", "open" or "wrong".
        missing: The first contradiction if the verdict is wrong, everything missing if it is open.
        facts: The facts that were fixed; None if the file names none.
    """

    value: Value
    missing: tuple[Missing, ...] = ()
    facts: Facts | None = None

    @property
    def names(self) -> list[str]:
        """Names of the evidence that doesn't hold."""
        return [each.evidence for each in self.missing]


# -- the data to compare ---------------------------------------------------------------------------


class Published(msgspec.Struct, frozen=True):
    """The published data of a finished game that its chance is judged by.

    Attributes:
        offer: The offer of the round that counted.
        terms: Its terms.
        seals: Seal of each seat, or "".
        seed: The server's seed.
        shares: Share of each seat, or "".
        names: Name and salt of each seat; None for seats without a tag, and deleted accounts.
    """

    offer: Offer
    terms: Terms
    seals: tuple[str, ...]
    seed: str
    shares: tuple[str, ...]
    names: tuple[SeatName | None, ...] = ()


class Shown(msgspec.Struct, frozen=True):
    """A share that a browser has sent.

    Attributes:
        offer: Digest of the offer.
        terms: Digest of the terms.
        seat: The seat that gave it.
        share: The share.
    """

    offer: str
    terms: str
    seat: int
    share: str


class Heard(msgspec.Struct, frozen=True):
    """The part of the record that a browser has received.

    Attributes:
        terms: Digest of the terms under which the game began, as the browser was told.
        lines: Number of lines.
        live: How many of them it received before it was told that the game is over.
        head: Head of the lines.
        seats: The seats that the record was written for; None for those of the share.
    """

    terms: str
    lines: int
    live: int
    head: str
    seats: tuple[int, ...] | None = None


class Kept(msgspec.Struct, frozen=True):
    """Everything that a browser has stored about a table.

    Attributes:
        format: Format of the file.
        table: Id of the table.
        shown: Shares that it has sent.
        record: The record that it has received, or None.
    """

    format: Literal["atoll-kept-2"]
    table: str
    shown: tuple[Shown, ...]
    record: Heard | None


@dataclass(frozen=True)
class Replay:
    """The course of a game, as a judge has replayed it or as the file says.

    Attributes:
        draws: Pool and outcome of each chance event, in order.
        lines: Returns the lines of the record for a reader with some seats; None if neither the
            file nor the rules say who learned which answer.
        last_own: Returns how many lines for such a reader there are up to the last answer of some
            seats.
        rules: The contradiction with the rules, or the reason why they can't be applied; None if
            the game is as the rules say.
        rules_wrong: Whether `rules` is a contradiction.
        back: The contradiction of a take-back with the rules, or None.
    """

    draws: Sequence[tuple[Sequence[Any], Any]]
    lines: Callable[[Collection[int]], Sequence[str]] | None
    last_own: Callable[[Collection[int], Collection[int]], int]
    rules: Missing | None = None
    rules_wrong: bool = False
    back: Missing | None = None


# -- the judgment ----------------------------------------------------------------------------------


def judge(file: Published, replay: Replay, kept: Kept | None) -> Verdict:
    """Return the verdict on the chance of a finished game.

    Args:
        file: The published data.
        replay: The course of the game.
        kept: Everything that one party's browser has stored, or None.

    Raises:
        ValueError: If `kept` belongs to another table. That is a mistake of the caller, no verdict.
    """
    if kept is not None and kept.table != file.offer.table:
        raise ValueError(f"the browser's file belongs to table {kept.table[:40]!r}, not {file.offer.table[:40]!r}")
    try:
        offer = offer_digest(file.offer)
        terms = terms_digest(offer, file.terms, file.seals)
    except (ValueError, IndexError) as error:
        return Verdict("wrong", (Missing("form", "wrong", {"detail": str(error)[:200]}),))
    wrong = _published(file, offer) or _played(file, replay, terms)
    if wrong is not None:
        return Verdict("wrong", (wrong,))
    missing = [] if replay.rules is None else [replay.rules]
    if file.terms.start != NEW:
        missing.append(Missing("start", "open"))
    if file.terms.shared is not None:
        missing.append(Missing("share", "shared"))
    if kept is None or not (kept.shown or kept.record):
        return Verdict("open", (*missing, Missing("terms", "nothing")))
    wrong, more = _compared(file, replay, kept, offer, terms)
    if wrong is not None:
        return Verdict("wrong", (wrong,))
    missing += more
    return Verdict("open", tuple(missing)) if missing else Verdict("proven")


def _published(file: Published, offer: str) -> Missing | None:
    """Return the first contradiction within the published data."""
    seats = file.terms.seats
    if len(file.shares) != len(seats) or not is_hex(file.seed) or not _names_fit(file):
        return Missing("form", "wrong", {"detail": "seed, shares or names"})
    if seed_digest(file.offer.table, file.offer.round, file.seed) != file.offer.seed:
        return Missing("seed", "wrong")
    if file.terms.shared is not None and seed_hash(file.seed) != file.terms.shared.seed_hash:
        return Missing("seed", "season")
    for seat, (share, seal) in enumerate(zip(file.shares, file.seals, strict=True)):
        if seal and not seats[seat].startswith("person "):
            return Missing("seals", "wrong", {"number": seat + 1})
        fits = bool(share) == bool(seal)
        if not fits or (share and (not is_hex(share) or seal_of(offer, seat, share) != seal)):
            return Missing("seals", "wrong", {"number": seat + 1})
    return None


def _names_fit(file: Published) -> bool:
    """Return whether the published names are those of the tags."""
    if file.names and len(file.names) != len(file.terms.seats):
        return False
    return all(
        name is None or tag == f"person {name_tag(name.salt, name.name)}"
        for name, tag in zip(file.names, file.terms.seats, strict=False)
    )


def _played(file: Published, replay: Replay, terms: str) -> Missing | None:
    """Return the first contradiction between the course of the game and its key."""
    if replay.rules is not None and replay.rules_wrong:
        return replay.rules
    chance = chance_under(terms, file.terms, file.seed, file.shares)
    for index, (pool, outcome) in enumerate(replay.draws):
        if not pool or list(pool) != sorted(pool) or pool[chance.pick(index, len(pool))] != outcome:
            return Missing("draws", "wrong", {"number": index + 1})
    return replay.back


def _compared(
    file: Published, replay: Replay, kept: Kept, offer: str, terms: str
) -> tuple[Missing | None, list[Missing]]:
    """Compare the published data with a browser's.

    Args:
        file: The published data.
        replay: The course of the game.
        kept: Everything that the browser has stored.
        offer: Digest of the offer.
        terms: Digest of the terms.

    Returns:
        The first contradiction or None, and everything missing.
    """
    starts = {each.terms for each in kept.shown}
    if len({each.offer for each in kept.shown}) < len(starts):
        return Missing("share", "twice"), []
    mine = [each for each in kept.shown if each.terms == terms]
    others = [each for each in kept.shown if each.terms != terms]
    heard = kept.record or Heard(terms, 0, 0, head_of(terms, []))
    again = any(
        each.offer == offer or (0 <= each.seat < len(file.shares) and file.shares[each.seat] == each.share)
        for each in others
    )
    if heard.terms != terms or again:
        return Missing("terms", "wrong"), []
    missing = []
    if not mine and file.terms.shared is None:
        missing.append(Missing("terms", "open"))
    if any(not 0 <= each.seat < len(file.shares) or file.shares[each.seat] != each.share for each in mine):
        return Missing("share", "wrong"), []
    record = _record(replay, heard, terms, _seats_of(file, mine))
    if record is not None and record.reason == "wrong":
        return record, []
    missing += [] if record is None else [record]
    starts.discard(terms)
    if starts:
        missing.append(Missing("starts", "more" if len(starts) > 1 else "one", {"n": len(starts)}))
    return None, missing


def _record(replay: Replay, heard: Heard, terms: str, seated: set[int]) -> Missing | None:
    """Return how the record differs from the lines that a browser heard, or None.

    Args:
        replay: The course of the game.
        heard: The part of the record that the browser has received.
        terms: Digest of the terms.
        seated: The seats that the browser's share stands for.
    """
    if replay.lines is None:
        return Missing("record", "unknown")
    reader = seated if heard.seats is None else set(heard.seats)
    lines = replay.lines(reader)
    if heard.lines > len(lines) or head_of(terms, lines[: heard.lines]) != heard.head:
        return Missing("record", "wrong", {"lines": heard.lines, "all": len(lines)})
    if heard.lines < len(lines) or heard.live < replay.last_own(reader, seated) or not seated <= reader:
        return Missing("record", "open", {"lines": heard.live, "all": len(lines)})
    return None


def _seats_of(file: Published, mine: Sequence[Shown]) -> set[int]:
    """Return the seats that shares stand for: their own, and further ones of the same persons."""
    own = {each.seat for each in mine}
    same = {f"same {seat}" for seat in own}
    return own | {seat for seat, each in enumerate(file.terms.seats) if each in same}
