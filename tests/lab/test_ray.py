"""On a Ray cluster the same games are played. Ray is an extra: without it this is skipped."""

from __future__ import annotations

import os
import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import atoll
from atoll.bots.value_net import LAYERS, read
from atoll.engine import RulesError
from atoll.lab.plan import SimulationPlan
from atoll.lab.run import worker_pool
from atoll.lab.selfplay import TrainingConfig
from atoll.lab.simulate import simulate
from atoll.lab.training import Training

GAME = atoll.games["atacama"]
TOKEN = secrets.token_hex(32)
pytestmark = pytest.mark.xdist_group("ray")  # only one cluster at a time


@pytest.fixture(autouse=True)
def own_token(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clusters of these tests have a token of their own, which nobody else knows."""
    monkeypatch.setenv("RAY_AUTH_MODE", "token")
    monkeypatch.setenv("RAY_AUTH_TOKEN", TOKEN)


@pytest.fixture
def cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a head that runs on this machine, as an operator starts one."""
    pytest.importorskip("ray", reason="needs the extra atoll[ray]")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = ["ray", "start", "--head", "--block", "--node-ip-address=127.0.0.1", f"--port={port}", "--num-cpus=2"]
    command += ["--include-dashboard=false", "--disable-usage-stats"]
    command[0] = str(Path(sys.executable).with_name("ray"))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with (
        (tmp_path / "head.log").open("w") as log,
        subprocess.Popen(command, env=environment, stdout=log, stderr=log, start_new_session=True) as head,
    ):
        try:
            for _ in range(600):
                if "Ray runtime started" in (tmp_path / "head.log").read_text("utf-8"):
                    break
                assert head.poll() is None, (tmp_path / "head.log").read_text("utf-8")
                time.sleep(0.1)
            monkeypatch.setenv("RAY_ADDRESS", f"127.0.0.1:{port}")
            yield f"127.0.0.1:{port}"
        finally:
            head.terminate()  # a head that blocks ends all its processes
            head.wait(60)


def length(numbers: list[int]) -> int:
    return len(numbers)


def fails(text: str) -> None:
    raise RulesError(text)


@pytest.mark.long
def test_a_cluster_that_runs_already_plays_and_trains_the_same(cluster: str, tmp_path: Path) -> None:
    files, nets = [], []
    config = TrainingConfig("atacama", 2, hidden=(8, 4), games=3, batch=32, every=1, memory=1000)
    for engine, workers in (("local", 1), ("ray", 2)):
        files.append(tmp_path / f"{engine}.jsonl")
        plan = SimulationPlan.make(GAME, 2, {}, ("random", "greedy"), used=True)
        simulate(plan, 12, workers=workers, engine=engine, file=files[-1])
        for _ in Training(GAME, config, tmp_path / engine).rounds(0, 1, engine):
            pass
        nets.append(read(tmp_path / engine / "net.npz"))
    assert files[0].read_bytes() == files[1].read_bytes()
    assert all((nets[0][name] == nets[1][name]).all() for name in LAYERS)
    with worker_pool("ray", 0) as pool:
        assert pool.size == 2
        with pytest.raises(RulesError, match=r"^no idea$"):
            pool.submit(fails, "no idea").result()


def test_a_cluster_is_started_if_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ray", reason="needs the extra atoll[ray]")
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    with worker_pool("ray", 1) as pool:
        assert pool.size == 1
        assert pool.submit(length, pool.share([1, 2])).result() == 2
