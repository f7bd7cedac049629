"""The end and the edges of the process: SIGTERM, few descriptors, many connects."""

import re
import signal
import socket
import threading
import time
from collections import Counter

import pytest
from raw_socket import RawClient, get


def cpu_seconds(pid: int) -> float:
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / 100


def gets_in(port: int) -> bool:
    """Without descriptors a connection may also be reset."""
    try:
        return RawClient(port).status == 101
    except OSError:
        return False


def test_everyone_is_told_and_closed_with_1001(start_server):
    server = start_server()
    clients = [RawClient(server.port) for _ in range(40)]
    stalled = [RawClient(server.port, receive_buffer=4096) for _ in range(2)]
    for client in clients + stalled:
        client.request("stream.subscribe", codec="f32" if client in stalled else "cb32")
    ends: list = []

    def read(client: RawClient) -> None:
        told = client.read_text(lambda m: m.get("params", {}).get("event") == "going_away")
        assert told["params"]["retry_ms"] > 0
        ends.append(client.read_until_end(5))

    threads = [threading.Thread(target=read, args=(client,)) for client in clients]
    for thread in threads:
        thread.start()
    time.sleep(1)
    begin = time.monotonic()
    assert server.end() == 0
    assert time.monotonic() - begin < 5
    for thread in threads:
        thread.join(10)
    assert Counter(ends) == {1001: len(clients)}


def test_a_signal_right_after_the_link_is_an_orderly_end(start_server):
    for _ in range(5):
        assert start_server("--paused").end() == 0


@pytest.mark.slow
def test_a_tick_that_takes_minutes_does_not_hold_the_end(start_server):
    server = start_server("--paused")
    client = RawClient(server.port)
    spec = {"world": {"solver": {"iterations": 200, "substeps": 64}},
            "cloths": [{"cloth": "c", "grid": {"nx": 500, "ny": 500, "size": [1, 1]}}]}
    assert "result" in client.call("world.load", spec=spec)
    client.request("world.step")
    time.sleep(0.3)
    begin = time.monotonic()
    server.process.send_signal(signal.SIGTERM)
    assert client.read_until_end(5) == 1001
    assert server.process.wait(5) == 0
    assert time.monotonic() - begin < 5


def test_readiness_ends_before_the_sessions_do(start_server):
    server = start_server()
    client = RawClient(server.port)
    assert get(server.port, "/readyz")[0] == 200
    server.process.send_signal(signal.SIGTERM)
    client.read_text(lambda m: m.get("params", {}).get("event") == "going_away")
    assert get(server.port, "/readyz")[0] == 503
    assert RawClient(server.port).status == 503
    assert client.read_until_end(5) == 1001
    assert server.process.wait(5) == 0


def test_a_second_signal_ends_at_once(start_server):
    server = start_server()
    RawClient(server.port)
    server.process.send_signal(signal.SIGTERM)
    time.sleep(0.03)
    begin = time.monotonic()
    server.process.send_signal(signal.SIGTERM)
    status = server.process.wait(5)
    assert time.monotonic() - begin < 0.5 and status in (0, 128 + signal.SIGTERM)
    server.process.returncode = 0  # the fixture asks for an orderly end, which this is not


@pytest.mark.slow
def test_few_descriptors_are_no_busy_loop_and_no_end(start_server, tmp_path, monkeypatch):
    limited = tmp_path / "limited"
    limited.write_text(f'#!/bin/sh\nulimit -n 64\nexec "{start_server.__globals__["BINARY"]}" "$@"\n')
    limited.chmod(0o755)
    # The fixture's module looks its binary up when it starts one.
    monkeypatch.setitem(start_server.__globals__, "BINARY", str(limited))
    server = start_server("--paused")
    crowd = []
    for _ in range(400):
        s = socket.socket()
        s.settimeout(1)
        try:
            s.connect(("127.0.0.1", server.port))
            crowd.append(s)
        except OSError:
            s.close()
    time.sleep(0.5)
    begin = cpu_seconds(server.process.pid)
    time.sleep(2)
    assert cpu_seconds(server.process.pid) - begin < 0.2
    for s in crowd:
        s.close()
    end = time.monotonic() + 5
    while not gets_in(server.port):
        assert time.monotonic() < end
        time.sleep(0.1)
    assert sum(map(len, server.log)) < 100_000
    assert any("64 descriptors" in line for line in server.log)


def test_a_crowd_of_connects_gets_in_or_hears_503(start_server):
    server = start_server("--max-clients", "50")
    kept, statuses = [], Counter()
    for _ in range(300):
        client = RawClient(server.port)
        statuses[client.status] += 1
        kept.append(client)
        if client.status != 101:
            client.close()
    assert statuses == {101: 50, 503: 250}
    text = get(server.port, "/metrics")[1]
    assert re.search(r'clothd_refused_total\{cause="full"\} 250', text)
    for client in kept:
        client.close()
