"""The protocol of verifiable chance: digests, shares, the key of a table, and its draws.

Everything that decides chance is bound by the terms before any browser shows its share. The pages
`chance_protocol.js` and `chance_check.js` have the same functions for browsers, and both are held
by the same vectors. The documentation explains the protocol on the page about fair chance.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import secrets
from collections.abc import Iterable, Sequence
from typing import Any, Final

from ..domain.model import Offer, SharedDraws, Terms

PROTOCOL: Final = "atoll-chance-2"
"""Name of the protocol. Each digest begins with it."""
NEW: Final = "new"
"""The start of a game that begins with its setup."""

_NONE: Final = "-"
_RANGE: Final = 1 << 256
_LARGEST: Final = 1 << 53
_MOST_SEATS: Final = 10
_HEX: Final = re.compile(r"[0-9a-f]{64}")
_WORD: Final = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_SEAT: Final = re.compile(r"person [0-9a-f]{64}|same [0-9]|bot [A-Za-z0-9_.-]{1,64}")


def new_secret() -> str:
    """Return 256 random bits in hex, for seeds, shares and salts."""
    return secrets.token_hex(32)


def is_hex(text: str) -> bool:
    """Return whether a text has the form of digests, seeds and shares: 64 lower-case hex digits."""
    return _HEX.fullmatch(text) is not None


# -- digests ---------------------------------------------------------------------------------------


def digest(what: str, *lines: str) -> str:
    """Return the SHA-256 of the line "atoll-chance-2 <what>" and the other lines, in hex."""
    return hashlib.sha256("\n".join((f"{PROTOCOL} {what}", *lines)).encode()).hexdigest()


def canonical(value: Any) -> str:
    """Return data as JSON text, in the only form that the protocol allows.

    Args:
        value: Texts, ints below 2^53, booleans, None, lists, and dicts with ASCII names.

    Raises:
        ValueError: If the data contains anything else.
    """
    _require_plain(value)
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def _require_plain(value: Any) -> None:
    """Refuse data that has no canonical form."""
    if value is None or isinstance(value, bool):
        return
    if isinstance(value, int):
        if abs(value) >= _LARGEST:
            raise ValueError(f"invalid number {value}: expected less than 2^53")
    elif isinstance(value, str):
        value.encode()  # a lone surrogate raises
    elif isinstance(value, list | tuple):
        for each in value:
            _require_plain(each)
    elif isinstance(value, dict):
        for name, each in value.items():
            if not isinstance(name, str) or not name.isascii():
                raise ValueError(f"invalid name {name!r}: expected ASCII")
            _require_plain(each)
    else:
        raise ValueError(f"invalid value {value!r}: expected plain data without fractions")


def start_digest(seed: str, save: Any) -> str:
    """Return the digest that the terms name a save by.

    The seed is secret until the end. Without it, hidden cards could be guessed from the digest.

    Args:
        seed: The server's seed, in hex.
        save: The save.
    """
    return digest("start", seed, canonical(save))


def name_tag(salt: str, name: str) -> str:
    """Return the tag of a player's name, which tells nothing once the salt is deleted."""
    return digest("name", salt, name)


def seed_digest(table: str, number: int, seed: str) -> str:
    """Return the digest that fixes the server's seed of a round.

    Args:
        table: Id of the table in the protocol.
        number: Number of the round.
        seed: The seed, in hex.
    """
    return digest("seed", table, str(number), seed)


def offer_digest(offer: Offer) -> str:
    """Return the digest of an offer, which seals are given to.

    Args:
        offer: The offer.

    Raises:
        ValueError: If a field has another form.
    """
    if not _WORD.fullmatch(offer.table) or not is_hex(offer.seed):
        raise ValueError("invalid offer: expected the id of a table and a digest of 64 hex digits")
    return digest("offer", f"table {offer.table}", f"round {_count(offer.round)}", f"seed {offer.seed}")


def terms_lines(offer: str, terms: Terms, seals: Sequence[str]) -> list[str]:
    """Return the lines of terms that their digest is computed from.

    Args:
        offer: Digest of the offer.
        terms: The terms.
        seals: Seal of each seat, or "".

    Raises:
        ValueError: If a field has another form.
    """
    seats = terms.seats
    if not _WORD.fullmatch(terms.game) or not is_hex(terms.components):
        raise ValueError("invalid game or components: expected a word and a digest of 64 hex digits")
    if terms.start != NEW and not is_hex(terms.start):
        raise ValueError("invalid start: expected `new` or the digest of a save")
    if not 1 <= len(seats) <= _MOST_SEATS or not all(_SEAT.fullmatch(each) for each in seats):
        raise ValueError("invalid seats: expected 1 to 10 of `person TAG`, `same SEAT` or `bot LEVEL`")
    if not all(seats[int(each[5:])].startswith("person ") for each in seats if each.startswith("same ")):
        raise ValueError("invalid seats: expected `same` with the seat of a person")
    if len(seals) != len(seats) or not all(not each or is_hex(each) for each in seals):
        raise ValueError("invalid seals: expected a digest or nothing for each seat")
    if terms.shared is not None and any(seals):
        raise ValueError("invalid seals: expected none for shared draws")
    return [
        f"offer {offer}",
        f"game {terms.game}",
        f"rules {_count(terms.rules)}",
        f"components {terms.components}",
        f"options {canonical(terms.options)}",
        f"seats {len(seats)}",
        *(f"seat {number} {each}" for number, each in enumerate(seats)),
        f"start {terms.start}",
        _draws_line(terms.shared),
        "back no-chance no-reveal",
        *(f"seal {seat} {each or _NONE}" for seat, each in enumerate(seals)),
    ]


