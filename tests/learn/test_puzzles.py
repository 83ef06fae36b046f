"""Puzzles: their positions are reachable, their choices are legal, a search finds their answers."""

from __future__ import annotations

from datetime import date, timedelta

import msgspec
import pytest

from atoll.engine.languages import LANGUAGES
from atoll.engine.registry import games
from atoll.engine.translations import GameMessages
from atoll.lessons import LessonError
from atoll.lessons.puzzle import (
    Puzzle,
    PuzzleEnding,
    RatedChoice,
    dump_puzzles,
    faults,
    puzzle_file,
    puzzle_of_the_day,
    puzzle_session,
    puzzles,
    read,
)
from atoll.lessons.puzzle_mining import LEAST, MARGIN, mine_puzzles, still_best

NAMES = ("atacama", "atlandice", "atua", "raiatea", "wutaki")
EVERY = [(name, each.id) for name in NAMES for each in read(games[name], puzzle_file(games[name])).puzzles]


@pytest.mark.parametrize("name", NAMES)
def test_a_game_has_twenty_puzzles_of_its_data_of_today(name: str) -> None:
    assert len(puzzles(games[name])) >= 20, f"search for more: atoll puzzles find {name}"


@pytest.mark.parametrize("name", NAMES)
def test_puzzles_hold_and_every_choice_of_theirs_can_be_played(name: str) -> None:
    game = games[name]
    for puzzle in puzzles(game).values():
        assert faults(game, puzzle) == []
        assert puzzle.best.share >= 100 * LEAST and puzzle.margin >= 100 * MARGIN - 1
        session = puzzle_session(game, puzzle.id)
        step = session.lesson.steps[0]
        passed = [choice for choice in session.legal(step) if session.react(step, choice).passes]
        assert [game.text(choice) for choice in passed] == [puzzle.best.choice]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", NAMES)
def test_the_ends_that_a_puzzle_shows_are_told_line_by_line(name: str, language: str) -> None:
    words = GameMessages(games[name], language)
    for puzzle in puzzles(games[name]).values():
        for tried in puzzle.tried:
            assert words.choice(games[name].parse(tried.choice))
            assert tried.way.totals[puzzle.learner] == sum(points for _, _, points in tried.way.lines)
            for key, fields, _ in tried.way.lines:
                assert "{" not in words.say(f"score.{key}", fields)


@pytest.mark.parametrize("name", NAMES)
def test_a_search_comes_to_the_answer_of_the_first(name: str) -> None:
    game = games[name]
    assert still_best(game, next(iter(puzzles(game).values())))


@pytest.mark.fuzz
@pytest.mark.parametrize(("name", "id"), EVERY)
def test_a_search_comes_to_every_answer(name: str, id: str) -> None:
    assert still_best(games[name], puzzles(games[name])[id])


def one() -> Puzzle:
    return next(iter(puzzles(games["atacama"]).values()))


def test_what_does_not_hold_any_more_is_named() -> None:
    game, puzzle = games["atacama"], one()
    replaced = msgspec.structs.replace
    assert "choices, not" in faults(game, replaced(puzzle, legal=puzzle.legal + 1))[0]
    assert "isn't asked" in faults(game, replaced(puzzle, learner=puzzle.learner + 1))[0]
    assert "order of their shares" in faults(game, replaced(puzzle, tried=puzzle.tried[::-1]))[0]
    foreign = replaced(puzzle.best, choice="place r1c1 double")
    assert "isn't legal" in faults(game, replaced(puzzle, tried=(foreign, *puzzle.tried[1:])))[0]
    assert faults(game, replaced(puzzle, save={**puzzle.save, "box": "0" * 16})) != []
    assert faults(game, replaced(puzzle, save={})) != []


def test_a_file_is_read_as_it_was_written_and_one_that_is_none_is_refused(tmp_path) -> None:  # type: ignore[no-untyped-def]
    game = games["atacama"]
    file = tmp_path / "puzzles.json"
    assert read(game, file).puzzles == ()
    found = read(game, puzzle_file(game))
    file.write_text(dump_puzzles(found), "utf-8")
    assert read(game, file) == found
    file.write_text('{"box": "0", "puzzles": [{}]}', "utf-8")
    with pytest.raises(LessonError, match="puzzles of atacama"):
        read(game, file)


def test_each_day_has_another_puzzle_until_all_had_theirs() -> None:
    game, begin = games["atacama"], date(2026, 11, 22)
    found = [puzzle_of_the_day(game, begin + timedelta(days=day)) for day in range(len(puzzles(game)))]
    assert {each.id for each in found if each is not None} == set(puzzles(game))


def test_what_is_found_holds_and_is_found_again() -> None:
    game, puzzle = games["atacama"], one()
    seed = int(puzzle.id.partition("-")[2])
    found = list(mine_puzzles(game, [seed]))
    assert found == list(mine_puzzles(game, [seed]))
    assert all(each is None or faults(game, each) == [] for each in found)


@pytest.mark.parametrize(
    ("best", "second", "stake"),
    [(100, 0, "all"), (67, 10, "only"), (90, 11, "safe"), (66, 33, "stay"), (67, 33, "seize"), (89, 11, "seize")],
)
def test_what_is_at_stake_is_told_by_the_best_and_the_next(best: int, second: int, stake: str) -> None:
    assert _puzzle(4, best, second).stake == stake


@pytest.mark.parametrize(
    ("legal", "margin", "level"),
    [(4, 50, 1), (5, 50, 1), (4, 49, 1), (5, 49, 2), (9, 50, 2), (4, 29, 2), (9, 49, 3), (5, 29, 3), (16, 20, 3)],
)
def test_many_choices_and_a_close_second_make_a_puzzle_hard(legal: int, margin: int, level: int) -> None:
    assert _puzzle(legal, 100, 100 - margin).level == level


def _puzzle(legal: int, *shares: int) -> Puzzle:
    return Puzzle("2-1", 0, legal, tuple(RatedChoice(f"c{share}", share, PuzzleEnding((), ())) for share in shares), {})
