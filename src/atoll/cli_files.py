"""The commands about files of games: they are checked, verified, exported and imported."""

from __future__ import annotations

import sys
from math import isfinite
from pathlib import Path
from typing import Annotated

import typer

files = typer.Typer()


def finite(value: float) -> float:
    """A number on the command line that says how long or how much. Raises BadParameter for `inf` and `nan`."""
    if not isfinite(value):
        raise typer.BadParameter(f"{value} is no finite number")
    return value


Language = Annotated[str, typer.Option("--language", metavar="CODE", help="of the texts: en, de, ...")]
Components = Annotated[
    Path | None, typer.Option("--components", metavar="FILE", help="play with the printed matter of this TOML file")
]
Database = Annotated[
    str, typer.Option("--db", metavar="URL", envvar="ATOLL_DB", help="sqlite:///FILE or postgresql://...")
]


def say(text: str = "") -> None:
    """A line on the terminal."""
    typer.echo(text)


def text_of(path: Path) -> str:
    """The text of a file. Raises SaveError, OSError."""
    from atoll.engine import SaveError  # noqa: PLC0415

    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError:
        raise SaveError(f"{path}: no UTF-8 text") from None


@files.command(name="new-game")
def new_game(
    id: Annotated[str, typer.Argument(metavar="ID", help="short name: lower case letters, digits and _")],
    folder: Annotated[Path, typer.Option("--folder", metavar="FOLDER", help="where to write it")] = Path(),
    inside: Annotated[
        bool, typer.Option("--inside", help="FOLDER is a repository of Atoll, and the game becomes one of its own")
    ] = False,
) -> None:
    """Write a small game that runs at once, to be made into one's own."""
    from atoll.new_game import new_game as write  # noqa: PLC0415

    written = write(id, folder, inside=inside)
    for path in written:
        say(str(path))
    say(f"{len(written)} files. Next:")
    if inside:
        say(f"  make play                                    # {id} is among the games")
        say(f'  make test ARGS="tests/conformance -k {id}"   # the laws')
    else:
        package = written[0].parent
        say(f"  pip install -e {package}[test]")
        say("  atoll serve --open")
        say(f"  pytest {package} && pytest --pyargs atoll.testing --game {id}")


@files.command()
def check(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="recorded games, or folders of *.game files")],
    components: Components = None,
) -> None:
    """Replay recorded games on today's rules and print the first difference of each. Status 1 if there is one."""
    from atoll import games  # noqa: PLC0415
    from atoll.engine import AtollError, record  # noqa: PLC0415

    different = 0
    paths = [each for file in files for each in (sorted(file.rglob("*.game")) if file.is_dir() else [file])]
    for path in paths:
        found: str | None
        try:
            text = text_of(path)
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


@files.command()
def verify(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="saved games: what a table saves, or records")],
    kept: Annotated[
        Path | None, typer.Option("--kept", help="what a player's browser has kept of the one game")
    ] = None,
    components: Components = None,
    language: Language = "en",
) -> None:
    """Play saved games again by the rules, draw by draw, and judge their chance. Status 1 if anything is wrong."""
    from atoll.server.presentation.verification_report import verdict  # noqa: PLC0415

    said = {str(each): text_of(each) for each in files}
    lines, wrong = verdict(said, None if kept is None else text_of(kept), components, language)
    say("\n".join(lines))
    if wrong:
        sys.exit(1)


@files.command()
def export(
    table: Annotated[str, typer.Argument(metavar="TABLE", help="the id of a table, as in its address")],
    db: Database = "sqlite:///atoll.db",
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="FILE", help="default: print it")] = None,
    running: Annotated[
        bool, typer.Option("--running", help="also a game that isn't over, with all its secrets")
    ] = False,
) -> None:
    """Write a game of the database as a record."""
    from asyncio import run  # noqa: PLC0415

    from atoll import games  # noqa: PLC0415
    from atoll.server.play.record_files import export_game  # noqa: PLC0415

    text = run(export_game(db, table, games, running=running))
    if output is None:
        typer.echo(text, nl=False)
    else:
        output.write_text(text, "utf-8")


@files.command("import")
def import_(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="records of finished games")],
    db: Database = "sqlite:///atoll.db",
    names: Annotated[str, typer.Option("--names", metavar="NAME,...", help="who sat on the seats")] = "",
) -> None:
    """Keep recorded games in the database, to be looked at in the browser; prints the ids of their tables."""
    from asyncio import run  # noqa: PLC0415

    from atoll import games  # noqa: PLC0415
    from atoll.server.play.record_files import import_game  # noqa: PLC0415

    for file in files:
        say(run(import_game(db, text_of(file), games, names.split(",") if names else ())))
