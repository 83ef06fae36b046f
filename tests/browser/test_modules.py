"""Modules that know no page: what elements stand for, and how a part of a page becomes another."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from atoll.picture.templates import templates
from atoll.server.presentation import clocks, texts
from atoll.testing.browser import open_page
from tests.browser.live import show

MORPH = """async ([from, to]) => {
    const { morph } = await import("/static/js/morph.js");
    const page = document.getElementById("page");
    page.innerHTML = from;
    const before = Object.fromEntries([...page.querySelectorAll("[id]")].map((each) => [each.id, each]));
    const focused = page.querySelector("[data-focus]");
    focused?.focus();
    const wanted = page.cloneNode();
    wanted.innerHTML = to;
    morph(page, wanted);
    return {
        html: page.innerHTML,
        kept: [...page.querySelectorAll("[id]")].filter((each) => before[each.id] === each).map((each) => each.id),
        focus: document.activeElement.id,
    };
}"""


@pytest.fixture(scope="module")
def shared(browser: Browser) -> Iterator[tuple[Page, list[str]]]:
    """A page that all tests here use one after the other, and what its scripts have thrown."""
    thrown: list[str] = []
    page = open_page(browser, thrown)
    show(page, "<div id='page'></div>")
    yield page, thrown
    page.context.close()


@pytest.fixture
def shelf(shared: tuple[Page, list[str]]) -> Iterator[Page]:
    page, thrown = shared
    page.reload()
    yield page
    assert not thrown, thrown


@pytest.fixture
def own_shelf(page: Page) -> Page:
    """For tests that change more than the document."""
    show(page, "<div id='page'></div>")
    return page


def morphed(page: Page, before: str, after: str) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate(MORPH, [before, after])
    return found


@pytest.mark.parametrize(
    ("before", "after", "kept"),
    [
        ("<p id='a'>1</p><p id='b'>2</p>", "<p id='b'>2</p><p id='a'>3</p>", ["b", "a"]),
        ("<p id='a'>1</p>", "<p>0</p><p id='a'>1</p><p id='b'>2</p>", ["a"]),
        ("<p>0</p><p id='a'>1</p>text<b>bold</b>", "<p id='a'>1</p>", ["a"]),
        ("<p id='a'>1</p>", "<b id='a'>1</b>", []),
        ("<ul><li id='a'>1</li><li>2</li></ul>", "<ul><li>2</li><li id='a' class='x'>1</li></ul>", ["a"]),
        ("one<!-- two --><i>three</i>", "<i>one</i>two<!-- three -->", []),
        ("", "<p id='a'>1</p>", []),
        ("<p id='a'>1</p>", "", []),
    ],
)
def test_a_morphed_page_is_like_the_new_one_and_keeps_what_has_the_same_id(
    shelf: Page, before: str, after: str, kept: list[str]
) -> None:
    found = morphed(shelf, before, after)
    assert found["html"] == after.replace("'", '"')
    assert found["kept"] == kept


def test_focus_and_half_typed_text_survive_a_morph(shelf: Page) -> None:
    shelf.evaluate("""() => document.addEventListener("focusin", ({ target }) => { target.value = "half ty"; })""")
    found = morphed(shelf, "<p>1</p><input id='say' data-focus>", "<p>2</p><p>3</p><input id='say'>")
    assert found["focus"] == "say"
    assert shelf.locator("#say").input_value() == "half ty"


@pytest.mark.parametrize(
    ("before", "after", "left"),
    [
        ("<p>1</p><b data-own>mine</b>", "<p>2</p>", "<p>2</p><b data-own>mine</b>"),
        ("<b data-own>mine</b><p>1</p>", "<p>2</p><p>3</p>", "<b data-own>mine</b><p>2</p><p>3</p>"),
        ("<details open>1</details>", "<details>2</details>", "<details open>2</details>"),
        ("<details>1</details>", "<details open>2</details>", "<details>2</details>"),
        ("<p data-stays hidden>1</p>", "<p data-stays>1</p>", "<p data-stays hidden>1</p>"),
        ("<p hidden>1</p>", "<p>1</p>", "<p>1</p>"),
        ("<p class='a fresh'>1</p>", "<p class='b'>1</p>", "<p class='b fresh'>1</p>"),
        (
            "<p class='element' role='button'>1</p>",
            "<p class='element'>1</p>",
            "<p class='element' role='button'>1</p>",
        ),
        ("<p role='button'>1</p>", "<p>1</p>", "<p>1</p>"),
    ],
)
def test_what_scripts_and_people_did_survives_a_morph(shelf: Page, before: str, after: str, left: str) -> None:
    wanted = left.replace("'", '"').replace("data-own", 'data-own=""').replace("data-stays", 'data-stays=""')
    wanted = wanted.replace("<details open>", '<details open="">').replace(" hidden", ' hidden=""')
    assert morphed(shelf, before, after)["html"] == wanted


def test_an_element_with_the_focus_gets_what_is_new(shelf: Page) -> None:
    """The option `ignoreActiveValue` of idiomorph would skip it."""
    before = "<section id='round' tabindex='0' data-focus><h2>Round 1</h2></section>"
    found = morphed(shelf, before, "<section id='round' tabindex='0'><h2>Round 2</h2></section>")
    assert (found["focus"], found["kept"]) == ("round", ["round"])
    assert shelf.locator("h2").text_content() == "Round 2"


def test_what_a_person_has_typed_and_chosen_survives_a_morph(shelf: Page) -> None:
    """A half-typed message, the tab of a paper and an open menu stay. A hidden field gets its new value."""
    paper = "<input type='radio' name='paper' id='{}'{}>"
    papers = paper.format("log", " checked") + paper.format("chat", "")
    fields = "<textarea id='say'></textarea><input id='name'><input id='key' type='hidden' value='{}'>"
    rest = "<details id='menu'><summary>Menu</summary></details><select id='pace'><option>a<option>b</select>"
    page = papers + fields + rest
    shelf.evaluate("(html) => { document.getElementById('page').innerHTML = html; }", page.format("1"))
    shelf.locator("#chat").check()
    shelf.locator("#say").fill("half ty")
    shelf.locator("#name").fill("Ad")
    shelf.locator("summary").click()
    shelf.locator("#pace").select_option("b")
    shelf.evaluate(
        """async (html) => {
            const { morph } = await import("/static/js/morph.js");
            const page = document.getElementById("page");
            const wanted = page.cloneNode();
            wanted.innerHTML = html;
            morph(page, wanted);
        }""",
        page.format("2"),
    )
    assert shelf.locator("#chat").is_checked()
    assert [shelf.locator(f"#{id}").input_value() for id in ("say", "name", "key", "pace")] == [
        "half ty",
        "Ad",
        "2",
        "b",
    ]
    assert shelf.locator("#menu").get_attribute("open") is not None


def filling(id: str) -> str:
    """Return the markup of a fragment that the page has."""
    return f"<g id='{id}' data-h='{id * 8}'><text id='in-{id}' tabindex='0'>{id}</text></g>"


def empty(id: str) -> str:
    """Return what the server sends for it."""
    return f"<g id='{id}' data-h='{id * 8}'></g>"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("abc", "abc"),
        ("abc", "cba"),
        ("abc", "bca"),
        ("-a-b-c", "cab"),
        ("a-bc", "-c-b-a"),
        ("abc", "(ab)c"),
        ("(ab)-c", "-(ca)b"),
        ("(a)(b)c", "((ab)-)c"),
        ("abc", "a"),
        ("-abc", "b-"),
    ],
)
def test_fragments_that_were_left_empty_stay_wherever_they_move(shelf: Page, before: str, after: str) -> None:
    """Letters are fragments, `-` is an element without an id, brackets are groups without ids."""
    plain = {"-": "<g><text>-</text></g>", "(": "<g>", ")": "</g>"}
    have = "".join(plain.get(each) or filling(each) for each in before)
    sent = "".join(plain.get(each) or empty(each) for each in after)
    whole = "".join(plain.get(each) or filling(each) for each in after).replace("'", '"')
    for focus in ("", "a", "b", "c"):
        focused = have.replace(f"id='in-{focus}'", f"id='in-{focus}' data-focus") if focus else have
        found = morphed(shelf, f"<svg>{focused}</svg>", f"<svg>{sent}</svg>")
        assert found["html"].replace(' data-focus=""', "") == f"<svg>{whole}</svg>", focus
        assert {id for id in found["kept"] if len(id) == 1} == {each for each in after if each.isalpha()}, focus


def test_a_page_that_fails_half_way_is_replaced(shelf: Page) -> None:
    """Fragments may have been moved by then. Nothing is lost, and nothing is left behind."""
    shelf.evaluate("window.reportError = (error) => { window.reported = String(error); }")
    shelf.evaluate(
        "(html) => { document.getElementById('page').innerHTML = html; }",
        f"<svg>{filling('a')}{filling('b')}</svg><p id='bad'>1</p>",
    )
    found = shelf.evaluate(
        """async (sent) => {
            const { morph } = await import("/static/js/morph.js");
            const page = document.getElementById("page");
            const bad = document.getElementById("bad");
            Object.defineProperty(bad, "attributes", { get() { throw new Error("planted"); } });
            const wanted = page.cloneNode();
            wanted.innerHTML = sent;
            morph(page, wanted);
            const [html, children] = [document.getElementById("page").innerHTML, document.documentElement.children];
            return [html, window.reported, children.length];
        }""",
        f"<svg>{empty('b')}</svg><svg>{empty('a')}</svg><p id='bad'>2</p>",
    )
    whole = f"<svg>{filling('b')}</svg><svg>{filling('a')}</svg><p id='bad'>2</p>".replace("'", '"')
    assert found == [whole, "Error: planted", 2], "head and body"


LEGAL = [
    [1, "place r1 gold", "gold on r1", ["r1", "gold"]],
    [2, "place r1 oil", "oil on r1", ["r1", "oil"]],
    [3, "place r2 gold", "gold on r2", ["r2", "gold"]],
    [4, "pass", "pass", []],
]
IN_CHOICES = """async ([legal, run]) => {
    const module = await import("/static/js/choices.js");
    return new Function("module", "options", `return ${run}`)(module, module.readLegal(legal));
}"""


def chosen(page: Page, run: str) -> Any:
    return page.evaluate(IN_CHOICES, [LEGAL, run])


@pytest.mark.parametrize(
    ("patterns", "meant"),
    [
        ("place r1 *", [1, 2]),
        ("place * gold", [1, 3]),
        ("place r2 gold; pass", [3, 4]),
        ("* * *", [1, 2, 3]),
        ("place", []),
        ("place r1", []),
        ("", []),
        (" ; ", []),
    ],
)
def test_a_pattern_means_the_choices_that_have_its_parts(shelf: Page, patterns: str, meant: list[int]) -> None:
    run = f"module.meant({patterns!r}, options).map((option) => option.choice)"
    assert chosen(shelf, run) == meant


def picked(page: Page, *patterns: str) -> list[int]:
    """Return the choices that remain after an element of each of these patterns was picked."""
    steps = "".join(
        f"{{ const {{ options, replaces }} = s.after({each!r}); s.pick({each!r}, options, replaces); }}"
        for each in patterns
    )
    found: list[int] = chosen(
        page, f"((s) => {{ {steps} return s.left.map((o) => o.choice) }})(new module.Selection(options))"
    )
    return found


def test_picks_narrow_each_other_in_any_order(shelf: Page) -> None:
    assert picked(shelf, "place r1 *") == [1, 2]
    assert picked(shelf, "place r1 *", "place * gold") == [1]
    assert picked(shelf, "place * gold", "place r1 *") == [1]


def test_a_pick_that_leaves_nothing_of_the_others_replaces_them(shelf: Page) -> None:
    assert picked(shelf, "place r1 *", "pass") == [4]
    assert picked(shelf, "place r1 oil", "place r2 *") == [3]


def test_what_no_element_tells_apart_needs_buttons(shelf: Page) -> None:
    def worded(*elements: str) -> Any:
        run = f"new module.Selection(options).worded({list(elements)}).map((option) => option.choice)"
        return chosen(shelf, run)

    assert worded("place r1 *", "place r2 *") == [4]
    assert worded("* * *") == [4]
    assert worded() == [1, 2, 3, 4]
    assert chosen(shelf, "new module.Selection(options.slice(0, 2)).worded(['place r1 *']).length") == 2


@pytest.mark.parametrize(
    ("most", "labels"),
    [
        (4, [["gold on r1", 1], ["oil on r1", 1], ["gold on r2", 1], ["pass", 1]]),
        (3, [["gold on r1", 3], ["pass", 1]]),
    ],
)
def test_many_options_are_grouped_by_the_first_part_in_which_they_differ(
    shelf: Page, most: int, labels: list[list[Any]]
) -> None:
    run = f"module.group(options, {most}).map((each) => [each.label, each.options.length])"
    assert chosen(shelf, run) == labels


def test_groups_of_one_kind_are_named_by_the_part_that_they_share(shelf: Page) -> None:
    run = "module.group(options.slice(0, 3), 2).map((each) => [each.label, each.options.length])"
    assert chosen(shelf, run) == [["r1", 2], ["gold on r2", 1]]


def test_a_sentence_that_is_cut_opens_and_closes(shelf: Page) -> None:
    shelf.evaluate(
        """async () => {
            const { fit, listenToSheets } = await import("/static/js/sheets.js");
            const sentence = (id, css, text) => `<p id="${id}" class="${css}">${text}</p>`;
            const page = document.getElementById("page");
            page.innerHTML = sentence("page-prompt", "", "word ".repeat(99)) + sentence("short", "said", "word");
            for (const each of page.children) each.style.cssText = "height: 40px; overflow: hidden";
            page.insertAdjacentHTML("beforeend", "<div id='page-rest'></div><button id='page-more'></button>");
            listenToSheets();
            fit();
        }"""
    )
    prompt, short = shelf.locator("#page-prompt"), shelf.locator("#short")
    assert prompt.get_attribute("aria-expanded") == "false"
    assert short.get_attribute("aria-expanded") is None
    for opens, closes in ((prompt.click, prompt.click), (prompt.click, short.click)):
        opens()
        assert prompt.get_attribute("aria-expanded") == "true"
        closes()
        assert prompt.get_attribute("aria-expanded") == "false"
    prompt.press("Enter")
    assert prompt.get_attribute("aria-expanded") == "true"
    prompt.press("Escape")
    assert prompt.get_attribute("aria-expanded") == "false"


NOTED = """async (legal) => {
    const { Hint } = await import("/static/js/hint.js");
    document.getElementById("page").innerHTML = `<div class="scene" style="position: fixed; inset: 0"></div>
        ${legal.map((top) => `<p class="element legal" style="position: fixed; top: ${top}px; left: 0; width: 100%;
        height: 40px; margin: 0">legal</p>`).join("")}<div id="page-hint" class="hint" style="position: fixed"></div>`;
    const hint = new Hint({});
    hint.note("Ada has done something");
    const sheet = document.getElementById("page-hint").getBoundingClientRect();
    const middles = legal.map((top) => top + 20);
    return [sheet.bottom, innerHeight, middles.filter((y) => y > sheet.top && y < sheet.bottom).length];
}"""


def test_a_note_lies_low_but_not_on_what_can_be_chosen_while_there_is_room(own_shelf: Page) -> None:
    own_shelf.set_viewport_size({"width": 360, "height": 740})
    bottom, height, covered = own_shelf.evaluate(NOTED, [100])
    assert (bottom, covered) == (height - 10, 0)
    bottom, height, covered = own_shelf.evaluate(NOTED, [690, 650])
    assert bottom < height - 10 and covered == 0
    everywhere = list(range(0, 740, 10))
    assert own_shelf.evaluate(NOTED, everywhere)[2] > 0, "where all can be chosen it covers something"


REFUSED = """async () => {
    const { Hint } = await import("/static/js/hint.js");
    document.getElementById("page").innerHTML = `<p id="pact" class="element">Pact</p>
        <div id="page-hint" class="hint"></div>`;
    const hint = new Hint({ server: { why: async () => "You lack: 3 sheep." }, news: { say() {} } });
    hint.note("Ada has done something");
    await hint.why(document.getElementById("pact"), "fulfil water_14");
}"""


def test_why_not_stays_when_the_note_before_it_would_have_gone(own_shelf: Page) -> None:
    own_shelf.clock.install()
    own_shelf.evaluate(REFUSED)
    own_shelf.clock.run_for(6000)
    expect(own_shelf.locator("#page-hint")).to_have_text("You lack: 3 sheep.")
    expect(own_shelf.locator("#page-hint")).to_be_visible()


CLOCKS = """async ([units, left]) => {
    document.head.insertAdjacentHTML("beforeend", '<meta name="now" content="0">');
    const { serverNow } = await import("/static/js/http.js");
    const { Clocks } = await import("/static/js/clocks.js");
    window.asked = 0;
    const page = document.getElementById("page");
    const due = new Date(Math.floor(serverNow()) + 1000 * left).toISOString();
    const all = ["", "data-rests"].map((rests) => `<b data-due="${due}" data-says="{} left" ${rests}>as it was</b>`);
    page.innerHTML = all.join("");
    new Clocks({ patched: [], texts: { units }, update: () => { window.asked += 1; } });
}"""


def test_times_follow_the_clock_in_the_words_of_the_server(own_shelf: Page) -> None:
    begin = datetime(2026, 11, 26, 12, tzinfo=UTC)
    left = 2 * 86_400
    for language in ("en", "de"):
        site = texts.site(language)
        messages = piece_of(site)
        own_shelf.clock.install(time=begin)
        own_shelf.evaluate(CLOCKS, [messages["units"], left])
        gone = 0
        for seconds in (0, 60, 3_600, 82_800, 3_541, 59, 72_000):
            own_shelf.clock.fast_forward(1000 * seconds)
            own_shelf.clock.run_for(1000)
            gone += seconds + 1
            said = clocks.format_duration(60 * -(-(left - gone) // 60), site)
            assert own_shelf.locator("b").all_text_contents() == [f"{said} left", "as it was"], gone
        own_shelf.clock.fast_forward(1000 * (left - gone - 119))
        own_shelf.clock.run_for(1000)
        assert own_shelf.locator("b").all_text_contents() == ["1:58 left"] * 2
        assert own_shelf.evaluate("() => window.asked") > 3, "what rests meanwhile only the server knows"
        own_shelf.evaluate("() => { window.asked = 0; }")


def piece_of(site: texts.Texts) -> Any:
    """The texts of the site that scripts get."""
    page = (
        templates("atoll.server.http.pages").get_template("messages.html.jinja").render(t=site.text, PACES=(), nonce="")
    )
    return json.loads(page[page.index(">") + 1 : page.rindex("<")])


# Layouts, their key, its place and Shift; at the end the letter that the table hears.
KEYS_OF_LAYOUTS = [
    ("US", "u", "KeyU", False, "u"),
    ("US, Caps Lock", "U", "KeyU", False, "u"),
    ("US", "?", "Slash", True, "?"),
    ("US", "&", "Digit7", True, "&"),
    ("Russian", "г", "KeyU", False, "u"),
    ("Russian", "С", "KeyC", True, "c"),
    ("Russian", "б", "Comma", False, ","),
    ("Russian", "ю", "Period", False, "."),
    ("Russian", "?", "Digit7", True, "?"),
    ("Greek", "λ", "KeyL", False, "l"),
    ("Arabic", "؟", "Slash", True, "?"),
    ("Hebrew", "ת", "Comma", False, ","),
    ("French", "a", "KeyQ", False, "a"),
    ("French", ";", "Comma", False, ";"),
    ("French", "&", "Digit1", False, "1"),
    ("French", "1", "Digit1", True, "1"),
    ("Czech", "ě", "Digit2", False, "2"),
    ("Dvorak", "c", "KeyI", False, "c"),
    ("German", "ö", "Semicolon", False, "ö"),
    ("any", "ArrowLeft", "ArrowLeft", False, "ArrowLeft"),
    ("any", "Dead", "BracketLeft", False, "Dead"),
]


def test_a_key_says_the_same_on_every_layout(shelf: Page) -> None:
    heard = shelf.evaluate(
        """async (rows) => {
            const { keyOf } = await import("/static/js/keys.js");
            return rows.map(([, key, code, shiftKey]) => keyOf(new KeyboardEvent("keydown", { key, code, shiftKey })));
        }""",
        KEYS_OF_LAYOUTS,
    )
    assert heard == [said for *_, said in KEYS_OF_LAYOUTS]
