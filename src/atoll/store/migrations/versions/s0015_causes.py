"""What it means that something didn't get there is kept beside what was answered."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Of what failed before it isn't known."""
    op.add_column("channels", sa.Column("cause", sa.String(16), nullable=False, server_default=sa.text("''")))
