"""A WebSocket client on the standard library alone, for what a well-behaved one never
does: odd handshakes, reading late, not reading at all."""

import base64
import json
import os
import socket
import struct
import time


def request(port: int, text: str, timeout: float = 5) -> tuple[int, str]:
    """Sends a request as it stands; returns status and the whole answer ('' and 0 = none)."""
    with socket.create_connection(("127.0.0.1", port), timeout) as s:
        s.sendall(text.encode())
        answer = b""
        try:
            while chunk := s.recv(65536):
                answer += chunk
        except (TimeoutError, ConnectionResetError):
            pass
    head = answer.decode("latin1")
    return (int(head.split(" ", 2)[1]) if head.startswith("HTTP/") else 0), head


def get(port: int, path: str, *headers: str) -> tuple[int, str]:
    lines = [f"GET {path} HTTP/1.1", "Connection: close", *(headers or (f"Host: 127.0.0.1:{port}",))]
    return request(port, "\r\n".join(lines) + "\r\n\r\n")


class RawClient:
    """A session, or a refused handshake (status, head)."""

    def __init__(self, port: int, *, headers: tuple[str, ...] = (), protocol: str | None = "clothd.v1",
                 receive_buffer: int | None = None, timeout: float = 10) -> None:
        self.socket = socket.socket()
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(timeout)
        self.socket.connect(("127.0.0.1", port))
        lines = ["GET /ws HTTP/1.1", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
                 "Sec-WebSocket-Key: " + base64.b64encode(os.urandom(16)).decode()]
        if not any(h.lower().startswith("host:") for h in headers):
            lines.append(f"Host: 127.0.0.1:{port}")
        if protocol is not None:
            lines.append("Sec-WebSocket-Protocol: " + protocol)
        self.socket.sendall(("\r\n".join([*lines, *headers]) + "\r\n\r\n").encode())
        self.buffer = b""
        while b"\r\n\r\n" not in self.buffer and (chunk := self.socket.recv(4096)):
            self.buffer += chunk
        head, _, self.buffer = self.buffer.partition(b"\r\n\r\n")
        self.head = head.decode("latin1")
        self.status = int(self.head.split(" ", 2)[1]) if head else 0
        self.next_id = 0

    def send_frame(self, opcode: int, payload: bytes) -> None:
        n = len(payload)
        size = bytes([0x80 | n]) if n < 126 else (
            b"\xfe" + struct.pack(">H", n) if n < 65536 else b"\xff" + struct.pack(">Q", n))
        # A mask of zeros leaves the payload as it is.
        self.socket.sendall(bytes([0x80 | opcode]) + size + bytes(4) + payload)

    def send(self, message: dict) -> None:
        self.send_frame(1, json.dumps(message).encode())

    def request(self, method: str, **params) -> int:
        self.next_id += 1
        self.send({"jsonrpc": "2.0", "id": self.next_id, "method": method, "params": params})
        return self.next_id

    def _read(self, count: int) -> bytes:
        while len(self.buffer) < count:
            chunk = self.socket.recv(1 << 18)
            if not chunk:
                raise EOFError("the connection ended")
            self.buffer += chunk
        data, self.buffer = self.buffer[:count], self.buffer[count:]
        return data

    def read(self) -> tuple[int, bytes]:
        """The next message as (opcode, payload); pings are answered, a Close is (8, payload)."""
        kind, data = 0, b""
        while True:
            first, size = self._read(2)
            size &= 127
            if size == 126:
                size = struct.unpack(">H", self._read(2))[0]
            elif size == 127:
                size = struct.unpack(">Q", self._read(8))[0]
            payload = self._read(size)
            opcode = first & 15
            if opcode == 8:
                return 8, payload
            if opcode == 9:
                self.send_frame(10, payload)
                continue
            if opcode == 10:
                continue
            kind = opcode or kind
            data += payload
            if first & 0x80:
                return kind, data

    def read_text(self, accept) -> dict:
        """The next text message that accept(message) likes; others and frames are dropped."""
        while True:
            opcode, data = self.read()
            if opcode == 8:
                raise EOFError(f"closed with {struct.unpack('>H', data[:2])[0]}")
            if opcode == 1 and accept(message := json.loads(data)):
                return message

    def call(self, method: str, **params) -> dict:
        me = self.request(method, **params)
        return self.read_text(lambda m: m.get("id") == me)

    def read_until_end(self, seconds: float) -> int | None:
        """Reads on; the close code, or None where the connection just ended."""
        end = time.monotonic() + seconds
        self.socket.settimeout(seconds)
        try:
            while time.monotonic() < end:
                opcode, data = self.read()
                if opcode == 8:
                    return struct.unpack(">H", data[:2])[0]
        except (EOFError, ConnectionResetError):
            return None
        raise TimeoutError("the connection did not end")

    def close(self) -> None:
        self.socket.close()
