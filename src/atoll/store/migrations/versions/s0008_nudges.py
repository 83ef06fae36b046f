"""When somebody was last nudged."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nobody was yet."""
    op.add_column("seats", sa.Column("nudged", sa.BigInteger()))
