"""The law of the table in the browser: at each decision exactly what is legal is offered, and a click chooses it."""

from __future__ import annotations

import os
import random
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from atoll.engine import Game

from .browser import check_offer, choose, chromium, click, confirm, data, find_chromium, open_page, pick, until
from .play import BrokenLaw, Effort
from .served import LiveServer, serving

if TYPE_CHECKING:
    from playwright.sync_api import Page


def click_through(live: LiveServer, page: Page, game: Game, seats: int, steps: int) -> None:
    """So many decisions of a random game, all seats at one device; the truth comes from the engine, not from the page.

    Raises BrokenLaw.
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
        # The last amount of a mix is not asked for where the others, once taken, leave only one.
        thing, taken = wanted.rpartition(" ")[0], made[len(turn.staged_texts) :]
        open_still = after.turn.texts if after.turn else ()
        implied = is_mix and bool(taken) and not any(each.startswith(f"{thing} ") for each in (*taken, *open_still))
        if not (wanted in made or implied or after.view_sequence > view.view_sequence or sealed_in):
            raise BrokenLaw(f"{wanted!r} was clicked, but chosen were {made}")


def click_through_all(game: Game, effort: Effort) -> None:
    """A server with this game, a browser, and a table with each number of seats.

    Raises BrokenLaw, NoBrowser.
    """
    errors: list[str] = []
    with (
        chromium(find_chromium() or os.environ.get("CHROMIUM")) as browser,
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder), games=game.id) as live,
    ):
        for seats in game.seat_counts:
            # Else each seat is first shown the moves that it missed.
            page = open_page(browser, errors, reduced_motion="reduce")
            try:
                click_through(live, page, game, seats, effort.clicks)
            except BrokenLaw as error:
                raise BrokenLaw(f"with {seats} seats: {error}") from error
            page.context.close()
    if errors:
        raise BrokenLaw(f"a script of its page throws: {errors[0]}")


def _look_as(page: Page, live: LiveServer, table: str, seat: int) -> None:
    """Sit where the device is to be handed to."""
    if data(page)["seat"] != seat or page.locator("#page-lift").count():
        live.visit(page, None, f"/t/{table}?seat={seat}")
    until(
        page,
        """(seat) => { const d = JSON.parse(document.getElementById("page-data").textContent);
                       return d.seat === seat && (d.mine || d.confirm); }""",
        seat,
    )
