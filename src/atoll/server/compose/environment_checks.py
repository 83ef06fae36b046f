"""Checks of settings and of the machine for `atoll doctor`."""

from __future__ import annotations

import asyncio
import dataclasses
import shutil
from pathlib import Path
from typing import Final

from atoll.engine import AtollError
from atoll.store.address import parse_address

from ..bots.pool import BotPool
from ..domain.game_offer import build_offer
from ..domain.settings import file_variable, option
from ..http.connection_limits import RESERVED_FILES, raise_file_limit
from ..play.operation import LITTLE_SPACE
from ..play.ports import BotFailed
from .diagnosis import Finding, Patient, error, ok, warning, worst

_SHORT_SECRET: Final = 32
_GB: Final = 1_000_000_000
_NO_SPACE: Final = 0.05
_LITTLE_BYTES: Final = 5 * _GB
_MOVE_S: Final = 0.3
"""Seconds that a bot may think about its move; each worker gets another second."""


async def settings(patient: Patient) -> Finding:
    """Look for variables that nothing reads, and for secrets on the command line."""
    found = [warning(f"nothing reads the variable {each}: check its name") for each in patient.unknown]
    for field in dataclasses.fields(patient.settings):
        if field.metadata.get("secret") and patient.sources.get(field.name) == option(field):
            if field.name == "url" and "@" not in patient.settings.url:
                continue
            found.append(warning(f"{option(field)} is visible in the list of processes: use {file_variable(field)}"))
    if "*" in patient.settings.proxies.split(","):
        found.append(warning("--proxies * trusts everybody: clients can forge their address"))
    given = sum(source != "default" for source in patient.sources.values())
    return worst(found, f"valid, {given} given")


async def secret(patient: Patient) -> Finding:
    """Check the secret that signs forms and makes the key of web push."""
    length = len(patient.settings.secret)
    if not length:
        if patient.settings.public_url:
            return error("missing: set ATOLL_SECRET_FILE, or open forms break at each start and web push is off")
        return ok("random, because there is no public address")
    if length < _SHORT_SECRET:
        return warning(f"{length} characters: use at least {_SHORT_SECRET} random ones")
    return ok(f"{length} characters")


async def disk(patient: Patient) -> Finding:
    """Check the free space where the server writes."""
    url = parse_address(patient.settings.url)
    is_sqlite = url.get_backend_name() == "sqlite"
    folder = Path(str(url.database)).parent if is_sqlite else Path()
    try:
        usage = await asyncio.to_thread(shutil.disk_usage, folder)
    except FileNotFoundError:
        return error(f"the folder {folder} doesn't exist")
    share = usage.free / usage.total
    shown = f"{usage.free / _GB:,.1f} GB free ({share:.0%}) in {folder}"
    if share < _NO_SPACE:
        return error(f"{shown}: free space now, for example with --finished-days")
    if share < LITTLE_SPACE or usage.free < _LITTLE_BYTES:
        return warning(f"{shown}: free space, for example with --finished-days")
    return ok(shown)


async def file_limit(patient: Patient) -> Finding:
    """Compare the limit of open files with the number of connections."""
    files, needed = raise_file_limit(), patient.settings.connections + RESERVED_FILES
    if files < needed:
        return warning(f"{files} open files, {needed} needed: raise LimitNOFILE, or lower --connections")
    return ok(f"{files} open files, {needed} needed")


async def bots(patient: Patient) -> Finding:
    """Let each level of each offered game make a move."""
    from atoll.bots import levels  # noqa: PLC0415 - loads nets

    try:
        games = build_offer(patient.settings)
    except AtollError as failure:
        return error(str(failure))
    values = patient.settings
    pool = BotPool(1, seconds=values.bot_seconds, memory=values.bot_memory, components=values.components)
    moves, failed = 0, []
    try:
        await pool.warm()
        for id, game in games.items():
            position = game.new(min(each for each in game.seat_counts if each > 1), seed=1)
            for level in levels(game, position.seats):
                moves += 1
                try:
                    await pool.choose(position.save(), position.to_move[0], level.name, 1, _MOVE_S)
                except BotFailed as failure:
                    failed.append(f"{id}, {level.name}: {failure}")
    finally:
        await pool.close()
    if failed:
        return error(f"{len(failed)} of {moves} moves failed, such as {failed[0]}: check memory and processor")
    return ok(f"{moves} moves of {len(games)} games")
