"""Pseudorandom numbers that depend only on seeds: the same on all machines and in all processes."""

from __future__ import annotations

from typing import Final

_MASK: Final = (1 << 64) - 1


def derive_seed(*parts: int) -> int:
    """Derive a seed.

    Args:
        *parts: Any integers. Each part and their order make a difference.

    Returns:
        A number from 0 to 2**64 - 1.

    References:
        Steele et al. (2014), Fast splittable pseudorandom number generators: SplitMix64.
    """
    z = 0
    for part in parts:
        z = (z ^ part) + 0x9E3779B97F4A7C15 & _MASK
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & _MASK
        z = (z ^ z >> 27) * 0x94D049BB133111EB & _MASK
        z ^= z >> 31
    return z
