"""Reasons why a choice isn't legal: each of them, where it holds, in both languages."""

import pytest

from atoll.engine import Reason
from atoll.engine.languages import LANGUAGES
from atoll.engine.scripted_game import ScriptedGame
from atoll.engine.translations import GameMessages
from atoll.games.atlandice import GAME

from .tables import stand
from .test_clock import last_pick
from .test_effects import search


def why(table: ScriptedGame, seat: int, text: str) -> str | None:
    found = GAME.why_not(table.position.view(seat), GAME.parse(text))
    if found is None:
        return None
    for language in LANGUAGES:
        assert GameMessages(GAME, language).reason(found)
        assert GameMessages(GAME, language).say(f"rule.{found.rule}")
    assert isinstance(found, Reason)
    return found.key


def test_legal_choices_have_no_reason_against_them() -> None:
    table = stand(2, "1 2 6 6 6")
    assert [why(table, 0, text) for text in table.options(0)] == [None] * 6


def test_other_seats_and_other_times() -> None:
    table = stand(4, "1 4 6")
    assert why(table, 0, "search jewelers") == "not_your_turn"
    assert why(table, 2, "take gem") == "first"
    assert why(table, 2, "decline") == "compulsory"
    assert why(last_pick(clock=22), 0, "search jewelers") == "over"


def test_what_comes_later_names_what_comes_first() -> None:
    table = stand(4, "1 4 6")
    found = GAME.why_not(table.position.view(2), GAME.parse("take gem"))
    assert found is not None
    first = "Take a die from a gate and search its area."
    assert GameMessages(GAME, "en").reason(found) == f"That comes later. First: {first}"


@pytest.mark.parametrize(
    ("choice", "reason"),
    [
        ("search library", "no_die"),
        ("search inn", "used_up"),
        ("search_neutral jewelers", "no_neutral"),
        ("search_neutral library", "no_die"),
    ],
)
def test_search(choice: str, reason: str) -> None:
    """Rule AL-3.3."""
    assert why(stand(4, "1 4 6", used_up=["inn"]), 2, choice) == reason


def test_search_with_the_neutral_player() -> None:
    """Rule AL-8.1."""
    assert why(stand(2, "1 2 6 6 6", handed=[0]), 0, "search_neutral jewelers") == "handed"
    assert why(stand(2, "1 2 6", handed=[1]), 0, "search jewelers") == "must_hand_over"


def test_take() -> None:
    """Rules AL-3.4 and AL-3.5."""
    table = stand(4, "1 4 6", stock={"jewelers": "2 gem 2 book"}, submarine="jewelers").play("p2 search jewelers")
    assert why(table, 2, "take tool") == "not_there"
    table.play("p2 take gem")
    assert why(table, 2, "take_extra tool") == "not_there"
    assert why(table, 2, "take gem") == "first"


@pytest.mark.parametrize(
    ("choice", "reason"),
    [
        ("gain library book", "searched_now"),
        ("gain black_market tool", "wrong_area"),
        ("gain jewelers tool", "not_there"),
        ("gain blacksmith weapon", "not_there"),
    ],
)
def test_gain(choice: str, reason: str) -> None:
    """Rule AL-4.3."""
    stock = {"black_market": "1 tool"}
    assert why(search("library_1", "die 5", stock=stock, used_up=["blacksmith"]), 2, choice) == reason


@pytest.mark.parametrize(
    ("choice", "reason"),
    [
        ("move tool jewelers", "not_at_source"),
        ("move gem inn", "searched_now"),
        ("move gem black_market", "wrong_area"),
        ("move gem blacksmith", "used_up"),
    ],
)
def test_move(choice: str, reason: str) -> None:
    """Rule AL-4.4."""
    assert why(search("inn_2", stock={"black_market": "1 gem"}, used_up=["blacksmith"]), 2, choice) == reason


def test_swap() -> None:
    """Rule AL-4.5."""
    table = search("jewelers_2")
    assert why(table, 2, "swap tool library book") == "not_there"
    assert why(table, 2, "swap gem library tool") == "not_there"
    assert why(table, 2, "swap gem jewelers gem") == "searched_now"


def test_set_die() -> None:
    """Rule AL-4.7."""
    assert why(search("inn_3", dice="3 1 6"), 2, "set_die library 1") == "no_die"


def test_move_submarine() -> None:
    """Rule AL-4.8."""
    table = search("engineering_works_1", used_up=["inn"], submarine="library")
    assert why(table, 2, "move_submarine library") == "submarine_there"
    assert why(table, 2, "move_submarine inn") == "used_up"


def test_donation() -> None:
    """Rule AL-6.2."""
    table = last_pick(clock=3, holds=["3 gem 3 book"])
    assert why(table, 0, "donate gem 4") == "too_few"
    assert why(table, 0, "donate book 1") == "first"
    table.play("p0 donate gem 1")
    assert why(table, 0, "donate book 2") == "not_whole"
