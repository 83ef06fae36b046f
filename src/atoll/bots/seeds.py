"""Numbers that look random and are the same for the same seeds, on every machine and in every process."""

from __future__ import annotations

from typing import Final

_MASK: Final = (1 << 64) - 1


def mix(*parts: int) -> int:
    """A number from 0 to 2**64 - 1 that depends on every part and on their order (SplitMix64, Steele et al. 2014)."""
    z = 0
    for part in parts:
        z = (z ^ part) + 0x9E3779B97F4A7C15 & _MASK
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & _MASK
        z = (z ^ z >> 27) * 0x94D049BB133111EB & _MASK
        z ^= z >> 31
    return z
