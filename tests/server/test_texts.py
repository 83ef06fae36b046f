"""The site's own texts: complete in both languages, none missing, none left over."""

import re
from importlib.resources import files
from pathlib import Path

import pytest

import atoll
from atoll.bots import level_names
from atoll.engine.languages import LANGUAGES
from atoll.engine.translations import catalogue, catalogue_keys
from atoll.server.presentation import texts

SERVER = Path(str(files("atoll.server")))
TEMPLATES = "\n".join(path.read_text("utf-8") for path in SERVER.rglob("*.jinja"))
CODE = "\n".join(path.read_text("utf-8") for path in SERVER.rglob("*.py"))


def test_both_languages_have_the_same_texts() -> None:
    english, german = (catalogue_keys(texts.PACKAGE, language) for language in LANGUAGES)
    assert english == german


def test_every_text_that_a_page_names_is_there() -> None:
    named = set(re.findall(r'\bt\("([\w.]+)"[,)]', TEMPLATES))
    named |= set(re.findall(r'texts\.text\("([\w.]+)"[,)]', CODE))
    assert len(named) > 120
    assert named <= catalogue_keys(texts.PACKAGE, "en")


def test_every_refusal_has_its_sentence() -> None:
    codes = set(re.findall(r'Refused\(\s*"(\w+)"', CODE))
    codes |= {code for line in re.findall(r"code = \{(.*?)\}\.get", CODE) for code in re.findall(r': "(\w+)"', line)}
    assert len(codes) > 30
    assert {f"refused.{code}" for code in codes} <= catalogue_keys(texts.PACKAGE, "en")


def test_every_event_of_a_table_has_its_line() -> None:
    logged = set(re.findall(r'\.log_event\(\s*"(\w+)"', CODE))
    reasons = set(re.findall(r'replace_with_bot\([^"]*"(\w+)"', CODE))
    assert len(logged) > 10
    assert "resigned" in reasons
    keys = logged | reasons
    assert {f"table.log.{key}" for key in keys} <= catalogue_keys(texts.PACKAGE, "en")


def test_every_level_of_a_bot_has_a_name() -> None:
    levels = {name for game in atoll.games.values() for name in level_names(game)}
    assert {f"level.{name}" for name in levels} <= catalogue_keys(texts.PACKAGE, "en")


def forms_in(language: str, key: str) -> list[str]:
    """Return the forms of numbers that a text asks for."""
    return re.findall(r"\{\w+:(\w+)\}", catalogue(texts.PACKAGE, language).gettext(key))


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_is_left_over(language: str) -> None:
    """Texts that nothing names, not even by the beginning of their key, are unused."""
    text = TEMPLATES + CODE
    begun = {prefix for prefix in re.findall(r'"([a-z_.]+\.)"? ?[~{]', text) if prefix}
    whole = set(re.findall(r'"([\w]+\.[\w.]+)"', text)) | set(re.findall(r'\bt\("(\w+)"\)', TEMPLATES))
    forms = {form for key in catalogue_keys(texts.PACKAGE, language) for form in forms_in(language, key)}
    begun |= {f"form.number.{form}" for form in forms}
    left = {
        key
        for key in catalogue_keys(texts.PACKAGE, language)
        if key not in whole and not any(key.startswith(prefix) for prefix in begun)
    }
    assert not left
    assert texts.site(language).has("start.title")
