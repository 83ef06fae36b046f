"""When people play, vacations, pauses, and when each clock is up."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Clocks that run are up when their bank is used up."""
    op.add_column("users", sa.Column("calendar", sa.Text(), server_default="{}", nullable=False))
    op.add_column("games", sa.Column("pause", sa.Text()))
    op.add_column("seats", sa.Column("due", sa.BigInteger()))
    op.add_column("seats", sa.Column("overdue", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.add_column("seats", sa.Column("calendar", sa.Text(), server_default="{}", nullable=False))
    op.execute(
        "UPDATE seats SET due = asked + bank_ms WHERE kind = 'person' AND NOT away AND asked IS NOT NULL "
        "AND bank_ms IS NOT NULL AND game_id IN (SELECT id FROM games WHERE clock IS NOT NULL)"
    )
