"""Messages to systemd, which starts the server as a service of type `notify`."""

from __future__ import annotations

import contextlib
import os
import socket


def notify_systemd(state: str) -> None:
    """Send a state to systemd; do nothing if another program started the server.

    Args:
        state: The message, such as "READY=1".
    """
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address or not hasattr(socket, "AF_UNIX"):
        return
    if address.startswith("@"):  # an abstract socket
        address = f"\0{address[1:]}"
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as connection:
        connection.sendto(state.encode(), address)
