"""Compiles the engine, the rules, the search and the handling of a move with mypyc: `make wheel`.

It is a build hook of hatchling for wheels. It compiles the same source that otherwise runs in
Python. The source stays in the wheel next to the compiled modules, which Python prefers. Two kinds
of classes are compiled from a changed copy:

- States of games: a compiled class doesn't know the types of its lists' elements, and can't get
  methods at runtime. The types of the fields and `clone` are therefore written out.
- Requests of rules (`decisions`): in Python they are msgspec structs, the fastest classes to
  create. mypyc can't compile structs; a compiled class with an explicit `__init__` is several times
  faster still.

These are not compiled, because they rarely run or mypyc can't compile them: exceptions, the structs
that msgspec reads files into (`component_schema`), commands (dataclasses with slots whose person is
narrowed), and `Game`, the base class of games in Python.
"""

from __future__ import annotations

import ast
import contextlib
import shutil
import sys
from pathlib import Path
from typing import Any, Final, get_args

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

MODULES: Final = {
    "engine": (
        "chance decisions driver history picks position position_view redeal replay sealed seat segment stage state "
        "view vocabulary"
    ),
    "bots": "bot evaluation greedy search search_bot seeds",
    "server/domain": "limits",
    "server/table": "clock lifecycle live_table permissions",
    "server/play": "executor subscriptions table_lists table_updates table_views",
    "server/http": "connection_limits guard",
    "server/http/api": "operations",
    "games/atacama": "components evaluate kinds rules scoring state",
    "games/atlandice": "clock components districts evaluate kinds rules scoring searching state tile_effects",
    "games/atua": (
        "components evaluate faces faults geometry kinds lattice openings preparation rules scoring state strips "
        "windows"
    ),
    "games/raiatea": (
        "components effects evaluate feast kinds locations marketplace markets outlook own_turn rituals rules "
        "scoring state tane tasks"
    ),
    "games/wutaki": (
        "cards components evaluate game inventory kinds outlook pacts places preparation prices rules scoring state "
        "tokens upgrades verbs visits workers"
    ),
}
"""The compiled modules of each package in src/atoll."""


STATES: Final = tuple(f"games/{game}/state" for game in ("atacama", "atlandice", "atua", "raiatea", "wutaki"))
"""The compiled modules with the states of games."""
STRUCTS: Final = ("engine/decisions",)
"""The compiled modules with structs."""


def sources(root: Path) -> list[Path]:
    """Return the modules to compile."""
    package = root / "src" / "atoll"
    return [package / folder / f"{name}.py" for folder, names in MODULES.items() for name in names.split()]


def written_out(module: str) -> str:
    """Return the text of a module with types and `clone` of its states written out.

    Args:
        module: Name of the module, such as `atoll.games.atua.state`.
    """
    from importlib import import_module  # noqa: PLC0415 - for a plain wheel the requirements aren't installed

    from atoll.engine.state import State, declarations, field_types, state_clone_source  # noqa: PLC0415

    loaded = import_module(module)
    text = Path(str(loaded.__file__)).read_text(encoding="utf-8")
    classes = [node for node in ast.parse(text).body if isinstance(node, ast.ClassDef)]
    lines = text.splitlines()
    types: list[str] = []
    for node in reversed(classes):
        kind = getattr(loaded, node.name)
        if isinstance(kind, type) and issubclass(kind, State):
            method = [f"    {line}" if line else "" for line in state_clone_source(kind, compiled=True).splitlines()]
            lines[node.end_lineno : node.end_lineno] = ["", *method]
            hints = field_types(kind)
            shown = ", ".join(f"{field!r}: {_as_code(hints[field])}" for field, _ in declarations(kind))
            types.append(f"{node.name!r}: {{{shown}}}")
    lines += ["", f"FIELD_TYPES: dict[str, dict[str, object]] = {{{', '.join(types)}}}"]
    return _with_import("from atoll.engine.state import blank  # noqa", lines)


