"""Commands of the README and the docs.

Each block runs in the environment that the text states; commands in sentences exist.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import urllib.request
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any, Final

import pytest
from typer.main import get_command

from atoll.cli.main import app

ROOT = Path(__file__).parents[1]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(\S*)[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)

ELSEWHERE: Final = {"tutorial-add-a-game": "tests/test_guide.py"}
"""Pages whose commands another test runs."""

NOT_RUN: Final = {
    "make play": "makes the environment from the package index; it ends in `atoll serve --open`",
    "make docs": "`.ci/run` builds the site",
    "make test": "runs this test",
    'pip install "$(ls dist/atoll-*-cp*.whl)[serve]"': "needs the compiled wheel: `make wheeltest`",
    "atoll serve --public-url https://table.example.org --db postgresql://atoll@/atoll": "needs PostgreSQL",
    "atoll serve --db postgresql://atoll@pgbouncer:6432/atoll --db-listen postgresql://atoll@db:5432/atoll": (
        "needs PgBouncer"
    ),
    ".venv/bin/python -m examples.train_atacama play policy.joblib": "asks a person",
}
"""Commands that no test can run, and why."""

SMALLER: Final = {
    "--games 2000": "--games 6",
    "--games 8000": "--games 4",
    "--games 400": "--games 2",
    "--games 20 ": "--games 6 ",
    "--compare 20": "--compare 2",
    "--minutes 30": "--config training.toml --minutes 0.001 --matches 0",
    "gate atacama": "gate atacama --out levels.json --part 0.002 --seats 2",
    "--minutes 120": "--minutes 0.05",
    "tournament atacama": "tournament atacama --bots random,greedy",
    "--config training.toml --seed 7": "--config training.toml --seed 7 --minutes 0.001 --matches 0 --workers 1",
    "serve": "serve --port 0 --bot-workers 1",
    " --open": "",
}
"""Parts of commands that would take long, and what stands for them here."""

EVERYTHING: Final = ("atoll report", "atoll train", "atoll tune", "examples.")
"""Commands for which the text wants an extra. All others run with the packages of `make play` alone."""

HIDE: Final = """
import os, sys
class Hidden:
    names = frozenset(os.environ["HIDDEN"].split(","))
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in self.names:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Hidden())
"""


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def beyond_play() -> list[str]:
    """Return the modules that the environment of `make play` doesn't have."""
    lock = (ROOT / "requirements" / "core.txt").read_text("utf-8")
    there = {"atoll", *map(plain, re.findall(r"^([\w.-]+)==", lock, re.MULTILINE))}
    found = packages_distributions().items()
    return [module for module, owners in found if module.isidentifier() and there.isdisjoint(map(plain, owners))]


def commands() -> list[str]:
    found: list[str] = []
    for page in PAGES:
        if page.stem not in ELSEWHERE:
            blocks = BLOCK.findall(page.read_text("utf-8"))
            assert all(kind for kind, _ in blocks), f"{page.name}: name the language of each block, or text"
            lines = "".join(text for kind, text in blocks if kind == "sh").splitlines()
            found += filter(None, (line.partition(" # ")[0].strip() for line in lines))
    return found


def environment(command: str, home: Path) -> dict[str, str]:
    own = {key: value for key, value in os.environ.items() if not key.startswith("ATOLL_")}
    paths = [str(ROOT / "src"), str(ROOT)]
    if not any(each in command for each in EVERYTHING):
        paths.insert(0, str(home / "hide"))
    own |= {"PATH": f"{home}/.venv/bin{os.pathsep}{own['PATH']}", "PYTHONPATH": os.pathsep.join(paths)}
    return {**own, "HIDDEN": ",".join(beyond_play())}


