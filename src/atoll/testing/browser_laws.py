"""The law of the table in the browser: a page offers exactly the legal choices."""

from __future__ import annotations

import os
import random
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from atoll.engine import Game

from .browser import check_offer, choose, chromium, click, confirm, data, find_chromium, open_page, pick, wait_until
from .live_server import LiveServer, serving
from .play import BrokenLaw, Effort

if TYPE_CHECKING:
    from playwright.sync_api import Page


def click_through(live: LiveServer, page: Page, game: Game, seats: int, steps: int) -> None:
    """Play decisions of a random game in the browser, with all seats at one device.

    The page is compared with the engine.

    Args:
        live: The server.
        page: The page.
        game: The game.
        seats: Number of seats.
        steps: Number of decisions.

    Raises:
        BrokenLaw: If the page offers other choices than the engine, or a click doesn't make a
            choice.
    """
    chooser = random.Random(seats)
    login = live.guest("Ada", confirm_single=False)
    table = live.set_table(login, game.id, ["me", *["device"] * (seats - 1)], chooser.choice(game.option_sets(seats)))
    live.visit(page, login, f"/t/{table}")
    for _ in range(steps):
        view = live.view(login, table)
        if view.status == "over":
            break
        asked = next(info.seat for info in view.seats if info.to_move and not info.ready)
        _look_as(page, live, table, asked)
        turn = live.view(login, table, asked).turn
        assert turn is not None
        if turn.can_confirm:
            confirm(page, click)
            continue
        check_offer(page, turn.texts)
        wanted = pick(turn.texts, chooser)
        is_mix = bool(data(page)["question"]["amount"])
        choose(page, wanted, click)
        after = live.view(login, table, asked)
        made = after.turn.staged_texts if after.turn else ()
        sealed_in = bool(after.seats[asked].ready)
        # The last amount isn't asked for if the others leave only one value.
        thing, taken = wanted.rpartition(" ")[0], made[len(turn.staged_texts) :]
        open_still = after.turn.texts if after.turn else ()
        implied = is_mix and bool(taken) and not any(each.startswith(f"{thing} ") for each in (*taken, *open_still))
        if not (wanted in made or implied or after.view_sequence > view.view_sequence or sealed_in):
            raise BrokenLaw(f"{wanted!r} was clicked, but chosen were {made}")


def click_through_all(game: Game, effort: Effort) -> None:
    """Play in the browser with each number of seats, on a server with this game.

    Args:
        game: The game.
        effort: The effort; `clicks` is the number of decisions per game.

    Raises:
        BrokenLaw: If the page is wrong, or one of its scripts fails.
        NoBrowser: If the browser or Playwright is missing.
    """
    errors: list[str] = []
    with (
        chromium(find_chromium() or os.environ.get("CHROMIUM")) as browser,
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder), games=game.id) as live,
    ):
        for seats in game.seat_counts:
            # With reduced motion, missed moves aren't replayed to each seat first.
            page = open_page(browser, errors, reduced_motion="reduce")
            try:
                click_through(live, page, game, seats, effort.clicks)
            except BrokenLaw as error:
                raise BrokenLaw(f"with {seats} seats: {error}") from error
            page.context.close()
    if errors:
        raise BrokenLaw(f"a script of the page throws: {errors[0]}")


def _look_as(page: Page, live: LiveServer, table: str, seat: int) -> None:
    """Open the page as the seat that the device is handed to."""
    curtain = page.locator("#page-lift")
    if data(page)["seat"] != seat:
        live.visit(page, None, f"/t/{table}?seat={seat}")
    elif curtain.count():
        curtain.click()
    wait_until(
        page,
        """(seat) => { const d = JSON.parse(document.getElementById("page-data").textContent);
                       return d.seat === seat && (d.mine || d.confirm); }""",
        seat,
    )
