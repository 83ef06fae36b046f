"""The player of acts on a page without a server: when it continues, and which acts it receives."""

from __future__ import annotations

import random
from typing import Any

import pytest
from playwright.sync_api import Page

import atoll
from atoll.engine import Game
from atoll.server.domain.model import LogEntry
from atoll.server.presentation.log_lines import acts_json
from atoll.server.presentation.texts import game_texts, site
from atoll.server.table.playback import acts
from tests.browser.live import show

PLAYER = """async (count) => {
    const { Player } = await import("/static/js/player.js");
    const texts = { count: "{at} of {of}", mine: "{n}", speed: "Speed", paces: {} };
    window.shown = [];
    window.again = 0;
    window.player = new Player({
        texts, seats: () => ["Ada", "Bo"], slider: false, leave: null, asked: () => false, say: () => {}, end: () => {},
        again: () => { window.again += 1; }, show: async (index) => { window.shown.push(index); },
    });
    document.getElementById("page-main").append(player.element);
    player.load(Array.from({ length: count }, (_, i) => (
        { start: i, end: i + 1, seats: [1], lines: [{ number: i, words: `line ${i}`, names: [] }] }
    )));
}"""
HIDE = """(hidden) => {
    Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""


@pytest.fixture
def shelf(page: Page) -> Page:
    page.clock.install()
    bar = "<div id='page-bar'><p id='page-prompt'></p></div>"
    show(page, f"<main id='page-main' tabindex='-1'>{bar}<ol id='page-log'></ol></main>")
    return page


def shown(page: Page) -> list[int]:
    """The acts that were shown, in their order."""
    found: list[int] = page.evaluate("() => window.shown")
    return found


def test_in_a_hidden_tab_an_act_stands_until_somebody_looks(shelf: Page) -> None:
    shelf.evaluate(PLAYER, 9)
    shelf.evaluate("() => player.play()")
    shelf.clock.run_for(10)
    assert shown(shelf) == [0]
    shelf.evaluate(HIDE, True)
    shelf.clock.run_for(60_000)
    assert shown(shelf) == [0]
    shelf.evaluate(HIDE, False)
    shelf.clock.run_for(60_000)
    assert shown(shelf) == list(range(9))


def test_what_was_stopped_by_hand_stays_so_when_somebody_looks_again(shelf: Page) -> None:
    shelf.evaluate(PLAYER, 3)
    shelf.evaluate("() => player.play()")
    shelf.clock.run_for(10)
    shelf.evaluate("() => player.pause()")
    shelf.evaluate(HIDE, True)
    shelf.evaluate(HIDE, False)
    shelf.clock.run_for(60_000)
    assert shown(shelf) == [0]


def test_a_key_has_one_meaning_at_a_time(shelf: Page) -> None:
    shelf.evaluate(PLAYER, 3)
    shelf.locator("#page-main").focus()
    shelf.keyboard.press("k")
    assert shelf.evaluate("() => [window.player.playing, window.again]") == [True, 0]
    shelf.evaluate("() => window.player.close()")
    shelf.keyboard.press("k")
    shelf.keyboard.press(",")
    shelf.keyboard.press(".")
    assert shelf.evaluate("() => [window.player.playing, window.again]") == [False, 2]


def rounds(game: Game, seed: int) -> list[list[dict[str, Any]]]:
    """Return the acts of others between two of seat 0, as page data, in a game with the most seats."""
    position = game.new(seats=game.seat_counts[-1], seed=seed)
    chooser = random.Random(seed)
    steps: list[tuple[int, int]] = []
    log: list[LogEntry] = []
    while not position.over:
        seat = chooser.choice(position.to_move)
        steps.append((position.sequence, seat))
        position.apply(chooser.choice(position.legal_choices(seat)), seat)
        for event in position.take_events():
            log.append(LogEntry(len(log), position.sequence, "game", event.key, event.fields, ()))
    found: list[list[dict[str, Any]]] = [[]]
    told = acts_json(acts(steps, log, position.sequence, over=True), game_texts(game, "de"), site("de"))
    for act in told:
        if 0 in act["seats"]:
            found.append([])
        else:
            found[-1].append(act)
    return [each for each in found if each]


PLAN = """async (rounds) => {
    const { budgetOf, isTold, stepsOf, stopsOf } = await import("/static/js/pacing.js");
    const planned = (pace) => rounds.map((acts) => stepsOf(acts, stopsOf(acts), pace, budgetOf(pace)));
    const [slow, normal, fast] = ["slow", "normal", "fast"].map(planned);
    const longest = (plans) => Math.max(...plans.map((steps) => steps.reduce((sum, { ms }) => sum + ms, 0)));
    return {
        longest: [slow, normal, fast].map(longest),
        shortest: [slow, normal, fast].map((plans) => Math.min(...plans.flat().map(({ ms }) => ms))),
        ends: rounds.every((acts, i) => normal[i].at(-1).at === stopsOf(acts).at(-1)),
        untold: rounds.flatMap((acts, i) =>
            acts.some(isTold) ? normal[i].filter(({ at }) => !isTold(acts[at])) : []).length,
    };
}"""


def test_what_bots_do_in_a_round_is_played_in_six_seconds(shelf: Page) -> None:
    """Whole games of all five are played so, however long a round is.

    Acts without a log line aren't shown.
    """
    longest = 0.0
    for game in atoll.games.values():
        found = shelf.evaluate(PLAN, rounds(game, seed=3))
        assert found["longest"][1] <= 6000 and found["longest"][2] <= 3000, game.id
        assert all(found["shortest"][at] >= least for at, least in enumerate((600, 600, 350))), game.id
        assert found["ends"] and not found["untold"], game.id
        longest = max(longest, found["longest"][0])
    assert longest > 6000, "without a bound some rounds take longer"


def test_a_round_keeps_its_time_however_its_acts_come(shelf: Page) -> None:
    """While no act waits, the others think: that time isn't part of the round's."""
    shelf.evaluate(PLAYER, 1)
    shelf.evaluate("() => { player.load(player.acts, -1, 'round'); player.play(); }")
    shelf.clock.run_for(500)
    came = """(count) => player.add(Array.from({ length: count }, (_, i) => (
        { start: 0, end: 9, seats: [i], lines: [{ number: 1, words: "w".repeat(200), names: [] }] })))"""
    shelf.evaluate(came, 2)
    shelf.clock.run_for(2500)
    shelf.evaluate(came, 30)
    assert shown(shelf) == [0, 1]
    shelf.clock.run_for(1500)
    assert shelf.evaluate("() => [player.at, player.playing]") != [32, False]
    shelf.clock.run_for(2000)
    assert shelf.evaluate("() => [player.at, player.playing]") == [32, False], "six seconds after the first act waited"
    assert len(shown(shelf)) > 5


def test_the_pace_is_one_click_away(shelf: Page) -> None:
    shelf.route("**/settings", lambda route: route.fulfill(status=204))
    shelf.evaluate(PLAYER, 3)
    speed = shelf.locator(".speed")
    said = []
    for _ in range(4):
        said.append(speed.text_content())
        speed.click()
    assert said == ["1×", "2×", "½×", "1×"]
    assert shelf.evaluate("() => document.body.dataset.pace") == "fast"


FOLLOW = """async ([pace, sequence]) => {
    const { Follow } = await import("/static/js/follow.js");
    document.body.dataset.pace = pace;
    const element = (id, value) => `<g class="element" id="${id}" aria-label="${id}" data-value="${value}"></g>`;
    window.regionsOf = (values) => {
        const made = document.createElement("div");
        made.id = "page-regions";
        made.innerHTML = `<svg class="drawing">${values.map((value, i) => element(`e${i}`, value)).join("")}</svg>`;
        return made;
    };
    document.getElementById("page-main").prepend(regionsOf([0, 0]));
    const regions = () => document.getElementById("page-regions");
    const texts = { player: { count: "{at} of {of}", mine: "{n}", since: "{n}", paces: {} } };
    window.played = [];
    window.asked = [];
    window.answers = [];
    const table = {
        data: { table: "t", seat: 0, seats: [0], names: ["Ada", "Bo"], sequence, mine: false, staged: false },
        texts, patched: [], root: document.getElementById("page-main"),
        picture: { dress() { table.follow?.marks.dress(); } },
        preview: { plain: null, stop() {}, get regions() { return regions(); },
                   get picture() { return this.plain ?? regions(); } },
        news: { say() {}, call() {} }, hint: { note() {} },
        server: {
            address: () => "", moment: async () => regionsOf(window.then ?? [0, 0]),
            acts: (since) => new Promise((answer) => { window.asked.push(since); window.answers.push(answer); }),
        },
        ask() {}, refresh() {}, announce() {},
    };
    window.table = table;
    table.follow = new Follow(table);
    const { player } = table.follow;
    const load = player.load.bind(player), add = player.add.bind(player);
    player.load = (acts, ...more) => { window.played.push(...acts.map((act) => act.end)); load(acts, ...more); };
    player.add = (acts) => { window.played.push(...acts.map((act) => act.end)); add(acts); };
    window.act = (end, seat = 1) => ({ start: end - 1, end, seats: [seat], lines: [] });
    window.come = (...acts) => {
        const old = table.data;
        table.data = { ...old, sequence: acts.at(-1).end, acts };
        const main = document.createElement("main");
        main.append(regionsOf([0, 0]));
        main.insertAdjacentHTML("beforeend", `<script type="application/json" id="page-data">
            ${JSON.stringify(table.data)}</script>`);
        const data = table.data;
        table.data = old;
        table.follow.hold(main, false);
        table.data = data;
        table.follow.advance(new Map(), old);
    };
}"""


def follow(page: Page, pace: str = "slow", sequence: int = 3) -> None:
    """Follow a table without a server.

    `come` shows a page with new acts. `answers` resolves the requests for them.
    """
    page.evaluate(FOLLOW, [pace, sequence])


def answer(page: Page, ends: list[int], acted: int | None = None) -> None:
    """The server answers the first question that is open: these acts of another seat have happened."""
    page.wait_for_function("() => window.answers.length > 0")
    page.evaluate(
        """([ends, acted]) => window.answers.shift()({ acted, acts: ends.map((end) => act(end)) })""", [ends, acted]
    )
    page.evaluate("() => new Promise((done) => queueMicrotask(() => queueMicrotask(done)))")


def played(page: Page) -> list[int]:
    """The moments after the acts that the player was given, in their order."""
    found: list[int] = page.evaluate("() => window.played")
    return found


def test_no_act_is_played_twice(shelf: Page) -> None:
    follow(shelf)
    shelf.evaluate("() => { come(act(4), act(5)); come(act(4), act(5), act(6), act(7)); }")
    shelf.evaluate("() => table.follow.player.skip()")
    shelf.evaluate("() => come(act(7), act(8))")
    shelf.evaluate("() => { table.follow.player.skip(); come(act(8), act(9)); }")
    assert shelf.evaluate("() => window.asked") == []
    assert played(shelf) == [4, 5, 6, 7, 8, 9]


def test_who_has_turned_it_off_sees_again_what_he_asks_for(shelf: Page) -> None:
    follow(shelf, "off")
    shelf.evaluate("() => come(act(4), act(5))")
    assert played(shelf) == []
    shelf.evaluate("() => { table.follow.repeat(); }")
    answer(shelf, [4, 5])
    assert played(shelf) == [4, 5]
    assert shelf.locator(".player").is_visible()
    shelf.evaluate("() => come(act(6))")
    assert shelf.evaluate("() => window.asked") == [None]
    assert played(shelf) == [4, 5, 6]


def test_who_wants_no_motion_gets_a_list_when_he_asks_for_it(shelf: Page) -> None:
    shelf.emulate_media(reduced_motion="reduce")
    shelf.locator("#page-main").evaluate("(main) => main.insertAdjacentHTML('beforeend', '<p class=log-box></p>')")
    follow(shelf, "off")
    shelf.evaluate("() => { table.follow.repeat(); }")
    answer(shelf, [2, 3])
    assert shelf.locator("#page-happened li").count() == 2
    assert played(shelf) == []


def test_a_preview_is_no_change(shelf: Page) -> None:
    follow(shelf)
    shelf.evaluate(
        """() => {
            const regions = table.preview.regions;
            regions.querySelector("#e0").dataset.value = 1;
            table.preview.plain = regions.cloneNode(true);
            regions.querySelector("#e1").dataset.value = 1;
            return table.follow.marks.since(2, table.preview.picture);
        }"""
    )
    marked = "(root) => [...root.querySelectorAll('.since')].map((each) => each.id)"
    assert shelf.evaluate(f"() => ({marked})(table.preview.regions)") == ["e0"]
    assert shelf.evaluate(f"() => ({marked})(table.preview.plain)") == ["e0"]


def test_a_show_of_the_games_own_belongs_to_its_act(shelf: Page) -> None:
    follow(shelf, "normal")
    shelf.evaluate(
        """() => {
            window.brings = true;
            table.show = {
                has: () => window.brings,
                stop: () => { window.brings = false; },
                play: (signal, most) => new Promise((done) => {
                    window.runs = true;
                    (window.most ??= []).push(most);
                    const end = () => { window.runs = window.brings = false; done(); };
                    window.end = end;
                    signal.addEventListener("abort", end);
                }),
            };
            table.data.mine = true;
            come(act(4, 0));  // one's own act
        }"""
    )
    shelf.clock.run_for(20_000)
    assert shelf.evaluate("() => [window.runs, table.follow.holding]") == [True, True]  # the player waits
    shelf.evaluate("() => window.end()")
    shelf.clock.run_for(10)
    assert shelf.evaluate("() => table.follow.holding") is False
    shelf.evaluate("() => { window.brings = true; come(act(5)); }")
    shelf.clock.run_for(20_000)
    assert shelf.evaluate("() => [window.runs, table.follow.holding]") == [True, True]
    assert all(0 < most <= 6000 for most in shelf.evaluate("() => window.most")), "it has what is left of a round"
    shelf.evaluate("() => table.follow.player.skip()")
    assert shelf.evaluate("() => [window.runs, table.follow.holding]") == [False, False]
