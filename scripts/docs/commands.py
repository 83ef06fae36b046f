"""The reference of the command line, from the commands' own help."""

from __future__ import annotations

from typing import Any, Final

import typer

from atoll.cli.main import app

from . import markdown

_HEAD: Final = """# Commands

`atoll` has the commands of this page; `atoll COMMAND --help` prints the same text.
For hosts, players, designers and researchers.

```sh
atoll --help
```

Without a command, `atoll` opens the start page in the browser, as `atoll serve --open` does.
With every command, `--plugin MODULE` names a module with games or bots.
"""

_SERVE: Final = "Every setting is an option of this command, see [Settings](../play/reference-settings.md).\n"


def page() -> str:
    """Return the text of the page."""
    group: Any = typer.main.get_command(app)
    with group.make_context("atoll", ["games"]) as above:
        return _HEAD + "".join(_section(above, name, command) for name, command in group.commands.items())


def _section(above: Any, name: str, command: Any) -> str:
    """Return the section of a command."""
    with command.make_context(name, [], parent=above, resilient_parsing=True) as context:
        usage = " ".join(["atoll", name, *command.collect_usage_pieces(context)])
        text = f"\n## atoll {name}\n\n{markdown.escaped(command.help or '')}\n\n```text\n{usage}\n```\n\n"
        if name == "serve":
            return text + _SERVE
        records = [each.get_help_record(context) for each in command.get_params(context) if not each.hidden]
        known = [(names, help) for names, help in filter(None, records) if "--help" not in names]
        rows = [(f"`{names}`", markdown.escaped(help)) for names, help in known]
        return text + (markdown.table(("argument or option", "meaning"), rows) if rows else "It has no options.\n")
