"""Both clients against a scripted server: replies, refusals, streams, and every way to end."""

import asyncio
import threading
import time

import clothd
import numpy as np
import pytest
from clothd.aio import AsyncClient
from fake_server import FakeServer, Refusal
from vectors import VECTORS, altered, mesh_of, segment_bytes

KEY, DELTA = VECTORS["own-key-none-33"], VECTORS["own-delta-falling"]
TICK = KEY["header"]["tick"]
MESH = mesh_of(KEY, name="flag")


def steady(method, params):
    if method == "cloth.positions":
        return {"tick": 1, "values": [0.1, -2.5, 3e-9, None, 1, 2]}
    if method == "cloth.edges":
        return {"tick": 1, "edges": [0, 1, 1, 2], "color": [0, 1], "rest": [1, 2], "length": [1, 2.5], "force": [None, 3]}
    if method == "cloth.pin":
        raise Refusal(-32602, "vertices[0] is 99; allowed is 0 to 8.", reason="out_of_range", path="vertices[0]")
    if method == "world.step":
        return None  # never answered
    return {"tick": 1, "echo": params}


def eventually(condition, seconds=5.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


@pytest.fixture
def server():
    with FakeServer(steady) as fake:
        yield fake


def test_hello_and_replies(server):
    with clothd.connect(server.url) as client:
        assert client.hello["protocol"] == 1
        assert client.world_set(drag=0.5)["echo"] == {"drag": 0.5}
        client.world = "lab"
        assert client.world_set(drag=0.5)["echo"] == {"drag": 0.5, "world": "lab"}
        assert client.world_set(drag=0.5, world="other")["echo"]["world"] == "other"
        assert client.request("server.ping", {})["tick"] == 1


def test_arrays_come_as_numpy(server):
    with clothd.connect(server.url) as client:
        positions = client.positions("flag")
        assert positions.dtype == np.float32 and positions.shape == (2, 3)
        assert np.array_equal(positions[0], np.array([0.1, -2.5, 3e-9], dtype=np.float32))
        assert np.isnan(positions[1, 0]) and positions[1, 2] == 2
        edges = client.edges("flag")
        assert edges["edges"].tolist() == [[0, 1], [1, 2]]
        assert np.isnan(edges["force"][0]) and edges["length"].dtype == np.float32


def test_refusals_raise_with_the_sentence_and_the_connection_stays(server):
    with clothd.connect(server.url) as client:
        with pytest.raises(clothd.RpcError) as caught:
            client.pin("flag", [99])
        assert str(caught.value) == "vertices[0] is 99; allowed is 0 to 8."
        assert (caught.value.code, caught.value.reason, caught.value.path) == (-32602, "out_of_range", "vertices[0]")
        assert isinstance(caught.value, clothd.ClothdError)
        assert client.ping()["tick"] == 1


def test_frames_come_as_arrays_and_a_gap_asks_for_a_key(server, monkeypatch):
    monkeypatch.setattr("clothd.aio._KEY_AGAIN_S", 3600.0)  # however slowly the frames arrive
    with clothd.connect(server.url) as client, client.subscribe(codec="cb32") as stream:
        assert ("stream.subscribe", {"world": "main", "codec": "cb32"}) == server.requests[-1][:2]
        server.send(("mesh", MESH), segment_bytes(KEY))
        frame = stream.get(5)
        assert frame.world == "main" and frame.tick == TICK and frame.changed == {"flag"}
        assert frame.positions["flag"].shape == (33, 3) and frame.positions["flag"].dtype == np.float32
        server.send(altered(DELTA, tick=TICK + 5, base_tick=TICK + 4))
        server.send(altered(DELTA, tick=TICK + 6, base_tick=TICK + 5))
        server.send(altered(DELTA, tick=TICK + 1, base_tick=TICK))
        second = stream.get(5)
        assert second.tick == TICK + 1
        step = 2.0 ** DELTA["step_exp"]
        assert np.array_equal(second.positions["flag"], (np.array(DELTA["q"]).T * step).astype(np.float32))
        figures = stream.figures
        assert (figures.keys, figures.deltas, figures.lost) == (1, 1, 2)
        keys = [request for request in server.requests if request[0] == "stream.key"]
        assert keys == [("stream.key", {"world": "main"}, None)]  # two losses at once, one question
        assert stream.world.mesh("flag").vertex_count == 33


def test_what_later_servers_add_is_ignored(server):
    """Members, notifications, kinds of objects and segment types of a protocol 1 that has grown."""
    stranger = bytearray(segment_bytes(KEY))
    stranger[0] = 99
    poses = {"kind": "rope", "shape": {"type": "torus", "radius": 1}, "mood": "calm"}
    server.hello |= {"weather": {"wind": 3}, "limits": {"max_dreams": 5}}
    with clothd.connect(server.url) as client, client.subscribe(codec="cb32") as stream:
        server.send(("weather", {"wind": 3}), ("event", {"world": "main", "seq": 1, "tick": 1, "event": "sneezed"}),
                    ("mesh", MESH | {"mood": "calm", "report": None}), ("mesh", MESH | poses | {"object": 77, "name": "r"}),
                    bytes(stranger) + segment_bytes(KEY) + bytes(stranger))
        frame = stream.get(5)
        assert frame.tick == TICK and frame.changed == {"flag"}
        assert stream.figures.lost == 0
        assert client.ping()["tick"] == 1


def test_a_late_reader_gets_the_newest_frames(server):
    with clothd.connect(server.url) as client, client.subscribe(queue_size=2) as stream:
        server.send(("mesh", MESH), *[altered(KEY, tick=t, base_tick=t) for t in (1, 2, 3, 5)])
        eventually(lambda: stream.figures.frames == 4)
        assert [stream.get(1).tick, stream.get(1).tick] == [3, 5]
        assert (stream.figures.dropped, stream.figures.gaps) == (2, 1)
        assert stream.latest.tick == 5
        with pytest.raises(TimeoutError, match="no frame within"):
            stream.get(0.02)


def test_closing_a_stream_ends_its_iteration(server):
    with clothd.connect(server.url) as client:
        stream = client.subscribe()
        server.send(("mesh", MESH), segment_bytes(KEY))
        iterator = iter(stream)
        assert next(iterator).tick == TICK
        stream.close()
        assert list(iterator) == []
        assert server.requests[-1][:2] == ("stream.unsubscribe", {"world": "main"})


def test_listeners_hear_notifications_in_order_and_must_not_wait(server):
    with clothd.connect(server.url) as client:
        heard, wrong = [], []

        def listen(params):
            heard.append(params["seq"])
            try:
                client.ping()
            except clothd.ClothdError as error:
                wrong.append(str(error))

        end = client.on("event", listen)
        server.send(("event", {"seq": 1}), ("event", {"seq": 2}))
        eventually(lambda: heard == [1, 2])
        assert "must not wait" in wrong[0]
        end()
        server.send(("event", {"seq": 3}))
        client.ping()
        assert heard == [1, 2]


def test_a_closed_connection_wakes_everyone_with_its_code(server):
    client = clothd.connect(server.url)
    stream, caught = client.subscribe(), []

    def wait():
        with pytest.raises(clothd.ConnectionClosed) as info:
            client.step(10)
        caught.append(info.value.code)

    thread = threading.Thread(target=wait)
    thread.start()
    eventually(lambda: any(request[0] == "world.step" for request in server.requests))
    server.close_client(1001, "going away")
    thread.join(5)
    assert caught == [1001]
    with pytest.raises(clothd.ConnectionClosed):
        stream.get(1)
    with pytest.raises(clothd.ConnectionClosed):
        client.ping()
    client.close()
    client.close()
    with pytest.raises(clothd.ConnectionClosed):
        client.ping()


def test_a_message_that_breaks_the_protocol_ends_the_connection(server):
    with clothd.connect(server.url) as client:
        server.send(b"\x01\x02\x03")
        with pytest.raises(clothd.ProtocolError, match="runs past"):
            for _ in range(100):
                client.ping()
                time.sleep(0.01)


def test_what_cannot_be_opened_says_why():
    with FakeServer(steady) as fake:
        url = fake.url
    with pytest.raises(clothd.ConnectionClosed, match="no connection"):
        clothd.connect(url)
    with FakeServer(steady, hello={"error": "this server speaks clothd.v1"}) as fake:
        with pytest.raises(clothd.ConnectionClosed, match="speaks clothd.v1") as caught:
            clothd.connect(fake.url)
        assert caught.value.code == 4406


def test_asyncio_client(server):
    async def run():
        async with AsyncClient(server.url, world="main") as client:
            assert (await client.ping())["tick"] == 1
            results = await asyncio.gather(*[client.world_set(drag=i) for i in range(20)])
            assert [result["echo"]["drag"] for result in results] == list(range(20))
            with pytest.raises(clothd.RpcError):
                await client.pin("flag", [99])
            async with await client.subscribe() as subscription:
                await asyncio.get_running_loop().run_in_executor(
                    None, server.send, ("mesh", MESH), segment_bytes(KEY))
                async for frame in subscription:
                    assert frame.tick == TICK
                    break
            step = asyncio.ensure_future(client.step(5))
            await asyncio.sleep(0.05)
        with pytest.raises(clothd.ConnectionClosed, match="closed here"):
            await step
        with pytest.raises(clothd.ConnectionClosed):
            await client.ping()

    asyncio.run(run())


def test_commands_before_open_say_so():
    async def run():
        with pytest.raises(clothd.ConnectionClosed, match="not connected"):
            await AsyncClient("127.0.0.1").ping()

    asyncio.run(run())
