"""Compiles the engine, the rules, the search and the way of a move through the server with mypyc: `make wheel`.

It is a build hook of hatchling, for when a wheel is built. The same source is compiled that otherwise runs in Python;
it stays in the wheel beside the compiled modules, which Python prefers. Of two kinds of classes a copy is compiled:

- States of games: a compiled class doesn't know what its lists are made of, and can't get methods while it runs. So the
  types of the fields, and `clone`, are written out. It can't be generic either: the base of all, and the type of the
  Box of each, are written without brackets.
- What rules ask for (`decisions`): for Python these are msgspec's structs, as nothing is made faster there. mypyc can't
  compile them; a class of its own, with `__init__` written out, is made and read several times as fast still.

A new module of the packages in INCLUDED is compiled. The build fails if mypyc can't compile it: then the module belongs
into EXCLUDED, with the reason.
"""

from __future__ import annotations

import ast
import contextlib
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, get_args

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

INCLUDED: Final = (
    *("engine/*", "bots/*", "games/*/*", "server/table/*"),
    *("server/domain/limits", "server/http/api/operations", "server/http/connection_limits", "server/http/guard"),
    *("server/play/executor", "server/play/subscriptions", "server/play/table_lists", "server/play/table_updates"),
    "server/play/table_views",
)
"""Patterns of the modules that are compiled, below src/atoll; of the rest of the server only what each move runs."""
EXCLUDED: Final = {
    "Python runs a package itself": ("**/__init__",),
    "mypyc can't derive a class from one that is built in": ("engine/errors", "engine/words"),
    "mypyc can't compile `cls.__new__`": ("engine/script",),
    "mypyc drops the slots of a dataclass": (
        *("bots/advice", "bots/net", "bots/onehot", "bots/policy", "engine/observation", "engine/reasons"),
        *("engine/record", "engine/rules", "engine/save", "server/table/playback"),
    ),
    "msgspec makes its structs from data": (
        *("engine/components", "engine/rulebook", "games/*/component_schema", "games/*/view"),
        *("games/atlandice/effects", "server/table/game_verification", "server/table/takebacks"),
    ),
    "other packages derive classes from its classes": ("engine/game", "engine/options"),
    "its classes derive from classes in Python": ("bots/levels", "bots/master", "engine/start_player"),
    "runs once per process or game": (
        *("bots/shelf", "engine/clone", "engine/languages", "engine/registry", "engine/schema"),
        *("games/*/component_effects", "games/*/component_loader", "games/*/options", "games/*/rulebook"),
        "server/table/fair_chance",
    ),
    "runs once per page": (
        *("engine/seen", "games/*/describe", "games/*/outline", "games/*/picture", "games/*/reasons", "games/*/signs"),
        "games/*/tile_words",
    ),
}
"""Per reason the patterns of the modules that stay in Python."""
STATE: Final = "State"
BASE: Final = "engine/state"
"""The module with the base of all states."""
STRUCT: Final = "msgspec.Struct"


def sources(root: Path) -> list[Path]:
    """Return the modules that are compiled: all of INCLUDED but those of EXCLUDED.

    Raises:
        ValueError: If a pattern matches no module.
    """
    package = root / "src" / "atoll"

    def found(pattern: str) -> set[Path]:
        paths = set(package.glob(f"{pattern}.py"))
        if not paths:
            raise ValueError(f"{pattern}: matches no module below {package}")
        return paths

    excluded = [pattern for patterns in EXCLUDED.values() for pattern in patterns]
    return sorted(set().union(*map(found, INCLUDED)) - set().union(*map(found, excluded)))


def state_modules(root: Path) -> list[str]:
    """Return the compiled modules (`atoll.games.atua.state`) with the state of a game."""
    return _modules_with(STATE, root, sources(root))


def struct_modules(root: Path) -> list[str]:
    """Return the compiled modules with structs that are made in Python only, never from data: those of the engine."""
    return _modules_with(STRUCT, root, [path for path in sources(root) if path.parent.name == "engine"])


