"""Motion of Wutaki's cult: workers walk, flee and go home, and Buka swallows them.

The gain by a worker or a pact is shown as well.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Mapping
from importlib.resources import files
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from atoll.engine.translations import GameMessages
from atoll.games.wutaki import GAME
from atoll.games.wutaki.components import VERBS
from atoll.games.wutaki.kinds import EXTRA, PLACES, RESOURCES
from atoll.games.wutaki.learn.positions import (
    accept,
    avenge,
    fill_maw,
    hire,
    hold,
    know_secret,
    stand,
    state,
    stock,
    table,
)
from atoll.games.wutaki.picture import SCENE, regions, symbols
from atoll.games.wutaki.state import WutakiState, remove_worker, sacrifice
from atoll.picture.scene import style as scene_style
from atoll.picture.windows import with_windows
from atoll.server.presentation import markup
from atoll.testing.browser import data, wait_until
from atoll.testing.live_server import LiveServer
from tests.browser.conftest import NewPage
from tests.browser.live import show

SHEETS = [
    files("atoll.picture") / "picture.css",
    *(
        files("atoll.server.http.pages") / "static" / name
        for name in ("site.css", "table/shell.css", "table/phone.css", "table/middle.css")
    ),
    files("atoll.games.wutaki") / "table.css",
]
MOUNT = """
import { mount } from "/static/games/wutaki/table.js";
window.patched = [];
window.seen = [];
mount({ onPatch: (callback) => window.patched.push(callback) });
new MutationObserver((changes) => {
    for (const { addedNodes } of changes) {
        for (const node of addedNodes) {
            const { worker, kind } = node.closest(".cult-sky") ? node.dataset : {};
            if (worker) window.seen.push(`${worker} ${node.classList[2]}`);
            if (kind) window.seen.push(kind);
        }
    }
}).observe(document.body, { subtree: true, childList: true });
window.mounted = true;
"""
PATCH = """(html) => {
    document.getElementById("table").innerHTML = html;
    for (const callback of window.patched) callback();
}"""
ALL_TEXTS = ".wutaki .mini .brief { display: inline; }"
OUTSIDE = """() => [...document.querySelectorAll(".card text")].filter((text) => {
    const [box, card] = [text, text.closest(".card").firstElementChild].map((each) => each.getBoundingClientRect());
    return box.left < card.left - 1 || box.right > card.right + 1;
}).map((text) => text.textContent)"""
TOUCHING = """() => [...document.querySelectorAll(".card:has(.seal) .card-name")].filter((name) => {
    const title = name.getBoundingClientRect();
    const seal = name.parentNode.querySelector(".seal").getBoundingClientRect();
    return title.right > seal.left && title.top < seal.bottom && title.bottom > seal.top;
}).map((name) => name.textContent)"""
TICKS_AT_EDGE = """() => [...document.querySelectorAll(".card .tick")].filter((tick) =>
    tick.getBoundingClientRect().right > tick.closest(".card").firstElementChild.getBoundingClientRect().right - 4
).length"""
SMALLEST = """() => Math.min(...[...document.querySelectorAll(".card-name")]
    .map((each) => parseFloat(getComputedStyle(each).fontSize) * each.getScreenCTM().a))"""
WORKERS = """() => Object.fromEntries(
    [...document.querySelectorAll("[data-worker]:not(.cult-sky *)")].map((e) => [e.dataset.worker, e.id])
)"""


def picture(s: WutakiState, language: str = "en") -> str:
    """The table as the page has it."""
    found = []
    for region in regions(GAME, table(s).position.view(0), GameMessages(GAME, language)):
        facts = (
            f'<div class="fact" id="{f.id}"><b data-value="{f.number}">{f.value}</b></div>'
            for f in region.facts
            if f.number is not None
        )
        drawings = (f'<svg width="{d.width}" height="{d.height}">{d.markup}</svg>' for d in region.drawings)
        found.append(f'<section id="region-{region.id}">{"".join((*facts, *drawings))}</section>')
    return "".join(found)


def test_no_text_of_a_card_reaches_beyond_it_touches_its_seal_or_is_too_small(page: Page) -> None:
    s = state(2)
    ids = GAME.components.ids
    s.display = [-1] * 4
    s.pact_deck = list(range(len(ids["pact"])))
    accept(s, 0, *ids["pact"])
    hold(s, 0, *dict.fromkeys(ids["omen"]))
    avenge(s, 0, *ids["vengeance"])
    know_secret(s, 0, *ids["secret_pact"])
    s.stock[0] = [9] * len(s.stock[0])
    styles = "".join(
        files(package).joinpath(name).read_text()
        for package, name in (("atoll.picture", "picture.css"), ("atoll.games.wutaki", "table.css"))
    )
    for language in ("en", "de"):
        page.set_content(
            f'<style>{styles}{ALL_TEXTS}</style><main class="wutaki table">{symbols()}{picture(s, language)}</main>'
        )
        assert page.locator(".card").count() > 140
        assert page.evaluate(OUTSIDE) == []
        assert page.evaluate(TOUCHING) == []
        assert page.locator(".card .tick").count() > 100
        assert page.evaluate(TICKS_AT_EDGE) == 0
        assert page.evaluate(SMALLEST) > 13.9


DOCKED = """<style>{style}</style><body class="table at-table wutaki">{symbols}<main class="play">
<div class="scene"><div class="stage" data-mode=""></div></div>
<div class="dock">{goods}<div class="own">{hands}</div></div></main>"""
FREE = """() => [...document.querySelectorAll(".own .card")].map((card) => {
    const { left, right, top } = card.getBoundingClientRect();
    let found = 0;
    for (let x = left; x < right; x += 0.25) found += card.contains(document.elementFromPoint(x, top + 20)) / 4;
    return found;
})"""
MIDDLES = """() => [...document.querySelectorAll("#region-secrets .card")].filter((card) => {
    const { left, top, bottom } = card.getBoundingClientRect();
    return !card.contains(document.elementFromPoint(left + 12, (top + bottom) / 2));
}).map((card) => card.id)"""
UNDER_HEADS = """() => [...document.querySelectorAll("#region-secrets .card")].filter((card) => {
    const [first] = card.querySelectorAll(".brief text");
    if (!first.checkVisibility()) return true;
    const { left, right, top, bottom } = first.getBoundingClientRect();
    return !card.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
}).map((card) => card.id)"""


HIDDEN = """() => {
    const dock = document.querySelector(".dock").getBoundingClientRect();
    const all = document.querySelectorAll(".own .card[id*=own-pact], .own [id^=drawing-box-] > .element");
    return [...all].filter((each) => {
        const { left, right, top, bottom } = each.getBoundingClientRect();
        const reach = [0.1, 0.35, 0.6, 0.85];
        const points = reach.flatMap((x) => reach.map((y) => [left + x * (right - left), top + y * (bottom - top)]));
        return right > dock.right || !points.every(([x, y]) => each.contains(document.elementFromPoint(x, y)));
    }).map((each) => each.id);
}"""


@pytest.mark.parametrize("window", [(1400, 900), (1280, 720), (1024, 768)], ids=str)
def test_however_many_cards_there_are_a_strip_of_each_can_be_hit_and_heads_say_what_they_do(
    page: Page, window: tuple[int, int]
) -> None:
    style = with_windows("".join(sheet.read_text() for sheet in SHEETS) + scene_style("wutaki", SCENE))
    ids = GAME.components.ids
    page.set_viewport_size({"width": window[0], "height": window[1]})
    for omens, vengeance, pacts in ((3, 2, 2), (4, 2, 4), (7, 4, 6), (11, 5, 6), (11, 5, 1), (1, 0, 3), (3, 1, 3)):
        s = state(2)
        accept(s, 0, *ids["pact"][:pacts])
        hold(s, 0, *list(dict.fromkeys(ids["omen"]))[:omens])
        avenge(s, 0, *ids["vengeance"][:vengeance])
        shown = regions(GAME, table(s).position.view(0), GameMessages(GAME, "en"))
        hands = "".join(markup.hand(region, "").__html__() for region in shown if region.role == "hand")
        goods = markup.goods(tuple(region for region in shown if region.id == "mine")).__html__()
        page.set_content(DOCKED.format(style=style, symbols=symbols(), goods=goods, hands=hands))
        assert page.locator("#region-secrets .card").count() >= omens + vengeance
        free = page.evaluate(FREE)
        assert min(free) >= 24, free
        assert page.evaluate(MIDDLES) == []
        if omens + vengeance > 5:
            assert page.evaluate(UNDER_HEADS) == []
        assert page.evaluate(HIDDEN) == [], "all of each own pact is seen, and all boxes"
        if pacts == 1 and window[0] > 1200:  # a third row, next to the goods
            assert min(free[-omens - vengeance :]) >= 46, free


CHANGED = """() => {
    const goods = document.querySelector(".goods .facts");
    const right = () => goods.lastElementChild.getBoundingClientRect().right;
    const before = right();
    for (const fact of goods.children) fact.insertAdjacentHTML("beforeend", "<span class='difference'>+13</span>");
    return right() - before;
}"""


def test_what_a_choice_would_change_lies_over_the_goods_and_moves_them_not(page: Page) -> None:
    style = with_windows("".join(sheet.read_text() for sheet in SHEETS))
    page.set_viewport_size({"width": 1280, "height": 720})
    shown = regions(GAME, table(state(2)).position.view(0), GameMessages(GAME, "en"))
    goods = markup.goods(tuple(region for region in shown if region.id == "mine")).__html__()
    page.set_content(f"""<style>{style}</style><body class="table at-table wutaki"><main class="play">
        <div class="dock">{goods}</div></main>""")
    assert page.locator(".goods .fact").count() > 5
    assert page.evaluate(CHANGED) == 0


def watch(page: Page, s: WutakiState) -> None:
    """The page with the game's script, showing this state; what moves from now on is remembered."""
    page.set_viewport_size({"width": 1400, "height": 6000})
    show(page, f'{symbols()}<main id="table">{picture(s)}</main>')
    page.add_script_tag(content=MOUNT, type="module")
    wait_until(page, "() => window.mounted")