def _draws_line(shared: SharedDraws | None) -> str:
    """Return the line of terms that says how numbers become draws."""
    if shared is None:
        return "draws hmac-sha256 from 0"
    if not _WORD.fullmatch(shared.competition) or not is_hex(shared.seed_hash):
        raise ValueError("invalid shared draws: expected the id of a competition and a digest of 64 hex digits")
    round, first = _count(shared.round), _count(shared.first)
    return f"draws hmac-sha256 from {first} shared {shared.competition} {round} {shared.seed_hash}"


def terms_digest(offer: str, terms: Terms, seals: Sequence[str]) -> str:
    """Return the digest of the terms: it binds everything that decides chance.

    Args:
        offer: Digest of the offer.
        terms: The terms.
        seals: Seal of each seat, or "".

    Raises:
        ValueError: If a field has another form.
        IndexError: If a seat is the same as one that doesn't exist.
    """
    return digest("terms", *terms_lines(offer, terms, seals))


def _count(number: int) -> int:
    if type(number) is not int or not 0 <= number < _LARGEST:
        raise ValueError(f"invalid number {number!r}: expected an int of at least 0")
    return number


def share_of(secret: str, offer: str, seat: int) -> str:
    """Return a browser's share: the same in every tab, and another one for every other offer.

    Args:
        secret: Secret of the browser, in hex.
        offer: Digest of the offer.
        seat: The seat that gives the share.
    """
    return hmac.digest(bytes.fromhex(secret), f"{PROTOCOL} share\n{offer}\n{seat}".encode(), "sha256").hex()


def seal_of(offer: str, seat: int, share: str) -> str:
    """Return the seal of a share, which fixes it before it is shown.

    Args:
        offer: Digest of the offer.
        seat: The seat that gives the share.
        share: The share, in hex.
    """
    return digest("seal", offer, str(seat), share)


# -- draws -----------------------------------------------------------------------------------------


def key_of(terms: str, seed: str, shares: Iterable[str]) -> str:
    """Return the key of a table: HKDF-Extract (RFC 5869) of seed and shares, salted with the terms.

    Args:
        terms: Digest of the terms.
        seed: The server's seed, in hex.
        shares: Share of each seat in hex, or "".
    """
    return hmac.digest(bytes.fromhex(terms), bytes.fromhex(seed + "".join(shares)), "sha256").hex()


def shared_key(seed: str, shared: SharedDraws) -> str:
    """Return the key of a round of a solo league, which is the same at all tables.

    Args:
        seed: The season's seed, in hex.
        shared: The draws.
    """
    message = f"{PROTOCOL} shared\n{shared.competition}\n{shared.round}".encode()
    return hmac.digest(bytes.fromhex(seed), message, "sha256").hex()


class KeyedChance:
    """The draws of a table.

    The number of try k at chance event n is HMAC-SHA-256(key, "atoll-chance-2 draw", n, k). The
    first one below the largest multiple of the number of outcomes counts.

    Args:
        key: Key of the table, in hex.
        first: Number of the first draw.
    """

    __slots__ = ("_first", "_key")

    def __init__(self, key: str, first: int = 0) -> None:
        self._key: bytes = bytes.fromhex(key)
        self._first: int = first

    def pick(self, index: int, size: int) -> int:
        """Return a uniformly distributed number from 0 to `size - 1` for chance event `index`."""
        return self.pick_with_tries(index, size)[0]

    def pick_with_tries(self, index: int, size: int) -> tuple[int, int]:
        """Return the number of `pick`, and the number of tries that were passed over."""
        limit = _RANGE - _RANGE % size
        attempt = 0
        while (number := self._number(index, attempt)) >= limit:
            attempt += 1
        return number % size, attempt

    def _number(self, index: int, attempt: int) -> int:
        message = f"{PROTOCOL} draw\n{self._first + index}\n{attempt}".encode()
        return int.from_bytes(hmac.digest(self._key, message, "sha256"), "big")


def chance_under(digest: str, terms: Terms, seed: str, shares: Iterable[str]) -> KeyedChance:
    """Return the draws of a game.

    Args:
        digest: Digest of the terms.
        terms: The terms.
        seed: The server's seed, in hex.
        shares: Share of each seat in hex, or "".
    """
    if terms.shared is not None:
        return KeyedChance(shared_key(seed, terms.shared), terms.shared.first)
    return KeyedChance(key_of(digest, seed, shares))


# -- the record ------------------------------------------------------------------------------------


def head_of(terms: str, lines: Iterable[str], head: str = "") -> str:
    """Return the head of a record: a running digest that begins with the digest of the terms.

    Args:
        terms: Digest of the terms.
        lines: Further lines.
        head: Head of the lines before; "" at the beginning.
    """
    head = head or digest("record", terms)
    for line in lines:
        head = digest("line", head, line)
    return head


def record_lines(answers: Iterable[tuple[int, str | None]], last: str = "") -> list[str]:
    """Return the lines of a record for some answers.

    A line is an answer as it is written in records. An answer that the reader doesn't learn is a
    `?`. Several of these by one seat in a row are one line, so that nobody can count them.

    Args:
        answers: The seat (-1 for chance) and text of each answer; None instead of a secret text.
        last: The line before, or "".
    """
    found: list[str] = []
    for who, text in answers:
        line = ("" if who < 0 else f"p{who} ") + (text or "?")
        if text is not None or line != last:
            found.append(line)
        last = line
    return found
