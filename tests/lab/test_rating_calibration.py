"""The model in use is calibrated, and forecasts better than the library's default."""

from atoll import games
from atoll.lab import rating_calibration as calibration
from atoll.lab.rating_calibration import Forecasts, Population
from atoll.lab.terminal_tables import calibration_tables
from atoll.ratings import MODEL, RatingModel

SIMULATED = [
    calibration.simulated(seats, learning=learning, seed=seed)
    for seed in range(4)
    for seats in (2, 4, 6)
    for learning in (False, True)
]


def test_stated_chances_are_within_three_points_of_the_observed_ones() -> None:
    used = calibration.candidate(MODEL, SIMULATED)
    bins = calibration.calibration(used.forecasts)
    assert len(bins) == 10
    for each in bins:
        assert abs(each.stated - each.observed) < 0.03, each
    plain = calibration.candidate(RatingModel("PlackettLuce", 25 / 3, 25 / 300), SIMULATED)
    assert used.loss < plain.loss - 0.03
    tables = calibration_tables([used, plain], used, SIMULATED)
    assert [table.row_count for table in tables] == [3, 10]


def test_ratings_find_the_order_of_known_strengths() -> None:
    found = calibration.bot_games(games["atacama"], 2, 150)
    assert found.strengths[0] == 0 and found.strengths[-1] == -1
    rated = calibration.strengths(found, calibration.forecast(MODEL, found))
    best, worst = sum(points for _, points in rated[:4]), sum(points for _, points in rated[4:])
    assert best > worst + 400
    assert rated[0][1] > rated[-1][1] + 100


def test_a_tie_counts_half_and_certainty_has_a_price() -> None:
    assert Forecasts(((0.5, 0.5), (0.5, 1.0)), ()).log_loss < 0.6932
    assert Forecasts(((1.0, 0.0),), ()).log_loss > 20
    two = Population("simulated", (1.0, 0.0), (calibration.Played((0, 1), (1, 1)),) * 4)
    assert [result for _, result in calibration.forecast(MODEL, two).pairs] == [0.5, 0.5]
