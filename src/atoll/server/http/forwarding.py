"""The addresses of clients behind a proxy, and the check that the server believes the right one."""

from __future__ import annotations

from typing import Any, Final

from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

FORWARDED: Final = "atoll.forwarded"
"""Key of the ASGI scope with the verdict on the address of a client."""
_LIVEZ: Final = "/livez"


class ForwardedAddresses(ProxyHeadersMiddleware):
    """Replaces the address of a trusted proxy by that of its client.

    For `/livez` it also judges the address: "trusted" if a trusted proxy forwarded it, "untrusted"
    if somebody else did, "none" if nobody did. `atoll doctor` asks through the public address.
    """

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Pass a request on with the address of its client."""
        if scope["type"] == "http" and scope["path"] == _LIVEZ:
            scope[FORWARDED] = self._judge(scope)
        await super().__call__(scope, receive, send)

    def _judge(self, scope: Any) -> str:
        if not any(name == b"x-forwarded-for" for name, _ in scope["headers"]):
            return "none"
        peer = (scope.get("client") or ("",))[0]
        return "trusted" if peer in self.trusted_hosts else "untrusted"