def _modules_with(base: str, root: Path, paths: Iterable[Path]) -> list[str]:
    """Return the names of the modules with a class that derives directly from `base`."""
    return [
        ".".join(path.relative_to(root / "src").with_suffix("").parts)
        for path in paths
        if any(
            isinstance(node, ast.ClassDef) and base in map(_base_name, node.bases)
            for node in ast.parse(path.read_text(encoding="utf-8")).body
        )
    ]


def _base_name(base: ast.expr) -> str:
    """Return the name of a base class, without its type arguments."""
    return ast.unparse(base.value if isinstance(base, ast.Subscript) else base)


def written_out(module: str) -> str:
    """The text of a module (`atoll.games.atua.state`), with what a compiled state must have written out."""
    from importlib import import_module  # noqa: PLC0415 - a plain wheel is built without the package's requirements

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
            _write_out_box(node, lines)
            hints = field_types(kind)
            shown = ", ".join(f"{field!r}: {_as_code(hints[field])}" for field, _ in declarations(kind))
            types.append(f"{node.name!r}: {{{shown}}}")
    lines += ["", f"FIELD_TYPES: dict[str, dict[str, object]] = {{{', '.join(types)}}}"]
    return _with_import("from typing import Any, cast\nfrom atoll.engine.state import blank", lines)


def _write_out_box(state: ast.ClassDef, lines: list[str]) -> None:
    """Change `class PearlsState(State[PearlsBox])` into a class of a base without brackets that has such a Box."""
    (generic,) = state.bases
    assert isinstance(generic, ast.Subscript)
    base, box = f"_{state.name}Base", ast.unparse(generic.slice)
    lines[state.lineno - 1] = f"class {state.name}({base}):"
    first = min([state.lineno, *(each.lineno for each in state.decorator_list)]) - 1
    lines[first:first] = [
        "@mypyc_attr(serializable=True, allow_interpreted_subclasses=True)",
        f"class {base}({ast.unparse(generic.value)}):",
        *_property("box", box),
        "",
        "",
    ]


def without_generics(text: str) -> str:
    """The text of a module with a class that isn't generic in place of each that is.

    With brackets it is the same class. It has no `__slots__`, which mean nothing to the compiler. An attribute whose
    type is a parameter is a property: only that can have a narrower type in a derived class.
    """
    lines = text.splitlines()
    for node in reversed(ast.parse(text).body):
        bases = [ast.unparse(base) for base in node.bases] if isinstance(node, ast.ClassDef) else []
        if not isinstance(node, ast.ClassDef) or not bases or not bases[0].startswith("Generic["):
            continue
        parameters = bases[0].removeprefix("Generic[").removesuffix("]").split(", ")
        lines[node.end_lineno : node.end_lineno] = [
            "",
            "    @classmethod",
            "    def __class_getitem__(cls, types: object) -> object:",
            "        return cls",
        ]
        for each in reversed(node.body):
            if isinstance(each, ast.AnnAssign) and ast.unparse(each.annotation) in parameters:
                name = ast.unparse(each.target)
                lines[each.lineno - 1 : each.lineno] = [f"    _{name}: Any", *_property(name, "Any")]
            elif isinstance(each, ast.Assign) and ast.unparse(each.targets[0]) == "__slots__":
                del lines[each.lineno - 1]
        lines[node.lineno - 1] = f"class {node.name}:"
    return "\n".join([*lines, ""])


def _property(name: str, type: str) -> list[str]:
    """The lines of a property with a setter, for what is stored with a _ in front of its name."""
    return [
        "    @property",
        f"    def {name}(self) -> {type}:",
        f"        return cast({type}, self._{name})" if type != "Any" else f"        return self._{name}",
        "",
        f"    @{name}.setter",
        f"    def {name}(self, {name}: Any) -> None:",
        f"        self._{name} = {name}",
    ]


