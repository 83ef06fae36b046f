"""The examination of a server: `atoll doctor`."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

from sqlalchemy.exc import SQLAlchemyError

from atoll.store import Store, StoreError

from . import database_checks, environment_checks, service_checks
from .diagnosis import LEVELS, Check, Finding, NoDatabase, Patient, Result, error, warning

__all__ = ["CHECKS", "Patient", "examine", "status_of"]

CHECKS: Final = (
    Check("settings", environment_checks.settings),
    Check("secret", environment_checks.secret),
    Check("clock", database_checks.clock),
    Check("disk", environment_checks.disk),
    Check("file limit", environment_checks.file_limit),
    Check("database", database_checks.version),
    Check("schema", database_checks.schema),
    Check("integrity", database_checks.integrity),
    Check("size", database_checks.size),
    Check("connections", database_checks.connections),
    Check("jobs", database_checks.jobs),
    Check("repair", database_checks.repair),
    Check("bots", environment_checks.bots, limit_s=60.0),
    Check("mail", service_checks.mail, limit_s=25.0),
    Check("web push", service_checks.web_push),
    Check("public address", service_checks.public_address),
    Check("imprint", service_checks.imprint),
    Check("backup", database_checks.backup),
    Check("servers", database_checks.servers),
)


async def examine(patient: Patient, checks: Sequence[Check] = CHECKS) -> list[Result]:
    """Run checks one after the other; they change nothing.

    Args:
        patient: Settings and environment; the database is opened and closed again.
        checks: The checks.

    Returns:
        The results, in the same order.
    """
    try:
        patient.database = await Store.open(patient.settings.url, as_is=True)
    except StoreError as failure:
        patient.fault = failure
    try:
        return [Result(each.name, await _run(each, patient)) for each in checks]
    finally:
        if patient.database is not None:
            await patient.database.close()


async def _run(check: Check, patient: Patient) -> Finding:
    """Run a check within its time limit."""
    try:
        async with asyncio.timeout(check.limit_s):
            return await check.run(patient)
    except TimeoutError:
        return warning(f"no result within {check.limit_s:.0f} s")
    except NoDatabase:
        return warning("not checked: the database can't be opened, see schema")
    except (OSError, SQLAlchemyError, StoreError) as failure:
        return error(" ".join(str(failure).split())[:200])


def status_of(results: Sequence[Result]) -> int:
    """Return the exit status for results: 0 without findings, 1 for warnings, 2 for errors."""
    return max((LEVELS.index(each.finding.level) for each in results), default=0)
