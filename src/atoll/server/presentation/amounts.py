"""Amounts as text, as a language writes them: counts, sizes, shares and short times."""

from __future__ import annotations

from typing import Final

from babel.numbers import format_decimal, format_percent

from .clocks import format_duration
from .texts import Texts

_STEP: Final = 1000
_UNITS: Final = ("B", "KB", "MB", "GB", "TB")
_FEW: Final = 10
_NO_BREAK: Final = "\N{NO-BREAK SPACE}"


def count(value: float, language: str) -> str:
    """Return a whole number with separated thousands."""
    return format_decimal(round(value), "#,##0", language)


def size(octets: float, language: str) -> str:
    """Return a size in bytes in the largest unit that it has at least one of."""
    units = iter(_UNITS)
    unit = next(units)
    while octets >= _STEP and unit != _UNITS[-1]:
        octets, unit = octets / _STEP, next(units)
    return f"{_digits(octets, language)}{_NO_BREAK}{unit}"


def short_time(seconds: float, language: str) -> str:
    """Return a time that is usually shorter than a second."""
    if seconds >= 1:
        return f"{_digits(seconds, language)}{_NO_BREAK}s"
    return f"{_digits(seconds * 1000, language)}{_NO_BREAK}ms"


def percent(share: float, language: str) -> str:
    """Return a share from 0 to 1 in percent."""
    return format_percent(share, locale=language)


def span(seconds: float, texts: Texts) -> str:
    """Return a duration in its two largest units; of less than a second, zero seconds.

    Args:
        seconds: The duration.
        texts: Messages of the site.
    """
    whole = max(0, int(seconds))
    return format_duration(whole, texts) if whole else texts.text("time.seconds", n=0)


def _digits(value: float, language: str) -> str:
    """Return a number with one decimal place if it is small and not whole."""
    return format_decimal(value, "0.#" if value < _FEW else "0", language)
