"""IP addresses that outgoing requests may connect to."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from typing import Final

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

_UNICAST: Final = ipaddress.IPv6Network("2000::/3")
"""The only part of IPv6 that is assigned to the public internet (IANA, IPv6 address space)."""

_SPECIAL: Final = tuple(
    map(
        ipaddress.ip_network,
        (
            *("192.0.0.0/24", "192.88.99.0/24"),  # IETF protocols, former relays of 6to4
            *("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"),  # IETF protocols, Teredo, examples, 6to4
        ),
    )
)
"""Networks of IANA's special-purpose registries that some versions of Python treat as public."""


def networks(texts: Iterable[str]) -> tuple[Network, ...]:
    """Return networks from texts such as 10.0.0.0/8.

    Args:
        texts: The networks.

    Raises:
        ValueError: If a text isn't a network.
    """
    return tuple(ipaddress.ip_network(text) for text in texts)


def is_allowed(text: str, allowed: Iterable[Network]) -> bool:
    """Return whether requests may go to an IP address: a public one, or one that is allowed.

    Args:
        text: The IP address.
        allowed: Networks that the operator allows in addition to the public internet.
    """
    found: Address = ipaddress.ip_address(text.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address) and found.ipv4_mapped is not None:
        found = found.ipv4_mapped
    if any(found in network for network in allowed if network.version == found.version):
        return True
    if found.version == _UNICAST.version and found not in _UNICAST:
        return False
    special = any(found in network for network in _SPECIAL if network.version == found.version)
    return found.is_global and not (special or found.is_multicast or found.is_reserved)
