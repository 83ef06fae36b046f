"""The JSON API from outside: whole games over HTTP, killed servers, and requests of a fuzzer."""

import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

import httpx2
import msgspec
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import CHECKS, load_all_checks

from atoll.testing.shares import seal_body, share_body
from tests.toy import GAME as TOY

from .conftest import Program, Site
from .serving import Player, Server, serving, together

EXAMPLE = Path(__file__).parents[2] / "examples" / "http_bot.py"


def test_the_example_bot_plays_a_whole_game_over_http(tmp_path: Path) -> None:
    with serving(f"sqlite:///{tmp_path}/atoll.db") as server:
        first = subprocess.Popen(
            [sys.executable, str(EXAMPLE), server.base, "--name", "Ada", "--new", "atacama", "2", "--seed", "1"],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert first.stdout is not None
        table = first.stdout.readline().split()[1].rstrip(",")
        second = subprocess.run(
            [sys.executable, str(EXAMPLE), server.base, "--name", "Bob", "--table", table, "--seed", "2"],
            capture_output=True,
            text=True,
            timeout=100,
            check=True,
        )
        assert second.stdout.splitlines()[-1] == first.stdout.read().splitlines()[-1]
        assert second.stdout.splitlines()[-1].startswith("over: places [")
        assert first.wait(10) == 0
        first.stdout.close()
        view = httpx2.get(f"{server.base}/api/v1/tables/{table}").json()
        assert view["status"] == "over" and [seat["name"] for seat in view["seats"]] == ["Ada", "Bob"]


class Killer:
    """Sends requests as a patient client does.

    It kills and starts the server at random moments of some of them.
    """

    def __init__(self, server: Server, seed: int) -> None:
        self._server: Server = server
        self._rng = random.Random(seed)
        self.kills: int = 0

    def request(self, player: Player, method: str, path: str, body: Any = None) -> Any:
        """The answer, whatever happens meanwhile."""
        if self._rng.random() > 0.03:
            return _patiently(player, method, path, body)
        self.kills += 1
        killing = threading.Thread(target=self._kill, args=(self._rng.uniform(0, 0.02),))
        killing.start()
        answer = _patiently(player, method, path, body)
        killing.join()
        return answer

    def _kill(self, delay: float) -> None:
        time.sleep(delay)
        self._server.kill()
        self._server.start()


def _patiently(player: Player, method: str, path: str, body: Any = None) -> Any:
    """Ask until the server is there; the same request with the same key, as a client would."""
    until = time.monotonic() + 300
    while True:
        try:
            answer = player.client.request(method, path, json=body)
        except httpx2.TransportError:
            assert time.monotonic() < until
            time.sleep(0.02)
            continue
        assert answer.is_success, f"{method} {path}: {answer.status_code} {answer.text}"
        return answer.json()


@pytest.mark.timeout(1200)
def test_killed_again_and_again_nothing_confirmed_is_lost(tmp_path: Path) -> None:
    """Two players continue as if nothing happened; the record has all confirmed choices in order."""
    rng = random.Random(4)
    with serving(f"sqlite:///{tmp_path}/atoll.db", bot_workers=1) as server:
        table, players = together(server, "atacama", "Ada", "Bob")
        confirmed: list[tuple[int, str]] = []
        killer = Killer(server, 9)
        while killer.request(players[0], "GET", f"/tables/{table}")["status"] != "over":
            for seat, player in enumerate(players):
                path = f"/tables/{table}/seats/{seat}"
                turn = killer.request(player, "GET", f"{path}/legal")["turn"]
                if turn is None or not turn["legal"]:
                    continue
                choice = rng.randrange(len(turn["legal"]))
                body = {"choices": [turn["legal"][choice]], "stamp": turn["stamp"], "key": f"{rng.random()}"}
                done = killer.request(player, "POST", f"{path}/apply", {**body, "confirm": False})
                body = {"stamp": done["stamp"], "key": f"{rng.random()}"}
                done = killer.request(player, "POST", f"{path}/confirm", body)
                assert done["confirmed"]
                confirmed.append((seat, turn["texts"][choice]))
        assert killer.kills > 2
        record = players[0].get(f"/tables/{table}/export")["record"]
        assert [(step["seat"], step["choice"]) for step in record if step["seat"] is not None] == confirmed


def test_the_server_ends_when_told_and_goes_on_later(tmp_path: Path) -> None:
    with serving(f"sqlite:///{tmp_path}/atoll.db") as server:
        table, players = together(server, "atacama", "Ada", "Bob")
        before = players[0].get(f"/tables/{table}")
        for by in (signal.SIGINT, signal.SIGTERM):
            stream = httpx2.Client(timeout=30)
            open_tabs = [stream.build_request("GET", f"{server.base}/events?watch={table}") for _ in range(4)]
            answers = [stream.send(each, stream=True) for each in open_tabs]
            assert server.end(by) in (0, -by)
            for answer in answers:
                answer.read()  # it ends as an answer does
            assert not [line for line in server.log if "Traceback" in line or "rror" in line], server.log
            server.start()
            assert players[0].get(f"/tables/{table}") == before


def give(who: Program, table: str, seat: int) -> None:
    """Seal or show a seat's share, as a program does."""
    chance = who.ask("GET", f"/tables/{table}").json()["chance"]
    path, body = ("seal", seal_body(chance, seat)) if chance["terms"] is None else ("share", share_body(chance, seat))
    for _ in range(2):
        assert who.ask("POST", f"/tables/{table}/seats/{seat}/{path}", body).status_code == 204


def test_tables_can_be_made_filled_and_left_through_the_api(site: Site) -> None:
    ada, bob = site.program("Ada"), site.program("Bob")
    games = {game["id"]: game for game in ada.ask("GET", "/games").json()}
    assert games["toy"]["seat_counts"] == list(TOY.seat_counts)
    assert games["atacama"]["bots"]
    assert games["atacama"]["bots_by_seats"].keys() == {"2", "4"}
    assert games["atacama"]["bots_by_seats"]["2"][0] == "beginner"
    body = {
        "game": "toy",
        "seats": [{"kind": "me"}, {"kind": "invite"}, {"kind": "open"}, {"kind": "bot", "bot": "beginner"}],
        "options": {"deal": "short"},
        "visibility": "link",
        "clock": {"bank_s": 3600, "increment_s": 60, "cap_s": 7200},
        "key": "one",
    }
    table = ada.ask("POST", "/tables", body).json()["table"]
    assert ada.ask("POST", "/tables", body).json()["table"] == table
    token = ada.ask("POST", f"/tables/{table}/seats/1/invitation").json()["token"]
    assert bob.ask("POST", "/invitations/accept", {"token": token}).json() == {"table": table, "seat": 1}
    assert ada.ask("PUT", f"/tables/{table}/seats/2", {"kind": "bot"}).status_code == 204
    for _ in ("seal", "show"):
        for seat, who in ((0, ada), (1, bob)):
            give(who, table, seat)
    view = bob.ask("GET", f"/tables/{table}").json()
    assert view["status"] == "running" and view["seat"] == 1 and view["turn"]["texts"]
    heeds = {"hours": False, "weekend": False, "vacation": False, "at_zero": "stand_in"}
    assert view["clock"] == {"bank_s": 3600, "increment_s": 60, "cap_s": 7200, **heeds}
    text = view["turn"]["texts"][0]
    done = bob.ask(
        "POST", f"/tables/{table}/seats/1/apply", {"choices": [text], "stamp": view["turn"]["stamp"], "confirm": False}
    )
    assert done.json()["confirmed"] is False
    assert bob.ask("POST", f"/tables/{table}/seats/1/restart", {"stamp": done.json()["stamp"]}).status_code == 200
    assert bob.ask("POST", f"/tables/{table}/seats/1/leave").status_code == 204
    view = ada.ask("GET", f"/tables/{table}").json()
    assert view["seats"][1]["stand_in"] is True
    assert bob.ask("GET", "/tables/mine").json()[0]["id"] == table
    assert [entry["key"] for entry in ada.ask("GET", f"/tables/{table}/log").json()["log"]][-2:] == [
        "resigned",
        "stand_in",
    ]


@pytest.mark.parametrize(
    ("body", "status", "told"),
    [
        ({"seats": [{"kind": "me"}]}, 422, "missing required field `game`"),
        (
            {"game": "toy", "seats": [{"kind": "king"}]},
            422,
            "[0].kind`; allowed: bot, device, invite, me, open",
        ),
        ({"game": "toy", "seats": [{"kind": "me"}], "visibility": "x"}, 422, "allowed: link, lobby, private"),
        ({"game": "toy", "seats": [{"kind": "me"}], "more": 1}, 422, "unknown field `more`"),
        ({"game": "toy", "seats": []}, 422, "length >= 1 - at `$.seats`"),
        ({"game": "toy", "seats": [{"kind": "me"}], "clock": {"bank_s": 1}}, 422, ">= 60 - at `$.clock.bank_s`"),
        ({"game": 7, "seats": [{"kind": "me"}]}, 422, "Expected `str`, got `int` - at `$.game`"),
        (b"{", 400, "the request body isn't valid JSON"),
        (b"", 400, "the request body isn't valid JSON"),
        (b'{"game": "\xff"}', 400, "the request body isn't valid JSON"),
    ],
)
def test_a_malformed_body_is_refused_with_what_is_wrong(site: Site, body: Any, status: int, told: str) -> None:
    ada = site.program("Ada")
    content = body if isinstance(body, bytes) else msgspec.json.encode(body)
    headers = {**ada.headers, "content-type": "application/json"}
    answer = site.client.post("/api/v1/tables", content=content, headers=headers)
    assert answer.status_code == status
    assert answer.json()["code"] == "malformed" and told in answer.json()["detail"]
    assert ada.ask("GET", "/tables/mine").json() == []


def test_what_is_not_sent_as_json_is_not_read(site: Site) -> None:
    """A foreign page can only send forms and plain text without asking first."""
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""):
        answer = site.client.post("/api/v1/guests", content=b'{"name": "Ada"}', headers={"content-type": kind})
        assert answer.status_code == 415 and "application/json" in answer.json()["detail"]
    answer = site.client.post(
        "/api/v1/guests", content=b'{"name": "Ada"}', headers={"content-type": "application/json; charset=utf-8"}
    )
    assert answer.status_code == 201


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("/tables/abc?seat=x", "Expected `int | null`, got `str` - at `$.seat`"),
        ("/tables/abc?seat=32", "Expected `int` <= 31 - at `$.seat`"),
        ("/tables/abc?log=-1", "Expected `int` >= 0 - at `$.log`"),
        ("/tables/ABC", "at `$.table`"),
        ("/tables/abc/moments/x", "at `$.sequence`"),
        ("/versions?" + "&".join(["watch=a"] * 51), "length <= 50 - at `$.watch`"),
        ("/events?views=maybe", "at `$.views`"),
    ],
)
def test_malformed_parameters_are_refused_by_name(site: Site, path: str, told: str) -> None:
    answer = site.program("Ada").ask("GET", path)
    assert answer.status_code == 422 and told in answer.json()["detail"]


