"""Learning a game at its table: lessons, which are data, carried out by the engine and drawn like a game.

Here are the lessons' types, their positions and what comes of a choice, and the check that holds every lesson against
engine, picture and words. Not here: the pages, which are the server's. docs/lessons.md says how a lesson is written.
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
