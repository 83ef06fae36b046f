"""Refused forms.

The field shows its error in the reader's language, and the form keeps the typed values.
"""

import re

import pytest

from .conftest import Browser, Site


@pytest.fixture
def ada(site: Site) -> Browser:
    return site.browser("Ada")


@pytest.mark.parametrize(
    ("path", "form", "field", "said"),
    [
        ("/settings", {"whole": "1", "name": "\u200b "}, "name", "1 to 24 visible characters"),
        ("/settings", {"whole": "1", "name": "A" * 40}, "name", "1 to 24 visible characters"),
        ("/settings/hours", {"zone": "Mars/Base", "first": "8", "last": "22"}, "zone", "time zone is unknown"),
        ("/settings/hours", {"zone": "Europe/Berlin", "first": "8", "last": "9"}, "last", "at least 8 hours"),
        ("/settings/notices", {"kind": "ntfy", "url": "ntfy.sh/topic"}, "url", "must begin with https://"),
        ("/settings/notices", {"kind": "ntfy", "url": "https://10.0.0.1/topic"}, "url", "aren’t allowed"),
        ("/settings/vacation", {"days": "many", "begin": ""}, "days", "isn’t a number"),
        ("/settings/vacation", {"days": "300", "begin": ""}, "days", "Vacation left this year: 28 days"),
        ("/settings/vacation", {"days": "3", "begin": "2026-02-31"}, "begin", "isn’t a date"),
    ],
)
def test_what_is_wrong_is_said_at_its_field_and_nothing_typed_is_lost(
    ada: Browser, path: str, form: dict[str, str], field: str, said: str
) -> None:
    answer = ada.post(path, form)
    assert answer.status_code in (409, 422)
    found = re.search(rf'<span class="wrong-here" id="wrong-{field}">([^<]*)<', answer.text)
    assert found is not None and said in found[1]
    named = re.search(rf'<(?:input|select)[^>]* name="{field}"[^>]*>', answer.text)
    assert named is not None and 'aria-invalid="true"' in named[0] and f"wrong-{field}" in named[0]
    if field != "last":
        assert f'value="{form[field][:60]}"' in named[0]
    assert ada.get("/settings").text.count("wrong-here") == 0


def test_a_name_that_is_refused_changes_nothing_else(ada: Browser) -> None:
    assert ada.post("/settings", {"whole": "1", "name": " ", "theme": "dark"}).status_code == 422
    assert 'data-theme="auto"' in ada.get("/settings").text


def test_what_was_taken_is_said(ada: Browser) -> None:
    answer = ada.post("/settings/hours", {"zone": "Europe/Berlin", "first": "8", "last": "22"})
    assert "✓ Saved." in ada.get(answer.headers["location"]).text
    assert "✓ Saved." not in ada.get("/settings").text


COMFORT = {"theme": "contrast-dark", "text_size": "130", "hand": "left"}
CHOSEN = 'data-theme="contrast-dark" data-text-size="130" data-hand="left"'


def test_theme_size_of_texts_and_hand_are_kept_with_and_without_a_name(site: Site, ada: Browser) -> None:
    for browser in (ada, site.browser()):
        assert browser.post("/settings", COMFORT).status_code == 303
        page = browser.get("/settings").text
        assert CHOSEN in page
        assert '<link rel="stylesheet" href="/static/contrast.css">' in page
        assert '<meta name="color-scheme" content="dark">' in page
        browser.post("/settings", {"language": "de"})  # nothing else changes
        assert CHOSEN in browser.get("/lobby").text


def test_unknown_comforts_are_the_usual_ones(ada: Browser) -> None:
    ada.post("/settings", {"theme": "pink", "text_size": "900", "hand": "third"})
    page = ada.get("/settings").text
    assert 'data-theme="auto" data-text-size="100" data-hand="right"' in page
    assert 'href="/static/contrast.css" media="(prefers-contrast: more)"' in page
