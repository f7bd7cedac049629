"""A client that does not read costs nobody anything: the others go on, it skips, and
after ten seconds without progress it is gone."""

import json
import struct
import time

import pytest
from raw_socket import RawClient

# A sheet large enough that the kernel's buffers hold only a few of its frames.
SPEC = {"cloths": [{"cloth": "sheet", "grid": {"nx": 101, "ny": 101, "size": [2, 2]}, "position": [0, 2, 0],
                    "pins": [0, 100]}]}
HEADER = 48
KEY = 1


@pytest.fixture
def port(start_server, tmp_path):
    file = tmp_path / "sheet.json"
    file.write_text(json.dumps(SPEC))
    return start_server("--scene", str(file)).port


def states(message: bytes):
    """(flags, tick, base_tick) of each STATE segment."""
    offset = 0
    while offset < len(message):
        kind, _, flags, _, _, _, _, tick, base, _, _, payload = struct.unpack_from("<BBBbHHIIIIII", message, offset)
        if kind == 1:
            yield flags, tick, base
        offset += HEADER + payload


def watch(port: int, codec: str, **options) -> RawClient:
    client = RawClient(port, **options)
    assert client.status == 101
    assert "result" in client.call("stream.subscribe", codec=codec)
    return client


def ticks_of(client: RawClient, seconds: float) -> list[tuple[int, int, int]]:
    """The STATE segments that arrive within that time."""
    seen, end = [], time.monotonic() + seconds
    while time.monotonic() < end:
        opcode, data = client.read()
        assert opcode != 8
        if opcode == 2:
            seen += states(data)
    return seen


def follows(seen) -> None:
    """Each frame builds on the one before it or is a key."""
    for (_, before, _), (flags, tick, base) in zip(seen, seen[1:]):
        assert flags & KEY or base == before, (before, flags, tick, base)


def test_a_stalled_reader_skips_and_goes_on_with_a_key(port):
    healthy = watch(port, "cb32")
    stalled = watch(port, "f32", receive_buffer=8192)
    first = ticks_of(stalled, 0.5)
    # 120 kB a frame: three seconds of silence are far more than its buffers hold.
    beside = ticks_of(healthy, 3)
    follows(beside)
    assert len(beside) > 20
    again = first + ticks_of(stalled, 1.5)
    follows(again)
    jumps = [b for a, b in zip(again, again[1:]) if b[1] - a[1] > 20]
    assert jumps, "it skipped"
    assert all(flags & KEY for flags, _, _ in jumps), "what came next was a key"
    # What it gets now is of now.
    newest = max(tick for _, tick, _ in ticks_of(healthy, 0.3))
    assert again[-1][1] > jumps[-1][1] and newest - again[-1][1] < 120


@pytest.mark.slow
def test_a_reader_without_progress_is_gone_after_ten_seconds(port):
    healthy = watch(port, "cb32")
    stalled = watch(port, "f32", receive_buffer=8192)
    begin = time.monotonic()
    gone = None
    while gone is None and time.monotonic() - begin < 20:
        ticks_of(healthy, 0.1)
        clients = healthy.call("client.list")["result"]["clients"]
        if len(clients) == 1:
            gone = time.monotonic() - begin
    assert gone is not None and 8 <= gone <= 12 + 0.5, gone
    # It never read, so that there was no room for a Close frame: the connection just ends.
    assert stalled.read_until_end(2) in (None, 4408)
    assert len(ticks_of(healthy, 0.5)) > 0


@pytest.mark.slow
def test_a_slow_reader_that_moves_is_kept(port):
    """10 KB/s is slower than any stream here, but it is progress."""
    slow = watch(port, "f32", receive_buffer=4096)
    slow.socket.settimeout(5)
    end = time.monotonic() + 14
    while time.monotonic() < end:
        assert slow.socket.recv(1000)
        time.sleep(0.1)
    assert RawClient(port).call("client.list")["result"]["clients"][0]["client"]