def without_structs(text: str) -> str:
    """Return the text of a module with each struct replaced by a class that mypyc can compile.

    A struct that the garbage collector ignores (`gc=False`) becomes an acyclic class. Defaults must
    be constants or `field(default_factory=...)`.
    """
    lines = text.splitlines()
    for node in reversed(ast.parse(text).body):
        if not isinstance(node, ast.ClassDef) or [ast.unparse(base) for base in node.bases] != ["msgspec.Struct"]:
            continue
        fields = [each for each in node.body if isinstance(each, ast.AnnAssign)]
        parameters, assignments = zip(*map(_parameter, fields), strict=True)
        head = f"    def __init__(self, {', '.join(parameters)}) -> None:"
        lines[fields[0].lineno - 1 : fields[-1].end_lineno] = [head, *(f"        {each}" for each in assignments)]
        acyclic = any(each.arg == "gc" and ast.unparse(each.value) == "False" for each in node.keywords)
        lines[node.lineno - 1] = f"@mypyc_attr(acyclic={acyclic})\nclass {node.name}:"
    return _with_import("from mypy_extensions import mypyc_attr", lines)


def _parameter(field: ast.AnnAssign) -> tuple[str, str]:
    """Return a field of a struct as a parameter of `__init__`, and its assignment."""
    name, hint = ast.unparse(field.target), ast.unparse(field.annotation)
    if field.value is None:
        return f"{name}: {hint}", f"self.{name}: {hint} = {name}"
    if isinstance(field.value, ast.Call):
        (factory,) = (ast.unparse(each.value) for each in field.value.keywords)
        return f"{name}: {hint} | None = None", f"self.{name}: {hint} = {factory}() if {name} is None else {name}"
    return f"{name}: {hint} = {ast.unparse(field.value)}", f"self.{name}: {hint} = {name}"


def _with_import(line: str, lines: list[str]) -> str:
    """Return the text of a module with an import before all others."""
    first = next(number for number, each in enumerate(lines) if each.startswith("from __future__")) + 1
    return "\n".join([*lines[:first], line, *lines[first:], ""])


def _as_code(hint: Any) -> str:
    """Return a type as an expression: `list[int]`."""
    return hint.__name__ if isinstance(hint, type) and not get_args(hint) else repr(hint)


def compile_all(root: Path) -> dict[str, str]:
    """Compile into `build`, and return the path in the wheel of each compiled file."""
    from mypyc.build import mypycify  # noqa: PLC0415 - for a plain wheel mypyc isn't installed
    from setuptools import Distribution  # noqa: PLC0415
    from setuptools.command.build_ext import build_ext  # noqa: PLC0415

    build = root / "build" / "wheel"
    tree = build / "source"
    shutil.rmtree(tree, ignore_errors=True)
    shutil.copytree(root / "src", tree / "src", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(root / "pyproject.toml", tree)
    sys.path.insert(0, str(root / "src"))
    for each in STATES:
        path = tree / "src" / "atoll" / f"{each}.py"
        path.write_text(written_out("atoll." + each.replace("/", ".")), encoding="utf-8")
    for each in STRUCTS:
        path = tree / "src" / "atoll" / f"{each}.py"
        path.write_text(without_structs(path.read_text(encoding="utf-8")), encoding="utf-8")
    with contextlib.chdir(tree):
        paths = [str(path) for path in sources(Path())]
        extensions = mypycify(paths, opt_level="3", debug_level="0", target_dir=str(build / "c"))
        command = build_ext(Distribution({"name": "atoll", "ext_modules": extensions}))
        command.build_lib = str(build / "lib")
        command.build_temp = str(build / "temp")
        command.finalize_options()
        command.run()
        return {path: str(Path(path).relative_to(command.build_lib)) for path in command.get_outputs()}


class CompiledWheel(BuildHookInterface[Any]):
    """The build hook that adds the compiled modules to the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the compiled modules, which makes the wheel specific to this Python and machine."""
        build_data["force_include"].update(compile_all(Path(self.root)))
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