@pytest.mark.parametrize("query", ["watch={}&watch={}", "watch={},{}"])
def test_versions_of_several_tables_are_asked_for_in_either_way(site: Site, query: str) -> None:
    ada, eve = site.program("Ada"), site.program("Eve")
    seats = [{"kind": "me"}, {"kind": "open"}]
    tables = [ada.ask("POST", "/tables", {"game": "toy", "seats": seats}).json()["table"] for _ in range(2)]
    assert eve.ask("GET", "/versions?" + query.format(*tables)).json()["tables"].keys() == {*tables}


def test_the_api_describes_itself(site: Site) -> None:
    described = site.client.get("/api/v1/openapi.json").json()
    apply = described["paths"]["/tables/{table}/seats/{seat}/apply"]["post"]
    assert apply["summary"] == "Make choices, all or none; they are final unless `confirm` is false."
    assert [each["name"] for each in apply["parameters"]] == ["table", "seat"]
    assert apply["requestBody"]["content"]["application/json"]["schema"] == {"$ref": "#/components/schemas/ApplyBody"}
    assert apply["responses"].keys() == {"200", *map(str, (400, 401, 403, 404, 408, 409, 413, 415, 422, 429, 503))}
    view = described["paths"]["/tables/{table}"]["get"]
    assert view["responses"]["200"]["content"]["application/json"]["schema"] == {
        "$ref": "#/components/schemas/TableView"
    }
    assert "turn" in described["components"]["schemas"]["TableView"]["properties"]


