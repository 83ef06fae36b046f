"""Asking the database where its failure is a refusal: try again."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import structlog
from sqlalchemy.exc import SQLAlchemyError

from atoll.store import StoreError

from ..logs import Seldom
from ..model import Refused

seldom = Seldom(structlog.get_logger(__name__))


@contextlib.contextmanager
def database() -> Iterator[None]:
    """Turns a failing database into a refusal."""
    try:
        yield
    except (SQLAlchemyError, OSError, StoreError) as error:
        seldom.error("database failed", error=str(error))
        raise Refused("busy", 503, "the database can't be reached just now; try again") from error
