"""The halo around elements that changed since the player's last choice: visible, and only around."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from playwright.sync_api import Page

import atoll
from atoll.testing.live_server import LiveServer
from tests.browser.conftest import NewPage
from tests.browser.test_looks import play

MOVES = {"atacama": 9, "atlandice": 31, "atua": 60, "raiatea": 61, "wutaki": 61}
LEAST = 120  # points that a halo changes
MOST = 0.4  # the share of a thing's box that it changes: where it shines through, nearly all

# Of each sort of things in the picture one that nothing covers.
THINGS = """() => {
    const sorts = new Map();
    for (const e of document.querySelectorAll("#page-stage svg .element, #page-dock svg .element")) {
        const box = e.getBoundingClientRect(), x = box.x + box.width / 2, y = box.y + box.height / 2;
        const sort = e.getAttribute("class").replace(/ (seat-\\d|since|legal|picked)/g, "");
        const free = Math.min(box.width, box.height) > 30 && e.contains(document.elementFromPoint(x, y));
        if (free && !sorts.has(sort)) sorts.set(sort, e.id);
    }
    return [...sorts.values()];
}"""
HALO = """([id, on]) => {
    const e = document.getElementById(id);
    e.classList.toggle("since", on);
    e.style.setProperty("--px", String(1 / e.getScreenCTM().a));
    const { x, y, width, height } = e.getBoundingClientRect();
    return { x: x - 6, y: y - 6, width: width + 12, height: height + 12 };
}"""
# The number of pixels that differ visibly between two pictures, and their share of all.
DIFFERENCE = """async (pictures) => {
    const read = async (text) => {
        const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))]));
        const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
        canvas.drawImage(bitmap, 0, 0);
        return canvas.getImageData(0, 0, bitmap.width, bitmap.height).data;
    };
    const [a, b] = await Promise.all(pictures.map(read));
    let count = 0;
    for (let at = 0; at < a.length; at += 4) {
        const differs = (channel) => Math.abs(a[at + channel] - b[at + channel]) > 24;
        count += differs(0) || differs(1) || differs(2);
    }
    return { count, share: (4 * count) / a.length };
}"""


def changes(page: Page, id: str) -> dict[str, Any]:
    """Return the changes on the screen by the halo of an element."""
    found: dict[str, Any] = {}
    for _ in range(3):  # the page may give its own halos just then, and take this one away
        pictures = []
        for on in (False, True):
            clip = page.evaluate(HALO, [id, on])
            pictures.append(base64.b64encode(page.screenshot(clip=clip)).decode())
        page.evaluate(HALO, [id, False])
        found = page.evaluate(DIFFERENCE, pictures)
        if found["count"]:
            break
    return found


@pytest.mark.parametrize("game", list(atoll.games))
def test_a_halo_is_seen_around_what_has_changed_and_tints_nothing(
    live: LiveServer, new_page: NewPage, game: str
) -> None:
    login = live.guest("Ada", confirm_single=False)
    table = live.set_table(login, game, ["me", *["device"] * (atoll.games[game].seat_counts[-1] - 1)])
    play(live, login, table, MOVES[game])
    page = new_page(color_scheme="light", reduced_motion="reduce")
    asked = next(info.seat for info in live.view(login, table).seats if info.to_move and not info.ready)
    live.visit(page, login, f"/t/{table}?seat={asked}")
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        found = {id: changes(page, id) for id in page.evaluate(THINGS)}
        assert len(found) >= 4
        unseen = {id: each["count"] for id, each in found.items() if each["count"] < LEAST}
        tinted = {id: each["share"] for id, each in found.items() if each["share"] > MOST}
        assert not unseen, theme
        assert not tinted, theme