def serve(command: str, home: Path) -> None:
    """Start a server, ask it for its first page, and end it."""
    with subprocess.Popen(
        ["bash", "-c", command],
        cwd=home,
        env=environment(command, home),
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as server:
        assert server.stderr is not None
        said: list[str] = []
        try:
            for line in server.stderr:
                said.append(line)
                if found := re.search(r"is open at http://[^/\s]+:(\d+)", line):
                    with urllib.request.urlopen(f"http://127.0.0.1:{found[1]}/") as page:
                        assert b"Atoll" in page.read()
                    break
            else:
                pytest.fail(f"{command}\n{''.join(said)}")
        finally:
            os.killpg(server.pid, signal.SIGTERM)


def smaller(command: str) -> str:
    """Return the command that runs instead of a command."""
    for part, shorter in SMALLER.items():
        command = command.replace(part, shorter)
    return command


def run(command: str, home: Path) -> None:
    if "game.json" in command:  # a table's file, which a person saves; a record is verified alike
        shutil.copy(next((home / "games").iterdir()), home / "game.json")
    if " serve " in command:
        serve(command, home)
        return
    ran = subprocess.run(
        ["bash", "-c", command], cwd=home, env=environment(command, home), capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, f"{command}\n{(ran.stdout + ran.stderr)[-3000:]}"


@pytest.mark.source
@pytest.mark.long
@pytest.mark.timeout(600)  # a dozen commands, each in a process of its own
@pytest.mark.skipif(not hasattr(os, "killpg"), reason="ends servers with their processes")
def test_commands_run_in_the_environment_that_the_text_says(tmp_path: Path) -> None:
    """One after the other in one folder: later ones read the files of earlier ones."""
    programs = tmp_path / ".venv" / "bin"
    programs.mkdir(parents=True)
    for name, arguments in (("atoll", "-m atoll"), ("python", "")):
        (programs / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {arguments} "$@"\n', "utf-8")
        (programs / name).chmod(0o755)
    (tmp_path / "hide").mkdir()
    (tmp_path / "hide" / "sitecustomize.py").write_text(HIDE, "utf-8")
    (tmp_path / "training.toml").write_text("games = 4\n", "utf-8")
    found = commands()
    assert not NOT_RUN.keys() - found, "these stand on no page"
    assert {"joblib", "polars", "pettingzoo"} <= set(beyond_play())
    assert all(any(part in command for command in found) for part in SMALLER), "nothing is made smaller for nothing"
    servers: set[str] = set()
    for command in (smaller(each) for each in found if each not in NOT_RUN):
        if " serve " in command:  # several pages start the same server, which changes nothing for later commands
            if command.removeprefix(".venv/bin/") in servers:
                continue
            servers.add(command.removeprefix(".venv/bin/"))
        run(command, tmp_path)


# -- commands in sentences -----------------------------------------------------------------------------------------

INLINE = re.compile(r"(?<!`)`((?:\.venv/bin/)?(?:atoll|make|python -m) [^`]+)`(?!`)")
NO_COMMANDS: Final = {
    "atoll 1": "the first line of a record",
    "atoll chance secret": "a name in the storage of browsers",
}
"""What begins like a command in a sentence and is something else."""


def sentences() -> list[tuple[Path, str]]:
    """Return the commands in sentences, each with its page."""
    found = []
    for page in PAGES:
        text = BLOCK.sub("", page.read_text("utf-8"))
        found += [(page, " ".join(each.split())) for each in INLINE.findall(text)]
    return found


def fault_of(command: str) -> str:
    """Return why a command in a sentence can't be given like that, or "" if it can. Nothing is run."""
    program, *words = shlex.split(command)
    if program == "make":
        return fault_of_make(words)
    if program.endswith("python"):
        return fault_of_module(words[1:])
    return fault_of_atoll(words)


def fault_of_make(words: list[str]) -> str:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = set(re.findall(r"^([\w-]+):", makefile, re.MULTILINE))
    variables = set(re.findall(r"\$\((\w+)\)", makefile))
    for word in words:
        name, equals, _ = word.partition("=")
        if name not in (variables if equals else targets):
            return f"{name}: no {'variable' if equals else 'target'} of the Makefile"
    return ""


def fault_of_module(words: list[str]) -> str:
    module, *rest = words
    found = importlib.util.find_spec(module)
    if found is not None and found.submodule_search_locations:
        found = importlib.util.find_spec(f"{module}.__main__")
    if found is None or found.origin is None:
        return f"{module}: no module"
    text = Path(found.origin).read_text("utf-8")
    missing = [word for word in rest if word.startswith("--") and f'"{word.partition("=")[0]}"' not in text]
    return f"{module} doesn't name {missing}" if missing else ""


@cache
def program() -> Any:
    """Return the command line, which takes a moment to set up."""
    return get_command(app)


def fault_of_atoll(words: list[str]) -> str:
    command = program()
    context = command.context_class(command, info_name="atoll")
    if "--plugin" in words:  # it may follow every command
        at = words.index("--plugin")
        del words[at : at + 2]
    while words and not words[0].startswith("-") and (find := getattr(command, "get_command", None)):
        name = words.pop(0)
        below = find(context, name)
        if below is None:
            return f"{name}: no command"
        command, context = below, below.context_class(below, info_name=name, parent=context)
    try:
        command.make_parser(context).parse_args(words)
    except Exception as error:
        return str(error)
    return ""


def test_commands_in_sentences_exist_with_their_options() -> None:
    found = sentences()
    texts = {command for _, command in found}
    assert len(texts) > 50
    assert NO_COMMANDS.keys() <= texts, "these stand on no page"
    faults = [
        f"{page.relative_to(ROOT)}: `{command}`: {fault}"
        for page, command in found
        if command not in NO_COMMANDS and (fault := fault_of(command))
    ]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize(
    "command",
    [
        "atoll nowhere",
        "atoll serve --nowhere",
        "atoll simulate atacama --games",
        "atoll admin nowhere",
        "make nowhere",
        "make test NOWHERE=1",
        "python -m scripts.nowhere",
        "python -m scripts.docs --nowhere",
    ],
)
def test_a_command_that_does_not_exist_is_found(command: str) -> None:
    assert fault_of(command)
