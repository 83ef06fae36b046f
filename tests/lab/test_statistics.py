"""Intervals, checked against published and computed values."""

from random import Random

import numpy as np
import pytest

from atoll.lab.statistics import bootstrap, bootstraps, wilson


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),  # Newcombe 1998, table 1
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (29, 29, 0.8830, 1.0),
    ],
)
def test_wilson_gives_the_published_intervals(wins: float, games: int, low: float, high: float) -> None:
    assert wilson(wins, games) == pytest.approx((low, high), abs=5e-5)


def test_a_shared_win_lies_between_a_loss_and_a_win() -> None:
    low, high = wilson(81.5, 263)
    assert (low, high) == pytest.approx([sum(ends) / 2 for ends in zip(wilson(81, 263), wilson(82, 263), strict=True)])
    assert wilson(3 * (1 / 3) + 19 + 1e-12, 20) == pytest.approx(wilson(20, 20), abs=1e-9)


def test_one_value_has_no_interval_and_figures_have_one_each() -> None:
    assert bootstrap([0.25]) == (0.25, 0.25)
    low, high = bootstraps([[1.0, 2.0, 3.0], [5.0]], lambda one, two: np.array([one.mean(), two.mean()]))
    assert low[0] < 2 < high[0]
    assert low[1] == high[1] == 5


def test_nothing_is_known_without_games() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
    with pytest.raises(ValueError, match="no values"):
        bootstrap([])


def test_bootstrap_covers_the_mean_about_as_often_as_it_says() -> None:
    random = Random(5)
    hits = 0
    for seed in range(120):
        values = [random.expovariate(1.0) for _ in range(60)]
        low, high = bootstrap(values, rounds=300, seed=seed)
        hits += low <= 1.0 <= high
    assert 104 <= hits <= 119


def test_bootstrap_is_the_same_for_the_same_seed() -> None:
    values = [1.0, 2.0, 5.0]
    assert bootstrap(values, seed=3) == bootstrap(values, seed=3)
