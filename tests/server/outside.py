"""Services outside of a server in tests: a receiver of webhooks and pushes, and an SMTP sink."""

from __future__ import annotations

import asyncio
import base64
import email
import email.policy
import json
import os
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage
from typing import Any, TypeVar

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


@dataclass
class Got:
    """A request that came."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Receiver:
    """A server for webhooks and pushes.

    Attributes:
        port: Its port.
        got: The requests so far.
        answer: Returns status and headers for a request. If it raises, the connection ends.
    """

    port: int = 0
    got: list[Got] = field(default_factory=list)
    answer: Callable[[Got], str] = lambda _: "201 Created"

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = dict(line.lower().split(": ", 1) for line in head[1:] if line)
        names = {line.partition(": ")[0].lower(): line.partition(": ")[2] for line in head[1:] if line}
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        got = Got(head[0].split()[1], names, body)
        self.got.append(got)
        status, _, more = self.answer(got).partition("\n")
        writer.write(f"HTTP/1.1 {status}\r\ncontent-length: 0\r\nconnection: close\r\n{more}\r\n".encode())
        await writer.drain()
        writer.close()


@dataclass
class Sink:
    """An SMTP server that stores mails.

    Attributes:
        port: Its port.
        mails: The mails so far.
        refuse: Replies that replace the normal ones, by SMTP command such as RCPT.
    """

    port: int = 0
    mails: list[EmailMessage] = field(default_factory=list)
    refuse: dict[str, str] = field(default_factory=dict)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        def say(text: str) -> None:
            writer.write(f"{text}\r\n".encode())

        say("220 sink")
        while line := (await reader.readline()).decode().strip():
            verb = line.split()[0].upper()
            if verb in self.refuse:
                say(self.refuse[verb])
            elif verb == "DATA":
                say("354 go on")
                raw = await reader.readuntil(b"\r\n.\r\n")
                read: Any = email.message_from_bytes(raw[:-5], policy=email.policy.default)
                self.mails.append(read)
                say("250 kept")
            elif verb == "QUIT":
                say("221 bye")
                break
            else:
                say("250 ok")
        writer.close()


T = TypeVar("T", Receiver, Sink)


@asynccontextmanager
async def _open(found: T) -> AsyncIterator[T]:
    server = await asyncio.start_server(found.serve, "127.0.0.1")
    found.port = server.sockets[0].getsockname()[1]
    try:
        yield found
    finally:
        server.close()


def receiver() -> AbstractAsyncContextManager[Receiver]:
    """An open receiver."""
    return _open(Receiver())


def sink() -> AbstractAsyncContextManager[Sink]:
    """An open sink."""
    return _open(Sink())


class Subscription:
    """A browser's side of web push (RFC 8291)."""

    def __init__(self, url: str) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._auth = os.urandom(16)
        public = self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.given = {"url": url, "p256dh": _text(public), "auth": _text(self._auth)}

    def read(self, body: bytes) -> Any:
        return json.loads(http_ece.decrypt(body, private_key=self._key, auth_secret=self._auth, version="aes128gcm"))


def _text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")
