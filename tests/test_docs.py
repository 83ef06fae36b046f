"""The Python examples of README and docs run, page by page, with warnings as errors."""

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
