"""What was said stays when the account of whoever said it is deleted."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Messages may be nobody's; those of a person are found by an index."""
    with op.batch_alter_table("messages") as messages:
        messages.alter_column("user_id", existing_type=sa.String(32), nullable=True)
    op.create_index(op.f("ix_messages_user_id"), "messages", ["user_id"])
