"""Levels are offered where they beat the one below, and the results can be trusted and continued."""

from __future__ import annotations

import importlib
import json
import logging
from pathlib import Path
from random import Random

import pytest

import atoll
from atoll import bots
from atoll.bots import gates as gates_module
from atoll.bots.gates import GateMatch, Gates, find_gates, gates_file, read_gates
from atoll.bots.levels import LEVELS, offered_levels
from atoll.engine import SeatCountError, SeatView
from atoll.lab import run as run_module
from atoll.lab.gate import Gate, write_gates
from atoll.lab.plan import PlanError
from atoll.lab.statistics import MeanTest, confidence_sequence

GAME = atoll.games["atacama"]
ATUA = atoll.games["atua"]


def fresh() -> Gates:
    return Gates(GAME.components_hash, GAME.rules_version)


def match(lower: str, higher: str, seats: int = 2, low: float = 0.6, high: float = 0.9, games: int = 40) -> GateMatch:
    return GateMatch(seats, lower, higher, games, (low + high) / 2, low, high, 1, {}, {}, "0.1", "2026-11-28")


def names(*matches: GateMatch, seats: int = 2, trained: bool = True) -> list[str]:
    gates = fresh()
    gates.matches = list(matches)
    return [level.name for level in offered_levels(gates, seats, trained=trained)]


# -- which levels are offered ----------------------------------------------------------------------


def test_what_is_not_measured_yet_is_offered_as_before() -> None:
    assert names() == ["beginner", "casual", "strong", "expert", "master"]
    assert names(trained=False) == ["beginner", "casual", "strong", "expert"]
    assert names(match("strong", "expert", low=0.4, high=0.7, games=199))[3] == "expert", "it isn't decided yet"


@pytest.mark.parametrize(("low", "high", "games"), [(0.2, 0.5, 30), (0.45, 0.6, 200), (0.1, 0.3, 12)])
def test_a_level_that_is_not_ahead_is_not_offered(low: float, high: float, games: int) -> None:
    missed = match("casual", "strong", low=low, high=high, games=games)
    assert names(missed) == ["beginner", "casual", "expert", "master"]
    # The next level then has to beat the one below the level that isn't offered.
    assert names(missed, match("casual", "expert", low=0.3, high=0.45)) == ["beginner", "casual", "master"]
    assert names(missed, match("strong", "expert", low=0.3, high=0.45))[2] == "expert"


def test_numbers_of_seats_between_take_their_nearest_neighbour() -> None:
    few, most = match("casual", "strong", 2, 0.2, 0.4), match("casual", "strong", 6)
    found = {seats: "strong" in names(few, most, seats=seats) for seats in range(1, 7)}
    assert found == {1: False, 2: False, 3: False, 4: False, 5: True, 6: True}, "of two the lower one counts"


@pytest.fixture
def refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Strong isn't offered in Atacama with two seats."""
    found = Gates(GAME.components_hash, GAME.rules_version)
    found.matches = [match("casual", "strong", 2, 0.2, 0.4), match("casual", "strong", 4)]
    module = importlib.import_module("atoll.bots.levels")  # `bots.levels` is the function
    monkeypatch.setattr(module, "find_gates", lambda game: found if game.id == "atacama" else fresh())


@pytest.mark.usefixtures("refused")
def test_lists_of_levels_know_the_number_of_seats() -> None:
    assert "strong" not in bots.level_names(GAME, 2)
    assert "strong" in bots.level_names(GAME, 4)
    assert "strong" in bots.level_names(GAME)
    assert "strong" in bots.level_names(ATUA, 2)
    view = SeatView(position := GAME.new(2, seed=1), position.to_move[0])
    assert bots.bot(GAME, "strong", iterations=10).choose(view, 1.0, 1)[0] in view.legal, "running tables continue"


