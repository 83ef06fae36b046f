"""The tables of a person are found by whether and when they ended."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Those that are over ended when they changed last, as far as can be told."""
    op.add_column("seats", sa.Column("ended", sa.BigInteger()))
    op.execute(
        "UPDATE seats SET ended = (SELECT games.changed FROM games WHERE games.id = seats.game_id "
        "AND games.status IN ('over', 'cancelled'))"
    )
    op.drop_index(op.f("ix_seats_user_id"), "seats")
    op.create_index(op.f("ix_seats_user_id"), "seats", ["user_id", "ended", "game_id"])
