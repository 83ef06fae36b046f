"""Effects of a game on ratings: weights, leaving, absences, displayed numbers."""

from collections.abc import Sequence

import pytest

from atoll.ratings import (
    MODEL,
    Rating,
    SeatEnd,
    continues_absence,
    counted_seats,
    is_early,
    new_ratings,
    shown,
    weight,
)

DAY = 86_400_000
NEW = MODEL.newcomer


def after(*ends: SeatEnd, part: float = 1.0, before: Sequence[Rating | None] = ()) -> list[float | None]:
    """The change of mu per seat, or None where a rating doesn't change."""
    ratings = before or [NEW] * len(ends)
    found = new_ratings(ratings, ends, counted_seats(ends), part)
    return [None if new is None or old is None else new.mu - old.mu for old, new in zip(ratings, found, strict=True)]


def test_the_same_group_counts_five_times_less_and_less() -> None:
    assert [weight(earlier) for earlier in range(7)] == [1, 1, 0.5, 0.25, 0.125, 0, 0]
    [whole, _], [half, _] = (after(SeatEnd(1), SeatEnd(2), part=part) for part in (1.0, 0.5))
    assert whole is not None and half is not None and half == pytest.approx(whole / 2)
    [new] = set(new_ratings([NEW, NEW], [SeatEnd(1), SeatEnd(1)], [True, True], 1.0))
    assert new is not None and new.mu == NEW.mu and new.sigma < NEW.sigma


@pytest.mark.parametrize("place", [1, 2, 3])
def test_who_leaves_late_is_last_wherever_the_stand_in_ends(place: int) -> None:
    others = [each for each in (1, 2, 3) if each != place]
    found = after(SeatEnd(place, left=True), SeatEnd(others[0]), SeatEnd(others[1]))
    assert found == after(SeatEnd(3, left=True), SeatEnd(1), SeatEnd(2)), "only the order of the others counts"
    lost, won, second = found
    assert lost is not None and won is not None and second is not None
    assert lost == after(SeatEnd(1), SeatEnd(2), SeatEnd(3))[2], "as the last of all three"
    assert (won, second) == tuple(after(SeatEnd(1), SeatEnd(2))), "the others among themselves"
    assert after(SeatEnd(place, left=True), SeatEnd(2), SeatEnd(2))[1:] == [0, 0], "also if they are level"


def test_who_leaves_early_is_last_and_the_others_play_a_friendly_game() -> None:
    lost, *others = after(SeatEnd(1, left=True, early=True), SeatEnd(2), SeatEnd(3))
    assert lost is not None and lost < 0 and others == [None, None]
    assert [is_early(choices, 30) for choices in (0, 9, 10, 29)] == [True, True, False, False]


def test_one_absence_costs_rating_once() -> None:
    late = SeatEnd(1, left=True, continued=True)
    assert after(late, SeatEnd(2), SeatEnd(3)) == [None, *after(SeatEnd(1), SeatEnd(2))]
    early = SeatEnd(1, left=True, early=True, continued=True)
    assert after(early, SeatEnd(2), SeatEnd(3)) == [None, None, None]
    assert not continues_absence([5], [])
    assert continues_absence([5, 9], [])
    assert not continues_absence([5, 9], [7]), "an answer anywhere ends it"
    assert continues_absence([5, 9], [3, 5, 9])
    assert continues_absence([0, 13 * DAY], []) and not continues_absence([0, 15 * DAY], [])
    assert not continues_absence([0, 13 * DAY, 15 * DAY], []), "fourteen days after its begin it is another one"
    assert continues_absence([0, 13 * DAY, 15 * DAY, 16 * DAY], [])


def test_who_stays_alone_has_won_and_deleted_accounts_have_no_rating() -> None:
    won, lost = after(SeatEnd(2), SeatEnd(1, left=True))
    assert won is not None and lost is not None and won > 0 > lost
    first, _, last = after(SeatEnd(1), SeatEnd(2, left=True), SeatEnd(3), before=[NEW, None, NEW])
    assert first is not None and last is not None and first > 0 > last
    assert after(SeatEnd(2), SeatEnd(1, left=True), before=[NEW, None]) == [None, None]
    level = after(SeatEnd(1, left=True), SeatEnd(2, left=True))
    assert level == [0, 0], "all who leave share the last place"


def test_numbers_are_rounded_to_tens() -> None:
    found = shown(Rating(25.52, 2.27), 5)
    assert (found.points, found.plus_minus, found.new) == (1520, 90, False)
    assert shown(NEW, 4).new and shown(NEW, 0).points == 1500
