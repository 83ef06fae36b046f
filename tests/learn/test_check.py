"""The check of lessons finds faults planted into a valid lesson."""

from __future__ import annotations

import copy
import importlib.resources
import sys
import tomllib
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from atoll.engine.registry import games
from atoll.engine.scripted_game import ScriptedGame
from atoll.lessons import Lesson, LessonError, LessonSession, check, orphaned_texts

GAME = games["atacama"]
Data = dict[str, Any]


def sound() -> Data:
    file = importlib.resources.files(GAME.package).joinpath("learn", "first.toml")
    return tomllib.loads(file.read_text("utf-8"))


def step(data: Data, id: str) -> Data:
    found: Data = next(each for each in data["step"] if each["id"] == id)
    return found


def set_in(id: str, /, **values: Any) -> Callable[[Data], None]:
    return lambda data: step(data, id).update(values)


def set_answer(id: str, number: int, /, **values: Any) -> Callable[[Data], None]:
    return lambda data: step(data, id)["answers"][number].update(values)


def set_about(**values: Any) -> Callable[[Data], None]:
    return lambda data: data["lesson"].update(values)


def set_place(**values: Any) -> Callable[[Data], None]:
    return lambda data: data["positions"].update(values)


def faults(plant: Callable[[Data], None]) -> list[str]:
    data = copy.deepcopy(sound())
    plant(data)
    return check(Lesson(GAME, "first", data))


def test_the_sound_lesson_has_no_fault() -> None:
    assert faults(lambda data: None) == []


PLANTS: list[tuple[Callable[[Data], None], str]] = [
    (
        set_place(column="p0 place r1c1 base | p1 place r1c2 base"),
        "position 'column': 'p1 place r1c2 base': 'place r1c2 base' isn't offered to seat 1",
    ),
    (set_place(column="p0 place r1c1"), "position 'column': 'p0 place r1c1': 'place r1c1' has 1 parts"),
    (set_place(column="p0 place r1c1 base"), "four: the learner isn't to move, but (1,)"),
    (set_in("ore", spot=["role-7"]), "ore: 'role-7' isn't in the picture"),
    (set_in("ore", hint=["role-7"]), "ore: 'role-7' isn't in the picture"),
    (
        set_in("ore", hint=["field-r1c1"]),
        "ore: the hint must match only right choices, but matches place r1c1 base",
    ),
    (set_in("ore", reason="adjacent"), "ore: reason has no meaning in a step that asks for a legal choice"),
    (set_in("edge", hint=["field-r5c5"]), "edge: a click on the hint isn't refused with 'adjacent', but with occupied"),
    (set_in("edge", hint=[]), "edge: a click on the hint isn't refused with 'adjacent', but with nothing"),
    (set_in("edge", reason=""), "edge: reason is missing in a step that asks for an illegal choice"),
    (
        set_in("edge", answers=[{"on": "place r1c1 *", "say": "other", "pass": True}]),
        "edge: answer 'other' passes in a step that asks for an illegal choice",
    ),
    (set_in("goal", hint=["role-0"]), "goal: hint has no meaning in a step that asks nothing"),
    (set_in("minus", score=[1, 5]), "minus: the score is [1, 4], not [1, 5]"),
    (set_in("minus", lead=3), "minus: the lead is -3, not 3"),
    (set_in("minus", shows={"score-0": 2}), "minus: 'score-0' shows 1, not 2"),
    (set_in("minus", shows={"gold": 2}), "minus: 'gold' isn't in the picture"),
    (set_in("minus", over=True), "minus: the game is not over"),
    (set_in("end", over=False), "end: the game is over"),
    (set_answer("four", 0, score=[8, 0]), "four: best, place r3c1 base: the score is [7, 0], not [8, 0]"),
    (set_answer("last", 0, lead=3), "last: done, place r3c3 base: the lead is 2, not 3"),
    (set_answer("four", 0, on="place r3c1 double"), "four: 'place r3c1 double' matches no legal choice"),
    (set_answer("four", 1, on="place r3c1 *"), "four: 'place r3c1 *' matches only choices of earlier answers"),
    (set_answer("four", 0, then="p1 place r3c2 base"), "step 'four': 'p1 place r3c2 base': 'place r3c2 base' isn't"),
    (set_answer("four", 0, say="finest"), "four: no text 'atacama.learn.first.four.finest' in 'en'"),
    (set_answer("four", 0, say="finest"), "text 'four.best' in 'de' is never used"),
    (set_answer("block", 0, **{"pass": False}), "block: no choice passes"),
    (
        set_in("spoil", hint=[], answers=[{"on": "place r9c9 *", "say": "trap", "pass": True, "lead": -6}]),
        "spoil: a puzzle, but 'place r7c9 base' also wins",
    ),
    (set_in("spoil", spot=["line-rows-7"]), "spoil: text 'spoil' in 'en': 9 is neither claimed nor in the name of"),
    (set_in("nobody", spot=[]), "nobody: text 'nobody' in 'de': 1 is neither claimed nor in the name of"),
    (set_in("edge", ask="show", reason="", hint=[]), "text 'edge.refused' in 'de' is never used"),
    (set_about(covers=["turn", "weather"]), "covers 'weather', which isn't a rule"),
    (set_about(next="weather"), "next is 'weather'; allowed: "),
    (set_about(seats=3), "seats is 3; allowed: 2, 4"),
    (set_about(learner=2), "learner is 2; allowed: 0 to 1"),
]


