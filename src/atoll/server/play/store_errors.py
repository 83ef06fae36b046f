"""Errors of the database as refusals, and the freshness of data that was read from it."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Hashable, Iterator
from typing import Final

import structlog
from sqlalchemy.exc import SQLAlchemyError

from atoll.store import Store, StoreError

from ..domain.logs import RateLimitedLogger
from ..domain.model import Refused

seldom = RateLimitedLogger(structlog.get_logger(__name__))

_ALONE_S: Final = 60.0


def is_fresh(store: Store, read_at: float, others: Hashable, trust_s: float) -> bool:
    """Return whether data from the database may be used without comparing it again.

    It may be used for `trust_s`, and for a minute if no other server has written since.

    Args:
        store: The database.
        read_at: When the data was read (monotonic seconds).
        others: Value of `store.external_version` before that.
        trust_s: Seconds for which data is trusted in any case.
    """
    age = time.monotonic() - read_at
    return age <= trust_s or (age <= _ALONE_S and others is not None and others == store.external_version())


@contextlib.contextmanager
def refuse_on_store_error() -> Iterator[None]:
    """Raise `Refused` instead of errors of the database.

    Yields:
        Nothing.

    Raises:
        Refused: If the database fails inside the context.
    """
    try:
        yield
    except (SQLAlchemyError, OSError, StoreError) as error:
        seldom.error("database failed", error=str(error))
        raise Refused("busy", 503, "the database can't be reached just now; try again") from error
