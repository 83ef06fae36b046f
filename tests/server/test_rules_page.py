"""The rules page: for a table, searched, in parts for a table in play, with its pictures."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from .conftest import Site

FRAGMENT = {"x-fragments": ""}


def sections(page: str) -> dict[str, bool]:
    """The sections by id, and whether they are folded."""
    return {
        id: tag == "details"
        for tag, id in re.findall(r'<(section|details) class="rules-section[^>]* id="section-(\w+)"', page)
    }


def test_all_is_open_as_long_as_nothing_is_asked(site: Site) -> None:
    shown = sections(site.browser().get("/rules/atacama").text)
    assert len(shown) > 8
    assert not any(shown.values())


def test_what_is_not_in_play_at_a_table_is_folded(site: Site) -> None:
    page = site.browser().get("/rules/atacama?seats=2&setup=basic&tactic=true").text
    assert {id for id, folded in sections(page).items() if folded} == {"enhanced"}
    assert 'id="four" class="rules-text away"' in page
    page = site.browser().get("/rules/atacama?seats=4").text
    assert not any(sections(page).values()), "options that weren't asked for stay open"
    assert 'id="four" class="rules-text"' in page


def test_numbers_are_those_of_the_table(site: Site) -> None:
    two, four = (site.browser().get(f"/rules/atacama?seats={seats}").text for seats in (2, 4))
    assert "takes 14 rigs from the box" in two
    assert "takes 7 rigs from the box" in four


@pytest.mark.parametrize(
    "query",
    ["seats=3", "seats=x", "seats=99999999999999", "tactic=perhaps", "setup=", "weather=1", "seats=4&setup=enhanced"],
)
def test_what_does_not_exist_is_left_out(site: Site, query: str) -> None:
    answer = site.browser().get(f"/rules/atacama?{query}")
    assert answer.status_code == 200
    assert not any(sections(answer.text).values())


def test_search_finds_texts_titles_first(site: Site) -> None:
    browser = site.browser()
    found = sections(browser.get("/rules/atacama?q=BLOCKED").text)
    assert next(iter(found)) in ("turn", "words"), "their titles say it"
    assert "goal" not in found
    found = sections(browser.get("/rules/atacama?q=turquoise concession").text)
    assert {"box", "roles", "scoring"} <= set(found), "pieces and tables are searched, too"
    assert sections(browser.get("/rules/atacama?q=xyzzy").text) == {}
    assert len(sections(browser.get("/rules/atacama?q=%20").text)) > 8
    assert sections(browser.get("/rules/atacama?q=" + "x" * 5000).text) == {}
    assert "<script>" not in browser.get("/rules/atacama?q=<script>").text.split("rules-count")[1][:200]


def test_scripts_get_what_was_found_and_nothing_around(site: Site) -> None:
    answer = site.browser().get("/rules/atacama?q=pass", headers=FRAGMENT)
    assert "<html" not in answer.text
    assert sections(answer.text)


def test_the_section_of_a_rule_is_read_in_place(site: Site) -> None:
    browser = site.browser()
    part = browser.get("/rules/atacama?seats=2&rule=line", headers=FRAGMENT).text
    assert 'id="rule-line"' in part
    assert "<table" in part
    assert "scoring.svg" in part
    assert 'id="turn"' not in part
    assert browser.get("/rules/atacama?rule=nothing", headers=FRAGMENT).status_code == 404


def test_the_table_links_to_its_own_rules(site: Site) -> None:
    ada = site.browser("Ada")
    made = ada.post("/play", {"game": "atacama", "key": "k"})
    page = ada.get(made.headers["location"]).text
    assert re.search(r'href="/rules/atacama\?seats=2&amp;setup=basic&amp;tactic=false', page)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", ["table", "scoring"])
def test_pictures_are_svg_in_both_themes(site: Site, name: str, theme: str) -> None:
    answer = site.browser().get(f"/rules/atacama/{name}.svg?seats=2&language=de&theme={theme}")
    assert answer.headers["content-type"].startswith("image/svg+xml")
    ElementTree.fromstring(answer.text)  # noqa: S314 - ours


def test_pictures_that_are_not_there(site: Site) -> None:
    browser = site.browser()
    assert browser.get("/rules/atacama/nothing.svg").status_code == 404
    assert browser.get("/rules/nothing/table.svg").status_code == 404
    assert browser.get("/rules/nothing").status_code == 404
    assert browser.get("/rules/atacama/table.svg?language=xx&theme=pink&seats=7").status_code == 200


def test_every_page_of_games_tells_what_they_are_like(site: Site) -> None:
    browser = site.browser()
    for path in ("/", "/new?game=atacama", "/rules/atacama"):
        page = browser.get(path).text
        assert "Every rig counts for both." in page
        assert "20 minutes" in page
        assert "14 decisions" in page


def test_the_api_gives_the_same(site: Site) -> None:
    games = {each["id"]: each for each in site.program("Bo").ask("GET", "/games").json()}
    assert games["atacama"]["goal"]["de"].startswith("Setze Bohrtürme")
    assert (games["atacama"]["minutes"], games["atacama"]["weight"]) == ([20, 20], 1)
    assert games["toy"]["first"] == {"seats": 2, "options": {}}


def test_readers_get_the_same_rules_each_in_their_own_way(site: Site) -> None:
    """Parts cached for the next reader don't contain another reader's language, colors or table."""
    asked = [
        (cookie, query)
        for cookie in ("en.auto", "en.dark", "de.auto", "de.dark")
        for query in ("", "?seats=2&setup=basic", "?seats=4", "?setup=basic")
    ]
    seen: dict[tuple[str, str], str] = {}
    for cookie, query in [*asked, *asked]:
        headers = {"cookie": f"{site.cookie('preferences')}={cookie}"}
        page = site.browser().get(f"/rules/atacama{query}", headers=headers).text
        body = page[page.index('id="rules-found"') : page.index("rules-origin")]
        assert seen.setdefault((cookie, query), body) == body
    assert len(set(seen.values())) == len(asked)
