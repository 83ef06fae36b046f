"""German texts name each thing by the rulebook's word.

The words are in the section "Terms" of each RULES.md.
"""

import re
from importlib.resources import files
from pathlib import Path

import pytest

OTHERS = {
    "atacama": {
        "Bohrgerät": "Turm",
        "Zeile": "Reihe",
        "Spielplanteil": "Teilplan",
        "Konzession": "Schürfrecht",
        r"\bRechte?n?\b": "Schürfrecht",
        "Gruppe": "Lieferung",
    },
    "atlandice": {"Viertel": "Stadtteil", r"\bWare": "Ressource", "Bestandsaufnahme": "Inventur"},
    "atua": {"Auslage": "Reihe"},
    "raiatea": {
        "Gehilf": "Helfer",
        "Aufgabe": "Auftrag",
        "Tätowier": "Tattoo",
        "Preisstein": "Preismarker",
        "heuer": "anwerben",
        "umgedreht": "gedreht",
        "Beutel": "Opfersack",
        r"\bSammler\b": "Sammlerin",
        r"\bTaucher": "Perlentaucher",
        r"[Dd]ie Marae": "das Marae",
    },
    "wutaki": {
        "Stufe": "Ebene",
        "heuer": "anwerben",
        "Tafel": "Masterboard",
        "besondere[rnm]? Arbeiter": "Sonderarbeiter",
    },
}
"""What a thing is called in none of a game's texts, and its word."""


@pytest.mark.parametrize("game", OTHERS)
def test_a_thing_is_called_as_in_the_rulebook(game: str) -> None:
    text = files(f"atoll.games.{game}").joinpath("words", "de.po").read_text("utf-8")
    said = re.findall(r'^msgstr.*? "(.*)"$', text, re.MULTILINE)
    assert len(said) > 100
    for other, word in OTHERS[game].items():
        assert [each for each in said if re.search(other, each)] == [], f"the word is {word!r}"


POINTING = re.compile(
    r"\b(click|clicks|clicking|tap|taps|tapping|(an|ge)?klick\w*|(an|ge)?tipp(e|en|st|t))\b", re.IGNORECASE
)
"""Words for what one does with a mouse or with a finger alone. *Tipp* is German for a hint."""


def test_no_text_says_what_only_a_mouse_or_only_a_finger_does() -> None:
    """*Choose* and *Wähle* hold for a mouse, a finger and a keyboard."""
    root = Path(__file__).parents[2]
    found = [*(root / "src").rglob("*.po"), *(root / "examples").rglob("*.po")]
    assert len(found) >= 14
    said = [each for path in found for each in re.findall(r'^msgstr.*? "(.*)"$', path.read_text("utf-8"), re.MULTILINE)]
    assert len(said) > 5000
    assert [each for each in said if POINTING.search(each)] == []


@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize("game", OTHERS)
def test_what_a_lesson_or_the_coach_quotes_is_called_so_at_the_table(game: str, language: str) -> None:
    home = files(f"atoll.games.{game}")
    text = home.joinpath("words", f"{language}.po").read_text("utf-8")
    said = re.findall(r'^msgid "(.*)"\nmsgstr "(.*)"$', text, re.MULTILINE)
    taught = [words for key, words in said if re.match(rf"{game}\.(learn|coach)\.", key)]
    assert len(taught) > 10
    called = {words for key, words in said if words not in taught}
    called |= set(re.findall('"([^"]+)"', home.joinpath("components.toml").read_text("utf-8")))
    quoted = {each for words in taught for each in re.findall("[„“]([^„“”{}]+)[“”]", words)}
    assert quoted - called == set()
