"""Passkeys (WebAuthn): registration, sign-in, and the counters of authenticators."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any, Final, TypeVar

import msgspec
from webauthn import (
    base64url_to_bytes,
    generate_authentication_options,
    generate_registration_options,
    options_to_json,
    verify_authentication_response,
    verify_registration_response,
)
from webauthn.helpers import bytes_to_base64url
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from atoll.store import ChallengeRow, CredentialRow, Store

from ..domain import wall_clock
from ..domain.limits import Limits
from ..domain.model import Login, Refused, User
from ..domain.public import passkey_site
from ..table import permissions
from .credentials import Credentials
from .executor import CommandExecutor
from .store_errors import refuse_on_store_error
from .users import Users, token_hash

CHALLENGE_MINUTES: Final = 5
"""Minutes after which the challenge to an authenticator expires."""

_KIND: Final = "passkey"
_CHALLENGE_MS: Final = CHALLENGE_MINUTES * 60_000
_CHALLENGE_BYTES: Final = 32
_LONGEST: Final = 20_000
_T = TypeVar("_T")


class Passkeys:
    """Passkeys of users.

    Attributes:
        unable: The reason why this site can't have passkeys, or ""; see `passkey_site`.
    """

    def __init__(self, executor: CommandExecutor, limits: Limits, users: Users, credentials: Credentials) -> None:
        self._executor: CommandExecutor = executor
        self._store: Store = executor.store
        self._limits: Limits = limits
        self._users: Users = users
        self._credentials: Credentials = credentials
        self._origin: str = executor.settings.public_url
        self._site, self.unable = passkey_site(self._origin)

    # -- adding ------------------------------------------------------------------------------------

    async def creation_options(self, who: User | None, browser: str) -> bytes:
        """Return the options with which the browser makes a passkey, as JSON.

        Args:
            who: The user.
            browser: Hash of the browser's secret.

        Raises:
            Refused: If the user isn't signed in, or this site can't have passkeys.
        """
        user = permissions.require_user(who)
        self._require_possible()
        self._limits.hit("account", user.id)
        with refuse_on_store_error():
            rows = [row for row in await self._store.credentials.of_user(user.id) if row.kind == _KIND]
        options = generate_registration_options(
            rp_id=self._site,
            rp_name="Atoll",
            user_name=user.name,
            user_id=user.id.encode(),
            challenge=await self._new_challenge(user.id, browser),
            timeout=_CHALLENGE_MS,
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.REQUIRED,
                user_verification=UserVerificationRequirement.PREFERRED,
            ),
            exclude_credentials=[PublicKeyCredentialDescriptor(base64url_to_bytes(row.subject)) for row in rows],
        )
        return options_to_json(options).encode()

    async def add(self, who: User | None, browser: str, answer: str, name: str, label: str) -> None:
        """Add the passkey that the browser has made; a guest becomes an account.

        Args:
            who: The user.
            browser: Hash of the browser's secret.
            answer: The browser's answer, as JSON.
            name: Name of a new account, as it was typed; "" for the guest's name.
            label: Name that the user knows the passkey by.

        Raises:
            Refused: If the answer isn't valid, or another user has the passkey or the name.
        """
        user = permissions.require_user(who)
        given = _read(answer)
        row = await self._taken_challenge(given, browser)
        if row.user_id != user.id:
            raise Refused("bad_passkey", 403, "this passkey was made for another user")
        found = _verified(
            lambda: verify_registration_response(
                credential=given,
                expected_challenge=base64url_to_bytes(_challenge_of(given)),
                expected_rp_id=self._site,
                expected_origin=self._origin,
            )
        )
        data = {
            "public_key": bytes_to_base64url(found.credential_public_key),
            "sign_count": found.sign_count,
            "aaguid": found.aaguid,
            "backed_up": found.credential_backed_up,
        }
        subject, now = bytes_to_base64url(found.credential_id), wall_clock.now_ms()
        credential = CredentialRow(secrets.token_hex(8), user.id, _KIND, subject, label[:120], now, data)
        await self._credentials.add(user, credential, name)

    # -- signing in --------------------------------------------------------------------------------

    async def request_options(self, browser: str) -> bytes:
        """Return the options with which the browser asks for a passkey, as JSON.

        They name no credentials, so that nobody learns who has which.

        Args:
            browser: Hash of the browser's secret.

        Raises:
            Refused: If this site can't have passkeys.
        """
        self._require_possible()
        options = generate_authentication_options(
            rp_id=self._site,
            challenge=await self._new_challenge(None, browser),
            timeout=_CHALLENGE_MS,
            user_verification=UserVerificationRequirement.PREFERRED,
        )
        return options_to_json(options).encode()

    async def sign_in(self, browser: str, answer: str, device: str) -> Login:
        """Sign in with a passkey.

        Args:
            browser: Hash of the browser's secret.
            answer: The browser's answer, as JSON.
            device: Browser and system, or "".

        Returns:
            The user with a new session.

        Raises:
            Refused: If the answer isn't valid.
        """
        given = _read(answer)
        challenge = await self._taken_challenge(given, browser)
        with refuse_on_store_error():
            row = await self._store.credentials.find(_KIND, str(given.get("id", ""))[:1400])
        if row is None or challenge.user_id is not None:
            raise Refused("bad_passkey", 403, "unknown passkey")
        found = _verified(
            lambda: verify_authentication_response(
                credential=given,
                expected_challenge=base64url_to_bytes(_challenge_of(given)),
                expected_rp_id=self._site,
                expected_origin=self._origin,
                credential_public_key=base64url_to_bytes(row.data["public_key"]),
                credential_current_sign_count=0,  # counters are compared below
            )
        )
        count, before = found.new_sign_count, row.data["sign_count"]
        # Synced passkeys often don't count. A counter that goes back means that somebody has made a
        # copy.
        if not found.credential_backed_up and (count or before) and count <= before:
            with refuse_on_store_error():
                await self._store.notices.add([self._credentials.notice(row.user_id, "passkey_copied")])
            self._executor.on_notice()
            raise Refused("bad_passkey", 403, "the counter of this passkey went back: it may be a copy")
        data = {**row.data, "sign_count": count, "backed_up": found.credential_backed_up}
        with refuse_on_store_error():
            await self._store.credentials.change(row.id, last_used=wall_clock.now_ms(), data=data)
        return await self._users.sign_in(row.user_id, device=device)

    def _require_possible(self) -> None:
        if self.unable:
            raise Refused("no_passkeys", 409, "passkeys need a public https address with a host name")

    async def _new_challenge(self, user_id: str | None, browser: str) -> bytes:
        challenge, now = secrets.token_bytes(_CHALLENGE_BYTES), wall_clock.now_ms()
        hashed = token_hash(bytes_to_base64url(challenge))
        with refuse_on_store_error():
            await self._store.challenges.add(ChallengeRow(hashed, _KIND, user_id, browser, now, now + _CHALLENGE_MS))
        return challenge

    async def _taken_challenge(self, given: dict[str, Any], browser: str) -> ChallengeRow:
        """Use up the challenge of an answer, which must be one of this browser."""
        with refuse_on_store_error():
            row = await self._store.challenges.take(
                _KIND, token_hash(_challenge_of(given)), browser, wall_clock.now_ms()
            )
        if row is None:
            raise Refused(
                "bad_passkey", 403, "unknown challenge: it was used, has expired, or belongs to another browser"
            )
        return row


def _read(answer: str) -> dict[str, Any]:
    """Return the browser's answer."""
    try:
        if len(answer) > _LONGEST:
            raise Refused("bad_passkey", 403, "the answer of the authenticator is too long")
        return msgspec.json.decode(answer.encode(), type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeEncodeError):
        raise Refused("bad_passkey", 403, "the answer of the authenticator isn't valid JSON") from None


def _challenge_of(given: dict[str, Any]) -> str:
    """Return the challenge that the browser has signed; "" if the answer is malformed."""
    try:
        client = msgspec.json.decode(base64url_to_bytes(given["response"]["clientDataJSON"]))
        return str(client["challenge"])[:100]
    except (KeyError, TypeError, ValueError, AttributeError):
        return ""


def _verified(check: Callable[[], _T]) -> _T:
    """Return the result of a check of the library; refuse the answer if it fails."""
    try:
        return check()
    except (WebAuthnException, ValueError, KeyError, TypeError, AttributeError) as error:
        raise Refused("bad_passkey", 403, f"invalid answer of the authenticator: {error}"[:300]) from None
