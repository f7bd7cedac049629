"""Opens the WebSocket of a server with a bearer token, pauses and steps its world:
what docker/test asks of a container. Standard library only; exits 0 when it works."""

import base64
import json
import os
import socket
import struct
import sys


def main(port: int, token: str) -> None:
    """Steps world main 10 ticks on 127.0.0.1:port; raises when any answer is wrong."""
    link = socket.create_connection(("127.0.0.1", port), timeout=10)
    bearer = base64.urlsafe_b64encode(token.encode()).decode().rstrip("=")
    link.sendall((
        "GET /ws HTTP/1.1\r\n"
        f"Host: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\nSec-WebSocket-Version: 13\r\n"
        f"Sec-WebSocket-Protocol: clothd.v1, clothd.bearer.{bearer}\r\n\r\n").encode())
    stream = link.makefile("rb")
    status = stream.readline()
    assert b" 101 " in status, status
    while stream.readline() not in (b"\r\n", b""):
        pass

    def read() -> dict:
        while True:
            first, size = stream.read(2)
            if size == 126:
                size = struct.unpack(">H", stream.read(2))[0]
            elif size == 127:
                size = struct.unpack(">Q", stream.read(8))[0]
            payload = stream.read(size)
            if first & 15 == 1:
                return json.loads(payload)

    def call(number: int, method: str, **params) -> dict:
        text = json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode()
        assert len(text) < 126
        mask = os.urandom(4)
        link.sendall(bytes([0x81, 0x80 | len(text)]) + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(text)))
        while True:
            reply = read()
            if reply.get("id") == number:
                return reply["result"]

    hello = read()
    assert hello["method"] == "hello" and hello["params"]["role"] == "control", hello
    call(1, "world.pause")
    before = call(2, "world.describe")["tick"]
    stepped = call(3, "world.step", ticks=10)
    assert stepped["tick"] == before + 10 and len(stepped["state_hash"]) == 16, stepped


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
