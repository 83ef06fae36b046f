"""Measures the time from a click to the painted page: random decisions at a table, in Chromium.

    make clicks                                        # all games
    make clicks ARGS="raiatea --size 390x844 --touch"

The time begins when the element or button is clicked. It ends when the page has been patched with
the next question or the staged choice, and the browser has painted it. Clicks that only narrow down
the choice send no request and aren't counted. The other players are bots that answer at once.
Server and browser share the machine, so other work of the server is included. For each game the
number of clicks, the median and the 95th percentile are printed.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
from pathlib import Path
from typing import Final

from playwright.sync_api import Page, sync_playwright

import atoll
from atoll.testing.browser import find_chromium, launch_arguments
from scripts.glance import PAGE

_PATIENCE_S: Final = 60.0

# The time from the click to the frame that shows the next page; null if no request was sent.
_CLICK: Final = """(pick) => new Promise((resolve) => {
const main = document.getElementById("page-main");
const shown = () => document.getElementById("page-data").textContent;
const was = shown();
const begun = performance.now();
const seen = new MutationObserver(() => {
  if (shown() === was) return;
  seen.disconnect();
  requestAnimationFrame(() => {
    const painted = new MessageChannel();
    painted.port1.onmessage = () => resolve(performance.now() - begun);
    painted.port2.postMessage(null);
  });
});
seen.observe(main, { subtree: true, childList: true, characterData: true });
choose(pick);
setTimeout(() => { if (!main.hasAttribute("aria-busy") && shown() === was) { seen.disconnect(); resolve(null); } }, 30);
setTimeout(() => resolve(null), 5000);
})"""


def click(page: Page, pick: float) -> float | None:
    """Make a choice; return the milliseconds until it was visible, None without a request."""
    found: float | None = page.evaluate(f"(pick) => {{\n{PAGE}\nreturn ({_CLICK})(pick);\n}}", pick)
    return found


def measure(page: Page, clicks: int, seed: int) -> list[float]:
    """Return the milliseconds of each click, of fewer clicks if the game ends earlier."""
    chooser = random.Random(seed)
    found: list[float] = []
    deadline = time.monotonic() + _PATIENCE_S
    while len(found) < clicks and time.monotonic() < deadline:
        look = page.evaluate(f"() => {{\n{PAGE}\nreturn look();\n}}")
        if look["over"]:
            break
        if not look["targets"] or page.locator("[aria-busy]").count():
            time.sleep(0.02)
            continue
        ms = click(page, chooser.random())
        if ms is not None:
            found.append(ms)
        time.sleep(0.05)
    return found


def main() -> None:
    """Parse the command line, start a server and a browser, and print the results."""
    from atoll.testing.live_server import serving  # noqa: PLC0415 - the tests' server, only needed here

    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("games", nargs="*", default=sorted(atoll.games))
    parser.add_argument("--size", default="1400x900")
    parser.add_argument("--touch", action="store_true")
    parser.add_argument("--clicks", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    width, height = (int(part) for part in wanted.size.split("x"))
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as server, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=find_chromium(), args=launch_arguments())
        for game in wanted.games:
            login = server.guest("Ada")
            table = server.set_table(login, game, ["me", *["bot"] * (atoll.games[game].min_multiplayer_seats - 1)])
            context = browser.new_context(
                viewport={"width": width, "height": height}, has_touch=wanted.touch, is_mobile=wanted.touch
            )
            page = server.visit(context.new_page(), login, f"/t/{table}")
            found = measure(page, wanted.clicks, wanted.seed)
            half, most = statistics.median(found), statistics.quantiles(found, n=20)[-1]
            print(f"{game:10s} {len(found):4d} clicks {half:5.0f} /{most:5.0f} ms", flush=True)
            context.close()
        browser.close()


if __name__ == "__main__":
    main()
