"""Ladders: ratings that explain results, saved and continued, refused where they can't be computed."""

from math import log10
from pathlib import Path

import pytest

import atoll
from atoll.lab import terminal_tables
from atoll.lab.ladder import fit_bradley_terry, fit_ratings, ladder
from atoll.lab.plan import PlanError
from atoll.lab.results import read
from atoll.lab.series import MatchSeries

GAME = atoll.games["atacama"]


def test_ratings_give_back_the_strengths_that_results_came_from() -> None:
    strengths = [1.0, 3.0, 10.0, 30.0]
    games = 10**6
    found = {
        (one, two): (games * strengths[two] / (strengths[one] + strengths[two]), games)
        for one in range(4)
        for two in range(one + 1, 4)
    }
    assert fit_bradley_terry(4, found) == pytest.approx([400 * log10(each) for each in strengths], abs=0.5)


def test_who_never_lost_has_a_rating_and_who_played_little_a_wide_interval() -> None:
    short = fit_ratings(["a", "b", "c"], {(0, 1): [1.0, 0.0] * 3, (0, 2): [1.0] * 6, (1, 2): [1.0] * 6}, 6)
    long = fit_ratings(["a", "b", "c"], {(0, 1): [1.0, 0.0] * 300, (0, 2): [1.0] * 600, (1, 2): [1.0] * 600}, 600)
    assert short.bots[0].bot == "c"
    assert short.bots[0].rating < long.bots[0].rating < 2000
    wide, narrow = (next(rung for rung in each.bots if rung.bot == "b") for each in (short, long))
    assert wide.low <= 0 <= wide.high
    assert wide.high - wide.low > 3 * (narrow.high - narrow.low) > 0
    first = next(rung for rung in short.bots if rung.bot == "a")
    assert (first.rating, first.low, first.high) == (0, 0, 0)
    assert short.shares["c", "a"] == 1
    assert short.shares["a", "b"] == 0.5


def test_a_perfect_record_has_no_interval() -> None:
    table = terminal_tables.ratings_table(
        fit_ratings(["a", "b", "c"], {(0, 1): [1.0] * 4, (0, 2): [1.0] * 4, (1, 2): [0.0, 1.0] * 2}, 4), ""
    )
    cells = {column.header: list(column.cells) for column in table.columns}
    intervals = dict(zip(cells["bot"], cells["95 %"], strict=True))
    assert intervals.pop("a") == "-"
    assert all(" to " in str(each) for each in intervals.values())
    table = terminal_tables.ratings_table(fit_ratings(["a", "b"], {(0, 1): [1.0] * 4}, 4), "")
    assert list(table.columns[3].cells) == ["-", "-"]
    assert isinstance(table.caption, str) and "no interval" in table.caption


def test_each_bot_plays_each_and_the_games_are_kept(tmp_path: Path) -> None:
    bots = ["random", "beginner", "greedy"]
    watched: list[str] = []
    first = ladder(
        MatchSeries(GAME, workers=1, folder=tmp_path, watch=lambda pair, games, share: watched.append(pair)),
        bots,
        games=4,
    )
    assert [rung.bot for rung in first.bots] == ["greedy", "beginner", "random"]
    assert set(watched) == {"beginner : random", "greedy : random", "greedy : beginner"}
    files = sorted(each.name for each in tmp_path.iterdir())
    pairs = ("beginner_greedy", "random_beginner", "random_greedy")
    assert files == [f"atacama_2_{pair}.jsonl" for pair in pairs]
    assert all(sum(row["row"] == "game" for row in read(tmp_path / each)) == 4 for each in files)
    before = [(tmp_path / each).read_bytes() for each in files]
    assert ladder(MatchSeries(GAME, workers=1, folder=tmp_path), bots, games=4) == first
    assert [(tmp_path / each).read_bytes() for each in files] == before
    assert ladder(MatchSeries(GAME, workers=1, folder=tmp_path), bots, games=2) == ladder(
        MatchSeries(GAME, workers=1), bots, games=2
    )


def test_impossible_ladders_are_refused() -> None:
    with pytest.raises(PlanError, match="at least two bots"):
        ladder(MatchSeries(GAME), ["random"])
    with pytest.raises(PlanError, match="different bots, not random, greedy, random"):
        ladder(MatchSeries(GAME), ["random", "greedy", "random"])
    with pytest.raises(PlanError, match="2 bots for 1 seats"):
        ladder(MatchSeries(atoll.games["atua"], seats=1), ["random", "greedy"])
