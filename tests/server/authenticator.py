"""An authenticator in software: makes passkeys, and answers challenges as a test wants it to."""

from __future__ import annotations

import hashlib
import json
import secrets
from dataclasses import dataclass, field
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from webauthn.helpers import bytes_to_base64url

_PRESENT, _VERIFIED, _BACKUP_ELIGIBLE, _BACKED_UP, _ATTESTED = 1, 4, 8, 16, 64


@dataclass
class Authenticator:
    """One passkey.

    Attributes:
        origin: The origin that the browser names.
        site: The relying party id.
        synced: Whether the passkey is backed up.
        count: Counter of the next answer.
        id: Id of the passkey.
    """

    origin: str
    site: str
    synced: bool = False
    count: int = 1
    id: bytes = field(default_factory=lambda: secrets.token_bytes(16))
    _key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))

    def make(self, options: dict[str, Any]) -> str:
        """Return the answer to options for a new passkey, as JSON."""
        numbers = self._key.public_key().public_numbers()
        key = {1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")}
        attested = bytes(16) + len(self.id).to_bytes(2, "big") + self.id + cbor2.dumps(key)
        data = self._data(_ATTESTED) + attested
        client = self._client("webauthn.create", options)
        statement = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        return self._answer({"clientDataJSON": client, "attestationObject": statement})

    def sign(self, options: dict[str, Any]) -> str:
        """Return the answer to a challenge, as JSON."""
        data, client = self._data(0), self._client("webauthn.get", options)
        signed = self._key.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(hashes.SHA256()))
        return self._answer({"clientDataJSON": client, "authenticatorData": data, "signature": signed})

    def _data(self, flags: int) -> bytes:
        flags |= _PRESENT | _VERIFIED | (_BACKUP_ELIGIBLE | _BACKED_UP if self.synced else 0)
        return hashlib.sha256(self.site.encode()).digest() + bytes([flags]) + self.count.to_bytes(4, "big")

    def _client(self, kind: str, options: dict[str, Any]) -> bytes:
        return json.dumps({"type": kind, "challenge": options["challenge"], "origin": self.origin}).encode()

    def _answer(self, response: dict[str, bytes]) -> str:
        id = bytes_to_base64url(self.id)
        encoded = {name: bytes_to_base64url(value) for name, value in response.items()}
        return json.dumps({"id": id, "rawId": id, "type": "public-key", "response": encoded})