def seen(page: Page) -> list[str]:
    """Return the elements that have moved, once the motion is over."""
    expect(page.locator(".cult-sky > *")).to_have_count(0, timeout=60_000)
    found: list[str] = page.evaluate("() => window.seen.splice(0)")
    return found


def at_work(s: WutakiState) -> WutakiState:
    """Seat 1 has hired two workers; one stands at the market."""
    hire(s, 1, extra=2)
    stand(s, 1, "extra", "market")
    return s


def test_a_worker_walks_to_its_place_and_is_the_same_there(page: Page) -> None:
    s = at_work(state(2))
    watch(page, s)
    before = page.evaluate(WORKERS)
    assert len(before) == 2 * (4 + 4 + 1)
    stand(s, 1, "extra", "quarry")
    page.evaluate(PATCH, picture(s))
    after = page.evaluate(WORKERS)
    [moved] = [worker for worker in before if after[worker] != before[worker]]
    assert before[moved] == "crew-1-extra-home-0"
    assert after[moved] == "place-quarry-1-1"
    assert set(after) == set(before)
    assert seen(page) == [f"{moved} walks"]


def test_a_chased_worker_flees_into_its_tower(page: Page) -> None:
    s = at_work(state(2))
    watch(page, s)
    chased = {id: worker for worker, id in page.evaluate(WORKERS).items()}["place-market-1-1"]
    remove_worker(s, 1, EXTRA, PLACES.index("market"))
    page.evaluate(PATCH, picture(s))
    assert page.evaluate(WORKERS)[chased] == "crew-1-extra-tower-2"
    assert seen(page) == [f"{chased} flees"]


