"""Lessons, puzzles and the coach: learning a game at its table.

Lessons are data that the engine carries out and the picture draws. This package has their types,
their positions and outcomes, and the check of a lesson against engine, picture and texts. The pages
belong to the server. `docs/study/howto-lessons.md` explains how to write a lesson.
"""

from .lesson import Lesson, LessonError, LessonHeader, LessonStep, PositionSource, Response, lesson_names, lessons
from .lesson_check import check, lessons_by_rule, orphaned_texts
from .session import LessonSession, Outcome, lesson_session

__all__ = [
    "Lesson",
    "LessonError",
    "LessonHeader",
    "LessonSession",
    "LessonStep",
    "Outcome",
    "PositionSource",
    "Response",
    "check",
    "lesson_names",
    "lesson_session",
    "lessons",
    "lessons_by_rule",
    "orphaned_texts",
]
