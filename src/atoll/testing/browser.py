"""A page of a table, read and used like people do; only the page is looked at. Playwright comes with `atoll[browser]`.

Whose server it is: served.py. The law that holds for every game: clicks.py.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, product, zip_longest
from typing import TYPE_CHECKING, Any, Final

from .play import BrokenLaw

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page, Position

NAMES: Final = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
WAIT_MS: Final = 40_000
"""On a loaded machine the first page takes long; how fast pages are is measured elsewhere."""

# Of a card in a fan only an edge may be free.
_FREE: Final = """(element) => {
    element.scrollIntoView({block: "nearest", inline: "nearest"});
    const box = element.getBoundingClientRect();
    const parts = [0.5, 0.1, 0.9, 0.3, 0.7];
    for (const x of parts) for (const y of parts) {
        const there = document.elementFromPoint(box.x + x * box.width, box.y + y * box.height);
        if (element.contains(there)) return {x: x * box.width, y: y * box.height};
    }
    return null;
}"""

LAN_NAME: Final = "atoll.test"
"""A name of this machine for the browser. Its pages are as insecure as those of a local network."""

# Nothing but the page under test may use the network or the graphics card.
ARGUMENTS: Final = (
    f"--host-resolver-rules=MAP {LAN_NAME} 127.0.0.1",
    "--ip-address-space-overrides=127.0.0.1:0=public",  # else a page that a test answers may load nothing from here
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
)


class NoBrowser(Exception):
    """There is no browser here, or nothing to drive it with."""


def find_chromium() -> str | None:
    """Path of the browser to test with, or None; where $CHROMIUM names what is not there, no other is taken."""
    chosen = os.environ.get("CHROMIUM")
    return next(filter(None, map(shutil.which, (chosen,) if chosen else NAMES)), None)


def launch_arguments() -> list[str]:
    """Return the arguments that Chromium is started with."""
    # Chromium has no sandbox for root.
    is_root = sys.platform != "win32" and os.geteuid() == 0
    return [*ARGUMENTS, "--no-sandbox"] if is_root else list(ARGUMENTS)


@contextmanager
def chromium(path: str | None) -> Iterator[Browser]:
    """A running browser; without a path the one that `playwright install` has fetched.

    `asyncio.run` is refused while it runs. Raises NoBrowser.
    """
    try:
        from playwright.sync_api import Error, sync_playwright  # noqa: PLC0415 - comes with an extra
    except ImportError:
        raise NoBrowser("it needs Playwright: pip install '.[browser]' in the clone") from None
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=path, args=launch_arguments())
        except Error as error:
            reason = str(error).strip().partition("\n")[0]
            needs = "it needs Chromium: install it, name it in CHROMIUM, or playwright install chromium"
            raise NoBrowser(f"{needs} ({reason})") from error
        yield browser
        browser.close()


def open_page(browser: Browser, errors: list[str], **options: Any) -> Page:
    """A page of somebody new, 1400 x 900 in English unless told otherwise; what its scripts throw goes to `errors`.

    options: those of Playwright's `Browser.new_context`.
    """
    defaults: dict[str, Any] = {"viewport": {"width": 1400, "height": 900}, "locale": "en-GB"}
    page = browser.new_context(**{**defaults, **options}).new_page()
    page.set_default_timeout(WAIT_MS)
    page.on("pageerror", lambda error: errors.append(str(error)))
    return page


def data(page: Page) -> dict[str, Any]:
    """What the page knows of its table."""
    text = page.locator("#page-data").text_content()
    found: dict[str, Any] = json.loads(text or "{}")
    return found


def until(page: Page, script: str, argument: Any = None, seconds: float = 20) -> None:
    """Wait until a script says yes. Not Playwright's own wait, which needs what the page's security policy forbids."""
    deadline = time.monotonic() + seconds
    while not page.evaluate(script, argument):
        if time.monotonic() > deadline:
            raise BrokenLaw(f"{script} isn't so after {seconds:g} s: {page.locator('#page-bar').inner_text()}")
        page.wait_for_timeout(30)


def fits(pattern: str, text: str) -> bool:
    """Whether a pattern stands for a choice."""
    wanted, words = pattern.split(), text.split()
    return len(wanted) == len(words) and all(a in ("*", b) for a, b in zip(wanted, words, strict=True))


def stands_for(patterns: str, text: str) -> bool:
    """Whether one of an element's patterns stands for a choice."""
    return any(fits(pattern.strip(), text) for pattern in patterns.split(";") if pattern.strip())


