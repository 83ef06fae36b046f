"""The reference of the server's settings."""

from __future__ import annotations

import dataclasses
from typing import Any, Final

from atoll.server.domain.limits import DEFAULTS
from atoll.server.domain.settings import ServerSettings, option, variable

from . import markdown

_HEAD: Final = """# Settings

Every setting of `atoll serve`, for hosts.
Each is an option of the command and an environment variable; the option wins.

```sh
ATOLL_BOT_WORKERS=4 atoll serve --vacation-days 14
```

A variable of a setting that may be repeated holds several values, separated by blanks.
[Deploy Atoll](howto-deploy.md) explains how to choose the values.

"""
_LIMITS: Final = """
## Rate limits

`--limit NAME=RATE` replaces one of these limits. Each holds for a person or a network address,
and is refilled evenly.

"""


def page() -> str:
    """Return the text of the page."""
    rows = [_row(field) for field in dataclasses.fields(ServerSettings)]
    limits = [(f"`{name}`", f"`{rate}`") for name, rate in DEFAULTS.items()]
    head = ("option", "variable", "default", "meaning")
    return _HEAD + markdown.table(head, rows) + _LIMITS + markdown.table(("name", "default"), limits)


def _row(field: dataclasses.Field[Any]) -> tuple[str, str, str, str]:
    """Return the row of a setting."""
    default = "" if field.default is dataclasses.MISSING or field.default in ("", ()) else f"`{field.default}`"
    meaning = field.metadata["help"]
    low, high = field.metadata["low"], field.metadata.get("high")
    if low is not None and not isinstance(field.default, bool):
        meaning += f" (at least {low:g})" if high is None else f" ({low:g} to {high:g})"
    return f"`{option(field)}`", f"`{variable(field)}`", default, markdown.escaped(meaning)
