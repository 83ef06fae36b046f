"""The router that is shipped for several servers sends all requests of a table to one of them."""

import re
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from benchmarks.router import SHIPPED, Router, adapted

from .serving import Player, serving, together


def _map(name: str) -> list[tuple[str, str]]:
    """The lines of a map of the shipped configuration: a pattern (or "default") and its value."""
    found = re.search(rf"map \S+ \${name} {{\n(.*?)\n}}", SHIPPED.read_text("utf-8"), re.DOTALL)
    assert found is not None
    return [(key.strip('"'), value.strip('"')) for key, value in re.findall(r"(\S+)\s+(\S+);", found[1])]


def _key(path: str, watch: str = "") -> str:
    """The key by which a request is routed, as nginx computes it."""

    def value(name: str, source: str, groups: dict[str, str]) -> str:
        for pattern, result in _map(name):
            matched = re.search(pattern[1:].replace("(?<", "(?P<"), source) if pattern != "default" else None
            if matched is not None or pattern == "default":
                named = {} if matched is None else {f"${name}": text for name, text in matched.groupdict().items()}
                return {**groups, **named}.get(result, result)
        raise AssertionError(name)

    return value("atoll_key", path, {"$atoll_reader": value("atoll_reader", watch, {})})


SESSION = "$http_cookie$http_authorization$remote_addr"


@pytest.mark.parametrize(
    ("path", "watch", "key"),
    [
        ("/t/abc123", "", "abc123"),
        ("/t/abc123/choose", "other", "abc123"),
        ("/api/v1/tables/abc123", "", "abc123"),
        ("/api/v1/tables/abc123/seats/0/apply", "", "abc123"),
        ("/api/v1/tables/mine", "", SESSION),
        ("/api/v1/tables", "", SESSION),
        ("/events", "abc123,def", "abc123"),
        ("/events", "abc123%2Cdef", "abc123"),
        ("/events", "", SESSION),
        ("/events", "lobby", SESSION),
        ("/api/v1/events", "abc123", "abc123"),
        ("/t/ABC", "", SESSION),
        ("/tables/x", "", SESSION),
        ("/", "", SESSION),
    ],
)
def test_each_request_has_the_key_of_its_table(path: str, watch: str, key: str) -> None:
    assert _key(path, watch) == key


def test_the_shipped_router_is_adapted_to_servers_of_this_machine() -> None:
    text = adapted(SHIPPED.read_text("utf-8"), 9000, [9001, 9002])
    assert "listen 127.0.0.1:9000;" in text and "ssl" not in text and "10.0.0" not in text
    assert text.count("server 127.0.0.1:900") == 2 and "hash $atoll_key consistent;" in text
    assert "hash" not in adapted(text.replace("hash", "hash", 1), 1, [2], by_table=False).replace("$atoll", "")


@pytest.mark.skipif(shutil.which("nginx") is None, reason="needs nginx")
def test_a_table_stays_at_one_server_and_moves_when_that_one_dies(postgres_url: str, tmp_path: Path) -> None:
    with serving(postgres_url) as one, serving(postgres_url) as two:
        ports = [int(each.base.rpartition(":")[2]) for each in (one, two)]
        router = Router(tmp_path, ports)
        try:
            front: Any = SimpleNamespace(base=f"http://127.0.0.1:{router.port}")
            tables = [together(front, "atacama", "Ada", "Bob") for _ in range(4)]

            def play() -> None:
                """Play four moves at each table."""
                for table, people in tables:
                    for _ in range(4):
                        _move(people, table)

            play()
            place = {table: _places(router, table) for table, _ in tables}
            assert all(len(each) == 1 for each in place.values()), place
            dead = next(iter(place[tables[0][0]]))
            (one if dead.endswith(f":{ports[0]}") else two).kill()
            play()
            for table, people in tables:
                assert len(people[0].get(f"/tables/{table}/record")["lines"]) >= 8
        finally:
            router.end()


def _places(router: Router, table: str) -> set[str]:
    """The servers that answered requests of a table."""
    return {server for server, path, _ in router.requests() if f"/tables/{table}/" in path}


def _move(people: list[Player], table: str) -> None:
    """Make one random choice for the seat that is asked."""
    for seat, player in enumerate(people):
        turn = player.get(f"/tables/{table}/seats/{seat}/legal")["turn"]
        if turn and turn["legal"]:
            player.post(f"/tables/{table}/seats/{seat}/apply", {"choices": [turn["legal"][0]], "stamp": turn["stamp"]})
            return
    raise AssertionError("nobody is asked")
