"""Games and bots of other packages and plugins are found; broken ones are excluded and logged."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from atoll import bots
from atoll.engine import BrokenGame, UnknownGame, registry
from atoll.engine.registry import Registry
from tests.engine.plugged import game, installed

ROOT = Path(__file__).parents[2]
LEVELS = importlib.import_module("atoll.bots.levels")
BOTS = """
from atoll.bots import GreedyBot, Level, add_level

add_level("atacama", Level("{name}", 0.1, lambda thinking: GreedyBot()))
"""


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder in which packages are installed; nothing of it is left after the test."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv(registry.VARIABLE, "")
    monkeypatch.setattr(registry, "left_out", {})
    monkeypatch.setattr(registry, "_imported", {})
    monkeypatch.setattr(LEVELS, "_ADDED", {})
    LEVELS._import_installed_bots.cache_clear()
    before = set(sys.modules)
    yield tmp_path
    LEVELS._import_installed_bots.cache_clear()
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(tmp_path)):
            del sys.modules[name]


def found() -> Registry:
    """Return the games of a new registry."""
    return Registry(registry.GROUP)


def test_our_own_games_are_entry_points_like_others() -> None:
    games = found()
    assert [id for id in games if games.is_builtin(id)] == ["atacama", "atlandice", "atua", "raiatea", "wutaki"]
    assert {games.origin(id) for id in games if games.is_builtin(id)} == {"atoll"}


def test_a_game_of_another_package_is_found(site: Path) -> None:
    installed(site, "atoll-pearls", {"atoll.games": {"pearls": "pearls_game:GAME"}}, pearls_game=game("pearls"))
    games = found()
    assert "pearls" in games and games["pearls"].id == "pearls"
    assert (games.origin("pearls"), games.is_builtin("pearls")) == ("atoll-pearls", False)
    assert games["pearls"] is games["pearls"]
    assert [each.id for each in games.loadable_games()] == list(games)
    with pytest.raises(UnknownGame, match="unknown game 'perls'; known: atacama, atlandice, atua, pearls, "):
        games["perls"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("import nowhere_at_all", "ModuleNotFoundError: No module named 'nowhere_at_all'"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("GAME = 7", "TypeError: pearls_game:GAME isn't a Game"),
        ("", "AttributeError: module 'pearls_game' has no attribute 'GAME'"),
        (game("other"), "ValueError: the entry point is called 'pearls', its game 'other'"),
    ],
)
def test_a_broken_game_is_left_out_with_a_line(
    site: Path, caplog: pytest.LogCaptureFixture, text: str, why: str
) -> None:
    installed(site, "atoll-pearls", {"atoll.games": {"pearls": "pearls_game:GAME"}}, pearls_game=text)
    games = found()
    with pytest.raises(BrokenGame, match=r"^the game 'pearls' of atoll-pearls can't be loaded: ") as broken:
        games["pearls"]
    assert str(broken.value).endswith(why)
    assert "pearls" not in [each.id for each in games.loadable_games()]
    assert next(each.id for each in games.loadable_games()) == "atacama"
    assert caplog.messages == [f"game pearls of atoll-pearls is left out: {why}"], "it is said once"


def test_what_exists_is_not_taken_over(site: Path, caplog: pytest.LogCaptureFixture) -> None:
    installed(
        site, "aaa", {"atoll.games": {"atua": "mine:GAME", "reef": "reef:GAME"}}, mine=game("atua"), reef=game("reef")
    )
    installed(site, "bbb", {"atoll.games": {"reef": "reef:GAME", "../x": "reef:GAME"}})
    games = found()
    assert (games.origin("atua"), games.origin("reef")) == ("atoll", "aaa")
    assert caplog.messages == [
        "game atua of aaa is left out: atoll has a game of this name",
        "game ../x of bbb is left out: an id is made of lower case letters, digits and _, a letter first",
        "game reef of bbb is left out: aaa has a game of this name",
    ]


def test_a_plugin_need_not_be_installed(site: Path, caplog: pytest.LogCaptureFixture) -> None:
    (site / "my_game.py").write_text(game("mine"))
    (site / "my_atua.py").write_text(game("atua"))
    (site / "my_ruin.py").write_text("1 / 0")
    games = found()
    assert "mine" not in games
    for name in ("my_game", "my_atua", "my_ruin", "my_typo", "my_game"):
        registry.add_plugin(name)
    assert os.environ[registry.VARIABLE] == "my_game my_atua my_ruin my_typo"
    assert games["mine"].id == "mine"
    assert (games.origin("mine"), games.origin("atua")) == ("plugin my_game", "atoll")
    assert sorted(caplog.messages) == [
        "game atua of plugin my_atua is left out: there is a game of this name",
        "plugin my_ruin is left out: ZeroDivisionError: division by zero",
        "plugin my_typo is left out: ModuleNotFoundError: No module named 'my_typo'",
    ]


def test_a_plugin_may_register_its_game_itself(
    site: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = found()
    monkeypatch.setattr(registry, "games", games)
    registers = "\n\nfrom atoll.engine import registry\nregistry.games.register(GAME)\n"
    (site / "my_game.py").write_text(game("mine") + registers)
    registry.add_plugin("my_game")
    assert games["mine"].id == "mine" and games.origin("mine") == "plugin my_game"
    assert (caplog.messages, registry.left_out) == ([], {})


def test_bots_of_another_package_and_of_a_plugin_are_offered(site: Path, caplog: pytest.LogCaptureFixture) -> None:
    entries = {"atoll.bots": {"clever": "clever_bots", "greedy": "greedy_bots", "ruin": "ruin_bots"}}
    modules = {
        "clever_bots": BOTS.format(name="clever"),
        "greedy_bots": BOTS.format(name="greedy"),
        "ruin_bots": "1 / 0",
    }
    installed(site, "atoll-clever", entries, **modules)
    (site / "my_bots.py").write_text(BOTS.format(name="mine"))
    registry.add_plugin("my_bots")
    atacama = registry.games["atacama"]
    assert bots.level_names(atacama)[:6] == ("clever", "mine", "beginner", "casual", "strong", "expert")
    assert bots.level_names(registry.games["atua"])[0] == "beginner"
    assert isinstance(bots.bot(atacama, "mine"), bots.LevelBot)
    assert [each.partition(":")[0] for each in caplog.messages] == [
        "bots greedy of atoll-clever is left out",
        "bots ruin of atoll-clever is left out",
    ]
    assert "invalid bot name 'greedy'" in caplog.messages[0]


def test_every_command_knows_a_plugin_wherever_it_is_named(site: Path) -> None:
    (site / "my_game.py").write_text(game("mine"))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])}
    for arguments in (
        ["--plugin", "my_game", "simulate", "mine", "--games", "9", "--workers", "2"],
        ["simulate", "mine", "--plugin=my_game", "--games", "9", "--workers", "2"],
    ):
        ran = subprocess.run(
            [sys.executable, "-m", "atoll", *arguments],
            cwd=site,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (ran.returncode, ran.stderr) == (0, "")
        assert "9 games, " in ran.stdout
