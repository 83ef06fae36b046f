"""A set is clicked in any order.

A picked member is marked, a second click drops it, and a complete set is confirmed.
"""

from __future__ import annotations

import random
import re
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

import atoll
from atoll.engine import record
from atoll.games.raiatea import GAME
from atoll.games.raiatea.kinds import READY
from atoll.server.play.record_files import import_game
from atoll.testing.browser import check_offer, choose, click, confirm, data, tap, wait_for_turn, wait_until
from atoll.testing.live_server import LiveServer
from tests.browser.conftest import NewPage


def keeping(live: LiveServer, *, twice: bool = False) -> tuple[Any, str, list[str]]:
    """Return a game of Raiatea at its first decision, in which a player keeps some of the cards.

    Args:
        live: The server.
        twice: Whether at least one card is dealt twice. Its text comes first.

    Returns:
        The player, the table, and the texts of the cards.
    """
    ada = live.guest("Ada")
    for _ in range(60):
        table = live.set_table(ada, "raiatea", ["me", "bot", "bot"])
        seen = live.view(ada, table, 0)
        if seen.turn is None or seen.view is None or not seen.turn.texts[0].startswith("keep"):
            continue
        dealt = [GAME.text(each) for each in seen.view["decision"]["set"]["members"]]
        equal = [text for text, often in Counter(dealt).items() if often > 1]
        if len(seen.turn.texts) > 2 and (equal or not twice):
            return ada, table, [*equal, *(text for text in seen.turn.texts if text not in equal)]
    raise AssertionError("nobody has anything to keep")


def revealed(live: LiveServer, ada: Any, table: str) -> Any:
    """Return Ada's view once all have answered."""
    end = time.monotonic() + 20
    while True:
        seen = live.view(ada, table, 0).view
        if seen is not None and not seen["sealed"]:
            return seen
        assert time.monotonic() < end
        time.sleep(0.1)


def cards(page: Page, text: str) -> Locator:
    return page.locator(f".element[data-choice='{text}']")


def card(page: Page, text: str) -> Locator:
    return cards(page, text).first


def click_and_see(page: Page, target: Locator) -> None:
    """Click and wait until the page shows what came of it."""
    stamp = data(page)["stamp"]
    click(target)
    wait_until(page, "(old) => JSON.parse(document.getElementById('page-data').textContent).stamp !== old", stamp)


def test_the_first_decision_of_raiatea_is_clicked_last_card_first(live: LiveServer, page: Page) -> None:
    ada, table, texts = keeping(live)
    asked = live.view(ada, table, 0).view
    assert asked is not None
    keep = asked["decision"]["set"]["high"]
    live.visit(page, ada, f"/t/{table}")
    last = card(page, texts[-1])
    click_and_see(page, last)
    expect(last).to_have_class(re.compile(r"\bpicked\b"))
    expect(last).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#page-prompt")).to_contain_text(f" 1 of {keep} chosen")
    click_and_see(page, last)
    expect(page.locator("#page-prompt")).not_to_contain_text("chosen")
    expect(last).not_to_have_attribute("aria-pressed", "true")
    for text in texts[::-1][:keep]:
        click_and_see(page, card(page, text))
    expect(page.locator("#page-picked button")).to_have_count(keep)
    expect(page.locator("#page-picked")).to_be_hidden()  # all are marked where they lie
    page.locator("#page-main").focus()
    assert last.evaluate("(e) => getComputedStyle(e).outlineStyle") == "solid", "a mark that is seen beside others"
    assert data(page)["confirm"]
    confirm(page, click)
    seen = revealed(live, ada, table)
    held = {f"keep {GAME.names(GAME.components)['ritual'][card]}" for card in seen["state"]["hands"][0]}
    assert set(texts[::-1][:keep]) <= held


