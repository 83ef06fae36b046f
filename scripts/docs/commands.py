"""The reference of the command line, from the commands' own help."""

from __future__ import annotations

import dataclasses
from typing import Any, Final

import typer

from atoll.cli.main import app
from atoll.server.domain.settings import ServerSettings

from . import markdown

_FIELDS: Final = frozenset(field.name for field in dataclasses.fields(ServerSettings))
_OF_SETTINGS: Final = "bot_workers"
"""Parameter by which commands with all settings are recognized."""

_HEAD: Final = """# Commands

`atoll` has the commands of this page; `atoll COMMAND --help` prints the same text.
For hosts, players, designers and researchers.

```sh
atoll --help
```

Without a command, `atoll` opens the start page in the browser, as `atoll serve --open` does.
With every command, `--plugin MODULE` names a module with games or bots.
`atoll --version` prints the version.
"""

_SETTINGS: Final = "Every setting is an option of this command, see [Settings](../play/reference-settings.md).\n"


def page() -> str:
    """Return the text of the page."""
    group: Any = typer.main.get_command(app)
    with group.make_context("atoll", ["games"]) as above:
        return _HEAD + "".join(_section(above, name, command) for name, command in group.commands.items())


def _section(above: Any, name: str, command: Any) -> str:
    """Return the section of a command, or those of the commands of a group."""
    inner = getattr(command, "commands", None)
    if inner is not None:
        with command.make_context(name, [next(iter(inner))], parent=above, resilient_parsing=True) as context:
            return "".join(_section(context, f"{name} {each}", found) for each, found in inner.items())
    with command.make_context(name, [], parent=above, resilient_parsing=True) as context:
        usage = " ".join(["atoll", name, *command.collect_usage_pieces(context)])
        text = f"\n## atoll {name}\n\n{markdown.escaped(command.help or '')}\n\n```text\n{usage}\n```\n\n"
        params = [each for each in command.get_params(context) if not each.hidden]
        if any(each.name == _OF_SETTINGS for each in params):
            text += _SETTINGS + "\n"
            params = [each for each in params if each.name not in _FIELDS]
        records = [each.get_help_record(context) for each in params]
        known = [(names, help) for names, help in filter(None, records) if "--help" not in names]
        rows = [(f"`{names}`", markdown.escaped(help)) for names, help in known]
        return text + (markdown.table(("argument or option", "meaning"), rows) if rows else "It has no options.\n")
