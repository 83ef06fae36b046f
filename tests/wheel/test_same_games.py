"""The compiled wheel plays the same games as the plain package, choice by choice.

`make wheeltest` runs the tests.
"""

import dataclasses
import functools
import importlib
import shutil
import subprocess
import sys
import types
from pathlib import Path
from typing import Any, get_type_hints

import msgspec
import pytest

import atoll
from atoll.engine.observation import ObservationEncoder, source_digest
from atoll.engine.state import declarations, field_types
from scripts import compile_wheel
from tests.wheel.games import ROOT, adding_alike, all_games, in_other_process, whole_game


@pytest.mark.wheel
@pytest.mark.parametrize("seed", range(3))
def test_compiled_games_are_the_same(seed: int) -> None:
    """Runs against the wheel: this process has the compiled package, another one the plain source."""
    where, *plain = in_other_process(ROOT / "src", seed)
    assert where.endswith("position.py")
    with adding_alike():
        assert list(all_games(seed)) == plain


@pytest.mark.wheel
@pytest.mark.parametrize("path", compile_wheel.sources(ROOT), ids=lambda path: f"{path.parent.name}.{path.stem}")
def test_is_compiled(path: Path) -> None:
    """Each of these modules is the compiled one, not its source."""
    name = ".".join(path.relative_to(ROOT / "src").with_suffix("").parts)
    command = [sys.executable, "-c", f"import importlib; print(importlib.import_module({name!r}).__file__)"]
    file = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    assert not file.endswith(".py")


def test_rules_and_states_of_all_games_are_compiled() -> None:
    """Every game's rules and state are among the modules, and nothing that a pattern of EXCLUDED names."""
    found = compile_wheel.sources(ROOT)
    for id in atoll.games:
        assert {"rules", "state"} <= {path.stem for path in found if path.parent.name == id}
        assert f"atoll.games.{id}.state" in compile_wheel.state_modules(ROOT)
    assert [path for path in found if path.stem in ("__init__", "component_schema")] == []


def test_new_module_is_compiled_unless_it_is_excluded(tmp_path: Path) -> None:
    """A module that is added to a game's package is found; one that a pattern of EXCLUDED matches isn't."""
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=lambda _, names: {"__pycache__", "nets", "words"} & {*names})
    before = compile_wheel.sources(tmp_path)
    for name in ("auctions", "component_loader"):
        path = tmp_path / "src" / "atoll" / "games" / "pearls" / f"{name}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text("")
    added = tmp_path / "src" / "atoll" / "games" / "pearls" / "auctions.py"
    assert compile_wheel.sources(tmp_path) == sorted([*before, added])
    (tmp_path / "src" / "atoll" / "engine" / "errors.py").unlink()
    with pytest.raises(ValueError, match=r"engine/errors: matches no module"):
        compile_wheel.sources(tmp_path)


def test_module_that_was_not_built_is_an_error() -> None:
    """The build names the modules that it should have compiled."""
    built = [f"atoll/engine/{name}.cpython-311.so" for name in ("driver", "segment")]
    paths = [ROOT / "src" / "atoll" / "engine" / f"{name}.py" for name in ("driver", "segment")]
    compile_wheel.require_all(paths, ROOT, built)
    with pytest.raises(ValueError, match=r"not compiled: .*segment\.py$"):
        compile_wheel.require_all(paths, ROOT, built[:1])


@pytest.mark.source
@pytest.mark.parametrize("name", compile_wheel.state_modules(ROOT))
def test_what_is_written_out_for_the_compiler(name: str) -> None:
    """It gives a state the types and copies that it has in Python."""
    module = types.ModuleType(name)
    exec(compile_wheel.written_out(name), vars(module))  # noqa: S102 - our own generated source
    plain = atoll.games[name.split(".")[2]].state_type
    written = vars(module)[plain.__name__]
    hints = field_types(plain)
    assert module.FIELD_TYPES[plain.__name__] == {field: hints[field] for field, _ in declarations(plain)}
    state = atoll.games[name.split(".")[2]].new(seed=1).state
    own: Any = written.__new__(written)
    for field in dataclasses.fields(state):
        setattr(own, field.name, getattr(state, field.name))
    own.components, own.options = state.components, state.options
    assert "clone" in vars(written)
    assert own.clone() == own
    hints = get_type_hints(vars(written.__base__)["components"].fget, vars(module))
    assert hints == {"return": type(state.components)}


