"""Compiles the engine, the rules, the search and the handling of a move with mypyc: `make wheel`.

It is a build hook of hatchling for wheels. It compiles the same source that otherwise runs in
Python. The source stays in the wheel next to the compiled modules, which Python prefers. Two kinds
of classes are compiled from a changed copy:

- States of games: a compiled class doesn't know the types of its lists' elements, and can't get
  methods at runtime. The types of the fields and `clone` are therefore written out. It can't be
  generic either: the base class and the type of the components are written without brackets.
- Requests of rules (`decisions`): in Python they are msgspec structs, the fastest classes to
  create. mypyc can't compile structs. A compiled class with an explicit `__init__` is several times
  faster still.

Each game's package gets a module more, with the functions that write observations. In Python they
are generated when they are needed.

A new module of the packages in INCLUDED is compiled. If mypyc can't compile it, the build fails;
add the module to EXCLUDED then, with the reason.
"""

from __future__ import annotations

import ast
import contextlib
import os
import shutil
import subprocess
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
"""Patterns of the modules to compile in src/atoll.

Of most server packages, only the modules that every move runs are included.
"""
EXCLUDED: Final = {
    "Python runs a package itself": ("**/__init__",),
    "mypyc can't derive a class from one that is built in": ("engine/errors", "engine/translations"),
    "mypyc can't compile `cls.__new__`": ("engine/scripted_game",),
    "mypyc drops the slots of a dataclass": (
        *("bots/advice", "bots/one_hot", "bots/policy", "bots/value_net", "engine/observation", "engine/reasons"),
        *("engine/record", "engine/rules", "engine/save", "server/table/playback"),
    ),
    "msgspec makes its structs from data": (
        *("engine/component_schema", "engine/rulebook", "games/*/component_schema", "games/*/view"),
        *("games/atlandice/effects", "server/table/chance_verdict"),
        *("server/table/game_verification", "server/table/takebacks"),
    ),
    "other packages derive classes from its classes": ("engine/game", "engine/options"),
    "its classes derive from classes in Python": ("bots/levels", "bots/master", "engine/start_player"),
    "runs once per process or game": (
        *("bots/bundled_nets", "bots/gates", "engine/clone", "engine/component_changes", "engine/languages"),
        "engine/registry",
        "engine/schema",
        *("games/*/component_effects", "games/*/component_loader", "games/*/options", "games/*/rulebook"),
        *("server/table/chance_protocol", "server/table/chance_rounds", "server/table/chance_source"),
    ),
    "runs once per page": (
        *(
            "engine/explain_context",
            "games/*/describe",
            "games/*/outline",
            "games/*/picture",
            "games/*/reasons",
            "games/*/signs",
        ),
        "games/*/tile_texts",
    ),
}
"""Reason -> patterns of the modules that stay in Python."""
STATE: Final = "State"
BASE: Final = "engine/state"
"""The module with the base class of all states."""
STRUCT: Final = "msgspec.Struct"


def sources(root: Path) -> list[Path]:
    """Return the modules to compile: all of INCLUDED except those of EXCLUDED.

    Args:
        root: Root of the repository.

    Raises:
        ValueError: If a pattern matches no module.
    """
    package = root / "src" / "atoll"

    def found(pattern: str) -> set[Path]:
        """Return the modules that match a pattern."""
        paths = set(package.glob(f"{pattern}.py"))
        if not paths:
            raise ValueError(f"{pattern}: matches no module below {package}")
        return paths

    excluded = [pattern for patterns in EXCLUDED.values() for pattern in patterns]
    return sorted(set().union(*map(found, INCLUDED)) - set().union(*map(found, excluded)))


def state_modules(root: Path) -> list[str]:
    """Return the compiled modules with the state of a game, such as `atoll.games.atua.state`."""
    return _modules_with(STATE, root, sources(root))


def game_ids(root: Path) -> list[str]:
    """Return the ids of the games in the package."""
    return [module.split(".")[2] for module in state_modules(root)]


def struct_modules(root: Path) -> list[str]:
    """Return the compiled modules with structs that are only created in Python, never from data.

    These are modules of the engine.
    """
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
            _write_out_base(node, lines)
            hints = field_types(kind)
            shown = ", ".join(f"{field!r}: {_as_code(hints[field])}" for field, _ in declarations(kind))
            types.append(f"{node.name!r}: {{{shown}}}")
    lines += ["", f"FIELD_TYPES: dict[str, dict[str, object]] = {{{', '.join(types)}}}"]
    return _with_import("from typing import Any, cast\nfrom atoll.engine.state import new_without_init", lines)