def elements(page: Page) -> list[dict[str, Any]]:
    """All elements that can mean a choice, as the page presents them."""
    found: list[dict[str, Any]] = page.evaluate(
        """() => [...document.querySelectorAll("#page-main .element[data-choice]")].map((e) => ({
            id: e.id, choice: e.dataset.choice, legal: e.classList.contains("legal"),
            disabled: e.getAttribute("aria-disabled"), name: e.getAttribute("aria-label"),
            dialog: e.closest("dialog") && e.closest("dialog").id, picked: e.classList.contains("picked"),
        }))"""
    )
    return found


def buttons(page: Page) -> list[dict[str, Any]]:
    """The buttons for what can't be chosen in the picture, with what they leave."""
    found: list[dict[str, Any]] = page.evaluate(
        """() => [...document.querySelectorAll("[data-rest] [data-texts]")].map((b, i) => ({
            at: i, texts: b.dataset.texts.split(";"), label: b.textContent,
        }))"""
    )
    return found


def check_offer(page: Page, legal: Sequence[str]) -> None:
    """Exactly these choices are offered: by the list, by what glows, and by the buttons for the rest.

    Raises BrokenLaw.
    """
    shown = page.evaluate(
        """() => [...document.querySelectorAll("#page-list [name=choices] option, #page-list button[name=choices]")]
            .map((o) => Number(o.value))"""
    )
    question = data(page)["question"]
    _must_be_same([row[1] for row in question["legal"]], list(legal), "the page's choices")
    _must_be_same(shown, [row[0] for row in question["legal"]], "the list of choices")
    _must_be_same(page.locator("#page-main [data-h]:empty").count(), 0, "fragments that were left empty")
    if page.locator("[data-submit]").count():
        return
    covered: set[str] = set()
    shown_elements = elements(page)
    for text, often in Counter(row[1] for row in data(page)["picked"]).items():
        equal = [each for each in shown_elements if stands_for(each["choice"], text)]
        _must_be_same(sum(each["picked"] for each in equal), min(often, len(equal)), f"elements picked for {text!r}")
    for each in shown_elements:
        meant = {text for text in legal if stands_for(each["choice"], text)}
        what = f"the element {each['id']!r} for {each['choice']!r}"
        _must_be_same(each["legal"], bool(meant) or each["picked"], f"{what} glows")
        _must_be_same(each["disabled"], str(not (meant or each["picked"])).lower(), f"{what} is disabled")
        if len(meant) < len(legal):
            covered |= meant
    offered = {text for button in buttons(page) for text in button["texts"]}
    told = set(legal) if page.locator(".numbers").count() else set(legal) - covered
    _must_be_same(sorted(offered), sorted(told), "buttons for what no element stands for")


def _must_be_same(found: Any, wanted: Any, what: str) -> None:
    if found != wanted:
        raise BrokenLaw(f"{what}: {str(found)[:300]}; by the rules it must be {str(wanted)[:300]}")


def choose(page: Page, text: str, act: Any) -> None:
    """Make this choice through the picture and the bar, step by step; `act(locator)` clicks, taps or presses."""
    _settle(page)
    stamp = data(page)["stamp"]
    for _ in range(8):
        if page.locator("[data-submit]").count():
            words = _beside(page).get(text)
            if words is None:
                _set_amount(page, text, act)
            else:
                act(page.locator("#page-rest").get_by_role("button", name=words, exact=True))
        elif step := _next_button(page, text):
            if step.get_attribute("data-serves"):  # what a game's own tools choose is tried in that game's tests
                _choose_from_list(page, text, act)
            else:
                act(step)
        else:
            act(_next_element(page, text, act))
        if _done(page, stamp):
            return
    raise BrokenLaw(f"{text!r} can't be chosen")


def click(target: Locator) -> None:
    """Click where a pointer hits it. Raises BrokenLaw if nothing of it can be hit."""
    target.click(position=_free_point(target))


def tap(target: Locator) -> None:
    """Touch where a finger hits it. Raises BrokenLaw if nothing of it can be hit."""
    target.tap(position=_free_point(target))


def _free_point(target: Locator) -> Position:
    """A point of an element that nothing covers, from its upper left corner."""
    end = time.monotonic() + WAIT_MS / 1000  # what is told of a move may lie over it for a moment
    while (free := target.evaluate(_FREE)) is None:
        if time.monotonic() > end:
            raise BrokenLaw(f"nothing of {target} can be hit")
        target.page.wait_for_timeout(50)
    point: Position = free
    return point


def _choose_from_list(page: Page, text: str, act: Any) -> None:
    number = next(row[0] for row in data(page)["question"]["legal"] if row[1] == text)
    act(page.locator("#page-list summary"))
    if page.locator("#page-list select").count():
        page.locator("#page-list select").select_option(str(number))
        act(page.locator("#page-list button"))
    else:
        act(page.locator(f"#page-list button[value='{number}']"))


