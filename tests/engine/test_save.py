"""Saves: what comes back, and every way in which one can be wrong."""

from __future__ import annotations

import copy
import importlib.resources
import json
import pickle
from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Final

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import atoll
from atoll.engine import AtollError, Position, SaveError, SeededSource, UnknownGame, record
from atoll.engine.registry import games
from atoll.testing.play import full_knowledge
from tests.conformance.planted.honest import HONEST
from tests.toy import GAME as TOY
from tests.toy.rules import Toy
from tests.toy.tables import begun, dealt

Data = dict[str, Any]


def middle() -> Position:
    """In the middle of a segment, with an open mixed payment."""
    return begun().play("p0 play pearl", "p0 pay white 1").position


def test_save_is_json_and_loads_as_the_same() -> None:
    position = middle()
    saved = position.save()
    again = TOY.load(saved)
    assert again.save() == saved
    assert [again.view(viewer) for viewer in (0, 1, None)] == [position.view(viewer) for viewer in (0, 1, None)]
    assert json.loads(saved)["since"] == [[0, TOY.parse("play pearl")], [0, TOY.parse("pay white 1")]]


@pytest.mark.parametrize("name", ["toy", *sorted(games)])
def test_what_is_saved_without_a_copy_is_the_same(name: str) -> None:
    game = TOY if name == "toy" else games[name]
    position = game.new(seed=1)
    random = Random(1)
    for _ in range(60):
        if position.over:
            break
        copied = position.save_data()
        saved = msgspec.json.encode(position.json_save())
        seat = random.choice(position.to_move)
        position.apply(random.choice(position.legal_choices(seat)), seat)
        assert saved == msgspec.json.encode(copied)


@pytest.mark.parametrize("form", [str, str.encode, json.loads])
def test_load_takes_text_bytes_and_data(form: Callable[[str], Any]) -> None:
    saved = middle().save()
    assert TOY.load(form(saved)).save() == saved


def test_load_by_the_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UnknownGame, match="unknown game 'toy'"):
        atoll.load(middle().save())
    monkeypatch.setitem(games._loaded, "toy", TOY)
    assert atoll.load(middle().save()).save() == middle().save()


def test_load_goes_on_with_a_source() -> None:
    straight = TOY.new(2, seed=5)
    loaded = TOY.load(TOY.new(2, seed=5).save(), source=SeededSource(5))
    for position in (straight, loaded):
        for seat in (0, 1):
            position.apply([TOY.parse("wish white"), TOY.parse("enough")], seat)
        for seat in (0, 1):
            position.apply(TOY.parse("bid 0"), seat)
    assert straight.digest() == loaded.digest()
    assert straight.record is not None
    assert straight.chance_count == loaded.chance_count == len([who for who, *_ in straight.record if who == -1])


def test_sealed_answers_are_saved() -> None:
    position = dealt().play("p1 wish pink").position
    again = TOY.load(position.save())
    assert again.sealed_answers == {1: [TOY.parse("wish pink")]}
    assert again.legal_choices(1) == position.legal_choices(1)


def _repickled(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))  # noqa: S301  (our own bytes)


def test_position_can_be_pickled_and_copied() -> None:
    position = middle()
    for other in (_repickled(position), copy.copy(position), copy.deepcopy(position)):
        assert other.save() == position.save()
        other.apply(other.legal_choices(0)[0], 0)
        assert position.save() == middle().save()
    assert _repickled(TOY).components == TOY.components


def _put(*path: Any, value: Any) -> Callable[[Data], None]:
    def change(data: Data) -> None:
        for key in path[:-1]:
            data = data[key]
        data[path[-1]] = value

    return change


