"""Segments of every shape.

Some ask nothing, some have only public single choices, and some contain a sealed decision.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from atoll.engine import (
    Choose,
    Draw,
    Flow,
    NothingToUndo,
    Position,
    Roll,
    RulesError,
    SaveError,
    Sealed,
    audience_of_seats,
)
from atoll.testing.play import full_knowledge, reload
from tests.conformance.planted.honest import DRAW, MARK, PAY, STOP, Honest
from tests.toy import GAME as TOY
from tests.toy.tables import wished


class Segments(Honest):
    """Plays the segments it is given, one after the other; `turn` counts them."""

    def __init__(self, *segments: Callable[[Any], Flow]) -> None:
        super().__init__()
        self.segments = segments

    def play(self, s: Any) -> Flow | tuple[()]:
        return self._flow(s)

    def _flow(self, s: Any) -> Flow:
        yield from self.segments[s.turn](s)
        s.turn += 1
        s.over = s.turn == len(self.segments)


class AtOnce(Segments):
    """The same game, but a segment in which nobody is asked returns no flow."""

    def play(self, s: Any) -> Flow | tuple[()]:
        if self.segments[s.turn] is not silent:
            return self._flow(s)
        for asked in self._flow(s):
            raise AssertionError(asked)
        return ()


def silent(s: Any) -> Flow:
    """Asks nothing."""
    s.last += 1
    s.emit("marked", seat=0, n=s.last)
    yield from ()


def unasked(s: Any) -> Flow:
    """Asks what has one answer only, as everybody knows."""
    choice: int = yield Choose(1, "pay", [PAY.choice(0)], public=True)
    s.coins[1] -= PAY.part(choice)


def ask(s: Any) -> Flow:
    """Asks seat 0."""
    choice: int = yield Choose(0, "pay", [PAY.choice(0), PAY.choice(1)])
    s.coins[0] -= PAY.part(choice)
    s.coins[1] += PAY.part(choice)


def draw(s: Any) -> Flow:
    """Draws a card for seat 0."""
    card: int = yield Draw(DRAW, s.deck, audience=audience_of_seats(0))
    s.deck.remove(card)
    s.hands[0].append(card)


def mark(s: Any, seat: int) -> Any:
    """Marks 0 or nothing."""
    choice: int = yield Choose(seat, "mark", [MARK.choice(0), STOP.first], audience=audience_of_seats(seat))
    return [] if choice == STOP.first else [0]


def seal_and_ask(s: Any) -> Flow:
    """All mark, then seat 0 is asked in the same segment."""
    s.marks = yield Sealed(range(s.seats), lambda seat: mark(s, seat))
    yield from ask(s)


def nothing_to_seal(s: Any) -> Flow:
    """A sealed decision in which nobody has anything to decide."""

    def flow(seat: int) -> Any:
        yield from ()
        return [seat]

    s.marks = yield Sealed(range(s.seats), flow)


def start(*segments: Callable[[Any], Flow], kind: type[Segments] = Segments) -> Position:
    return kind(*segments).new(2)


def loaded(position: Position, data: dict[str, Any]) -> Position:
    game = position.game
    assert isinstance(game, Segments)
    return game.load(data)


@pytest.mark.parametrize("kind", [Segments, AtOnce])
def test_segment_without_a_question(kind: type[Segments]) -> None:
    position = start(silent, ask, silent, silent, ask, kind=kind)
    assert [event.fields["n"] for event in position.events] == [0]
    position.apply(PAY.choice(1), 0)
    assert position.state.last == 2
    before = full_knowledge(reload(position))
    assert before["save"] == position.save_data()
    position.undo(0)
    assert (position.state.last, position.state.coins[0]) == (0, 4)
    assert [event.fields["n"] for event in position.events] == [0]


@pytest.mark.parametrize("kind", [Segments, AtOnce])
def test_game_may_end_without_a_question(kind: type[Segments]) -> None:
    assert start(silent, silent, kind=kind).over


@pytest.mark.parametrize("kind", [Segments, AtOnce])
def test_a_save_never_stands_before_a_segment_without_a_question(kind: type[Segments]) -> None:
    position = start(ask, silent, ask, kind=kind)
    data = position.save_data()
    data["state"]["turn"] = 1
    with pytest.raises(SaveError, match="the segment ends before it asks anything"):
        loaded(position, data)


def test_segment_of_single_options() -> None:
    position = start(ask, unasked, unasked, ask)
    before = full_knowledge(position)
    position.apply(PAY.choice(1), 0)
    assert position.record is not None
    assert [(who, choice) for who, choice, _ in position.record] == [
        (0, PAY.choice(1)),
        (1, PAY.choice(0)),
        (1, PAY.choice(0)),
    ]
    assert position.sequence == 3
    after = full_knowledge(position)
    position.apply(PAY.choice(1), 0)
    assert position.over
    position.undo(0)
    assert full_knowledge(position) == after
    position.undo(0)
    assert full_knowledge(position) == before
    with pytest.raises(NothingToUndo):
        position.undo(0)


def test_game_may_begin_with_single_options() -> None:
    position = start(unasked, ask)
    with pytest.raises(NothingToUndo):
        position.undo(1)
    position.apply(PAY.choice(1), 0)
    position.undo(0)
    assert position.legal_choices(0) == [PAY.choice(0), PAY.choice(1)]


def test_sealed_decision_in_which_nobody_decides() -> None:
    position = start(nothing_to_seal, ask)
    assert position.state.marks == [[0], [1]]
    assert position.to_move == (0,)


def sealed_open() -> Position:
    position = start(silent, draw, seal_and_ask, ask)
    position.apply(DRAW.choice(3))
    position.apply(STOP.first, 1)
    position.apply(MARK.choice(0), 0)
    return position


def test_sealed_decision_inside_a_segment_is_replayed() -> None:
    position = sealed_open()
    assert position.sequence > position.checkpoint_sequence
    assert position.state.marks == [[0], []]
    for other in (position.fork(), reload(position)):
        assert full_knowledge(other)["save"] == position.save_data()
        assert other.state.marks == [[0], []]
    before = full_knowledge(position)
    position.apply(PAY.choice(1), 0)
    position.undo(0)
    assert full_knowledge(position) == before
    with pytest.raises(NothingToUndo, match="a reveal"):
        position.undo(0)


def test_redeal_inside_a_segment_after_a_sealed_decision() -> None:
    fork = wished().play("p0 bid 2", "p1 bid 0").position.fork()
    assert fork.decision(0).prompt == "pay"
    fork.determinize(0, 3)
    again = fork.fork()
    assert again.digest() == fork.digest()
    assert reload(again).digest() == fork.digest()
    again.apply([TOY.parse("pay white 0"), TOY.parse("pay pink 0")], 0)
    assert again.fork().digest() == again.digest()


@pytest.mark.parametrize(
    ("since", "message"),
    [
        ([[64, MARK.choice(0)], [65, 999]], "the sealed choices of seat 1 don't fit the rules"),
        ([[64, MARK.choice(0)]], "the sealed choices of seat 1 don't fit the rules"),
        ([[65, MARK.choice(0)], [64, STOP.first]], "the sealed choices of seat 0 don't fit the rules"),
        ([[0, MARK.choice(0)], [65, STOP.first]], r"doesn't fit what the rules ask there \(Sealed\)"),
        (
            [[64, MARK.choice(0)], [65, STOP.first], [1, PAY.choice(0)]],
            r"doesn't fit what the rules ask there \(Choose\)",
        ),
        (
            [[64, MARK.choice(0)], [65, STOP.first], [0, PAY.choice(0)], [0, PAY.choice(0)]],
            "the segment ends before the choices",
        ),
    ],
)
def test_recorded_sealed_choices_that_dont_fit(since: list[list[int]], message: str) -> None:
    position = sealed_open()
    data = json.loads(position.save())
    assert data["since"] == [[64, MARK.choice(0)], [65, STOP.first]]
    with pytest.raises(SaveError, match=message):
        loaded(position, {**data, "since": since})


def test_recorded_outcomes_that_dont_fit() -> None:
    def both(s: Any) -> Flow:
        yield from draw(s)
        yield from ask(s)

    position = start(both)
    position.apply(DRAW.choice(3))
    data = json.loads(position.save())
    for since in ([[-1, MARK.choice(0)]], [[0, DRAW.choice(3)]]):
        with pytest.raises(SaveError, match=r"doesn't fit what the rules ask there \(Draw\)"):
            loaded(position, {**data, "since": since})
    data["state"]["deck"].remove(5)
    data["state"]["hands"][1] = [5]
    with pytest.raises(SaveError, match=r"doesn't fit what the rules ask there \(Draw\)"):
        loaded(position, {**data, "since": [[-1, DRAW.choice(5)]]})


def broken(ask_for: Callable[[Any], Any]) -> Callable[[Any], Flow]:
    def segment(s: Any) -> Flow:
        yield from ask(s)
        yield ask_for(s)

    return segment


def private(ask_for: Callable[[int], Any]) -> Callable[[Any], Any]:
    def flow(seat: int) -> Any:
        yield ask_for(seat)

    return lambda s: Sealed(range(s.seats), flow)


@pytest.mark.parametrize(
    ("ask_for", "message"),
    [
        (private(lambda seat: Roll(DRAW)), "a sealed flow may only choose, not ask for Roll"),
        (private(lambda seat: Choose(seat, "mark", [])), r"a sealed decision of seat 0 \(mark\) has no choices"),
        (lambda s: Choose(0, "pay", []), "the decision 'pay' of seat 0 has no choices"),
        (lambda s: Choose(0, "pay", [], public=True), "the decision 'pay' of seat 0 has no choices"),
        # Compiled, its type is refused before it is looked at.
        (lambda s: None, "the rules asked for None|Draw.* expected; got None"),
    ],
)
def test_rules_that_break_the_contract(ask_for: Callable[[Any], Any], message: str) -> None:
    position = start(broken(ask_for))
    before = full_knowledge(position)
    with pytest.raises(RulesError, match=message):
        position.apply(PAY.choice(0), 0)
    assert full_knowledge(position) == before


def test_draw_from_an_empty_pool() -> None:
    position = start(broken(lambda s: Draw(DRAW, []))).fork(seed=1)
    before = position.save()
    with pytest.raises(RulesError, match="a draw of 'draw' from an empty pool"):
        position.apply(PAY.choice(0), 0)
    assert position.save() == before