def test_every_file_of_a_package_fits_its_game_and_is_in_the_docs() -> None:
    page = (Path(__file__).parents[2] / "docs/study/explanation-bots.md").read_text("utf-8")
    for game in atoll.games.values():
        file = gates_file(game)
        assert file is not None
        if not file.is_file():
            continue
        found = read_gates(file, game)
        printed = json.loads(file.read_bytes())
        assert (printed["components"], printed["rules_version"]) == (game.components_hash, game.rules_version)
        for each in found.matches:
            assert each.seats in game.seat_counts
            assert 0 <= each.low <= each.share <= each.high <= 1
            if each.verdict:
                offered = "yes" if each.verdict == "above" else "no"
                interval = f"{each.share:.0%} ({each.low:.0%} to {each.high:.0%})".replace("%", " %", 1)
                interval = interval.replace("% to", " to").replace("%)", ")")
                seconds = f"{each.seconds[each.higher]:g} s"
                row = f"| {each.higher}, {each.lower} | {seconds} | {interval} | {each.games} | {offered} |"
                assert f"| {game.id.capitalize()} | {each.seats} {row}" in page


# -- files -----------------------------------------------------------------------------------------


def test_results_are_read_as_they_were_written(tmp_path: Path) -> None:
    gates = fresh()
    gates.rates = {"2": {"strong": 620.0}}
    gates.matches = [match("beginner", "casual")]
    write_gates(gates, tmp_path / "levels.json")
    assert read_gates(tmp_path / "levels.json", GAME) == gates
    assert read_gates(tmp_path / "levels.json", ATUA).matches == [], "they are of another game's components"
    assert read_gates(tmp_path / "none.json", GAME) == fresh()
    with pytest.raises(PlanError, match="can't be written"):
        write_gates(gates, tmp_path / "none" / "levels.json")


def test_a_malformed_file_is_ignored_with_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "levels.json"
    file.write_text('{"components": 3}')
    with pytest.raises(ValueError, match=r"levels\.json: Expected `str`"):
        read_gates(file, GAME)
    monkeypatch.setattr(gates_module, "gates_file", lambda game: file)
    find_gates.cache_clear()
    try:
        with caplog.at_level(logging.WARNING):
            assert find_gates(GAME) == fresh()
        assert "levels are offered without" in caplog.messages[0]
    finally:
        find_gates.cache_clear()


# -- the test --------------------------------------------------------------------------------------


def test_the_interval_agrees_with_the_sequential_test() -> None:
    random = Random(6)
    for chance in (0.2, 0.5, 0.55, 0.8):
        values = [float(random.random() < chance) for _ in range(150)]
        low, high = confidence_sequence(values)
        assert 0 <= low < chance < high <= 1
        for goal in (0.25, 0.5, 0.75):
            test = MeanTest(goal, 0.025)
            for value in values:
                test.add(value)
            assert (test.verdict == "above") == (goal <= low)
            assert (test.verdict == "below") == (goal >= high)
    assert confidence_sequence([]) == (0.0, 1.0)


def test_the_interval_seldom_misses_the_mean_even_if_it_is_checked_after_each_game() -> None:
    random = Random(7)
    missed = 0
    for _ in range(150):
        test = MeanTest(0.5, 0.025)
        missed += any(test.add(float(random.random() < 0.5)) for _ in range(200))
    assert missed <= 12, "5 % of 150 are 7.5"


# -- matches ---------------------------------------------------------------------------------------


def test_a_match_ends_when_it_is_decided_and_is_continued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = Gate(GAME, fresh())
    (plan,) = gate.plans((2,), ["casual"])
    assert (plan.lower.name, plan.higher.name, plan.iterations) == ("beginner", "casual", {})
    assert gate.play(plan, tmp_path, minutes=0, workers=1) is None
    found = gate.play(plan, tmp_path, workers=1)
    assert found is not None
    assert found.verdict == "above"
    assert 10 <= found.games < 200
    assert gate.gates.matches == [found]
    assert list(gate.plans((2,), ["casual"])) == [], "it is decided"

    monkeypatch.setattr(run_module, "play_batch", lambda *_: pytest.fail("a stored game is played again"))
    again = Gate(GAME, fresh())
    (plan,) = again.plans((2,), ["casual"])
    assert again.play(plan, tmp_path, workers=1) == found


