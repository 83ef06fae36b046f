"""Pages of a local network, over plain http.

The other tests of the folder run there, too. These are about functions that browsers withhold, about
the stream that tabs share, and about faults that must not pass for those of the network.
"""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, expect

from atoll.testing.browser import open_page, wait_until
from atoll.testing.live_server import LiveServer
from tests.browser.conftest import NewPage
from tests.browser.live import pasted, show

SECURE = "http://127.0.0.1/"
PLAIN = "http://shelf.test/"

# All that a browser offers to scripts: the names of window, and those of each interface.
OFFERED = """() => {
    const found = { window: Object.getOwnPropertyNames(globalThis) };
    for (const name of found.window) {
        const { value } = Object.getOwnPropertyDescriptor(globalThis, name);
        if (typeof value !== "function" || !value.prototype) continue;
        found[name] = [value.prototype, value].flatMap((each) => Object.getOwnPropertyNames(each));
    }
    return found;
}"""
# Of no use in other contexts, though Chromium without a window doesn't have them, or has them everywhere.
WITHHELD = {"Navigator": {"share", "canShare"}, "window": {"Notification", "PushManager"}}
INSTANCES = {"Navigator": "navigator", "Crypto": "crypto", "Screen": "screen"}


def withheld(page: Page) -> dict[str, set[str]]:
    """The names that only secure contexts have, by interface."""
    offers = []
    for origin in (SECURE, PLAIN):
        show(page, "<p>", origin)
        offers.append(page.evaluate(OFFERED))
    secure, plain = offers
    found = {kind: set(names) - set(plain[kind]) for kind, names in secure.items() if kind in plain}
    return {kind: names | WITHHELD.get(kind, set()) for kind, names in found.items() if names}


def used(script: str, names: dict[str, set[str]]) -> set[str]:
    """Those of the names that a script uses, and the objects that it takes apart."""
    code = re.sub(r"/\*.*?\*/|(?<!:)//[^\n]*", "", script, flags=re.DOTALL)
    own = set(re.findall(r"\bclass (\w+)", code))
    for imported in re.findall(r"import \{([^}]*)\}", code):
        own |= set(re.findall(r"\w+", imported))
    found = set(re.findall(r"= (navigator|crypto)\b(?!\??\.)", code))
    for kind, members in names.items():
        any_of = "|".join(members)
        if kind == "window":
            found |= set(re.findall(rf"(?:(?<![\w.$])|\b(?:window|globalThis|self)\??\.)({any_of})\b", code)) - own
        else:
            receiver = INSTANCES.get(kind, "")
            found |= set(re.findall(rf"\b{receiver}\??\.({any_of})\b", code))
            found |= set(re.findall(rf"[\"'`]({any_of})[\"'`] in {receiver}\b", code))
    return found


def test_functions_of_secure_contexts_are_used_by_modules_of_that_name(page: Page) -> None:
    names = withheld(page)
    assert "randomUUID" in names["Crypto"] and "locks" in names["Navigator"] and "caches" in names["window"]
    own = files("atoll.server.http.pages") / "static" / "js"
    scripts = [Path(str(own)), *Path(str(files("atoll.games"))).iterdir()]
    found = {path.name: used(path.read_text("utf-8"), names) for folder in scripts for path in folder.rglob("*.js")}
    assert len(found) > 40
    assert found.pop("secure.js") >= {"clipboard", "ClipboardItem", "serviceWorker", "share"}
    assert {"locks", "Notification"} <= found.pop("secure_push.js") and "credentials" in found.pop("secure_passkeys.js")
    assert {name: uses for name, uses in found.items() if uses} == {}
    assert used("const { locks } = navigator;", names) == {"navigator"}


