"""Shares of the chance are committed to before any is shown."""

import hashlib

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """At a table that gathers, what a seat has given already is fixed from now on by its hash.

    Games that have begun keep their shares without one: nothing fixed them before the others were given.
    """
    op.add_column("games", sa.Column("closed", sa.BigInteger()))
    op.add_column("seats", sa.Column("commitment", sa.String(length=64)))
    connection = op.get_bind()
    given = connection.execute(
        sa.text(
            "SELECT game_id, seat, share FROM seats JOIN games ON games.id = game_id "
            "WHERE status = 'gathering' AND share <> ''"
        )
    )
    for game, seat, share in given.fetchall():
        connection.execute(
            sa.text("UPDATE seats SET commitment = :hash WHERE game_id = :game AND seat = :seat"),
            {"hash": hashlib.sha256(bytes.fromhex(share)).hexdigest(), "game": game, "seat": seat},
        )
