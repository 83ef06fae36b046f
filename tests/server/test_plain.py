"""A game with rules only is playable: drawn from its fields, logged by its keys, played by bots."""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import atoll
import atoll.starter
from atoll import bots
from atoll.bots.evaluation import evaluation
from atoll.engine import Game
from atoll.engine.languages import LANGUAGES
from atoll.engine.rulebook import rulebook
from atoll.engine.scripted_game import ScriptedGame
from atoll.engine.translations import FallbackMessages, humanize
from atoll.picture import default_table, render_table
from atoll.picture.elements import elements
from atoll.picture.patterns import matching_choices
from atoll.server.presentation import texts
from tests.toy.rules import Toy

from .conftest import DEVICE, ME, Site, site_at
from .test_end_page import play_to_the_end

TOY = Path(__file__).parents[1] / "toy"


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Game]:
    """The toy without words, picture, rules page and evaluation."""
    folder = tmp_path / "bare_game"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    shutil.copy(TOY / "components.toml", folder)
    monkeypatch.syspath_prepend(str(tmp_path))

    class Bare(Toy):
        id = "bare"
        package = "bare_game"

    yield Bare()
    texts.log_once.cache_clear()


@pytest.fixture
def site(sqlite_url: str, bare: Game) -> Iterator[Site]:
    """The application with this game."""
    with site_at(sqlite_url, {"bare": bare, "atacama": atoll.games["atacama"]}) as found:
        yield found


def test_it_is_played_to_the_end_on_its_pages(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    ada = site.browser("Ada")
    for path in (
        "/",
        "/new?game=bare",
        "/rules/bare",
        "/rules/bare/table.svg",
        "/static/games/bare/table.css",
        "/static/games/bare/cover.svg",
    ):
        assert ada.get(path).status_code == 200, path
    assert 'href="/rules/bare"' in ada.get("/").text
    table = play_to_the_end(site, ada, "bare", ME, DEVICE)
    page = ada.get(f"/t/{table}").text
    assert "Played: " in page and "bare." not in page
    for path in (f"/t/{table}/replay?at=20", f"/t/{table}/replay"):
        assert ada.get(path).status_code == 200, path
    capsys.readouterr()
    ada.get(f"/t/{table}")
    assert "can't be shown" not in capsys.readouterr().out, "what lacks was noted once"


def test_a_turn_is_made_by_clicking_its_picture(bare: Game) -> None:
    """Whatever names a card, a colour or a place of the table stands for the choices with it."""
    words = FallbackMessages(bare, "en")
    rng = random.Random(1)
    position = bare.new(3, seed=4)
    clicked: set[str] = set()
    while not position.over:
        seat = rng.choice(position.to_move)
        view = position.view(seat)
        found = elements(default_table.regions(bare, view, words))
        assert len(found) > 10
        for each in found.values():
            clicked |= {
                bare.vocabulary.kind_of(choice).name
                for choice in matching_choices(each.choice, bare, position.legal_choices(seat))
            }
        position.apply(rng.choice(position.legal_choices(seat)), seat)
    assert clicked >= {"play", "keep", "gift", "discard"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_view_is_drawn_and_shows_no_more_than_it_holds(bare: Game, language: str) -> None:
    words = FallbackMessages(bare, language)
    rng = random.Random(2)
    position = bare.new(4, seed=5)
    while not position.over:
        for viewer in (None, *range(4)):
            regions = default_table.regions(bare, position.view(viewer), words)
            ids = [
                id
                for region in regions
                for drawing in region.drawings
                for id in re.findall(r' id="([^"]+)"', drawing.markup)
            ]
            ids += [fact.id for region in regions for fact in region.facts]
            assert len(ids) == len(set(ids))
            mine = [region for region in regions if region.role == "hand"]
            assert {region.id for region in mine} <= {"hand-hands", "hand-drawn", "hand-gifts", "hand-wishes"}
            assert bool(mine) == (
                viewer is not None and bool(position.state.hands[viewer] or position.state.drawn[viewer])
            )
        seat = rng.choice(position.to_move)
        position.apply(rng.choice(position.legal_choices(seat)), seat)
    assert render_table(bare, position.view(None), words).startswith("<svg")


def test_pools_are_counted_and_cards_in_sight_are_drawn() -> None:
    game = atoll.starter.GAME
    words = FallbackMessages(game, "en")
    table = ScriptedGame.of(game, game.new(2)).play(*(f"deal {number}" for number in range(1, 11)), "surface golden")
    regions = default_table.regions(game, table.position.view(0), words)
    facts = {fact.id: fact.value for region in regions for fact in region.facts}
    assert (facts["fact-deck"], facts["fact-sea"], facts["fact-hands-1"]) == ("14", "5", "5")
    drawn = {region.id: [drawing.markup for drawing in region.drawings] for region in regions}
    assert ["Golden pearl" in each for each in drawn["zone-prize"]] == [True]
    assert ["plain-large" in each for each in drawn["hand-hands"]] == [True] * 5


def test_its_keys_say_what_they_can(bare: Game, caplog: pytest.LogCaptureFixture) -> None:
    words = FallbackMessages(bare, "de", ("Ada", "Bob"))
    assert words.say("log.drew.hidden", {"seat": 1}) == "Drew: Bob"
    assert (
        words.say("log.played", {"seat": 0, "card": 3})
        == f"Played: Ada, {bare.titles(bare.components, 'de')['card'][3]}"
    )
    assert words.choice(bare.parse("pay pink 2")) == "Pay: rosa Muschel, 2", "the names are in the component data"
    assert words.say("prompt.answer_echo", {"seat": 0}) == "Answer echo"
    assert humanize("option.deal") == "Deal"


def test_english_stands_where_another_language_lacks() -> None:
    toy = Toy()
    words = FallbackMessages(toy, "de")
    said = dict(words._texts._catalog)  # type: ignore[attr-defined]
    said.pop("toy.prompt.act")
    words._texts._catalog = said  # type: ignore[attr-defined]
    assert words.say("prompt.act") == FallbackMessages(toy, "en").say("prompt.act")


def test_its_card_tells_what_random_games_were_like(bare: Game) -> None:
    card = rulebook(bare).card
    assert 5 < card.prompts < 20 and 10 < card.decisions < 200
    assert 1 <= card.minutes[0] <= card.minutes[1] and card.weight in range(2, 6)


def test_bots_search_it_by_play_outs(bare: Game) -> None:
    knowledge = evaluation(bare)
    assert knowledge.choice_values is None and not knowledge.estimates
    position = bare.new(2, seed=1)
    found: Any = None
    for name in bots.level_names(bare):
        seat = position.to_move[0]
        found = bots.bot(bare, name, iterations=8).choose(atoll.SeatView(position, seat), 1.0, 1)
        position.apply(found, seat)
