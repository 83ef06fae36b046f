"""A game whose pictures, texts or components are broken is excluded; everything else continues."""

import importlib
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

import atoll
from atoll.engine import Game
from atoll.engine.translations import catalogue
from atoll.picture import loading
from atoll.server.domain.model import NewTable, SeatPlan
from atoll.server.presentation import texts

from .conftest import Browser, Site, site_at

pytestmark = pytest.mark.source

SOURCE = Path(atoll.__file__).parent / "games" / "atacama"


def _spoil_emblem(folder: Path) -> None:
    text = (folder / "picture.py").read_text()
    (folder / "picture.py").write_text(
        text.replace("def emblem(", "def emblem():\n    raise KeyError('oops')\n\n\ndef other(")
    )


def _spoil_symbols(folder: Path) -> None:
    text = (folder / "picture.py").read_text()
    (folder / "picture.py").write_text(text.replace("def symbols(", "def symbols():\n    return 1 / 0\n\n\ndef other("))


def _spoil_import(folder: Path) -> None:
    (folder / "picture.py").write_text("def regions(:\n")


def _spoil_words(folder: Path) -> None:
    (folder / "words" / "en.po").write_text('msgid "atacama\nmsgstr broken')


def _lose_words(folder: Path) -> None:
    shutil.rmtree(folder / "words")


def _lose_options(folder: Path) -> None:
    text = (folder / "words" / "en.po").read_text()
    (folder / "words" / "en.po").write_text(text.replace('msgid "aaa.option.', 'msgid "aaa.lost.'))


FAULTS = {each.__name__.strip("_"): each for each in (_spoil_emblem, _spoil_symbols, _spoil_import)}
LACKS = {each.__name__.strip("_"): each for each in (_spoil_words, _lose_words, _lose_options)}


class Games(Mapping[str, Game]):
    """Atacama, and a copy of it that a test spoils."""

    def __init__(self, spoilt: Game) -> None:
        self._games: dict[str, Game] = {"aaa": spoilt, "atacama": atoll.games["atacama"]}

    def __getitem__(self, id: str) -> Game:
        return self._games[id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._games)

    def __len__(self) -> int:
        return len(self._games)


class Twin(type(atoll.games["atacama"])):  # type: ignore[misc]
    """Atacama under another id, with pictures and words of its own."""

    id = "aaa"
    package = "spoilt_game"

    def _own_components(self) -> Any:
        return atoll.games["atacama"].data


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of the twin, before it is spoilt."""
    folder = tmp_path / "spoilt_game"
    shutil.copytree(SOURCE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "__init__.py").write_text("")
    for words in folder.glob("words/*.po"):
        words.write_text(words.read_text().replace('msgid "atacama.', 'msgid "aaa.'))
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.invalidate_caches()
    yield folder
    for name in [name for name in sys.modules if name.startswith("spoilt_game")]:
        del sys.modules[name]
    loading.picture_of.cache_clear()
    texts.log_once.cache_clear()
    catalogue.cache_clear()


def _shown(browser: Browser, table: str) -> dict[str, tuple[int, bool, bool]]:
    """Return the contents of the pages that list games.

    They are, per page, its status, whether it shows Atacama, and whether it has a link, button or table
    of the broken copy.
    """
    found = {}
    for path in ("/", "/lobby", "/mine", "/new"):
        page = browser.get(path)
        is_there = any(mark in page.text for mark in ('value="aaa"', "game=aaa", table))
        found[path] = (page.status_code, "Atacama" in page.text, is_there)
    return found


def _make_tables(site: Site, browser: Browser) -> str:
    """A listed table of each game; the id of the twin's."""
    tables = []
    for game in ("atacama", "aaa"):
        new = NewTable(game, (SeatPlan("me"), SeatPlan("open")))
        tables.append(site.call(site.tables.table_setup.create, browser.user, new))
    return str(tables[-1])


