"""The documentation site: generated pages, links, and published files."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from pathlib import Path

import pytest

from scripts.docs import api, docstrings, http_api, link_check, publish, rules, sources

KNOWN = {
    "CONTRIBUTING.md": "contributing.md",
    "docs/study/howto-lab.md": "study/howto-lab.md",
    "docs/play/howto-deploy.md": "play/howto-deploy.md",
    "src/atoll/games/atua/README.md": "study/games/atua.md",
    "src/atoll/games/atua/RULES.md": "study/games/atua-rules.md",
}


@pytest.mark.parametrize(
    ("origin", "text", "expected"),
    [
        ("CONTRIBUTING.md", "[lab](docs/study/howto-lab.md#ladders)", "[lab](study/howto-lab.md#ladders)"),
        ("docs/study/howto-lab.md", "[to](../play/howto-deploy.md)", "[to](../play/howto-deploy.md)"),
        ("docs/study/howto-lab.md", "[to](../../CONTRIBUTING.md)", "[to](../contributing.md)"),
        ("docs/study/howto-lab.md", "[`MIT`](../../LICENSE)", "`MIT` (`LICENSE`)"),
        ("docs/study/howto-lab.md", "[LICENSE](../../LICENSE)", "`LICENSE`"),
        ("src/atoll/games/atua/README.md", "[AU-1.1](RULES.md#au-1.1)", "[AU-1.1](#au-1.1)"),
        ("src/atoll/games/atua/README.md", "[rules](RULES.md)", "[rules](atua-rules.md)"),
        ("CONTRIBUTING.md", "[site](https://example.org) and [above](#above)", None),
        ("CONTRIBUTING.md", "```md\n[lab](docs/study/howto-lab.md)\n```\n", None),
    ],
)
def test_links_fit_the_site(origin: str, text: str, expected: str | None) -> None:
    assert sources.relink(text, origin, KNOWN) == (text if expected is None else expected)


def test_headings_and_rulings_of_rules_can_be_linked() -> None:
    text = rules.with_targets('## AU-1 Setup <a id="au-1"></a>\n\n- **R1** <a id="au-r1"></a> Who?\n')
    assert text == "(au-1)=\n## AU-1 Setup\n\n- [**R1**]{#au-r1} Who?\n"


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["See `Position` and `n - 1`."], ["See :py:obj:`Position` and ``n - 1``."]),
        (["`None`, `seat`"], ["``None``, ``seat``"]),
        (["Use:", "```python", "x = 1", "", "y", "```", "End."], None),
    ],
)
def test_docstrings_become_restructured_text(lines: Sequence[str], expected: list[str] | None) -> None:
    code = ["Use:", "", ".. code-block:: python", "", "   x = 1", "", "   y", "", "End."]
    assert docstrings.converted(list(lines)) == (expected or code)


def test_all_public_modules_have_a_page() -> None:
    """The modules exist, and a public module documents each name that a public package exports."""
    for name in api.modules():
        importlib.import_module(name)
    for package in api.PUBLIC:
        api.exports(package)
    assert {f"develop/reference-api/{name}.rst" for name in ("index", *api.modules())} <= sources.generated().keys()
    if (publish.TARGET / "index.html").exists():
        built = {path.stem for path in (publish.TARGET / "develop" / "reference-api").glob("*.html")}
        assert built == set(api.pages())


def test_an_export_without_a_page_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(api.PUBLIC, "atoll.lessons", ("coach", "lesson", "puzzle", "session"))
    with pytest.raises(LookupError, match=r"atoll\.lessons\.check"):
        api.exports("atoll.lessons")


def test_reference_pages_name_everything() -> None:
    pages = sources.generated()
    assert "`--vacation-days`, `ATOLL_VACATION_DAYS`" in pages["play/reference-settings.md"]()
    assert "## atoll tournament" in pages["study/reference-cli.md"]()
    assert "atacama_v1" in pages["study/reference-observations.md"]()
    described = http_api.page()
    assert "`POST /tables`" in described and "(schema-problem)=" in described
    assert "](../../../README.md" not in pages["study/games/atua.md"]()


def test_pages_load_their_inline_scripts_from_files() -> None:
    scripts: dict[str, str] = {}
    page = '<script>one()</script><script src="a.js"></script><script data-x="1">two()</script>'
    moved = publish.without_inline_scripts(page, "../", scripts)
    assert sorted(scripts.values()) == ["one()", "two()"]
    assert all(f'src="../_static/{name}"></script>' in moved for name in scripts)
    assert "()" not in moved and '<script src="a.js"></script>' in moved


def test_broken_links_are_found(tmp_path: Path) -> None:
    (tmp_path / "study").mkdir()
    (tmp_path / "index.html").write_text('<a href="study/lab.html#runs">x</a><a href="https://example.org">y</a>')
    (tmp_path / "study" / "lab.html").write_text(
        '<h2 id="runs"></h2><a href="../index.html">x</a><a href="#no">y</a><img src="no.png"><a href="../../out">z</a>'
    )
    assert link_check.broken_links(tmp_path) == [
        "study/lab.html: #no",
        "study/lab.html: no.png",
        "study/lab.html: ../../out",
    ]


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ('<h1>atoll.engine<a class="headerlink" href="#module-atoll.engine">#</a></h1>', None),
        ("<h2><code>set_laws</code> of 3.11, at last.</h2>", "<h2><code>set_<wbr>laws</code> of 3.11, at last.</h2>"),
        ("<td><p><code>test_a_b</code></p></td>", "<td><p><code>test_<wbr>a_<wbr>b</code></p></td>"),
        ("<p>atoll.engine</p>", "<p>atoll.engine</p>"),
    ],
)
def test_names_in_headings_and_tables_break_between_their_parts(page: str, expected: str | None) -> None:
    whole = '<h1>atoll.<wbr>engine<a class="headerlink" href="#module-atoll.engine">#</a></h1>'
    assert publish.with_breaks_in_names(page) == (expected or whole)
