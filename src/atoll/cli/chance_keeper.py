"""A program that does a seat's part in the chance of a table for somebody who plays in a browser.

It follows the same steps as the script `chance_share.js`, but doesn't come from the server.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import httpx2
import msgspec

from atoll.engine import SaveError
from atoll.server.domain.model import ChanceState, ReaderRecord
from atoll.server.table.chance_protocol import (
    head_of,
    name_tag,
    new_secret,
    offer_digest,
    seal_of,
    share_of,
    terms_digest,
)
from atoll.server.table.chance_verdict import Heard, Kept, Shown

_WAIT_S: Final = 2.0


class _Kept(msgspec.Struct):
    """All stored data about one table."""

    offers: list[str] = []
    shown: list[Shown] = []
    record: Heard | None = None


class _Store(msgspec.Struct):
    """The content of the file: the secret, and everything about each table."""

    secret: str
    tables: dict[str, _Kept] = {}


class ChanceKeeper:
    """Gives the share of a person's seat at a table, and keeps the record.

    Args:
        address: Address of the table, as in the browser.
        token: API token of the person.
        file: File that keeps the secret and everything that was told.
        say: Receives progress messages.
        send: Client for requests; None for one of the address's server.

    Raises:
        SaveError: If the address isn't that of a table, or the file isn't valid.
    """

    def __init__(
        self, address: str, token: str, file: Path, say: Callable[[str], None], send: httpx2.Client | None = None
    ) -> None:
        parts = urlsplit(address)
        folder, _, self._table = parts.path.rstrip("/").rpartition("/t/")
        if not parts.scheme or not self._table:
            raise SaveError(f"invalid address {address[:80]!r}: expected that of a table, such as https://host/t/ID")
        self._root: str = f"{folder}/api/v1/tables/{self._table}"
        self._client: httpx2.Client = send or httpx2.Client(base_url=f"{parts.scheme}://{parts.netloc}")
        self._headers: dict[str, str] = {"authorization": f"Bearer {token}"}
        self._file: Path = file
        self._say: Callable[[str], None] = say
        self._store: _Store = self._read()
        # A run that has seen the table only after its end has heard the lines too late.
        self._is_live: bool = False

    # -- the file ----------------------------------------------------------------------------------

    def _read(self) -> _Store:
        if not self._file.exists():
            self._store = _Store(new_secret())
            self._write()
        try:
            return msgspec.json.decode(self._file.read_bytes(), type=_Store)
        except msgspec.DecodeError as error:
            raise SaveError(f"{self._file}: not a file of `atoll keep`: {error}"[:300]) from None

    def _write(self) -> None:
        """Write the file so that it is complete at any moment."""
        fresh = self._file.with_suffix(".new")
        fresh.touch(mode=0o600)
        fresh.write_bytes(msgspec.json.encode(self._store))
        fresh.replace(self._file)

    def _of(self, table: str) -> _Kept:
        return self._store.tables.setdefault(table, _Kept())

    # -- the table ---------------------------------------------------------------------------------

    def run(self) -> Path:
        """Follow the table until its game is over, and write the file for judges.

        Requests that the server can't answer now are repeated.

        Returns:
            Path of the file.

        Raises:
            HTTPStatusError: If the server refuses a request for good, for example an invalid token.
        """
        while True:
            try:
                view = self._follow()
            except httpx2.TransportError as error:
                self._say(f"the server can't be reached, trying again: {error}")
            except httpx2.HTTPStatusError as error:
                if not _passes(error.response.status_code):
                    raise
                self._say(f"the server is busy, trying again: {error}")
            else:
                if view["status"] in ("over", "cancelled"):
                    return self._save(view["chance_table"])
            time.sleep(_WAIT_S)

    def _follow(self) -> dict[str, Any]:
        """Do what the table calls for now, and return it as the API describes it."""
        view: dict[str, Any] = self._ask("GET", "")
        self._is_live |= view["status"] not in ("over", "cancelled")
        if view["chance"] is not None:
            self.give(view)
        elif view["chance_table"]:
            self.hear(view["chance_table"], over=view["status"] == "over")
        return view

    def _ask(self, method: str, path: str, body: Any = None) -> Any:
        answer = self._client.request(method, self._root + path, json=body, headers=self._headers)
        if answer.status_code == httpx2.codes.CONFLICT:
            return None  # the table has changed meanwhile; the next look tells
        answer.raise_for_status()
        return answer.json() if answer.content else None

    def give(self, view: dict[str, Any]) -> None:
        """Seal or show the seat's share, as it is time for.

        Args:
            view: The table as the API describes it.
        """
        chance = msgspec.convert(view["chance"], ChanceState)
        kept = self._of(self._table)
        seat = min(view["my_seats"], default=-1)
        if seat not in chance.missing or chance.offer.table != self._table:
            return
        if kept.record is not None and chance.terms is None:
            return
        offer = offer_digest(chance.offer)
        share = share_of(self._store.secret, offer, seat)
        seal = seal_of(offer, seat, share)
        if chance.terms is None:
            kept.offers.append(offer)
            self._write()
            self._ask("POST", f"/seats/{seat}/seal", {"offer": offer, "seal": seal})
            return
        terms = terms_digest(offer, chance.terms, chance.seals)
        if kept.record is not None and kept.record.terms != terms:
            return  # another game has begun here
        again = any(each.offer == offer and each.terms != terms for each in kept.shown)
        if offer not in kept.offers or chance.seals[seat] != seal or again or not _fits(view, chance):
            self._say("the list of seals isn't the expected one: no share is shown")
            return
        if all(each.terms != terms for each in kept.shown):
            kept.shown.append(Shown(offer, terms, seat, share))
            self._write()
        self._ask("POST", f"/seats/{seat}/share", {"terms": terms, "share": share})
        self._say(f"round {chance.offer.round}: share shown under {terms}")

    def hear(self, table: str, *, over: bool) -> None:
        """Fold new lines into the record.

        Args:
            table: Id of the table in the protocol of chance.
            over: Whether the server says that the game is over.
        """
        kept = self._of(table)
        first = 0 if kept.record is None else kept.record.lines
        told = msgspec.convert(self._ask("GET", f"/record?first={first}"), ReaderRecord)
        known = kept.record or Heard(told.terms, 0, 0, head_of(told.terms, ()), told.seats)
        if (told.table, told.terms, told.seats, told.first) != (table, known.terms, known.seats, first):
            return
        count = first + len(told.lines)
        self._is_live |= not over
        live = count if self._is_live else known.live
        head = head_of(told.terms, told.lines, known.head)
        kept.record = Heard(told.terms, count, live, head, told.seats)
        self._write()

    def _save(self, table: str) -> Path:
        kept = self._of(table)
        path = self._file.with_name(f"{table}.kept.json")
        data = msgspec.to_builtins(Kept("atoll-kept-2", table, tuple(kept.shown), kept.record))
        path.write_text(json.dumps(data), "utf-8")
        return path


def _passes(status: int) -> bool:
    """Return whether a request with this status may succeed later."""
    return status == httpx2.codes.TOO_MANY_REQUESTS or status >= httpx2.codes.INTERNAL_SERVER_ERROR


def _fits(view: dict[str, Any], chance: ChanceState) -> bool:
    """Return whether the terms are those of the table as it is described."""
    terms = chance.terms
    assert terms is not None
    if (terms.game, dict(terms.options), terms.start, terms.shared) != (view["game"], view["options"], "new", None):
        return False
    if not len(terms.seats) == len(view["seats"]) == len(chance.names):
        return False
    for tag, name, info, seal in zip(terms.seats, chance.names, view["seats"], chance.seals, strict=True):
        if not tag.startswith("person "):
            if seal:
                return False
        elif name is None or name.name != info["name"] or tag != f"person {name_tag(name.salt, name.name)}":
            return False
    return True
