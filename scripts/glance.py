"""Measures what a player sees without scrolling, at random decisions in Chromium.

    .venv/bin/python -m scripts.glance raiatea --size 1400x900 --decisions 60
    .venv/bin/python -m scripts.glance wutaki --size 390x844 --touch --seats 4
    .venv/bin/python -m scripts.glance --bars --decisions 40

The last command tests every game with the fewest and the most seats at twelve sizes, and fails if
one of the requirements (*bars*) isn't met. `make glance` runs it on several processors.

The same command prints the same figures: dice, cards and bots are seeded, and the page is measured
when nothing on it is in progress. It is never scrolled from outside: choices are made by events,
not by a pointer that would scroll to its target. One JSON object is printed per game:

decisions       number of decisions of this seat that were measured
prompt          share of them with the prompt in sight
all_legal       share with every legal element and every button of the decision in sight; an element
                may be counted on the tab of its part on a phone, or at the edge of a panned scene
some_legal      share with at least one of them in sight
own             share with all possessions of the player in sight (on a phone: the goods);
                None if there are none
tall            highest height of the page as a multiple of the window's
wide            highest width of the page as a multiple of the window's
small_target    smallest side of a legal element or button in sight, in pixels on the screen
too_small       highest number of those below 24 pixels that zooming doesn't enlarge
small_text      smallest text in sight, in CSS pixels on the screen (SVG scaling included)
lacking         ids of elements out of sight, the smallest target, and the smallest text
kb              size of the first load as sent

An element is in sight if the middle of its box is in the window and no other element covers it. If
elements overlap it, a visible corner with its name is enough.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import random
import sys
import tempfile
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playwright.sync_api import Browser, Page, sync_playwright

import atoll
from atoll.server.domain.model import TEXT_SIZES, THEMES
from atoll.testing.browser import find_chromium, launch_arguments

if TYPE_CHECKING:
    from atoll.testing.live_server import LiveServer

BARS = (
    *("1400x900", "1280x720", "1024x768", "1366x640", "1920x1080", "2560x1440"),
    *("390x844", "360x740", "844x390", "740x360", "700x450", "768x1024"),
)  # sizes with requirements
NARROW, LOW = 1000, 560  # px; below the one or up to the other it is a phone

PAGE = Path(__file__).with_name("glance.js").read_text("utf-8").replace("export function", "function")


@dataclass(frozen=True, slots=True)
class Glance:
    """The measurements of a table; see the module."""

    decisions: int
    prompt: float
    all_legal: float
    some_legal: float
    own: float | None
    tall: float
    wide: float
    small_target: float
    too_small: int
    small_text: float
    lacking: tuple[str, ...]


def misses(seen: Glance, *, phone: bool) -> list[str]:
    """Return the requirements that a table doesn't meet, as texts."""
    held = {
        "tall": seen.tall == 1,
        "wide": seen.wide <= 1,
        "prompt": seen.prompt == 1,
        "some_legal": seen.some_legal == 1,
        "all_legal": seen.all_legal >= (0.8 if phone else 0.95),
        "own": seen.own in (None, 1),
        "too_small": seen.too_small == 0,
        "small_text": seen.small_text >= (13 if phone else 11),
    }
    return [f"{bar}: {getattr(seen, bar)}" for bar, is_held in held.items() if not is_held]


def measure(page: Page, decisions: int, seed: int = 1) -> Glance:
    """Measure random decisions at the table of a page, each before it is made."""
    page.mouse.move(0, 0)  # an empty place, where the lens covers nothing
    chooser = random.Random(seed)
    looks: list[dict[str, Any]] = []
    deadline = time.monotonic() + 20 * decisions
    last = None
    while len(looks) < decisions and time.monotonic() < deadline:
        # One call for both: between two calls an update may start new animations.
        look = _ask(page, "settle() && look()")
        if not look:
            if page.evaluate("() => 'following' in document.body.dataset"):
                page.keyboard.press("Escape")  # skips the replay of others' moves
            time.sleep(0.02)
            continue
        if look["over"]:
            break
        if not look["mine"] or not look["targets"]:
            time.sleep(0.02)
            continue
        if look["stamp"] != last:
            looks.append(look)
            last = look["stamp"]
        _ask(page, f"choose({chooser.random()})")
    n = max(1, len(looks))
    owning = [each for each in looks if each["own"]]
    return Glance(
        decisions=len(looks),
        prompt=round(sum(each["prompt"] for each in looks) / n, 3),
        all_legal=round(sum(each["seen"] == each["targets"] and each["told"] for each in looks) / n, 3),
        some_legal=round(sum(each["seen"] > 0 for each in looks) / n, 3),
        own=round(sum(each["ownSeen"] == each["own"] for each in owning) / len(owning), 3) if owning else None,
        tall=round(max((each["tall"] for each in looks), default=0), 2),
        wide=round(max((each["wide"] for each in looks), default=0), 2),
        small_target=round(min((each["target"] for each in looks), default=0), 1),
        too_small=max((each["tooSmall"] for each in looks), default=0),
        small_text=round(min((each["small"] for each in looks), default=0), 1),
        lacking=_lacking(looks),
    )


def _ask(page: Page, question: str) -> Any:
    """Evaluate an expression in the page."""
    return page.evaluate(f"() => {{\n{PAGE}\nreturn {question};\n}}")


