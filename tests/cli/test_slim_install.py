"""Without the extra `serve` everything but the table server works, and that says which extra it needs."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
GOLDEN: Final = next((ROOT / "tests" / "games" / "atacama" / "golden").glob("*.game"))

PROGRAM: Final = """
import importlib, pkgutil, sys

hidden = set(sys.argv[1].split(","))

class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in hidden:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Hidden())

import atoll
server = ("atoll.server", "atoll.store", "atoll.testing", "atoll.starter.package", "atoll.__main__",
          "atoll.cli.chance_keeper")
for each in pkgutil.walk_packages(atoll.__path__, "atoll.", onerror=lambda name: None):
    if not each.name.startswith(server):
        importlib.import_module(each.name)

from atoll.cli import main
def run(*arguments):
    sys.argv = ["atoll", *arguments]
    try:
        main.main()
    except SystemExit as end:
        print(*arguments[:1], end.code or 0, flush=True)

record = sys.argv[2]
run("simulate", "atacama", "--games", "1", "--workers", "1")
run("check", record)
for server in (["serve"], ["verify", record], ["export", "x"], ["import", record], ["restore", "--in-place"],
               ["admin", "link", "Ada"],
               ["keep", "http://localhost:1/t/x", "--token", "x"]):
    run(*server)
"""


def web_stack() -> list[str]:
    """Return the modules of the packages that only the extra `serve` brings."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]

    def names(requirements: list[str]) -> set[str]:
        found = {re.match(r"[\w.-]+", each) for each in requirements}
        return {re.sub(r"[-_.]+", "-", each[0]).lower() for each in found if each}

    extra = names(project["optional-dependencies"]["serve"]) - names(project["dependencies"])
    owners = packages_distributions().items()
    return [module for module, owned in owners if extra & {re.sub(r"[-_.]+", "-", each).lower() for each in owned}]


def test_only_the_table_server_needs_the_web_stack() -> None:
    hidden = web_stack()
    assert {"starlette", "uvicorn", "sqlalchemy"} <= set(hidden) and "jinja2" not in hidden
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM, ",".join(hidden), str(GOLDEN)], capture_output=True, text=True, check=False
    )
    ended = re.findall(r"^(\w+) (\d)$", ran.stdout, re.MULTILINE)
    server = ["serve", "verify", "export", "import", "restore", "admin", "keep"]
    assert ended == [("simulate", "0"), ("check", "0"), *((each, "1") for each in server)], ran.stderr
    said = ran.stderr.splitlines()
    assert len(said) == len(server), ran.stderr
    for line in said:
        assert re.fullmatch(
            r"atoll: this command needs the extra 'serve' \(\w+ is missing\): "
            r"pip install 'atoll\[serve\]', or '\.\[serve\]' in a clone",
            line,
        )
