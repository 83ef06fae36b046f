"""Pictures of a game's page in each size and theme: `python -m scripts.look atacama --moves 12`."""

from __future__ import annotations

import argparse
import asyncio
import random
from pathlib import Path

from playwright.async_api import Browser, async_playwright

from atoll.engine.languages import LANGUAGES
from atoll.server.domain.model import NewTable, SeatPlan, Settings, User
from atoll.server.domain.progress import LearningProgress
from atoll.server.http.session import cookie_name
from atoll.server.play import TableServices
from atoll.testing.browser import find_chromium, launch_arguments
from scripts.glance import BARS, is_phone
from scripts.serving import serving


def arguments() -> argparse.Namespace:
    """Return the parsed command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--seats", type=int, default=0, help="number of seats; 0: the fewest")
    parser.add_argument("--moves", type=int, default=10, help="random choices made before the picture is taken")
    parser.add_argument("--seat", type=int, default=None, help="seat whose view is shown; default: the one asked")
    parser.add_argument("--option", action="append", default=[], metavar="ID=VALUE")
    parser.add_argument("--language", default="en", choices=LANGUAGES)
    parser.add_argument("--seed", type=int, default=1, help="seed of the random choices")
    parser.add_argument("--size", nargs="+", default=list(BARS), choices=BARS)
    parser.add_argument("--out", type=Path, default=Path("build/look"))
    return parser.parse_args()


async def play(tables: TableServices, user: User, wanted: argparse.Namespace) -> tuple[str, int]:
    """Create a table, make random choices, and return its id and a seat that is asked."""
    game = next(each for each in tables.catalogue.games() if each.id == wanted.game)
    seats = wanted.seats or game.seat_counts[0]
    given = dict(each.split("=", 1) for each in wanted.option)
    options = {option.id: option.read(given[option.id]) for option in game.options if option.id in given}
    plans = (SeatPlan("me"), *(SeatPlan("device") for _ in range(seats - 1)))
    table = await tables.table_setup.create(user, NewTable(game.id, plans, options))
    await tables.table_setup.start(user, table)
    choose = random.Random(wanted.seed)
    for _ in range(wanted.moves):
        view = await tables.table_views.table(user, table)
        if view.status != "running":
            break
        asked = next(info.seat for info in view.seats if info.to_move and not info.ready)
        turn = (await tables.table_views.table(user, table, seat=asked)).turn
        if turn is None:
            break
        if turn.can_confirm:
            await tables.turns.confirm(user, table, asked, turn.stamp)
        else:
            await tables.turns.choose(user, table, asked, [choose.choice(turn.legal)], turn.stamp)
    view = await tables.table_views.table(user, table)
    return table, next((info.seat for info in view.seats if info.to_move and not info.ready), 0)


async def shoot(browser: Browser, cookie: tuple[str, str], address: str, wanted: argparse.Namespace) -> None:
    """Write a picture for each size and theme."""
    for size in wanted.size:
        width, height = map(int, size.split("x"))
        touch = is_phone(width, height)
        for theme in ("light", "dark"):
            context = await browser.new_context(
                viewport={"width": width, "height": height},
                color_scheme="dark" if theme == "dark" else "light",
                locale=wanted.language,
                is_mobile=touch,
                has_touch=touch,
                reduced_motion="reduce",
            )
            await context.add_cookies([{"name": cookie[0], "value": cookie[1], "url": address}])
            page = await context.new_page()
            await page.goto(address)
            await page.wait_for_timeout(700)
            path = wanted.out / f"{wanted.game}-{size}-{theme}.png"
            await page.screenshot(path=path)
            print(path)
            await context.close()


async def main() -> None:
    """Start a server, play, and write the pictures."""
    wanted = arguments()
    wanted.out.mkdir(parents=True, exist_ok=True)
    async with serving() as (tables, site):
        alone = LearningProgress(coach={wanted.game: "off"})
        login = await tables.users.guest("Ada", Settings(confirm_single=False), learning=alone)
        table, asked = await play(tables, login.user, wanted)
        seat = asked if wanted.seat is None else wanted.seat
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=find_chromium(), args=launch_arguments())
            await shoot(browser, (cookie_name(tables), login.token), f"{site}/t/{table}?seat={seat}", wanted)
            await browser.close()


if __name__ == "__main__":
    asyncio.run(main())
