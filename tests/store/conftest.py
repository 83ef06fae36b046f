"""The same store tests on both databases."""

from collections.abc import Callable
from pathlib import Path

import pytest
from alembic.config import Config

from atoll.store import migrate
from tests.migrated import make_schema

NEXT_REVISION = """
import sqlalchemy as sa
from alembic import op

revision = "2"
down_revision = "1"
branch_labels = None
depends_on = None
readable_from = "1"


def upgrade() -> None:
    op.add_column("users", sa.Column("shoe", sa.Integer(), nullable=False, server_default=sa.text("43")))
"""


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """URL of an empty database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/atoll.db"
    url: str = request.getfixturevalue("postgres_url")
    return url


@pytest.fixture(params=["sqlite", "postgresql"])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """URL of a database with the current schema."""
    url = f"sqlite:///{tmp_path}/atoll.db"
    if request.param == "sqlite":
        make_schema(url)
        return url
    migrated: str = request.getfixturevalue("migrated_postgres_url")
    return migrated


@pytest.fixture
def next_configuration(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Config]:
    """Alembic's configuration in a program with one more schema revision: people get shoes."""
    folder = tmp_path_factory.mktemp("revisions")
    (folder / "s2_shoes.py").write_text(NEXT_REVISION)
    usual = migrate.configuration

    def configuration() -> Config:
        config = usual()
        places = (Path(migrate.__file__).parent / "migrations" / "versions", folder)
        config.set_main_option("path_separator", "newline")
        config.set_main_option("version_locations", "\n".join(map(str, places)))
        return config

    return configuration


@pytest.fixture
def next_revision(next_configuration: Callable[[], Config], monkeypatch: pytest.MonkeyPatch) -> None:
    """Let Atoll have one more schema revision than it has."""
    monkeypatch.setattr(migrate, "configuration", next_configuration)