def _settle(page: Page) -> None:
    """Wait until nothing is under way: a page that was just opened may still ask for what was missed."""
    until(
        page,
        """() => !document.getElementById("page-main").hasAttribute("aria-busy")
                 && !("following" in document.body.dataset)""",
    )


def _done(page: Page, stamp: str) -> bool:
    _settle(page)
    return bool(data(page)["stamp"] != stamp)


def _next_button(page: Page, text: str) -> Locator | None:
    for button in buttons(page):
        if text in button["texts"]:
            found = page.locator("[data-rest] [data-texts]").nth(button["at"])
            if not found.is_visible():
                page.locator("#page-more").click()
            return found
    return None


def _next_element(page: Page, text: str, act: Any) -> Locator:
    for each in elements(page):
        if each["legal"] and not each["picked"] and stands_for(each["choice"], text):
            if each["dialog"] and not page.locator(f"#{each['dialog']}").evaluate("(d) => d.open"):
                title = page.locator(f"#{each['dialog']}").get_attribute("data-title")
                act(page.locator("#page-rest").get_by_role("button", name=title, exact=True))
            found = page.locator(f"[id='{each['id']}']")
            _go_to_part_of(page, found)
            return found
    raise BrokenLaw(f"nothing on the page stands for {text!r}")


def _go_to_part_of(page: Page, element: Locator) -> None:
    """On a phone an element is in one of the table's parts."""
    tabs = element.evaluate("(e) => e.closest('[data-tabs]')?.dataset.tabs ?? ''").split()
    if tabs and not element.is_visible():
        page.locator(f"label[data-tab={tabs[0]}]").tap()


def _beside(page: Page) -> dict[str, str]:
    """What can be chosen beside what is asked, and what its button says."""
    question = data(page)["question"]
    return {text: words for choice, text, words, *_ in question["legal"] if choice in question["beside"]}


def _set_amount(page: Page, text: str, act: Any) -> None:
    """Set this amount, and others of the mix so that they fit together; then take them."""
    rows: dict[str, list[str]] = {}
    beside = _beside(page)
    for row in data(page)["question"]["legal"]:
        if row[1] in beside:
            continue
        rows.setdefault(row[1].rpartition(" ")[0], []).append(row[1])
    rows[text.rpartition(" ")[0]] = [text]
    by_sum: dict[int, list[tuple[str, ...]]] = {}
    for mix in product(*rows.values()):
        by_sum.setdefault(sum(number_in(each.split()[-1]) for each in mix), []).append(mix)
    ranks = zip_longest(*(by_sum[total] for total in sorted(by_sum)))  # rules mostly ask for a sum: try each early
    submit = page.locator("[data-submit]")
    for mix in filter(None, chain.from_iterable(ranks)):
        for at, amount in enumerate(mix):
            _step_to(page, at, amount, act)
        until(page, "() => !document.querySelector('[data-judging]')")
        if submit.is_enabled():
            act(submit)
            return
    raise BrokenLaw(f"no mix with {text!r} can be taken")


def _step_to(page: Page, at: int, text: str, act: Any) -> None:
    output = page.locator(".stepper output").nth(at)
    while (now := output.get_attribute("data-text") or "") != text:
        sign = "+" if number_in(text.rsplit(maxsplit=1)[-1]) > number_in(now.split()[-1]) else "−"
        act(page.locator(f"[data-step='{at}{sign}']"))


def confirm(page: Page, act: Any) -> None:
    """Confirm the turn, if it awaits that, and wait until it is taken."""
    button = page.locator("#page-confirm")
    if button.count():
        stamp = data(page)["stamp"]
        act(button)
        until(page, "(old) => JSON.parse(document.getElementById('page-data').textContent).stamp !== old", stamp)


def wait_for_turn(page: Page) -> bool:
    """Wait until this page's seat is asked and others' moves were seen, or the game is over; whether it is asked."""
    until(
        page,
        """() => { const d = JSON.parse(document.getElementById("page-data").textContent);
                   return (d.over || d.mine || d.confirm) && !("following" in document.body.dataset); }""",
    )
    return not data(page)["over"]


def pick(legal: Sequence[str], chooser: random.Random) -> str:
    """One of the choices, each kind as likely as another, so that rare kinds are tried."""
    kinds = sorted({text.split()[0] for text in legal})
    kind = chooser.choice(kinds)
    return chooser.choice([text for text in legal if text.split()[0] == kind])


def number_in(text: str) -> int:
    """The number that a text shows, with either minus sign."""
    found = re.search(r"[-−+]?\d+", text)
    assert found, text
    return int(found.group().replace("−", "-"))
