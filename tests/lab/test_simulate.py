"""Series of games: the same whatever the number of workers, and continued where they were cut off."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import pytest

import atoll
from atoll.engine import record
from atoll.lab.plan import PlanError, SimulationPlan
from atoll.lab.play import play_game
from atoll.lab.results import ResultsError, ResultsFile, read, to_parquet
from atoll.lab.run import Batch, run
from atoll.lab.simulate import simulate

GAME = atoll.games["atacama"]


def plan(*bots: str, seats: int = 2, **more: object) -> SimulationPlan:
    return SimulationPlan.make(GAME, seats, {}, bots or ("random", "greedy"), **more)


def test_results_do_not_depend_on_the_number_of_workers(tmp_path: Path) -> None:
    files = []
    for workers in (1, 2):
        files.append(tmp_path / f"{workers}.jsonl")
        simulate(plan(used=True, decisions=True), 12, workers=workers, file=files[-1])
    assert files[0].read_bytes() == files[1].read_bytes()
    rows = list(read(files[0]))
    assert [row["number"] for row in rows if row["row"] == "game"] == list(range(12))


@pytest.mark.parametrize("cut", [0, 1, 300, 5000, 9000, 10**9])
def test_a_killed_run_is_continued_without_counting_a_game_twice(tmp_path: Path, cut: int) -> None:
    file, whole = tmp_path / "cut.jsonl", tmp_path / "whole.jsonl"
    simulate(plan(decisions=True), 5, workers=1, file=whole)
    file.write_bytes(whole.read_bytes()[:cut])
    summary = simulate(plan(decisions=True), 5, workers=1, file=file)
    assert file.read_bytes() == whole.read_bytes()
    assert summary.games == 5


@pytest.mark.parametrize("name", sorted(atoll.games))
def test_a_row_says_who_began_also_where_all_prepare_at_once(name: str) -> None:
    game = atoll.games[name]
    seats = 4
    begun = set()
    for number in range(12):
        rows = play_game(SimulationPlan.make(game, seats, {}, ("random",), records=True), number)
        position = record.from_text(atoll.games, rows[-1]["record"])
        start = next(event.fields["seat"] for event in position.events if event.key in ("start", "starts"))
        assert rows[-1]["first"] == start
        begun.add(start)
    assert len(begun) > 1


def test_a_finished_run_can_be_extended(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    simulate(plan(), 3, workers=1, file=file)
    watched: list[tuple[int, int]] = []
    summary = simulate(plan(), 5, workers=1, file=file, watch=lambda done, games: watched.append((done, games)))
    assert watched[0] == (3, 5)
    assert watched[-1] == (5, 5)
    assert summary.games == sum(row["row"] == "game" for row in read(file)) == 5


def test_a_bot_on_several_seats_plays_each_game_once() -> None:
    summary = simulate(plan("random", "random", "random", "greedy", seats=4), 12, workers=1)
    random, greedy = summary.by_bot["random"], summary.by_bot["greedy"]
    assert random.games == greedy.games == 12
    assert random.wins + greedy.wins == pytest.approx(12)
    assert 3 * random.points + greedy.points == pytest.approx(sum(each.points for each in summary.by_seat.values()))


def test_a_file_that_holds_more_than_was_asked_for_is_counted_as_far_as_that(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    simulate(plan(), 5, workers=1, file=file)
    before = file.read_bytes()
    summary = simulate(plan(), 3, workers=1, file=file)
    assert (summary.games, summary.beyond) == (3, 2)
    assert summary.decisions == simulate(plan(), 3, workers=1).decisions
    assert file.read_bytes() == before


def test_two_programs_do_not_write_into_one_file(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    told = {"row": "plan", "seed": 1}
    with ResultsFile(file, told) as one, ResultsFile(file, told) as two:
        one.add([{"row": "game", "number": 0}])
        with pytest.raises(ResultsError, match="another program writes to it"):
            two.add([{"row": "game", "number": 0, "longer": "than that of the other"}])
        one.add([{"row": "game", "number": 1}])
    assert [row.get("number") for row in read(file)] == [None, 0, 1]
    with ResultsFile(file, told) as three:
        assert three.games_done == 2


def test_a_file_of_another_plan_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    simulate(plan(), 1, workers=1, file=file)
    before = file.read_bytes()
    with pytest.raises(ResultsError, match="holds games of another plan: seed is 1 there, 2 here"):
        simulate(plan(seed=2), 1, workers=1, file=file)
    assert file.read_bytes() == before
    (tmp_path / "other").write_text('{"row":"game"}\n')
    with pytest.raises(ResultsError, match="the first line must be the plan"):
        simulate(plan(), 1, workers=1, file=tmp_path / "other")
    (tmp_path / "text").write_text("hello\n")
    with pytest.raises(ResultsError, match="line 1 isn't valid JSON"):
        simulate(plan(), 1, workers=1, file=tmp_path / "text")


def test_counts_and_shares_add_up() -> None:
    summary = simulate(plan("random"), 50, workers=1)
    assert summary.games == len(summary.decisions) == 50
    assert sum(tally.wins for tally in summary.by_seat.values()) == pytest.approx(50)
    assert summary.by_bot["random"].games == 50
    assert summary.by_bot["random"].wins == pytest.approx(50)
    assert summary.timed_decisions == sum(summary.decisions)


def test_bots_change_seats_from_game_to_game_unless_told_otherwise() -> None:
    rotating = plan("random", "greedy", seats=4)
    assert rotating.names(0) == ["random", "greedy", "random", "greedy"]
    assert rotating.names(1) == ["greedy", "random", "greedy", "random"]
    fixed = plan("random", "greedy", rotate=False)
    assert fixed.names(1) == ["random", "greedy"]


def test_a_row_tells_what_happened_in_the_game() -> None:
    *decisions, game = play_game(plan(used=True, decisions=True, records=True), 0)
    position = record.from_text(atoll.games, game["record"])
    assert position.over
    assert position.scores() == game["scores"]
    assert position.ranking() == game["places"]
    assert [sum(points.values()) for points in game["points"]] == game["scores"]
    assert len(decisions) == game["decisions"] == sum(choice >= 0 for choice, _, _ in position.record or ())
    assert [row["choice"] for row in decisions] == [
        position.text(choice) for who, choice, _ in position.record or () if who >= 0
    ]
    assert game["branching"] == pytest.approx(sum(row["options"] for row in decisions) / len(decisions), abs=1e-3)
    assert game["widest"] == max(row["options"] for row in decisions) == 81
    chosen = [sum(pair[1] for pair in pairs) for name, pairs in game["used"].items() if " field " in name]
    assert sum(chosen) == game["decisions"]
    assert game["used"]["place rig base"] == [[14, 14], [14, 14]]
    assert all(taken <= offered for pairs in game["used"].values() for offered, taken in pairs)


def test_the_same_game_is_played_watched_and_unwatched() -> None:
    (plain,) = play_game(plan("random"), 3)
    *_, watched = play_game(plan("random", used=True), 3)
    assert plain.items() <= watched.items()


def test_a_failure_names_the_game_and_its_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(GAME), "max_answers", 10)
    with pytest.raises(atoll.engine.RulesError, match=r"game 4 \(seed \d+, random, greedy\): more than \d+ decisions"):
        play_game(plan(), 4)


@pytest.mark.parametrize(("games", "workers"), [(0, 1), (5, -1)])
def test_impossible_runs_are_refused(games: int, workers: int) -> None:
    with pytest.raises(PlanError, match="allowed: "):
        simulate(plan(), games, workers=workers)


def test_batches_come_in_order_and_cover_every_game() -> None:
    found = [rows[-1]["number"] for batch, _ in run(plan("random"), range(3, 40), workers=2) for rows in batch]
    assert found == list(range(3, 40))


def quick(_: SimulationPlan, numbers: Sequence[int]) -> Batch:
    """Batches of one game each, which take no time."""
    return [[{"number": number}] for number in numbers], 1.0


def here(_: SimulationPlan, numbers: Sequence[int]) -> Batch:
    """Batches that take a millisecond a game, and tell which process has played them."""
    return [[{"process": os.getpid()}] for _ in numbers], len(numbers) / 1000


@pytest.mark.parametrize(("workers", "games", "elsewhere"), [(0, 500, False), (0, 5000, True), (2, 500, True)])
def test_processes_are_started_where_they_are_worth_it_or_asked_for(
    monkeypatch: pytest.MonkeyPatch, workers: int, games: int, elsewhere: bool
) -> None:
    monkeypatch.setattr("atoll.lab.run.workers_here", lambda: 2)
    batches = run(plan("random"), range(games), workers=workers, play=here)
    found = {row["process"] for batch, _ in batches for rows in batch for row in rows}
    assert (len(found) > 1) == elsewhere


def test_who_has_seen_enough_hears_nothing_of_what_was_called_back() -> None:
    heard: list[threading.ExceptHookArgs] = []
    before, threading.excepthook = threading.excepthook, heard.append
    try:
        for enough in range(3, 9):
            batches = run(plan("random"), range(1000), workers=2, play=quick)
            for _ in range(enough):
                next(batches)
            del batches
    finally:
        threading.excepthook = before
    assert heard == []


def test_parquet_holds_the_same_rows(tmp_path: Path) -> None:
    import polars  # noqa: PLC0415 - an extra

    file = tmp_path / "games.jsonl"
    simulate(plan(used=True, decisions=True), 3, workers=1, file=file)
    games, decisions = to_parquet(file)
    assert games.name == "games.games.parquet"
    frame = polars.read_parquet(games)
    rows = [row for row in read(file) if row["row"] == "game"]
    assert frame["scores"].to_list() == [row["scores"] for row in rows]
    assert json.loads(frame["used"][1]) == rows[1]["used"]
    assert len(polars.read_parquet(decisions)) == sum(row["decisions"] for row in rows)


in_proc = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks for the workers in /proc")
COMMANDS = ("simulate atacama --games 1000000", "train atacama --out {folder}")


def start(command: str, folder: Path) -> subprocess.Popen[str]:
    """Begin a series with two workers."""
    return subprocess.Popen(
        (sys.executable, "-m", "atoll", *command.format(folder=folder).split(), "--workers", "2"),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # noqa: PLW1509 - jobs in the background ignore it
    )


def workers(process: Path) -> list[Path]:
    """Each that was started, of all processes that the series has started."""
    threads = process.glob("task/*/children")
    started = [Path("/proc", pid) for each in threads for pid in each.read_text("ascii").split()]
    commands = [each.joinpath("cmdline").read_bytes() for each in started]
    return [each for each, said in zip(started, commands, strict=True) if b"spawn_main" in said]


@in_proc
@pytest.mark.parametrize("command", COMMANDS)
def test_who_stops_a_series_hears_nothing_of_its_workers(command: str, tmp_path: Path) -> None:
    running = start(command, tmp_path)
    process = Path(f"/proc/{running.pid}")

    def is_deaf(process: Path) -> bool:
        """Return whether a process ignores Ctrl+C."""
        ignored = process.joinpath("status").read_text("ascii").partition("SigIgn:")[2].split()[0]
        return bool(int(ignored, 16) >> (signal.SIGINT - 1) & 1)

    while running.poll() is None and (len(workers(process)) < 2 or is_deaf(process)):
        time.sleep(0.02)
    assert all(map(is_deaf, workers(process)))
    os.killpg(running.pid, signal.SIGINT)  # as a terminal does it: all of them get it
    said, _ = running.communicate()
    assert running.returncode == 130 and "Traceback" not in said, said


@in_proc
@pytest.mark.parametrize(("command", "end"), list(zip(COMMANDS, (signal.SIGTERM, signal.SIGKILL), strict=True)))
def test_workers_end_with_the_process_that_started_them(command: str, end: signal.Signals, tmp_path: Path) -> None:
    running = start(command, tmp_path)
    process = Path(f"/proc/{running.pid}")

    def play(worker: Path) -> bool:
        """Return whether a worker has used the processor for some time."""
        return int(worker.joinpath("stat").read_text("ascii").rpartition(")")[2].split()[11]) > 100

    while running.poll() is None and not (len(found := workers(process)) == 2 and all(map(play, found))):
        time.sleep(0.02)
    running.send_signal(end)
    try:
        said, _ = running.communicate(timeout=30)  # its workers have its output, too: it's closed when all have ended
    finally:
        for each in found:
            with suppress(ProcessLookupError):
                os.kill(int(each.name), signal.SIGKILL)
    assert running.returncode == -end, said
