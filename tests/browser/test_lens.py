"""Elements that are too small to be read in place are enlarged.

The focus enlarges the same elements by arrow keys alone as a pointer does.
"""

from __future__ import annotations

import random
from typing import Any

import pytest
from playwright.sync_api import Page

import atoll
from atoll.testing.live_server import LiveServer
from tests.browser.conftest import NewPage

CHOICES = 24
LONG = 1500  # ms; after them every sheet is open

# From where and by which arrow each element is reached from the picture's stop, nearest first, and of what kind it is:
# elements of a region that have the same classes are of one kind, whatever happens to them just now.
WAYS = """
() => {
    const STATES = ["legal", "picked", "advised", "fresh", "changed", "since", "spot", "lit", "leads", "now"];
    const kind = (each) => {
        const part = each.closest("[data-tabs], .goods")?.getAttribute("class") ?? "";
        const classes = [...each.classList].filter((one) => !STATES.includes(one));
        return [part.split(" ")[1] ?? part, each.tagName, ...classes.sort()].join(" ");
    };
    const first = document.querySelector("#page-main .element[tabindex='0']");
    const ways = { [first.id]: ["", "", kind(first)] };
    const open = [first];
    for (const from of open) {
        for (const key of ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]) {
            from.focus();
            from.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
            const to = document.activeElement;
            if (!to.matches(".element") || ways[to.id]) continue;
            ways[to.id] = [from.id, key, kind(to)];
            open.push(to);
        }
    }
    document.activeElement.blur();
    const seen = [...document.querySelectorAll("#page-main .element")].filter(
        (each) => !each.closest("dialog") && each.checkVisibility({ visibilityProperty: true }),
    );
    return { ways, missed: seen.filter((each) => !ways[each.id]).map((each) => each.id) };
}
"""

SHEET = """
() => {
    const sheet = document.getElementById("page-hint");
    const line = sheet.querySelector("p")?.textContent ?? "";
    return { open: !sheet.hidden, lens: !!sheet.querySelector("svg.lens"), line };
}
"""


def point_at(page: Page, css: str) -> dict[str, Any]:
    """Move the mouse to an element and return the texts of the sheet."""
    page.locator(css).dispatch_event("pointerover", {"pointerType": "mouse", "bubbles": True})
    page.clock.run_for(LONG)
    found: dict[str, Any] = page.evaluate(SHEET)
    return found


@pytest.mark.parametrize("game", atoll.games)
def test_what_a_pointer_enlarges_the_arrows_enlarge_too(live: LiveServer, new_page: NewPage, game: str) -> None:
    page = new_page(viewport={"width": 1280, "height": 720}, reduced_motion="reduce")  # nothing is replayed
    login = live.guest("Ada", confirm_single=False)
    table = live.set_table(login, game, ["me", *["device"] * (atoll.games[game].seat_counts[-1] - 1)])
    chooser = random.Random(2)
    for _ in range(CHOICES):
        asked = next(info.seat for info in live.view(login, table).seats if info.to_move and not info.ready)
        live.step(login, table, asked, chooser)
    seat = next(info.seat for info in live.view(login, table).seats if info.to_move and not info.ready)
    live.visit(page, login, f"/t/{table}?seat={seat}")
    page.clock.install()
    found = page.evaluate(WAYS)
    assert not found["missed"]
    kinds: dict[str, str] = {}
    for id, (_, key, kind) in found["ways"].items():
        if key:
            kinds.setdefault(kind, id)
    enlarged = 0
    for kind, id in kinds.items():
        pointed = point_at(page, f"[id='{id}']")
        point_at(page, "#page-prompt")
        if not pointed["lens"]:
            continue
        enlarged += 1
        before, key, _ = found["ways"][id]
        page.evaluate("(id) => document.getElementById(id).focus({ focusVisible: true })", before)
        page.keyboard.press(key)
        assert page.evaluate("() => document.activeElement.id") == id, kind
        page.clock.run_for(LONG)
        assert page.evaluate(SHEET) == pointed, kind
        assert pointed["line"], kind
        page.keyboard.press("Escape")
        assert not page.evaluate(SHEET)["open"], kind
        page.clock.run_for(LONG)
        assert not page.evaluate(SHEET)["open"], kind
    assert enlarged
