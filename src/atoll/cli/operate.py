"""The commands for running a server: backup, restore, migration, maintenance and diagnosis.

Command functions are private. Their docstrings and options are the help of the command line.
"""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from .configuration import fail, parameter, settings_of, sources_of, unknown_variables, with_settings
from .files import DEFAULT_DATABASE, Database, needs_extra, read_text, say

operate = typer.Typer()

_NOT_INCLUDED: Final = "not included: ATOLL_SECRET (web push), component files, config file"
_FAULTS: Final = 2
"""Exit status if a check found faults."""


def _moment(at: int) -> str:
    """Return a time in milliseconds as text."""
    return f"{datetime.fromtimestamp(at / 1000, UTC):%Y-%m-%d %H:%M} UTC"


def _size(number: int) -> str:
    """Return a number of bytes as text."""
    size = float(number)
    for unit in ("B", "KB", "MB"):
        if size < 1000:
            return f"{size:.0f} {unit}"
        size /= 1000
    return f"{size:.1f} GB"


# -- backup and restore ----------------------------------------------------------------------------


@operate.command("backup")
def _backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="file to write; it must not exist")],
    db: Database = DEFAULT_DATABASE,
    replay: Annotated[int, typer.Option("--replay", min=0, help="number of random games of the copy to replay")] = 20,
) -> None:
    """Copy the database while servers run, and check the copy. Status 2 if the copy has faults."""
    from asyncio import run  # noqa: PLC0415

    from atoll import games  # noqa: PLC0415

    with needs_extra("serve"):
        from atoll.server.play.backups import back_up  # noqa: PLC0415

    report = run(back_up(db, file, games, replay))
    copy, counts = report.copy, report.copy.counts
    what = f"{counts.get('games', 0):,} tables, {counts.get('users', 0):,} users, {_size(copy.bytes)}"
    say(f"copied {what} in {report.seconds:.0f} s (schema {copy.schema})")
    for fault in copy.faults:
        say(f"fault: {fault}")
    if copy.faults:
        fail(f"the copy isn't reliable; it stays as {file}.part", _FAULTS)
    skipped = f", {report.skipped} with other rules" if report.skipped else ""
    say(f"verified: integrity ok, row counts equal, {report.replayed} of {len(copy.samples)} games replayed{skipped}")
    say(_NOT_INCLUDED)


@operate.command("restore")
def _restore(
    file: Annotated[Path | None, typer.Argument(metavar="FILE", help="backup to restore")] = None,
    in_place: Annotated[
        bool, typer.Option("--in-place", help="prepare a database that another tool has restored")
    ] = False,
    db: Database = DEFAULT_DATABASE,
    end_sessions: Annotated[bool, typer.Option("--end-sessions", help="end the sessions of all accounts")] = False,
    deleted: Annotated[
        Path | None,
        typer.Option("--deleted", metavar="FILE", help="ids of deleted accounts, or the server's log since the backup"),
    ] = None,
) -> None:
    """Put a backup into an empty database, and prepare it before a server starts."""
    from asyncio import run  # noqa: PLC0415

    from atoll import games  # noqa: PLC0415

    with needs_extra("serve"):
        from atoll.server.play.restoring import deleted_accounts, restore, restore_in_place  # noqa: PLC0415

    if (file is None) != in_place:
        raise typer.BadParameter("name a backup, or use --in-place for a database that is restored already")
    options: dict[str, Any] = {"end_sessions": end_sessions}
    options["deleted"] = () if deleted is None else deleted_accounts(read_text(deleted))
    work = restore_in_place(db, games, **options) if file is None else restore(file, db, games, **options)
    found = run(work)
    say(f"restored the state of {_moment(found.backup)} (schema {found.schema})")
    say(f"{found.starts} starts begin again, {found.games} games are set back")
    say(f"{found.challenges} one-time secrets ended, {found.notices} notifications are void")
    say(f"{found.sessions} sessions ended, {found.deleted} accounts are deleted again")
    say(f"ratings recomputed, {found.ratings} changed")
    for table in found.failed:
        say(f"{table}: its rules fail, so it stays as it is")
    say("repeat what was done since the backup: sanctions, roles, house rules")


# -- schema ----------------------------------------------------------------------------------------


@operate.command("migrate")
def _migrate(
    db: Database = DEFAULT_DATABASE,
    check: Annotated[bool, typer.Option("--check", help="only report; status 1 if migrations are pending")] = False,
    sql: Annotated[bool, typer.Option("--sql", help="print the SQL of the pending migrations")] = False,
) -> None:
    """Upgrade the schema of the database, as a server does when it starts."""
    from asyncio import run  # noqa: PLC0415

    with needs_extra("serve"):
        from atoll.store import SchemaState, Store, StoreError  # noqa: PLC0415
        from atoll.store.migrate import migration_sql  # noqa: PLC0415

    if check and sql:
        raise typer.BadParameter("--check and --sql exclude each other")

    async def look(*, as_is: bool) -> tuple[SchemaState, str]:
        """Return the schema of the database and its dialect."""
        store = await Store.open(db, as_is=as_is)
        try:
            return await store.schema_state(), store.dialect
        finally:
            await store.close()

    try:
        before, dialect = run(look(as_is=True))
    except StoreError:
        if check or sql:
            raise
        before, dialect = None, ""
    if before is not None and sql:
        typer.echo(migration_sql(before, dialect), nl=False)
        return
    if before is not None and check:
        for revision, text in before.pending:
            say(f"pending: {revision}, {text}")
        if before.pending:
            raise typer.Exit(1)
        say(_current(before))
        return
    after, _ = run(look(as_is=False))
    if before is not None and before.current == after.current:
        say(_current(after))
    else:
        say(f"migrated to schema {after.current}")


