"""A game without some of its texts is played all the same.

The page shows their keys instead, and the server logs each of them once.
"""

import importlib
import itertools
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from atoll.engine.translations import catalogue, humanize
from atoll.server.domain.model import NewTable, SeatPlan
from atoll.server.presentation import texts
from atoll.testing.shares import give_shares
from tests.toy import GAME as TOY

from .conftest import Site, site_at

WORDS = Path(__file__).parent.parent / "toy" / "words"
LOST = ("prompt", "kind", "log", "reason", "score", "name", "option")


class Mute(type(TOY)):  # type: ignore[misc]
    """The toy, which has no text but its title."""

    package = "mute_toy"

    def _own_components(self) -> Any:
        return TOY.data


@pytest.fixture
def site(tmp_path: Path, sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """The application with the mute toy."""
    (tmp_path / "mute_toy" / "words").mkdir(parents=True)
    (tmp_path / "mute_toy" / "__init__.py").write_text("")
    for source in WORDS.glob("*.po"):
        text = re.sub(rf"toy\.({'|'.join(LOST)})\.", r"lost.\1.", source.read_text())
        (tmp_path / "mute_toy" / "words" / source.name).write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.invalidate_caches()
    with site_at(sqlite_url, {"toy": Mute()}) as found:
        yield found
    sys.modules.pop("mute_toy", None)
    catalogue.cache_clear()
    texts.log_once.cache_clear()


def test_a_whole_game_without_texts(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    ada, bob = site.browser("Ada"), site.browser("Bob")
    table = site.call(site.tables.table_setup.create, ada.user, NewTable("toy", (SeatPlan("me"), SeatPlan("open"))))
    site.call(site.tables.table_setup.join, bob.user, table)
    site.call(give_shares, site.tables, table)
    rng = random.Random(3)
    seen = ""
    for step in itertools.count():
        views = [(person, site.call(site.tables.table_views.table, person.user, table)) for person in (ada, bob)]
        if views[0][1].status == "over":
            break
        person, view = next(each for each in views if each[1].turn and each[1].turn.legal)
        choice = rng.choice(view.turn.legal)
        if step % 9 == 0:
            for path in (f"?seat={view.seat}", f"/preview?choices={choice}", "/why?choice=pay+*+*;play+*", "/replay"):
                answer = person.get(f"/t/{table}{path}")
                assert answer.status_code == 200, path
                seen += answer.text
        site.call(site.tables.turns.choose, person.user, table, view.seat, [choice], view.turn.stamp, confirm=True)
    for path in ("", "/replay", "/fairness"):
        answer = ada.get(f"/t/{table}{path}")
        assert answer.status_code == 200, path
        seen += answer.text
    noted = capsys.readouterr().err
    for key in ("toy.prompt.wish", "toy.kind.enough", "toy.log.start", "toy.score.cards"):
        assert humanize(key) in seen
        assert key in noted
    lines = [line for line in noted.splitlines() if "toy.prompt.wish" in line]
    assert len(lines) == 1, "once, not for every page"


def test_a_text_with_a_placeholder_that_has_no_value_shows_what_its_key_says(site: Site) -> None:
    words = texts.game_texts(Mute(), "en", ())
    assert words.say("table.nothing") == "Nothing"
    assert texts.site("en").text("table.log.left") == "table.log.left", "it has a placeholder"
    texts.log_once.cache_clear()
