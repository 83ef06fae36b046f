"""Settings of a server for commands: by option, environment, file of a secret, or config file.

The order of precedence is option, environment (or the file that it names), config file, default.
"""

from __future__ import annotations

import dataclasses
import inspect
import os
import sys
import tomllib
from collections.abc import Callable, Mapping
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, NoReturn

import typer

if TYPE_CHECKING:
    from atoll.server.domain.settings import ServerSettings

CONFIG_VARIABLE: Final = "ATOLL_CONFIG"
OTHER_VARIABLES: Final = frozenset({CONFIG_VARIABLE, "ATOLL_PLUGINS", "ATOLL_TOKEN", "ATOLL_DB", "ATOLL_DB_FILE"})
"""Variables that aren't of a setting, or also belong to other commands."""
_SEVERAL: Final = ("limits", "components", "allow_outgoing")
"""Settings that may be given several times, with one value each."""


def fail(text: str, status: int = 1) -> NoReturn:
    """Write an error and exit.

    Args:
        text: The error, in one line.
        status: Exit status.
    """
    print(f"atoll: {text}", file=sys.stderr)  # noqa: T201
    sys.exit(status)


def finite(value: float) -> float:
    """Return a number of the command line if it is finite.

    Args:
        value: The number.

    Raises:
        BadParameter: If it is infinite or not a number.
    """
    if not isfinite(value):
        raise typer.BadParameter(f"{value} isn't a finite number")
    return value


# -- the config file -------------------------------------------------------------------------------


def read_config(path: Path) -> dict[str, Any]:
    """Return the settings of a config file by the names of their fields.

    Args:
        path: A TOML file whose keys are options without `--`.

    Raises:
        BadParameter: If the file can't be read, or has an unknown setting or a value of a wrong
            type.
    """
    from atoll.server.domain.settings import ServerSettings, option  # noqa: PLC0415

    try:
        found = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise typer.BadParameter(f"{path}: can't be read ({error.strerror})") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise typer.BadParameter(f"{path}: not TOML ({error})") from None
    fields = {option(field)[2:]: field for field in dataclasses.fields(ServerSettings)}
    unknown = sorted(found.keys() - fields.keys())
    if unknown:
        raise typer.BadParameter(f"{path}: unknown setting {unknown[0]!r}; known: {', '.join(fields)}")
    return {fields[key].name: _checked(path, key, value, fields[key]) for key, value in found.items()}


def _checked(path: Path, key: str, value: Any, field: dataclasses.Field[Any]) -> Any:
    """Return a value of a config file after checking its type."""
    if field.name in _SEVERAL:
        valid, expected = isinstance(value, list) and all(isinstance(each, str) for each in value), "a list of texts"
    elif isinstance(field.default, bool):
        valid, expected = isinstance(value, bool), "true or false"
    elif isinstance(field.default, str):
        valid, expected = isinstance(value, str), "a text"
    else:
        kinds: Any = (int, float) if isinstance(field.default, float) else int
        valid, expected = isinstance(value, kinds) and not isinstance(value, bool), "a number"
    if not valid:
        raise typer.BadParameter(f"{path}: {key} = {value!r}: expected {expected}")
    return value


def _load(ctx: typer.Context, value: Path | None) -> Path | None:
    """Let the settings of the config file replace the defaults."""
    if value is not None:
        ctx.default_map = read_config(value)
    return value


# -- secrets ---------------------------------------------------------------------------------------


def _secret_file(variable: str) -> str | None:
    """Return the secret in the file that a variable names, or None without one.

    Args:
        variable: The variable, without `_FILE`.

    Raises:
        BadParameter: If the variable itself is set, too, or the file can't be read or is empty.
    """
    name = f"{variable}_FILE"
    path = os.environ.get(name, "")
    if not path:
        return None
    if os.environ.get(variable):
        raise typer.BadParameter(f"{variable} and {name} are both set: keep one of them")
    try:
        text = Path(path).read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise typer.BadParameter(
            f"{name}={path}: can't be read ({getattr(error, 'strerror', None) or 'not UTF-8'})"
        ) from None
    if not text:
        raise typer.BadParameter(f"{name}={path}: the file is empty")
    return text


