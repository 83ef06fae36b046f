"""Pictures of every game with a table: for every viewer and language, at any moment; well-formed, no id twice."""

from __future__ import annotations

import importlib
import importlib.util
import pickle
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import astuple
from importlib.resources import files
from itertools import combinations
from typing import Any
from xml.etree import ElementTree

import pytest
from jinja2 import UndefinedError
from markupsafe import Markup, escape

import atoll
from atoll.engine import Event, Game
from atoll.engine.words import Words, catalogue_keys
from atoll.picture import PAGE_CLASSES, Brush, Drawing, Fact, Region, compose, element, fragments, still, wrap
from atoll.picture.still import cover, flatten
from atoll.picture.table import TablePicture, drawn_anew, kept
from atoll.picture.templates import Templates
from atoll.server.domain.model import LogEntry
from atoll.server.presentation import texts
from atoll.server.presentation.pictures import named as named_by

DRAWN = [id for id in atoll.games if importlib.util.find_spec(f"{atoll.games[id].package}.picture")]
ID = re.compile(r'\bid="([^"]*)"')


def views(game: Game, seats: int, seed: int, every: int = 23) -> Iterator[tuple[int | None, dict[str, Any]]]:
    """Views of some moments of a random game, for spectators and seats."""
    chooser = random.Random(seed)
    options = chooser.choice(game.option_sets(seats))
    position = game.new(seats=seats, options=options, seed=seed)
    step = 0
    while True:
        if position.over or step % every == 0:
            for viewer in (None, *range(seats)):
                yield viewer, position.view(viewer)
        if position.over:
            return
        seat = chooser.choice(position.to_move)
        position.apply(chooser.choice(position.legal(seat)), seat)
        step += 1


@pytest.mark.parametrize("id", DRAWN)
def test_what_was_kept_of_other_views_is_what_would_be_drawn(id: str) -> None:
    """Views of two games in turn, for every viewer: each picture is the one that is drawn where nothing was kept."""
    game = atoll.games[id]
    picture = importlib.import_module(f"{game.package}.picture")
    seats = game.seat_counts[-1]
    words = Words(game, "en", [f"Seat {n}" for n in range(seats)])
    found = [
        view for pair in zip(*(views(game, seats, seed, every=15) for seed in (7, 8)), strict=False) for view in pair
    ]
    drawn = [picture.regions(game, view, words) for _, view in found]
    assert len({region for regions in drawn for region in regions}) < sum(map(len, drawn)), "nothing is kept"
    for (viewer, view), regions in zip(found, drawn, strict=True):
        drawn_anew()
        fragments.cache_clear()
        anew = picture.regions(game, view, words)
        assert [astuple(region) for region in regions] == [astuple(region) for region in anew], viewer


def all_below(kind: type[TablePicture]) -> Iterator[type[TablePicture]]:
    for below in kind.__subclasses__():
        yield below
        yield from all_below(below)


@pytest.mark.parametrize("id", DRAWN)
def test_no_area_of_a_table_takes_the_name_of_anothers_drawing(id: str) -> None:
    """A table is put together of classes that know nothing of each other."""
    picture = importlib.import_module(f"{atoll.games[id].package}.picture")
    for table in [each for each in all_below(TablePicture) if each.__module__ == picture.__name__]:
        areas = [each for each in table.__mro__ if each.__module__.startswith(f"{picture.__name__}.")]
        for one, other in combinations(areas, 2):
            if not issubclass(one, other):
                assert {name for name in vars(one) if name in vars(other) and not name.startswith("__")} == set()


class Drawn(TablePicture):
    """A picture that counts what it draws."""

    drawn = 0

    @kept
    def outer(self) -> str:
        return f"{self.inner()} {self.view['viewer']}"

    @kept
    def inner(self) -> str:
        Drawn.drawn += 1
        return f"{self.s['a']} {self.worked['double', 3]}"

    def _work_out(self, what: str, about: int) -> int:
        assert what == "double"
        return 2 * about * int(self.view["factor"])


def test_what_is_kept_is_drawn_anew_where_anything_that_it_read_is_different() -> None:
    game = atoll.games[DRAWN[0]]
    words = Words(game, "en")

    def picture(**values: Any) -> Drawn:
        view = {"viewer": 0, "factor": 1, "live": {}, "state": {"a": [1], "b": 2}}
        return Drawn(game, view | values, words)

    assert picture().outer() == picture(state={"a": [1], "b": 3}).outer() == "[1] 6 0"
    assert Drawn.drawn == 1
    assert picture(viewer=1).outer() == "[1] 6 1"
    assert Drawn.drawn == 1, "the inner one hasn't read who views"
    assert picture(state={"a": [2], "b": 2}).outer() == "[2] 6 0"
    assert picture(factor=2).outer() == "[1] 12 0"
    assert picture().outer() == "[1] 6 0"
    assert Drawn.drawn == 3