def test_other_seeds_give_other_games_than_any_other_command(tmp_path: Path) -> None:
    for seed in (1, 2):
        gate = Gate(GAME, fresh(), seed=seed)
        (plan,) = gate.plans((2,), ["casual"])
        gate.play(plan, tmp_path / str(seed), workers=1)
    one, two = (next((tmp_path / seed).iterdir()).read_text("utf-8").splitlines()[0] for seed in "12")
    assert one != two
    assert '"seed":1,' not in one.replace(" ", "")


def test_plans_state_iterations_and_hours() -> None:
    gate = Gate(GAME, fresh(), part=0.01)
    gate.gates.rates = {"2": {"strong": 5000.0, "expert": 4000.0}}
    casual, strong, expert, *_ = gate.plans((2,))
    assert strong.iterations == {"strong": 50}, "a second of the level's time"
    assert expert.iterations == {"strong": 50, "expert": 160}
    assert expert.seconds == {"strong": 0.01, "expert": 0.04}
    assert strong.bot_name(strong.higher) == "strong:iterations=50"
    assert strong.bot_name(strong.lower) == "casual"
    assert casual.game_s < strong.game_s < expert.game_s
    assert expert.most_hours == pytest.approx(200 * expert.game_s / 3600)
    assert expert.usual_hours == pytest.approx(0.3 * expert.most_hours)
    assert gate.seat_counts() == (2, 4)
    assert Gate(ATUA, fresh()).seat_counts() == (2, 6)


def test_a_refused_level_changes_who_comes_next() -> None:
    gate = Gate(GAME, fresh(), part=0.01)
    gate.gates.matches = [match("beginner", "casual"), match("casual", "strong", low=0.1, high=0.4)]
    first = next(iter(gate.plans((2,))))
    assert (first.lower.name, first.higher.name) == ("casual", "expert")


@pytest.mark.parametrize(
    ("wanted", "seats", "message"),
    [
        (["genius"], 2, "invalid level 'genius'; allowed: casual, strong, expert, master"),
        (["beginner"], 2, "invalid level 'beginner'"),
        ([], 1, "1 seats: bots play against each other with 2 or more"),
    ],
)
def test_impossible_gates_are_refused(wanted: list[str], seats: int, message: str) -> None:
    with pytest.raises(PlanError, match=message):
        list(Gate(ATUA, fresh()).plans((seats,), wanted))
    with pytest.raises(SeatCountError):
        list(Gate(GAME, fresh()).plans((3,)))
    for part in (0.0, 1.5):
        with pytest.raises(PlanError, match="invalid part"):
            Gate(GAME, fresh(), part=part)


def test_fixed_iterations_are_compared_with_the_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    gate = Gate(GAME, fresh(), part=0.5)
    strong = next(level for level in LEVELS if level.name == "strong")
    found = gate.compare(strong, 2, 5)
    assert (found.level, found.decisions, found.seconds) == ("strong", 5, 1.0)
    assert 0 <= found.same <= 5
    assert 0 <= found.again <= 5
    assert found.iterations == round(gate.gates.rates["2"]["strong"] * 0.5)
    assert gate.gates.agreements == [found]
    with pytest.raises(PlanError, match="casual doesn't search"):
        gate.compare(LEVELS[1], 2, 5)


# -- names of bots ----------------------------------------------------------------


def test_a_level_can_have_its_own_iterations() -> None:
    level = bots.bot(GAME, "expert:iterations=7", iterations=90)
    assert isinstance(level, bots.LevelBot)
    assert isinstance(level.bot, bots.SearchBot)
    assert level.bot.iterations == 7
    for wrong in ("expert:iterations=0", "expert:cut=3", "expert:iterations=x", "expert:iterations=3:cut=2"):
        with pytest.raises(bots.UnknownBot, match="only iterations=NUMBER is possible"):
            bots.bot(GAME, wrong)
