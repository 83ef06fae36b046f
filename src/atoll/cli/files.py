"""The commands for game files: write a new game, and check, verify, export and import records.

Command functions are private. Their docstrings and options are the help of the command line.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Final

import typer

from .configuration import configured_database

files = typer.Typer()


Language = Annotated[str, typer.Option("--language", metavar="CODE", help="language of the texts: en, de, ...")]
Components = Annotated[
    Path | None, typer.Option("--components", metavar="FILE", help="play with the components of this TOML file")
]
Database = Annotated[
    str,
    typer.Option(
        "--db",
        metavar="URL",
        envvar="ATOLL_DB",
        callback=configured_database,
        help="database: sqlite:///FILE or postgresql://...",
    ),
]
DEFAULT_DATABASE: Final = "sqlite:///atoll.db"


def say(text: str = "") -> None:
    """Write a line to the terminal."""
    typer.echo(text)


@contextmanager
def needs_extra(extra: str) -> Iterator[None]:
    """Say which extra to install if an import within the context fails, and exit with status 1.

    Args:
        extra: The extra that the imported modules need.

    Raises:
        ModuleNotFoundError: If a module of Atoll itself is missing.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        name = (error.name or "").partition(".")[0]
        if name == "atoll":
            raise
        hint = f"pip install 'atoll[{extra}]', or '.[{extra}]' in a clone"
        typer.echo(f"atoll: this command needs the extra {extra!r} ({name} is missing): {hint}", err=True)
        sys.exit(1)


def read_text(path: Path) -> str:
    """Return the text of a file.

    Args:
        path: Path of the file.

    Raises:
        SaveError: If the file isn't UTF-8.
        OSError: If the file can't be read.
    """
    from atoll.engine import SaveError  # noqa: PLC0415

    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError:
        raise SaveError(f"{path}: not UTF-8 text") from None


@files.command("new-game")
def _new_game(
    id: Annotated[str, typer.Argument(metavar="ID", help="short name: lower-case letters, digits and _")],
    folder: Annotated[Path, typer.Option("--folder", metavar="FOLDER", help="folder to write to")] = Path(),
    inside: Annotated[
        bool, typer.Option("--inside", help="add the game to FOLDER, which is a repository of Atoll")
    ] = False,
) -> None:
    """Write a small game that runs at once, as a start for your own."""
    from atoll.new_game import new_game as write  # noqa: PLC0415

    written = write(id, folder, inside=inside)
    for path in written:
        say(str(path))
    say(f"{len(written)} files. Next:")
    if inside:
        say(f"  make play                                    # lists {id}")
        say(f'  make test ARGS="tests/conformance -k {id}"   # the laws')
    else:
        package = written[0].parent
        say(f"  pip install -e {package}[test]")
        say("  atoll serve --open")
        say(f"  pytest {package} && pytest --pyargs atoll.testing --game {id}")


@files.command("check")
def _check(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="recorded games, or folders of *.game files")],
    components: Components = None,
) -> None:
    """Replay recorded games with the current rules. Status 1 if a game differs."""
    from atoll import games  # noqa: PLC0415
    from atoll.engine import AtollError, record  # noqa: PLC0415

    different = 0
    paths = [each for file in files for each in (sorted(file.rglob("*.game")) if file.is_dir() else [file])]
    for path in paths:
        found: str | None
        try:
            text = read_text(path)
            game = games[record.read(text).game]
            found = record.check(game if components is None else game.with_components(components), text)
        except (AtollError, OSError) as error:
            found = str(error)
        if found is not None:
            different += 1
            say(f"{path}: {found}")
    say(f"{len(paths)} games, {different} different")
    if different or not paths:
        sys.exit(1)


@files.command("verify")
def _verify(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="saved games: files of a table, or records")],
    kept: Annotated[
        list[Path] | None,
        typer.Option("--kept", metavar="FILE", help="a file that a player's browser has saved; may be repeated"),
    ] = None,
    components: Components = None,
    language: Language = "en",
) -> None:
    """Replay saved games draw by draw, and judge their chance. Status 1 if anything is wrong."""
    with needs_extra("serve"):
        from atoll.server.presentation.verification_report import verdict  # noqa: PLC0415

    said = {str(each): read_text(each) for each in files}
    lines, wrong = verdict(said, [read_text(each) for each in kept or ()], components, language)
    say("\n".join(lines))
    if wrong:
        sys.exit(1)


@files.command("export")
def _export(
    table: Annotated[str, typer.Argument(metavar="TABLE", help="id of a table, as in its address")],
    db: Database = DEFAULT_DATABASE,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="file to write; default: print the record")
    ] = None,
    running: Annotated[
        bool, typer.Option("--running", help="export a game that isn't over, with all its secrets")
    ] = False,
) -> None:
    """Write a game of the database as a record."""
    from asyncio import run  # noqa: PLC0415

    from atoll import games  # noqa: PLC0415

    with needs_extra("serve"):
        from atoll.server.play.record_files import export_game  # noqa: PLC0415

    text = run(export_game(db, table, games, running=running))
    if output is None:
        typer.echo(text, nl=False)
    else:
        output.write_text(text, "utf-8")


@files.command("keep")
def _keep(
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="address of a table, as in the browser")],
    token: Annotated[
        str,
        typer.Option("--token", envvar="ATOLL_TOKEN", help="API token of your account; its settings list them"),
    ],
    file: Annotated[
        Path, typer.Option("--file", metavar="FILE", help="file that keeps the secret and everything that was told")
    ] = Path("atoll-kept.json"),
) -> None:
    """Give your seat's share of the chance, and keep the record, while you play in a browser."""
    with needs_extra("serve"):
        from atoll.cli.chance_keeper import ChanceKeeper  # noqa: PLC0415

    kept = ChanceKeeper(address, token, file, say).run()
    say(f"{kept}: the file for `atoll verify --kept`")


@files.command("import")
def _import(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="records of finished games")],
    db: Database = DEFAULT_DATABASE,
    names: Annotated[str, typer.Option("--names", metavar="NAME,...", help="names of the players, by seat")] = "",
) -> None:
    """Store recorded games in the database, and print the ids of their tables."""
    from asyncio import run  # noqa: PLC0415

    from atoll import games  # noqa: PLC0415

    with needs_extra("serve"):
        from atoll.server.play.record_files import import_game  # noqa: PLC0415

    for file in files:
        say(run(import_game(db, read_text(file), games, names.split(",") if names else ())))