def without_structs(text: str) -> str:
    """The text of a module with a class that mypyc can compile in place of each struct.

    A struct that the garbage collector doesn't look at (`gc=False`) stays one. Of its defaults only constants and
    `field(default_factory=...)` are known.
    """
    lines = text.splitlines()
    for node in reversed(ast.parse(text).body):
        if not isinstance(node, ast.ClassDef) or [ast.unparse(base) for base in node.bases] != [STRUCT]:
            continue
        fields = [each for each in node.body if isinstance(each, ast.AnnAssign)]
        parameters, assignments = zip(*map(_parameter, fields), strict=True)
        head = f"    def __init__(self, {', '.join(parameters)}) -> None:"
        lines[fields[0].lineno - 1 : fields[-1].end_lineno] = [head, *(f"        {each}" for each in assignments)]
        acyclic = any(each.arg == "gc" and ast.unparse(each.value) == "False" for each in node.keywords)
        lines[node.lineno - 1] = f"@mypyc_attr(acyclic={acyclic})\nclass {node.name}:"
    return _with_import("from mypy_extensions import mypyc_attr", lines)


def _parameter(field: ast.AnnAssign) -> tuple[str, str]:
    """A field of a struct as a parameter of `__init__`, and how it is set there."""
    name, hint = ast.unparse(field.target), ast.unparse(field.annotation)
    if field.value is None:
        return f"{name}: {hint}", f"self.{name}: {hint} = {name}"
    if isinstance(field.value, ast.Call):
        (factory,) = (ast.unparse(each.value) for each in field.value.keywords)
        return f"{name}: {hint} | None = None", f"self.{name}: {hint} = {factory}() if {name} is None else {name}"
    return f"{name}: {hint} = {ast.unparse(field.value)}", f"self.{name}: {hint} = {name}"


def _with_import(line: str, lines: list[str]) -> str:
    """The text of a module with an import before all others."""
    first = next(number for number, each in enumerate(lines) if each.startswith("from __future__")) + 1
    return "\n".join([*lines[:first], line, *lines[first:], ""])


def _as_code(hint: Any) -> str:
    """A type as an expression: `list[int]`."""
    return hint.__name__ if isinstance(hint, type) and not get_args(hint) else repr(hint)


def compile_all(root: Path) -> dict[str, str]:
    """Compile below `build`; per compiled file its place in the wheel."""
    from mypyc.build import mypycify  # noqa: PLC0415 - a plain wheel is built without them
    from setuptools import Distribution  # noqa: PLC0415
    from setuptools.command.build_ext import build_ext  # noqa: PLC0415

    build = root / "build" / "wheel"
    tree = build / "source"
    shutil.rmtree(tree, ignore_errors=True)
    shutil.copytree(root / "src", tree / "src", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(root / "pyproject.toml", tree)
    sys.path.insert(0, str(root / "src"))
    for module in state_modules(root):
        _path_of(module, tree).write_text(written_out(module), encoding="utf-8")
    base = tree / "src" / "atoll" / f"{BASE}.py"
    base.write_text(without_generics(base.read_text(encoding="utf-8")), encoding="utf-8")
    for module in struct_modules(root):
        path = _path_of(module, tree)
        path.write_text(without_structs(path.read_text(encoding="utf-8")), encoding="utf-8")
    with contextlib.chdir(tree):
        paths = [str(path) for path in sources(Path())]
        extensions = mypycify(paths, opt_level="3", debug_level="0", target_dir=str(build / "c"))
        command = build_ext(Distribution({"name": "atoll", "ext_modules": extensions}))
        command.build_lib = str(build / "lib")
        command.build_temp = str(build / "temp")
        command.finalize_options()
        command.run()
        built = {path: str(Path(path).relative_to(command.build_lib)) for path in command.get_outputs()}
    require_all(sources(root), root, built.values())
    return built


def _path_of(module: str, root: Path) -> Path:
    """Return the file of a module in a source tree."""
    return (root / "src").joinpath(*module.split(".")).with_suffix(".py")


def require_all(paths: Iterable[Path], root: Path, built: Iterable[str]) -> None:
    """Raise ValueError if a module was to be compiled and isn't among the files that were built."""
    there = {file.partition(".")[0] for file in built}
    missing = [path for path in paths if str(path.relative_to(root / "src").with_suffix("")) not in there]
    if missing:
        raise ValueError(f"not compiled: {', '.join(map(str, missing))}")


class CompiledWheel(BuildHookInterface[Any]):
    """See the module."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Put the compiled modules into the wheel, which is then for this Python and machine only."""
        build_data["force_include"].update(compile_all(Path(self.root)))
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