def _current(state: Any) -> str:
    """Return a sentence on a schema without pending migrations."""
    newer = "" if state.current == state.head else f", newer than this program (schema {state.head}), which can use it"
    return f"schema {state.current}{newer or ', up to date'}"


# -- maintenance -----------------------------------------------------------------------------------

maintenance = typer.Typer(name="maintenance", help="Stop and continue play on all servers; clocks stand meanwhile.")
operate.add_typer(maintenance)


@maintenance.callback()
def _group() -> None:
    """Stop and continue play on all servers; clocks stand meanwhile."""


@maintenance.command("on")
def _on(
    db: Database = DEFAULT_DATABASE,
    text: Annotated[str, typer.Option("--text", help="announcement for the pages")] = "",
    until: Annotated[
        str, typer.Option("--until", metavar="TIME", help="expected end: HH:MM or YYYY-MM-DDTHH:MM, local time")
    ] = "",
) -> None:
    """Stop play within 5 seconds: commands are refused, clocks stand, pages announce it."""
    with needs_extra("serve"):
        from atoll.server.play.maintenance import begin_maintenance  # noqa: PLC0415

    now = datetime.now().astimezone()
    ends = _parse_until(until, now) if until else None
    if ends is not None and ends <= now:
        raise typer.BadParameter(f"--until {until!r} is in the past")
    end = None if ends is None else _ms(ends)
    begun = _with_store(db, lambda store: begin_maintenance(store, None, text, end, _ms(now)))
    say("maintenance begins" if begun else "maintenance continues with this announcement")


@maintenance.command("off")
def _off(db: Database = DEFAULT_DATABASE) -> None:
    """Continue play: clocks and jobs move forward by the time that they stood."""
    with needs_extra("serve"):
        from atoll.server.play.maintenance import end_maintenance  # noqa: PLC0415

    now = _ms(datetime.now(UTC))
    shift = _with_store(db, lambda store: end_maintenance(store, None, now))
    say("there is no maintenance" if shift is None else f"maintenance is over; clocks stood for {shift // 1000} s")


@maintenance.command("status")
def _status(db: Database = DEFAULT_DATABASE) -> None:
    """Print whether maintenance lasts."""
    row = _with_store(db, lambda store: store.operations.maintenance())
    if row is None:
        say("no maintenance")
        return
    say(f"maintenance since {_moment(row.begins)}" + (f" until {_moment(row.until)}" if row.until else ""))
    if row.text:
        say(row.text)


def _parse_until(text: str, now: datetime) -> datetime:
    """Return the time that `--until` names.

    Args:
        text: "HH:MM" or an ISO time, in local time unless it names an offset.
        now: The current local time.

    Raises:
        BadParameter: If it is neither.
    """
    try:
        if len(text) == len("HH:MM"):
            clock = datetime.strptime(text, "%H:%M")  # noqa: DTZ007 - only the hour and minute are used
            return now.replace(hour=clock.hour, minute=clock.minute, second=0, microsecond=0)
        return datetime.fromisoformat(text).astimezone()
    except ValueError:
        raise typer.BadParameter(f"--until {text!r}: write HH:MM or YYYY-MM-DDTHH:MM") from None


def _ms(at: datetime) -> int:
    """Return a time in milliseconds."""
    return int(at.timestamp() * 1000)


def _with_store(db: str, work: Any) -> Any:
    """Return the result of an async function of the store at an address."""
    from asyncio import run  # noqa: PLC0415

    with needs_extra("serve"):
        from atoll.store import Store  # noqa: PLC0415

    async def call() -> Any:
        """Open the store and call the function."""
        store = await Store.open(db, as_is=True)
        try:
            return await work(store)
        finally:
            await store.close()

    return run(call())


# -- diagnosis -------------------------------------------------------------------------------------


def _doctor(ctx: typer.Context, *, as_json: bool, mail: str, **given: Any) -> None:
    """Check settings, database and environment. Status 1 for warnings, 2 for errors."""
    from asyncio import run  # noqa: PLC0415

    with needs_extra("serve"):
        from atoll.server.compose.doctor import Patient, examine, status_of  # noqa: PLC0415
        from atoll.server.domain.settings import SettingError  # noqa: PLC0415

    try:
        settings = settings_of(given)
    except SettingError as error:
        fail(f"settings: {error}", _FAULTS)
    patient = Patient(settings, sources_of(ctx), unknown_variables(os.environ), mail)
    results = run(examine(patient))
    levels = [each.finding.level for each in results]
    if as_json:
        say(json.dumps([each.data() for each in results], indent=2))
    else:
        for each in results:
            say(f"{each.finding.level:<8} {each.name:<15} {each.finding.text}")
        counts = (f"{len(results)} checks", f"{levels.count('ok')} ok")
        say(f"{': '.join(counts)}, {levels.count('warning')} warnings, {levels.count('error')} errors")
    if status := status_of(results):
        raise typer.Exit(status)


_JSON: Final = typer.Option("--json", help="print the results as JSON")
_MAIL: Final = typer.Option("--mail", metavar="ADDRESS", help="send a test mail to this address")
operate.command("doctor")(
    with_settings(
        _doctor, parameter("as_json", Annotated[bool, _JSON], False), parameter("mail", Annotated[str, _MAIL], "")
    )
)
