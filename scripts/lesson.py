"""Checks a lesson and shows its steps and choices: `python -m scripts.lesson atacama first`."""

from __future__ import annotations

import argparse
import asyncio
import importlib
import sys
from pathlib import Path
from urllib.parse import quote

from playwright.async_api import async_playwright

import atoll
from atoll.engine import AtollError
from atoll.engine.languages import LANGUAGES
from atoll.engine.translations import GameMessages
from atoll.lessons import (
    Lesson,
    LessonError,
    LessonSession,
    LessonStep,
    check,
    lessons,
    lessons_by_rule,
    orphaned_texts,
)
from atoll.picture.elements import elements
from atoll.testing.browser import find_chromium, launch_arguments
from scripts.glance import is_phone
from scripts.serving import serving


def arguments() -> argparse.Namespace:
    """Return the parsed command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=list(atoll.games))
    parser.add_argument("lesson")
    parser.add_argument("--step", default="", help="show the picture's elements, and all choices with their outcomes")
    parser.add_argument("--language", default="en", choices=LANGUAGES)
    parser.add_argument("--rules", action="store_true", help="list the lessons that teach each rule of the game")
    parser.add_argument("--pictures", action="store_true", help="write a picture of each step (or of --step) to --out")
    parser.add_argument("--theme", default="light", choices=("light", "dark"))
    parser.add_argument("--out", type=Path, default=Path("build/look"))
    return parser.parse_args()


def tell(session: LessonSession, step: LessonStep, words: GameMessages) -> None:
    """Print one line about a step: its scores and its sentence."""
    position = session.position(step)
    try:
        text = session.say(words, step)
    except AtollError as error:
        text = str(error)
    print(f"{step.id:12} {step.ask:7} {position.scores()} {text}")


def look(lesson: Lesson, session: LessonSession, step: LessonStep, words: GameMessages) -> None:
    """Print all elements of the picture and all choices of a step."""
    position, learner = session.position(step), lesson.about.learner
    picture = importlib.import_module(f"{lesson.game.package}.picture")
    print("\nelements: id, name, what they stand for, number")
    for each in elements(picture.regions(lesson.game, position.view(learner), words)).values():
        print(f"  {each.id:32} {each.name} | {each.choice} | {'' if each.number is None else f'{each.number:g}'}")
    print(f"\nto move: {position.to_move}; over: {position.over}; scores: {position.scores()}\nchoices:")
    for choice in session.legal(step):
        outcome = session.react(step, choice)
        said = f"{outcome.say}{' (right)' if outcome.passes else ''} {outcome.position.scores()}"
        print(f"  {lesson.game.text(choice):40} {said}, to move: {outcome.position.to_move}")


async def shoot(lesson: Lesson, wanted: argparse.Namespace) -> None:
    """Write pictures of the steps at both sizes, and of the outcomes of right choices."""
    wanted.out.mkdir(parents=True, exist_ok=True)
    session = LessonSession(lesson)
    async with serving() as (_, site), async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=find_chromium(), args=launch_arguments())
        for size, width, height in (("wide", 1400, 900), ("phone", 390, 844)):
            page = await browser.new_page(
                viewport={"width": width, "height": height},
                color_scheme=wanted.theme,
                locale=wanted.language,
                is_mobile=is_phone(width, height),
                has_touch=is_phone(width, height),
                reduced_motion="reduce",
            )
            for number, step in enumerate(lesson.steps, 1):
                if wanted.step not in ("", step.id):
                    continue
                shown = {"": ""}
                if step.ask == "choose":
                    shown["-right"] = f"&choice={quote(lesson.game.text(session.right(step)))}"
                for name, query in shown.items():
                    address = f"{site}/learn/{lesson.game.id}/{lesson.name}?step={number}{query}"
                    await page.goto(address)
                    await page.wait_for_timeout(400)
                    file = f"{lesson.game.id}-{lesson.name}-{number:02}-{step.id}{name}-{size}-{wanted.language}.png"
                    await page.screenshot(path=wanted.out / file)
                    print(wanted.out / file)
        await browser.close()


def main() -> int:
    """Print a lesson; return 1 if it has faults."""
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
    words, session = GameMessages(game, wanted.language), LessonSession(lesson)
    for step in lesson.steps:
        try:
            tell(session, step, words)
            if step.id == wanted.step:
                look(lesson, session, step, words)
        except LessonError as error:
            print(f"{step.id:12} {error}")
    faults = [*check(lesson), *(f"stray text {key}" for key in orphaned_texts(game.package, game.id, found))]
    if wanted.rules:
        print(
            "\n".join(f"{rule:24} {', '.join(places) or 'nowhere'}" for rule, places in lessons_by_rule(game).items())
        )
    if wanted.pictures:
        asyncio.run(shoot(lesson, wanted))
    print("\n".join(["", *faults] if faults else ["", "nothing is wrong"]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
