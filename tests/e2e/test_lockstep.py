"""Lockstep: commands before a step, the state after it, over a real connection and by the Python client."""

import json
import struct

import clothd
import numpy as np
import pytest
from clothd import RpcError
from raw_socket import RawClient

STATE, POSES, VELOCITIES = 1, 4, 6
KEY, ANSWER = 1, 8
PIN = {"method": "cloth.pin", "params": {"cloth": "sheet", "vertices": [30]}}


def segments(message: bytes) -> list[tuple]:
    """(type, codec, flags, object, tick, count, payload) of each."""
    found, at = [], 0
    while at < len(message):
        kind, codec, flags = message[at:at + 3]
        number, = struct.unpack_from("<H", message, at + 6)
        tick, = struct.unpack_from("<I", message, at + 12)
        count, length = struct.unpack_from("<II", message, at + 24)
        found.append((kind, codec, flags, number, tick, count, message[at + 48:at + 48 + length]))
        at += 48 + length
    return found


def test_the_state_comes_as_one_message_before_the_reply(start_server):
    client = RawClient(start_server("--scene", "drape", "--paused").port)
    me = client.request("world.step", ticks=3, commands=[PIN], state={"velocities": True})
    binary, reply = [], {}
    while reply.get("id") != me:
        opcode, data = client.read()
        binary += [data] if opcode == 2 else []
        reply = json.loads(data) if opcode == 1 else {}
    assert len(binary) == 1
    parts = segments(binary[0])
    assert [part[0] for part in parts] == [STATE, VELOCITIES, POSES]
    assert all(part[2] == KEY | ANSWER and part[4] == 3 for part in parts)
    assert parts[0][1] == 0 and parts[0][5] == 61 * 61
    values = client.call("cloth.positions", cloth="sheet")["result"]["values"]
    assert np.array_equal(np.frombuffer(parts[0][6], "<f4"), np.array(values, np.float32))
    result = reply["result"]
    assert result["tick"] == 3 and result["results"][0]["previous"] == {"vertices": [], "positions": []}
    assert result["state"]["cloths"] == [{"object": 0, "cloth": "sheet", "vertex_count": 3721}]


def test_a_failing_command_stops_the_step_and_takes_the_others_back(start_server):
    client = RawClient(start_server("--scene", "drape", "--paused").port)
    before = client.call("world.describe")["result"]
    for bad, reason, path in [
        ({"method": "cloth.pin", "params": {"cloth": "nope", "vertices": [0]}}, "not_found", "commands[1].params.cloth"),
        ({"method": "cloth.pin", "params": {"cloth": "sheet"}}, "missing", "commands[1].params.vertices"),
        ({"method": "cloth.pin", "params": {"cloth": "sheet", "vertices": [1e999]}}, "non_finite", "commands[1].params.vertices[0]"),
        ({"method": "cloth.pni", "params": {}}, "out_of_range", "commands[1].method"),
        ({"method": "world.list"}, "out_of_range", "commands[1].method"),
        ({"method": "world.load", "params": {"scene": "net"}}, "out_of_range", "commands[1].method"),
        ({"method": "world.set", "params": {"world": "lab", "drag": 1}}, "out_of_range", "commands[1].params.world"),
        ({"method": "world.set", "params": {"drga": 1}}, "unknown_param", "commands[1].params.drga"),
        ({"method": "world.set", "params": [1]}, "wrong_type", "commands[1].params"),
        ({"params": {}}, "missing", "commands[1].method"),
        ({"method": "world.reset", "paramz": {}}, "unknown_param", "commands[1].paramz"),
    ]:
        # json has no name for a number that large
        text = json.dumps([PIN, bad]).replace("Infinity", "1e999").encode()
        client.send_frame(1, b'{"jsonrpc":"2.0","id":77,"method":"world.step","params":{"commands":%s}}' % text)
        error = client.read_text(lambda m: m.get("id") == 77)["error"]
        assert (error["data"]["reason"], error["data"]["path"]) == (reason, path), error
    assert client.call("world.describe")["result"] == before
    for state, path in [({"cloths": ["nope"]}, "state.cloths[0]"), ({"codec": "x"}, "state.codec"), (True, "state")]:
        assert client.call("world.step", state=state)["error"]["data"]["path"] == path
    client.call("world.resume")
    assert client.call("world.step", commands=[PIN])["error"]["code"] == -32005


def test_the_python_client_learns_in_lockstep(start_server):
    with clothd.connect(start_server("--scene", "drape", "--paused").url) as client:
        client.world_create("lab", scene="drape", paused=True)
        client.world = "lab"
        first = client.step(5, commands=[("cloth.pin", {"cloth": "sheet", "vertices": range(0, 5)})], state=True)
        state = first["state"]
        assert state.tick == first["tick"] == 5
        assert state.positions["sheet"].shape == (3721, 3) and not state.velocities
        assert np.array_equal(state.positions["sheet"], client.positions("sheet"))
        assert set(state.poses) == {c["collider"] for c in client.describe()["colliders"]}
        # An episode from its start again, the same action, the same bits.
        again = client.step(5, commands=[("world.reset", {}), ("cloth.pin", {"cloth": "sheet", "vertices": range(0, 5)})],
                            state={"velocities": True, "cloths": ["sheet"]})
        assert again["state_hash"] == first["state_hash"]
        assert np.array_equal(again["state"].velocities["sheet"], client.velocities("sheet"))
        rough = client.step(1, state={"codec": "cb32"})["state"].positions["sheet"]
        assert np.abs(rough - client.positions("sheet")).max() < 2e-4
        with pytest.raises(RpcError, match="does not exist") as refusal:
            client.step(1, commands=[("cloth.unpin", {"cloth": "nope", "all": True})])
        assert refusal.value.path == "commands[0].params.cloth"


def test_a_stream_goes_on_beside_steps_with_state(start_server):
    with clothd.connect(start_server("--scene", "drape", "--paused").url) as client:
        stream = client.subscribe()
        for _ in range(5):
            client.step(1, state=True)
        assert stream.get(timeout=5).positions["sheet"].shape == (3721, 3)
        assert stream.figures.gaps == stream.figures.lost == 0
