"""No name of a template hides one that all templates have, and each name that a template uses is known there.

Filters and tests have namespaces of their own, so that no variable can hide one.
"""

from collections.abc import Iterable, Iterator
from dataclasses import fields
from pathlib import Path

import pytest
from jinja2 import Environment, meta, nodes
from jinja2.defaults import DEFAULT_NAMESPACE

from atoll.picture.svg_macros import SvgMacros
from atoll.server.http.pages import context
from atoll.server.http.pages.table_page import TablePage
from atoll.server.presentation import pictures

ROOT = Path(__file__).parents[1]
PAGES = ROOT / "src/atoll/server/http/pages/templates"
FILES = sorted(path for folder in ("src", "examples") for path in (ROOT / folder).rglob("*.jinja"))

SPECIAL = frozenset({"loop", "caller", "self", "super", "varargs", "kwargs"})
"""Names that Jinja itself sets inside of a template."""


def _environment(path: Path) -> Environment:
    """Return the environment that a template is read in."""
    if path.parent == PAGES:
        return context._TEMPLATES
    if path.name.startswith("picture."):
        return SvgMacros("atoll.games.atacama")._environment
    return Environment(autoescape=True)


def _bound(tree: nodes.Template) -> Iterator[tuple[int, str]]:
    """Yield each name that a template sets, with its line."""
    for node in tree.find_all((nodes.Name, nodes.NSRef, nodes.Macro, nodes.Import, nodes.FromImport)):
        if isinstance(node, nodes.Name):
            if node.ctx != "load":
                yield node.lineno, node.name
        elif isinstance(node, nodes.Macro):
            yield node.lineno, node.name
        elif isinstance(node, nodes.Import):
            yield node.lineno, node.target
        elif isinstance(node, nodes.FromImport):
            for each in node.names:
                yield node.lineno, each if isinstance(each, str) else each[1]


def hiding(environment: Environment, source: str, more: Iterable[str] = ()) -> list[tuple[int, str]]:
    """Return each name that a template sets although all templates have it, with its line.

    Args:
        environment: The environment that the template is read in.
        source: The template.
        more: Names that the template is given and mustn't set either.
    """
    known = SPECIAL.union(environment.globals, more)
    return sorted({(line, name) for line, name in _bound(environment.parse(source)) if name in known})


def test_there_are_templates_of_each_kind() -> None:
    kinds = {path.parent for path in FILES}
    assert PAGES in kinds and ROOT / "src/atoll/lab" in kinds
    assert {ROOT / "src/atoll/games" / game for game in ("atacama", "raiatea", "wutaki")} < kinds
    assert {"moment", "seat_mark"} <= set(context._TEMPLATES.globals) > set(DEFAULT_NAMESPACE)


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_no_name_hides_a_global(path: Path) -> None:
    assert hiding(_environment(path), path.read_text()) == []


@pytest.mark.parametrize(
    "planted",
    [
        "{% set moment = 1 %}",
        "{% set moment %}text{% endset %}",
        "{% set first, moment = 1, 2 %}",
        "{% macro moment() %}{% endmacro %}",
        "{% macro told(moment) %}{% endmacro %}",
        "{% macro told(moment=1) %}{% endmacro %}",
        "{% for moment in (1, 2) %}{% endfor %}",
        "{% for each, moment in pairs %}{% endfor %}",
        "{% with moment = 1 %}{% endwith %}",
        '{% import "parts.html.jinja" as moment %}',
        '{% from "parts.html.jinja" import moment %}',
        '{% from "parts.html.jinja" import cup as moment %}',
        "{% call(moment) told() %}{% endcall %}",
        "{% if a %}{% for each in b %}{% block c %}{% set moment = 1 %}{% endblock %}{% endfor %}{% endif %}",
    ],
)
def test_a_planted_name_is_found(planted: str) -> None:
    assert hiding(context._TEMPLATES, "\n" + planted) == [(2, "moment")]
    assert hiding(context._TEMPLATES, planted.replace("moment", "momentum")) == []


def _reached(name: str) -> dict[str, nodes.Template]:
    """Return a template with those that it includes, by their names."""
    environment, found, left = context._TEMPLATES, dict[str, nodes.Template](), [name]
    while left:
        each = left.pop()
        if each not in found:
            found[each] = environment.parse((PAGES / each).read_text())
            left += [str(other) for other in meta.find_referenced_templates(found[each])]
    return found


def _unknown(name: str, known: set[str]) -> dict[str, set[str]]:
    """Return the names that a template and those that it includes use although nobody gives them."""
    trees = _reached(name)
    set_there = {found for tree in trees.values() for _, found in _bound(tree)}
    known = known | set_there | {"parts", *context._TEMPLATES.globals}
    used = {each: meta.find_undeclared_variables(tree) - known for each, tree in trees.items()}
    return {each: names for each, names in used.items() if names}


def _fields(*kinds: type) -> set[str]:
    return {field.name for kind in kinds for field in fields(kind)}


def test_the_templates_of_a_table_use_fields_of_its_page() -> None:
    known = _fields(context.PageContext, TablePage, pictures.TableRegions)
    assert _unknown("table_main.html.jinja", known) == {}
    assert _unknown("table.html.jinja", known | {"scripts", "symbols"}) == {"keys.html.jinja": {"keys"}}, (
        "has a default"
    )
    assert _unknown("table_main.html.jinja", known - {"overdue"}) == {"table_main.html.jinja": {"overdue"}}


def test_no_global_has_the_name_of_a_filter_or_a_test() -> None:
    for environment in (context._TEMPLATES, SvgMacros("atoll.games.atacama")._environment):
        assert not set(environment.globals) & {*environment.filters, *environment.tests}
