"""A browser's push subscription, which ends without notice: pages renew it, or say that it is dead.

Headless Chromium has no push service, so a script stands for it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from atoll.store import ChannelRow
from atoll.testing.live_server import serving
from tests.browser.conftest import NewPage
from tests.server.outside import Subscription

SOON_MS = 8_000

SERVICE = """(given) => {
  const read = () => JSON.parse(localStorage.fake ?? '{"count": 0, "key": null, "denied": false}');
  const write = (change) => { localStorage.fake = JSON.stringify({ ...read(), ...change }); };
  const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
  const current = () => {
    const { count, key } = read();
    const endpoint = `${given.url}/${count}`;
    return key && {
      endpoint,
      options: { applicationServerKey: bytes(key).buffer },
      toJSON: () => ({ endpoint, keys: { p256dh: given.p256dh, auth: given.auth } }),
      unsubscribe: async () => write({ key: null }),
    };
  };
  const pushManager = {
    getSubscription: async () => current(),
    async subscribe({ applicationServerKey }) {
      const key = applicationServerKey;
      const text = typeof key === "string" ? key : btoa(String.fromCharCode(...new Uint8Array(key)));
      write({ count: read().count + 1, key: text });
      return current();
    },
  };
  const serviceWorker = { ready: Promise.resolve({ pushManager }), register: async () => null };
  Object.defineProperty(navigator, "serviceWorker", { value: serviceWorker });
  Object.defineProperty(Notification, "permission", { get: () => (read().denied ? "denied" : "granted") });
  Notification.requestPermission = async () => Notification.permission;
}"""


WORKER = """async () => {
  const { pushManager } = await navigator.serviceWorker.ready;
  const listeners = {};
  const addEventListener = (name, listener) => { listeners[name] = listener; };
  const worker = { registration: { pushManager }, addEventListener };
  new Function("self", await (await fetch("/worker.js")).text())(worker);
  let done;
  const oldSubscription = await pushManager.getSubscription();
  listeners.pushsubscriptionchange({ oldSubscription, newSubscription: null, waitUntil: (work) => { done = work; } });
  await done;
}"""


def _changed(page: Page, **values: Any) -> None:
    """Let something happen at the push service, and begin another session of the browser."""
    page.evaluate(
        "(change) => { localStorage.fake = JSON.stringify({ ...JSON.parse(localStorage.fake), ...change }); "
        "sessionStorage.clear(); }",
        values,
    )


def test_a_push_subscription_is_renewed_at_the_next_visit_or_said_to_be_dead(tmp_path: Path, new_page: NewPage) -> None:
    given = Subscription("https://push.example").given
    with serving(tmp_path, secure=True) as server:
        ada, page = server.guest("Ada"), new_page(bypass_csp=True)
        page.add_init_script(f"({SERVICE})({json.dumps(given)})")
        requests: list[str] = []
        page.on("request", lambda request: requests.append(request.url))

        def channels() -> list[ChannelRow]:
            found: list[ChannelRow] = server.ask(server.tables.store.notices.channels_of(ada.user.id))
            return found

        def visit() -> ChannelRow:
            with page.expect_response("**/settings/notices/push"):
                server.visit(page, None, "/mine")
            page.wait_for_timeout(300)
            [channel] = channels()
            return channel

        server.visit(page, ada, "/settings/notices")
        page.locator("#push-add button").click()
        expect(page.locator(".channel")).to_have_count(1, timeout=SOON_MS)
        [made] = channels()
        assert made.address["url"].endswith("/1")
        _changed(page)
        assert visit().address == made.address
        requests.clear()
        server.visit(page, None, "/mine")
        assert not [url for url in requests if url.endswith("/push")], "asked once in a session"

        _changed(page, key=None)
        assert visit().address["url"].endswith("/2"), "the browser had lost it"
        _changed(page, key="AAAA")
        assert visit().address["url"].endswith("/3"), "it was made for another secret of the server"
        notices = server.tables.store.notices
        server.ask(notices.change_channel(made.id, ada.user.id, cause="expired", error="answered 410"))
        _changed(page)
        renewed = visit()
        assert (renewed.id, renewed.cause) == (made.id, "") and renewed.address["url"].endswith("/4")
        expect(page.locator("a[href='/settings/notices']")).to_have_count(1)  # this page was made before
        server.visit(page, None, "/mine")
        expect(page.locator("a[href='/settings/notices']")).to_have_count(0)

        page.evaluate(WORKER)
        [channel] = channels()
        assert channel.id == made.id and channel.address["url"].endswith("/5"), "while no page was open"
        assert visit().address == channel.address

        _changed(page, denied=True)
        assert visit().cause == "expired"
        server.visit(page, None, "/mine")
        page.locator("a[href='/settings/notices']").click()
        expect(page.locator(".channel [role=status]")).to_contain_text("subscription has ended")
        assert page.evaluate("localStorage['atoll push'] ?? null") is None, "it is left to the person now"