def test_sections_of_docstrings_become_descriptions_of_fields(site: Site) -> None:
    text = site.client.get("/api/v1/openapi.json").text
    assert not any(f"{section}:\\n" in text for section in ("Args", "Attributes", "Returns", "Raises"))
    described = msgspec.json.decode(text)
    body = described["components"]["schemas"]["ApplyBody"]
    assert body["description"] == "Choices to make, all or none."
    assert body["properties"]["confirm"]["description"] == (
        "Whether they are final immediately; otherwise they are added to the turn draft."
    )
    apply = described["paths"]["/tables/{table}/seats/{seat}/apply"]["post"]
    assert apply["description"] == apply["summary"]
    operations = [each for methods in described["paths"].values() for each in methods.values()]
    assert all(each["description"] for operation in operations for each in operation["parameters"])


def test_long_answers_are_zipped_for_who_takes_that(site: Site) -> None:
    plain = site.client.get("/api/v1/openapi.json", headers={"accept-encoding": "identity"})
    zipped = site.client.get("/api/v1/openapi.json", headers={"accept-encoding": "gzip"})
    assert "content-encoding" not in plain.headers and zipped.headers["content-encoding"] == "gzip"
    assert plain.headers["vary"] == zipped.headers["vary"] == "accept-encoding"
    assert plain.json() == zipped.json() and int(zipped.headers["content-length"]) < len(plain.content) / 2