@pytest.mark.wheel
@pytest.mark.parametrize("id", compile_wheel.game_ids(ROOT))
def test_observations_are_written_by_compiled_functions(id: str) -> None:
    game = atoll.games[id]
    for seats in game.seat_counts:
        write = ObservationEncoder(game, seats, game.resolve_options({}, seats))._write
        assert isinstance(write, functools.partial)
        assert not hasattr(write.func, "__code__")


@pytest.mark.source
@pytest.mark.parametrize("id", compile_wheel.game_ids(ROOT))
def test_functions_for_the_compiler_write_the_same_observations(id: str) -> None:
    module = types.ModuleType(id)
    exec(compile_wheel.observation_writers(id), vars(module))  # noqa: S102 - our own generated source
    game = atoll.games[id]
    assert len(module.WRITERS) == len(game.seat_counts)
    for seats in (game.seat_counts[0], game.seat_counts[-1]):
        encoder = ObservationEncoder(game, seats, game.resolve_options({}, seats))
        position = game.new(seats, seed=3)
        while not position.over and position.sequence < 60:
            plain, typed = encoder.blank(), encoder.blank()
            encoder.write(position, seats - 1, plain)
            encoder._write = functools.partial(
                module.WRITERS[source_digest(encoder.source)], tuple(encoder.tables.values())
            )
            encoder.write(position, seats - 1, typed)
            encoder._write = encoder._writer()
            assert plain == typed and any(plain)
            seat = position.to_move[0]
            position.apply(position.legal_choices(seat)[-1], seat)


@pytest.mark.source
def test_the_base_for_the_compiler_is_written_without_brackets() -> None:
    """The base isn't generic, but with brackets it is the same class.

    A derived class may narrow the type of the components.
    """
    module = types.ModuleType("atoll.engine.state")
    text = (ROOT / "src" / "atoll" / f"{compile_wheel.BASE}.py").read_text("utf-8")
    vars(module)["__package__"] = "atoll.engine"
    exec(compile_wheel.without_generics(text), vars(module))  # noqa: S102 - our own generated source
    base: Any = module.State
    assert base.__mro__ == (base, object)
    assert base[int] is base
    assert isinstance(vars(base)["components"], property)
    state = base()
    state.components = "components"
    assert state.components == "components"


@pytest.mark.source
@pytest.mark.parametrize("name", compile_wheel.struct_modules(ROOT))
def test_classes_for_the_compiler_are_made_as_the_structs_are(name: str) -> None:
    """By place and by name, with the same defaults; what has methods has them still."""
    plain = importlib.import_module(name)
    structs = [each for each in vars(plain).values() if isinstance(each, type) and issubclass(each, msgspec.Struct)]
    assert structs
    module = types.ModuleType(plain.__name__)
    text = Path(str(plain.__file__)).read_text("utf-8")
    exec(compile_wheel.without_structs(text), vars(module))  # noqa: S102 - our own generated source
    for struct in structs:
        own = vars(module)[struct.__name__]
        assert own.__mro__ == (own, object)
        assert {name for name in vars(struct) if not name.startswith("_")} <= {*vars(own), *struct.__struct_fields__}
        names = struct.__struct_fields__
        for count in range(len(names) - len(struct.__struct_defaults__), len(names) + 1):
            values = {name: [name] for name in names[:count]}
            expected = {name: getattr(struct(**values), name) for name in names}
            for made in (own(**values), own(*values.values())):
                assert {name: getattr(made, name) for name in names} == expected


def test_plain_games_are_told_alike_and_others_apart() -> None:
    """The comparison itself: two processes with the plain source agree, another seed tells something else."""
    game = atoll.games["atacama"]
    first, again, other = (list(whole_game(game, 2, {}, seed)) for seed in (1, 1, 2))
    assert first == again
    assert first != other
    assert any(line.startswith("play-out") for line in first)
