"""Data that pages send to their scripts has the types against which scripts are checked (sent.d.ts)."""

import itertools
import json
import random
import re
from importlib.resources import files
from types import NoneType
from typing import Any

import pytest

from atoll.server.domain.model import NewTable, SeatPlan
from atoll.testing.shares import give_shares

from .conftest import Site

TYPES = files("atoll.server.http.pages").joinpath("static/js/sent.d.ts").read_text("utf-8")
SIMPLE: dict[str, type] = {"string": str, "number": int, "boolean": bool, "null": NoneType}
SHAPES = {
    name: dict(re.findall(r"^  (\w+): (.*);$", body, re.MULTILINE))
    for name, body in re.findall(r"^export interface (\w+) \{\n(.*?)^\}", TYPES, re.MULTILINE | re.DOTALL)
}
TUPLES = {
    name: [part.partition(": ")[2] for part in body.split(", ")]
    for name, body in re.findall(r"^export type (\w+) = \[(.*)\];$", TYPES, re.MULTILINE)
}
NAMED = dict(re.findall(r"^export type (\w+) = ([^\[\n]+);$", TYPES, re.MULTILINE))


def misfits(value: Any, kind: str, where: str) -> list[str]:
    """Return the places at which a value doesn't have its type."""
    kind = NAMED.get(kind, kind)
    if " | " in kind:
        tried = [misfits(value, each, where) for each in kind.split(" | ")]
        return [] if [] in tried else min(tried, key=len)
    if kind.endswith("[]") and isinstance(value, list):
        return [bad for i, each in enumerate(value) for bad in misfits(each, kind[:-2], f"{where}[{i}]")]
    if (named := re.fullmatch(r"Record<string, (\w+)>", kind)) and isinstance(value, dict):
        return [bad for key, each in value.items() for bad in misfits(each, named[1], f"{where}.{key}")]
    if kind in TUPLES and isinstance(value, list) and len(value) == len(TUPLES[kind]):
        parts = zip(value, TUPLES[kind], strict=True)
        return [bad for i, (each, part) in enumerate(parts) for bad in misfits(each, part, f"{where}[{i}]")]
    if kind in SHAPES and isinstance(value, dict) and value.keys() == SHAPES[kind].keys():
        return [bad for key, part in SHAPES[kind].items() for bad in misfits(value[key], part, f"{where}.{key}")]
    return [] if kind in SIMPLE and type(value) is SIMPLE[kind] else [f"{where}: {value!r} is no {kind}"]


def embedded(page: str, id: str) -> Any:
    """Return the data of a page for its scripts."""
    found = re.search(rf'<script type="application/json" id="{id}"[^>]*>(.*?)</script>', page)
    assert found is not None, id
    return json.loads(found[1])


@pytest.mark.parametrize("game", ["toy", "atacama"])
def test_all_that_a_game_sends_to_scripts_is_typed(site: Site, game: str) -> None:
    ada, bob, guest = site.browser("Ada"), site.browser("Bob"), site.browser()
    table = site.call(site.tables.table_setup.create, ada.user, NewTable(game, (SeatPlan("me"), SeatPlan("open"))))
    seen: list[tuple[Any, str]] = []

    def look() -> None:
        for person in (ada, bob, guest):
            page = person.get(f"/t/{table}").text
            seen.append((embedded(page, "page-data"), "PageData"))
            seen.append((embedded(page, "page-messages"), "Messages"))
        seen.append((embedded(ada.get(f"/t/{table}/fairness").text, "page-proof"), "ChanceProof"))

    look()
    site.call(site.tables.table_setup.join, bob.user, table)
    look()
    site.call(give_shares, site.tables, table)
    rng = random.Random(1)
    for step in itertools.count():
        views = [(person, site.call(site.tables.table_views.table, person.user, table)) for person in (ada, bob)]
        if views[0][1].status == "over":
            break
        person, view = next(each for each in views if each[1].turn and each[1].turn.legal)
        choice = rng.choice(view.turn.legal)
        if step % 15 == 0:
            look()
            seen.append((person.get(f"/t/{table}/preview?seat={view.seat}&choices={choice}").json(), "Ahead"))
        site.call(site.tables.turns.choose, person.user, table, view.seat, [choice], view.turn.stamp, confirm=True)
    look()
    assert {kind for _, kind in seen} == {"PageData", "Messages", "ChanceProof", "Ahead"}
    assert not [bad for value, kind in seen for bad in misfits(value, kind, kind)]
    data = [value for value, kind in seen if kind == "PageData"]
    assert any(each["question"] for each in data)
    assert any(each["over"] for each in data)
    assert seen[-1][0]["fairness"]["draws"]


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (True, "number"),
        ("1", "number"),
        (None, "string"),
        ([1, "a"], "number[]"),
        ([1, "a", "b"], "LegalRow"),
        ({"a": 1}, "Record<string, string>"),
    ],
)
def test_a_misfit_is_found(value: object, kind: str) -> None:
    assert misfits(value, kind, "value")