def test_equal_cards_are_picked_and_dropped_one_by_one(live: LiveServer, page: Page) -> None:
    ada, table, (equal, other, *_) = keeping(live, twice=True)
    live.visit(page, ada, f"/t/{table}")

    def picked() -> list[bool]:
        return [each.get_attribute("aria-pressed") == "true" for each in cards(page, equal).all()]

    first, second = cards(page, equal).nth(0), cards(page, equal).nth(1)
    click_and_see(page, second)
    assert picked() == [False, True]
    click_and_see(page, second)
    assert picked() == [False, False]
    click_and_see(page, first)
    assert picked() == [True, False]
    click_and_see(page, card(page, other))
    click_and_see(page, card(page, other))
    assert picked() == [True, False]
    second.focus()
    stamp = data(page)["stamp"]
    page.keyboard.press("Enter")
    wait_until(page, "(old) => JSON.parse(document.getElementById('page-data').textContent).stamp !== old", stamp)
    expect(page.locator("#page-picked button")).to_have_count(2)
    assert {row[1] for row in data(page)["picked"]} == {equal}


def test_equal_cards_without_scripts(live: LiveServer, new_page: NewPage) -> None:
    ada, table, (equal, *_) = keeping(live, twice=True)
    page = live.visit(new_page(java_script_enabled=False), ada, f"/t/{table}", scripts=False)
    for often in (1, 2):
        found = page.locator(f"#page-list button[value='{GAME.parse(equal)}']")
        page.locator("#page-list summary").click()
        found.click()
        expect(page.locator("#page-picked button")).to_have_count(often)
    page.locator("#page-picked button").first.click()
    expect(page.locator("#page-picked button")).to_have_count(1)


def test_a_set_without_scripts(live: LiveServer, new_page: NewPage) -> None:
    ada, table, texts = keeping(live)
    page = live.visit(new_page(java_script_enabled=False), ada, f"/t/{table}", scripts=False)
    page.locator("#page-list summary").click()
    page.locator("#page-list button[name=choices]").last.click()
    expect(page.locator("#page-picked button")).to_have_count(1)
    page.locator("#page-picked button").click()
    expect(page.locator("#page-picked")).to_have_count(0)
    expect(page.locator("#page-list button[name=choices]")).to_have_count(len(texts))


UNDER_AMOUNTS = """() => {
    const amounts = document.querySelector("#page-rest").getBoundingClientRect();
    return [...document.querySelectorAll(".scene, .dock, .seat, .ask")].filter((part) => {
        const box = part.getBoundingClientRect();
        const across = Math.min(box.right - amounts.left, amounts.right - box.left);
        return Math.min(across, box.bottom - amounts.top, amounts.bottom - box.top) > 1;
    }).map((part) => part.className);
}"""

OUT_OF_REACH = """() => {
    const [scene, stage] = [".scene", ".stage"].map((css) => document.querySelector(css).getBoundingClientRect());
    return scene.top - stage.top;
}"""


def test_amounts_of_a_mix_are_set_in_any_order(live: LiveServer, page: Page) -> None:
    """Set the amounts of a sale: a victory point for each token. Rule WU-5.4."""
    ada = live.guest("Ada")
    options = {"start_player": "first_seat", "masterboards": "symmetric"}
    table = live.set_table(ada, "wutaki", ["me", "bot"], options=options)
    live.visit(page, ada, f"/t/{table}")
    while not data(page)["mine"] or "visit loyal trade" not in [row[1] for row in data(page)["question"]["legal"]]:
        wait_until(page, "() => JSON.parse(document.getElementById('page-data').textContent).mine")
        choose(page, data(page)["question"]["legal"][0][1], click)
        confirm(page, click)
    choose(page, "visit loyal trade", click)
    if "trade" in data(page)["question"]["legal"][0][1]:
        choose(page, "trade vp_for_resources", click)
    before = stock(live, ada, table)
    submit, why = page.locator("[data-submit]"), page.locator(".stepper-why")
    assert page.evaluate(UNDER_AMOUNTS) == []
    page.set_viewport_size({"width": 390, "height": 844})
    wait_until(page, "() => getComputedStyle(document.querySelector('.scene')).marginBottom !== '0px'")
    assert page.evaluate(OUT_OF_REACH) <= 0
    page.set_viewport_size({"width": 1400, "height": 900})
    expect(why).to_have_text("That is 1 resource too few in total.")
    expect(submit).to_be_disabled()
    expect(submit).to_have_text("Take 0")
    most = sum(row[1].startswith("take gold") for row in data(page)["question"]["legal"]) - 1  # a point for each
    page.locator("[data-step='4+']").click()
    expect(submit).to_be_enabled()
    for _ in range(most):
        page.locator("[data-step='0+']").click()
    expect(why).to_have_text("That is 1 resource too many in total.")
    expect(submit).to_have_text(f"Take {most + 1}")
    page.locator("[data-step='0−']").click()
    submit.click()
    expect(page.locator("#page-picked button")).not_to_have_count(0)
    expect(page.locator("#page-picked")).to_be_hidden()  # it is settled, and undone by one button
    confirm(page, click)
    gained = [now - had for now, had in zip(stock_after_own_choice(live, ada, table), before, strict=True)]
    assert gained == [most - 1, 0, 0, 0, 1]


