"""The part of browsers in the chance of a table, for tests and benchmarks without browsers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from atoll.server.domain.model import Offer, Terms
from atoll.server.play import TableServices
from atoll.server.play.users import user_of
from atoll.server.table import chance_rounds
from atoll.server.table.chance_protocol import offer_digest, seal_of, share_of, terms_digest
from atoll.server.table.chance_source import digest_of_terms

SECRET: Final = "ab" * 32
"""The secret of all browsers."""


def seal_body(chance: Mapping[str, Any], seat: int, secret: str = SECRET) -> dict[str, str]:
    """Return the body of the request that seals a seat's share.

    Args:
        chance: The `chance` of the table, as the API returns it.
        seat: The seat.
        secret: Secret of the browser, in hex.
    """
    offer = offer_digest(msgspec.convert(chance["offer"], Offer))
    return {"offer": offer, "seal": seal_of(offer, seat, share_of(secret, offer, seat))}


def share_body(chance: Mapping[str, Any], seat: int, secret: str = SECRET) -> dict[str, str]:
    """Return the body of the request that shows a seat's share.

    Args:
        chance: The `chance` of the table, as the API returns it, with terms.
        seat: The seat.
        secret: Secret of the browser, in hex.
    """
    offer = offer_digest(msgspec.convert(chance["offer"], Offer))
    terms = terms_digest(offer, msgspec.convert(chance["terms"], Terms), chance["seals"])
    return {"terms": terms, "share": share_of(secret, offer, seat)}


async def give_seals(tables: TableServices, table: str, *seats: int) -> None:
    """Seal the missing shares of persons at a table.

    Args:
        tables: The services.
        table: Id of the table.
        *seats: Seats of the persons; none for all.
    """
    await _give_missing(tables, table, seats, show=False)


async def give_shares(tables: TableServices, table: str, *seats: int) -> None:
    """Seal and show the missing shares of persons at a table.

    The game of a full table begins when all of them are shown.

    Args:
        tables: The services.
        table: Id of the table.
        *seats: Seats of the persons; none for all.
    """
    await _give_missing(tables, table, seats, show=False)
    await _give_missing(tables, table, seats, show=True)


async def _give_missing(tables: TableServices, table: str, seats: tuple[int, ...], *, show: bool) -> None:
    """Give all missing seals, or show all missing shares, of these seats."""
    async with tables.executor.locked(table) as live:
        state = chance_rounds.state_of(live)
        if state is None or (state.terms is not None) != show:
            return
        terms = digest_of_terms(live.row)
        people = {seat: live.seats[seat].user_id for seat in state.missing if not seats or seat in seats}
    offer = offer_digest(state.offer)
    for seat, user_id in people.items():
        row = await tables.store.user(user_id or "")
        assert row is not None
        share = share_of(SECRET, offer, seat)
        if show:
            await tables.table_setup.show(user_of(row), table, seat, terms, share)
        else:
            await tables.table_setup.seal(user_of(row), table, seat, offer, seal_of(offer, seat, share))
