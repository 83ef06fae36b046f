"""The source of chance of a running game: its terms, seed and shares."""

from __future__ import annotations

import msgspec

from atoll.store import SeatRow, TableRow

from ..domain.model import Offer, Terms
from .chance_protocol import KeyedChance, chance_under, offer_digest, seed_digest, terms_digest


def digest_of_terms(row: TableRow) -> str:
    """Return the digest of a table's terms; "" if its list of seals isn't closed."""
    if row.terms is None:
        return ""
    offer = Offer(row.chance, row.round, seed_digest(row.chance, row.round, row.seed))
    return terms_digest(offer_digest(offer), msgspec.convert(row.terms["terms"], Terms), row.terms["seals"])


def chance_of(row: TableRow, seats: list[SeatRow]) -> KeyedChance:
    """Return the draws of a game that has begun."""
    assert row.terms is not None
    terms = msgspec.convert(row.terms["terms"], Terms)
    return chance_under(digest_of_terms(row), terms, row.seed, [seat.share or "" for seat in seats])
