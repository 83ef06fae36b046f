"""Rule ids.

Code, tests and texts name them, and a changed rule shows the texts that state it.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from atoll.engine import rulebook as rulebooks
from atoll.engine.languages import LANGUAGES
from atoll.engine.registry import games
from atoll.engine.rulebook import rulebook
from atoll.engine.translations import catalogue_keys
from scripts.rule_ids import BEGIN, CITED, END, PLACES, ROOT, Specification, citations, specification, with_table

READ = {".py", ".toml", ".md", ".js", ".css", ".jinja", ".po"}
"""Endings of the files of a game in which people read."""

RULES = """
## ZZ-1 Setup

### ZZ-1.1 Deal <a id="zz-1.1"></a>

Rulebook: none.

No code: everybody deals.

### ZZ-1.2 Turn: `dive {card}` <a id="zz-1.2"></a>

Rulebook: Zug.

#### Steps

## Rulings

| R1 | ZZ-1.1 | Who deals? | All. |
- R2. *Who begins?* Nobody.

**E1 An example.**
"""


OWN = [game for game, place in PLACES.items() if place.code.parent.name == "games"]
"""The games with a rules page and a German rulebook."""


def rules_of(game: str) -> Specification:
    return specification(PLACES[game].rules.read_text("utf-8"))


@pytest.mark.parametrize("game", PLACES)
def test_each_section_has_an_id_and_its_anchor(game: str) -> None:
    sections = rules_of(game).sections
    assert len({each.id for each in sections}) == len(sections) > 2
    for each in sections:
        assert each.id.startswith(PLACES[game].prefix + "-")
        assert each.anchor == each.id.lower()
        assert each.name


@pytest.mark.parametrize("game", OWN)
def test_each_section_names_the_heading_of_the_rulebook(game: str) -> None:
    assert [each.id for each in rules_of(game).sections if not each.text.lstrip().startswith("Rulebook: ")] == []


@pytest.mark.parametrize("game", PLACES)
def test_the_numbers_of_a_chapter_have_no_gaps(game: str) -> None:
    found: dict[str, set[int]] = {}
    for each in rules_of(game).sections:
        chapter, _, number = each.id.partition(".")
        found.setdefault(chapter, set()).add(int(number))
    assert set(found) == {f"{PLACES[game].prefix}-{number}" for number in range(1, len(found) + 1)}
    for chapter, numbers in found.items():
        assert numbers == set(range(1, len(numbers) + 1)), chapter


@pytest.mark.parametrize("game", PLACES)
def test_each_citation_names_an_id(game: str) -> None:
    place, known = PLACES[game], rules_of(game)
    ids = {each.id for each in known.sections} | known.chapters
    for path in [each for folder in (place.code, place.tests) for each in folder.rglob("*") if each.suffix in READ]:
        text = path.read_text("utf-8")
        assert {id.rstrip("abcdefghijklmnopqrstuvwxyz") for id in CITED.findall(text)} - ids == set(), path
    decisions = citations(place.code, tests=False).decisions | citations(place.tests, tests=True).decisions
    assert {each for each in decisions if each[0] not in known.decisions} == set()


def test_nothing_cites_a_heading_of_a_rulebook() -> None:
    folders = [ROOT / name for name in ("src", "tests", "examples", "docs", "scripts")]
    files = [path for folder in folders for path in folder.rglob("*") if path.suffix in READ]
    assert len(files) > 500
    assert [path for path in files if "\u00a7" in path.read_text("utf-8")] == []


@pytest.mark.parametrize("game", PLACES)
def test_each_rule_is_carried_out_and_tested(game: str) -> None:
    code, tests = citations(PLACES[game].code, tests=False).by_id, citations(PLACES[game].tests, tests=True).by_id
    sections = rules_of(game).sections
    assert [each.id for each in sections if each.id not in code and not each.no_code] == []
    assert [each.id for each in sections if each.id in code and each.no_code] == []
    assert [each.id for each in sections if each.id not in tests and not each.no_code] == []


@pytest.mark.parametrize("game", [game for game, place in PLACES.items() if place.readme])
def test_the_table_of_rules_in_the_readme_is_up_to_date(game: str) -> None:
    place = PLACES[game]
    assert place.readme is not None
    readme = place.readme.read_text("utf-8")
    assert readme == with_table(readme, place), "make docs"


def test_a_specification_is_read() -> None:
    found = specification(RULES)
    assert [(each.id, each.name, each.anchor, each.no_code) for each in found.sections] == [
        ("ZZ-1.1", "Deal", "zz-1.1", "everybody deals."),
        ("ZZ-1.2", "Turn: `dive {card}`", "zz-1.2", ""),
    ]
    assert found.sections[1].text.strip().endswith("#### Steps")
    assert found.chapters == {"ZZ-1"}
    assert found.decisions == {"R1", "R2", "E1"}


def test_citations_are_found_in_docstrings_and_comments(tmp_path: Path) -> None:
    (tmp_path / "rules.py").write_text(
        '"""Chapter ZZ-1."""\n\nBOARD = "R9"\n\n\nclass Game:\n    def deal(self) -> None:\n'
        '        """Deal. Rules ZZ-1.1 and ZZ-1.2b, ruling R1."""\n        return  # E1\n',
        "utf-8",
    )
    found = citations(tmp_path, tests=False)
    assert found.by_id == {"ZZ-1.1": [("rules.py", "Game.deal")], "ZZ-1.2": [("rules.py", "Game.deal")]}
    assert found.decisions == {("R1", "rules.py"), ("E1", "rules.py")}
    assert citations(tmp_path, tests=True).by_id == {}


def test_a_readme_without_a_place_for_the_table_is_refused() -> None:
    place = PLACES["atacama"]
    with pytest.raises(ValueError, match=r"README\.md has no place"):
        with_table("# Atacama\n", place)
    assert with_table(f"before\n{BEGIN}old\n{END}after\n", place).endswith(f"|\n\n{END}after\n")


# -- the texts that state a rule --------------------------------------------------------------------------------------


def digest(section: str) -> str:
    """Return the digest of a section, whatever its line breaks."""
    return hashlib.sha256(" ".join(section.split()).encode()).hexdigest()[:12]


@pytest.mark.parametrize("game", OWN)
def test_each_rule_names_the_texts_that_state_it(game: str) -> None:
    stated = [each.id for each in rulebook(games[game]).stated]
    ids = [each.id for each in rules_of(game).sections]
    assert stated == [each for each in ids if each in stated], "each once, in the order of RULES.md"
    for language in LANGUAGES:
        keys = {key.removeprefix(f"{game}.") for key in catalogue_keys(games[game].package, language)}
        assert {key for each in rulebook(games[game]).stated for key in each.texts} - keys == set(), "no such text"


@pytest.mark.parametrize("game", OWN)
def test_each_text_of_the_rules_page_states_a_rule(game: str) -> None:
    book = rulebook(games[game])
    named = {key for each in book.stated for key in each.texts}
    explained = [each for each in book.section if each.kind != "words"]
    texts = {f"rule.{rule}" for each in explained for rule, _ in each.rules()}
    texts |= {f"rule.{each.rule}.{each.id}" for each in book.variant}
    assert texts - named == set()


@pytest.mark.parametrize("game", OWN)
def test_a_changed_rule_shows_every_text_that_states_it(game: str) -> None:
    found = {each.id: each.text for each in rules_of(game).sections}
    for each in rulebook(games[game]).stated:
        now = digest(found[each.id])
        places = "".join(f"\n  {key}" for key in each.texts)
        assert each.read == now, f"{each.id} has changed; compare these texts with it, then set read = {now!r}:{places}"


@pytest.mark.parametrize("id", ["AC3.2", "AC-3", "ac-3.2", "AC-3.02", "AC-3.2b"])
def test_a_malformed_id_is_refused_with_the_file(id: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = f"ruled_{id.encode().hex()}"
    (tmp_path / package).mkdir()
    (tmp_path / package / "__init__.py").touch()
    text = (PLACES["atacama"].code / "rules.toml").read_text("utf-8")
    (tmp_path / package / "rules.toml").write_text(text.replace('id = "AC-3.2"', f'id = "{id}"'), "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(ValueError, match=f"rules.toml of {package}: {id!r} isn't the id of a rule"):
        rulebooks._read(package)