def test_buka_opens_for_what_is_sacrificed_and_gives_back_what_is_plundered(page: Page) -> None:
    s = state(2)
    stock(s, 0, wood=3, oil=1)
    fill_maw(s, oil=1)
    watch(page, s)
    sacrifice(s, 0, RESOURCES.index("wood"), 2)
    page.evaluate(PATCH, picture(s))
    assert page.evaluate("() => document.querySelector('#buka .jaw').getAnimations().map((a) => a.id)") == ["swallow"]
    assert seen(page) == ["wood", "wood"]
    expect(page.locator("#maw-wood")).to_have_text("2")
    s.maw[RESOURCES.index("oil")] -= 1
    s.stock[1][RESOURCES.index("oil")] += 1
    page.evaluate(PATCH, picture(s))
    assert seen(page) == ["oil"]


def test_a_key_ends_what_is_under_way(page: Page) -> None:
    s = at_work(state(2))
    watch(page, s)
    stand(s, 0, "loyal", "quarry")
    page.evaluate(PATCH, picture(s))
    page.keyboard.press("Shift")
    under_way = "() => [...document.querySelectorAll('#place-quarry-1-1')].flatMap((e) => e.getAnimations()).length"
    assert page.evaluate(under_way) == 0
    assert len(seen(page)) == 1


