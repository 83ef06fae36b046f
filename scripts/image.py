"""Runs the steps of deploy/Containerfile without a container, and the image that they make.

    deploy/rootfs.sh                             # build/rootfs.tar
    sudo .venv/bin/python -m scripts.image FOLDER

It needs root, for chroot and mounts. With --plain the wheel isn't compiled, which takes minutes.

Each stage is a folder below FOLDER, which must not exist yet. Commands run in it by `chroot`. The
image is then started as its user, with everything but its volume and /tmp read-only. Its health
check must pass, and its stop signal must end it.

Variables of proxies, certificates and pip are passed on. Steps may read the paths of --share,
for example a package index on this machine.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
_PASSED_ON: Final = re.compile(r"(?i)(https?|no|all)_proxy|PIP_.*|SSL_CERT_.*|\w+_CA_BUNDLE")
_HEALTHY_S: Final = 120.0
_STOPPED_S: Final = 30.0
_NEW_MOUNTS: Final = 0x20000
"""The flag CLONE_NEWNS of `unshare`."""
_COMPILED: Final = "HATCH_BUILD_HOOK_ENABLE_CUSTOM=true "


class StepError(Exception):
    """A step fails, or the image doesn't do what it should."""


@dataclass
class Stage:
    """A stage of the Containerfile.

    Attributes:
        root: Its root folder.
        environment: Variables of ENV and ARG.
        workdir: Folder in which commands run.
        user: User and group of the image.
        volume: Folder that the image writes to.
        stop: Signal that stops the image.
        health: Command of the health check.
        entrypoint: First part of the image's command.
        command: The other part.
    """

    root: Path
    environment: dict[str, str] = field(default_factory=dict)
    workdir: str = "/"
    user: str = "0:0"
    volume: str = ""
    stop: str = "SIGTERM"
    health: list[str] = field(default_factory=list)
    entrypoint: list[str] = field(default_factory=list)
    command: list[str] = field(default_factory=list)

    def at(self, path: str) -> Path:
        """Return the place of a path in the stage."""
        return self.root / os.path.normpath(f"{self.workdir}/{path}" if not path.startswith("/") else path).lstrip("/")

    def variables(self) -> dict[str, str]:
        """Return the variables of a command."""
        passed = {name: value for name, value in os.environ.items() if _PASSED_ON.fullmatch(name)}
        return {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", **passed, **self.environment}

    def chroot(self, command: list[str], user: str = "0:0") -> list[str]:
        """Return the command line that runs a command in the stage."""
        script = f"cd {shlex.quote(self.workdir)} && exec {shlex.join(command)}"
        program = shutil.which("chroot") or "/usr/sbin/chroot"  # it isn't on the path of the image
        return [program, f"--userspec={user}", str(self.root), "/bin/sh", "-c", script]


def instructions(text: str) -> list[tuple[str, str]]:
    """Return the instructions of a Containerfile, with continued lines joined."""
    joined = re.sub(r"\\\n\s*", " ", text)
    lines = [line for line in joined.splitlines() if line and not line.startswith("#")]
    return [(line.split()[0], line.partition(" ")[2].strip()) for line in lines]


class Build:
    """The stages that were made so far.

    Args:
        folder: Folder of the stages.
        shared: Paths of this machine that steps see.
        plain: Whether the wheel isn't compiled.
    """

    def __init__(self, folder: Path, shared: list[Path], *, plain: bool) -> None:
        self._folder: Path = folder
        self._shared: list[Path] = shared
        self._plain: bool = plain
        self._stages: dict[str, Stage] = {}

    def run(self, steps: list[tuple[str, str]]) -> Stage:
        """Run all steps, and return the last stage."""
        stage = Stage(self._folder)
        for name, value in steps:
            print(f"{name} {value[:90]}", flush=True)
            if name == "FROM":
                stage = self._begin(value)
            elif name == "RUN":
                self._run(stage, value)
            elif name in ("COPY", "ADD"):
                self._copy(stage, value)
            elif name in ("ENV", "ARG"):
                for each in shlex.split(value):
                    key, _, given = each.partition("=")
                    stage.environment[key] = given
            elif name == "WORKDIR":
                stage.workdir = value
                stage.at(value).mkdir(parents=True, exist_ok=True)
            elif name == "HEALTHCHECK":
                stage.health = json.loads(value.partition("CMD ")[2])
            elif name in ("ENTRYPOINT", "CMD"):
                setattr(stage, "entrypoint" if name == "ENTRYPOINT" else "command", json.loads(value))
            elif name in ("USER", "VOLUME", "STOPSIGNAL"):
                setattr(stage, {"STOPSIGNAL": "stop"}.get(name, name.lower()), value)
            elif name != "EXPOSE":
                raise StepError(f"unknown instruction {name}")
        return stage

    def _begin(self, value: str) -> Stage:
        """Return a new stage, which begins as another one or as an empty folder."""
        base, _, name = value.partition(" AS ")
        stage = Stage(self._folder / (name or "image"))
        if base == "scratch":
            stage.root.mkdir(parents=True)
        else:
            subprocess.run(["cp", "-a", "--reflink=auto", str(self._stages[base].root), str(stage.root)], check=True)
        self._stages[name] = stage
        return stage

    def _copy(self, stage: Stage, value: str) -> None:
        """Copy files of the project or of another stage; an archive is extracted."""
        words = value.split()
        options = dict(each.removeprefix("--").split("=", 1) for each in words if each.startswith("--"))
        *sources, target = [each for each in words if not each.startswith("--")]
        place = stage.at(target)
        for source in sources:
            file = self._stages[options["from"]].at(source) if "from" in options else ROOT / source
            if file.suffix == ".tar":
                subprocess.run(["tar", "-xf", str(file), "-C", str(place), "--numeric-owner"], check=True)
                continue
            to = place / file.name if target.endswith("/") and file.is_file() else place
            to.parent.mkdir(parents=True, exist_ok=True)
            if file.is_dir():
                shutil.copytree(file, to, symlinks=True, dirs_exist_ok=True)
            else:
                shutil.copy2(file, to)
            if "chown" in options:
                subprocess.run(["chown", "-R", options["chown"], str(to)], check=True)

    def _run(self, stage: Stage, value: str) -> None:
        """Run a command of a shell, as root."""
        if self._plain:
            value = value.replace(_COMPILED, "")
        mounted = [*_mount_system(stage.root), *(_bind(each, stage.root, "ro") for each in self._shared)]
        try:
            command = stage.chroot(["/bin/sh", "-c", value])
            if subprocess.run(command, env=stage.variables(), check=False).returncode:
                raise StepError(f"RUN {value} failed")
        finally:
            for each in reversed(mounted):
                subprocess.run(["umount", "--lazy", str(each)], check=True)


def _keep_mounts_to_itself() -> None:
    """Give this process a mount namespace of its own, which ends with it."""
    if ctypes.CDLL(None).unshare(_NEW_MOUNTS):
        raise OSError("no mount namespace")
    subprocess.run(["mount", "--make-rprivate", "/"], check=True)


def _bind(path: Path, root: Path, mode: str = "rw") -> Path:
    """Mount a path of this machine at the same place of a stage.

    Args:
        path: The path.
        root: Root folder of the stage.
        mode: "ro" if the stage may only read it.

    Returns:
        The place.
    """
    place = root / str(path).lstrip("/")
    if path.is_dir():
        place.mkdir(parents=True, exist_ok=True)
    else:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.touch()
    subprocess.run(["mount", "--bind", str(path), str(place)], check=True)
    subprocess.run(["mount", "-o", f"remount,bind,{mode}", str(place)], check=True)
    return place


def _mount_system(root: Path) -> list[Path]:
    """Mount what a container has: devices, processes and the addresses of name servers."""
    return [_bind(Path(each), root) for each in ("/dev", "/proc", "/etc/resolv.conf")]


def serve(image: Stage) -> None:
    """Start the image read-only, check its health, and stop it.

    Args:
        image: The last stage.

    Raises:
        StepError: If it isn't healthy in time, or fails when it is stopped.
    """
    for option in (["--bind"], ["-o", "remount,bind,ro"]):
        subprocess.run(["mount", *option, str(image.root), str(image.root)], check=True)
    _mount_system_read_only(image)
    process = subprocess.Popen(image.chroot([*image.entrypoint, *image.command], image.user), env=image.environment)
    until = time.monotonic() + _HEALTHY_S
    check = image.chroot(image.health, image.user)
    while subprocess.run(check, env=image.environment, capture_output=True, check=False).returncode:
        if process.poll() is not None or time.monotonic() > until:
            process.kill()
            raise StepError("the image isn't healthy")
        time.sleep(1)
    stop = signal.Signals[image.stop]
    process.send_signal(stop)
    status = process.wait(_STOPPED_S)
    if status not in (0, -stop):  # the server raises the signal again when it has ended its work
        raise StepError(f"the image ended with status {status}")


def _mount_system_read_only(image: Stage) -> None:
    """Mount devices and processes in a read-only image, and the folders that it may write to."""
    for each in ("/dev", "/proc"):
        subprocess.run(["mount", "--bind", each, str(image.root) + each], check=True)
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", str(image.at("/tmp"))], check=True)  # noqa: S108
    user, _, group = image.user.partition(":")
    owner = f"mode=700,uid={user},gid={group}"
    subprocess.run(["mount", "-t", "tmpfs", "-o", owner, "tmpfs", str(image.at(image.volume))], check=True)


def main() -> None:
    """Run the steps and the image."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="folder of the stages; must not exist yet")
    parser.add_argument("--plain", action="store_true", help="don't compile the wheel")
    parser.add_argument(
        "--share", type=Path, action="append", default=[], help="path of this machine that steps may read"
    )
    arguments = parser.parse_args()
    if os.geteuid():
        parser.error("it needs root, for chroot and mounts")
    if arguments.folder.exists():
        parser.error(f"{arguments.folder} exists: expected a new folder")
    _keep_mounts_to_itself()
    steps = instructions((ROOT / "deploy" / "Containerfile").read_text("utf-8"))
    try:
        image = Build(arguments.folder.resolve(), arguments.share, plain=arguments.plain).run(steps)
        serve(image)
    except StepError as error:
        sys.exit(str(error))
    print("the image is healthy and stops")


if __name__ == "__main__":
    main()
