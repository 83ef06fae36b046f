"""Texts of tiles, built from their effect data."""

import msgspec
import pytest

from atoll.engine.translations import GameMessages
from atoll.games.atlandice import GAME
from atoll.games.atlandice.effects import Steps
from atoll.games.atlandice.tile_texts import effect_text, tile_text

from .tables import TILES


@pytest.mark.parametrize(
    ("tile", "english", "german"),
    [
        (
            "jewelers_1",
            "Roll your die. On 1, 3 or 5 you may take 1 extra resource here.",
            "Würfle mit deinem Würfel. Bei 1, 3 oder 5 darfst du hier 1 zusätzliche Ressource nehmen.",
        ),
        (
            "jewelers_3",
            "Roll your die. On 6 roll again and search the rolled area with its effect.",
            "Würfle mit deinem Würfel. Bei 6 würfle erneut und durchsuche den gewürfelten Bereich samt Effekt.",
        ),
        (
            "library_2",
            "Move 1 resource from here to the black market.",
            "Lege 1 Ressource von hier auf den Schwarzmarkt.",
        ),
        (
            "inn_1",
            "Roll your die. On 1 to 4 the clock hand moves 1 space, without any clock effect.",
            "Würfle mit deinem Würfel. Bei 1 bis 4 rückt der Zeiger 1 Feld vor, ohne Uhreffekt.",
        ),
    ],
)
def test_tiles_in_words(tile: str, english: str, german: str) -> None:
    assert tile_text(GameMessages(GAME, "en"), TILES.index(tile)) == english
    assert tile_text(GameMessages(GAME, "de"), TILES.index(tile)) == german


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_effect_can_be_told_alone_and_behind_a_condition(language: str) -> None:
    words = GameMessages(GAME, language)
    simple = [
        *({"verb": "gain", "from": place} for place in ("here", "other_district", "black_market")),
        *(
            {"verb": "move", "from": source, "to": to}
            for source in ("here", "black_market")
            for to in ("other_district", "any_district", "black_market")
        ),
        {"verb": "swap", "a": "here", "b": "other_district"},
        {"verb": "advance_clock", "steps": 2},
        {"verb": "set_die"},
        {"verb": "move_submarine"},
        {"verb": "search_rolled"},
    ]
    nested: list[dict[str, object]] = [
        {"verb": "if_second_die", "then": [{"verb": "roll", "on": [1, 2], "then": [each]}]} for each in simple
    ]
    nested += [{"verb": "roll", "on": [3, 6], "then": [{"verb": "if_second_die", "then": [each]}]} for each in simple]
    texts = {effect_text(words, msgspec.convert([each], Steps)) for each in simple + nested}
    assert len(texts) == len(simple) + len(nested)
    assert all(text.endswith(".") and "{" not in text for text in texts)