def test_the_twin_is_shown_as_long_as_it_is_whole(sqlite_url: str, folder: Path) -> None:
    with site_at(sqlite_url, Games(Twin())) as site:
        browser = site.browser("Ada")
        table = _make_tables(site, browser)
        assert set(_shown(browser, table).values()) == {(200, True, True)}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_broken_game_is_left_out_and_the_others_go_on(
    sqlite_url: str, folder: Path, fault: str, capsys: pytest.CaptureFixture[str]
) -> None:
    FAULTS[fault](folder)
    with site_at(sqlite_url, Games(Twin())) as site:
        browser = site.browser("Ada")
        table = _make_tables(site, browser)
        shown = _shown(browser, table)
        assert all((status, other) == (200, True) for status, other, _ in shown.values()), shown
        assert not shown["/new"][2]
        assert "aaa" in capsys.readouterr().err, "it is noted"
        assert browser.get("/new?game=aaa").status_code == 503
        assert browser.get("/new?game=atacama").status_code == 200
        assert site.program("Bob").ask("GET", "/games").status_code == 200
        assert browser.get(f"/t/{table}").status_code == 200


def _fail_to_draw(folder: Path) -> None:
    importlib.import_module("spoilt_game.picture").regions = lambda *_: 1 / 0  # type: ignore[attr-defined]


def _name_a_missing_field(folder: Path) -> None:
    template = folder / "picture.svg.jinja"
    template.write_text(template.read_text().replace("{{ tile.letter }}", "{{ tile.no_such_field }}"))
    for name in [name for name in sys.modules if name.startswith("spoilt_game.")]:
        del sys.modules[name]
    loading.picture_of.cache_clear()


@pytest.mark.parametrize("spoil", [_fail_to_draw, _name_a_missing_field])
def test_a_table_that_cannot_be_drawn_shows_its_list(
    sqlite_url: str, folder: Path, spoil: Callable[[Path], None]
) -> None:
    with site_at(sqlite_url, Games(Twin())) as site:
        browser = site.browser("Ada")
        new = NewTable("aaa", (SeatPlan("me"), SeatPlan("device")))
        table = site.call(site.tables.table_setup.create, browser.user, new)
        site.call(site.tables.table_setup.start, browser.user, table)
        for drawn in (True, False):
            page = browser.get(f"/t/{table}").text
            assert ("all choices are in the list" in page) != drawn
            assert ('<details id="page-list" class="list" open>' in page) != drawn
            spoil(folder)
        texts.log_once.cache_clear()


@pytest.mark.parametrize("lack", LACKS)
def test_a_game_that_lacks_words_is_shown_with_what_its_keys_say(
    sqlite_url: str, folder: Path, lack: str, capsys: pytest.CaptureFixture[str]
) -> None:
    LACKS[lack](folder)
    with site_at(sqlite_url, Games(Twin())) as site:
        browser = site.browser("Ada")
        table = _make_tables(site, browser)
        assert set(_shown(browser, table).values()) == {(200, True, True)}
        page = browser.get("/new?game=aaa")
        assert page.status_code == 200 and "Setup" in page.text, "the option `setup`"
        assert browser.get(f"/t/{table}").status_code == 200
        browser.get("/new?game=aaa")
        said = capsys.readouterr().err
        assert said.count("aaa.option.setup'") == 1 or said.count("has no texts in 'en'") == 1, "it is noted once"


class Missing(Games):
    """One of the games can't even be loaded."""

    def __getitem__(self, id: str) -> Game:
        if id == "aaa":
            raise ZeroDivisionError("oops")
        return super().__getitem__(id)


def test_tables_of_a_game_that_is_gone_are_left_out(sqlite_url: str, folder: Path) -> None:
    with site_at(sqlite_url, Games(Twin())) as site:
        login = site.call(site.tables.users.guest, "Ada")
        table = _make_tables(site, Browser(site, login))
    for games in (Missing(Twin()), {"atacama": atoll.games["atacama"]}):
        with site_at(sqlite_url, games) as site:
            assert set(_shown(Browser(site, login), table).values()) == {(200, True, False)}