def _lacking(looks: list[dict[str, Any]]) -> tuple[str, ...]:
    """Return the ids of elements out of sight, and the smallest text."""
    smallest = min(looks, key=lambda each: each["small"], default=None)
    hidden = {id for each in looks for id in each["hidden"]}
    tightest = min(looks, key=lambda each: each["target"], default=None)
    return (
        *sorted(hidden),
        *([tightest["smallTarget"]] if tightest else []),
        *([smallest["smallText"]] if smallest else []),
    )


def listen(page: Page) -> list[int]:
    """Return a list that collects the sizes of the page's responses, in bytes."""
    sizes: list[int] = []
    page.on("response", lambda answer: sizes.append(int(answer.headers.get("content-length", "0"))))
    return sizes


def arguments() -> argparse.Namespace:
    """Return the parsed command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="*", help="none: every game")
    parser.add_argument("--size", default="1400x900")
    parser.add_argument("--seats", type=int, default=0, help="number of seats; 0: the fewest")
    parser.add_argument("--touch", action="store_true")
    parser.add_argument("--bars", action="store_true", help="fewest and most seats at the sizes with requirements")
    parser.add_argument("--decisions", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--language", default="en")
    parser.add_argument("--theme", default="auto", choices=THEMES)
    parser.add_argument("--text-size", type=int, default=100, choices=TEXT_SIZES, help="per cent")
    parser.add_argument("--pictures", type=Path, help="folder for pictures of the last decisions")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="number of processes")
    return parser.parse_args()


@dataclass(frozen=True, slots=True)
class Case:
    """A table to measure: the game, its number of seats, and the window."""

    game: str
    seats: int
    size: str
    touch: bool

    @property
    def window(self) -> tuple[int, int]:
        """The width and height in CSS pixels."""
        width, height = self.size.split("x")
        return int(width), int(height)

    @property
    def phone(self) -> bool:
        """Return whether the scene is shown tab by tab."""
        return is_phone(*self.window)


def is_phone(width: int, height: int) -> bool:
    """Return whether a window of this size shows the scene tab by tab."""
    return width < NARROW or height <= LOW


def cases(wanted: argparse.Namespace) -> list[Case]:
    """Return the tables that the command line asks for."""
    games = wanted.game or list(atoll.games)
    if not wanted.bars:
        fewest = {game: atoll.games[game].seat_counts[0] for game in games}
        return [Case(game, wanted.seats or fewest[game], wanted.size, wanted.touch) for game in games]
    counts = {game: atoll.games[game].seat_counts for game in games}
    found = [
        Case(game, seats, size, touch=False)
        for game in games
        for seats in sorted({counts[game][0], counts[game][-1]})
        for size in BARS
    ]
    return [replace(case, touch=case.phone) for case in found]


def show(server: LiveServer, browser: Browser, case: Case, wanted: argparse.Namespace) -> bool:
    """Play against bots at a table, print its measurements, and return whether they suffice."""
    from tests.draws import same_secrets  # noqa: PLC0415

    width, height = case.window
    context = browser.new_context(
        viewport={"width": width, "height": height},
        has_touch=case.touch,
        is_mobile=case.touch,
        locale=wanted.language,
    )
    with same_secrets(f"{case.game} {case.seats} {case.size} {wanted.seed}"):
        page = context.new_page()
        traffic = listen(page)
        login = server.guest("Ada", pace="slow", theme=wanted.theme, text_size=wanted.text_size)
        table = server.set_table(login, case.game, ["me", *["bot"] * (case.seats - 1)])
        server.visit(page, login, f"/t/{table}")
        loaded = {"requests": len(traffic), "kb": round(sum(traffic) / 1024)}
        found = measure(page, wanted.decisions, wanted.seed)
    if wanted.pictures:
        while not _ask(page, "settle()"):
            page.wait_for_timeout(50)
        page.screenshot(path=wanted.pictures / f"{case.game}-{case.seats}-{case.size}.png")
    context.close()
    below = misses(found, phone=case.phone)
    row = {"game": case.game, "seats": case.seats, "size": case.size, "misses": below}
    print(json.dumps({**row, **asdict(found), **loaded}), flush=True)
    return not below


def show_all(wanted: argparse.Namespace, each: list[Case]) -> bool:
    """Start a server and a browser, and return whether all tables meet the requirements."""
    from atoll.testing.live_server import serving  # noqa: PLC0415 - the tests' server, only needed here

    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as server, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=find_chromium(), args=launch_arguments())
        return all([show(server, browser, case, wanted) for case in each])


def main() -> int:
    """Share the tables among processes, each with a server and a browser of its own.

    The secrets of a table are drawn from its seed, which a process does for one table at a time.

    Returns:
        The exit status: 1 if a table with requirements doesn't meet them.
    """
    wanted = arguments()
    if wanted.pictures:
        wanted.pictures.mkdir(parents=True, exist_ok=True)
    all_cases = cases(wanted)
    workers = min(wanted.workers, len(all_cases))
    shares = [(wanted, all_cases[at::workers]) for at in range(workers)]
    with multiprocessing.get_context("spawn").Pool(workers) as pool:
        are_met = all(pool.starmap(show_all, shares))
    return int(wanted.bars and not are_met)


if __name__ == "__main__":
    sys.exit(main())