DAMAGED: dict[str, tuple[Callable[[Data], Any], str]] = {
    "other game": (_put("game", value="atacama"), "this is a save of 'atacama', not of 'toy'"),
    "other components": (
        _put("box", value="0123"),
        "the save was made with other components of toy .*with_components.*before release 0.1.0 can't be read",
    ),
    "unknown format": (_put("format", value=2), "save format 2 is unknown; this version reads 1"),
    "newer rules": (
        _put("rules_version", value=9),
        "the save was made with rules version 9 of toy, and this is version 1: update Atoll; what is from before "
        "release 0.1.0 can't be read",
    ),
    "older rules": (
        _put("rules_version", value=0),
        "saves of toy rules version 0 can't be read: no migration",
    ),
    "rules version is no number": (
        _put("rules_version", value="1"),
        "'rules_version' must be an integer of at least 0",
    ),
    "key missing": (lambda data: data.pop("since"), r"keys missing: \['since'\]"),
    "key unknown": (_put("cheat", value=1), r"unknown: \['cheat'\]"),
    "number of seats": (_put("seats", value=5), "5 seats; allowed: 2, 3, 4"),
    "other number of seats": (_put("seats", value=3), "the state has 2 seats, the save 3"),
    "option unknown": (_put("options", "colour", value=1), "unknown option 'colour'"),
    "option not allowed": (_put("options", "rounds", value=99), "option 'rounds': 99 isn't allowed"),
    "options of no kind": (_put("options", value=[]), "options must be a mapping"),
    "sequence": (_put("sequence", value=-1), "'sequence' must be an integer of at least 0, not -1"),
    "chances": (_put("chances", value="many"), "'chances' must be an integer of at least 0, not 'many'"),
    "state of no kind": (_put("state", value=[]), "'state' must be an object, not list"),
    "field missing": (lambda data: data["state"].pop("deck"), r"state fields missing: \['deck'\]"),
    "field unknown": (_put("state", "gold", value=1), r"unknown: \['gold'\]"),
    "field of another type": (_put("state", "turn", value="first"), "state field 'turn': "),
    "field with a hole": (_put("state", "shells", 0, 1, value=None), "state field 'shells': "),
    "field with a fraction": (_put("state", "shells", 0, 1, value=1.5), "state field 'shells': "),
    "truth value as a number": (_put("state", "turn", value=True), "state field 'turn': "),
    "choices of no kind": (_put("since", value={}), r"'since' must be a list of \[who, choice\]"),
    "choice of no kind": (
        _put("since", 0, value=[0, "rest"]),
        r"\[0, 'rest'\] in 'since' isn't a pair \[who, choice\]",
    ),
    "choice of another seat": (_put("since", 0, 0, value=1), "recorded choice .* doesn't fit what the rules ask"),
    "choice that isn't legal": (_put("since", 0, 1, value=0), "the save doesn't fit the rules: the recorded choice 0"),
    "choice by nobody": (_put("since", 0, 0, value=-7), "doesn't fit"),
    "too many choices": (lambda data: data["since"].extend([[0, 0]] * 9), "doesn't fit"),
    "sealed of no kind": (_put("sealed", value=[]), "'sealed' must be an object of seats and their choices"),
    "sealed of no seat": (_put("sealed", value={"9": [1]}), "sealed choices '9'"),
    "sealed choices of no kind": (_put("sealed", value={"0": "all"}), "sealed choices '0': all"),
    "state that the rules can't go on from": (
        _put("state", "order", value=[]),
        "the rules can't continue from its state",
    ),
    "number too high": (_put("state", "shells", 0, 0, value=99), "state field 'shells' holds 99; allowed: 0 to 60"),
    "list too long": (_put("state", "drawn", 0, value=[0, 0, 0]), "'drawn' holds 3 elements; allowed: 2 at most"),
    "seat missing": (_put("state", "hands", value=[[]]), "state field 'hands' has 1 entries for 2 seats"),
    "mask missing": (_put("state", "gifts", 0, value=[1]), "'gift_masks' must have a mask for each of 'gifts'"),
    "shell lost": (_put("state", "supply", 0, value=0), "shell 0: 2 on the table; there are 10"),
    "card doubled": (_put("state", "hands", 0, value=[0, 0, 1, 3]), "card pearl: 5 on the table; there are 4"),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_damage_is_refused(name: str) -> None:
    change, message = DAMAGED[name]
    data = json.loads(middle().save())
    change(data)
    with pytest.raises(SaveError, match=message):
        TOY.load(json.dumps(data))


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "3", b"\xff\xfe", "[" * 100_000])
def test_no_save_at_all(text: Any) -> None:
    with pytest.raises(SaveError, match="damaged save"):
        TOY.load(text)


