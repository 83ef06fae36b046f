"""A running game of older rules goes on under today's."""

import json
from random import Random
from typing import Any

import pytest

from atoll.engine import SaveError, SeededSource
from atoll.games.raiatea import GAME
from atoll.games.raiatea.learn.positions import table

from .test_building import auction_row, building


def of_rules_1(save: str) -> dict[str, Any]:
    """A save as rules 1 wrote it: without the option for auctions."""
    data: dict[str, Any] = json.loads(save)
    assert data["rules_version"] == 3
    options = {name: value for name, value in data["options"].items() if name != "auctions"}
    return {**data, "rules_version": 1, "options": options}


def test_a_game_of_rules_1_goes_on_to_its_end() -> None:
    position = GAME.new(4, {"tane": True}, seed=3)
    rng = Random(3)
    for _ in range(120):
        seat = position.to_move[0]
        position.apply(rng.choice(position.legal(seat)), seat)
    again = GAME.load(of_rules_1(position.save()), source=SeededSource(3))
    assert again.state == position.state
    while not again.over:
        seat = again.to_move[0]
        again.apply(rng.choice(again.legal(seat)), seat)


def test_auctions_of_rules_1_wait_for_a_bid() -> None:
    position = building(auction_row(table(3))).position
    assert position.options["auctions"] == "favour"
    again = GAME.load(of_rules_1(position.save()))
    assert again.options["auctions"] == "need_bid"


def test_a_choice_that_no_longer_fits_starts_the_segment_again() -> None:
    position = building(auction_row(table(3))).position
    old = of_rules_1(position.save())
    with pytest.raises(SaveError, match="doesn't fit the rules"):
        GAME.load({**old, "since": [[0, GAME.parse("decline")]]})
    again = GAME.load({**old, "since": []})  # what the server does then
    assert again.decision(0).prompt == "build"