def test_a_patch_that_changes_nothing_lets_them_walk_on(page: Page) -> None:
    s = at_work(state(2))
    watch(page, s)
    stand(s, 0, "loyal", "quarry")
    patches = (
        f"(html) => {{ ({PATCH})(html); ({PATCH})(html); return document.querySelectorAll('.cult-sky > *').length; }}"
    )
    assert page.evaluate(patches, picture(s)) == 1
    assert len(seen(page)) == 1


def test_several_missed_moves_are_walked_at_once(page: Page) -> None:
    s = at_work(state(2))
    watch(page, s)
    stand(s, 0, "loyal", "quarry")
    stand(s, 0, "loyal", "market")
    stand(s, 1, "loyal", "lumberyard")
    page.evaluate(PATCH, picture(s))
    assert sorted(each[:7] for each in seen(page)) == ["0 loyal", "0 loyal", "1 loyal"]
    assert len(page.evaluate(WORKERS)) == 18


def test_without_motion_all_is_there_at_once(new_page: NewPage) -> None:
    page = new_page(reduced_motion="reduce")
    s = at_work(state(2))
    stock(s, 0, wood=3)
    watch(page, s)
    stand(s, 1, "extra", "quarry")
    sacrifice(s, 0, RESOURCES.index("wood"), 2)
    page.evaluate(PATCH, picture(s))
    expect(page.locator("#place-quarry-1-1[data-worker]")).to_have_count(1)
    expect(page.locator(".cult-sky")).to_have_count(0)
    assert page.evaluate("() => document.getAnimations().length") == 0
    assert page.evaluate("() => window.seen") == []


def brought(before: Mapping[str, Any], after: Mapping[str, Any], seat: int) -> dict[str, int]:
    """Return the differences of a seat's points and resources between two views."""
    pairs = {"vp": [view["state"]["vp"][seat] for view in (before, after)]}
    for i, name in enumerate(RESOURCES):
        pairs[name] = [view["state"]["stock"][seat][i] for view in (before, after)]
    return {name: then - now for name, (now, then) in pairs.items() if then != now}


def come_to(live: LiveServer, page: Page, wanted: Callable[[str], bool]) -> tuple[str, dict[str, int]]:
    """Open a table where one of the choices is wanted and brings something at once, after some random moves.

    Returns that choice and what it brings. The engine says it: a pact may cost less than printed.
    """
    login = live.guest("Ada")
    table = live.set_table(login, "wutaki", ["me", "device"])
    chooser = random.Random(3)
    for _ in range(250):
        seat = next(info.seat for info in live.view(login, table).seats if info.to_move and not info.ready)
        shown = live.view(login, table, seat)
        turn = shown.turn
        assert turn is not None
        assert shown.view is not None
        for text in filter(wanted, turn.texts):
            coming = live.ask(live.tables.previews.preview(login.user, table, seat, [text]))
            if brings := brought(shown.view, coming, seat):
                live.visit(page, login, f"/t/{table}?seat={seat}")
                return text, brings
        live.step(login, table, seat, chooser)
    raise AssertionError("such a choice never came up")


