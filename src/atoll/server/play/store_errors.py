"""Asking the database, where its failure is a refusal: try again; and when it needn't be asked."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Hashable, Iterator
from typing import Final

import structlog
from sqlalchemy.exc import SQLAlchemyError

from atoll.store import Store, StoreError

from ..domain.logs import Seldom
from ..domain.model import Refused

seldom = Seldom(structlog.get_logger(__name__))

_ALONE_S: Final = 60.0


def still_holds(store: Store, read_at: float, others: Hashable, trust_s: float) -> bool:
    """Whether what was read needn't be compared with the database yet.

    It needn't for some seconds, and not for a minute where nobody else has written since. read_at: monotonic seconds.
    others: as the store said before it was read.
    """
    age = time.monotonic() - read_at
    return age <= trust_s or (age <= _ALONE_S and others is not None and others == store.others())


@contextlib.contextmanager
def database() -> Iterator[None]:
    """Turns a failing database into a refusal."""
    try:
        yield
    except (SQLAlchemyError, OSError, StoreError) as error:
        seldom.error("database failed", error=str(error))
        raise Refused("busy", 503, "the database can't be reached just now; try again") from error
