"""Lessons, puzzles and the coach: learning a game at its table.

Lessons are data that the engine carries out and the picture draws. This package has their types,
their positions and outcomes, and the check of a lesson against engine, picture and texts. The pages
belong to the server. `docs/lessons.md` explains how to write a lesson.
"""

from .check import check, stray_texts, taught
from .lesson import About, Answer, Lesson, LessonError, Place, Step, lesson_names, lessons
from .play import Course, Outcome, course

__all__ = [
    "About",
    "Answer",
    "Course",
    "Lesson",
    "LessonError",
    "Outcome",
    "Place",
    "Step",
    "check",
    "course",
    "lesson_names",
    "lessons",
    "stray_texts",
    "taught",
]
