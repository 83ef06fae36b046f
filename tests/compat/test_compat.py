"""Data and answers of older code, read by the current code: databases, saves, records and the API (scripts/compat.py).

If a game's rules version was raised since, its stored games are read and continue. Otherwise every
answer is the same. An answer may have grown, but still contains everything that it contained.
"""

import itertools
import json
import lzma
import random
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest

import atoll
from atoll.engine import SeededSource, record
from atoll.server.domain import wall_clock
from atoll.server.table import game_verification
from scripts.compat import Tables, Time, site

HERE: Final = Path(__file__).parent
GAMES: Final = tuple(atoll.games)
SAMPLES: Final = ("middle", "end")


def kept(name: str) -> Any:
    """JSON that was written by scripts/compat.py."""
    return json.loads(lzma.decompress((HERE / name).read_bytes()))


ANSWERS: Final = kept("answers.json.xz")


def is_raised(game: str) -> bool:
    """Return whether the rules of a game have changed since."""
    return bool(game) and atoll.games[game].rules_version != ANSWERS["rules"][game]


SALTED = re.compile(r"\.terms\.seats\[\d+\]$|\.names\[\d+\]\.salt$")
"""Values that are drawn when a command closes the list of seals."""


def missing(old: Any, new: Any, at: str = "") -> str:
    """Return the place at which an answer lost a part of the old one, or "".

    The text of an error may change; it must only exist.
    """
    if isinstance(old, dict):
        if not isinstance(new, dict):
            return at or "all"
        names = old.keys() - {"detail"} if old.keys() == {"code", "detail", "fields"} else old.keys()
        parts = [(name, old[name], new[name]) for name in names & new.keys()]
        lost = sorted(names - new.keys())
        return f"{at}.{lost[0]}" if lost else next(filter(None, (missing(a, b, f"{at}.{n}") for n, a, b in parts)), "")
    if isinstance(old, list):
        if at.endswith(".can") and isinstance(new, list):  # more can be done by now
            new = [each for each in new if each in old]
        if not isinstance(new, list) or len(old) != len(new):
            return at or "all"
        pairs = enumerate(zip(old, new, strict=True))
        return next(filter(None, (missing(a, b, f"{at}[{n}]") for n, (a, b) in pairs)), "")
    return "" if old == new or SALTED.search(at) else f"{at}: {old!r} -> {new!r}"


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "atoll.db"
    path.write_bytes(lzma.decompress((HERE / "atoll.db.xz").read_bytes()))
    return path


@pytest.fixture
def tables(database: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Tables]:
    clock = Time(ANSWERS["now"])
    for name in ("now_ms", "machine_ms"):
        monkeypatch.setattr(wall_clock, name, clock)
    with site(database) as client:
        yield Tables(client, clock, ANSWERS["tokens"])


def content(path: Path) -> list[str]:
    """All rows of a database but those that the scheduler writes."""
    own = ('INSERT INTO "jobs"', 'INSERT INTO "identity"')
    with closing(sqlite3.connect(path)) as connection:
        return [line for line in connection.iterdump() if not line.startswith(own)]


def check_answers(tables: Tables, part: str) -> None:
    wrong = []
    for each in ANSWERS[part]:
        raised = is_raised(each["game"])
        if raised and (each["method"] != "GET" or "/moments/" in each["path"] or part == "next"):
            continue
        status, answer = tables.send(each["who"], each["method"], each["path"], each["body"])
        lost = "" if raised else missing(each["answer"], answer)
        if status != each["status"] or lost:
            wrong.append(f"{each['who']} {each['method']} {each['path']}: {each['status']} -> {status} {lost}"[:300])
    assert not wrong, "\n".join(wrong)


def test_an_older_database_is_answered_from_as_before(tables: Tables) -> None:
    check_answers(tables, "read")


def test_the_next_command_at_older_tables_is_answered_as_before(tables: Tables) -> None:
    check_answers(tables, "next")


def test_older_tables_go_on(tables: Tables) -> None:
    for game in GAMES:
        table = ANSWERS["tables"][game]
        for _ in range(10):
            if tables.ask("", "GET", f"/tables/{table}")["status"] == "running":
                tables.choose(table)
        view = tables.ask("", "GET", f"/tables/{table}")
        assert view["status"] in ("running", "over") and view["view_sequence"] > 0, view["status"]


def test_a_key_that_older_code_took_is_answered_as_the_first_time(tables: Tables, database: Path) -> None:
    before = content(database)
    check_answers(tables, "repeated")
    assert content(database) == before


def test_a_key_that_older_code_took_is_refused_for_another_command(tables: Tables, database: Path) -> None:
    before = content(database)
    commands = [each for each in ANSWERS["repeated"] if "/seats/" in each["path"]]
    for each, other in itertools.pairwise(commands):
        body = other["body"] | {"key": each["body"]["key"]}
        status, answer = tables.send(each["who"], "POST", other["path"], body)
        assert status in (403, 409, 422) and answer["code"] in ("not_yours", "stale", "malformed")
    body = commands[0]["body"] | {"choices": [1]}
    status, answer = tables.send(commands[0]["who"], "POST", commands[0]["path"], body)
    assert (status, answer["code"]) == (422, "malformed")
    assert content(database) == before


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", SAMPLES)
def test_an_older_save_is_read_and_goes_on(game: str, name: str) -> None:
    sample = kept(f"{game}.json.xz")[name]
    position = atoll.load(sample["save"], source=SeededSource(1))
    if not is_raised(game):
        views = json.loads(json.dumps([position.view(viewer) for viewer in (None, *range(position.seats))]))
        assert missing(sample["views"], views) == ""
        assert position.save_data() == sample["save"]
        found = [position.legal_choices(seat) if seat in position.to_move else [] for seat in range(position.seats)]
        assert found == sample["legal"]
    assert position.over is (name == "end")
    rng = random.Random(1)
    while not position.over:
        seat = position.to_move[0]
        position.apply(rng.choice(position.legal_choices(seat)), seat)
    if name == "end" and not is_raised(game):
        assert position.scores() == sample["scores"]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", SAMPLES)
def test_an_older_record_is_read(game: str, name: str) -> None:
    text = (HERE / f"{game}-{name}.game").read_text("utf-8")
    read = record.read(text)
    assert (read.scores is not None) is (name == "end")
    assert record.start(atoll.games[game], read).sequence == 0
    if not is_raised(game):
        assert record.check(atoll.games[game], text) is None


def test_an_older_export_is_verified() -> None:
    path = f"/tables/{ANSWERS['tables']['over']}/export"
    [export] = [each["answer"] for each in ANSWERS["read"] if (each["who"], each["path"]) == ("", path)]
    if not is_raised(export["game"]):
        assert game_verification.verify(atoll.games, json.dumps(export)).names == ["terms"]