def stock(live: LiveServer, ada: Any, table: str) -> list[int]:
    """Ada's tokens of each kind."""
    seen = live.view(ada, table, 0).view
    assert seen is not None
    found: list[int] = seen["state"]["stock"][0]
    return found


def stock_after_own_choice(live: LiveServer, ada: Any, table: str) -> list[int]:
    """Ada's tokens of each kind after her last choice, before the bot's next one."""
    history = live.tables.history
    acted = live.ask(history.acts(ada.user, table, seat=0)).acted
    found: list[int] = live.ask(history.moment(ada.user, table, acted, 0)).view["state"]["stock"][0]
    return found


FOCUSED = """() => {
    const { tagName, id, dataset } = document.activeElement;
    return dataset.step ?? (id || tagName);
}"""


def test_whoever_sets_amounts_by_keyboard_stays_there_when_the_page_gets_news(live: LiveServer, page: Page) -> None:
    ada = live.guest("Ada")
    table = asking_amounts(live, ada)
    live.visit(page, ada, f"/t/{table}?seat=0")
    plus = page.locator("[data-step='0+']")
    plus.focus()
    page.keyboard.press("Enter")
    drawn = plus.element_handle()
    live.ask(live.tables.chat.say(ada.user, table, "Kia ora"))
    expect(page.locator("#page-chat")).to_contain_text("Kia ora")
    assert page.evaluate(FOCUSED) == "0+"
    assert plus.evaluate("(e, drawn) => e === drawn", drawn), "a click under way isn't lost"
    assert page.locator("[data-step='0−']").is_enabled(), "what was set stays"
    while page.locator("[data-step='0+']").is_enabled():
        page.keyboard.press("Enter")
    assert page.evaluate(FOCUSED) == "0−", "at the end of an amount it goes on to the way back"
    page.keyboard.press("Enter")
    assert page.locator("[data-step='0+']").is_enabled()


def test_the_usual_payment_takes_one_click_also_without_scripts(live: LiveServer, new_page: NewPage) -> None:
    ada = live.guest("Ada")
    table = asking(live, ada, "wutaki", lambda texts, decision: decision.get("prompt") == "pay")
    plain = live.visit(new_page(java_script_enabled=False), ada, f"/t/{table}?seat=0", scripts=False)
    usual = plain.locator("#page-usual")
    expect(usual).to_contain_text("Pay the usual: ")
    wanted = {*map(int, (usual.get_attribute("value") or "").split(","))}
    usual.click()
    expect(usual).to_have_count(0)
    turn = live.view(ada, table, 0).turn
    assert turn is not None
    assert wanted & {*turn.staged}, "others of them follow by themselves"


def test_the_amounts_of_one_thing_stand_side_by_side(live: LiveServer, new_page: NewPage) -> None:
    """Train up to two priests. Rule RA-4.5."""
    ada = live.guest("Ada", confirm_single=False)
    table = asking(live, ada, "raiatea", lambda texts, _: sum(each.startswith("train") for each in texts) > 1)
    phone = {"viewport": {"width": 390, "height": 664}, "is_mobile": True, "has_touch": True}
    for page in (new_page(), new_page(**phone)):
        live.visit(page, ada, f"/t/{table}?seat=0")
        texts = [row[1] for row in data(page)["question"]["legal"]]
        check_offer(page, texts)
        numbers = page.locator("#page-rest .numbers button")
        assert numbers.all_text_contents() == [text.split()[-1] for text in texts if text.startswith("train")]
        assert page.locator("[data-submit]").count() == 0
        lines = numbers.evaluate_all("(all) => new Set(all.map((e) => e.getBoundingClientRect().top)).size")
        assert lines == 1
    choose(page, "train 1", tap)
    confirm(page, tap)
    assert live.view(ada, table, 0).view["state"]["priests"][0] > 0  # type: ignore[index]


