"""Which addresses requests may go to."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from typing import Final

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

_TRANSLATED: Final = tuple(map(ipaddress.IPv6Network, ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32")))


def networks(texts: Iterable[str]) -> tuple[Network, ...]:
    """Networks by their texts, such as 10.0.0.0/8. Raises ValueError."""
    return tuple(ipaddress.ip_network(text) for text in texts)


def is_allowed(text: str, allowed: Iterable[Network]) -> bool:
    """Whether a request may go to an IP address: a public one, or one that the operator allows."""
    found: Address = ipaddress.ip_address(text.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address) and found.ipv4_mapped is not None:
        found = found.ipv4_mapped
    if any(found in network for network in allowed if network.version == found.version):
        return True
    if isinstance(found, ipaddress.IPv6Address) and any(found in network for network in _TRANSLATED):
        return False
    return found.is_global and not found.is_multicast and not found.is_reserved
