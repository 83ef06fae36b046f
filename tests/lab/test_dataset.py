"""Datasets of the bots' observations, legal choices, evaluations and answers.

The rows are the same no matter how often and by which process they are made.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
import polars
import pytest

import atoll
from atoll.bots import EpsilonRandomBot, RandomBot, SearchBot, bot, decide
from atoll.engine import Game, SeatView
from atoll.engine.observation import ObservationEncoder
from atoll.lab import dataset as datasets
from atoll.lab.dataset import DatasetError, dataset
from atoll.lab.plan import PlanError, SimulationPlan
from atoll.lab.results import ResultsError
from tests.cli.command import Atoll, run

GAME = atoll.games["wutaki"]


@pytest.fixture
def atoll_command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Atoll:
    """Run a command: atoll_command("datasets")."""
    return partial(run, capsys, monkeypatch)


def plan(*bots: str, game: Game = GAME, **more: object) -> SimulationPlan:
    return SimulationPlan.make(game, 2, {}, bots or ("search", "greedy"), **{"seconds": 60.0, "iterations": 8, **more})


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_rows_replay_to_the_games_they_tell_of(tmp_path: Path) -> None:
    made = plan()
    count = dataset(made, 2, tmp_path, workers=1)
    rows = polars.read_parquet(tmp_path / "decisions" / "*.parquet")
    games = polars.read_parquet(tmp_path / "games" / "*.parquet")
    assert rows.height == count == games["decisions"].sum()
    observing = ObservationEncoder(GAME, 2, made.options)
    values = 0
    for number in range(2):
        position = GAME.new(2, made.options, seed=int(games["seed"][number]))
        for row in rows.filter(polars.col("game") == number).iter_rows(named=True):
            seat = position.to_move[0]
            seen = observing.blank()
            observing.write(position, seat, seen)
            assert (row["seat"], row["bot"]) == (seat, ("search", "greedy")[(seat + number) % 2])
            assert row["observation"] == list(seen)
            choices = [observing.turning.choice(action, seat) for action in row["candidates"]]
            assert choices == position.legal_choices(seat)
            assert len(row["policy"]) == len(choices)
            assert sum(row["policy"]) == pytest.approx(1)
            assert (row["value"] is not None) == (row["bot"] == "search" and len(choices) > 1)
            values += row["value"] is not None
            assert row["action"] in row["candidates"]
            own, other = (games["places"][number][each] for each in (seat, 1 - seat))
            assert row["result"] == (other > own) + 0.5 * (other == own)
            position.apply(observing.turning.choice(row["action"], seat), seat)
        assert position.over
        assert position.scores() == games["scores"][number].to_list()
    assert values
    actions = polars.read_parquet(tmp_path / "actions.parquet")
    assert actions.height == GAME.vocabulary.decisions
    assert actions["text"][GAME.vocabulary.decisions - 1] == "pass"


def test_the_standard_dataset_of_each_game_has_a_folder(
    atoll_command: Atoll, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(datasets, "STANDARD", {**datasets.STANDARD, "iterations": 1})
    monkeypatch.setattr(datasets, "STANDARD_GAMES", 1)
    ended = atoll_command("datasets", "atacama", "atlandice", "--out", tmp_path, "--workers", 1)
    assert ended.status == 0 and ended.out.count("1 games, ") == 2
    for game in ("atacama", "atlandice"):
        assert "expert" in (tmp_path / game / "README.md").read_text("utf-8")
        assert polars.read_parquet(tmp_path / game / "decisions" / "*.parquet").height > 20
    assert datasets.standard_plan(atoll.games["atua"]).seats == 2


def test_the_same_plan_gives_the_same_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(datasets, "SHARD", 2)
    one, two, cut = (tmp_path / name for name in ("one", "two", "cut"))
    dataset(plan("search", "random", game=atoll.games["atacama"], iterations=1), 5, one, workers=1)
    dataset(plan("search", "random", game=atoll.games["atacama"], iterations=1), 5, two, workers=2)
    assert files(one) == files(two)
    dataset(plan("search", "random", game=atoll.games["atacama"], iterations=1), 5, cut, workers=1)
    (cut / "games" / "000002.parquet").unlink()
    (cut / "decisions" / "000002.parquet").write_bytes(b"half")
    (cut / "README.md").unlink()
    seen: list[tuple[int, int]] = []
    dataset(
        plan("search", "random", game=atoll.games["atacama"], iterations=1),
        5,
        cut,
        workers=1,
        watch=lambda done, games: seen.append((done, games)),
    )
    assert files(cut) == files(one)
    assert seen == [(2, 5), (4, 5), (5, 5)]


@pytest.mark.parametrize("file", ["decisions/000000.parquet", "games/000000.parquet"])
@pytest.mark.parametrize("at", [0, 0.5, 1])
def test_damage_to_what_was_finished_is_noticed(file: str, at: float, tmp_path: Path) -> None:
    made = plan("random", game=atoll.games["atacama"])
    dataset(made, 1, tmp_path, workers=1)
    before = files(tmp_path)
    whole = before[file]
    place = int(at * (len(whole) - 1))
    for damaged in (whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :], whole[:place]):
        (tmp_path / file).write_bytes(damaged)
        with pytest.raises(DatasetError, match=f"{file} is damaged; delete it"):
            dataset(made, 1, tmp_path, workers=1)
    (tmp_path / file).unlink()
    dataset(made, 1, tmp_path, workers=1)
    assert files(tmp_path) == before


@pytest.mark.parametrize("text", ["7", "7  games/000000.parquet\n", "\xff\xfe"])
def test_damaged_checksums_are_noticed(text: str, tmp_path: Path) -> None:
    made = plan("random", game=atoll.games["atacama"])
    dataset(made, 1, tmp_path, workers=1)
    before = files(tmp_path)
    (tmp_path / "SHA256SUMS").write_bytes(text.encode("latin-1"))
    with pytest.raises(DatasetError, match="SHA256SUMS is damaged; delete it"):
        dataset(made, 1, tmp_path, workers=1)
    (tmp_path / "SHA256SUMS").unlink()
    dataset(made, 1, tmp_path, workers=1)
    assert files(tmp_path) == before


def test_the_card_says_how_it_was_made(tmp_path: Path) -> None:
    dataset(plan("random", seed=7), 1, tmp_path, workers=1)
    card = (tmp_path / "README.md").read_text("utf-8")
    assert "atoll dataset wutaki --games 1 --seats 2 --bots random" in card
    assert "--seed 7 --iterations 8 --out FOLDER" in card
    assert GAME.components_hash in card
    assert "| `to_move` | 0 | (2,) | 0 | 1 |" in card
    for name in polars.read_parquet(tmp_path / "decisions" / "000000.parquet").columns:
        assert f"`{name}`" in card


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "set"
    dataset(plan("random"), 1, folder, workers=1)
    before = files(folder)
    with pytest.raises(DatasetError, match="seed is 1 there, 2 here"):
        dataset(plan("random", seed=2), 1, folder, workers=1)
    with pytest.raises(DatasetError, match="games is 1 there, 2 here"):
        dataset(plan("random"), 2, folder, workers=1)
    (folder / "plan.json").write_text("{", "utf-8")
    with pytest.raises(DatasetError, match="isn't valid JSON"):
        dataset(plan("random"), 1, folder, workers=1)
    (folder / "plan.json").write_text("[]", "utf-8")
    with pytest.raises(DatasetError, match="another dataset"):
        dataset(plan("random"), 1, folder, workers=1)
    (folder / "plan.json").unlink()
    with pytest.raises(DatasetError, match="isn't empty"):
        dataset(plan("random"), 1, folder, workers=1)
    assert {**before, "plan.json": b""} == {**files(folder), "plan.json": b""}
    with pytest.raises(ResultsError, match="is a file"):
        dataset(plan("random"), 1, folder / "README.md", workers=1)
    with pytest.raises(PlanError, match="1 or more"):
        dataset(plan("random"), 0, tmp_path / "none", workers=1)
    with pytest.raises(PlanError, match="datasets need `iterations`"):
        dataset(plan("random", iterations=None), 1, tmp_path / "none", workers=1)
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("name", ["beginner", "casual", "strong", "expert", "ismcts", "greedy", "random"])
def test_a_bot_that_is_asked_for_its_reasons_chooses_the_same(name: str) -> None:
    position = GAME.new(2, seed=3)
    player = bot(GAME, name, iterations=4)
    for seed in range(12):
        seat = position.to_move[0]
        view = SeatView(position, seat)
        decided = decide(player, view, 60.0, seed)
        assert decided.choices == player.choose(view, 60.0, seed)
        assert sum(decided.policy) == pytest.approx(1)
        assert decided.policy[view.legal.index(decided.choices[0])] > 0
        position.apply(decided.choices[0], seat)


def test_a_search_is_asked_for_its_visits_and_a_careless_bot_for_its_slips() -> None:
    position = GAME.new(2, seed=3)
    view = SeatView(position, position.to_move[0])
    search = SearchBot(iterations=40)
    visits = search.explore(view, 60.0, 5).arms
    expected = np.array([visits[choice].visits for choice in view.legal]) / 40
    found = decide(search, view, 60.0, 5)
    assert found.policy == pytest.approx(expected)
    assert 0 < (found.value or 0) < 1
    slipping = decide(EpsilonRandomBot(search, 0.3), view, 60.0, 5).policy
    assert slipping == pytest.approx(0.7 * expected + 0.3 / len(view.legal))
    assert decide(RandomBot(), view, 60.0, 5).policy == pytest.approx([1 / len(view.legal)] * len(view.legal))
