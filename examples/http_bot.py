"""A bot that plays a whole game over HTTP: it joins an open table or makes one, and takes random legal choices.

    python examples/http_bot.py http://127.0.0.1:8765 --name Crab               # sit down at the first open table
    python examples/http_bot.py http://127.0.0.1:8765 --name Crab --table ID    # sit down at this one
    python examples/http_bot.py http://127.0.0.1:8765 --name Crab --new toy 2   # make a table and wait for others

It needs Python 3.11 and nothing else. Replace `choose` by something cleverer. The API describes itself at
/api/v1/openapi.json.
"""

from __future__ import annotations

import argparse
import hashlib
import hmac
import json
import random
import secrets
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any


class Table:
    """The HTTP API with a token."""

    def __init__(self, server: str, name: str) -> None:
        self._base: str = server.rstrip("/") + "/api/v1"
        self._token: str = ""
        self._token = self.ask("POST", "/guests", {"name": name})["token"]

    def _request(self, method: str, path: str, body: Any = None) -> urllib.request.Request:
        request = urllib.request.Request(self._base + path, method=method)  # noqa: S310 - the user names the server
        request.add_header("content-type", "application/json")
        if self._token:
            request.add_header("authorization", f"Bearer {self._token}")
        if body is not None:
            request.data = json.dumps(body).encode()
        return request

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Return the answer as data; wait and try again if the server says so.

        Args:
            method: HTTP method.
            path: Path below the API's address.
            body: JSON body, or None.

        Raises:
            HTTPError: If the server refuses the request.
        """
        while True:
            try:
                with urllib.request.urlopen(self._request(method, path, body), timeout=30) as answer:  # noqa: S310
                    return json.loads(answer.read() or b"null")
            except urllib.error.HTTPError as error:
                if error.code not in (429, 503):
                    raise
                time.sleep(float(error.headers.get("retry-after", "1")))

    def news(self, table: str) -> Iterator[None]:
        """Once at the beginning, then whenever the table may have changed, as long as the stream lasts."""
        with urllib.request.urlopen(self._request("GET", f"/events?watch={table}"), timeout=60) as stream:  # noqa: S310
            yield
            for line in stream:
                if line.startswith(b"data: ") and table.encode() in line:
                    yield


def choose(view: dict[str, Any], rng: random.Random) -> list[int]:
    """The choices to make: any legal one."""
    return [rng.choice(view["turn"]["legal"])]


def sit_down(table: Table, wanted: str, new: list[str] | None) -> tuple[str, int]:
    """Find a seat; table and seat."""
    if new:
        game, seats = new
        plan = [{"kind": "me"}, *({"kind": "open"} for _ in range(int(seats) - 1))]
        wanted, seat = table.ask("POST", "/tables", {"game": game, "seats": plan})["table"], 0
    else:
        if not wanted:
            cards = table.ask("GET", "/tables")
            free = [card["id"] for card in cards if any(seat["kind"] == "open" for seat in card["seats"])]
            if not free:
                sys.exit("no table has an open seat")
            wanted = free[0]
        seat = table.ask("POST", f"/tables/{wanted}/join", {})["seat"]
    return wanted, seat


class Share:
    """This bot's share of the chance: sealed first, shown once the table has closed its list of seals.

    It keeps nothing after the game, so it can't judge it; docs/play/explanation-fair-chance.md says how to.
    """

    def __init__(self) -> None:
        self._secret: bytes = secrets.token_bytes(32)
        self._shown: dict[str, str] = {}  # the terms under which the share of an offer was shown

    def give(self, table: Table, id: str, seat: int, chance: dict[str, Any]) -> None:
        """Seal or show the share, as it is time for."""
        if seat not in chance["missing"]:
            return
        known = chance["offer"]
        offer = digest("offer", f"table {known['table']}", f"round {known['round']}", f"seed {known['seed']}")
        message = f"atoll-chance-2 share\n{offer}\n{seat}".encode()
        share = hmac.digest(self._secret, message, "sha256").hex()
        if chance["terms"] is None:
            path, body = "seal", {"offer": offer, "seal": digest("seal", offer, str(seat), share)}
        else:
            terms = terms_digest(offer, chance["terms"], chance["seals"])
            if self._shown.setdefault(offer, terms) != terms:
                sys.exit("the table has two lists of seals for one offer")
            path, body = "share", {"terms": terms, "share": share}
        table.ask("POST", f"/tables/{id}/seats/{seat}/{path}", body)


def digest(what: str, *lines: str) -> str:
    """SHA-256 as the protocol of chance wants it."""
    return hashlib.sha256("\n".join((f"atoll-chance-2 {what}", *lines)).encode()).hexdigest()


def terms_digest(offer: str, terms: dict[str, Any], seals: list[str]) -> str:
    """The digest of all that decides chance."""
    return digest(
        "terms",
        f"offer {offer}",
        f"game {terms['game']}",
        f"rules {terms['rules']}",
        f"components {terms['components']}",
        "options " + json.dumps(terms["options"], sort_keys=True, separators=(",", ":"), ensure_ascii=False),
        f"seats {len(terms['seats'])}",
        *(f"seat {number} {each}" for number, each in enumerate(terms["seats"])),
        f"start {terms['start']}",
        "draws hmac-sha256 from 0",
        "back no-chance no-reveal",
        *(f"seal {number} {each or '-'}" for number, each in enumerate(seals)),
    )


def play(table: Table, id: str, seat: int, rng: random.Random) -> dict[str, Any]:
    """Play until the end; the last view."""
    share = Share()
    while True:
        for _ in table.news(id):
            while True:
                view: dict[str, Any] = table.ask("GET", f"/tables/{id}?seat={seat}&log=10000000")
                if view["status"] in ("over", "cancelled"):
                    return view
                if not view["chance"] and (not view["turn"] or not view["turn"]["legal"]):
                    break
                try:
                    if view["chance"]:
                        share.give(table, id, seat, view["chance"])
                        break
                    move = {"choices": choose(view, rng), "stamp": view["turn"]["stamp"], "key": secrets.token_hex(8)}
                    table.ask("POST", f"/tables/{id}/seats/{seat}/apply", move)
                except urllib.error.HTTPError as error:
                    if error.code != 409:  # the table has changed meanwhile: look again
                        raise


def main() -> None:
    """Play one game."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("server", help="address of an Atoll server")
    parser.add_argument("--name", default="Crab")
    parser.add_argument("--table", default="", help="id of a table with an open seat")
    parser.add_argument("--new", nargs=2, metavar=("GAME", "SEATS"), help="make a table")
    parser.add_argument("--seed", type=int, default=None)
    arguments = parser.parse_args()
    table = Table(arguments.server, arguments.name)
    id, seat = sit_down(table, arguments.table, arguments.new)
    sys.stdout.write(f"table {id}, seat {seat}\n")
    sys.stdout.flush()
    view = play(table, id, seat, random.Random(arguments.seed))
    score = view["score"] or {"places": [], "totals": []}
    sys.stdout.write(f"{view['status']}: places {score['places']}, points {score['totals']}\n")


if __name__ == "__main__":
    main()