class Reads(TablePicture):
    """A picture that reads in one way, and counts how often."""

    drawn = 0

    @kept
    def read(self, way: Callable[[TablePicture], Any]) -> Any:
        Reads.drawn += 1
        try:
            return way(self)
        except IndexError:
            return "no entry"


READS: Any = {
    "an entry": (lambda t: t.s["a"][1], {0, 2, 3}),
    "the last entry": (lambda t: t.s["a"][-1], {0, 1}),
    "an entry within": (lambda t: t.s["a"][2][0], {0, 1}),
    "how many": (lambda t: len(t.s["a"]), {0, 1, 2}),
    "whether any": (lambda t: bool(t.s["a"]), {0, 1, 2}),
    "all": (lambda t: list(t.s["a"]), set()),
    "a slice": (lambda t: t.s["a"][:1], set()),
    "whether it has": (lambda t: 7 in t.s["a"], set()),
    "the same list": (lambda t: t.s["a"] == [7, 8, [9]], set()),
    "added": (lambda t: t.s["a"] + [1], set()),
    "added to": (lambda t: [1] + t.s["a"], set()),
    "as text": (lambda t: f"{t.s['a']}", set()),
    "given on": (lambda t: pickle.loads(pickle.dumps(t.s["a"])), set()),  # noqa: S301 - our own
    "count": (lambda t: t.s["a"].count(7), set()),
    "where": (lambda t: t.s["a"].index(7) if 7 in t.s["a"] else None, set()),
    "in turn": (lambda t: next(reversed(t.s["a"]), None), {0, 1}),
    "an entry that may be missing": (lambda t: t.s["a"][2] if len(t.s["a"]) > 2 else None, {0, 1}),
    "what isn't there": (lambda t: t.live.get("none"), {0, 1, 2, 3, 4}),
    "whether it is there": (lambda t: "none" in t.live, {0, 1, 2, 3, 4}),
}
CHANGES: Any = ([0, 8, [9]], [7, 0, [9]], [7, 8, [0]], [7, 8], [])


@pytest.mark.parametrize("name", READS)
def test_what_is_kept_is_drawn_anew_where_an_entry_that_it_read_is_different(name: str) -> None:
    """And only there: by way of reading, the changes that it doesn't notice."""
    way, unnoticed = READS[name]
    game = atoll.games[DRAWN[0]]
    words = Words(game, "en")

    def picture(a: list[Any]) -> Reads:
        return Reads(game, {"viewer": 0, "live": {}, "state": {"a": a}}, words)

    for number, change in enumerate(CHANGES):
        drawn_anew()
        picture([7, 8, [9]]).read(way)
        before = Reads.drawn
        found = picture(change).read(way)
        assert (Reads.drawn == before) == (number in unnoticed)
        drawn_anew()
        assert picture(change).read(way) == found


def test_a_picture_that_asks_only_whether_something_is_so_is_kept_where_it_stays_so() -> None:
    game = atoll.games[DRAWN[0]]
    words = Words(game, "en")
    way = lambda t: (t._is("viewer", 1), t._is("prompt", "place"), t._is("here", 3))  # noqa: E731

    def read(viewer: int | None, decision: Any, here: int) -> Any:
        return Reads(game, {"viewer": viewer, "decision": decision, "live": {}, "state": {"here": here}}, words).read(
            way
        )

    asked = {"prompt": "place", "options": [1]}
    drawn_anew()
    assert read(0, None, 2) == (False, False, False)
    before = Reads.drawn
    assert read(None, {"prompt": "take", "options": [1]}, 4) == (False, False, False)
    assert read(2, {"prompt": "place"}, 5) == (False, False, False), "another seat is asked"
    assert Reads.drawn == before
    assert read(1, None, 2) == (True, False, False)
    assert read(0, asked, 2) == (False, True, False)
    assert read(0, asked, 3) == (False, True, True)
    assert Reads.drawn == before + 3


