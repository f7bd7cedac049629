"""Where the server is: from what people have at hand to a WebSocket address and a token."""

from __future__ import annotations

import base64
from typing import List, NamedTuple, Optional
from urllib.parse import parse_qs, urlsplit, urlunsplit

SUBPROTOCOL = "clothd.v1"
DEFAULT_PORT = 8080
_SCHEMES = {"http": "ws", "https": "wss", "ws": "ws", "wss": "wss"}


class Address(NamedTuple):
    """``url`` for the WebSocket, the token (or None), and the host."""

    url: str
    token: Optional[str]
    host: str

    @property
    def subprotocols(self) -> List[str]:
        """What to offer: ours first, the bearer token as the second."""
        if self.token is None:
            return [SUBPROTOCOL]
        encoded = base64.urlsafe_b64encode(self.token.encode()).rstrip(b"=").decode()
        return [SUBPROTOCOL, "clothd.bearer." + encoded]

    @property
    def is_loopback(self) -> bool:
        return self.host in ("localhost", "::1") or self.host.startswith("127.")


def parse_address(text: str, token: Optional[str] = None) -> Address:
    """Reads a link as the server prints it (``http://host:port/#token=…``), a ``ws://`` address,
    or just ``host:port``. An explicit token wins over the link's. Raises ValueError."""
    if "://" not in text:
        text = "ws://" + text
    parts = urlsplit(text)
    if parts.scheme not in _SCHEMES or not parts.hostname:
        raise ValueError(f"no address of a server: {text!r}; for example http://127.0.0.1:8080")
    try:
        given_port = parts.port
    except ValueError:
        raise ValueError(f"no address of a server: {text!r}; a port is 1 to 65535") from None
    port = given_port or {"http": 80, "https": 443}.get(parts.scheme, DEFAULT_PORT)
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    if token is None:
        token = parse_qs(parts.fragment).get("token", [None])[0]
    path = parts.path if parts.path not in ("", "/") else "/ws"
    return Address(urlunsplit((_SCHEMES[parts.scheme], f"{host}:{port}", path, "", "")), token, parts.hostname)
