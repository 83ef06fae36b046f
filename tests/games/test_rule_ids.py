"""Rules with an id name the texts that state them; a changed rule shows all of these."""

from __future__ import annotations

import hashlib
import importlib.resources
import re

import pytest

from atoll.engine import Game
from atoll.engine.languages import LANGUAGES
from atoll.engine.registry import games
from atoll.engine.rulebook import rulebook
from atoll.engine.words import catalogue_keys

HEADING = re.compile(r"^(#+) (?:([A-Z]{2}-\d+\.\d+) )?.*?(?: <a id=\"([^\"]+)\"></a>)?$", re.MULTILINE)


def sections(game: Game) -> dict[str, str]:
    """Return the sections of a game's RULES.md that have an id, each up to the next heading of its level."""
    text = importlib.resources.files(game.package).joinpath("RULES.md").read_text("utf-8")
    headings = list(HEADING.finditer(text))
    found: dict[str, str] = {}
    for at, heading in enumerate(headings):
        level, id, anchor = heading.groups()
        if id is not None:
            assert anchor == id.lower(), f"{id}: its anchor is {anchor!r}"
            assert id not in found, f"{id} stands twice"
            after = (next.start() for next in headings[at + 1 :] if len(next[1]) <= len(level))
            found[id] = text[heading.end() : next(after, len(text))]
    return found


def digest(section: str) -> str:
    """Return the digest of a section, whatever its line breaks."""
    return hashlib.sha256(" ".join(section.split()).encode()).hexdigest()[:12]


@pytest.mark.parametrize("id", games)
def test_each_rule_with_an_id_names_the_texts_that_state_it(id: str) -> None:
    game, stated = games[id], rulebook(games[id]).stated
    if not stated:
        return
    ids = [each.id for each in stated]
    assert len(ids) == len(set(ids)), "an id stands once in rules.toml"
    assert set(ids) <= set(sections(game)), "no such rule"
    for language in LANGUAGES:
        keys = {key.removeprefix(f"{id}.") for key in catalogue_keys(game.package, language)}
        assert {key for each in stated for key in each.texts} - keys == set(), "no such text"


@pytest.mark.parametrize("id", games)
def test_a_changed_rule_shows_every_text_that_states_it(id: str) -> None:
    found = sections(games[id]) if rulebook(games[id]).stated else {}
    for each in rulebook(games[id]).stated:
        now = digest(found[each.id])
        places = "".join(f"\n  {key}" for key in each.texts)
        assert each.read == now, f"{each.id} has changed; compare these texts with it, then set read = {now!r}:{places}"


@pytest.mark.parametrize("id", ["atacama", "atlandice", "atua", "raiatea", "wutaki"])
def test_each_variant_of_a_text_belongs_to_a_rule(id: str) -> None:
    named = {key for each in rulebook(games[id]).stated for key in each.texts}
    variants = {f"rule.{each.rule}.{each.id}" for each in rulebook(games[id]).variant}
    assert variants - named == set()