# -- a fuzzer ------------------------------------------------------------------------------------------------------


PHASES = (Phase.explicit, Phase.generate)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("examples", [8, pytest.param(200, marks=pytest.mark.fuzz)])
def test_no_request_makes_the_api_fail_or_answer_what_it_does_not_document(tmp_path: Path, examples: int) -> None:
    """schemathesis over every operation, with signed-in players and real ids mixed in."""
    with serving(f"sqlite:///{tmp_path}/atoll.db") as server:
        running, players = together(server, "atacama", "Ada", "Bob")
        seats = [{"kind": "me"}, {"kind": "open"}]
        gathering = players[0].post("/tables", {"game": "atacama", "seats": seats})["table"]
        fuzzer = Fuzzer([running, gathering], [player.token for player in players])
        schema = schemathesis.openapi.from_url(f"{server.base}/api/v1/openapi.json")
        operations: list[Any] = [result.ok() for result in schema.get_all_operations()]  # type: ignore[union-attr]
        for operation in operations:
            if not operation.path.endswith("/events"):
                fuzzer.fuzz(operation, examples)
        assert fuzzer.statuses.keys() >= {200, 201, 204, 401, 403, 404, 409, 422}
        assert not any("Traceback" in line for line in server.log), "".join(server.log)


class Fuzzer:
    """Sends what schemathesis makes up, often with ids and tokens that exist."""

    def __init__(self, tables: list[str], tokens: list[str]) -> None:
        self._tables: list[str] = tables
        self._tokens: list[str] = tokens
        self._rng = random.Random(7)
        load_all_checks()
        self._checks = [
            CHECKS.get_one(name)
            for name in (
                "not_a_server_error",
                "status_code_conformance",
                "content_type_conformance",
                "response_schema_conformance",
            )
        ]
        self.statuses: Counter[int] = Counter()

    def fuzz(self, operation: Any, examples: int) -> None:
        """Try one operation with some examples."""

        @settings(
            max_examples=examples, deadline=None, database=None, suppress_health_check=list(HealthCheck), phases=PHASES
        )
        @given(case=operation.as_strategy())
        def run(case: Any) -> None:
            parameters = case.path_parameters or {}
            if "table" in parameters and self._rng.random() < 0.8:
                parameters["table"] = self._rng.choice(self._tables)
            if "seat" in parameters and self._rng.random() < 0.8:
                parameters["seat"] = self._rng.randrange(2)
            headers = dict(case.headers or {})
            headers.pop("Authorization", None)
            if self._rng.random() < 0.9:
                headers["authorization"] = f"Bearer {self._rng.choice(self._tokens)}"
            answer = case.call(headers=headers)
            self.statuses[answer.status_code] += 1
            case.validate_response(answer, checks=self._checks)

        run()
