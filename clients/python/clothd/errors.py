"""What can go wrong, as one tree: ``except ClothdError`` catches all of it."""

from __future__ import annotations

from typing import Any, Mapping, Optional


class ClothdError(Exception):
    """Base of every error that this package raises on purpose."""


class RpcError(ClothdError):
    """The server refused a request. ``str(error)`` is its sentence.

    Attributes:
        code: JSON-RPC error code, e.g. -32602.
        reason: e.g. ``"out_of_range"``; may be empty.
        path: the member it is about, e.g. ``"solver.substeps"``; may be empty.
        data: the whole ``data`` member.
    """

    def __init__(self, code: int, message: str, data: Optional[Mapping[str, Any]] = None) -> None:
        super().__init__(message)
        self.code = code
        self.data = dict(data or {})
        self.reason = str(self.data.get("reason", ""))
        self.path = str(self.data.get("path", ""))


class ConnectionClosed(ClothdError):
    """The connection could not be made, or ended. ``code`` is the WebSocket's close code, or None."""

    def __init__(self, message: str, code: Optional[int] = None) -> None:
        super().__init__(message)
        self.code = code


class ProtocolError(ClothdError):
    """The server sent something that the protocol does not allow."""