@pytest.mark.parametrize(("plant", "fault"), PLANTS, ids=[fault for _, fault in PLANTS])
def test_a_planted_fault_is_found(plant: Callable[[Data], None], fault: str) -> None:
    assert fault in "\n".join(faults(plant))


def test_a_position_built_by_hand_is_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    def built(lost: int) -> ScriptedGame:
        state = ScriptedGame(GAME, 2, {"start_player": "seat_1"}).state
        state.base[0] -= lost
        return ScriptedGame.at(GAME, state, {"start_player": "seat_1"})

    positions = SimpleNamespace(__name__="positions", whole=lambda: built(0), short=lambda: built(1), four=four_seats)
    monkeypatch.setitem(sys.modules, "atoll.games.atacama.learn.positions", positions)
    assert faults(set_place(start={"build": "whole"})) == []
    assert "goal: the position is invalid: base: 27 on the table; there are 28" in faults(
        set_place(start={"build": "short"})
    )
    assert "position 'start': wrong seats or options: 4" in "\n".join(faults(set_place(start={"build": "four"})))
    assert "positions has no function 'none'" in "\n".join(faults(set_place(start={"build": "none"})))


def four_seats() -> ScriptedGame:
    return ScriptedGame(GAME, 4, {"start_player": "seat_1"})


def test_a_text_too_long_to_be_read_in_one_breath_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["atoll.lessons.lesson_check"], "LONGEST", 150)
    found = faults(lambda data: None)
    assert "goal: text 'goal' in 'de': 210 characters; allowed: 150" in found
    assert not any("four.best" in fault for fault in found)


def test_texts_of_a_lesson_that_does_not_exist_are_found() -> None:
    assert "atacama.learn.first.goal" in orphaned_texts(GAME.package, GAME.id, {})


@pytest.mark.parametrize(
    ("plant", "error"),
    [
        (
            set_in("ore", ask="guess"),
            r"lesson atacama first: \[step\] ore: ask is 'guess'; allowed: choose, refuse, show",
        ),
        (set_in("ore", spots=[]), r"\[step\] ore: spots is unknown; allowed: id, at, after, ask, spot, hint"),
        (set_in("ore", id="goal"), "step 'goal' is defined twice; allowed: each id once"),
        (set_in("ore", at="nowhere"), "step 'ore' is at 'nowhere'; allowed: start, corner, column"),
        (set_in("ore", at=""), "step 'ore' has both at and after, or none; allowed: one of them"),
        (set_in("ore", after="goal"), "step 'ore' has both at and after, or none"),
        (set_in("nobody", after="spoil"), "step 'nobody' is after 'spoil'; allowed: "),
        (set_place(column={"start": "nowhere"}), "position 'column' starts at 'nowhere'; allowed: "),
        (set_place(column={"start": "corner", "build": "x"}), "position 'column' has build and start"),
        (set_place(column=7), "position 'column': it is 7; allowed: a table with build, save, start, play"),
        (
            set_place(column={"begin": "corner"}),
            "position 'column': begin is unknown; allowed: build, save, start, play",
        ),
        (set_about(minutes=0), r"\[lesson\]: minutes is 0; allowed: a whole number from 1 to 30"),
        (lambda data: data.update(step=[]), r"\[step\]: it is \[\]; allowed: a list"),
    ],
)
def test_what_is_no_lesson_is_refused_by_name(plant: Callable[[Data], None], error: str) -> None:
    data = copy.deepcopy(sound())
    plant(data)
    with pytest.raises(LessonError, match=error):
        Lesson(GAME, "first", data)


def test_a_position_goes_on_from_another() -> None:
    data = copy.deepcopy(sound())
    set_place(again={"start": "corner", "play": "p0 place r9c9 base | p1 place r8c2 base"})(data)
    set_in("ore", at="again", answers=[], ask="show", hint=[])(data)
    lesson = Lesson(GAME, "first", data)
    assert LessonSession(lesson).position(lesson.steps[1]).sequence == 4
