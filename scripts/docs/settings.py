"""The reference of the server's settings."""

from __future__ import annotations

import dataclasses
from typing import Any, Final

from atoll.server.domain.limits import DEFAULTS
from atoll.server.domain.settings import ServerSettings, file_variable, option, variable

from . import markdown

_HEAD: Final = """# Settings

Every setting of `atoll serve`, for hosts.
Each is an option of the command, an environment variable, and a key of the file that `--config`
names; the first of these that is given wins.

```sh
ATOLL_BOT_WORKERS=4 atoll serve --vacation-days 14
```

A variable of a setting that may be repeated holds several values, separated by blanks; in the
file it is a list.
Secrets can also be read from files: `ATOLL_SECRET_FILE=/run/secrets/secret`.
[Deploy Atoll](howto-deploy.md) explains how to choose the values.

"""
_LIMITS: Final = """
## Rate limits

`--limit NAME=RATE` replaces one of these limits. Each holds for a person or a network address,
and is refilled evenly.

"""


def page() -> str:
    """Return the text of the page."""
    described = "\n".join(map(_setting, dataclasses.fields(ServerSettings)))
    limits = [(f"`{name}`", f"`{rate}`") for name, rate in DEFAULTS.items()]
    return _HEAD + described + _LIMITS + markdown.table(("name", "default"), limits)


def _setting(field: dataclasses.Field[Any]) -> str:
    """Return the entry of a setting in a definition list."""
    names = f"`{option(field)}`, `{variable(field)}`"
    if field.metadata.get("secret"):
        names += f", `{file_variable(field)}`"
    meaning = field.metadata["help"]
    facts = []
    low, high = field.metadata["low"], field.metadata.get("high")
    if low is not None:
        facts.append(f"At least {low:g}." if high is None else f"From {low:g} to {high:g}.")
    if field.default is not dataclasses.MISSING and field.default not in ("", ()):
        facts.append(f"Default: `{field.default}`.")
    text = meaning[:1].upper() + meaning[1:] + ("" if meaning.endswith(".") else ".")
    return f"{names}\n: {' '.join([markdown.escaped(text), *facts])}\n"
