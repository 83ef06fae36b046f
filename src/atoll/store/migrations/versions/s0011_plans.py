"""What a seat has planned to answer."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nobody has planned anything yet."""
    op.add_column("seats", sa.Column("plan", sa.Text()))
