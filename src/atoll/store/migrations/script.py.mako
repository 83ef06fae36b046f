"""${message}

Revision ID: ${up_revision}
Revises: ${down_revision | comma,n}
"""

from alembic import op
import sqlalchemy as sa

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}
branch_labels = None
depends_on = None
readable_from = ${repr(up_revision)}
"""Oldest revision whose program can use a database of this one."""


def upgrade() -> None:
    """${message}"""
    ${upgrades if upgrades else "pass"}
