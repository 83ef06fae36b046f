"""What is taken back by agreement, and what can be."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Of what was played before nothing can be taken back: what it has shown isn't known."""
    op.add_column("games", sa.Column("fixed", sa.Integer(), nullable=False, server_default=sa.text("0")))
    op.add_column("seats", sa.Column("turn", sa.Text()))
    op.create_table(
        "undone",
        sa.Column("game_id", sa.String(32), sa.ForeignKey("games.id", ondelete="CASCADE"), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("length", sa.Integer(), nullable=False),
        sa.Column("sequence", sa.Integer(), nullable=False),
        sa.Column("taken", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", "number"),
    )
