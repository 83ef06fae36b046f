"""What people have learnt is kept: lessons, puzzles, the coach."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nothing is known of anybody yet."""
    op.add_column("users", sa.Column("learning", sa.Text(), nullable=False, server_default=sa.text("'{}'")))
