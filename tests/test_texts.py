"""The script that prints all texts for a reader leaves none out and prints none twice."""

from __future__ import annotations

import pytest

from atoll.engine.languages import LANGUAGES
from atoll.engine.translations import catalogue_keys
from scripts.texts import PACKAGES, report


@pytest.mark.parametrize("name", PACKAGES)
def test_each_text_is_printed_once_in_its_place(name: str) -> None:
    blocks = [block.strip("\n").split("\n") for block in report(name)]
    assert blocks[0][0].startswith("## ")
    printed = [block for block in blocks if not block[0].startswith(("## ", "components.toml."))]
    assert sorted(block[0] for block in printed) == sorted(catalogue_keys(PACKAGES[name], "en"))
    assert all({line[2:4] for line in block[1:] if line[2] != " "} == set(LANGUAGES) for block in printed)


def test_a_text_is_printed_with_examples_in_both_languages() -> None:
    lines = "\n".join(report("atacama"))
    assert "  en  Bea places a double rig on r1c2.\n  de  Bea setzt einen Doppelturm auf r1c2." in lines
    assert "  en  1 rig\n  en  3 rigs\n  de  1 Bohrturm\n  de  3 Bohrtürme" in lines
    assert "## lesson first, step ore: choose, at start; rings: role-0" in lines
    assert "\n  en  " not in "\n".join(report("starter", ["de"]))
