"""Commands to the API that a connection answers by itself: nobody can tell them from those that go through ASGI."""

import asyncio
import re
from collections import Counter
from typing import Any

import msgspec
import pytest
from prometheus_client import REGISTRY
from structlog.testing import capture_logs

from atoll.server.run import answered_behind
from atoll.server.tables.turn import Turns
from atoll.server.web.connection import Connection
from atoll.server.web.heads import Heads
from benchmarks.served import Line, Party, party, protocol, served, still

_HOST = b"host: 127.0.0.1\r\n"
_JSON = b"content-type: application/json\r\n"
_COUNTED = (
    "atoll_requests",
    "atoll_requests_refused",
    "atoll_request_seconds",
    "atoll_choices",
    "atoll_command_seconds",
)


class _Wire(Line):
    """A connection on which anything can be sent."""

    closed = False
    name = ""

    def close(self) -> None:
        self.closed = True

    def abort(self) -> None:
        self.closed = True

    def is_closing(self) -> bool:
        return self.closed


class _Told:
    """One way to answer: all answers, as they were sent, and for how many requests of each name that was done directly.

    read: how many the parser has read.
    """

    def __init__(self, *, directly: bool) -> None:
        self.directly = directly
        self.direct: Counter[str] = Counter()
        self.read: Counter[str] = Counter()
        self.answers: dict[str, bytes] = {}
        self.counted: dict[str, float] = {}
        self.logged: list[Any] = []


def _counts() -> dict[str, float]:
    found = {}
    for metric in REGISTRY.collect():
        if metric.name in _COUNTED:
            for each in metric.samples:
                if each.name.endswith(("_total", "_count", "_bucket")):
                    found[f"{each.name} {sorted(each.labels.items())}"] = each.value
    return found


def _post(path: str, body: bytes, *headers: bytes, version: bytes = b"1.1", host: bytes = _HOST) -> bytes:
    head = b"POST /api/v1%b HTTP/%b\r\n" % (path.encode(), version)
    sized = b"" if any(b"transfer-encoding" in each for each in headers) else b"content-length: %d\r\n" % len(body)
    return head + host + b"".join(headers) + sized + b"\r\n" + body


