"""The executable model of the protocol: it holds, and each planted flaw is found."""

import pytest

from . import model

SEARCHED = {**model.FOUND, **model.MORE}


def test_the_protocol_holds_in_one_round_and_at_random_in_six() -> None:
    failed, attack, result = model.check(model.Flaws(), rounds=1)
    assert not failed, attack
    assert result.proven and result.courses == {0: 1}
    assert model.wander(model.Flaws(), 300, 1, rounds=6) == ""
    assert model.two_worlds()
    assert all(verdict.value == due for _, due, verdict in model.honest(model.Flaws()))


@pytest.mark.parametrize("name", SEARCHED)
def test_each_flaw_is_found(name: str) -> None:
    """The six of the former protocol, each field of the terms that nothing binds, and others."""
    failed, attack, _ = model.check(SEARCHED[name])
    assert failed and attack


def test_random_walks_find_flaws_too() -> None:
    flaws = [flaws for name, flaws in model.FOUND.items() if name[:2] in ("1b", "1e")]
    assert all(model.wander(each, 3_000, 1) for each in (*flaws, model.Flaws(again=True)))


@pytest.mark.fuzz
def test_the_protocol_holds_in_all_moves_of_two_rounds() -> None:
    """2,784 states and 116 million files."""
    failed, attack, result = model.check(model.Flaws(), rounds=2)
    assert not failed, attack
    assert result.proven and result.courses == {0: 1, 1: 2} and result.files > 10**8
    assert model.wander(model.Flaws(), 3_000, 1, rounds=6) == ""
