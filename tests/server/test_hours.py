"""Hours in which clocks run: playing hours, weekends, vacation, in the person's own time zone."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from atoll.server.domain import wall_clock
from atoll.server.domain.model import SeatInfo
from atoll.server.domain.playing_hours import DAY_MS, Calendar, ClockSchedule, days, midnight
from atoll.server.play.calendars import checked_hours
from atoll.server.presentation import clocks
from atoll.server.presentation.texts import site

from .conftest import refused

HOUR = 3_600_000


def at(text: str, zone: str = "UTC") -> int:
    return int(1000 * datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp())


def test_time_runs_in_playing_hours_only() -> None:
    runs = ClockSchedule(Calendar("Europe/Berlin", 9, 21), hours=True)
    evening = at("2026-03-02T20:00", "Europe/Berlin")
    assert runs.after(evening, 3 * HOUR) == at("2026-03-03T11:00", "Europe/Berlin")
    assert runs.elapsed(evening, at("2026-03-03T11:00", "Europe/Berlin")) == 3 * HOUR
    assert runs.after(at("2026-03-02T23:00", "Europe/Berlin"), 0) == at("2026-03-03T09:00", "Europe/Berlin")
    assert ClockSchedule(Calendar("Europe/Berlin", 9, 21)).after(evening, 3 * HOUR) == evening + 3 * HOUR


def test_playing_hours_may_go_past_midnight() -> None:
    runs = ClockSchedule(Calendar("", 18, 3), hours=True)
    assert runs.after(at("2026-03-02T01:00"), 3 * HOUR) == at("2026-03-02T19:00")


@pytest.mark.parametrize(("day", "hours"), [("2026-03-29", 11), ("2026-10-25", 13), ("2026-06-01", 12)])
def test_a_day_on_which_clocks_are_set_is_an_hour_shorter_or_longer(day: str, hours: int) -> None:
    runs = ClockSchedule(Calendar("Europe/Berlin", 0, 12), hours=True)
    begin = midnight("Europe/Berlin", date.fromisoformat(day))
    end = midnight("Europe/Berlin", date.fromisoformat(day) + timedelta(1))
    assert runs.elapsed(begin, end) == hours * HOUR


def test_no_time_runs_on_weekends() -> None:
    runs = ClockSchedule(Calendar("America/New_York"), weekend=True)
    friday = at("2026-03-06T22:00", "America/New_York")
    assert runs.after(friday, 3 * HOUR) == at("2026-03-09T01:00", "America/New_York")  # over a change of clocks


def test_no_time_runs_while_it_stands_still() -> None:
    begin = at("2026-03-02T00:00")
    still = [(begin + 5 * HOUR, begin + 9 * HOUR), (begin + 2 * HOUR, begin + 6 * HOUR)]
    runs = ClockSchedule(Calendar(), still=still)
    assert runs.after(begin, 2 * HOUR) == begin + 2 * HOUR
    assert runs.after(begin, 3 * HOUR) == begin + 10 * HOUR
    assert runs.after(begin + 3 * HOUR, 0) == begin + 9 * HOUR


@given(
    st.sampled_from(["", "Europe/Berlin", "Asia/Kathmandu", "Pacific/Apia", "America/St_Johns"]),
    st.integers(0, 23),
    st.integers(8, 24),
    st.booleans(),
    st.integers(0, 20 * 365 * 24),
    st.integers(1, 90 * 24 * 60),
    st.lists(st.tuples(st.integers(0, 2000), st.integers(1, 500)), max_size=3),
)
def test_what_has_run_when_it_is_up_is_what_there_was(
    zone: str, first: int, length: int, weekend: bool, begin: int, minutes: int, still: list[tuple[int, int]]
) -> None:
    start = at("2020-01-01T00:00") + begin * HOUR
    spans = [(start + hours * HOUR, start + (hours + more) * HOUR) for hours, more in still]
    runs = ClockSchedule(Calendar(zone, first, (first + length) % 24), hours=True, weekend=weekend, still=spans)
    due = runs.after(start, minutes * 60_000)
    assert runs.elapsed(start, due) == minutes * 60_000
    half = start + (due - start) // 2
    assert runs.elapsed(start, half) + runs.elapsed(half, due) == minutes * 60_000
    assert runs.after(half, runs.elapsed(half, due)) <= due
    assert not any(begin < due < end for begin, end in spans)
    local = datetime.fromtimestamp(due / 1000 - 0.001, UTC).astimezone(ZoneInfo(zone or "UTC"))
    opened = local - timedelta(hours=first) if length < 24 else local
    assert not (weekend and opened.replace(tzinfo=None).weekday() >= 5)


@pytest.mark.parametrize(
    ("first", "last", "good"), [(9, 9, True), (9, 17, True), (9, 16, False), (20, 4, True), (24, 9, False)]
)
def test_playing_hours_are_at_least_eight(first: int, last: int, good: bool) -> None:
    if good:
        checked_hours("Europe/Berlin", first, last)
    else:
        with refused("bad_hours"):
            checked_hours("Europe/Berlin", first, last)


def test_a_time_zone_has_a_name() -> None:
    for zone in ("Mars/Base", "../etc/passwd", "Europe/berlin\0"):
        with refused("bad_zone"):
            checked_hours(zone, 9, 21)


def test_a_day_of_vacation_counts_once_it_has_begun() -> None:
    assert [days((0, length)) for length in (0, 1, DAY_MS, DAY_MS + 1)] == [0, 1, 1, 2]


def test_a_page_counts_on_where_time_runs_until_it_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    now = at("2026-03-02T20:00")
    monkeypatch.setattr(wall_clock, "now_ms", lambda: now)
    for gap, rests in ((0, False), (10, True)):
        due = datetime.fromtimestamp((now + (3 + gap) * HOUR) / 1000, UTC)
        info = SeatInfo(0, "person", "Ada", True, "", False, True, None, 3 * 3600, due=due)
        said = clocks.note(info, site("en"), "")
        assert said is not None and "3 h left" in said
        assert ("data-rests" in said) is rests
