"""Every text of every game exists in every language, and nothing is in one catalogue only."""

import pytest

from atoll.engine.registry import games
from atoll.engine.words import LANGUAGES, Words, catalogue_keys


@pytest.mark.parametrize("game", games)
def test_catalogues_have_the_same_keys(game: str) -> None:
    english, german = (catalogue_keys(games[game].package, language) for language in ("en", "de"))
    assert english ^ german == set()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", games)
def test_options_and_kinds_have_texts(game: str, language: str) -> None:
    rules = games[game]
    words = Words(rules, language)
    wanted = {f"option.{option.id}" for option in rules.options}
    wanted |= {f"option.{option.id}.help" for option in rules.options}
    for option in rules.options:
        if option.describe()["type"] == "enum":
            wanted |= {f"option.{option.id}.{value}" for value in option.describe()["allowed"]}
    wanted |= {f"kind.{kind.name}" for kind in rules.vocabulary.kinds}
    assert {key for key in wanted if not words.has(f"{game}.{key}")} == set()
    assert words.title()
