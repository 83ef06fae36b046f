"""The laws for one game: `pytest --pyargs atoll.testing --game pearls`.

The summary at the end lists everything that is broken.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from atoll.engine import Game
from atoll.lessons import LessonError, lessons
from atoll.lessons.lesson_check import check

from . import LAWS
from .browser import NoBrowser
from .browser_laws import click_through_all
from .cases import Case
from .discipline import game_violations
from .play import BrokenLaw, Effort, Law
from .transcript import in_other_process


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_law(law: Law, all_cases: Sequence[Case], effort: Effort, broken: list[str]) -> None:
    """Check a law with every number of seats.

    Args:
        law: The law.
        all_cases: The cases of the game.
        effort: The effort.
        broken: List to append broken laws to.
    """
    for case in all_cases:
        try:
            law(case, effort)
        except Exception as error:
            what = str(error) if isinstance(error, BrokenLaw) else f"{type(error).__name__}: {error}"
            broken.append(f"{case}: {what}")
            pytest.fail(broken[-1], pytrace=False)


def test_discipline(game: Game, broken: list[str]) -> None:
    """Check the discipline of rule coroutines in the game's files."""
    broken += game_violations(game)
    if broken:
        pytest.fail("; ".join(broken), pytrace=False)


def test_lessons(game: Game, broken: list[str]) -> None:
    """Check every step of every lesson."""
    try:
        for lesson in lessons(game).values():
            broken += check(lesson)
    except LessonError as error:
        broken.append(str(error))
    if broken:
        pytest.fail("; ".join(broken), pytrace=False)


def test_processes_agree(game: Game, broken: list[str]) -> None:
    """Check that a seed gives the same game in every process."""
    one, two = (in_other_process([game.id], 1, hash_seed) for hash_seed in (1, 3))
    if one != two:
        broken.append("the same seed gives another game in another process: an iteration has no defined order")
        pytest.fail(broken[-1], pytrace=False)


def test_click_through(game: Game, effort: Effort, broken: list[str], untried: list[str]) -> None:
    """Check the table in a browser with every number of seats.

    Args:
        game: The game.
        effort: The effort.
        broken: List to append broken laws to.
        untried: List to append untested laws to.
    """
    try:
        click_through_all(game, effort)
    except NoBrowser as error:
        untried.append(f"its table in a browser: {error}")
        pytest.skip(untried[-1])
    except Exception as error:
        broken.append(str(error) if isinstance(error, BrokenLaw) else f"{type(error).__name__}: {error}")
        pytest.fail(broken[-1], pytrace=False)
