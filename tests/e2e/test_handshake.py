"""Who gets in, and what those hear who do not: over real handshakes with the program."""

import json
import re
import time

import pytest
from raw_socket import RawClient, get, request


def hello(client: RawClient) -> dict:
    return client.read_text(lambda m: m.get("method") == "hello")["params"]


@pytest.mark.parametrize("protocol, echo", [("clothd.v1", "clothd.v1"), (None, None),
                                            ("clothd.v9, clothd.v1", "clothd.v1"), ("chat, clothd.v1", "clothd.v1")])
def test_our_version_is_chosen(start_server, protocol, echo):
    client = RawClient(start_server().port, protocol=protocol)
    assert client.status == 101
    found = re.search(r"Sec-WebSocket-Protocol: (\S+)", client.head)
    assert (found and found.group(1)) == echo
    assert hello(client)["role"] == "control"


def test_an_unknown_version_is_told_so_and_closed(start_server):
    client = RawClient(start_server().port, protocol="clothd.v2")
    assert client.status == 101 and "Sec-WebSocket-Protocol: clothd.v2" in client.head
    assert "error" in hello(client)
    assert client.read_until_end(5) == 4406


@pytest.mark.parametrize("headers, protocol, status, says", [
    (("Host: evil.example",), "clothd.v1", 403, "--allow-host"),
    (("Host: evil.example",), None, 403, "--allow-host"),
    (("Origin: http://evil.example",), "clothd.v1", 403, "--allow-origin"),
    (("Origin: http://evil.example",), None, 403, "--allow-origin"),
    (("Origin: null",), None, 403, "--allow-origin"),
    ((), "chat", 400, "clothd.v1"),
])
def test_refusals_come_before_a_session_and_say_what_helps(start_server, headers, protocol, status, says):
    client = RawClient(start_server().port, headers=headers, protocol=protocol)
    body = client.buffer.decode()
    assert client.status == status and says in body, client.head + body


def test_allowed_names_pass(start_server):
    server = start_server("--allow-host", "cloth.example", "--allow-origin", "https://site.example")
    assert RawClient(server.port, headers=("Host: cloth.example", "Origin: https://site.example")).status == 101


def test_off_loopback_tokens_are_needed_and_printed(start_server):
    server = start_server("--bind", "0.0.0.0")
    tokens = dict(re.findall(r"^(\w+): \S+#token=(\S+)$", "".join(server.lines), re.M))
    assert set(tokens) == {"control", "view"}
    assert not any(t in line for t in tokens.values() for line in server.log)
    assert RawClient(server.port).status == 401
    assert RawClient(server.port, headers=("Authorization: Bearer wrong",)).status == 401
    for role, token in tokens.items():
        client = RawClient(server.port, headers=("Authorization: Bearer " + token,))
        assert client.status == 101 and hello(client)["role"] == role
        answer = client.call("world.pause")
        assert ("result" in answer) == (role == "control")
        if role == "view":
            assert answer["error"]["code"] == -32006
    assert get(server.port, "/metrics")[0] == 401
    assert get(server.port, "/healthz")[0] == 200
    host = f"Host: 127.0.0.1:{server.port}"
    status, text = get(server.port, "/version", host, "Authorization: Bearer " + tokens["view"])
    assert status == 200 and json.loads(text.partition("\r\n\r\n")[2])["name"] == "clothd"


def test_a_token_file_gives_the_roles(start_server, tmp_path):
    file = tmp_path / "tokens"
    file.write_text("# ours\ncontrol steer\nview look\n")
    file.chmod(0o600)
    server = start_server("--token-file", str(file))
    assert "token" not in server.url
    # base64url of "steer" and "look"
    assert hello(RawClient(server.port, protocol="clothd.v1, clothd.bearer.c3RlZXI"))["role"] == "control"
    assert hello(RawClient(server.port, protocol="clothd.v1, clothd.bearer.bG9vaw"))["role"] == "view"
    assert RawClient(server.port).status == 401


def test_a_full_server_says_when_to_try_again(start_server):
    server = start_server("--max-clients", "2")
    kept = [RawClient(server.port) for _ in range(2)]
    refused = RawClient(server.port)
    assert refused.status == 503 and "Retry-After" in refused.head
    assert get(server.port, "/healthz")[0] == 200
    assert all(c.status == 101 for c in kept)


@pytest.mark.slow
def test_a_silent_socket_is_closed_within_five_seconds(start_server):
    begin = time.monotonic()
    status, _ = request(start_server().port, "GET /ws HTTP/1.1\r\nHost:", timeout=9)
    assert status == 0 and 4 < time.monotonic() - begin < 8


def test_hundreds_of_connects_leave_no_descriptor_behind(start_server):
    server = start_server()

    def descriptors() -> int:
        text = get(server.port, "/metrics")[1]
        return int(re.search(r"^clothd_open_descriptors (\d+)$", text, re.M).group(1))

    before = descriptors()
    for _ in range(300):
        client = RawClient(server.port)
        assert client.status == 101
        client.close()
    end = time.monotonic() + 5
    while descriptors() > before and time.monotonic() < end:
        time.sleep(0.05)
    assert descriptors() <= before
