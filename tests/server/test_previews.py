"""Link previews on other sites: a title, a sentence, a picture, and no secrets."""

import io
import re
from html import unescape

import pytest
from PIL import Image

import atoll
from atoll.engine import Game
from atoll.server.domain.model import NewTable, SeatPlan
from scripts.previews import SIZE, SOURCE, path, source

from .conftest import Site

TOLD = re.compile(r'<meta property="og:(\w+)" content="([^"]*)">')
ME, INVITE = SeatPlan("me"), SeatPlan("invite")


def told(site: Site, address: str) -> dict[str, str]:
    """Return a page's metadata for anonymous visitors."""
    return {name: unescape(said) for name, said in TOLD.findall(site.browser().get(address).text)}


@pytest.mark.parametrize("game", atoll.games.values(), ids=list(atoll.games))
def test_the_picture_is_of_the_size_that_messengers_ask_for_and_as_the_emblem_is(game: Game) -> None:
    drawn = Image.open(path(game))
    assert drawn.size == SIZE
    assert drawn.info[SOURCE] == source(game), "draw it anew: python -m scripts.previews"


def test_a_game_without_a_picture_shows_the_sites_sign(site: Site) -> None:
    answer = site.browser().get("/static/games/toy/preview.png")
    assert answer.status_code == 200 and Image.open(io.BytesIO(answer.content)).size == (512, 512)


@pytest.mark.parametrize(
    "address",
    ["/rules/atacama", "/learn/atacama", "/puzzles/atacama", "/learn/atacama/first?step=1", "/join?game=atacama"],
)
def test_pages_of_a_game_show_it(site: Site, address: str) -> None:
    said = told(site, address)
    assert said["image"].startswith("http") and said["title"] and said["description"]
    found = site.browser().get(said["image"][said["image"].index("/static") :])
    assert found.headers["content-type"] == "image/png" and found.content == path(atoll.games["atacama"]).read_bytes()


def test_an_invite_link_names_its_game_and_nothing_else(site: Site) -> None:
    ada = site.browser("Ada")
    table = site.call(site.tables.table_setup.create, ada.user, NewTable("atacama", (ME, INVITE), visibility="private"))
    [link] = re.findall(r'value="([^"]+/join\?[^"]+)"', ada.post(f"/t/{table}/invite", {"seat": "1"}).text)
    shown, _, token = link.partition("#")
    assert shown.endswith("/join?game=atacama") and len(token) > 20
    door = shown[shown.index("/join") :]
    assert "Atacama" in told(site, door)["title"]
    page = site.browser().get(door).text
    assert table not in page and "Ada" not in page


@pytest.mark.parametrize(
    "game", ["", "nothing", "atacama&game=toy", '"><script>alert(1)</script>', "../toy", "x" * 3000]
)
def test_an_invite_link_whose_game_is_unknown_still_opens(site: Site, game: str) -> None:
    answer = site.browser().get("/join", params={"game": game})
    assert answer.status_code == 200 and "data-door" in answer.text and "<script>alert" not in answer.text
    assert told(site, "/join")["image"].endswith("/static/icon-512.png")


def test_a_table_that_is_private_tells_nothing(site: Site) -> None:
    ada = site.browser("Ada")
    table = site.call(site.tables.table_setup.create, ada.user, NewTable("atacama", (ME, INVITE), visibility="private"))
    assert "atacama" not in " ".join(told(site, f"/t/{table}").values()).lower()
