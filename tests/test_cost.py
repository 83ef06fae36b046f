"""`make cost`: counted work, its limits, and failures."""

from pathlib import Path

from benchmarks.cost import ALLOWED, compare, counted


def _kept(folder: Path, pid: int, name: str, count: int, total: int) -> None:
    (folder / f"{pid}.name").write_text(f"{count} {name}", "utf-8")
    (folder / str(pid)).write_text(f"desc: I1 cache\nevents: Ir\nfn=(0)\n1 {total}\nsummary: {total}\n", "ascii")


def test_what_everything_else_costs_is_taken_off(tmp_path: Path) -> None:
    _kept(tmp_path, 1, "nothing", 1, 1000)
    _kept(tmp_path, 2, "atua fork", 10, 1500)
    _kept(tmp_path, 3, "move", 4, 9000)
    _kept(tmp_path, 4, "move -", 0, 5000)
    assert counted(tmp_path) == {"atua fork": 50.0, "move": 1000.0}


def test_what_costs_more_than_it_may_is_named() -> None:
    kept = {"atua fork": 100.0, "atua decision": 10.0}
    assert not compare({"atua fork": 100.0 * ALLOWED, "atua decision": 9.0}, kept, {})
    assert compare({"atua fork": 104.0, "atua decision": 10.9}, kept, {}) == [
        "atua fork: 1.040 times the stored figure; allowed: 1.03",
        "atua decision: 1.090 times the stored figure; allowed: 1.03",
    ]


def test_what_has_a_ceiling_may_cost_what_it_wants_below_it() -> None:
    ceilings = {"move": 2000.0, "atua update bytes": 8192.0}
    assert not compare({"move": 2000.0, "atua update bytes": 5000.0}, {}, ceilings)
    assert compare({"move": 2001.0, "atua update bytes": 8200.0}, {}, ceilings) == [
        "move: 2,001; allowed: 2,000",
        "atua update bytes: 8,200; allowed: 8,192",
    ]


def test_what_was_never_measured_is_named() -> None:
    assert compare({"gin fork": 1.0}, {}, {}) == ["gin fork: no figure is stored; store one with --accept"]