async def _answers(told: _Told) -> None:
    """All that a program can send, one after the other at one table."""
    async with served(command="12/minute") as app:
        people: Party = await party(app, "atacama", "api")
        behind = answered_behind(app, "127.0.0.1")

        async def direct(scope: Any, body: bytes) -> Any:
            told.direct[wire.name] += 1
            return await behind(scope, body)

        wire = _Wire(protocol(app, None), "")
        make = protocol(app, direct if told.directly else None)
        begin = Connection.on_message_begin

        def begun(connection: Connection) -> None:
            told.read[wire.name] += 1
            begin(connection)

        token = b"authorization: Bearer %b\r\n" % people.tokens[0].encode()
        other = b"authorization: Bearer %b\r\n" % people.tokens[1].encode()

        async def say(name: str, *pieces: bytes) -> None:
            nonlocal wire
            wire = _Wire(make, "")
            wire.name = name
            for piece in pieces:
                wire.send(piece)
                for _ in range(100):
                    await asyncio.sleep(0)
            told.answers[name] = re.sub(rb"date: [^\r]+", b"date:", wire.take()) + b"closed" * wire.closed
            wire.hang_up()

        async def choice() -> tuple[int, int, str]:
            for seat, user in enumerate(people.users):
                turn = await people.tables.reading.legal(user, people.table, seat)
                if turn is not None:
                    return seat, turn.legal[0], turn.stamp
            raise AssertionError

        async def move(**more: Any) -> tuple[int, bytes]:
            seat, chosen, stamp = await choice()
            return seat, msgspec.json.encode({"choices": [chosen], "stamp": stamp, **more})

        def at(seat: int) -> str:
            return f"/tables/{people.table}/seats/{seat}/apply"

        tokens = (token, other)
        before = _counts()
        with capture_logs() as logs, pytest.MonkeyPatch.context() as patch:
            patch.setattr(Connection, "on_message_begin", begun)
            seat, good = await move(key="first")
            await say("good", _post(at(seat), good, _JSON, tokens[seat]))
            await say("repeated", _post(at(seat), good, _JSON, tokens[seat]))
            changed = msgspec.json.encode({**msgspec.json.decode(good), "choices": [1]})
            await say("another command under the same key", _post(at(seat), changed, _JSON, tokens[seat]))
            stale = msgspec.json.encode({**msgspec.json.decode(good), "key": "other"})
            await say("stale", _post(at(seat), stale, _JSON, tokens[seat]))
            seat, good = await move()
            illegal = msgspec.json.encode({**msgspec.json.decode(good), "choices": [2**31 - 1]})
            await say("illegal", _post(at(seat), illegal, _JSON, tokens[seat]))
            await say("somebody else's seat", _post(at(seat), good, _JSON, tokens[1 - seat]))
            await say("nobody", _post(at(seat), good, _JSON))
            await say("a wrong token", _post(at(seat), good, _JSON, b"authorization: Bearer x\r\n"))
            await say("a strange token", _post(at(seat), good, _JSON, b"authorization: Basic \xff\r\n"))
            await say("a strange name", _post(at(seat), good, _JSON, token, host=b"host: evil.example\r\n"))
            await say("no name", _post(at(seat), good, _JSON, token, host=b""))
            await say("no JSON", _post(at(seat), b'{"choices": [1', _JSON, token))
            await say("no UTF-8", _post(at(seat), b'{"stamp": "\xff"}', _JSON, token))
            await say("nothing", _post(at(seat), b"", _JSON, token))
            await say("a list", _post(at(seat), b"[]", _JSON, token))
            await say("wrong types", _post(at(seat), b'{"choices": "all", "stamp": 5}', _JSON, token))
            await say("too many fields", _post(at(seat), b'{"choices": [1], "stamp": "", "x": 1}', _JSON, token))
            await say("a long key", _post(at(seat), good[:-1] + b',"key":"%b"}' % (b"k" * 65), _JSON, token))
            await say("a text", _post(at(seat), good, b"content-type: text/plain\r\n", token))
            await say("too long", _post(at(seat), b" " * 70_000, _JSON, token))
            await say("said to be too long", _post(at(seat), b" " * 70_000, _JSON, token)[:900])
            await say("no such seat", _post(at(31), good, _JSON, token))
            await say("no seat", _post(at(99), good, _JSON, token))
            await say("no such table", _post("/tables/nowhere/seats/0/apply", good, _JSON, token))
            await say("no table", _post("/tables/No-Where/seats/0/apply", good, _JSON, token))
            await say("no such page", _post("/tables/x/nothing", b"", token))
            await say("another method", _post(f"/tables/{people.table}", b"", token))
            await say("something made", _post(f"/tables/{people.table}/chat", b'{"text": "hi"}', _JSON, token))
            await say(
                "nothing to tell", _post(f"/tables/{people.table}/seats/0/vote", b'{"subject": "cancel"}', _JSON, token)
            )

            seat, good = await move()
            request = _post(at(seat), good, _JSON, tokens[seat])
            await say("in pieces", *(request[at : at + 20] for at in range(0, len(request), 20)))
            seat, good = await move()
            body = b"".join(b"%x\r\n%b\r\n" % (1, good[at : at + 1]) for at in range(len(good))) + b"0\r\n\r\n"
            await say("in chunks", _post(at(seat), body, _JSON, tokens[seat], b"transfer-encoding: chunked\r\n"))
            seat, good = await move()
            await say("the last", _post(at(seat), good, _JSON, tokens[seat], b"connection: close\r\n"))
            seat, good = await move()
            await say("an old client", _post(at(seat), good, _JSON, tokens[seat], version=b"1.0"))
            seat, good = await move()
            await say("asked first", _post(at(seat), good, _JSON, tokens[seat], b"expect: 100-continue\r\n"))
            seat, good = await move()
            await say("with a query", _post(at(seat) + "?x=1", good, _JSON, tokens[seat]))
            seat, good = await move()
            forwarded = b"x-forwarded-for: 192.0.2.7\r\nx-forwarded-proto: https\r\n"
            await say("by a proxy", _post(at(seat), good, _JSON, tokens[seat], forwarded))
            say_so = _post(f"/tables/{people.table}/chat", b'{"text": "ho"}', _JSON, token)
            longer = _post(f"/tables/{people.table}/chat", b'{"text": "hi, there"}', _JSON, token)
            spread = say_so.replace(b"content-length: ", b"content-length:   ")
            folded = say_so.replace(b"\r\nhost: ", b"\r\nx: content-length: 9\r\nhost: ")
            twice = say_so.replace(b"\r\nhost: ", b"\r\ncontent-length: 14\r\nhost: ")
            look = say_so.replace(b"POST", b"GET ").partition(b"content-type")[0] + b"\r\n"
            upgrade = look[:-2] + b"connection: upgrade\r\nupgrade: h2c\r\n\r\n"
            forged = say_so.replace(token, other)
            await say("again", say_so, longer, say_so)
            await say("again by somebody else", say_so, forged, _post(at(0), b"[]", _JSON))
            await say("again, then in pieces", say_so, say_so[:150], say_so[150:])
            await say("again, two at once", say_so, say_so + longer)
            await say("again, one and a half", say_so, say_so + longer[:-3], longer[-3:])
            await say("again, then no HTTP", say_so, b"\x00\x01" + say_so)
            await say("again after something else", say_so, look, say_so)
            await say("again after an upgrade", say_so, upgrade, say_so)
            await say(
                "again after the last", say_so, say_so.replace(b"\r\nhost", b"\r\nconnection: close\r\nhost"), say_so
            )
            await say("a length with spaces", spread, spread)
            await say("a length in another field", folded, folded)
            await say("two lengths", say_so, twice, say_so)
            await say("a shorter length", say_so, say_so.replace(b"content-length: 14", b"content-length: 1"), say_so)
            await say("a length with a zero", say_so, say_so.replace(b"content-length: 14", b"content-length: 014"))
            await say("two at once", say_so + say_so)
            await say("one and a half", say_so + say_so[:200], say_so[200:])
            await say("one, then no HTTP", say_so + b"\x00\x01\r\n\r\n")
            for number in range(4):
                seat, good = await move()
                await say(f"often {number}", _post(at(seat), good, _JSON, tokens[seat]))
            patch.setattr(Turns, "choose", _fails)
            await say("a fault", _post(at(0), good, _JSON, token))
        told.logged = [(each["event"], each["log_level"]) for each in logs]
        after = _counts()
        told.counted = {name: value - before.get(name, 0) for name, value in after.items()}


