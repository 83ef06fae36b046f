"""The id of the database, which is in the names of cookies, and the level of the bot that plays for a leaver."""

import secrets

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the id, once for good. Tables from before have the usual bot."""
    identity = op.create_table(
        "identity", sa.Column("id", sa.String(16), nullable=False), sa.PrimaryKeyConstraint("id", name="pk_identity")
    )
    op.bulk_insert(identity, [{"id": secrets.token_hex(4)}])
    op.add_column("games", sa.Column("stand_in", sa.String(32), nullable=False, server_default=sa.text("''")))
