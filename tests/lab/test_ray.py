"""On a Ray cluster the same games are played. Ray is an extra: `make` environments without it skip this."""

from pathlib import Path

import pytest

import atoll
from atoll.lab.plan import SimulationPlan
from atoll.lab.simulate import simulate

GAME = atoll.games["atacama"]


def test_results_equal_the_local_ones(tmp_path: Path) -> None:
    pytest.importorskip("ray", reason="needs the extra atoll[ray]")
    files = []
    for engine, workers in (("local", 1), ("ray", 2)):
        files.append(tmp_path / f"{engine}.jsonl")
        plan = SimulationPlan.make(GAME, 2, {}, ("random", "greedy"), used=True)
        simulate(plan, 30, workers=workers, engine=engine, file=files[-1])
    assert files[0].read_bytes() == files[1].read_bytes()
