"""The show of Raiatea's feast: rituals card by card, falling mana, controlled by the player."""

from __future__ import annotations

from importlib.resources import files

import pytest
from playwright.sync_api import Page, expect

from atoll.engine.scripted_game import ScriptedGame
from atoll.engine.translations import GameMessages
from atoll.games.raiatea import GAME
from atoll.games.raiatea.learn.positions import table
from atoll.games.raiatea.picture import SCENE, regions
from atoll.picture.scene import style as scene_style
from atoll.picture.windows import with_windows
from atoll.testing.browser import wait_until
from tests.browser.live import show
from tests.games.raiatea.test_blessing import bag, blessing

MOUNT = """
import { mount } from "/static/games/raiatea/table.js";
window.patched = [];
window.steps = [];
mount({
    onPatch: (callback) => window.patched.push(callback),
    plays: () => window.plays,
    shows: (show) => { window.feast = show; },
});
new MutationObserver(() => {
    const card = document.querySelector(".show-now");
    const step = card && window.ends && `${card.id} ${document.getElementById("source-left").textContent}`;
    if (card && window.steps.at(-1) !== step) window.steps.push(step);
}).observe(document.body, { subtree: true, childList: true, attributes: true });
window.mounted = true;
"""
PATCH = "(html) => { document.body.innerHTML = html; for (const callback of window.patched) callback(); }"
PLAY = """(most) => {
    window.ends = new AbortController();
    window.feast.play(window.ends.signal, most).then(() => { window.over = true; });
}"""
SOURCE = "#source-left"


@pytest.fixture
def blessed() -> ScriptedGame:
    """Return a game: Hina adds 18 mana, two rituals are paid, the last fails (4, 21, 18, 10 mana)."""
    return blessing(bag(table(3), p0="hina tipa", p1="mata_arahu", p2="ihi"), 4)


def row(t: ScriptedGame) -> str:
    """The row as the page has it."""
    region = next(each for each in regions(GAME, t.position.view(0), GameMessages(GAME, "en")) if each.id == "row")
    drawings = "".join(f'<svg width="{d.width}" height="{d.height}">{d.markup}</svg>' for d in region.drawings)
    return f'<section id="region-row"><div class="drawings wrap">{drawings}</div></section>'


def bless(page: Page, t: ScriptedGame, *, plays: bool = True) -> None:
    """Open a page with the game's script and patch it after the rituals."""
    page.clock.install()
    show(page, "<p>the court</p>")
    page.evaluate("(plays) => { window.plays = plays; }", plays)
    page.add_script_tag(content=MOUNT, type="module")
    wait_until(page, "() => window.mounted")
    page.evaluate(PATCH, row(t))


def test_the_row_is_shown_card_by_card(page: Page, blessed: ScriptedGame) -> None:
    bless(page, blessed)
    expect(page.locator(".show-waits")).to_have_count(4)  # until the player comes to it
    page.evaluate(PLAY, 4000)  # in the time that is left for it
    page.clock.run_for(2000)
    page.evaluate(PATCH, row(blessed))  # something else has changed meanwhile
    page.clock.run_for(2200)
    steps = ["row-0 4", "row-0 3", "row-1 21", "row-1 18", "row-2 18", "row-2 10", "row-3 10"]
    assert page.evaluate("() => window.steps") == steps
    expect(page.locator(".show-waits, .show-now")).to_have_count(0)
    expect(page.locator(SOURCE)).to_have_text("10")
    assert page.evaluate("() => [window.over, window.feast.has()]") == [True, False]


def test_the_show_can_be_ended(page: Page, blessed: ScriptedGame) -> None:
    bless(page, blessed)
    page.evaluate(PLAY, 4000)
    page.clock.run_for(100)
    expect(page.locator(".show-now")).to_have_count(1)
    page.evaluate("() => window.ends.abort()")
    expect(page.locator(".show-waits, .show-now")).to_have_count(0)
    expect(page.locator(SOURCE)).to_have_text("10")
    assert page.evaluate("() => window.feast.has()") is False


def test_where_nothing_is_played_the_outcome_is_there_at_once(page: Page, blessed: ScriptedGame) -> None:
    bless(page, blessed, plays=False)
    expect(page.locator(".ritual [data-source]")).to_have_count(4)
    expect(page.locator(".show-waits, .show-now")).to_have_count(0)
    assert page.evaluate("() => [window.steps, window.feast.has()]") == [[], False]


ROW = """() => {
    const parts = [...document.querySelectorAll("#region-row, #region-row svg")];
    const [mat, ...cards] = parts.map((part) => part.getBoundingClientRect());
    const stage = document.querySelector(".stage").getBoundingClientRect();
    return {
        left: (mat.left - stage.left) / stage.width,
        whole: cards.every((card) => card.top >= mat.top && card.bottom <= mat.bottom && card.right <= mat.right),
        tall: Math.min(...cards.map((card) => card.height)) / mat.height,
    };
}"""


@pytest.mark.parametrize(("cards", "left"), [(2, 0.245), (3, 0.245), (4, 0.007)])
def test_at_a_wide_table_few_rituals_are_large_and_lie_below_the_statues(page: Page, cards: int, left: float) -> None:
    sheets = [
        files("atoll.picture") / "picture.css",
        *(files("atoll.server.http.pages") / "static" / name for name in ("site.css", "table/shell.css")),
        files("atoll.games.raiatea") / "table.css",
    ]
    style = with_windows("".join(sheet.read_text() for sheet in sheets) + scene_style("raiatea", SCENE))
    drawings = '<svg viewBox="0 0 100 128" width="100" height="128"></svg>' * cards
    page.set_viewport_size({"width": 1400, "height": 900})
    html = f"""<style>{style}</style><body class="table at-table raiatea"><main class="play"><div class="scene">
        <div class="stage" data-mode="feast" style="width: 1084px"><section id="region-row" class="region">
        <div class="drawings wrap">{drawings}</div></section></div></div></main>"""
    page.set_content(html)
    found = page.evaluate(ROW)
    assert found["left"] == pytest.approx(left, abs=0.002)
    assert found["whole"]
    assert found["tall"] > 0.85
