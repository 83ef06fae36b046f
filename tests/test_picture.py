"""Pictures of all games for every viewer and language, at any moment: well-formed, unique ids."""

from __future__ import annotations

import importlib
import importlib.util
import random
import re
from collections.abc import Iterator
from dataclasses import astuple
from importlib.resources import files
from typing import Any, get_args, get_type_hints
from xml.etree import ElementTree

import msgspec
import pytest
from jinja2 import UndefinedError
from markupsafe import Markup

import atoll
from atoll.engine import Event, Game
from atoll.engine.state import declarations
from atoll.engine.translations import GameMessages, catalogue_keys
from atoll.picture import (
    PAGE_CLASSES,
    Drawing,
    Hidden,
    Region,
    SvgMacros,
    Zone,
    cards_of,
    compose_table,
    element,
    fragments,
    render_table,
    size_of,
    wrap,
)
from atoll.picture.sounds import Sound
from atoll.picture.static_svg import cover, resolve_css_variables
from atoll.picture.templates import templates
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
        position.apply(chooser.choice(position.legal_choices(seat)), seat)
        step += 1


@pytest.mark.parametrize("id", DRAWN)
def test_what_is_drawn_from_the_cache_is_what_would_be_drawn_anew(id: str) -> None:
    """Views of two games alternate; each picture equals the one drawn with an empty cache."""
    game = atoll.games[id]
    picture = importlib.import_module(f"{game.package}.picture")
    seats = game.seat_counts[-1]
    words = GameMessages(game, "en", [f"Seat {n}" for n in range(seats)])
    found = [
        view for pair in zip(*(views(game, seats, seed, every=40) for seed in (7, 8)), strict=False) for view in pair
    ]
    drawn = [picture.regions(game, view, words) for _, view in found]
    assert len({region for regions in drawn for region in regions}) < sum(map(len, drawn)), "nothing is cached"
    for (viewer, view), regions in zip(found, drawn, strict=True):
        fragments.cache_clear()
        anew = picture.regions(game, view, words)
        assert [astuple(region) for region in regions] == [astuple(region) for region in anew], viewer


@pytest.mark.parametrize("id", DRAWN)
def test_the_typed_view_of_a_game_has_fields_that_its_state_declares(id: str) -> None:
    """A picture shows no more than its reader's view, and a renamed field is found immediately."""
    game = atoll.games[id]
    module = importlib.import_module(f"{game.package}.view")
    [kind] = [each for name, each in vars(module).items() if name == f"{game.id.capitalize()}View"]
    view = game.new(game.seat_counts[-1], seed=1).view(0)
    hints = get_type_hints(kind)
    assert set(hints) <= set(view)
    declared = {name for name, _ in declarations(game.state_type)}
    assert set(hints["state"].__struct_fields__) <= declared
    assert set(hints["live"].__struct_fields__) <= set(view["live"])
    for each in vars(module).values():
        if isinstance(each, type) and issubclass(each, msgspec.Struct) and each is not msgspec.Struct:
            assert each.__struct_config__.frozen, each


class Safe:
    """A value that renders itself as markup."""

    def __html__(self) -> str:
        return "<i>"