def clear(page: Page) -> None:
    """Nothing is previewed, and nothing that is to be hovered or focused is so already."""
    page.mouse.move(5, 5)
    page.keyboard.press("Tab")
    expect(page.locator(".arriving, .difference")).to_have_count(0)


def test_before_a_worker_is_set_its_outcome_is_previewed_then_it_goes_there(live: LiveServer, page: Page) -> None:
    come_to(live, page, lambda text: text == "visit loyal quarry")
    viewer = data(page)["seat"]
    place = page.locator("#place-quarry")
    for look in (place.hover, place.focus):
        clear(page)
        look()
        expect(page.locator("#place-quarry .cultist.arriving")).to_have_count(1)
        expect(page.locator(f"#crew-{viewer}-loyal .cultist.leaving")).to_have_count(1)
        expect(page.locator(f"#stone-{viewer} .difference")).to_have_text(re.compile(r"^\+[1-9]$"))
    goes = page.locator(f"#crew-{viewer}-loyal .cultist.leaving").get_attribute("data-worker")
    place.click()
    expect(page.locator("#place-quarry .cultist")).to_have_attribute("data-worker", goes or "none goes")
    expect(page.locator(f"#crew-{viewer}-loyal [data-worker='{goes}']")).to_have_count(0)


def test_what_is_picked_while_it_is_previewed_stays_marked(live: LiveServer, page: Page) -> None:
    come_to(live, page, lambda text: text.startswith("visit extra "))
    texts = [row[1] for row in data(page)["question"]["legal"]]
    ways = Counter(text.split()[2] for text in texts if text.startswith("visit "))
    place = page.locator(f"#place-{next(place for place, many in ways.items() if many > 1)}")
    place.hover()
    expect(page.locator("#page-regions.previewing")).to_have_count(1)
    place.click()
    expect(place).to_have_class(re.compile(r"\bpicked\b"))
    page.mouse.move(5, 5)
    expect(page.locator("#page-regions.previewing")).to_have_count(0)
    expect(place).to_have_class(re.compile(r"\bpicked\b"))


def is_plain(text: str) -> bool:
    """To fulfil a pact whose cost leaves nothing to choose, and whose reward is points."""
    if not text.startswith("fulfil "):
        return False
    action = GAME.components.pacts[GAME.components.ids["pact"].index(text.split()[1])].action
    cost = action.cost
    fixed = cost.tokens.printed and not (cost.tokens.any or cost.tokens.cost_marker or cost.omen or cost.worker)
    return bool(fixed) and VERBS[action.effects[0].verb] == "vp"


def test_before_a_pact_is_fulfilled_its_payment_and_reward_are_previewed(live: LiveServer, page: Page) -> None:
    text, brings = come_to(live, page, is_plain)
    assert brings["vp"] > 0 > min(brings.values())
    viewer = data(page)["seat"]
    pact = page.locator(f"#region-mine [data-choice*='{text};']")
    for look in (pact.hover, pact.focus):
        clear(page)
        look()
        for name, by in brings.items():
            expect(page.locator(f"#{name}-{viewer} .difference")).to_have_text(f"+{by}" if by > 0 else f"−{-by}")


def test_where_no_worker_of_a_type_is_left_at_home_a_shadow_stands(page: Page) -> None:
    s = state(2)
    s.home[1][0] = 0
    watch(page, s)
    expect(page.locator("#crew-1-loyal .cultist")).to_have_count(0)
    expect(page.locator("#crew-1-loyal .shade")).to_be_visible()
    expect(page.locator("#crew-0-loyal .shade")).to_have_count(0)
