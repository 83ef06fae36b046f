"""Record a bot game as the README's animated picture: `python -m scripts.table_animation`.

Two greedy bots play Atua at a real table. Chromium takes a picture before each turn of the first
bot, and the pictures become `docs/pictures/table.webp`. Needs the packages of `make test`.
"""

from __future__ import annotations

import argparse
import asyncio
import io
from pathlib import Path

from PIL import Image
from playwright.async_api import Page, async_playwright

from atoll.bots import GreedyBot, derive_seed
from atoll.engine import Position, SeatView
from atoll.server.domain.model import NewTable, SeatPlan, Settings, User
from atoll.server.domain.progress import LearningProgress
from atoll.server.http.session import cookie_name
from atoll.server.play import TableServices
from atoll.testing.browser import find_chromium, launch_arguments
from scripts.serving import serving

PICTURE = Path(__file__).parent.parent / "docs" / "pictures" / "table.webp"
WINDOW = (1400, 900)
SIZE = (840, 540)
FRAME_MS = 700
LAST_MS = 3000
MOST_BYTES = 2_000_000


def arguments() -> argparse.Namespace:
    """Return the parsed command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="atua")
    parser.add_argument("--turns", type=int, default=60, help="number of turns; the game may end before")
    parser.add_argument("--quality", type=int, default=60, help="quality of the pictures, 1 to 100")
    parser.add_argument("--out", type=Path, default=PICTURE)
    return parser.parse_args()


async def play_turn(tables: TableServices, user: User, table: str, number: int) -> bool:
    """Let a greedy bot complete the next turn.

    Args:
        tables: The services of the server.
        user: The user that holds all seats.
        table: Id of the table.
        number: Number of the turn, for the bot's seed.

    Returns:
        False if the game is over.
    """
    seat = None
    while True:
        async with tables.executor.locked(table) as live:
            assert live.position is not None, "the game has begun"
            asked = live.position.to_move
            if seat is None and asked:
                seat = asked[0]
            if seat is None or seat not in asked:
                return seat is not None
            draft = live.turn_draft(seat)
            wanted = 0 if not draft.open else best_choice(draft.position, seat, number)
        turn = (await tables.table_views.table(user, table, seat=seat)).turn
        assert turn is not None, "the user has all seats"
        if turn.can_confirm:
            await tables.turns.confirm(user, table, seat, turn.stamp)
            return True
        # The bot answers a set in the order of the rules; the table may ask for another member.
        choice = wanted if wanted in turn.legal else turn.legal[0]
        await tables.turns.choose(user, table, seat, [choice], turn.stamp)


def best_choice(position: Position, seat: int, seed: int) -> int:
    """Return the choice of a greedy bot."""
    return GreedyBot().choose(SeatView(position, seat), 1.0, derive_seed(seed, seat))[0]


async def asked_seats(tables: TableServices, table: str) -> tuple[int, ...]:
    """Return the seats that are asked; none if the game is over."""
    async with tables.executor.locked(table) as live:
        assert live.position is not None, "the game has begun"
        return live.position.to_move


async def picture(page: Page) -> Image.Image:
    """Return the picture of a page in the size of a frame."""
    shot = Image.open(io.BytesIO(await page.screenshot()))
    return shot.convert("RGB").resize(SIZE, Image.Resampling.LANCZOS)


def write(frames: list[Image.Image], path: Path, quality: int) -> None:
    """Write the frames as an animated WebP that repeats.

    Args:
        frames: The pictures; at least one.
        path: The file.
        quality: Quality of the pictures, 1 to 100.

    Raises:
        ValueError: If the file has more than 2 MB.
    """
    durations = [*[FRAME_MS] * (len(frames) - 1), LAST_MS]
    frames[0].save(path, save_all=True, append_images=frames[1:], duration=durations, loop=0, quality=quality, method=6)
    if path.stat().st_size > MOST_BYTES:
        raise ValueError(f"{path} has {path.stat().st_size} bytes: expected at most {MOST_BYTES}; lower the quality")


async def main() -> None:
    """Start a server, let the bot play, and write the animation."""
    wanted = arguments()
    async with serving() as (tables, site):
        without_coach = LearningProgress(coach={wanted.game: "off"})
        login = await tables.users.guest("Ada", Settings(confirm_single=False), learning=without_coach)
        new = NewTable(wanted.game, (SeatPlan("me"), SeatPlan("device", "Bo")), {})
        table = await tables.table_setup.create(login.user, new)
        await tables.table_setup.start(login.user, table)
        address = f"{site}/t/{table}?seat=0"
        frames: list[Image.Image] = []
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=find_chromium(), args=launch_arguments())
            width, height = WINDOW
            context = await browser.new_context(
                viewport={"width": width, "height": height},
                color_scheme="light",
                locale="en",
                reduced_motion="reduce",
            )
            await context.add_cookies([{"name": cookie_name(tables), "value": login.token, "url": address}])
            page = await context.new_page()
            for number in range(wanted.turns):
                # Between the players of one device a page covers the table.
                if await asked_seats(tables, table) != (1,):
                    await page.goto(address)
                    await page.wait_for_timeout(400)
                    frames.append(await picture(page))
                if not await play_turn(tables, login.user, table, number):
                    break
            await browser.close()
    write(frames, wanted.out, wanted.quality)
    print(f"{wanted.out}: {len(frames)} pictures, {wanted.out.stat().st_size} bytes")


if __name__ == "__main__":
    asyncio.run(main())
