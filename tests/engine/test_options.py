"""Options that a host can choose."""

from __future__ import annotations

from typing import Any

import pytest

from atoll.engine import Enum, Flag, Int, Option, OptionError
from tests.toy import GAME as TOY

GIFTS, DEAL, ROUNDS = TOY.options


def test_defaults_are_filled_in() -> None:
    assert TOY.resolve_options({"rounds": 2}, 2) == {"gifts": True, "deal": "short", "rounds": 2}


def test_combinations_that_dont_exist_are_left_out() -> None:
    assert len(TOY.option_sets(3)) == 2 * 2 * 3
    assert [options["deal"] for options in TOY.option_sets(4)] == ["short"] * 6


@pytest.mark.parametrize(
    ("option", "text", "value"),
    [(GIFTS, "true", True), (GIFTS, "Off", False), (DEAL, "long", "long"), (ROUNDS, "4", 4), (ROUNDS, " 4 ", 4)],
)
def test_read(option: Option, text: str, value: Any) -> None:
    assert option.read(text) == value


@pytest.mark.parametrize(
    ("option", "text", "message"),
    [
        (GIFTS, "maybe", "option 'gifts': 'maybe' isn't allowed; allowed: true, false"),
        (DEAL, "huge", "option 'deal': 'huge' isn't allowed; allowed: short, long"),
        (ROUNDS, "four", "option 'rounds': 'four' isn't a number; allowed: 1 to 6"),
        (ROUNDS, "9" * 30, "option 'rounds'"),
        (ROUNDS, "7", "option 'rounds': 7 isn't allowed; allowed: 1 to 6"),
    ],
)
def test_text_that_is_no_value(option: Option, text: str, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        option.read(text)


def test_values_to_try() -> None:
    assert [list(option.values()) for option in TOY.options] == [[False, True], ["short", "long"], [1, 3, 6]]


def test_description() -> None:
    assert [option.describe() for option in TOY.options] == [
        {"id": "gifts", "type": "flag", "default": True},
        {"id": "deal", "type": "enum", "default": "short", "allowed": ["short", "long"]},
        {"id": "rounds", "type": "int", "default": 3, "lo": 1, "hi": 6},
    ]


def test_default_must_be_allowed() -> None:
    with pytest.raises(OptionError):
        Enum("deal", ("short", "long"), "huge")
    with pytest.raises(OptionError):
        Int("rounds", 9, lo=1, hi=6)
    assert Flag("gifts", False).default is False


def test_what_is_recommended_for_a_first_game_must_be_allowed() -> None:
    assert Flag("gifts", True, first_game_value=False).first_game_value is False
    assert Enum("deal", ("short", "long"), "long", first_game_value="short").first_game_value == "short"
    assert Int("rounds", 9, lo=1, hi=9, first_game_value=3).first_game_value == 3
    assert Flag("gifts", True).first_game_value is None
    with pytest.raises(OptionError):
        Enum("deal", ("short", "long"), "long", first_game_value="huge")
    with pytest.raises(OptionError):
        Int("rounds", 9, lo=1, hi=9, first_game_value=0)
