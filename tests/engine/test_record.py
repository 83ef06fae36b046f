"""Whole games as text."""

from __future__ import annotations

import re

import pytest

from atoll.engine import SaveError, UnknownGame, record
from atoll.engine.registry import games
from tests.toy import GAME as TOY
from tests.toy.tables import begun


def played() -> str:
    table = begun(rounds=1, gifts=False).play("p0 play pearl", "p0 pay white 0", "p0 dive", "draw net", "draw song")
    table.play("p0 keep song", "die 5", "p1 take blue", "p1 rest", "p1 rest")
    return record.write(table.position)


TEXT = played()


def test_record_reads_like_a_game() -> None:
    lines = TEXT.splitlines()
    assert lines[:2] == ["atoll 1", "game toy"]
    assert lines[4:8] == ["seats 2", "option gifts false", "option deal short", "option rounds 1"]
    assert "p1 wish white" in lines
    assert "die 5" in lines
    assert lines[-2:] == ["scores 3 0", "places 1 2"]
    assert sum(line.startswith("= ") for line in lines) == 9


def test_record_replays_with_or_without_hashes() -> None:
    position = record.replay(TOY, record.read(TEXT))
    assert record.write(position) == TEXT
    bare = record.write(position, hashes=False)
    assert "= " not in bare
    assert record.check(TOY, bare) is None


def test_blank_lines_and_remarks_are_nothing() -> None:
    assert record.check(TOY, TEXT.replace("\n", "\n\n# a remark\n")) is None


def test_replay_can_be_watched() -> None:
    seen = []
    record.replay(TOY, record.read(TEXT), lambda step, position: seen.append((step.text or "=", position.over)))
    assert seen[0] == ("=", False)
    assert seen[-1] == ("=", True)


DAMAGED = {
    "another score": (("scores 3 0", "scores 9 0"), r"scores: recorded \[9, 0\], found \[3, 0\]"),
    "another place": (("places 1 2", "places 2 1"), r"places: recorded \[2, 1\], found \[1, 2\]"),
    "illegal choice": (("p0 keep song", "p0 keep raft"), r"line \d+: 'keep raft': 'keep raft' isn't offered to seat 0"),
    "no choice": (("p0 keep song", "p0 sing"), r"line \d+: unknown kind of choice 'sing'"),
    "another seat": (("p0 keep song", "p1 keep song"), r"line \d+: 'keep song': seat 1 isn't asked now"),
    "another outcome": (("die 5", "die 7"), r"line \d+: unknown pips '7'"),
    "another unasked choice": (
        ("p0 pay pink 1", "p0 pay pink 0"),
        r"took 'pay pink 1' automatically, not 'pay pink 0'",
    ),
    "missing line": (("die 5\n", ""), r"line \d+: 'take blue': seat 1 isn't asked now; a chance outcome is awaited"),
    "another game": (("game toy", "game atacama"), "this is a record of 'atacama', not of 'toy'"),
    "other components": ((f"box {TOY.components_hash}", "box 0123"), "made with other components"),
    "no game": (("game toy\n", ""), "the line 'game' is missing"),
    "no version": (("atoll 1", "atoll 2"), "the first line must be 'atoll 1'"),
    "unknown option": (("option gifts false", "option sails false"), "unknown option 'sails'"),
    "option not allowed": (("option rounds 1", "option rounds 99"), "option 'rounds': 99 isn't allowed"),
    "number of seats": (("seats 2", "seats 7"), "toy can't be played with 7 seats"),
    "seats no number": (("seats 2", "seats two"), "seats 'two' isn't a number"),
    "score no number": (("scores 3 0", "scores 3 one"), r"line \d+: scores 'one' isn't a number"),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_damage_is_named_with_its_line(name: str) -> None:
    (old, new), message = DAMAGED[name]
    assert old in TEXT
    found = record.check(TOY, TEXT.replace(old, new, 1))
    assert found is not None
    assert re.search(message, found), found


def test_changed_rules_are_found_by_the_hash() -> None:
    lines = TEXT.splitlines()
    number = [index for index, line in enumerate(lines) if line.startswith("= ")][3]
    lines[number] = "= 000000000000"
    found = record.check(TOY, "\n".join(lines))
    assert found is not None
    assert found.startswith(f"line {number + 1}: recorded '= 000000000000', found '= ")


@pytest.mark.parametrize("text", ["", "hello", "atoll 1", 7, "x" * 3_000_000])
def test_no_record_at_all(text: object) -> None:
    with pytest.raises(SaveError):
        record.read(text)  # type: ignore[arg-type]


def test_forks_have_no_record() -> None:
    with pytest.raises(SaveError, match="only a position that was played from its start on has a record"):
        record.write(begun().position.fork())


def test_from_text_finds_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UnknownGame):
        record.from_text(games, TEXT)
    monkeypatch.setitem(games._loaded, "toy", TOY)
    assert record.from_text(games, TEXT).over