@pytest.mark.parametrize(("at", "phone"), [(0, False), (1, True)])
def test_exhausted_assistants_are_readied_in_any_order(
    live: LiveServer, new_page: NewPage, at: int, phone: bool
) -> None:
    """The first click is on the assistant at this place. Rule RA-6.3."""
    ada = live.guest("Ada")
    table, seat, texts = readying(live, ada)
    options: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
    page = live.visit(new_page(**(options if phone else {})), ada, f"/t/{table}")
    assert wait_for_turn(page)
    before = assistants(live, ada, table, seat)
    act = tap if phone else click
    check_offer(page, [row[1] for row in data(page)["question"]["legal"]])
    order = [texts[at], texts[1 - at]]
    choose(page, order[0], act)
    expect(assistant(page, order[0])).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#page-prompt")).to_contain_text(" 1 chosen, up to 2")
    choose(page, order[1], act)
    for text in order:
        expect(assistant(page, text)).to_have_attribute("aria-pressed", "true")
    confirm(page, act)
    wanted = {READY.part(GAME.parse(text)) for text in order}
    more = [had + (kind in wanted) for kind, had in enumerate(before)]
    wait_until(page, "() => !document.querySelector('#page-main[aria-busy]')")
    assert assistants(live, ada, table, seat) == more


def assistant(page: Page, text: str) -> Locator:
    """An own assistant, which stands for other choices, too."""
    return page.locator(f".own .helper[data-choice*='{text}']")


def assistants(live: LiveServer, ada: Any, table: str, seat: int) -> list[int]:
    """The ready assistants of a seat, by kind."""
    seen = live.view(ada, table, seat).view
    assert seen is not None
    found: list[int] = seen["state"]["ready"][seat]
    return found


def readying(live: LiveServer, ada: Any) -> tuple[str, int, list[str]]:
    """A table, continued from a recorded game, at which Ada readies two of her assistants.

    Returns:
        The table, Ada's seat, and the texts for two different assistants.
    """
    for seed in range(80):
        position, chooser = GAME.new(3, seed=seed), random.Random(seed)
        asked: tuple[int, int, list[str]] | None = None
        while not position.over:
            seat = position.to_move[0]
            legal = position.legal_choices(seat)
            texts = [text for text in map(GAME.text, legal) if text.startswith("ready ")]
            if asked is None and len(texts) > 1:
                asked = position.sequence, seat, texts[:2]
            position.apply(chooser.choice(legal), seat)
        if asked is not None:
            url = live.tables.store.url.render_as_string(hide_password=False)
            recorded = live.ask(import_game(url, record.write(position), atoll.games))
            level = live.tables.catalogue.levels("raiatea")[0]
            table = live.ask(live.tables.history.continue_from(ada.user, recorded, asked[0], asked[1], level))
            return table, *asked[1:]
    raise AssertionError("nobody has assistants to ready")


def asking_amounts(live: LiveServer, ada: Any) -> str:
    """A table of Wutaki at which Ada is asked for amounts of several things."""
    return asking(
        live,
        ada,
        "wutaki",
        lambda texts, decision: "set" in decision and all(text.split()[-1].isdecimal() for text in texts),
    )


def asking(live: LiveServer, ada: Any, game: str, is_it: Callable[[Sequence[str], Mapping[str, Any]], bool]) -> str:
    """Return a table at which Ada faces a certain decision.

    Args:
        live: The server.
        ada: The player.
        game: Id of the game.
        is_it: Tests the texts of the choices and the visible data of the decision.
    """
    for seed in range(40):
        table = live.set_table(ada, game, ["me", *["device"] * (atoll.games[game].seat_counts[0] - 1)])
        chooser = random.Random(seed)
        for _ in range(30):
            seat = next(info.seat for info in live.view(ada, table).seats if info.to_move and not info.ready)
            seen = live.view(ada, table, seat)
            assert seen.view is not None
            assert seen.turn is not None
            alone = not seen.view["sealed"]  # a sealed answer has no effect before all have answered
            if seat == 0 and alone and is_it(seen.turn.texts, seen.view["decision"] or {}):
                return table
            live.step(ada, table, seat, chooser)
    raise AssertionError("nothing of this sort was asked")
