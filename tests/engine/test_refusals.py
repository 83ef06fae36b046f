"""Every call that isn't allowed: its own error, a message that helps, and nothing changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from atoll.engine import (
    AtollError,
    ChanceError,
    GameOver,
    IllegalChoice,
    MalformedChoice,
    NothingToUndo,
    OptionError,
    Position,
    RulesError,
    SeatCountError,
    SeatView,
    TurnDraft,
    UnknownGame,
    WrongSeat,
)
from atoll.engine.registry import games
from atoll.engine.scripted_game import ScriptedGame
from atoll.testing.play import full_knowledge
from tests.conformance.planted.honest import HONEST, Honest
from tests.toy import GAME as TOY
from tests.toy.tables import begun, dealt, wished

Call = Callable[[Position], Any]
REST = TOY.parse("rest")
DIE = TOY.parse("die 1")


def over() -> ScriptedGame:
    return begun(rounds=1).play("p0 rest", "p0 rest", "die 6", "p1 rest", "p1 rest")


def waiting_for_chance() -> ScriptedGame:
    return begun().play("p0 rest", "p0 rest")


REFUSED: dict[str, tuple[Callable[[], ScriptedGame], Call, type[AtollError], str]] = {
    "seat isn't asked": (
        begun,
        lambda p: p.apply(REST, 1),
        WrongSeat,
        "seat 1 isn't asked now; to move: seat 0",
    ),
    "no such seat": (begun, lambda p: p.apply(REST, 2), WrongSeat, "invalid seat 2: expected 0 to 1"),
    "negative seat": (begun, lambda p: p.apply(REST, -1), WrongSeat, "invalid seat -1"),
    "seat is no number": (begun, lambda p: p.apply(REST, "0"), WrongSeat, "invalid seat '0'"),  # type: ignore[call-overload]
    "seat of a sealed decision is a truth value": (
        wished,
        lambda p: p.apply(p.legal_choices(1)[0], True),
        WrongSeat,
        "invalid seat True: expected 0 to 1",
    ),
    "seat of a sealed decision has a fraction": (
        wished,
        lambda p: p.apply(p.legal_choices(1)[0], 1.0),  # type: ignore[call-overload]
        WrongSeat,
        "invalid seat 1.0",
    ),
    "options of a sealed decision for a truth value": (
        wished,
        lambda p: p.legal_choices(True),
        WrongSeat,
        "invalid seat True",
    ),
    "seat is a truth value": (begun, lambda p: p.apply(REST, True), WrongSeat, "invalid seat True"),
    "not offered": (
        begun,
        lambda p: p.apply(TOY.parse("play turtle"), 0),
        IllegalChoice,
        "'play turtle' isn't offered to seat 0 now; offered: play pearl, play net, play song, dive, give, rest",
    ),
    "not offered, and without a name": (
        begun,
        lambda p: p.apply(TOY.vocabulary.kind_named("play").end - 1, 0),
        IllegalChoice,
        r"'play \d+' isn't offered to seat 0",
    ),
    "chance instead of a choice": (begun, lambda p: p.apply(DIE, 0), IllegalChoice, "'die 1' isn't offered to seat 0"),
    "not a choice": (
        begun,
        lambda p: p.apply(10**6, 0),
        MalformedChoice,
        "invalid choice 1000000: expected an int from",
    ),
    "negative choice": (begun, lambda p: p.apply(-1, 0), MalformedChoice, "invalid choice -1"),
    "text as a choice": (begun, lambda p: p.apply("rest", 0), MalformedChoice, "invalid choice 'rest'"),  # type: ignore[arg-type]
    "truth value as a choice": (begun, lambda p: p.apply(True, 0), MalformedChoice, "invalid choice True"),
    "number with a fraction": (begun, lambda p: p.apply(1.0, 0), MalformedChoice, "invalid choice 1.0"),  # type: ignore[call-overload]
    "nothing as a choice": (begun, lambda p: p.apply(None, 0), MalformedChoice, "invalid choice None"),  # type: ignore[call-overload]
    "empty list": (begun, lambda p: p.apply([], 0), MalformedChoice, "the list of choices is empty"),
    "list that fails at its end": (
        begun,
        lambda p: p.apply([REST, REST, REST], 0),
        WrongSeat,
        "choice 3 of 3: seat 0 isn't asked now",
    ),
    "list with an illegal choice": (
        begun,
        lambda p: p.apply([REST, TOY.parse("take pink")], 0),
        IllegalChoice,
        "choice 2 of 2: 'take pink' isn't offered",
    ),
    "seat while chance is awaited": (
        waiting_for_chance,
        lambda p: p.apply(REST, 0),
        WrongSeat,
        "seat 0 isn't asked now; a chance outcome is awaited",
    ),
    "outcome that can't come up": (
        waiting_for_chance,
        lambda p: p.apply(TOY.parse("start 0")),
        ChanceError,
        "'start 0' is impossible now: expected one of die 1, die 2, die 3, die 4, die 5, die 6",
    ),
    "outcome that isn't in the pool": (
        lambda: begun().play("p0 dive"),
        lambda p: p.apply(TOY.vocabulary.kind_named("draw").end - 1),
        ChanceError,
        "is impossible now: expected one of draw pearl",
    ),
    "choice as an outcome": (waiting_for_chance, lambda p: p.apply(REST), ChanceError, "'rest' is impossible now"),
    "outcome that isn't asked": (
        begun,
        lambda p: p.apply(DIE),
        ChanceError,
        "no chance outcome is expected now; to move: seat 0",
    ),
    "outcomes that aren't asked": (begun, lambda p: p.outcomes(), ChanceError, "no chance outcome is expected now"),
    "choice when it's over": (over, lambda p: p.apply(REST, 0), GameOver, "the game is over"),
    "outcome when it's over": (over, lambda p: p.apply(DIE), GameOver, "the game is over"),
    "decision of a seat that isn't asked": (begun, lambda p: p.decision(1), WrongSeat, "seat 1 isn't asked now"),
    "decision of no seat": (begun, lambda p: p.decision(7), WrongSeat, "invalid seat 7: expected 0 to 1"),
    "options of no seat": (begun, lambda p: p.legal_choices(7), WrongSeat, "invalid seat 7"),
    "view of no seat": (begun, lambda p: p.view(7), WrongSeat, "invalid seat 7"),
    "turn of another seat": (begun, lambda p: TurnDraft(p, 1), WrongSeat, "seat 1 isn't asked now"),
    "turn of no seat": (begun, lambda p: TurnDraft(p, 7), WrongSeat, "invalid seat 7"),
    "turn that begins wrong": (begun, lambda p: TurnDraft(p, 0, [DIE]), IllegalChoice, "'die 1' isn't offered"),
    "re-deal for a seat that isn't asked": (
        begun,
        lambda p: p.determinize(1, 3),
        WrongSeat,
        "isn't asked now; to move: seat 0",
    ),
    "re-deal for no seat": (begun, lambda p: p.determinize(7, 3), WrongSeat, "invalid seat 7"),
    "bot of a seat that isn't asked": (begun, lambda p: SeatView(p, 1), WrongSeat, "seat 1 isn't asked now"),
    "undo of another seat": (
        lambda: begun().play("p0 rest"),
        lambda p: p.undo(1),
        NothingToUndo,
        "seat 1 can't undo: chance, a reveal or another seat's choice followed",
    ),
    "undo before chance": (begun, lambda p: p.undo(0), NothingToUndo, "seat 0 can't|seat 0 has no choice to undo"),
    "undo of nothing": (
        lambda: ScriptedGame(TOY, 2),
        lambda p: p.undo(0),
        NothingToUndo,
        "seat 0 has no choice to undo",
    ),
    "undo of no seat": (begun, lambda p: p.undo(7), WrongSeat, "invalid seat 7"),
    "undo of a reveal": (
        lambda: wished().play("p0 bid 0", "p1 bid 0"),
        lambda p: p.undo(1),
        NothingToUndo,
        "seat 1 can't undo|seat 1 has no choice to undo",
    ),
    "sealed answer that was given": (
        lambda: wished().play("p0 bid 0"),
        lambda p: p.apply(TOY.parse("bid 1"), 0),
        WrongSeat,
        "seat 0 isn't asked now; to move: seat 1",
    ),
    "sealed answer that isn't offered": (
        dealt,
        lambda p: p.apply(TOY.parse("enough"), 1),
        IllegalChoice,
        "'enough' isn't offered to seat 1 now; offered: wish white, wish pink, wish blue, wish black",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_is_refused_and_changes_nothing(name: str) -> None:
    make, call, error, message = REFUSED[name]
    position = make().position
    before = full_knowledge(position)
    with pytest.raises(error, match=message.replace("(", r"\(")):
        call(position)
    assert full_knowledge(position) == before


@pytest.mark.parametrize(
    "text", ["", "   ", "fly", "rest now", "take", "take red", "pay white", "pay white 61", "REST", "x" * 500]
)
def test_text_that_is_no_choice(text: str) -> None:
    with pytest.raises(MalformedChoice) as found:
        begun().position.parse(text)
    assert len(str(found.value)) > 20


def test_messages_name_what_is_allowed() -> None:
    with pytest.raises(MalformedChoice, match="unknown shell 'red'; allowed: white, pink, blue, black"):
        TOY.parse("take red")
    with pytest.raises(MalformedChoice, match="unknown kind of choice 'fly'; known: wish, enough, bid"):
        TOY.parse("fly")
    with pytest.raises(MalformedChoice, match="'pay white' has 1 parts; the form is 'pay <shell> <amount>'"):
        TOY.parse("pay white")


@pytest.mark.parametrize("choice", [-1, 10**9, True, "rest", None, 2.5])
def test_no_choice_has_no_text(choice: Any) -> None:
    with pytest.raises(MalformedChoice, match=r"invalid choice .*: expected an int from 0 to"):
        TOY.text(choice)


def test_choice_without_a_name_has_no_text() -> None:
    with pytest.raises(MalformedChoice, match=r"card 7 is out of range: expected 0 to 5"):
        TOY.text(TOY.vocabulary.kind_named("play").choice(7))


@pytest.mark.parametrize("seats", [1, 5, 0, -2, True, "2", 2.0])
def test_number_of_seats(seats: Any) -> None:
    with pytest.raises(SeatCountError, match=r"toy can't be played with .* seats; allowed: 2, 3, 4"):
        TOY.new(seats)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"colour": "red"}, "unknown option 'colour'; known: gifts, deal, rounds"),
        ({"gifts": 1}, "option 'gifts': 1 isn't allowed; allowed: true, false"),
        ({"gifts": "true"}, "option 'gifts': 'true' isn't allowed"),
        ({"deal": "huge"}, "option 'deal': 'huge' isn't allowed; allowed: short, long"),
        ({"deal": ["short"]}, "option 'deal'"),
        ({"rounds": 0}, "option 'rounds': 0 isn't allowed; allowed: 1 to 6"),
        ({"rounds": True}, "option 'rounds': True isn't allowed"),
        ({"rounds": 2.0}, "option 'rounds'"),
        (["gifts"], "options must be a mapping of names to values, not list"),
    ],
)
def test_options(options: Any, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        TOY.new(2, options)


def test_unknown_game() -> None:
    with pytest.raises(UnknownGame, match=r"unknown game 'chess'; known: .*atacama"):
        games["chess"]


@pytest.mark.parametrize("seed", ["x", b"x", 1.5, [1], object()])
def test_a_seed_is_a_whole_number(seed: Any) -> None:
    with pytest.raises(ValueError, match=r"seed .*: expected an integer"):
        TOY.new(2, seed=seed)
    position = TOY.new(2, seed=1)
    with pytest.raises(ValueError, match=r"seed .*: expected an integer"):
        position.fork(seed)


def test_a_whole_number_of_another_library_is_a_seed() -> None:
    assert TOY.new(2, seed=np.int64(7)).save() == TOY.new(2, seed=7).save()
    guesses = [SeatView(begun().position, 0).sample(seed) for seed in (7, np.int64(7))]
    redealt = [begun().position for _ in guesses]
    redealt[0].determinize(0, 7)
    redealt[1].determinize(0, np.int64(7))
    for one, other in (guesses, redealt):
        assert one.save() == other.save()


def test_seed_and_source() -> None:
    with pytest.raises(ValueError, match="give a seed or a source, not both"):
        TOY.new(2, seed=1, source=object())  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", [-1, 1.5, "3"])
def test_seed_of_a_redeal(seed: Any) -> None:
    position = begun().position
    before = full_knowledge(position)
    with pytest.raises(ValueError, match="expected an integer of at least 0"):
        position.determinize(0, seed)
    assert full_knowledge(position) == before


class FailsLate(Honest):
    """Rules with a mistake that only one choice triggers, after the state changed and events were emitted."""

    def show(self, s: Any, seat: int, card: int) -> None:
        super().show(s, seat, card)
        s.coins[0] = 99
        if s.turn == 2:
            raise ZeroDivisionError("the mistake")


class FailsInPrivate(Honest):
    """Rules with a mistake in a private flow."""

    def mark(self, s: Any, seat: int) -> Any:
        marks = yield from super().mark(s, seat)
        if marks == [0]:
            raise KeyError("the mistake")
        return marks


class AsksNonsense(Honest):
    """Rules that ask for what nobody can answer."""

    def pay(self, s: Any, seat: int, payer: int) -> Any:
        yield "money"


class AsksNobody(Honest):
    """Rules with a decision without options."""

    def pay_options(self, s: Any, seat: int, payer: int) -> list[int]:
        return []


def play_to_show(game: Honest) -> Position:
    """The moment at which the second seat is to show a card."""
    position = game.new(2, seed=3)
    while position.sealed:
        position.apply(position.parse("stop"), position.to_move[0])
    for _ in range(3):
        position.apply(position.legal_choices(position.to_move[0])[0], position.to_move[0])
    position.apply(position.legal_choices(1)[0], 1)
    assert position.decision(1).prompt == "show"
    return position


def test_mistake_in_the_rules_changes_nothing() -> None:
    position = play_to_show(FailsLate())
    before = full_knowledge(position)
    with pytest.raises(RulesError, match="planted failed: ZeroDivisionError: the mistake; the position is unchanged"):
        position.apply(position.legal_choices(1)[0], 1)
    assert full_knowledge(position) == before
    with pytest.raises(RulesError, match="choice 1 of 2"):
        position.apply([position.legal_choices(1)[0], 0], 1)
    assert full_knowledge(position) == before


def test_mistake_in_a_private_flow_changes_nothing() -> None:
    position = FailsInPrivate().new(2, seed=3)
    position.apply(position.parse("mark 0"), 1)
    position.apply(position.parse("mark 0"), 0)
    before = full_knowledge(position)
    with pytest.raises(RulesError, match="the mistake"):
        position.apply(position.parse("stop"), 0)
    assert full_knowledge(position) == before
    position.apply(position.parse("mark 1"), 0)
    assert position.sealed_answers == {0: [0, 1], 1: [0]}


@pytest.mark.parametrize(
    ("game", "message"),
    [
        # Compiled, its type is refused before it is looked at.
        (AsksNonsense(), "the rules asked for 'money'; allowed: Choose, Sealed, Roll, Draw|Draw.* expected; got str"),
        (AsksNobody(), "no choices"),
    ],
)
def test_contract_broken_by_the_rules(game: Honest, message: str) -> None:
    position = game.new(2, seed=3)
    while position.sealed:
        position.apply(position.parse("stop"), position.to_move[0])
    position.apply(position.legal_choices(0)[0], 0)
    before = full_knowledge(position)
    with pytest.raises(RulesError, match=message):
        position.apply(position.legal_choices(0)[0], 0)
    assert full_knowledge(position) == before


@pytest.mark.parametrize(
    "call",
    [
        lambda p: p.fork(),
        lambda p: p.save(),
        lambda p: p.undo(0),
        lambda p: p.determinize(0, 1),
        lambda p: p.apply([0, 0], 0),
        lambda p: p.view_record(0),
    ],
)
def test_play_outs_have_no_past(call: Call) -> None:
    position = HONEST.new(2, seed=1, snapshots=False)
    with pytest.raises(ValueError, match=r"snapshots=False can't"):
        call(position)


def test_play_out_that_failed_is_over() -> None:
    game = FailsLate()
    position = play_to_show(game).fork(1, snapshots=False)
    with pytest.raises(RulesError, match="the mistake"):
        position.apply(position.legal_choices(1)[0], 1)
    with pytest.raises(RulesError, match="the rules failed in this rollout"):
        position.apply(0, 0)
