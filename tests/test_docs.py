"""Examples, links and named tests of README and docs.

The Python examples run page by page, with warnings as errors.
"""

from __future__ import annotations

import re
import warnings
from pathlib import Path

import pytest

from scripts.docs import sources

ROOT = Path(__file__).parent.parent
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#:]*)(?:#([^)]+))?\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
NAMED = re.compile(r"`([\w/]+\.py)`:|`(test_\w+)`")
"""The file of the tests that follow, or a test."""
GENERATED = {ROOT / "docs" / name for name in sources.generated()}


def examples(path: Path) -> list[str]:
    return BLOCK.findall(path.read_text("utf-8"))


# The guide's are files, written and used by tests/test_guide.py.
WITH_EXAMPLES = [page for page in PAGES if examples(page) and page.stem != "tutorial-add-a-game"]


@pytest.mark.parametrize("path", WITH_EXAMPLES, ids=lambda path: path.stem)
def test_examples_run(path: Path) -> None:
    scope: dict[str, object] = {"__name__": "example"}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", category=DeprecationWarning, module=r"(gymnasium|pettingzoo|open_spiel).*")
        for block in examples(path):
            exec(compile(block, str(path), "exec"), scope)  # noqa: S102 - our own pages


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings."""
    return {
        re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in HEADING.findall(page.read_text("utf-8"))
    }


def leads_somewhere(page: Path, link: str, anchor: str) -> bool:
    target = (page.parent / link).resolve() if link else page
    if target in GENERATED:
        return True
    return target.exists() and (not anchor or target.name == "RULES.md" or anchor in anchors(target))


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_links_lead_somewhere(path: Path) -> None:
    found = LINK.findall(path.read_text("utf-8"))
    assert [(link, anchor) for link, anchor in found if not leads_somewhere(path, link, anchor)] == []


def named_tests(text: str) -> list[tuple[str, str]]:
    """Return the tests that a text names, each with its file; "" where none is named before it."""
    found, file = [], ""
    for path, test in NAMED.findall(text):
        file = path or file
        if test:
            found.append((file, test))
    return found


def is_test(file: str, test: str) -> bool:
    """Return whether a test is in a file, or in any one if the file is ""."""
    name = file if file.startswith("tests/") else f"tests/server/{file}" if file else "tests/**/test_*.py"
    return any(f"def {test}(" in path.read_text("utf-8") for path in ROOT.glob(name))


@pytest.mark.parametrize("page", ["play/explanation-fair-chance.md", "develop/explanation-security.md"])
def test_pages_name_tests_that_exist(page: str) -> None:
    rows = [each for each in (ROOT / "docs" / page).read_text("utf-8").splitlines() if each.startswith("| ")]
    named = [pair for row in rows for pair in named_tests(row)]
    assert len(named) > 10 and [pair for pair in named if not is_test(*pair)] == []


def test_each_row_about_security_names_its_tests() -> None:
    rows = (ROOT / "docs/develop/explanation-security.md").read_text("utf-8").splitlines()
    cells = [row.strip("| ").split(" | ")[-1] for row in rows if row.startswith("| ")]
    rest = {re.sub(r"[,;]", "", NAMED.sub("", cell)).strip() for cell in cells}
    assert rest == {"test", "--", ""}, "a cell has files and tests only"
    found = [named_tests(cell) for cell in cells if cell not in ("test", "--")]
    assert len(found) > 100 and all(pairs and all(file for file, _ in pairs) for pairs in found)


def test_a_test_that_was_renamed_or_moved_is_found() -> None:
    here = "test_a_test_that_was_renamed_or_moved_is_found"
    assert named_tests(f"`tests/test_docs.py`: `{here}`, `test_b`; `test_c.py`: `test_d`") == [
        ("tests/test_docs.py", here),
        ("tests/test_docs.py", "test_b"),
        ("test_c.py", "test_d"),
    ]
    assert is_test("tests/test_docs.py", here) and not is_test("tests/test_docs.py", f"{here}_not")
    assert not is_test("test_guard.py", here) and not is_test("tests/test_nowhere.py", here)