def observation_writers(game_id: str) -> str:
    """Return the text of the module that writes the observations of a game."""
    import atoll  # noqa: PLC0415 - for a plain wheel the requirements aren't installed
    from atoll.engine.observation import ObservationEncoder, source_digest, typed_source  # noqa: PLC0415

    game = atoll.games[game_id]
    functions, entries = [], []
    for seats in game.seat_counts:
        encoder = ObservationEncoder(game, seats, game.resolve_options({}, seats))
        functions.append(typed_source(encoder, f"write_{seats}"))
        entries.append(f"    {source_digest(encoder.source)!r}: write_{seats},")
    state = game.state_type
    return "\n".join(
        [
            "from __future__ import annotations",
            "from typing import Any, Final",
            f"from {state.__module__} import {state.__name__}",
            "",
            *functions,
            "WRITERS: Final[dict[str, Any]] = {",
            *entries,
            "}",
            "",
        ]
    )


def _write_out_base(state: ast.ClassDef, lines: list[str]) -> None:
    """Replace the generic base of a state by a base class with a typed components property.

    `class PearlsState(State[PearlsComponents])` becomes `class PearlsState(_PearlsStateBase)`.
    """
    (generic,) = state.bases
    assert isinstance(generic, ast.Subscript)
    base, components = f"_{state.name}Base", ast.unparse(generic.slice)
    lines[state.lineno - 1] = f"class {state.name}({base}):"
    first = min([state.lineno, *(each.lineno for each in state.decorator_list)]) - 1
    lines[first:first] = [
        "@mypyc_attr(serializable=True, allow_interpreted_subclasses=True)",
        f"class {base}({ast.unparse(generic.value)}):",
        *_property("components", components),
        "",
        "",
    ]


def without_generics(text: str) -> str:
    """Return the text of a module with each generic class replaced by one that isn't generic.

    The class with brackets is the class itself. `__slots__` are removed, because they have no
    meaning in compiled classes. An attribute whose type is a parameter becomes a property, because
    only a property can have a narrower type in a derived class.
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
    """Return the lines of a property with a setter, stored under its name with a leading `_`."""
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
    """Return the text of a module with each struct replaced by a class that mypyc can compile.

    A struct that the garbage collector ignores (`gc=False`) becomes an acyclic class. Defaults must
    be constants or `field(default_factory=...)`.
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
    for module in state_modules(root):
        _path_of(module, tree).write_text(written_out(module), encoding="utf-8")
    for game_id in game_ids(root):
        path = _path_of(f"atoll.games.{game_id}.observation_writers", tree)
        path.write_text(observation_writers(game_id), encoding="utf-8")
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
    """Check that all modules were compiled.

    Args:
        paths: Modules that should be compiled.
        root: Root of the repository.
        built: Compiled files, relative to the library folder.

    Raises:
        ValueError: If a module is missing.
    """
    there = {file.partition(".")[0] for file in built}
    missing = [path for path in paths if str(path.relative_to(root / "src").with_suffix("")) not in there]
    if missing:
        raise ValueError(f"not compiled: {', '.join(map(str, missing))}")


def commit_file(root: Path) -> dict[str, str]:
    """Write the commit and its date to a file, and return where the wheel has it.

    The variable `ATOLL_COMMIT` names them where git can't, for example in a container.

    Args:
        root: Root of the repository.

    Returns:
        The file and its path in the wheel; nothing if the commit is unknown.
    """
    text = os.environ.get("ATOLL_COMMIT", "")
    if not text and (root / ".git").exists():
        command = ["git", "-C", str(root), "log", "-1", "--format=%h %cs"]
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    if not text:
        return {}
    file = root / "build" / "commit.txt"
    file.parent.mkdir(exist_ok=True)
    file.write_text(text, "ascii")
    return {str(file): "atoll/commit.txt"}


class CompiledWheel(BuildHookInterface[Any]):
    """The build hook that adds the compiled modules to the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the compiled modules, which makes the wheel specific to this Python and machine."""
        build_data["force_include"].update(compile_all(Path(self.root)))
        build_data["force_include"].update(commit_file(Path(self.root)))
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