@pytest.mark.parametrize(("origin", "secure"), [(PLAIN, False), (SECURE, True)])
def test_what_is_withheld_has_a_substitute(new_page: NewPage, origin: str, secure: bool) -> None:
    page = new_page(permissions=["clipboard-read", "clipboard-write"])
    show(page, "<input readonly value='what is copied'><button>Copy</button>", origin)
    assert page.evaluate("isSecureContext") is secure
    found = page.evaluate("""async () => {
        const module = await import("/static/js/secure.js");
        const field = document.querySelector("input");
        document.querySelector("button").onclick = async () => {
            document.body.dataset.coming = await module.copyComing(Promise.resolve("what comes"));
            document.body.dataset.copied = await module.copyField(field);
        };
        module.startWorker();
        return { keys: [module.randomKey(), module.randomKey()], push: module.canPush() };
    }""")
    assert all(re.fullmatch("[0-9a-f]{32}", key) for key in found["keys"])
    assert len(set(found["keys"])) == 2
    assert found["push"] is secure
    page.get_by_role("button").click()
    wait_until(page, "() => 'copied' in document.body.dataset")
    assert page.evaluate("({...document.body.dataset})") == {"coming": str(secure).lower(), "copied": "true"}
    assert page.evaluate("document.activeElement.localName") == "button"
    assert pasted(page) == "what is copied"


@pytest.mark.parametrize(("locale", "told"), [("en-GB", "it needs https"), ("de-DE", "Nötig ist https")])
def test_over_plain_http_the_page_says_what_push_needs(
    live: LiveServer, new_page: NewPage, locale: str, told: str
) -> None:
    page = live.visit(new_page(locale=locale), live.guest("Ada"), "/settings/notices")
    expect(page.locator("#push-add")).to_contain_text(told)
    expect(page.locator("#push-add button")).to_be_hidden()


def test_in_a_secure_context_the_worker_runs_and_push_is_offered(secure: LiveServer, page: Page) -> None:
    secure.visit(page, secure.guest("Ada"), "/settings/notices")
    expect(page.locator("#push-add button")).to_be_visible()
    assert page.evaluate("navigator.serviceWorker.ready.then(({ active }) => active !== null)")


def streams_of(context: BrowserContext) -> set[Request]:
    """The event streams that tabs of a browser have open; the set follows them."""
    streams: set[Request] = set()

    def begin(request: Request) -> None:
        if "/events" in request.url:
            streams.add(request)

    def end(request: Request) -> None:
        streams.discard(request)

    context.on("request", begin)
    context.on("requestfinished", end)
    context.on("requestfailed", end)
    return streams


def test_eight_tabs_of_one_browser_all_stay_live(live: LiveServer, new_page: NewPage) -> None:
    """A browser opens six connections to a server: the tabs share one stream, and hand it on."""
    page = new_page(reduced_motion="reduce")
    login = live.guest("Ada", confirm_single=False)
    table = live.set_table(login, "atacama", ["me", "device"], {"start_player": "seat_1"})
    streams = streams_of(page.context)
    live.visit(page, login, f"/t/{table}")
    tabs = [page, *(page.context.new_page() for _ in range(7))]
    for tab in tabs[1:]:
        live.visit(tab, None, f"/t/{table}")
    for field in ("r3c3", "r7c7", "r1c9"):
        tabs[-1].locator(f"#field-{field}").click()
        for tab in tabs:
            expect(tab.locator(f"#rig-{field}")).to_have_count(1, timeout=8_000)
        [leader] = [stream.frame.page for stream in streams if stream.frame.page in tabs]
        tabs.remove(leader)
        leader.close()
    assert len(tabs) == 5


# A tab whose far timers a test can bring near, and that can be deaf and mute like one that the browser has frozen.
FROZEN = """
window.late = [];
const wait = window.setTimeout;
window.setTimeout = (work, ms, ...rest) => {
    if (ms > 30000) late.push(work);
    return wait(work, ms, ...rest);
};
window.frozen = false;
window.BroadcastChannel = class extends BroadcastChannel {
    postMessage(message) {
        if (!frozen) super.postMessage(message);
    }
    set onmessage(work) {
        super.onmessage = (event) => frozen || work(event);
    }
};
"""


