"""The command `atoll`.

Heavy modules are imported by the commands that need them, so that help is fast.
"""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from typer.core import TyperGroup

from . import competitions  # noqa: F401 - adds its command to `admin`
from .admin import admin
from .configuration import config, fail, parameter, settings_of, with_settings
from .files import Language, files, needs_extra, read_text, say
from .lab import lab, show
from .operate import operate
from .puzzles import puzzles
from .ratings import ratings

if TYPE_CHECKING:
    from atoll.engine import Game
    from atoll.engine.record import Record


_LAB: Final = ("polars", "matplotlib", "optuna")
"""Modules of the extra `lab`, which its commands import late."""


class _Commands(TyperGroup):
    """The group of commands.

    `--plugin` may follow a command as well as precede it. Without a command the start page is
    opened.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Move `--plugin` before the command, and add the default command."""
        front: list[str] = []
        rest = list(args)
        for at in range(len(args) - 1, -1, -1):
            if args[at] == "--plugin" and at + 1 < len(rest):
                front += rest[at : at + 2]
                del rest[at : at + 2]
            elif args[at].startswith("--plugin="):
                front.append(rest.pop(at))
        return super().parse_args(ctx, [*front, *(rest or ["serve", "--open"])])

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command whose help mentions `--plugin`."""
        command = super().get_command(ctx, cmd_name)
        if command is not None:
            command.epilog = "As with every command, --plugin MODULE names a module with games or bots."
        return command


app = typer.Typer(
    name="atoll",
    cls=_Commands,
    help="A table for five modern board games: play them, study them, train agents on them. "
    "Without a command, the start page is opened in the browser.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.add_typer(lab)
app.add_typer(files)
app.add_typer(puzzles)
app.add_typer(operate)
app.add_typer(config)
app.add_typer(admin)
app.add_typer(ratings)


def _show_version(wanted: bool) -> None:
    """Print the version and exit, if the option is given."""
    if wanted:
        from atoll.server.domain.build_info import build_info  # noqa: PLC0415

        say(str(build_info()))
        raise typer.Exit


@app.callback()
def plug_in(
    plugins: Annotated[
        list[str] | None,
        typer.Option("--plugin", metavar="MODULE", help="a module with games or bots; works with every command"),
    ] = None,
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_show_version, help="print the version and exit")
    ] = False,
) -> None:
    """Name the plugins, which may be in the current folder."""
    from atoll.engine import registry  # noqa: PLC0415

    if plugins or os.environ.get(registry.VARIABLE):
        sys.path.insert(0, "")
    for each in plugins or ():
        if not registry.module_exists(each):
            raise typer.BadParameter(
                f"module {each!r} isn't in the current folder and isn't installed", param_hint="'--plugin'"
            )
    for each in reversed(plugins or ()):
        registry.add_plugin(each)


def main() -> None:
    """Run the command line; known errors end it with one line and status 1."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # consoles and pipes of older systems can't encode all characters
    from atoll.engine import AtollError  # noqa: PLC0415

    try:
        app(standalone_mode=True)
    except (AtollError, OSError) as error:
        text = f"{error.strerror}: {error.filename}" if isinstance(error, OSError) and error.filename else str(error)
        fail(text or type(error).__name__)
    except _store_errors() as error:
        fail(str(error))
    except ModuleNotFoundError as error:
        extra = "" if error.name not in _LAB else ": pip install 'atoll[lab]', or '.[lab]' in a clone"
        fail(f"{error.name} is missing{extra}")
    except KeyboardInterrupt:
        fail("interrupted", status=130)


def _store_errors() -> tuple[type[Exception], ...]:
    """Return the errors of the store; none if it wasn't imported."""
    store = sys.modules.get("atoll.store")
    return () if store is None else (store.StoreError, store.WriteConflict)


def _record(path: Path) -> tuple[Game, Record]:
    """Return the game and the content of a record file."""
    from atoll import games  # noqa: PLC0415
    from atoll.engine import record  # noqa: PLC0415

    found = record.read(read_text(path))
    return games[found.game], found


def _serve(ctx: typer.Context, *, open_browser: bool, **given: Any) -> None:
    """Open the table in the browser: play with friends or bots."""
    with needs_extra("serve"):
        from atoll.server.compose.serving import ServeError, serve  # noqa: PLC0415
        from atoll.server.domain.settings import SettingError  # noqa: PLC0415

    try:
        serve(settings_of(given), open_browser=open_browser)
    except (ServeError, SettingError) as error:
        fail(str(error))


_OPEN: Final = typer.Option("--open", help="open the start page in the browser")
app.command(name="serve")(with_settings(_serve, parameter("open_browser", Annotated[bool, _OPEN], False)))


@app.command("replay")
def _replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="a recorded game")],
    language: Language = "en",
    seat: Annotated[int | None, typer.Option("--seat", help="show only what this seat may know (1, 2, ...)")] = None,
    step: Annotated[bool, typer.Option("--step", help="wait for the Enter key after each step; q ends")] = False,
) -> None:
    """Step through a recorded game in words."""
    from atoll.engine import WrongSeat  # noqa: PLC0415
    from atoll.narration import Narration  # noqa: PLC0415

    game, record = _record(file)
    if seat is not None and not 1 <= seat <= record.seats:
        raise WrongSeat(f"invalid seat {seat}: expected 1 to {record.seats}")
    story = Narration(game, language, None if seat is None else seat - 1)
    moments, end = story.narrate(record)
    say(story.title(record.seats))
    for moment in moments:
        say(f"{moment.number:4d}  {moment.title}")
        for text in moment.log_lines:
            say(f"        {text}")
        if step and sys.stdin.readline().strip().lower().startswith("q"):
            return
    for text in story.ending(end) if end.over else ():
        say(text)


@app.command(name="games")
def show_games() -> None:
    """List the games and the packages that they come from."""
    from rich.table import Table  # noqa: PLC0415

    from atoll import games  # noqa: PLC0415

    table = Table("game", "name", "seats", "comes with")
    for game in games.loadable_games():
        table.add_row(game.id, game.title("en"), ", ".join(map(str, game.seat_counts)), games.origin(game.id))
    show(table)