class Halves(TablePicture):
    """A picture whose regions show less than what they read."""

    @kept
    def halves(self) -> list[Region]:
        return [self.half(), Region("other", "Other", "shared", [Drawing("o", 9, 9, escape(self.s["a"]))])]

    @kept
    def half(self) -> Region:
        return Region("half", "Half", "board", [Drawing("h", 9, 9, escape(self.s["a"] // 2))])


def test_a_region_that_looks_as_before_is_the_one_of_before() -> None:
    """So the page needn't be told of it: it stays in its place when another changes."""
    game = atoll.games[DRAWN[0]]
    words = Words(game, "en")

    def drawn(a: int) -> list[Region]:
        return Halves(game, {"viewer": 0, "live": {}, "state": {"a": a}}, words).halves()

    drawn_anew()
    half, other = drawn(4)
    again, changed = drawn(5)
    assert again is half, "5 // 2 is 4 // 2"
    assert changed is not other
    assert drawn(6)[0] is not half
    assert drawn(4) == [half, other]
    assert half != Region("half", "Half", "board", half.drawings), "a region is equal to itself alone"


@pytest.mark.parametrize("name", Region.__slots__)
def test_regions_that_differ_in_anything_do_not_look_alike(name: str) -> None:
    given: dict[str, Any] = {"id": "a", "title": "A", "role": "shared", "flow": "wrap"}
    fact = Fact("f", "F", "1")
    other = {
        "id": "b",
        "title": "B",
        "role": "board",
        "drawings": (Drawing("d", 1, 1, Markup()),),
        "facts": (fact,),
        "seat": 1,
        "flow": "fit",
        "opens": ("kind",),
    }[name]
    along = {"seat": {"role": "seat"}, "opens": {"role": "dialog"}}.get(name, {})
    one = Region(**given)
    assert one.looks_like(Region(**given))
    assert not one.looks_like(Region(**{**given, name: other, **along}))


class Safe:
    """Says itself how it stands in markup."""

    def __html__(self) -> str:
        return "<i>"


@pytest.mark.parametrize(
    ("template", "written"),
    [
        ("{{ a }}", "&lt;a&gt;"),
        ("{{ safe }}{{ own }}", "<b><i>"),
        ("{{ 1 }}{{ true }}{{ none }}{{ 1.5 }}", "1TrueNone1.5"),
        ("{{ things.items }}{{ things.get('a') }}{{ things.a }}", "mine&lt;a&gt;&lt;a&gt;"),
        (
            "{% macro m(x) %}<p>{{ x }}{{ caller() }}</p>{% endmacro %}{% call m(a) %}{{ a }}{% endcall %}",
            "<p>&lt;a&gt;&lt;a&gt;</p>",
        ),
        (
            "{% for x in [1, 2] %}{% macro m() %}{{ a }}{% endmacro %}{{ m() }}{{ loop.index }}{% endfor %}",
            "&lt;a&gt;1&lt;a&gt;2",
        ),
        ("{% filter upper %}{{ a }}{{ safe }}{% endfilter %}", "&LT;A&GT;<B>"),
        ("{% set x %}{{ a }}{% endset %}{{ x }}", "&lt;a&gt;"),
        ("{{ a ~ safe }}{{ [a, safe]|join('') }}", "&lt;a&gt;<b>&lt;a&gt;<b>"),
        ("{{ range(2)|list }}{{ dict(a=1)['a'] }}", "[0, 1]1"),
    ],
)
def test_templates_escape_what_isnt_safe(template: str, written: str) -> None:
    values = {"a": "<a>", "safe": Markup("<b>"), "own": Safe(), "things": {"items": "mine", "a": "<a>"}}
    assert Templates("atoll.server.http.pages").from_string(template).render(values) == written


@pytest.mark.parametrize("template", ["{{ no }}", "{{ a.no }}", "{{ things.no }}", "{{ no() }}"])
def test_templates_refuse_what_isnt_there(template: str) -> None:
    with pytest.raises(UndefinedError):
        Templates("atoll.server.http.pages").from_string(template).render(a="a", things={})


@pytest.mark.parametrize("id", ["atacama", "atlandice", "wutaki"])
def test_the_viewers_points_stand_in_its_row_beside_those_of_others(id: str) -> None:
    game = atoll.games[id]
    view = game.new(2, seed=1).view(0)
    found = importlib.import_module(f"{game.package}.picture").regions(game, view, Words(game, "en"))
    own, other = (next(region.facts[0] for region in found if region.seat == seat) for seat in (0, 1))
    assert (own.id, own.label) == (other.id.replace("1", "0") + "-again", other.label)
    assert not own.choice, "that is where one's goods are"


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("id", DRAWN)
def test_a_still_picture_needs_nothing_else(id: str, theme: str) -> None:
    game = atoll.games[id]
    words = Words(game, "en", [])
    for _, view in list(views(game, game.seat_counts[0], seed=1))[-3:]:
        picture = still(game, view, words, theme=theme)
        ElementTree.fromstring(picture)  # noqa: S314 - ours
        for foreign in ("var(", "light-dark(", "http://www.w3.org/1999", "@import"):
            assert foreign not in picture


@pytest.mark.parametrize("id", DRAWN)
def test_every_game_has_an_emblem_and_a_cover_that_needs_nothing_else(id: str) -> None:
    emblem: Drawing = importlib.import_module(f"{atoll.games[id].package}.picture").emblem()
    assert (emblem.width, emblem.height) == (320, 200)
    drawn = ElementTree.fromstring(cover(atoll.games[id]))  # noqa: S314 - ours
    assert drawn.get("viewBox") == "0 0 320 200"
    shapes = "{http://www.w3.org/2000/svg}"
    ids = {each.get("id") for each in drawn.iter()}
    assert {use.get("href", "")[1:] for use in drawn.iter(f"{shapes}use")} <= ids


def test_an_unknown_theme_or_role_is_refused() -> None:
    with pytest.raises(ValueError, match="allowed are light, dark"):
        compose([], Markup(""), "", css_class="x", theme="pink")
    with pytest.raises(ValueError, match="role 'bord'"):
        Region("a", "A", "bord")
    with pytest.raises(ValueError, match="names its seat"):
        Region("a", "A", "seat")
    with pytest.raises(ValueError, match="kinds that open it"):
        Region("a", "A", "dialog")


def test_flattening_takes_the_theme_and_the_last_value() -> None:
    css = ".a { --x: light-dark(#fff, #000); --y: var(--x); } .b { --x: light-dark(#eee, #111); fill: var(--y); }"
    assert "fill: #eee" in flatten(css, "light")
    assert "fill: #111" in flatten(css, "dark")
    assert "--" not in flatten(css, "dark")


def test_what_an_element_is_called_is_escaped() -> None:
    attributes = element('a"b', "<x>", choice="place r1c1 *", value=-3)
    assert attributes == (
        'id="a&#34;b" class="element" role="img" aria-label="&lt;x&gt;" data-choice="place r1c1 *" data-value="-3"'
    )


def test_a_class_that_the_page_gives_is_no_game_s_own() -> None:
    with pytest.raises(ValueError, match="'lit' is given by the page; allowed are all but advised, arriving"):
        element("price-1", "Price", css="price lit")
    folder = files("atoll.server.http.pages") / "static" / "js"
    modules = [each for each in folder.iterdir() if each.name.endswith(".js")]
    assert element("price-1", "Price", css="price reached").startswith(
        'id="price-1" class="element price reached" role="img" aria-label="Price"'
    )
    said = r'(?:element|node|copy|child|found|root)\.classList\.(?:add|toggle|remove)\("([\w-]+)"'
    given = {name for module in modules for name in re.findall(said, module.read_text("utf-8"))}
    assert {"lit", "spot", "since", "legal"} <= given <= PAGE_CLASSES | {"choosing", "previewing", "beyond"}


def test_long_texts_are_broken_into_lines() -> None:
    lines = wrap("three rather short words and aratherlongunbreakableone", 100, 15)
    assert " ".join(lines) == "three rather short words and aratherlongunbreakableone"
    assert len(lines) >= 4
    assert wrap("", 100, 15) == []


def test_a_misspelt_value_in_a_template_is_an_error() -> None:
    with pytest.raises(UndefinedError):
        Brush("atoll.games.atacama")("plot", field={"id": "r1c1", "name": "", "condition": ""})


def told(game: Game, seats: int, seed: int) -> Iterator[tuple[set[str], list[tuple[Event, list[str]]]]]:
    """Of a random game, step by step: the ids in the picture afterwards, and what each event names; a spectator's."""
    picture = importlib.import_module(f"{game.package}.picture")
    words = Words(game, "en")
    chooser = random.Random(seed)
    position = game.new(seats=seats, options=chooser.choice(game.option_sets(seats)), seed=seed)
    while not position.over:
        seat = chooser.choice(position.to_move)
        position.apply(chooser.choice(position.legal(seat)), seat)
        events = position.take_events()
        new = [event for event in events if event.key in picture.LIGHTS]
        if not new:
            continue
        regions: list[Region] = picture.regions(game, position.view(None), words)
        ids = {fact.id for region in regions for fact in region.facts}
        ids |= {found for region in regions for drawing in region.drawings for found in ID.findall(drawing.markup)}
        named = [(event, named_by(game, LogEntry(0, 0, "game", event.key, event.fields, ()))) for event in new]
        yield ids, named


@pytest.mark.parametrize("id", [id for id in DRAWN if id != "toy"])
def test_what_lines_of_the_log_name_is_in_the_picture(id: str) -> None:
    game = atoll.games[id]
    lights = importlib.import_module(f"{game.package}.picture").LIGHTS
    assert {f"{id}.log.{key}" for key in lights} <= catalogue_keys(game.package, "en")
    texts.note.cache_clear()
    missing, happened = set(lights), set()
    for seats in game.seat_counts[-2:]:
        for ids, events in told(game, seats, seed=5):
            for event, names in events:
                happened.add(event.key)
                assert all(name.startswith("seat-") or "{" not in name for name in names)
                if ids & set(names):
                    missing.discard(event.key)
    assert not texts.note.cache_info().currsize, "no value of an event is beyond its domain"
    assert not missing & happened
    assert len(happened) > len(lights) / 2
