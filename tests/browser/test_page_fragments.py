"""A page that is updated fragment by fragment equals the page that would be loaded."""

from __future__ import annotations

import random
import re

import pytest
from playwright.sync_api import APIResponse, Page, Route

import atoll
from atoll.server.domain.model import Login
from atoll.testing.browser import wait_until
from atoll.testing.live_server import LiveServer, suppress_started
from tests.browser.live import fetched

# The request with which a page is brought up to date. The page asks for the acts separately.
ANSWER = re.compile(r"/t/\w+\?seat=0")
DATA = "(version) => JSON.parse(document.getElementById('page-data').textContent)"

# Transitions, marks that scripts add later, and parts that differ each time aren't compared.
SERIALIZED = """() => {
    const main = document.getElementById("page-main").cloneNode(true);
    for (const each of main.querySelectorAll("[data-own]")) each.remove();
    main.querySelector("#page-again")?.removeAttribute("hidden");
    for (const each of main.querySelectorAll(".fresh, .changed")) each.classList.remove("fresh", "changed");
    for (const each of main.querySelectorAll("[name=key], [name=csrf]")) each.removeAttribute("value");
    for (const each of main.querySelectorAll(".since")) each.classList.remove("since");
    for (const name of ["nonce", "data-worker", "style"]) {
        for (const each of main.querySelectorAll(`[${name}]`)) each.removeAttribute(name);
    }
    for (const each of main.querySelectorAll("[class='']")) each.removeAttribute("class");
    const attributes = (e) => [...e.attributes].map((a) => `${a.name}=${a.value.trim().split(/ +/).sort().join(" ")}`);
    const news = /"acts":\\[.*\\}$/; // an update alone brings the acts and the record since the last one
    const text = (e) => e.children.length ? "" : e.textContent.trim().replace(news, "");
    return [...main.querySelectorAll("*")].map((e) => `${e.nodeName} ${attributes(e).sort().join(" ")} ${text(e)}`);
}"""


def gathered(live: LiveServer, game: str) -> tuple[str, list[Login]]:
    """A table with the fewest people that it is for, but two."""
    people = [live.guest(f"P{seat}") for seat in range(max(2, atoll.games[game].seat_counts[0]))]
    table = live.set_table(people[0], game, ["me"] + ["open"] * (len(people) - 1))
    for seat, person in enumerate(people[1:], 1):
        live.ask(live.tables.table_setup.join(person.user, table, seat))
    with suppress_started():
        live.ask(live.tables.table_setup.start(people[0].user, table))
    return table, people


def step(
    live: LiveServer, page: Page, table: str, people: list[Login], chooser: random.Random, *, awaited: bool = True
) -> None:
    """Somebody does something, and the page has it unless it isn't awaited."""
    seat = next(info.seat for info in live.view(None, table).seats if info.to_move)
    live.step(people[seat], table, seat, chooser)
    if awaited:
        wait_until(page, f"{DATA}.version === version", live.view(people[0], table).version)


def change(live: LiveServer, page: Page, table: str, people: list[Login], chooser: random.Random) -> None:
    """Somebody does something that the page's reader can see: not only tries a choice."""
    before = live.view(people[0], table).version
    while live.view(people[0], table).version == before:
        step(live, page, table, people, chooser, awaited=False)


@pytest.mark.parametrize("game", ["atua", "raiatea", "wutaki"])
def test_a_morphed_page_is_the_page_loaded_anew(live: LiveServer, page: Page, game: str) -> None:
    table, people = gathered(live, game)
    live.visit(page, people[0], f"/t/{table}")
    lengths: list[int] = []
    page.on("response", lambda answer: lengths.append(len(answer.text())) if ANSWER.search(answer.url) else None)
    chooser = random.Random(1)
    for _ in range(9):
        step(live, page, table, people, chooser)
    morphed = page.evaluate(SERIALIZED)
    whole = len(page.locator("#page-main").evaluate("(main) => main.outerHTML"))
    assert lengths and max(lengths) < whole
    page.reload()
    page.locator("body[data-ready]").wait_for()
    assert page.evaluate(SERIALIZED) == morphed


def test_an_older_page_that_comes_later_is_not_shown(live: LiveServer, page: Page) -> None:
    table, people = gathered(live, "atua")
    live.visit(page, people[0], f"/t/{table}")
    late: list[tuple[Route, APIResponse]] = []

    def hold(route: Route) -> None:
        if late:
            route.continue_()
        else:
            late.append((route, fetched(route, {"x-fragments": ""})))

    page.route(ANSWER, hold)
    chooser = random.Random(1)
    change(live, page, table, people, chooser)
    while not late:
        page.wait_for_timeout(20)
    change(live, page, table, people, chooser)
    wait_until(page, f"{DATA}.version === version", live.view(people[0], table).version)
    [(route, answer)] = late
    with page.expect_response(ANSWER):
        route.fulfill(response=answer)
    page.wait_for_timeout(200)
    assert page.evaluate(f"({DATA})().version") == live.view(people[0], table).version


def test_what_was_asked_for_before_a_command_is_not_shown_while_it_is_under_way(live: LiveServer, page: Page) -> None:
    """It would show what comes next, while the page still takes no further command: a click would be lost."""
    ada, bo = live.guest("Ada"), live.guest("Bo")
    table = live.set_table(ada, "atacama", ["me", "open"], {"start_player": "seat_1"})
    live.ask(live.tables.table_setup.join(bo.user, table, 1))
    live.ask(live.tables.table_setup.start(ada.user, table))
    live.visit(page, ada, f"/t/{table}")
    asked: list[Route] = []
    answers: list[tuple[Route, APIResponse]] = []

    def hold(route: Route) -> None:
        asked.append(route)

    def answer(route: Route) -> None:
        answers.append((route, fetched(route)))

    page.route(ANSWER, hold, times=1)
    page.route("**/choose", answer)
    live.ask(live.tables.chat.say(bo.user, table, "Hello!"))
    while not asked:
        page.wait_for_timeout(20)
    page.locator("#field-r4c4").click()
    while not answers:
        page.wait_for_timeout(20)
    with page.expect_response(ANSWER):
        asked[0].continue_()
    page.wait_for_timeout(200)
    assert not page.locator("#page-confirm").count()
    [(route, made)] = answers
    route.fulfill(response=made)
    page.locator("#page-confirm").click()
    wait_until(page, f"() => !({DATA})().mine")


def test_a_page_without_a_fragment_that_was_left_empty_gets_the_whole(live: LiveServer, page: Page) -> None:
    """Whatever becomes of a page while it waits for an answer: what it hasn't got it is sent."""
    table, people = gathered(live, "raiatea")
    live.visit(page, people[0], f"/t/{table}")
    page.evaluate("""() => {
        const original = window.fetch;
        window.fetch = async (...given) => {
            const answer = await original(...given);
            if (!given[0].url.includes("?seat=0") || given[0].url.includes("/acts")) return answer;
            window.fetch = original;
            document.getElementById("region-masks").remove();
            return answer;
        };
    }""")
    with page.expect_response(ANSWER) as first:
        step(live, page, table, people, random.Random(1))
    assert '<section id="region-masks" data-h="' in first.value.text()
    assert page.locator("#region-masks .element").count()
