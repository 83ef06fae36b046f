"""Numbers of a seed, and guesses at what a seat can't know."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest

import atoll
from atoll.engine import Game, Position, Rules, SeatView, SeededSource, State, known, nobody, owner, public
from atoll.engine.determinization import Determinizer, determinize, hidden_slots, sort_unordered_zones
from tests.toy import GAME as TOY
from tests.toy.tables import begun, dealt

BIG = 10**9


def numbers(seed: int, count: int) -> list[int]:
    """Return the first outcomes that a seed gives for events with `BIG` outcomes."""
    random = Random(seed).random
    return [int(random() * BIG) for _ in range(count)]


# -- numbers -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("asked", [range(50), (40, 41, 3, 40, 90, 0, 17), (0, 49), (49, 0), (16, 15)])
def test_the_nth_event_gets_the_nth_number_whenever_it_is_asked(asked: range | tuple[int, ...]) -> None:
    source = SeededSource(7)
    expected = numbers(7, 91)
    for index in asked:
        assert source.outcome(index, BIG) == expected[index]


@pytest.mark.parametrize("before", [None, 0, 2, 30])
@pytest.mark.parametrize("count", [0, 1, 5, 20])
def test_the_first_numbers_and_what_comes_after_them(before: int | None, count: int) -> None:
    random = Random(3)
    expected = [random.random() for _ in range(count)]
    after = random.random()
    source = SeededSource(3)
    if before is not None:
        source.outcome(before, 2)
    assert source.first(count) == expected
    assert source.after(count).random() == after
    for index, number in enumerate(numbers(3, 60)):  # it has stored its own numbers
        assert source.outcome(index, BIG) == number


# -- guesses -----------------------------------------------------------------------------------------------------------


def dealt_one_by_one(game: Rules, s: Any, seat: int, seed: int) -> Any:
    """Back by back, card by card: the table as a re-deal for a seat makes it."""
    rng = Random(seed)
    slots = hidden_slots(game, s, seat)
    for back in sorted(slots):
        cards = sorted(zone[index] for zone, index in slots[back])
        keys = [rng.random() for _ in cards]
        shuffled = [card for _, card in sorted(zip(keys, cards, strict=True))]
        for (zone, index), card in zip(slots[back], shuffled, strict=True):
            zone[index] = card
    sort_unordered_zones(s)
    game.determinize(s, seat, rng)
    game.derive(s)
    return s


def moments(game: Game) -> Iterator[Position]:
    """Moments all along a random game with all seats."""
    random = Random(2)
    position = game.new(game.seat_counts[-1], seed=2)
    count = 0
    while not position.over:
        if count % 23 == 0:
            yield position
        count += 1
        seat = random.choice(position.to_move)
        position.apply(random.choice(position.legal_choices(seat)), seat)


@pytest.mark.parametrize("game", [TOY, *atoll.games.values()], ids=lambda game: game.id)
def test_a_guess_is_a_fork_that_was_dealt_anew(game: Game) -> None:
    for position in moments(game):
        seat = position.to_move[-1]
        view = SeatView(position, seat)
        for seed in (0, 5, 2**50):
            expected = dealt_one_by_one(game, position.state.clone(), seat, seed)
            fork = position.fork(seed)
            fork.determinize(seat, seed)
            for guess in (view.sample(seed), view.sample(seed, snapshots=False), view.sample(seed).fork(), fork):
                assert guess.state == expected
                assert guess.legal_choices(seat) == position.legal_choices(seat)
            assert view.sample(seed).save() == fork.save()


def test_a_guess_forgets_what_others_have_answered_in_secret() -> None:
    position = dealt(3).position
    assert position.sealed
    others = [seat for seat in position.to_move if seat != 1]
    for seat in others:
        position.apply(position.legal_choices(seat)[0], seat)
    guess = SeatView(position, 1).sample(3)
    assert not guess.sealed_answers
    assert sorted(guess.to_move) == sorted([1, *others])


@pytest.mark.parametrize("seed", [-1, 1.0, True, "1", None])
def test_a_guess_needs_a_whole_number(seed: Any) -> None:
    with pytest.raises(ValueError, match="expected an integer of at least 0"):
        SeatView(begun().position, 0).sample(seed)


@dataclass(slots=True)
class Zones(State):
    """Cards of two backs (even, odd) in all kinds of zones."""

    seats: int = public()
    over: bool = public()
    hands: list[list[int]] = owner(back="card")
    chosen: list[int] = owner(back="card")
    seen: list[list[int]] = known(back="card", masks="masks")
    masks: list[list[int]] = public()
    pool: list[int] = nobody(back="card")
    shelves: list[list[list[int]]] = nobody(back="card")


class OneBack(Rules):
    """All cards look alike."""

    state_type = Zones

    def __init__(self) -> None:
        self.components: Any = None


class TwoBacks(OneBack):
    """The back tells even cards from odd ones."""

    def card_back(self, field: str, card: int) -> str:
        return "odd" if card % 2 else "even"


def zones(over: Mapping[str, Any] = {}) -> Zones:
    fields: dict[str, Any] = {
        "hands": [[1, 2, 3], [], [4, 5]],
        "chosen": [-1, 6, 7],
        "seen": [[8, 9], [12, 10, 11, 13], [14, 15, 16]],
        "masks": [[1, 1], [2, 3, 3, 6], [4, 4, 4]],
        "pool": [17, 18, 19, 20, 21],
        "shelves": [[[22, 23], [24]], [[25, 26, 27]]],
    }
    s = Zones(3, False, **deepcopy({**fields, **over}))
    s.components, s.options = None, {}
    return s


@pytest.mark.parametrize("game", [OneBack(), TwoBacks()], ids=["one back", "two backs"])
@pytest.mark.parametrize("seat", range(3))
@pytest.mark.parametrize(
    "over",
    [{}, {"hands": [[3, 1, 2], [], [5, 4]], "pool": [18, 17, 21, 20, 19]}, {"pool": [], "shelves": []}],
    ids=["in order", "out of order", "few"],
)
def test_every_zone_is_dealt(game: Rules, seat: int, over: Mapping[str, Any]) -> None:
    dealing = Determinizer(game, zones(over), seat)
    found = []
    for seed in range(20):
        s = zones(over)
        dealing.deal(s, SeededSource(seed))
        expected = dealt_one_by_one(game, zones(over), seat, seed)
        assert s == expected
        again = zones(over)
        determinize(game, again, seat, seed)
        assert again == expected
        found.append(s)
    assert any(one != found[0] for one in found)
