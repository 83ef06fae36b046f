"""A running game of rules 1 goes on; in its end a tie at 0 counts as one (R37)."""

import json
from random import Random

import atoll
from atoll.engine import SeededSource

GAME = atoll.games["atua"]


def test_r37_a_game_of_rules_1_ends_by_the_letter() -> None:
    position = GAME.new(2, seed=5)
    rng = Random(5)
    for _ in range(30):
        position.apply(rng.choice(position.legal(position.to_move[0])), position.to_move[0])
    again = GAME.load({**json.loads(position.save()), "rules_version": 1}, source=SeededSource(5))
    assert again.state == position.state
    assert again.save_data()["rules_version"] == GAME.rules_version == 2
    while not again.over:
        again.apply(rng.choice(again.legal(again.to_move[0])), again.to_move[0])
