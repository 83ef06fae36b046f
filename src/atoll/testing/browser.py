"""Reads and uses the page of a table as people do, and looks at nothing but the page.

Needs Playwright, from the extra `atoll[browser]`. The server is in `live_server.py`, the law for
all games in `browser_laws.py`.
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
"""Time limit of Playwright in milliseconds: on a loaded machine the first page is slow."""

# Only an edge of a card in a fan may be uncovered.
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
"""A host name of this machine in the browser; its pages are as insecure as in a local network."""

# Only the page under test may use the network, and nothing the graphics card.
ARGUMENTS: Final = (
    f"--host-resolver-rules=MAP {LAN_NAME} 127.0.0.1",
    "--ip-address-space-overrides=127.0.0.1:0=public",  # lets pages that a test answers load files of the server
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
)


class NoBrowser(Exception):
    """No browser is installed, or Playwright is missing."""


def find_chromium() -> str | None:
    """Return the path of the browser to test with; None if there is none.

    If the environment variable `CHROMIUM` is set, no other browser is used.
    """
    chosen = os.environ.get("CHROMIUM")
    return next(filter(None, map(shutil.which, (chosen,) if chosen else NAMES)), None)


def launch_arguments() -> list[str]:
    """Return the command-line arguments of Chromium."""
    # The sandbox of Chromium doesn't work for root.
    is_root = sys.platform != "win32" and os.geteuid() == 0
    return [*ARGUMENTS, "--no-sandbox"] if is_root else list(ARGUMENTS)


@contextmanager
def chromium(path: str | None) -> Iterator[Browser]:
    """Run a browser.

    `asyncio.run` can't be used while it runs.

    Args:
        path: Path of the browser; None for the one that `playwright install` has installed.

    Yields:
        The browser.

    Raises:
        NoBrowser: If the browser or Playwright is missing.
    """
    try:
        from playwright.sync_api import Error, sync_playwright  # noqa: PLC0415 - an extra that may not be installed
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
    """Return a page of a new person, 1400 x 900 pixels in English by default.

    Args:
        browser: The browser.
        errors: List to which errors of the page's scripts are appended.
        **options: Options of Playwright's `Browser.new_context`.

    Returns:
        The page.
    """
    defaults: dict[str, Any] = {"viewport": {"width": 1400, "height": 900}, "locale": "en-GB"}
    page = browser.new_context(**{**defaults, **options}).new_page()
    page.set_default_timeout(WAIT_MS)
    page.on("pageerror", lambda error: errors.append(str(error)))
    return page


def data(page: Page) -> dict[str, Any]:
    """Return the data that the page has about its table."""
    text = page.locator("#page-data").text_content()
    found: dict[str, Any] = json.loads(text or "{}")
    return found


def wait_until(page: Page, script: str, argument: Any = None, seconds: float = 20) -> None:
    """Wait until a script returns true.

    Playwright's own wait needs `eval`, which the content security policy of the page forbids.

    Args:
        page: The page.
        script: JavaScript function to evaluate.
        argument: Its argument.
        seconds: Longest time to wait.

    Raises:
        BrokenLaw: If the time is over.
    """
    deadline = time.monotonic() + seconds
    while not page.evaluate(script, argument):
        if time.monotonic() > deadline:
            raise BrokenLaw(f"{script} isn't true after {seconds:g} s: {page.locator('#page-bar').inner_text()}")
        page.wait_for_timeout(30)


def matches_pattern(pattern: str, text: str) -> bool:
    """Return whether a pattern matches a choice."""
    wanted, words = pattern.split(), text.split()
    return len(wanted) == len(words) and all(a in ("*", b) for a, b in zip(wanted, words, strict=True))


def matches(patterns: str, text: str) -> bool:
    """Return whether one of an element's patterns matches a choice."""
    return any(matches_pattern(pattern.strip(), text) for pattern in patterns.split(";") if pattern.strip())


def elements(page: Page) -> list[dict[str, Any]]:
    """Return all elements that represent choices, as the page presents them."""
    found: list[dict[str, Any]] = page.evaluate(
        """() => [...document.querySelectorAll("#page-main .element[data-choice]")].map((e) => ({
            id: e.id, choice: e.dataset.choice, legal: e.classList.contains("legal"),
            disabled: e.getAttribute("aria-disabled"), name: e.getAttribute("aria-label"),
            dialog: e.closest("dialog") && e.closest("dialog").id, picked: e.classList.contains("picked"),
        }))"""
    )
    return found


def buttons(page: Page) -> list[dict[str, Any]]:
    """Return the buttons for choices without elements, with the choices that they leave."""
    found: list[dict[str, Any]] = page.evaluate(
        """() => [...document.querySelectorAll("[data-rest] [data-texts]")].map((b, i) => ({
            at: i, texts: b.dataset.texts.split(";"), label: b.textContent,
        }))"""
    )
    return found


