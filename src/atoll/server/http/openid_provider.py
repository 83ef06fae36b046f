"""Client of the operator's OpenID Connect provider."""

from __future__ import annotations

from typing import Any, Final

import httpx2
from authlib.common.errors import AuthlibBaseError  # type: ignore[import-untyped]
from authlib.integrations.httpx_client import AsyncOAuth2Client  # type: ignore[import-untyped]
from authlib.oidc.core import CodeIDToken  # type: ignore[import-untyped]
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet
from typing_extensions import override

from ..domain.model import Refused
from ..domain.settings import ServerSettings
from ..play.ports import Identity, IdentityProvider

CALLBACK: Final = "/sign-in/oidc/callback"
_ALGORITHMS: Final = ["RS256", "ES256", "PS256", "EdDSA"]
_TIMEOUT_S: Final = 10.0
_FAILURES: Final = (httpx2.HTTPError, AuthlibBaseError, JoseError, KeyError, ValueError, TypeError)


class OpenIdProvider(IdentityProvider):
    """The provider that the settings name.

    Args:
        settings: Settings of the server, with an issuer.
        transport: Transport of requests, or None for the network.
    """

    def __init__(self, settings: ServerSettings, transport: httpx2.AsyncBaseTransport | None = None) -> None:
        self._issuer: str = settings.oidc_issuer.rstrip("/")
        self._client_id: str = settings.oidc_client
        self._secret: str = settings.oidc_secret
        self._callback: str = settings.public_url + CALLBACK
        self._transport: httpx2.AsyncBaseTransport | None = transport
        self.name: str = settings.oidc_name

    def _client(self) -> AsyncOAuth2Client:
        return AsyncOAuth2Client(
            self._client_id,
            self._secret or None,
            scope="openid email",
            redirect_uri=self._callback,
            code_challenge_method="S256",
            transport=self._transport,
            timeout=_TIMEOUT_S,
        )

    async def _metadata(self, client: AsyncOAuth2Client) -> dict[str, Any]:
        """Return the provider's description of itself, which must be its own."""
        found = await _read(client, f"{self._issuer}/.well-known/openid-configuration")
        if found["issuer"].rstrip("/") != self._issuer:
            raise ValueError(f"the provider calls itself {found['issuer']!r}")
        return found

    @override
    async def address(self, state: str, nonce: str, verifier: str) -> str:
        """Return the address at which a user signs in there.

        Args:
            state: Secret that comes back with the user.
            nonce: Secret that the identity must contain.
            verifier: Secret of PKCE.

        Raises:
            Refused: If the provider can't be reached, or names no web address.
        """
        async with self._client() as client:
            try:
                metadata = await self._metadata(client)
                url, _ = client.create_authorization_url(
                    metadata["authorization_endpoint"], state=state, nonce=nonce, code_verifier=verifier
                )
                if not url.startswith(("https://", "http://")):
                    raise Refused("provider", 503, f"the provider's sign-in page has no web address: {url!r}"[:300])
            except _FAILURES as error:
                raise Refused("provider", 503, f"the provider can't be reached: {error}"[:300]) from error
        return str(url)

    @override
    async def identity(self, code: str, issuer: str, nonce: str, verifier: str) -> Identity:
        """Return the user of a code that came back from the provider.

        Args:
            code: The code.
            issuer: Issuer that came back with it, or "".
            nonce: The nonce.
            verifier: The verifier.

        Raises:
            Refused: If the code or the identity isn't valid.
        """
        if issuer and issuer.rstrip("/") != self._issuer:
            raise Refused("bad_identity", 403, "the answer comes from another provider")
        async with self._client() as client:
            try:
                metadata = await self._metadata(client)
                token = await client.fetch_token(
                    metadata["token_endpoint"], grant_type="authorization_code", code=code, code_verifier=verifier
                )
                keys: Any = await _read(client, metadata["jwks_uri"])
                claims = jwt.decode(token["id_token"], KeySet.import_key_set(keys), algorithms=_ALGORITHMS).claims
                expected = {
                    "iss": {"essential": True, "values": [metadata["issuer"]]},
                    "aud": {"essential": True, "value": self._client_id},
                    "nonce": {"essential": True, "value": nonce},
                }
                checked = CodeIDToken(claims, {}, expected, {"nonce": nonce, "client_id": self._client_id})
                checked.validate()
                subject = claims["sub"]
                if not isinstance(subject, str) or not subject:
                    raise Refused("bad_identity", 403, "the identity has no subject")
            except _FAILURES as error:
                raise Refused("bad_identity", 403, f"the provider's answer isn't valid: {error}"[:300]) from error
        label = str(claims.get("email", "")) if claims.get("email_verified") is True else ""
        return Identity(self._issuer, subject, label)


async def _read(client: AsyncOAuth2Client, url: str) -> dict[str, Any]:
    """Return a public JSON document of the provider."""
    answer = await client.request("GET", url, withhold_token=True)
    found: dict[str, Any] = answer.raise_for_status().json()
    return found
