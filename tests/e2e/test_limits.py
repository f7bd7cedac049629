"""Every limit that hello announces is a flag, and holds; the limits of rate and size
end with the code that the protocol names."""

import json
import time

import pytest
from raw_socket import RawClient, request

GRID = {"nx": 5, "ny": 5, "size": [1, 1]}


def hello(client: RawClient) -> dict:
    return client.read_text(lambda m: m.get("method") == "hello")["params"]


def test_every_limit_is_a_flag_and_is_told(start_server):
    server = start_server(
        "--max-clients", "3", "--max-worlds", "2", "--max-vertices-per-world", "4000", "--max-vertices", "5000", "--max-grabs", "7",
        "--max-snapshots", "5", "--max-snapshot-bytes", "60000", "--max-log-bytes", "70001",
        "--max-message-bytes", "70000", "--max-json-depth", "9", "--handshake-timeout", "2", "--command-rate", "500")
    assert hello(RawClient(server.port))["limits"] == {
        "max_clients": 3, "max_worlds": 2, "max_vertices_per_world": 4000, "max_vertices": 5000, "max_grabs": 7,
        "max_snapshots": 5, "max_snapshot_bytes": 60000, "max_log_bytes": 70001,
        "max_message_bytes": 70000, "max_json_depth": 9, "handshake_s": 2, "command_rate": 500}


def test_limits_of_worlds_and_vertices_hold(start_server):
    # drape has 61 x 61 = 3721 vertices.
    client = RawClient(start_server("--max-worlds", "2", "--max-vertices-per-world", "3740",
                                    "--max-vertices", "3750", "--paused").port)

    def refused(limit: str, most: int, method: str, **params) -> None:
        error = client.call(method, **params)["error"]
        assert error["code"] == -32004, error
        assert (error["data"]["limit"], error["data"]["max"]) == (limit, most), error

    refused("max_vertices_per_world", 3740, "cloth.add", cloth="a", grid=GRID)
    assert "result" in client.call("world.create", world="lab")
    assert "result" in client.call("cloth.add", world="lab", cloth="a", grid=GRID)
    refused("max_vertices", 3750, "cloth.add", world="lab", cloth="b", grid=GRID)
    refused("max_worlds", 2, "world.create", world="third")


def test_limits_of_texts_hold(start_server):
    client = RawClient(start_server("--max-message-bytes", "70000", "--max-json-depth", "8").port)
    nested = {"a": {"a": {"a": {"a": {"a": {"a": 0}}}}}}
    assert client.call("world.set", x=nested)["error"]["data"]["reason"] == "unknown_param"
    client.send({"jsonrpc": "2.0", "id": 1, "method": "world.set", "params": {"x": {"a": nested}}})
    assert client.read_text(lambda m: "id" in m)["error"]["code"] == -32700
    client.send_frame(1, b" " * 70001)
    assert client.read_until_end(5) == 1009


def test_a_handshake_has_the_time_of_the_flag(start_server):
    port = start_server("--handshake-timeout", "1").port
    begin = time.monotonic()
    status, _ = request(port, "GET /ws HTTP/1.1\r\nHost:", timeout=9)
    assert status == 0 and time.monotonic() - begin < 4


@pytest.mark.parametrize(("method", "most"), [
    ("server.ping", 64), ("stream.key", 64), ("client.set", 64), ("cloth.pin", 1024),
    ("cloth.set_state", 16384), ("collider.move", 16384), ("world.set", 16384), ("cloth.add", 16384)])
def test_each_method_has_its_size(server, method, most):
    client = RawClient(server.port)
    frame = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": {"x": ""}})
    for extra, code in ((0, -32602), (1, -32004)):
        size = most * 1024 + extra
        if size > 16 << 20:
            continue
        client.send_frame(1, frame.replace('""', '"' + "a" * (size - len(frame)) + '"').encode())
        error = client.read_text(lambda m: "id" in m)["error"]
        assert (error["code"], client.call("server.ping")["result"]["tick"] >= 0) == (code, True), error


def flood(client: RawClient, method: str, count: int) -> list[dict]:
    """Replies to count requests, a hundred under way; refusals may overtake."""
    replies = []
    for _ in range(0, count, 100):
        for _ in range(100):
            client.request(method)
        replies += [client.read_text(lambda m: "id" in m) for _ in range(100)]
    assert {reply["id"] for reply in replies} == set(range(client.next_id - count + 1, client.next_id + 1))
    return replies


def test_on_loopback_what_concerns_a_paused_world_is_not_counted(start_server):
    client = RawClient(start_server("--scene", "games103", "--paused", "--command-rate", "10").port)
    assert all("result" in reply for reply in flood(client, "world.stats", 500))
    assert all("result" in reply for reply in flood(client, "world.step", 500))
    client.call("world.resume")
    limited = [reply for reply in flood(client, "world.stats", 100) if "error" in reply]
    # A burst of 20, and 10 more in every second that it took.
    assert limited and all(reply["error"]["code"] == -32007 for reply in limited)


def test_a_bucket_outlives_its_connection(start_server):
    port = start_server("--command-rate", "1").port
    first = RawClient(port)
    assert any("error" in reply for reply in flood(first, "server.ping", 100))
    first.close()
    second = RawClient(port)
    assert "error" in second.call("server.ping") or "error" in second.call("server.ping")


@pytest.mark.slow
def test_ten_seconds_of_limiting_end_with_1008(start_server):
    client = RawClient(start_server("--command-rate", "1").port)
    client.socket.settimeout(5)
    begin = time.monotonic()
    with pytest.raises(EOFError, match="closed with 1008"):
        while time.monotonic() - begin < 20:
            client.call("server.ping")
            time.sleep(0.01)
    assert 9 < time.monotonic() - begin < 15
