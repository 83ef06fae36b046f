"""Tournaments: pairs counted rightly, stopped when it is clear, continued from their files."""

from pathlib import Path
from random import Random

import pytest

import atoll
from atoll.lab.plan import PlanError
from atoll.lab.results import read
from atoll.lab.series import MatchSeries, pair_share
from atoll.lab.statistics import MeanTest
from atoll.lab.tournament import tournament

GAME = atoll.games["atacama"]


def test_pairs_are_counted_with_ties_as_halves() -> None:
    row = {"bots": ["a", "b", "a", "b"], "places": [1, 2, 2, 4]}
    assert pair_share(row, "a") == (1 + 1 + 0.5 + 1) / 4
    assert pair_share(row, "b") == 1 - pair_share(row, "a")


@pytest.mark.parametrize(("mean", "verdict"), [(0.9, "above"), (0.3, "below")])
def test_a_clear_mean_is_settled_soon(mean: float, verdict: str) -> None:
    random = Random(1)
    test = MeanTest(0.65)
    while not test.add(float(random.random() < mean)):
        assert test.count < 120
    assert test.verdict == verdict


def test_errors_are_as_rare_as_promised_however_long_one_looks() -> None:
    wrong = 0
    for seed in range(200):
        random = Random(seed)
        test = MeanTest(0.65)
        for _ in range(400):
            test.add(float(random.random() < 0.65))
        wrong += test.verdict != ""
    # At the goal itself both verdicts are errors, each with a risk of 5 %.
    assert wrong <= 28


def test_a_better_bot_is_found_out_and_the_match_ends(tmp_path: Path) -> None:
    watched: list[tuple[str, int, float]] = []
    (match,) = tournament(
        MatchSeries(
            GAME,
            folder=tmp_path,
            workers=1,
            watch=lambda name, games, share: watched.append((name, games, share)),
        ),
        ["random", "greedy"],
    )
    assert (match.lower, match.higher, match.verdict) == ("random", "greedy", "above")
    assert match.games < 60
    assert match.low <= match.share <= match.high
    assert watched[-1][:2] == ("greedy : random", match.games)
    (file,) = tmp_path.iterdir()
    assert file.name == "atacama_2_random_greedy.jsonl"
    assert sum(row["row"] == "game" for row in read(file)) == match.games
    before = file.read_bytes()
    (again,) = tournament(MatchSeries(GAME, folder=tmp_path, workers=1), ["random", "greedy"])
    assert again == match
    assert file.read_bytes() == before


def test_what_is_not_clear_is_said_to_be_open(tmp_path: Path) -> None:
    first = tournament(MatchSeries(GAME, folder=tmp_path, workers=1), ["random", "beginner", "greedy"], most_games=3)
    assert [(match.games, match.verdict) for match in first] == [(3, ""), (3, "")]
    more = tournament(MatchSeries(GAME, folder=tmp_path, workers=1), ["random", "beginner", "greedy"], most_games=5)
    assert [match.games for match in more] == [5, 5]
    assert tournament(MatchSeries(GAME, workers=1), ["random", "greedy"], minutes=0)[0].games == 0


def test_a_folder_that_holds_more_than_was_asked_for_is_counted_as_far_as_that(tmp_path: Path) -> None:
    bots = ["random", "beginner"]
    (first,) = tournament(MatchSeries(GAME, folder=tmp_path, workers=1), bots, most_games=3)
    tournament(MatchSeries(GAME, folder=tmp_path, workers=1), bots, most_games=5)
    assert tournament(MatchSeries(GAME, folder=tmp_path, workers=1), bots, most_games=3) == [first]


def test_impossible_tournaments_are_refused() -> None:
    with pytest.raises(PlanError, match="at least two bots"):
        tournament(MatchSeries(GAME), ["random"])
    with pytest.raises(PlanError, match="greedy can't come in ahead of itself"):
        tournament(MatchSeries(GAME), ["random", "greedy", "greedy"])
    with pytest.raises(PlanError, match="invalid goal 65: expected a share between 0 and 1"):
        tournament(MatchSeries(GAME), ["random", "greedy"], goal=65)
