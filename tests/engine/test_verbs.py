"""One function for each verb of a closed set."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from atoll.engine import EffectHandlers


def example() -> EffectHandlers[str, Callable[[int], int]]:
    verbs = EffectHandlers[str, Callable[[int], int]](("gain", "lose"))

    @verbs.of("gain")
    def gain(n: int) -> int:
        return n + 1

    return verbs


def test_a_verb_finds_its_function() -> None:
    verbs = example()
    assert verbs["gain"](3) == 4
    assert verbs.missing() == ["lose"]


def test_a_verb_has_one_function() -> None:
    with pytest.raises(ValueError, match="verb 'gain' has two functions"):
        example().of("gain")(abs)


def test_unknown_verbs_are_refused() -> None:
    with pytest.raises(ValueError, match="unknown verb 'swap'; known: 'gain', 'lose'"):
        example().of("swap")(abs)
