"""Each database has a random id, which is in the names of the cookies of its servers."""

import secrets

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the id, once for good."""
    identity = op.create_table(
        "identity", sa.Column("id", sa.String(16), nullable=False), sa.PrimaryKeyConstraint("id", name="pk_identity")
    )
    op.bulk_insert(identity, [{"id": secrets.token_hex(4)}])