def check_offer(page: Page, legal: Sequence[str]) -> None:
    """Check that the page offers exactly the legal choices.

    They must be in the list, in the highlighted elements, and in the buttons for the rest.

    Args:
        page: The page.
        legal: The legal choices as texts.

    Raises:
        BrokenLaw: If they differ.
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
        equal = [each for each in shown_elements if matches(each["choice"], text)]
        _must_be_same(sum(each["picked"] for each in equal), min(often, len(equal)), f"elements picked for {text!r}")
    for each in shown_elements:
        meant = {text for text in legal if matches(each["choice"], text)}
        what = f"the element {each['id']!r} for {each['choice']!r}"
        _must_be_same(each["legal"], bool(meant) or each["picked"], f"{what} glows")
        _must_be_same(each["disabled"], str(not (meant or each["picked"])).lower(), f"{what} is disabled")
        if len(meant) < len(legal):
            covered |= meant
    offered = {text for button in buttons(page) for text in button["texts"]}
    rest = set(legal) if page.locator(".numbers").count() else set(legal) - covered
    _must_be_same(sorted(offered), sorted(rest), "buttons for choices that no element represents")


def _must_be_same(found: Any, wanted: Any, what: str) -> None:
    """Check that two values are equal.

    Args:
        found: The value.
        wanted: The expected value.
        what: The thing that is compared, for the message.

    Raises:
        BrokenLaw: If they aren't.
    """
    if found != wanted:
        raise BrokenLaw(f"{what}: {str(found)[:300]}; expected {str(wanted)[:300]}")


def choose(page: Page, text: str, act: Any) -> None:
    """Make a choice through the picture and the bar, step by step.

    Args:
        page: The page.
        text: The choice as text.
        act: Function that clicks, taps or presses a locator.

    Raises:
        BrokenLaw: If the choice can't be made.
    """
    _settle(page)
    stamp = data(page)["stamp"]
    for _ in range(8):
        if page.locator("[data-submit]").count():
            words = _side_choices(page).get(text)
            if words is None:
                _set_amount(page, text, act)
            else:
                act(page.locator("#page-rest").get_by_role("button", name=words, exact=True))
        elif step := _next_button(page, text):
            if step.get_attribute("data-serves"):  # a game's own tools are tested by that game's tests
                _choose_from_list(page, text, act)
            else:
                act(step)
        else:
            act(_next_element(page, text, act))
        if _done(page, stamp):
            return
    raise BrokenLaw(f"{text!r} can't be chosen")


def click(target: Locator) -> None:
    """Click an element at a point that a pointer can reach.

    Args:
        target: The element.

    Raises:
        BrokenLaw: If the element is completely covered.
    """
    target.click(position=_free_point(target))


def tap(target: Locator) -> None:
    """Tap an element at a point that a finger can reach.

    Args:
        target: The element.

    Raises:
        BrokenLaw: If the element is completely covered.
    """
    target.tap(position=_free_point(target))


def _free_point(target: Locator) -> Position:
    """Return an uncovered point of an element, relative to its upper left corner.

    Args:
        target: The element.

    Raises:
        BrokenLaw: If the element is completely covered.
    """
    end = time.monotonic() + WAIT_MS / 1000  # the message about a move may cover it for a moment
    while (free := target.evaluate(_FREE)) is None:
        if time.monotonic() > end:
            raise BrokenLaw(f"{target} is completely covered")
        target.page.wait_for_timeout(50)
    point: Position = free
    return point


def _choose_from_list(page: Page, text: str, act: Any) -> None:
    """Make a choice in the list of choices."""
    number = next(row[0] for row in data(page)["question"]["legal"] if row[1] == text)
    act(page.locator("#page-list summary"))
    if page.locator("#page-list select").count():
        page.locator("#page-list select").select_option(str(number))
        act(page.locator("#page-list button"))
    else:
        act(page.locator(f"#page-list button[value='{number}']"))


def _settle(page: Page) -> None:
    """Wait until no request is in progress: a newly opened page may still load missed moves."""
    wait_until(
        page,
        """() => !document.getElementById("page-main").hasAttribute("aria-busy")
                 && !("following" in document.body.dataset)""",
    )


def _done(page: Page, stamp: str) -> bool:
    """Return whether the page has changed since it had a stamp."""
    _settle(page)
    return bool(data(page)["stamp"] != stamp)


def _next_button(page: Page, text: str) -> Locator | None:
    """Return the button for a choice; None if there is none."""
    for button in buttons(page):
        if text in button["texts"]:
            found = page.locator("[data-rest] [data-texts]").nth(button["at"])
            if not found.is_visible():
                page.locator("#page-more").click()
            return found
    return None


def _next_element(page: Page, text: str, act: Any) -> Locator:
    """Return the next element to click for a choice, made visible.

    Args:
        page: The browser page.
        text: Text form of the choice.
        act: Function that clicks, taps or presses a locator.

    Raises:
        BrokenLaw: If no element represents the choice.
    """
    for each in elements(page):
        if each["legal"] and not each["picked"] and matches(each["choice"], text):
            if each["dialog"] and not page.locator(f"#{each['dialog']}").evaluate("(d) => d.open"):
                title = page.locator(f"#{each['dialog']}").get_attribute("data-title")
                act(page.locator("#page-rest").get_by_role("button", name=title, exact=True))
            found = page.locator(f"[id='{each['id']}']")
            _go_to_part_of(page, found, act)
            return found
    raise BrokenLaw(f"no element of the page represents {text!r}")


def _go_to_part_of(page: Page, element: Locator, act: Any) -> None:
    """Open the tab of an element: on a phone the table is split into tabs."""
    tabs = element.evaluate("(e) => e.closest('[data-tabs]')?.dataset.tabs ?? ''").split()
    if tabs and not element.is_visible():
        act(page.locator(f"label[data-tab={tabs[0]}]"))


def _side_choices(page: Page) -> dict[str, str]:
    """Return the side choices, each with the label of its button."""
    question = data(page)["question"]
    return {text: words for choice, text, words, *_ in question["legal"] if choice in question["beside"]}


def _set_amount(page: Page, text: str, act: Any) -> None:
    """Set an amount, and the other amounts so that they fit together, and submit them.

    Args:
        page: The browser page.
        text: Text form of the choice.
        act: Function that clicks, taps or presses a locator.

    Raises:
        BrokenLaw: If no amounts fit.
    """
    rows: dict[str, list[str]] = {}
    beside = _side_choices(page)
    for row in data(page)["question"]["legal"]:
        if row[1] in beside:
            continue
        rows.setdefault(row[1].rpartition(" ")[0], []).append(row[1])
    rows[text.rpartition(" ")[0]] = [text]
    by_sum: dict[int, list[tuple[str, ...]]] = {}
    for mix in product(*rows.values()):
        by_sum.setdefault(sum(number_in(each.split()[-1]) for each in mix), []).append(mix)
    ranks = zip_longest(*(by_sum[total] for total in sorted(by_sum)))  # rules mostly ask for a sum: try all sums early
    submit = page.locator("[data-submit]")
    for mix in filter(None, chain.from_iterable(ranks)):
        for at, amount in enumerate(mix):
            _step_to(page, at, amount, act)
        wait_until(page, "() => !document.querySelector('[data-judging]')")
        if submit.is_enabled():
            act(submit)
            return
    raise BrokenLaw(f"no set of amounts with {text!r} can be submitted")


def _step_to(page: Page, at: int, text: str, act: Any) -> None:
    """Change a stepper until it shows an amount."""
    output = page.locator(".stepper output").nth(at)
    while (now := output.get_attribute("data-text") or "") != text:
        sign = "+" if number_in(text.rsplit(maxsplit=1)[-1]) > number_in(now.split()[-1]) else "−"
        act(page.locator(f"[data-step='{at}{sign}']"))


def confirm(page: Page, act: Any) -> None:
    """Confirm the turn if it waits for that, and wait until it is accepted."""
    button = page.locator("#page-confirm")
    if button.count():
        stamp = data(page)["stamp"]
        act(button)
        wait_until(page, "(old) => JSON.parse(document.getElementById('page-data').textContent).stamp !== old", stamp)


def wait_for_turn(page: Page) -> bool:
    """Wait until the page's seat is asked and has seen others' moves, or the game is over.

    Args:
        page: The page.

    Returns:
        Whether the seat is asked.
    """
    wait_until(
        page,
        """() => { const d = JSON.parse(document.getElementById("page-data").textContent);
                   return (d.over || d.mine || d.confirm) && !("following" in document.body.dataset); }""",
    )
    return not data(page)["over"]


def pick(legal: Sequence[str], chooser: random.Random) -> str:
    """Return a random choice; all kinds are equally likely, so that rare kinds are tried."""
    kinds = sorted({text.split()[0] for text in legal})
    kind = chooser.choice(kinds)
    return chooser.choice([text for text in legal if text.split()[0] == kind])


def number_in(text: str) -> int:
    """Return the number in a text, with either minus sign."""
    found = re.search(r"[-−+]?\d+", text)
    assert found, text
    return int(found.group().replace("−", "-"))
