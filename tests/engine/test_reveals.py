"""Answers that reveal hidden information to others."""

import random

import pytest

import atoll
from atoll.engine import CHANCE, PUBLIC, Game, RevealCheck
from tests.toy import GAME as TOY


def shown(game: Game, seats: int, seed: int) -> set[tuple[str, bool]]:
    """Return the answers of a random game (chance too), each with whether it revealed something."""
    position = game.new(seats, {})
    rng = random.Random(seed)
    found: set[tuple[str, bool]] = set()
    while not position.over and position.sequence < 400:
        who = position.to_move[0] if position.to_move else CHANCE
        choice = rng.choice(sorted(position.outcomes()) if who == CHANCE else position.legal_choices(who))
        before, opens = RevealCheck(position, who), position.sealed and len(position.to_move) == 1
        secret = who != CHANCE and not position.sealed and position.decision(who).audience != PUBLIC
        sequence = position.sequence
        position.apply(choice, None if who == CHANCE else who)
        is_shown = before.reveals(position)
        if who == CHANCE or (opens and position.sequence != sequence):
            assert is_shown, "chance, and sealed answers that are opened"
        elif secret:
            assert is_shown, "else others would learn from it what was answered"
            found.add(("secret", True))
        elif not opens:
            found.add((game.text(choice).split()[0], is_shown))
    return found


def test_a_card_played_from_a_hand_is_shown() -> None:
    """Also where the rule doesn't say that the answer reveals something."""
    found = shown(TOY, 3, 1) | shown(TOY, 3, 2)
    assert {("play", True), ("secret", True)} <= found and ("play", False) not in found


def test_a_secret_answer_always_counts() -> None:
    assert ("secret", True) in set().union(*(shown(atoll.games["wutaki"], 3, seed) for seed in range(3)))


@pytest.mark.parametrize("game", ["atacama", "atlandice"])
def test_where_nothing_is_hidden_only_chance_shows_something(game: str) -> None:
    found = shown(atoll.games[game], 2, 1)
    assert found and not any(is_shown for _, is_shown in found)
