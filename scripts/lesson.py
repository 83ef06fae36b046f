"""What is wrong with a lesson, and what its steps offer. `python -m scripts.lesson atacama first --step four`."""

from __future__ import annotations

import argparse
import importlib
import sys

import atoll
from atoll.engine import AtollError
from atoll.engine.words import Words
from atoll.learn import Course, Lesson, LessonError, Step, check, lessons, stray_texts
from atoll.picture.elements import elements


def arguments() -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=list(atoll.games))
    parser.add_argument("lesson")
    parser.add_argument("--step", default="", help="show the picture's elements, all choices and what comes of each")
    parser.add_argument("--language", default="en", choices=("en", "de"))
    return parser.parse_args()


def tell(course: Course, step: Step, words: Words) -> None:
    """One line: what a step shows, and its sentence."""
    position = course.position(step)
    try:
        text = course.say(words, step)
    except AtollError as error:
        text = str(error)
    print(f"{step.id:12} {step.ask:7} {position.scores()} {text}")


def look(lesson: Lesson, course: Course, step: Step, words: Words) -> None:
    """All elements of the picture and all choices of a step."""
    position, learner = course.position(step), lesson.about.learner
    picture = importlib.import_module(f"{lesson.game.package}.picture")
    print("\nelements: id, name, what they stand for, number")
    for each in elements(picture.regions(lesson.game, position.view(learner), words)).values():
        print(f"  {each.id:32} {each.name} | {each.choice} | {'' if each.number is None else f'{each.number:g}'}")
    print(f"\nto move: {position.to_move}; over: {position.over}; scores: {position.scores()}\nchoices:")
    for choice in course.legal(step):
        outcome = course.react(step, choice)
        said = f"{outcome.say}{' (right)' if outcome.passes else ''} {outcome.position.scores()}"
        print(f"  {lesson.game.text(choice):40} {said}, to move: {outcome.position.to_move}")


def main() -> int:
    """Tell the lesson; the exit status is 1 if something is wrong with it."""
    wanted = arguments()
    game = atoll.games[wanted.game]
    try:
        found = lessons(game)
    except LessonError as error:
        print(error)
        return 1
    if wanted.lesson not in found:
        print(f"no lesson {wanted.lesson!r}; there are: {', '.join(found)}")
        return 1
    lesson = found[wanted.lesson]
    words, course = Words(game, wanted.language), Course(lesson)
    for step in lesson.steps:
        try:
            tell(course, step, words)
            if step.id == wanted.step:
                look(lesson, course, step, words)
        except LessonError as error:
            print(f"{step.id:12} {error}")
    faults = [*check(lesson), *(f"stray text {key}" for key in stray_texts(game.package, game.id, found))]
    print("\n".join(["", *faults] if faults else ["", "nothing is wrong"]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
