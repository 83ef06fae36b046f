"""The workshop: components as forms, refusals in place, files, simulations and games of a variant."""

from __future__ import annotations

import re
import time
import tomllib
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

import atoll
from atoll.engine.component_changes import value_at
from atoll.lab.run import run
from atoll.server.domain.model import Refused
from atoll.server.domain.settings import ServerSettings
from atoll.server.play import workshop
from atoll.server.play.workshop import WorkshopGame, changes_in, token_of, variant
from atoll.server.presentation.workshop import fields, read_value, tables

from .conftest import Browser, Site, refused, site_at

GAMES = {id: atoll.games[id] for id in ("atacama", "atlandice", "atua", "raiatea", "wutaki")}
FATE = "fate.fate_fish"
PRICE = f"{FATE}.price"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A local server with all games."""
    with site_at(f"sqlite:///{tmp_path_factory.mktemp('workshop') / 'atoll.db'}", GAMES) as found:
        yield found


@pytest.fixture
def reader(site: Site) -> Browser:
    """A reader without an account."""
    return Browser(site, None)


def address(token: str = "", **more: str) -> str:
    return f"/workshop/atua?{urlencode({'at': FATE, 'v': token, **more})}"


@pytest.mark.parametrize("id", GAMES)
def test_each_place_has_a_form_and_its_printed_values_change_nothing(id: str, reader: Browser) -> None:
    game = GAMES[id]
    places = [place for table in tables(game, {}, "de") for place in table.places]
    assert len({place.key for place in places}) == len(places) > 10
    assert all(place.title.strip() for place in places)
    for place in places:
        found = fields(game, {}, place.key)
        assert found, place.key
        for field in found:
            assert read_value(game, field.path, field.value) == value_at(game.data, field.path), field.path
            assert not field.allowed or field.value in field.allowed, field.path
    for place in places[:: max(1, len(places) // 4)]:
        page = reader.get(f"/workshop/{id}?at={place.key}")
        assert page.status_code == 200
        sent = {f"f.{field.path}": field.value for field in fields(game, {}, place.key)}
        answer = reader.post(f"/workshop/{id}", {"at": place.key, **sent})
        assert answer.headers["location"] == f"/workshop/{id}?{urlencode({'at': place.key})}"


def changed(reader: Browser, path: str, value: str) -> str:
    """The token after one field of the fate was filled in."""
    answer = reader.post("/workshop/atua", {"at": FATE, f"f.{path}": value})
    assert answer.status_code == 303
    location: str = answer.headers["location"]
    return parse_qs(urlsplit(location).query)["v"][0]


def test_a_changed_price_is_shown_with_the_printed_one_and_saved_as_a_file(reader: Browser, tmp_path: Path) -> None:
    token = changed(reader, PRICE, "5")
    assert changes_in(token) == {PRICE: 5}
    page = reader.get(address(token)).text
    assert "(printed: 1)" in page
    assert f"<code>{PRICE}</code> 1 → <b>5</b>" in page
    looks = page[page.index('id="workshop-looks"') :]
    assert looks.count('<svg class="piece"') == 2, "the card before and after"
    file = reader.get(f"/workshop/atua/changes.toml?v={token}")
    assert "attachment" in file.headers["content-disposition"]
    assert tomllib.loads(file.text) == {"variant_of": "atua", "changes": {PRICE: 5}}
    path = tmp_path / "atua.toml"
    path.write_text(file.text, "utf-8")
    assert GAMES["atua"].with_components(path).components_hash == variant(GAMES["atua"], token).components_hash
    # The printed value again leaves nothing to store.
    answer = reader.post("/workshop/atua", {"at": FATE, "v": token, f"f.{PRICE}": "1"})
    assert answer.headers["location"] == f"/workshop/atua?{urlencode({'at': FATE})}"
    german = reader.get(address(token), headers={"accept-language": "de"}).text
    assert "(gedruckt: 1)" in german


def test_pictures_of_a_table_show_the_variant(reader: Browser) -> None:
    token = token_of({f"{FATE}.price": 5})
    plain, other = (reader.get(f"/workshop/atua/table.svg?v={each}") for each in ("", token))
    assert plain.headers["content-type"] == "image/svg+xml"
    assert plain.status_code == other.status_code == 200


@pytest.mark.parametrize(("value", "said"), [("-1", "price is -1; allowed"), ("cheap", "is &#39;cheap&#39;; allowed")])
def test_what_the_game_refuses_is_said_at_its_field_and_can_be_neither_played_nor_saved(
    value: str, said: str, reader: Browser
) -> None:
    token = changed(reader, PRICE, value)
    page = reader.get(address(token)).text
    wrong = re.search(r'<span class="wrong-here" id="wrong-(field-\d+)">(.*?)</span></span>', page)
    assert wrong is not None
    assert said in wrong[2]
    assert f'name="f.{PRICE}" id="{wrong[1]}"' in page
    assert f'value="{value}"' in page, "what was typed stays"
    assert "workshop-looks" not in page
    assert "/play?" not in page
    assert reader.get(f"/workshop/atua/changes.toml?v={token}").status_code == 422
    assert reader.post("/workshop/atua/simulate", {"v": token}).status_code == 422
    assert reader.get(f"/workshop/atua/play?step={token}~1").status_code == 422
    elsewhere = reader.get(f"/workshop/atua?{urlencode({'v': token})}").text
    assert 'role="alert"' in elsewhere, "in another place's form it is said above"


def test_a_simulation_runs_beside_and_its_report_compares_with_the_original(
    reader: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workshop, "GAMES", 6)
    monkeypatch.setattr(workshop, "run", lambda plan, numbers, workers: run(plan, numbers, workers=1))
    token = changed(reader, PRICE, "5")
    answer = reader.post("/workshop/atua/simulate", {"at": FATE, "v": token})
    place = answer.headers["location"]
    page = ""
    for _ in range(300):
        page = reader.get(place).text
        if "data-running" not in page:
            break
        time.sleep(0.1)
    assert "Wins of the start player" in page
    assert "Points of a seat: fate" in page
    assert "95 %" in page
    assert "earlier version" not in page
    run_id = parse_qs(urlsplit(place).query)["run"][0]
    assert "earlier version" in reader.get(address(token_of({PRICE: 4}), run=run_id)).text
    assert "Vorsprung beim Sieg" in reader.get(place, headers={"accept-language": "de"}).text
    assert reader.get(address(run="unknown")).status_code == 404
    same = reader.post("/workshop/atua/simulate", {"at": FATE})
    assert same.status_code == 409
    assert "plays like the original" in unescape(same.text)


def test_a_later_simulation_stops_the_earlier_one(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    shop, game = site.tables.workshop, GAMES["atacama"]
    monkeypatch.setattr(workshop, "run", lambda plan, numbers, workers: run(plan, numbers[:2], workers=1))
    token = token_of({"game.line_minimum_rigs": 3})
    with shop._busy:  # the first one waits
        first = shop.simulate(game, token, variant(game, token))
        second = shop.simulate(game, token, variant(game, token))
        assert shop.simulation(first).stopped
        assert not shop.simulation(second).stopped
    for _ in range(100):
        if shop.simulation(second).found is not None:
            break
        time.sleep(0.1)
    assert shop.simulation(second).found is not None
    assert shop.simulation(first).found is None


@pytest.mark.parametrize("id", GAMES)
def test_a_game_follows_from_its_address(id: str) -> None:
    played = WorkshopGame(GAMES[id], 5, [])
    for _ in range(15):
        if played.draft is None:
            break
        played.choose([played.draft.legal()[0]])
    found = played.to_tryout()
    assert WorkshopGame(GAMES[id], 5, found.choices).to_tryout() == found
    assert found.view["viewer"] == 0
    assert all(each.seat == 0 or not each.choices for each in found.tried), "others' choices may be secret"


def test_a_variant_is_played_by_forms_and_by_scripts(reader: Browser) -> None:
    token = token_of({"game.line_minimum_rigs": 3})
    step = f"{token}~7"
    path = "/workshop/atacama/play"
    page = reader.get(f"{path}?{urlencode({'step': step})}").text
    legal = re.findall(r'<(?:button name="choices"|option) value="(\d+)"', page)
    chosen = reader.post(f"{path}/choose", {"step": step, "choices": legal[0]})
    assert chosen.headers["location"] == f"{path}?{urlencode({'step': f'{step}.{legal[0]}'})}"
    assert "To the workshop" in reader.get(chosen.headers["location"]).text
    part = reader.post(f"{path}/choose", {"step": step, "choices": legal[0]}, headers={"x-fragments": ""})
    assert part.text.lstrip().startswith("<main")
    ahead = reader.get(f"{path}/preview?{urlencode({'step': step, 'choices': legal[0]})}").json()
    assert ahead["html"]
    assert reader.get(f"{path}/preview?{urlencode({'step': step, 'choices': 999_999})}").json()["html"] is None
    assert reader.get(f"{path}/why?{urlencode({'step': step, 'choice': ''})}").json()["text"]
    assert reader.post(f"{path}/choose", {"step": step, "choices": "999999"}).status_code == 422
    assert reader.post(f"{path}/undo", {"step": step, "choice": legal[0]}).status_code in (409, 422)
    assert reader.get(f"{path}?step=~").status_code == 422
    assert reader.get(f"{path}?step=~{'.'.join(['1'] * 3000)}").status_code in (422, 431)


@pytest.mark.parametrize("token", ["x", "AAAA", "é", token_of({"a": 1})[:-3], "A" * 20_001])
def test_malformed_variants_are_refused(token: str) -> None:
    with refused("malformed"):
        changes_in(token)


def test_a_token_can_not_grow_without_bounds() -> None:
    with refused("malformed"):
        changes_in(token_of({"a": "x" * 300_000}))
    with refused("malformed"):
        changes_in(token_of({"a": None}))
    with refused("malformed"):
        changes_in(token_of({"a": [1]}))


def test_unknown_places_fields_and_games_are_refused(reader: Browser) -> None:
    assert reader.get("/workshop/atua?at=nowhere").status_code == 404
    assert reader.get("/workshop/chess").status_code == 404
    token = token_of({"game.nothing": 1})
    assert "doesn&#39;t exist" in reader.get(f"/workshop/atua?v={token}").text


def test_on_an_open_server_only_operators_come_in(tmp_path: Path) -> None:
    with site_at(f"sqlite:///{tmp_path / 'open.db'}", GAMES, public_url="http://127.0.0.1") as open_:
        shop = open_.tables.workshop
        assert not shop.is_local
        for who in (None, open_.browser("Ada").user):
            with pytest.raises(Refused, match="operators"):
                shop.require(who)
        assert Browser(open_, None).get("/workshop/atua").status_code == 403
        assert "/workshop/" not in Browser(open_, None).get("/learn/atua").text
        ada = open_.browser("Ada")
        assert ada.user is not None
        open_.call(open_.tables.store.change_user, ada.user.id, role="operator")
        open_.tables.users.forget(ada.user.id)
        assert ada.get("/workshop/atua").status_code == 200
        assert "/workshop/atua" in ada.get("/learn/atua").text


@pytest.mark.parametrize(
    ("host", "local"), [("127.0.0.1", True), ("localhost", True), ("::1", True), ("192.0.2.7", False), ("::", False)]
)
def test_only_a_server_of_this_machine_is_local(host: str, local: bool) -> None:
    assert workshop.Workshop(ServerSettings(host=host)).is_local is local
    assert not workshop.Workshop(ServerSettings(host=host, public_url="https://table.example.org")).is_local
