"""Signing in with the operator's OpenID Connect provider.

An account is known by issuer and subject, never by a mail address. Signing in never creates an
account: a user adds the provider to an account first.
"""

from __future__ import annotations

import secrets
from typing import Final

from atoll.store import ChallengeRow, CredentialRow, Store

from ..domain import wall_clock
from ..domain.model import Login, Refused, User
from .credentials import Credentials
from .ports import IdentityProvider
from .store_errors import refuse_on_store_error
from .users import Users, new_token, token_hash

OPENID_MINUTES: Final = 15
"""Minutes for signing in at the provider."""

_KIND: Final = "oidc"
_OPENID_MS: Final = OPENID_MINUTES * 60_000


class OpenId:
    """Sign-in with an OpenID Connect provider.

    Attributes:
        provider: The provider, or None without one.
    """

    def __init__(self, store: Store, users: Users, credentials: Credentials, provider: IdentityProvider | None) -> None:
        self._store: Store = store
        self._users: Users = users
        self._credentials: Credentials = credentials
        self.provider: IdentityProvider | None = provider

    async def begin(self, who: User | None, browser: str, *, name: str = "") -> str:
        """Return the address at which the user signs in at the provider.

        Args:
            who: The user to whose account the provider is added, or None to sign in.
            browser: Hash of the browser's secret.
            name: Name of a new account, as it was typed; "" for the guest's name.

        Raises:
            Refused: If no provider is configured, it can't be reached, or the name isn't valid.
        """
        provider = self._required()
        named = name if who is None or who.has_account else self._users.checked_name(name or who.name)
        state, nonce, verifier, now = new_token(), new_token(), new_token() + new_token(), wall_clock.now_ms()
        data = {"nonce": nonce, "verifier": verifier, "name": named}
        owner = None if who is None else who.id
        row = ChallengeRow(token_hash(state), _KIND, owner, browser, now, now + _OPENID_MS, data)
        with refuse_on_store_error():
            await self._store.challenges.add(row)
        return await provider.address(state, nonce, verifier)

    async def finish(
        self, who: User | None, browser: str, state: str, code: str, issuer: str, device: str
    ) -> Login | None:
        """Sign in, or add the provider to the user's account.

        Args:
            who: The user of the browser, or None.
            browser: Hash of the browser's secret.
            state: The state that came back.
            code: The code that came back.
            issuer: The issuer that came back, or "".
            device: Browser and system, or "".

        Returns:
            The user with a new session, or None if the provider was added to the user's account.

        Raises:
            Refused: If the state isn't one of this browser, or no account has this identity.
        """
        provider, now = self._required(), wall_clock.now_ms()
        with refuse_on_store_error():
            row = await self._store.challenges.take(_KIND, token_hash(state[:100]), browser, now)
        if row is None or (row.user_id is not None and (who is None or who.id != row.user_id)):
            raise Refused("bad_identity", 403, "unknown state: it was used, has expired, or belongs to another browser")
        found = await provider.identity(code, issuer, row.data["nonce"], row.data["verifier"])
        subject = f"{found.issuer} {found.subject}"
        if row.user_id is not None and who is not None:
            credential = CredentialRow(secrets.token_hex(8), who.id, _KIND, subject, found.label[:120], now)
            await self._credentials.add(who, credential, row.data["name"])
            return None
        with refuse_on_store_error():
            known = await self._store.credentials.find(_KIND, subject)
        if known is None:
            raise Refused("no_account", 403, "no account has this identity: add it to an account first")
        with refuse_on_store_error():
            await self._store.credentials.change(known.id, last_used=now)
        return await self._users.sign_in(known.user_id, device=device)

    def _required(self) -> IdentityProvider:
        if self.provider is None:
            raise Refused("no_page", 404, "this site has no OpenID Connect provider")
        return self.provider