def _secret(variable: str) -> Callable[..., str]:
    """Return the callback of a secret's option, which reads the file that `..._FILE` names."""

    def _resolve(ctx: typer.Context, param: typer.CallbackParam, value: str) -> str:
        """Return the value of the option, of the variable, of the file, or the default."""
        if _given_by(ctx, param.name or "") == "COMMANDLINE":
            return value
        found = _secret_file(variable)
        return value if found is None else found

    return _resolve


def configured_database(ctx: typer.Context, param: typer.CallbackParam, value: str) -> str:
    """Return the address of the database for commands other than `atoll serve`.

    Args:
        ctx: Context of the command.
        param: The option `--db`.
        value: Value of the option, of its variable, or the default.

    Returns:
        The option or variable, else the content of `ATOLL_DB_FILE`, else the setting of the config
        file that `ATOLL_CONFIG` names, else the default.
    """
    given_by = _given_by(ctx, param.name or "")
    if given_by == "COMMANDLINE":
        return value
    found = _secret_file("ATOLL_DB")
    if found is not None:
        return found
    config = os.environ.get(CONFIG_VARIABLE, "")
    if given_by == "DEFAULT" and config:
        return str(read_config(Path(config)).get("url", value))
    return value


def _given_by(ctx: typer.Context, name: str) -> str:
    """Return which source gave a parameter: "COMMANDLINE", "ENVIRONMENT", ... or "DEFAULT"."""
    source = ctx.get_parameter_source(name)
    return "DEFAULT" if source is None else source.name


# -- commands with settings ------------------------------------------------------------------------


def with_settings(command: Callable[..., None], *more: inspect.Parameter) -> Callable[..., None]:
    """Give a command function an option for each setting, `--config`, and its context `ctx`.

    Args:
        command: The function, called with keywords.
        *more: Further parameters of the function.

    Returns:
        The function.
    """
    from atoll.server.domain import settings  # noqa: PLC0415

    file = typer.Option(
        "--config",
        metavar="FILE",
        envvar=CONFIG_VARIABLE,
        is_eager=True,
        callback=_load,
        help="TOML file with settings; its keys are options without --",
    )
    parameters = [
        parameter("ctx", typer.Context, inspect.Parameter.empty),
        parameter("config", Annotated[Path | None, file], None),
    ]
    for field in dataclasses.fields(settings.ServerSettings):
        several = field.name in _SEVERAL
        kind: Any = list[str] | None if several else type(field.default)
        callback: Any = finite if kind is float else None
        if field.metadata.get("secret"):
            callback = _secret(settings.variable(field))
        info = typer.Option(
            settings.option(field),
            envvar=settings.variable(field),
            help=field.metadata["help"],
            metavar=field.metadata.get("metavar"),
            min=field.metadata["low"],
            max=field.metadata.get("high"),
            callback=callback,
            show_default=not several and field.default != "",
        )
        parameters.append(parameter(field.name, Annotated[kind, info], None if several else field.default))
    changed: Any = command
    changed.__signature__ = inspect.Signature([*parameters, *more])
    changed.__annotations__ = {each.name: each.annotation for each in (*parameters, *more)}
    return command


def parameter(name: str, annotation: Any, default: Any) -> inspect.Parameter:
    """Return a keyword-only parameter of a command's signature.

    Args:
        name: Name of the parameter.
        annotation: Its type, with its option.
        default: Its default value.
    """
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def settings_of(given: Mapping[str, Any]) -> ServerSettings:
    """Return the settings that a command got.

    Args:
        given: Values of the command's parameters by name.

    Raises:
        SettingError: If a value isn't valid.
    """
    from atoll.server.domain.settings import ServerSettings  # noqa: PLC0415

    values = {field.name: given[field.name] for field in dataclasses.fields(ServerSettings)}
    values["limits"] = dict(_limit(each) for each in values["limits"] or ())
    for name in _SEVERAL[1:]:
        values[name] = tuple(values[name] or ())
    return ServerSettings(**values)


def _limit(text: str) -> tuple[str, str]:
    """Return the category and the rate of a `--limit` option.

    Args:
        text: Value of the option, as `category=rate`.

    Raises:
        SettingError: If the option has no `=`.
    """
    from atoll.server.domain.settings import SettingError  # noqa: PLC0415

    name, equals, rate = text.partition("=")
    if not equals:
        raise SettingError(f"--limit {text!r}: write NAME=RATE, such as chat=5/minute")
    return name, rate


