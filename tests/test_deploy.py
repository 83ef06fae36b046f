"""The files of deploy/: each names only what exists, and tools accept it where they are installed."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client import generate_latest

from atoll.cli.configuration import unknown_variables
from atoll.server.domain import metrics
from scripts import image

DEPLOY = Path(__file__).parents[1] / "deploy"
METRIC = re.compile(r"\b(?:atoll|process)_[a-z_]+\b")


def told_metrics() -> set[str]:
    """The names of all metrics, with their suffixes."""
    metrics.tell_build()
    text = generate_latest().decode()
    names = set(re.findall(r"^# TYPE (\S+) ", text, re.MULTILINE)) | set(
        re.findall(r"^([a-z_]+)[{ ]", text, re.MULTILINE)
    )
    return names | {f"{name}_bucket" for name in names if name.endswith("_seconds")}


def expressions() -> list[str]:
    board = json.loads((DEPLOY / "grafana.json").read_text())
    rules = yaml.safe_load((DEPLOY / "alerts.yaml").read_text())
    found = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    found += [each["query"] for each in board["templating"]["list"] if each["type"] == "query"]
    return [*found, *(rule["expr"] for group in rules["groups"] for rule in group["rules"])]


def test_the_dashboard_and_the_alerts_read_only_metrics_that_exist() -> None:
    named = {name for each in expressions() for name in METRIC.findall(each)}
    assert len(named) > 15
    assert named - told_metrics() == set()


def instructions() -> list[tuple[str, str]]:
    """The instructions of the Containerfile."""
    return image.instructions((DEPLOY / "Containerfile").read_text())


def test_the_image_runs_without_rights_and_copies_only_files_that_exist() -> None:
    found = instructions()
    last = len(found) - 1 - [name for name, _ in reversed(found)].index("FROM")
    stage = dict(found[last:])
    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", stage["USER"]), "a number, which Kubernetes can check"
    for name in ("ENTRYPOINT", "CMD"):
        assert isinstance(json.loads(stage[name]), list), "signals reach the server"
    assert json.loads(stage["HEALTHCHECK"].partition("CMD ")[2])[0] == "python"
    assert stage["VOLUME"] == stage["WORKDIR"] == "/data" and stage["STOPSIGNAL"] == "SIGTERM"
    environment = dict(each.split("=", 1) for each in stage["ENV"].split())
    assert unknown_variables(environment) == []
    for name, value in found:
        if name == "COPY" and "--from" not in value:
            for source in value.split()[:-1]:
                assert (DEPLOY.parent / source).exists(), source
        if name == "RUN":
            assert "apt-get install" not in value or "--no-install-recommends" in value
            shell = subprocess.run(["sh", "-n", "-c", value], capture_output=True, text=True, check=False)
            assert shell.returncode == 0, shell.stderr
    assert [value.split()[0] for name, value in found if name == "FROM"] == ["scratch", "debian", "debian"]


def test_services_are_read_only_and_get_secrets_as_files() -> None:
    stack: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    for name in ("atoll", "backup"):
        service = stack["services"][name]
        assert service["read_only"] and service["cap_drop"] == ["ALL"] and service["tmpfs"] == ["/tmp"]  # noqa: S108
        assert unknown_variables(service["environment"]) == []
        for variable, value in service["environment"].items():
            if variable.endswith("_FILE"):
                assert value.removeprefix("/run/secrets/") in service["secrets"]
                assert service["environment"].get(variable.removesuffix("_FILE"), "") == ""
    assert {each for service in stack["services"].values() for each in service.get("secrets", ())} == set(
        stack["secrets"]
    )
    assert "{$SITE}" in (DEPLOY / "Caddyfile").read_text() and "flush_interval -1" in (DEPLOY / "Caddyfile").read_text()


def test_pods_are_read_only_and_get_secrets_as_files() -> None:
    folder = DEPLOY / "kubernetes"
    kustomization = yaml.safe_load((folder / "kustomization.yaml").read_text())
    (file,) = kustomization["resources"]
    deployment, service = yaml.safe_load_all((folder / file).read_text())
    pod = deployment["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    assert pod["securityContext"]["runAsNonRoot"] and container["securityContext"]["readOnlyRootFilesystem"]
    environment = {each["name"]: each["value"] for each in container["env"]}
    assert unknown_variables(environment) == []
    (secret,) = kustomization["secretGenerator"]
    for variable, value in environment.items():
        if variable.endswith("_FILE"):
            assert Path(value).name in secret["files"]
            assert environment.get(variable.removesuffix("_FILE"), "") == ""
    mounts = {each["name"]: each["mountPath"] for each in container["volumeMounts"]}
    assert {Path(value).parent for name, value in environment.items() if name.endswith("_FILE")} == {
        Path(mounts["secrets"])
    }
    assert {each["name"] for each in pod["volumes"]} == set(mounts)
    assert service["spec"]["selector"] == deployment["spec"]["template"]["metadata"]["labels"]
    exposed = [value for name, value in instructions() if name == "EXPOSE"]
    assert [str(each["containerPort"]) for each in container["ports"]] == exposed


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd isn't installed")
def test_systemd_accepts_the_units(tmp_path: Path) -> None:
    units = sorted(DEPLOY.glob("*.service")) + sorted(DEPLOY.glob("*.timer"))
    for unit in units:
        text = unit.read_text()
        assert unknown_variables(dict.fromkeys(re.findall(r"^Environment=(\w+)=", text, re.MULTILINE), "")) == []
        (tmp_path / unit.name).write_text(text.replace("/opt/atoll/bin/atoll", "/bin/true"))
    paths = [str(tmp_path / unit.name) for unit in units]
    checked = subprocess.run(["systemd-analyze", "verify", *paths], capture_output=True, text=True, check=False)
    assert (checked.returncode, checked.stderr) == (0, "")
    rated = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--threshold=25", paths[-2]],
        capture_output=True,
        text=True,
        check=False,
    )
    assert rated.returncode == 0, rated.stdout[-300:]


def test_systemd_hears_when_the_server_is_ready(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import socket  # noqa: PLC0415

    from atoll.server.compose.systemd import notify_systemd  # noqa: PLC0415

    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        notify_systemd("READY=1")
        assert manager.recv(100) == b"READY=1"
    monkeypatch.setenv("NOTIFY_SOCKET", "@nobody-listens")
    notify_systemd("STOPPING=1")
    monkeypatch.delenv("NOTIFY_SOCKET")
    notify_systemd("READY=1")
