"""Clocks and times as text: time controls, time left, and moments in the reader's time zone."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from babel.dates import format_datetime
from markupsafe import Markup, escape

from ..domain import wall_clock
from ..domain.model import Clock, SeatInfo
from ..domain.playing_hours import zone_of
from .texts import Texts
from .texts import site as site_of

_UTC: Final = "UTC"
_DAY_S: Final = 86_400
_RUNS: Final = Markup(' data-due="{}" data-says="{}"')
_RESTS: Final = Markup(' data-due="{}" data-says="{}" data-rests')


def format_duration(seconds: int, site: Texts) -> str:
    """Return a duration in its two largest units.

    Args:
        seconds: The duration.
        site: Messages of the site.
    """
    units = {
        "days": seconds // _DAY_S,
        "hours": seconds // 3600 % 24,
        "minutes": seconds // 60 % 60,
        "seconds": seconds % 60,
    }
    nonzero = [(unit, amount) for unit, amount in units.items() if amount] or [("minutes", 0)]
    largest = list(units).index(nonzero[0][0])
    near = [(unit, amount) for unit, amount in nonzero if list(units).index(unit) <= largest + 1]
    return " ".join(site.text(f"time.{unit}", n=amount) for unit, amount in near)


def format_moment(at: datetime, zone: str, language: str) -> Markup:
    """Return a moment as text in the reader's time zone.

    Args:
        at: The moment.
        zone: Name of the time zone, or "" for UTC, which the text then names.
        language: Language code.
    """
    formatted = format_datetime(at, site_of(language).text("time.format.moment"), zone_of(zone), language)
    named = formatted if zone else f"{formatted} {_UTC}"
    return Markup('<time datetime="{}">{}</time>').format(iso(at), named)


def day(at: datetime, zone: str, language: str) -> Markup:
    """Return the day of a moment in the reader's time zone.

    Args:
        at: The moment.
        zone: Name of the time zone, or "" for UTC.
        language: Language code.
    """
    formatted = format_datetime(at, site_of(language).text("time.format.day"), zone_of(zone), language)
    return Markup('<time datetime="{}">{}</time>').format(iso(at), formatted)


def note(info: SeatInfo, site: Texts, zone: str) -> Markup | None:
    """Return the text of a seat's clock, which a script counts down.

    Args:
        info: The seat.
        site: Messages of the site.
        zone: Time zone of the reader, or "".

    Returns:
        The text, or None without a clock.
    """
    if info.overdue:
        return escape(site.text("seat.overdue"))
    if info.time_left_s is None:
        return None
    text = site.text("seat.time", span=format_duration(info.time_left_s, site))
    runs = Markup("")
    if info.due is not None:
        until_due = info.due.timestamp() - wall_clock.now_ms() / 1000
        runs = _RUNS if until_due <= info.time_left_s else _RESTS
        runs = runs.format(iso(info.due), site.text("seat.time", span="{}"))
    parts = [Markup('<span class="whole"{}>{}</span>').format(runs, text)]
    for key, at in (("seat.vacation", info.vacation_until), ("seat.due", info.due)):
        if at is not None:
            parts.append(Markup('<span class="whole">{}</span>').format(_until(site, key, at, zone)))
    return Markup(" · ").join(parts)


def iso(at: datetime) -> str:
    """Return a moment in ISO format, for scripts."""
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")


def _until(site: Texts, key: str, at: datetime, zone: str) -> Markup:
    return escape(site.text(key, moment="{}")).format(format_moment(at, zone, site.language))


def describe_time_control(clock: Clock | None, site: Texts) -> list[str]:
    """Describe the time control of a table, one sentence per item."""
    if clock is None:
        return [site.text("clock.none")]
    if clock.bank_s == clock.increment_s == clock.cap_s:
        sentences = [site.text("clock.turn", span=format_duration(clock.bank_s, site))]
    else:
        values = {"bank": clock.bank_s, "increment": clock.increment_s, "cap": clock.cap_s}
        sentences = [site.text("clock.bank", **{name: format_duration(value, site) for name, value in values.items()})]
    sentences += [site.text(f"clock.{name}") for name in ("hours", "weekend", "vacation") if getattr(clock, name)]
    return [*sentences, site.text(f"clock.at_zero.{clock.at_zero}")]
