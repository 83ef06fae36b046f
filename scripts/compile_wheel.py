"""Compiles the engine, the rules and the search with mypyc while a wheel is built: `make wheel`.

It is a build hook of hatchling. The same source is compiled that otherwise runs in Python; it stays in the wheel beside
the compiled modules, which Python prefers. Not compiled is what is rarely run, and what mypyc can't do: exceptions and
msgspec's structs (`decisions`, `components`), and `Game`, from which games in Python derive.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

MODULES: Final = {
    "engine": "chance position redeal seat stage state view vocabulary",
    "bots": "bot evaluation greedy search seeds",
    "games/atacama": "evaluate kinds rules scoring state",
    "games/atlandice": "evaluate kinds rules scoring state",
    "games/atua": "evaluate geometry kinds rules scoring state",
    "games/raiatea": "effects evaluate feast kinds locations markets rituals rules scoring state tane tasks",
    "games/wutaki": (
        "cards entries evaluate game inventory kinds pacts places rules scoring state tokens upgrades verbs workers"
    ),
}
"""Per package below src/atoll what is compiled."""


def sources(root: Path) -> list[Path]:
    """The modules that are compiled."""
    package = root / "src" / "atoll"
    return [package / folder / f"{name}.py" for folder, names in MODULES.items() for name in names.split()]


def compile_all(root: Path) -> dict[str, str]:
    """Compile below `build`; per compiled file its place in the wheel."""
    from mypyc.build import mypycify  # noqa: PLC0415 - a plain wheel is built without them
    from setuptools import Distribution  # noqa: PLC0415
    from setuptools.command.build_ext import build_ext  # noqa: PLC0415

    build = root / "build" / "wheel"
    paths = [str(path.relative_to(root)) for path in sources(root)]
    extensions = mypycify(paths, opt_level="3", debug_level="0", target_dir=str(build / "c"))
    command = build_ext(Distribution({"name": "atoll", "ext_modules": extensions}))
    command.build_lib = str(build / "lib")
    command.build_temp = str(build / "temp")
    command.finalize_options()
    command.run()
    return {path: str(Path(path).relative_to(command.build_lib)) for path in command.get_outputs()}


class CompiledWheel(BuildHookInterface[Any]):
    """See the module."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Put the compiled modules into the wheel, which is then for this Python and machine only."""
        build_data["force_include"].update(compile_all(Path(self.root)))
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
