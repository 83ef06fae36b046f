"""A browser's subscription to web push that dies is renewed by the page and by the worker, or its person hears of it.

Chromium has no push service here: pages get one that is played, and the server sends to a receiver of the test.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from atoll.testing.live_server import LiveServer, serving
from tests.browser.axe import violations
from tests.browser.conftest import NewPage
from tests.server.outside import Receiver, Subscription, receiver

SOON_MS = 8_000

# `push-next` is what the service gives next, `push-now` what the browser has, `push-may` the person's permission.
SERVICE = """
const made = (given) => given && {
    endpoint: given.url,
    options: { applicationServerKey: given.key ? Uint8Array.of(4, 2).buffer : null },
    toJSON: () => ({ endpoint: given.url, keys: { p256dh: given.p256dh, auth: given.auth } }),
    unsubscribe: async () => localStorage.removeItem("push-now"),
};
PushManager.prototype.getSubscription = async () => made(JSON.parse(localStorage.getItem("push-now")));
PushManager.prototype.subscribe = async () => {
    const next = localStorage.getItem("push-next");
    if (!next) throw new DOMException("no push service", "AbortError");
    localStorage.setItem("push-now", next);
    localStorage.removeItem("push-next");
    return made(JSON.parse(next));
};
Object.defineProperty(Notification, "permission", { get: () => localStorage.getItem("push-may") ?? "granted" });
Notification.requestPermission = async () => Notification.permission;
"""

# The browser tells its worker that the push service has replaced the subscription.
REPLACED = """async (given) => {
    const toJSON = () => ({ endpoint: given.url, keys: { p256dh: given.p256dh, auth: given.auth } });
    PushManager.prototype.subscribe = async () => ({ toJSON });
    const event = new ExtendableEvent("pushsubscriptionchange");
    const work = [];
    event.waitUntil = (each) => work.push(each);
    self.dispatchEvent(event);
    await Promise.all(work);
    return work.length;
}"""

# The push service has given the next subscription, and the server may not have heard of it.
RENEWED_AND_PRESSED = """async () => {
    const { mend } = await import("/static/js/late/web_push.js");
    mend();
    const asked = setInterval(() => {
        if (localStorage.getItem("push-next")) return;
        clearInterval(asked);
        document.querySelector("#push-add button").click();
    });
}"""


@pytest.fixture(scope="module")
def secure(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server whose pages are a secure context, and that may send to this machine."""
    more: dict[str, Any] = {
        "allow_outgoing": ("127.0.0.0/8",),
        "smtp": "smtp://127.0.0.1:9",
        "mail_from": "atoll@example.org",
    }
    with serving(tmp_path_factory.mktemp("secure"), secure=True, **more) as server:
        yield server


@pytest.fixture
def service(secure: LiveServer) -> Iterator[Receiver]:
    """The push service, as the server sees it."""
    opened = receiver()
    yield secure.ask(opened.__aenter__())
    secure.ask(opened.__aexit__(None, None, None))


def _wait(for_: Callable[[], Any]) -> Any:
    """Return what a function finds, soon."""
    deadline = time.monotonic() + SOON_MS / 1000
    while not (found := for_()) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert found
    return found


def _gives(page: Page, **state: str | None) -> None:
    """Set the state of the browser's push service, at a later visit."""
    state["atoll-push-checked"] = None
    page.evaluate(
        """(state) => { for (const [name, value] of Object.entries(state))
            value === null ? localStorage.removeItem(name) : localStorage.setItem(name, value); }""",
        {name.replace("_", "-"): value for name, value in state.items()},
    )


def _json(subscription: Subscription, **more: Any) -> str:
    """Return what the service gives, as the browser stores it."""
    return json.dumps(subscription.given | more)


def test_a_subscription_that_dies_is_renewed_or_its_person_hears_of_it(
    secure: LiveServer, service: Receiver, new_page: NewPage
) -> None:
    ada, settings = secure.guest("Ada"), secure.tables.notification_settings
    ways = [Subscription(f"{service.url}/push/{n}") for n in range(7)]
    page = new_page(viewport={"width": 390, "height": 844})
    page.add_init_script(SERVICE)

    def known() -> list[str]:
        rows = secure.ask(secure.tables.store.notices.channels_of(ada.user.id))
        return [row.address["url"].rpartition("/")[2] for row in rows]

    def arrives(n: int) -> None:
        """A test comes by the n-th subscription, and by no other."""
        service.got.clear()
        [channel] = secure.ask(settings.mine(ada.user))
        secure.ask(settings.test(ada.user, channel.id))
        _wait(lambda: service.got)
        assert [got.path for got in service.got] == [f"/push/{n}"]
        assert ways[n].read(service.got[0].body)["title"]

    secure.visit(page, ada, "/settings/notices")
    _gives(page, push_next=_json(ways[0]))
    page.get_by_role("button", name="Notify me in this browser").click()
    expect(page.locator(".channel h2")).to_contain_text("This browser")
    arrives(0)

    # The push service doesn't know it any more: the next visit renews it.
    service.answer = lambda got: "410 Gone" if got.path == "/push/0" else "201 Created"
    [channel] = secure.ask(settings.mine(ada.user))
    secure.ask(settings.test(ada.user, channel.id))
    _wait(lambda: secure.ask(settings.is_failing(ada.user)))
    _gives(page, push_next=_json(ways[1]))
    secure.visit(page, None, "/lobby")
    _wait(lambda: known() == ["1"] and not secure.ask(settings.is_failing(ada.user)))
    arrives(1)

    # The browser has lost it, or has one that was made with another key of the server.
    _gives(page, push_now=None, push_next=_json(ways[2], key="other"))
    secure.visit(page, None, "/lobby")
    _wait(lambda: known() == ["2"])
    _gives(page, push_next=_json(ways[3]))
    secure.visit(page, None, "/lobby")
    _wait(lambda: known() == ["3"])
    arrives(3)

    # It is replaced while no page is open.
    [worker] = page.context.service_workers
    _gives(page, push_now=_json(ways[4]))
    page.goto("about:blank")
    assert worker.evaluate(REPLACED, ways[4].given) == 1
    assert known() == ["4"]
    arrives(4)

    # The person has withdrawn the permission: that can't be renewed, and is said.
    page.goto(f"{secure.url}/static/atoll.svg")
    _gives(page, push_now=None, push_may="denied")
    secure.visit(page, None, "/lobby")
    warning = page.locator(".site-notice", has_text="no longer shows notifications")
    expect(warning).to_be_visible(timeout=SOON_MS)
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth") and violations(page) == []
    warning.get_by_role("link").click()
    expect(page.locator(".channel .problem")).to_contain_text("This browser’s subscription has expired.")
    expect(page.locator(".site-notice")).to_have_count(0)
    _gives(page, push_may="granted", push_next=_json(ways[5]))
    page.get_by_role("button", name="Notify me in this browser").click()
    expect(page.locator(".channel .problem")).to_have_count(0)
    assert known() == ["5"]
    arrives(5)

    # The person presses the button while the page is renewing it.
    _gives(page, push_now=None, push_next=_json(ways[6]))
    with page.expect_navigation():
        page.evaluate(RENEWED_AND_PRESSED)
    assert known() == ["6"]
    arrives(6)