async def _fails(*_: Any) -> None:
    raise RuntimeError("a fault")


def _told(*, directly: bool) -> _Told:
    told = _Told(directly=directly)

    async def play() -> int:
        await _answers(told)
        return 0

    still(play)
    return told


@pytest.fixture(scope="module")
def both() -> tuple[_Told, _Told]:
    return _told(directly=True), _told(directly=False)


def test_an_answer_is_the_same_whoever_gives_it(both: tuple[_Told, _Told]) -> None:
    directly, by_asgi = both
    for name, answer in by_asgi.answers.items():
        assert _parts(directly.answers[name]) == _parts(answer), name
    assert directly.answers.keys() == by_asgi.answers.keys()


def _parts(answer: bytes) -> list[bytes]:
    """Its lines; headers have no order."""
    return sorted(answer.split(b"\r\n"))


def test_it_is_counted_and_noted_in_the_same_way(both: tuple[_Told, _Told]) -> None:
    directly, by_asgi = both
    assert directly.counted == by_asgi.counted
    assert directly.counted["atoll_requests_total [('method', 'POST'), ('status', '409')]"] == 1
    assert directly.logged == by_asgi.logged and directly.logged


def test_what_is_sent_at_once_is_answered_directly(both: tuple[_Told, _Told]) -> None:
    directly, by_asgi = both
    unusual = {
        "too long",
        "said to be too long",
        "in pieces",
        "the last",
        "an old client",
        "asked first",
        "with a query",
    }
    assert not by_asgi.direct
    assert directly.answers.keys() - directly.direct.keys() == unusual


@pytest.mark.parametrize(
    ("name", "directly_answered", "read"),
    [
        ("again", 3, 1),
        ("again by somebody else", 3, 3),
        ("again, then in pieces", 2, 2),
        ("again, two at once", 2, 3),
        ("again, one and a half", 2, 3),
        ("again, then no HTTP", 1, 2),
        ("again after something else", 2, 3),
        ("again after an upgrade", 2, 3),
        ("again after the last", 1, 2),
        ("a length with spaces", 2, 2),
        ("a length in another field", 2, 1),
        ("two lengths", 1, 2),
        ("a shorter length", 2, 3),
        ("a length with a zero", 2, 2),
    ],
)
def test_a_head_that_was_read_before_is_not_read_again(
    both: tuple[_Told, _Told], name: str, directly_answered: int, read: int
) -> None:
    directly, by_asgi = both
    assert (directly.direct[name], directly.read[name]) == (directly_answered, read)
    assert by_asgi.read[name] >= read


def test_only_the_last_heads_are_known_and_no_long_ones() -> None:
    heads = Heads()
    requests = [_post(f"/{number}", b"[]", _JSON) for number in range(6)]
    for request in (*requests, _post("/long", b"[]", b"x: %b\r\n" % (b"x" * 1000))):
        heads.keep(request, {"headers": [(b"content-length", b"2")]}, b"[]")
    assert [heads.find(request) is not None for request in requests] == [False, False, True, True, True, True]
    assert heads.find(_post("/long", b"[]", b"x: %b\r\n" % (b"x" * 1000))) is None


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("good", 200),
        ("repeated", 200),
        ("another command under the same key", 422),
        ("stale", 409),
        ("illegal", 422),
        ("somebody else's seat", 403),
        ("nobody", 401),
        ("a strange name", 421),
        ("no JSON", 400),
        ("a text", 415),
        ("too long", 413),
        ("no such table", 404),
        ("another method", 405),
        ("something made", 201),
        ("nothing to tell", 204),
        ("in chunks", 200),
        ("often 3", 429),
        ("a fault", 500),
    ],
)
def test_what_was_sent_is_what_it_is_called(both: tuple[_Told, _Told], name: str, status: int) -> None:
    assert both[0].answers[name].startswith(b"HTTP/1.1 %d " % status)


def test_requests_that_come_together_are_answered_in_their_order(both: tuple[_Told, _Told]) -> None:
    answer = both[0].answers["two at once"]
    numbers = [int(each) for each in re.findall(rb'"number":(\d+)', answer)]
    assert answer.count(b"HTTP/1.1 201 Created") == 2 and numbers == sorted(numbers)
