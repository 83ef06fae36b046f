"""Export of games from a database, and import of finished games, as records."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence

from atoll.engine import Game, SaveError
from atoll.engine import record as records
from atoll.store import SeatRow, Store, TableRow, TakebackRow, UserRow

from ..domain import names as called
from ..domain import sanitize, wall_clock
from ..domain.model import Refused
from ..table import chance_rounds, lifecycle
from ..table.live_table import LiveTable
from ..table.takebacks import takeback_text

IMPORTER = "import"
"""Id of the user that hosts imported tables. Nobody can sign in as this user."""


async def export_game(url: str, table: str, games: Mapping[str, Game], *, running: bool = False) -> str:
    """Return the record of a table's game, including all hidden information.

    Args:
        url: Address of the database.
        table: Id of the table.
        games: All games by id.
        running: Whether the game, or the season of its solo league, may still be running.

    Raises:
        StoreError: If the database can't be used.
        SaveError: If the table doesn't exist, or there is nothing to export.
        UnknownGame: If its game isn't installed.
    """
    store = await Store.open(url)
    try:
        found = await store.table(table)
        if found is None:
            raise SaveError(f"table {table[:40]!r} isn't in this database")
        row, seats = found
        if row.position is None:
            raise SaveError(f"table {table}: the game hasn't started")
        if row.status != "over" and not running:
            raise SaveError(
                f"table {table}: the game is {row.status}, and its record contains all secrets; use --running"
            )
        if row.status == "over" and not running and not chance_rounds.is_seed_public(row):
            raise SaveError(
                f"table {table}: others still play with the same draws, and its record contains the seed; use --running"
            )
        if row.start is not None:
            raise SaveError(f"table {table}: the game began at a later moment of another one, so it has no record")
        position = games[row.game].new(len(seats), row.options)
        for index, each in enumerate(await store.choices(table)):
            records.advance(position, index, each.seat, each.choice)
        proof = None
        if row.status == "over" and row.terms is not None:
            proof = _proof(row, seats) | _undone(await store.undone(table), games[row.game])
        return records.write(position, proof=proof)
    finally:
        await store.close()


def _proof(row: TableRow, seats: Sequence[SeatRow]) -> dict[str, str]:
    """Return the entries of a record that its chance is verified by, next to its head."""
    terms = chance_rounds.terms_of(row)
    assert terms is not None
    found = {"table": row.chance, "round": str(row.round), "components": terms.components, "seed": row.seed}
    if terms.shared is not None:
        shared = terms.shared
        found["shared"] = f"{shared.competition} {shared.round} {shared.seed_hash}"
    found |= {f"seat-{seat}": each for seat, each in enumerate(terms.seats)}
    found |= {f"seal-{each.seat}": each.seal for each in seats if each.seal}
    return found | {f"share-{each.seat}": each.share for each in seats if each.share}


def _undone(rows: Sequence[TakebackRow], game: Game) -> dict[str, str]:
    """Return the entries of a record for take-backs."""
    return {
        f"undone-{number}": takeback_text(
            each.kind, each.length, each.sequence, [(one.seat, game.text(one.choice)) for one in each.choices()]
        )
        for number, each in enumerate(rows)
    }


async def import_game(url: str, text: str, games: Mapping[str, Game], names: Sequence[str] = ()) -> str:
    """Store a recorded game as a finished table for everybody who knows its id.

    Args:
        url: Address of the database.
        text: The record.
        games: All games by id.
        names: Names of the players, or none for numbered seats.

    Returns:
        The id of the new table.

    Raises:
        StoreError: If the database can't be used.
        SaveError: If the record isn't valid, the game isn't over, or the names don't fit.
        UnknownGame: If its game isn't installed.
    """
    record = records.read(text)
    game = games[record.game]
    position = records.replay(game, record)
    if not position.over:
        raise SaveError("the recorded game isn't over; only finished ones can be imported")
    try:
        names = called.distinct_names(sanitize.name(name) for name in names)
    except Refused as error:
        raise SaveError(error.detail) from None
    if names and len(names) != position.seats:
        raise SaveError(f"{len(names)} names: expected {position.seats}")
    now = wall_clock.now_ms()
    row = TableRow(
        id=secrets.token_hex(7),
        game=game.id,
        rules_version=game.rules_version,
        box=game.components_hash,
        options=dict(position.options),
        visibility="link",
        status="gathering",
        host=IMPORTER,
        clock=None,
        created=now,
        changed=now,
    )
    seats = [
        SeatRow(row.id, seat, "person", name=names[seat] if names else f"Seat {seat + 1}")
        for seat in range(position.seats)
    ]
    live = LiveTable(row, seats, games)
    assert position.record is not None
    lifecycle.replay_answers(live, [(who, choice) for who, choice, _ in position.record], now)
    store = await Store.open(url)
    try:
        if await store.user(IMPORTER) is None:
            await store.add_user(UserRow(IMPORTER, IMPORTER, {}, now, now), ())
        live.stamp_versions(now)
        await store.commit(live.unit_of_work(None, is_new=True))
    finally:
        await store.close()
    return row.id