def sources_of(ctx: typer.Context) -> dict[str, str]:
    """Return where the value of each setting comes from, by field.

    Args:
        ctx: Context of a command with settings.

    Returns:
        The option, the variable, the path of the config file, or "default".
    """
    from atoll.server.domain.settings import (  # noqa: PLC0415
        ServerSettings,
        file_variable,
        option,
        variable,
    )

    found = {}
    for field in dataclasses.fields(ServerSettings):
        given_by = _given_by(ctx, field.name)
        from_file = field.metadata.get("secret") and os.environ.get(file_variable(field))
        if given_by == "COMMANDLINE":
            found[field.name] = option(field)
        elif from_file:
            found[field.name] = file_variable(field)
        elif given_by == "ENVIRONMENT":
            found[field.name] = variable(field)
        else:
            found[field.name] = str(ctx.params["config"]) if given_by == "DEFAULT_MAP" else "default"
    return found


def unknown_variables(environment: Mapping[str, str]) -> list[str]:
    """Return the variables whose names begin with `ATOLL_` and that nothing reads.

    Args:
        environment: The environment.
    """
    from atoll.server.domain.settings import ServerSettings, file_variable, variable  # noqa: PLC0415

    known = set(OTHER_VARIABLES)
    for field in dataclasses.fields(ServerSettings):
        known.add(variable(field))
        if field.metadata.get("secret"):
            known.add(file_variable(field))
    return sorted(each for each in environment if each.startswith("ATOLL_") and each not in known)


# -- the commands ----------------------------------------------------------------------------------

config = typer.Typer(name="config", help="Show or check the settings of a server.")


@config.callback()
def _group() -> None:
    """Show or check the settings of a server."""


def _show(ctx: typer.Context, **given: Any) -> None:
    """Print the settings as a config file, each with its source; secrets are hidden."""
    from atoll.server.domain.settings import SettingError  # noqa: PLC0415

    try:
        settings = settings_of(given)
    except SettingError as error:
        fail(str(error))
    for line in shown_settings(settings, sources_of(ctx)):
        typer.echo(line)


def shown_settings(settings: ServerSettings, sources: Mapping[str, str]) -> list[str]:
    """Return the settings as lines of a config file, with their sources as comments.

    Args:
        settings: The settings.
        sources: Where each value comes from, by field.
    """
    from atoll.server.domain.settings import option  # noqa: PLC0415

    lines = []
    for field in dataclasses.fields(settings):
        value = getattr(settings, field.name)
        if field.name == "limits":
            value = [f"{name}={rate}" for name, rate in value.items()]
        if field.metadata.get("secret"):
            value = _hidden(value)
        lines.append(f"{option(field)[2:]} = {_toml(value)}  # {sources[field.name]}")
    return lines


def _hidden(value: str) -> str:
    """Return a secret setting for people: of an address only the password is hidden."""
    scheme, slashes, rest = value.partition("://")
    if not slashes:
        return "***" if value else ""
    user, at, place = rest.rpartition("@")
    address = f"{user.partition(':')[0]}:***@{place}" if at and ":" in user else rest
    return f"{scheme}://{address.partition('?')[0]}"


def _toml(value: Any) -> str:
    """Return a value as TOML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_toml, value))}]"
    return str(value)


def _check(ctx: typer.Context, **given: Any) -> None:
    """Check the settings and the names of variables. Status 1 if anything is wrong."""
    from atoll.server.domain.settings import SettingError  # noqa: PLC0415

    try:
        settings_of(given)
    except SettingError as error:
        fail(str(error))
    unknown = unknown_variables(os.environ)
    for each in unknown:
        typer.echo(f"{each}: nothing reads this variable", err=True)
    if unknown:
        raise typer.Exit(1)
    given_by = [source for source in sources_of(ctx).values() if source != "default"]
    typer.echo(f"the settings are valid; {len(given_by)} differ from the defaults or are given")


config.command("show")(with_settings(_show))
config.command("check")(with_settings(_check))