@pytest.mark.parametrize(
    ("template", "written"),
    [
        ("{{ a }}", "&lt;a&gt;"),
        ("{{ safe }}{{ own }}", "<b><i>"),
        ("{{ 1 }}{{ true }}{{ none }}{{ 1.5 }}", "1TrueNone1.5"),
        ("{{ things['items'] }}{{ things.get('a') }}{{ things.a }}", "mine&lt;a&gt;&lt;a&gt;"),
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
    assert templates("atoll.server.http.pages").from_string(template).render(values) == written


@pytest.mark.parametrize("template", ["{{ no }}", "{{ a.no }}", "{{ things.no }}", "{{ no() }}"])
def test_templates_refuse_what_isnt_there(template: str) -> None:
    with pytest.raises(UndefinedError):
        templates("atoll.server.http.pages").from_string(template).render(a="a", things={})


@pytest.mark.parametrize("id", ["atacama", "atlandice", "wutaki"])
def test_the_viewers_points_stand_in_its_row_beside_those_of_others(id: str) -> None:
    game = atoll.games[id]
    view = game.new(2, seed=1).view(0)
    found = importlib.import_module(f"{game.package}.picture").regions(game, view, GameMessages(game, "en"))
    own, other = (next(region.facts[0] for region in found if region.seat == seat) for seat in (0, 1))
    assert (own.id, own.label) == (other.id.replace("1", "0") + "-again", other.label)
    assert not own.choice, "that is where one's goods are"


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("id", DRAWN)
def test_a_still_picture_needs_nothing_else(id: str, theme: str) -> None:
    game = atoll.games[id]
    words = GameMessages(game, "en", [])
    for _, view in list(views(game, game.seat_counts[0], seed=1))[-3:]:
        picture = render_table(game, view, words, theme=theme)
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
    with pytest.raises(ValueError, match="expected light, dark"):
        compose_table([], Markup(""), "", css_class="x", theme="pink")
    with pytest.raises(ValueError, match="role 'bord'"):
        Region("a", "A", "bord")
    with pytest.raises(ValueError, match="names its seat"):
        Region("a", "A", "seat")
    with pytest.raises(ValueError, match="kinds that open it"):
        Region("a", "A", "dialog")


def test_flattening_takes_the_theme_and_the_last_value() -> None:
    css = ".a { --x: light-dark(#fff, #000); --y: var(--x); } .b { --x: light-dark(#eee, #111); fill: var(--y); }"
    assert "fill: #eee" in resolve_css_variables(css, "light")
    assert "fill: #111" in resolve_css_variables(css, "dark")
    assert "--" not in resolve_css_variables(css, "dark")


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
        SvgMacros("atoll.games.atacama")("plot", field={"id": "r1c1", "name": "", "condition": ""})


def told(game: Game, seats: int, seed: int) -> Iterator[tuple[set[str], list[tuple[Event, list[str]]]]]:
    """Play a random game and yield, for a spectator, the ids and the elements of each step's events.

    Args:
        game: The game.
        seats: Number of seats.
        seed: Seed of the game.

    Yields:
        The ids in the picture afterwards, and each event with the ids that it names.
    """
    picture = importlib.import_module(f"{game.package}.picture")
    words = GameMessages(game, "en")
    chooser = random.Random(seed)
    position = game.new(seats=seats, options=chooser.choice(game.option_sets(seats)), seed=seed)
    while not position.over:
        seat = chooser.choice(position.to_move)
        position.apply(chooser.choice(position.legal_choices(seat)), seat)
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
    sounds = importlib.import_module(f"{game.package}.picture").SOUNDS
    assert sounds.keys() <= set(get_args(Sound))
    named = {*lights, *(key for events in sounds.values() for key in events)}
    assert {f"{id}.log.{key}" for key in named} <= catalogue_keys(game.package, "en")
    texts.log_once.cache_clear()
    missing, happened = set(lights), set()
    for seats in game.seat_counts[-2:]:
        for ids, events in told(game, seats, seed=5):
            for event, names in events:
                happened.add(event.key)
                assert all(name.startswith("seat-") or "{" not in name for name in names)
                if ids & set(names):
                    missing.discard(event.key)
    assert not texts.log_once.cache_info().currsize, "no value of an event is beyond its domain"
    assert not missing & happened
    assert len(happened) > len(lights) / 2


def test_zones_of_a_view_that_are_seen_and_hidden() -> None:
    """A zone is read from a view as its cards or, where these are hidden, as their number."""
    seen, hidden = msgspec.convert([[3, 1], {"count": 4}], tuple[Zone, Zone])
    assert (seen, hidden) == ((3, 1), Hidden(4))
    assert (cards_of(seen), cards_of(hidden), cards_of(None)) == ((3, 1), (), ())
    assert (size_of(seen), size_of(hidden)) == (2, 4)
