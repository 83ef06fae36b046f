"""Signs of abuse rarely flag honest people, and find a good part of planted cheats."""

from collections.abc import Iterable

from scripts import flag_rates
from scripts.flag_rates import Rate


def worst(rates: Iterable[Rate]) -> tuple[float, float]:
    """The highest rate of false flags, and the lowest rate of cheats that are found, in percent."""
    listed = list(rates)
    return max(each.percent for each in listed if not each.cheats), min(each.percent for each in listed if each.cheats)


def test_few_friends_and_many_gifts_are_flagged() -> None:
    false, found = worst(flag_rates.one_sided_rates(2))
    assert false < 5 and found > 20


def test_few_swings_are_honest() -> None:
    false, found = worst(flag_rates.swing_rates(3))
    assert false < 6 and found > 15


def test_bots_of_very_different_strength_are_not_flagged() -> None:
    assert [each.flagged for each in flag_rates.bot_rates()] == [0, 0, 0, 0]


def test_households_are_not_flagged_and_two_accounts_are() -> None:
    rates = {each.who: each.percent for each in flag_rates.alternating_rates(60)}
    households = [percent for who, percent in rates.items() if who.startswith("household")]
    assert len(households) == 3 and max(households) < 3
    assert rates["two accounts, two changes a visit"] > 95 and rates["two accounts, one change a visit"] > 80