def test_a_leader_that_falls_silent_is_replaced_and_one_steps_down_when_it_is_back(
    live: LiveServer, new_page: NewPage
) -> None:
    login = live.guest("Ada", confirm_single=False)
    table = live.set_table(login, "atacama", ["me", "device"], {"start_player": "seat_1"})
    leader = new_page()
    leader.context.add_init_script(FROZEN)
    streams = streams_of(leader.context)
    with leader.expect_request("**/events*"):
        live.visit(leader, login, f"/t/{table}")
    other = live.visit(leader.context.new_page(), None, f"/t/{table}")
    wait_until(other, "() => late.length > 0")  # it has heard a sign of the leader, and waits for the next one
    leader.evaluate("window.frozen = true")
    with other.expect_request("**/events*"):
        other.evaluate("late.at(-1)()")
    assert len(streams) == 2
    leader.evaluate("window.frozen = false")
    leader.evaluate("window.dispatchEvent(new Event('online'))")
    while len(streams) > 1:
        other.wait_for_timeout(50)
    for page, field in ((leader, "r3c3"), (other, "r7c7")):
        page.locator(f"#field-{field}").click()
        for tab in (leader, other):
            expect(tab.locator(f"#rig-{field}")).to_have_count(1, timeout=8_000)


PLANT = """() => {
    const [draw, parse] = [Crypto.prototype.getRandomValues, DOMParser.prototype.parseFromString];
    window.pull = () => {
        Crypto.prototype.getRandomValues = draw;
        DOMParser.prototype.parseFromString = parse;
    };
    const fail = () => { throw new TypeError("planted"); };
    Crypto.prototype.getRandomValues = fail;
    DOMParser.prototype.parseFromString = fail;
}"""


def test_a_fault_of_a_script_is_never_told_as_one_of_the_network(live: LiveServer, browser: Browser) -> None:
    thrown: list[str] = []
    page = open_page(browser, thrown, locale="de-DE")
    ada, bo = live.guest("Ada", confirm_single=False), live.guest("Bo")
    table = live.set_table(ada, "atacama", ["me", "open"], {"start_player": "seat_1"})
    live.ask(live.tables.table_setup.join(bo.user, table))
    live.ask(live.tables.table_setup.start(ada.user, table))
    live.visit(page, ada, f"/t/{table}")
    fault = page.locator("#page-fault")
    expect(fault).to_be_hidden()
    page.evaluate(PLANT)
    page.locator("#field-r3c3").click()  # the command's key can't be drawn
    expect(fault).to_have_text(re.compile(r"^Auf dieser Seite ist etwas schiefgegangen\. .* Seite neu laden$"))
    expect(page.get_by_text("nicht erreichbar")).to_have_count(0)
    asked = len(thrown)
    assert thrown and all("planted" in each for each in thrown)
    live.ask(live.tables.chat.say(bo.user, table, "Hello!"))  # what comes can't be read
    while len(thrown) == asked:
        page.wait_for_timeout(20)
    expect(page.locator("#page-offline")).to_be_hidden()
    assert all("planted" in each for each in thrown)
    page.evaluate("window.pull()")
    page.locator("#field-r3c3").click()
    expect(page.locator("#rig-r3c3")).to_have_count(1)
    page.get_by_role("link", name="Seite neu laden").click()
    expect(fault).to_be_hidden()
    expect(page.locator("#rig-r3c3")).to_have_count(1)


@pytest.mark.parametrize("broken", ["throw new TypeError('Failed to fetch')", "return new Response(cut)"])
def test_an_answer_that_never_comes_or_breaks_off_is_a_fault_of_the_network(page: Page, broken: str) -> None:
    show(page, "<p>")
    found = page.evaluate(f"""async () => {{
        const {{ get, Unreached }} = await import("/static/js/http.js");
        const cut = new ReadableStream({{ pull: (to) => to.error(new TypeError("network error")) }});
        window.fetch = async () => {{ {broken}; }};
        return get("/t/x").then(() => "answered", (error) => error instanceof Unreached);
    }}""")
    assert found is True
