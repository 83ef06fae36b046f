"""The commands, each as a person would call it, with what goes wrong and its exit status."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from atoll import games
from atoll.bots.gates import read_gates
from atoll.cli import main as cli
from atoll.engine import record
from tests.cli.command import Atoll

GOLDEN = Path(__file__).parent.parent / "games" / "atacama" / "golden"
COMMANDS = (
    "serve",
    "simulate",
    "dataset",
    "datasets",
    "tournament",
    "ladder",
    "gate",
    "train",
    "report",
    "experiment",
    "replay",
    "check",
    "export",
    "import",
    "bench",
)


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_is_given_for_every_command(atoll: Atoll, command: str) -> None:
    ended = atoll(*filter(None, [command]), "--help")
    assert ended.status == 0
    assert ended.out.startswith("Usage: atoll" + f" {command}".rstrip())
    if not command:
        assert all(f"\n  {each} " in ended.out for each in COMMANDS)


def test_nothing_heavy_is_imported_for_help() -> None:
    heavy = {"numpy", "polars", "sqlalchemy", "starlette", "rich", "babel"}
    code = f"import sys; from atoll.cli import main; print({heavy!r} & set(sys.modules))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "set()\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["simulate", "chess"], "unknown game 'chess'; known: "),
        (["simulate", "atacama", "--seats", "3"], "atacama can't be played with 3 seats; allowed: 2, 4"),
        (["simulate", "atacama", "--options", "tactic"], "options 'tactic': write NAME=VALUE"),
        (["simulate", "atacama", "--options", "tactics=1"], "unknown option 'tactics'; known: setup, tactic"),
        (["simulate", "atacama", "--options", "tactic=perhaps"], "option 'tactic': 'perhaps' isn't allowed"),
        (["simulate", "atacama", "--options", "setup=basic,setup=enhanced"], "option 'setup' is given twice"),
        (["simulate", "atacama", "--records", __file__], f"{__file__} is a file; name a folder"),
        (["simulate", "atacama", "--bots", "genius"], "unknown bot 'genius' for atacama; known: random, greedy"),
        (
            ["simulate", "atacama", "--bots", "random,random,random"],
            "3 bots for 2 seats; allowed: at most one per seat",
        ),
        (["simulate", "atacama", "--engine", "abacus"], "unknown engine 'abacus'; allowed: local, ray"),
        (["simulate", "atacama", "--decisions"], "--decisions and --parquet need --json FILE"),
        (["simulate", "atacama", "--components", "none.toml"], "none.toml: can't be read (No such file or directory)"),
        (["dataset", "atacama", "--out", __file__], f"{__file__} is a file; name a folder"),
        (["train", "atacama", "--out", __file__], f"{__file__} is a file; name a folder"),
        (["tournament", "atacama", "--json", __file__], f"{__file__} is a file; name a folder"),
        (["ladder", "atacama", "--json", f"{__file__}/on"], f"{__file__} is a file; name a folder"),
        (["replay", "none.game"], "No such file or directory: none.game"),
        (["replay", GOLDEN / "basic_tactic.game", "--seat", "3"], "invalid seat 3: expected 1 to 2"),
        (["replay", GOLDEN / "basic_tactic.game", "--seat", "0"], "invalid seat 0: expected 1 to 2"),
        (["replay", GOLDEN / "basic_tactic.game", "--language", "fr"], "unknown language 'fr'; known: en, de"),
    ],
    ids=str,
)
def test_what_is_wrong_is_told_in_one_line(atoll: Atoll, arguments: list[object], message: str) -> None:
    ended = atoll(*arguments)
    assert ended.status == 1
    assert ended.err.startswith(f"atoll: {message}")
    assert ended.err.count("\n") == 1
    assert ended.out == ""


def test_a_missing_argument_is_a_usage_error(atoll: Atoll) -> None:
    assert atoll("simulate").status == 2


def test_no_time_can_be_negative(atoll: Atoll) -> None:
    for minutes in ("-1", "nan"):
        assert atoll("tournament", "atacama", "--bots", "random,greedy", "--minutes", minutes).status == 2


@pytest.mark.parametrize("number", ["inf", "-inf", "nan"])
@pytest.mark.parametrize(
    "arguments",
    [
        ("simulate", "atacama", "--games", "1", "--seconds"),
        ("tournament", "atacama", "--bots", "random,greedy", "--seconds"),
        ("tournament", "atacama", "--bots", "random,greedy", "--minutes"),
        ("tournament", "atacama", "--bots", "random,greedy", "--goal"),
        ("ladder", "atacama", "--bots", "random,greedy", "--seconds"),
        ("gate", "atacama", "--part"),
        ("gate", "atacama", "--minutes"),
        ("train", "atacama", "--out", "nowhere", "--minutes"),
        ("bench", "atacama", "--seconds"),
    ],
    ids=lambda each: f"{each[0]} {each[-1]}",
)
def test_a_number_without_an_end_is_a_usage_error(arguments: tuple[str, ...], number: str, atoll: Atoll) -> None:
    ended = atoll(*arguments, number)
    assert ended.status == 2
    assert f"Invalid value for '{arguments[-1]}'" in ended.err


@pytest.mark.parametrize("command", ["tournament", "ladder", "simulate"])
def test_names_of_bots_may_have_spaces_between(command: str, atoll: Atoll) -> None:
    ended = atoll(command, "atacama", "--bots", "random, greedy", "--games", "2", "--workers", "1")
    assert ended.err == ""
    assert "greedy" in ended.out


def test_simulate_tells_who_won_and_keeps_a_row_per_game(atoll: Atoll, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    common = ["simulate", "atacama", "--bots", "random,greedy", "--workers", "1", "--json", file]
    ended = atoll(*common, "--games", 4, "--options", "setup=enhanced,tactic=true")
    assert ended.status == 0
    assert "greedy" in ended.out
    assert "4 games, " in ended.out
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    assert rows[0]["options"] == {"setup": "enhanced", "tactic": True, "start_player": "random"}
    assert [row["bots"] for row in rows[1:]] == [["random", "greedy"], ["greedy", "random"]] * 2


def test_simulated_records_can_be_checked_and_replayed(atoll: Atoll, tmp_path: Path) -> None:
    assert atoll("simulate", "atacama", "--games", 3, "--workers", 1, "--records", tmp_path).status == 0
    ended = atoll("check", tmp_path)
    assert (ended.status, ended.out) == (0, "3 games, 0 different\n")
    ended = atoll("replay", tmp_path / "atacama_1_0.game")
    assert ended.out.startswith("Atacama, 2 seats\n   1  Chance: Start player")
    assert "\nPlace 1: Seat " in ended.out


def test_simulated_records_are_verified_without_a_word_that_is_untrue(atoll: Atoll, tmp_path: Path) -> None:
    assert atoll("simulate", "atacama", "--games", 1, "--workers", 1, "--records", tmp_path).status == 0
    ended = atoll("verify", tmp_path / "atacama_1_0.game")
    assert ended.status == 0
    assert "  ? Open: nothing contradicts it, but evidence is missing.\n" in ended.out
    assert "doesn’t say how chance was fixed: programs played the game, or it was imported.\n" in ended.out


def test_the_table_of_a_simulation_counts_seats_as_all_words_do(atoll: Atoll) -> None:
    out = atoll("simulate", "atacama", "--games", 2, "--workers", 1).out
    seats = out[out.index("seat ") :].splitlines()[2:4]
    assert [line.split()[1] for line in seats] == ["1", "2"]


@pytest.mark.parametrize(
    ("command", "module", "where"),
    [
        (("simulate", "--json"), "simulate", "kept.jsonl"),
        (("ladder", "--bots", "random,greedy", "--json"), "series", "kept"),
        (("tournament", "--bots", "random,greedy", "--json"), "series", "kept"),
        (("dataset", "--bots", "greedy", "--out"), "dataset", "kept"),
        (("train", "--minutes", "1", "--out"), "training", "kept"),
    ],
    ids=lambda each: each[0] if isinstance(each, tuple) else None,
)
def test_who_stops_a_series_hears_what_is_kept_and_how_it_goes_on(
    command: tuple[str, ...], module: str, where: str, atoll: Atoll, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_args: object, **_more: object) -> None:
        raise KeyboardInterrupt

    name = "worker_pool" if module == "training" else "run"
    monkeypatch.setattr(f"atoll.lab.{module}.{name}", stop)
    first, *more = command
    path = tmp_path / where
    ended = atoll(first, "atacama", *more, path, "--workers", 1)
    assert ended.status == 130
    stored = f"results so far are stored in {path}, and the same command continues there"
    assert ended.err == f"atoll: interrupted; {stored}\n"


def test_who_stops_a_series_that_keeps_nothing_hears_no_more(atoll: Atoll, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_args: object, **_more: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("atoll.lab.simulate.run", stop)
    ended = atoll("simulate", "atacama")
    assert ended.status == 130
    assert "kept" not in ended.err


@pytest.mark.parametrize("name", ["nowhere_at_all", "nowhere.at_all", "json.nowhere", "", ".json", "sub/file.py"])
def test_a_plugin_that_is_not_there_is_refused(name: str, atoll: Atoll, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.path", [*sys.path])
    monkeypatch.setenv("ATOLL_PLUGINS", "")
    ended = atoll("games", "--plugin", name)
    assert ended.status == 2
    assert f"module {name!r} isn't in the current folder and isn't installed" in " ".join(ended.err.split())
    assert os.environ["ATOLL_PLUGINS"] == ""


@pytest.mark.parametrize("command", ["serve", "games"])
def test_help_of_a_command_tells_of_plugins(command: str, atoll: Atoll) -> None:
    assert "--plugin MODULE" in atoll(command, "--help").out


def test_check_prints_the_first_difference_of_each_game(atoll: Atoll, tmp_path: Path) -> None:
    text = (GOLDEN / "basic_tactic.game").read_text()
    (tmp_path / "good.game").write_text(text)
    (tmp_path / "scores.game").write_text(text.replace("scores ", "scores 1"))
    (tmp_path / "damaged.game").write_text("atoll 1\nnothing\n")
    ended = atoll("check", tmp_path)
    assert ended.status == 1
    lines = ended.out.splitlines()
    assert lines[0] == f"{tmp_path / 'damaged.game'}: not a record of a game: the line 'game' is missing"
    assert lines[1].startswith(f"{tmp_path / 'scores.game'}: scores: recorded [")
    assert lines[2] == "3 games, 2 different"


@pytest.mark.parametrize("encoding", ["cp850", "cp437", "latin-1", "cp1252"])
def test_a_console_that_cannot_show_a_letter_shows_another(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, encoding: str
) -> None:
    position = games["wutaki"].new(2, seed=1)
    for _ in range(40):
        position.apply(position.legal_choices(position.to_move[0])[0], position.to_move[0])
    (tmp_path / "x.game").write_text(record.write(position), "utf-8")
    screen = io.TextIOWrapper(io.BytesIO(), encoding)
    monkeypatch.setattr("sys.stdout", screen)
    monkeypatch.setattr("sys.argv", ["atoll", "replay", str(tmp_path / "x.game")])
    with pytest.raises(SystemExit) as end:
        cli.main()
    screen.flush()
    shown = screen.buffer.getvalue().decode(encoding)
    assert end.value.code in (0, None) and len(shown) > 1000


def test_replay_speaks_german_and_can_be_stepped(atoll: Atoll, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    ended = atoll("replay", GOLDEN / "enhanced.game", "--language", "de")
    assert ended.out.startswith("Atacama, 2 Plätze\n   1  Zufall: ")
    keys = tmp_path / "keys"
    keys.write_text("\n\nq\n")
    with keys.open() as stdin:
        monkeypatch.setattr("sys.stdin", stdin)
        ended = atoll("replay", GOLDEN / "enhanced.game", "--step", "--seat", 1)
    assert ended.out.startswith("Atacama, 2 seats (Seat 1)\n")
    assert ended.out.splitlines()[-2].startswith("   3  ")


def test_bench_measures_every_figure(atoll: Atoll) -> None:
    ended = atoll("bench", "atacama", "--seconds", 0.01, "--json")
    (line,) = ended.out.splitlines()
    found = json.loads(line)
    assert found["game"] == "atacama"
    assert found["seats"] == 2
    rates = {key: value for key, value in found.items() if key not in ("game", "seats")}
    assert set(rates) >= {"decisions", "games", "recorded", "forks", "samples", "views", "searches"}
    assert all(rate > 10 for rate in rates.values())


def test_records_go_into_a_database_and_out_of_it(atoll: Atoll, tmp_path: Path) -> None:
    db = f"sqlite:///{tmp_path}/games.db"
    files = [GOLDEN / "enhanced.game", GOLDEN / "four_players.game"]
    ended = atoll("import", *files, "--db", db)
    assert ended.status == 0
    tables = ended.out.split()
    assert len(tables) == 2
    for table, file in zip(tables, files, strict=True):
        assert atoll("export", table, "--db", db).out == file.read_text()
    copy = tmp_path / "copy.game"
    assert atoll("export", tables[0], "--db", db, "-o", copy).status == 0
    assert copy.read_text() == files[0].read_text()
    ended = atoll("export", "nowhere", "--db", db)
    assert (ended.status, ended.err) == (1, "atoll: table 'nowhere' isn't in this database\n")
    ended = atoll("export", "nowhere", "--db", "csv:///x")
    assert (ended.status, ended.err) == (
        1,
        "atoll: 'csv' isn't supported; allowed: sqlite:///FILE, postgresql://USER:PASSWORD@HOST:PORT/NAME\n",
    )


def test_tournament_says_by_its_status_whether_all_is_settled(atoll: Atoll, tmp_path: Path) -> None:
    ended = atoll("tournament", "atacama", "--bots", "random,greedy", "--workers", 1, "--json", tmp_path / "games")
    assert ended.status == 0
    assert "yes" in ended.out
    ended = atoll("tournament", "atacama", "--bots", "random,greedy", "--workers", 1, "--games", 2)
    assert ended.status == 1
    assert "not decided" in ended.out


def test_report_and_experiment_write_their_files(atoll: Atoll, tmp_path: Path) -> None:
    rows, html = tmp_path / "games.jsonl", tmp_path / "games.html"
    assert atoll("simulate", "atacama", "--games", 5, "--workers", 1, "--json", rows).status == 0
    ended = atoll("report", rows, "-o", html)
    assert (ended.status, ended.out) == (0, f"page: {html}\n")
    assert "<h1>Atacama: 5 games</h1>" in html.read_text()
    grid = tmp_path / "grid.toml"
    grid.write_text(
        'game = "atacama"\ngames = 3\nbots = ["random"]\n[[vary]]\noption = "tactic"\nvalues = [false, true]'
    )
    ended = atoll("experiment", grid, "--json", tmp_path / "cells", "--workers", 1)
    assert ended.status == 0
    assert "tactic = true" in ended.out
    assert len(list((tmp_path / "cells").iterdir())) == 2


def test_a_dataset_is_written_and_goes_on(atoll: Atoll, tmp_path: Path) -> None:
    arguments = ("dataset", "atacama", "--games", 2, "--bots", "random", "--workers", 1, "--out", tmp_path / "set")
    ended = atoll(*arguments)
    assert (ended.status, ended.err) == (0, "")
    assert ended.out.startswith("2 games, ")
    assert json.loads((tmp_path / "set" / "plan.json").read_text("utf-8"))["game"] == "atacama"
    before = (tmp_path / "set" / "README.md").read_bytes()
    assert atoll(*arguments).out == ended.out
    assert (tmp_path / "set" / "README.md").read_bytes() == before
    ended = atoll(*arguments, "--seed", 3)
    assert (ended.status, ended.err.count("\n")) == (1, 1)
    assert "holds another dataset: seed is 1 there, 3 here" in ended.err


def test_the_command_plans_plays_and_writes(atoll: Atoll, tmp_path: Path) -> None:
    common = ["gate", "atacama", "--levels", "casual", "--seats", 2, "--out", tmp_path / "levels.json"]
    ended = atoll(*common, "--plan")
    assert ended.status == 0
    assert "hours" in ended.out
    ended = atoll(*common, "--json", tmp_path / "games", "--workers", 1)
    assert ended.status == 0
    assert "yes" in ended.out
    assert read_gates(tmp_path / "levels.json", games["atacama"]).matches[0].verdict == "above"
    assert atoll("gate", "atacama", "atua", "--out", tmp_path / "levels.json").status == 2