def test_sealed_answers_that_dont_fit_are_refused() -> None:
    data = json.loads(dealt().play("p1 wish pink").position.save())
    data["sealed"] = {"1": [TOY.parse("enough")]}
    with pytest.raises(SaveError, match="the sealed choice 4 of seat 1 doesn't fit the rules"):
        TOY.load(data)


def test_sealed_answers_where_nothing_is_sealed_are_refused() -> None:
    data = json.loads(middle().save())
    data["sealed"] = {"1": [TOY.parse("bid 0")]}
    with pytest.raises(SaveError, match="there are sealed choices, but no sealed decision is open"):
        TOY.load(data)


SAVED = begun().play("p0 play pearl", "p0 pay white 1").position.save()
JUNK = st.none() | st.booleans() | st.integers(-3, 400) | st.text(max_size=3) | st.lists(st.integers(-2, 9), max_size=3)


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path] if path else []
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            found += _places(value[key], (*path, key))
    return found


@given(st.sampled_from(_places(json.loads(SAVED))), JUNK)
def test_any_damage_is_refused_or_harmless(path: tuple[Any, ...], junk: Any) -> None:
    data = json.loads(SAVED)
    _put(*path, value=junk)(data)
    try:
        position = TOY.load(data)
    except AtollError:
        return
    full_knowledge(position)


@given(st.integers(0, len(SAVED)), st.integers(1, 40))
def test_a_save_with_a_hole_is_refused(start: int, length: int) -> None:
    text = SAVED[:start] + SAVED[start + length :]
    if text == SAVED:
        return
    try:
        position = TOY.load(text)
    except AtollError:
        return
    full_knowledge(position)


class Later(Toy):
    """The toy two versions on, with other components since version 2."""

    rules_version = 3
    migrations = {  # noqa: RUF012
        1: lambda data: {**data, "state": {**data["state"], "turn": 0}},
        2: lambda data: {**data, "options": {**data["options"], "rounds": 6}},
    }


def with_goal(goal: int) -> Mapping[str, Any]:
    """The toy's component data with another goal."""
    return {**TOY.data, "game": {**TOY.data["game"], "goal": goal}}


LATER: Final = Later(with_goal(5))
Later.component_hashes = {1: TOY.components_hash, 2: LATER.components_hash, 3: LATER.components_hash}


def test_a_save_of_older_rules_goes_on_under_todays() -> None:
    again = LATER.load(middle().save())
    assert again.options["rounds"] == 6
    data = again.save_data()
    assert (data["rules_version"], data["box"]) == (3, LATER.components_hash)
    with pytest.raises(SaveError, match="saves of toy rules version 0 can't be read: no migration"):
        LATER.load({**data, "rules_version": 0})


def test_a_record_of_older_rules_is_played_on_todays() -> None:
    old = record.write(TOY.new(2, seed=1))
    assert record.start(LATER, record.read(old)).sequence == 0
    with pytest.raises(SaveError, match="the record was made with rules version 3 of toy, and this is version 1"):
        record.start(TOY, record.read(record.write(LATER.new(2, seed=1))))


def test_a_game_with_an_owners_components_keeps_them() -> None:
    data = json.loads(middle().save())
    for old in ({**data, "box": "0123"}, {**data, "rules_version": 2}):
        with pytest.raises(SaveError, match="made with other components"):
            LATER.load(old)
    with pytest.raises(SaveError, match="made with other components"):
        Later(with_goal(6)).load(data)


def test_other_components_are_another_game(tmp_path: Any) -> None:
    path = tmp_path / "mine.toml"
    text = importlib.resources.files("tests.toy").joinpath("components.toml").read_text("utf-8")
    path.write_text(text.replace("goal = 4", "goal = 5"))
    mine = TOY.with_components(path)
    assert (mine.components.goal, mine.components_hash == TOY.components_hash) == (5, False)
    with pytest.raises(SaveError, match="made with other components of toy"):
        mine.load(middle().save())
    path.write_text(text + "\n# a remark changes nothing\n")
    assert TOY.with_components(path).load(middle().save()).save() == middle().save()


def test_derived_fields_arent_saved_but_computed() -> None:
    position = HONEST.new(2, seed=1)
    assert "sums" not in position.save_data()["state"]
    assert HONEST.load(position.save()).state.sums == position.state.sums
