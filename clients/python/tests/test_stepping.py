"""The state that a step answers with, as arrays; by itself and through both clients."""

import asyncio
import copy

import clothd
import numpy as np
import pytest
from clothd import stepping
from clothd.aio import AsyncClient
from clothd.errors import ProtocolError
from clothd.protocol import FrameDecoder
from clothd.values import UNSET
from fake_server import FakeServer
from vectors import VECTORS, mesh_of, segment_bytes

ANSWER = VECTORS["own-answer"]
MESSAGE = bytes.fromhex(ANSWER["message"])


def test_a_reply_gets_the_state_before_it_by_name():
    result = copy.deepcopy(ANSWER["reply"])
    assert stepping.is_answer(MESSAGE) and stepping.attach(result, MESSAGE)
    state = result["state"]
    assert state.tick == 30 and state.positions["flag"].dtype == np.float32
    assert state.positions["flag"].reshape(-1).tolist() == ANSWER["positions"]
    assert state.velocities["flag"].reshape(-1).tolist() == ANSWER["velocities"]
    assert state.poses["ball"].position.tolist() == ANSWER["poses"][0]["position"]


def test_worlds_of_one_message_are_told_apart():
    mine, other = copy.deepcopy(ANSWER["reply"]), copy.deepcopy(ANSWER["reply"])
    other["state"]["world_index"] = 7
    result = {"tick": 0, "worlds": [other, mine, {"tick": 3}]}
    assert stepping.attach(result, MESSAGE)
    assert not other["state"].positions and mine["state"].positions["flag"].shape == (2, 3)


def test_other_replies_are_left_alone():
    for result in ({"tick": 1}, {"tick": 1, "worlds": [{"world": "main"}]}, {"tick": 1, "state": "text"}):
        before = copy.deepcopy(result)
        assert not stepping.attach(result, MESSAGE) and result == before


def test_a_quantised_state_uses_columns_and_order_of_the_reply():
    key = VECTORS["grid21-key-2d"]
    data = bytearray(segment_bytes(key))
    data[2] |= 8
    order = list(range(key["count"]))[::-1]
    mesh = mesh_of(key)
    state = {"world_index": mesh["world_index"], "epoch": 1, "colliders": [],
             "cloths": [{"object": mesh["object"], "cloth": "a", "vertex_count": key["count"], "cols": key["cols"],
                         "order": order}]}
    result = {"tick": 1, "state": state}
    stepping.attach(result, bytes(data))
    wanted = np.array(key["q"], dtype=np.float32).T * np.float32(2.0 ** key["step_exp"])
    assert np.array_equal(result["state"].positions["a"][::-1], wanted)


def test_what_does_not_fit_is_refused():
    result = copy.deepcopy(ANSWER["reply"])
    result["state"]["cloths"][0]["vertex_count"] = 9
    with pytest.raises(ProtocolError, match="9 vertices"):
        stepping.attach(result, MESSAGE)
    with pytest.raises(ProtocolError):
        stepping.attach(copy.deepcopy(ANSWER["reply"]), MESSAGE[:70])


def test_an_answer_is_no_frame():
    key = VECTORS["grid21-key-2d"]
    decoder = FrameDecoder()
    decoder.mesh(mesh_of(key))
    assert len(decoder.decode(segment_bytes(key))) == 1 and not stepping.is_answer(segment_bytes(key))
    assert decoder.decode(MESSAGE) == []


def test_commands_and_wishes_are_written_as_the_protocol_has_them():
    assert stepping.commands_of([("cloth.pin", {"cloth": "a", "vertices": np.array([1, 2])}),
                                 {"method": "world.reset"}]) == [
        {"method": "cloth.pin", "params": {"cloth": "a", "vertices": [1, 2]}}, {"method": "world.reset"}]
    assert stepping.wish_of(True) == {} and stepping.wish_of(False) is UNSET
    assert stepping.wish_of("a") == {"cloths": ["a"]} and stepping.wish_of(["a", "b"]) == {"cloths": ["a", "b"]}
    assert stepping.wish_of({"codec": "cb32"}) == {"codec": "cb32"}


class StateServer(FakeServer):
    async def _answer(self, socket, message):
        if message["method"] == "world.step" and "state" in message["params"]:
            await socket.send(MESSAGE)
        await super()._answer(socket, message)


def answer(method, params):
    return copy.deepcopy(ANSWER["reply"]) if method == "world.step" and "state" in params else {"tick": 1, "echo": params}


def test_the_blocking_client_steps_with_state():
    with StateServer(answer) as server, clothd.connect(server.url) as client:
        result = client.step(30, commands=[("world.reset", {})], state=True)
        assert isinstance(result["state"], clothd.State) and result["state"].positions["flag"][0, 1] == -1.25
        assert server.requests[-1][1] == {"ticks": 30, "commands": [{"method": "world.reset", "params": {}}], "state": {}}
        assert client.step()["echo"] == {}
        client.world = "lab"
        assert client.step(2)["echo"] == {"ticks": 2, "world": "lab"}


def test_the_asyncio_client_steps_with_state():
    async def run(url):
        async with AsyncClient(url) as client:
            results = await asyncio.gather(client.step(1, state=["flag"]), client.step(1), client.step(1, state=True))
            assert results[0]["state"].tick == results[2]["state"].tick == 30 and "state" not in results[1]

    with StateServer(answer) as server:
        asyncio.run(run(server.url))
