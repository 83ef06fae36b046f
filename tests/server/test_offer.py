"""Games that a server offers.

Those of other packages are tried out. Broken or too expensive ones are excluded.
"""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path
from typing import Any

import pytest

import atoll
from atoll.engine import UnknownGame, registry
from atoll.server.domain.game_offer import build_offer
from atoll.server.domain.settings import ServerSettings
from atoll.server.domain.trial import TrialLimits, trial_failure
from tests.engine import plugged

ROOT = Path(__file__).parents[2]
OWN = ["atacama", "atlandice", "atua", "raiatea", "wutaki"]
SETUP = """
    def setup(self, components, options, seats):
        {does}
        return super().setup(components, options, seats)
"""
BOUND = "    max_answers = 3"


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which packages are installed, for this process and for trials."""
    monkeypatch.syspath_prepend(str(tmp_path))
    paths = [str(tmp_path), str(ROOT), os.environ.get("PYTHONPATH", "")]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))
    monkeypatch.setattr(registry, "left_out", {})
    monkeypatch.setattr(atoll, "games", registry.Registry(registry.GROUP))
    return tmp_path


def spoilt(body: str) -> str:
    """A module with a game into whose class something is written."""
    text = plugged.game("pearls")
    return text.replace('    package = "tests.toy"\n', f'    package = "tests.toy"\n{body}\n')


def put(site: Path, text: str) -> None:
    plugged.installed(site, "atoll-pearls", {"atoll.games": {"pearls": "pearls_game:GAME"}}, pearls_game=text)


def test_all_games_are_offered_that_pass_their_trial(site: Path) -> None:
    put(site, plugged.game("pearls"))
    assert sorted(build_offer(ServerSettings())) == sorted([*OWN, "pearls"])
    assert not registry.left_out


def test_the_games_on_offer_are_a_setting(site: Path) -> None:
    offer = build_offer(ServerSettings(games="wutaki, atacama"))
    assert list(offer) == ["wutaki", "atacama"] and offer["atacama"].id == "atacama"
    with pytest.raises(UnknownGame, match="unknown game 'atua'; known: wutaki, atacama"):
        offer["atua"]
    with pytest.raises(UnknownGame, match="unknown game 'pearls'; known: atacama, "):
        build_offer(ServerSettings(games="atacama,pearls"))


@pytest.mark.parametrize(
    ("text", "bounds", "why"),
    [
        ("1 / 0", {}, "BrokenGame: the game 'pearls' of atoll-pearls can't be loaded: ZeroDivisionError"),
        ("import os\nos._exit(7)", {}, "its trial ended with status 7"),
        (spoilt(SETUP.format(does="1 / 0")), {}, "ZeroDivisionError: division by zero"),
        (spoilt(SETUP.format(does="__import__('time').sleep(100)")), {"seconds": 2}, "wasn't over after 2 s"),
        (spoilt(SETUP.format(does="bytearray(1 << 31)")), {}, "it takes more than 1,073,741,824 bytes of memory"),
        (spoilt(BOUND), {}, "LimitExceeded: answers in a game: 4; allowed: 3"),
        (plugged.game("pearls"), {"step_s": 0}, "LimitExceeded: an answer to "),
        (plugged.game("pearls"), {"view": 1000}, "LimitExceeded: bytes of a view: "),
        (plugged.game("pearls"), {"save": 100}, "LimitExceeded: bytes of a save: "),
        (plugged.game("pearls"), {"choices": 10}, "LimitExceeded: choices: "),
        (plugged.game("pearls"), {"file": 100}, "LimitExceeded: bytes of "),
    ],
)
def test_a_game_that_fails_its_trial_is_left_out(site: Path, text: str, bounds: dict[str, Any], why: str) -> None:
    put(site, text)
    assert why in trial_failure("pearls", dataclasses.replace(TrialLimits(), **bounds))


def test_a_house_opens_without_the_game_that_fails(site: Path, caplog: pytest.LogCaptureFixture) -> None:
    put(site, "1 / 0")
    assert list(build_offer(ServerSettings())) == OWN
    (line,) = caplog.messages
    assert line.startswith("game pearls of atoll-pearls is left out: BrokenGame: the game 'pearls'")


@pytest.mark.parametrize(
    ("text", "seconds", "why"),
    [
        ("__import__('time').sleep(100)", 2, "its trial wasn't over after 2 s"),
        ("__import__('os')._exit(7)", 60, "its trial ended with status 7"),
        ("raise SystemExit('no')", 60, "SystemExit: no"),
    ],
)
def test_a_plugin_that_hangs_or_ends_its_process_is_left_out(
    site: Path, text: str, seconds: float, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (site / "hostile_plugin.py").write_text(text)
    monkeypatch.setenv(registry.VARIABLE, "hostile_plugin")
    monkeypatch.setattr(registry, "_imported", {})
    assert sorted(build_offer(ServerSettings(games=",".join(OWN)), TrialLimits(seconds=seconds))) == OWN
    assert registry.left_out == {"plugin hostile_plugin": why}
    assert os.environ[registry.VARIABLE] == ""
