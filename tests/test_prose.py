"""The counter of prose finds each thing that it counts, and compares with limits."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scripts.prose_counts import ROOT, ProseCounter, main, over_limit

CODE = '''"""What a module is."""


def lone(a, b, c):
    """Return it. a: the first; b: the second. Raises ValueError for others."""


def bare():
    pass


class Thing:
    """See Other."""


def long():
    """Return %s."""


# How it is done.
def cited():
    """Return it. Rulebook \N{SECTION SIGN} 3."""
'''
PAGE = f"""What is told?
Whoever reads this {"word " * 40}finds a long line.

| {"cell " * 40} |

```text
{"code " * 60}
```
"""
SCRIPT = """// Whether it counts: `//` isn't the end.
const text = "// How"; // How it is stored.
/**
 * What it does, and
 * What it returns.
 * @param {string} text What is read
 */
/** Return why. */
"""
STYLE = "/* Where it lies. */\n.a { color: red; } /* the area */\n"
TEMPLATE = "{# Who sees it. #}<p>{# Its text. #}</p>\n"
CATALOG = 'msgid "told"\nmsgstr "Whoever shall come"\n'

EXPECTED = {
    "blacklist": 3,
    "docs_line_over_100": 1,
    "docs_line_over_120": 1,
    "headless_comment": 7,
    "headless_docstring": 1,
    "headless_docstring_src": 1,
    "headless_sentence_docs": 1,
    "one_liner_over_100": 1,
    "parameters_inline": 1,
    "public_3_params_without_args": 1,
    "public_without_docstring": 1,
    "raises_inline": 1,
    "section_sign": 1,
    "see_only_docstring": 1,
    "sentence_over_35_words": 1,
    "table_cell_over_160": 1,
    "ui_blacklist": 2,
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    folder = tmp_path / "src" / "atoll" / "games" / "pearls"
    (folder / "words").mkdir(parents=True)
    (folder / "rules.py").write_text(CODE % ("long " * 25), "utf-8")
    (folder / "table.js").write_text(SCRIPT, "utf-8")
    (folder / "table.css").write_text(STYLE, "utf-8")
    (folder / "picture.svg.jinja").write_text(TEMPLATE, "utf-8")
    (folder / "vendor").mkdir()
    (folder / "vendor" / "other.js").write_text(SCRIPT, "utf-8")
    (folder / "words" / "en.po").write_text(CATALOG, "utf-8")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "page.md").write_text(PAGE, "utf-8")
    return tmp_path


def test_everything_is_counted(tree: Path) -> None:
    counter = ProseCounter(tree)
    counter.scan()
    assert counter.counts() == EXPECTED
    assert [str(hit).removeprefix("src/atoll/games/pearls/") for hit in counter.hits["headless_comment"]] == [
        "rules.py:20: How it is done.",
        "picture.svg.jinja:1: Who sees it.",
        "table.css:1: Where it lies.",
        "table.js:1: Whether it counts: `//` isn't the end.",
        "table.js:2: How it is stored.",
        "table.js:4: What it does, and",
        "table.js:5: What it returns.",
    ]


def test_counts_above_their_limit_fail(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    limits = tree / "limits.json"
    limits.write_text(json.dumps(EXPECTED), "utf-8")
    assert main([str(tree), "--limit", str(limits)]) == 0
    limits.write_text(json.dumps(EXPECTED | {"ui_blacklist": 1}), "utf-8")
    assert main([str(tree), "--limit", str(limits)]) == 1
    assert "ui_blacklist: 2 places: expected at most 1" in capsys.readouterr().err


def test_a_count_without_a_limit_may_not_occur() -> None:
    assert over_limit({"new": 1}, {}) == ["new: 1 places: expected at most 0"]


def test_limits_name_counts_that_exist() -> None:
    limits = json.loads((ROOT / "scripts" / "prose_limits.json").read_text("utf-8"))
    assert limits.keys() <= EXPECTED.keys()
