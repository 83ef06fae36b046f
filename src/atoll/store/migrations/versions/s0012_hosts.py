"""The tables of a host are found by an index."""

from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """They are looked for whenever somebody makes a table, and when people are removed."""
    op.create_index(op.f("ix_games_host"), "games", ["host"])
