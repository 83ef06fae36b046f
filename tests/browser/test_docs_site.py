"""The built documentation in the browser, under the policy that the server sends."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from atoll.server.http.pages import docs
from atoll.testing.live_server import LiveServer
from tests.browser.conftest import NewPage

# The parts of headings that are broken where no break belongs.
BROKEN = """() => [...document.querySelectorAll(":is(h1, h2, h3, h4)")].flatMap((heading) => {
    const walk = document.createTreeWalker(heading, NodeFilter.SHOW_TEXT);
    const found = [];
    for (let text = walk.nextNode(); text; text = walk.nextNode()) {
        for (const { 0: word, index } of text.data.matchAll(/[^\\s-]+/g)) {
            const range = document.createRange();
            range.setStart(text, index);
            range.setEnd(text, index + word.length);
            if (range.getClientRects().length > 1) found.push(word);
        }
    }
    return found;
})"""
PAGES = (
    *("", "gallery.html", "play/reference-settings.html"),
    *(f"develop/reference-api/atoll.{name}.html" for name in ("engine.position", "testing.presentation_laws")),
)


@pytest.mark.skipif(not docs.site.is_built(), reason="make docs builds the site")
def test_the_site_can_be_read_and_searched(live: LiveServer, new_page: NewPage) -> None:
    said: list[str] = []
    for width, scheme in ((1400, "light"), (390, "dark")):
        page = new_page(color_scheme=scheme, viewport={"width": width, "height": 844})
        page.on("console", lambda message: said.append(message.text))
        for path in PAGES:
            page.goto(f"{live.url}/docs/{path}")
            assert page.locator("html").get_attribute("data-theme") == scheme
            assert page.evaluate("document.documentElement.scrollWidth") <= width, path
            assert page.evaluate(BROKEN) == []
        page.goto(f"{live.url}/docs/search.html?q=determinization")
        expect(page.locator("#search-results li").first).to_be_visible()
    assert [text for text in said if "Content Security Policy" in text] == []
