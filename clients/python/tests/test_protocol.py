"""The sans-I/O protocol: bookkeeping of requests, and a subscriber's state."""

import json

import numpy as np
import pytest
from clothd.codec import parse_segments
from clothd.errors import ProtocolError, RpcError
from clothd.protocol import FrameDecoder, Notification, Session
from vectors import STATES, VECTORS, altered, mesh_of, planes, segment_bytes


def positions(vector, order=None):
    values = planes(vector["q"]).T.astype(np.float64) * 2.0 ** vector["step_exp"]
    if order is None:
        return values.astype(np.float32)
    out = np.empty_like(values)
    out[order] = values
    return out.astype(np.float32)


def started(vector, **more):
    decoder = FrameDecoder()
    decoder.mesh(mesh_of(vector, **more))
    (update,) = decoder.decode(segment_bytes(vector))
    assert update.keys == 1 and not update.lost
    return decoder


def tick_of(vector):
    return parse_segments(segment_bytes(vector))[0].tick


def test_requests_have_ids_and_notifications_none():
    session = Session()
    first, text = session.request("cloth.pin", {"cloth": "flag", "vertices": [1]})
    second, _ = session.request("server.ping", {})
    assert second == first + 1
    assert json.loads(text) == {"jsonrpc": "2.0", "id": first, "method": "cloth.pin",
                                "params": {"cloth": "flag", "vertices": [1]}}
    assert json.loads(session.notification("stream.ack", {"tick": 3})) == {
        "jsonrpc": "2.0", "method": "stream.ack", "params": {"tick": 3}}
    with pytest.raises(ValueError):
        session.request("world.set", {"drag": float("nan")})


def test_texts_are_replies_or_notifications():
    assert Session.receive('{"jsonrpc":"2.0","method":"hello","params":{"protocol":1}}') == Notification(
        "hello", {"protocol": 1})
    reply = Session.receive('{"jsonrpc":"2.0","id":4,"result":{"tick":9}}')
    assert (reply.id, reply.result, reply.error) == (4, {"tick": 9}, None)
    refused = Session.receive(json.dumps({"jsonrpc": "2.0", "id": 5, "error": {
        "code": -32602, "message": "cloth is missing.", "data": {"reason": "missing", "path": "cloth"}}}))
    assert isinstance(refused.error, RpcError)
    assert (str(refused.error), refused.error.code, refused.error.reason, refused.error.path) == (
        "cloth is missing.", -32602, "missing", "cloth")


@pytest.mark.parametrize("text", ["", "{", "3", "null", '{"jsonrpc":"2.0","id":1}'])
def test_other_texts_are_protocol_errors(text):
    with pytest.raises(ProtocolError):
        Session.receive(text)


@pytest.mark.parametrize("vector", [v for v in STATES if v["key"]], ids=lambda vector: vector["name"])
def test_keys_become_positions(vector):
    decoder = started(vector)
    mesh = decoder.worlds[0].mesh("sheet") if 0 in decoder.worlds else next(iter(decoder.worlds.values())).mesh("sheet")
    assert np.array_equal(mesh.positions, positions(vector))
    assert mesh.positions.dtype == np.float32


def test_order_maps_payload_vertices_to_mesh_vertices():
    vector = VECTORS["key-left-33"]
    order = [i * 5 % 33 for i in range(33)]
    decoder = FrameDecoder()
    decoder.mesh(mesh_of(vector, order=order))
    (update,) = decoder.decode(segment_bytes(vector))
    assert np.array_equal(update.positions["sheet"], positions(vector, order))
    for bad in ([0], [0] * 33, list(range(1, 34))):
        with pytest.raises(ProtocolError):
            decoder.mesh(mesh_of(vector, order=bad))


def test_deltas_chain_by_tick_and_a_gap_is_healed_by_a_key():
    key, still = VECTORS["own-key-none-33"], VECTORS["own-delta-still"]
    decoder, tick = started(key), tick_of(key)

    def step(now, base):
        (update,) = decoder.decode(altered(still, tick=now, base_tick=base))
        return update

    first = step(tick + 1, tick)
    assert first.deltas == 1 and np.array_equal(first.positions["sheet"], positions(key))
    assert step(tick + 3, tick + 2).lost
    assert not step(tick + 2, tick + 1).lost
    assert step(tick + 9, tick + 8).lost
    (healed,) = decoder.decode(segment_bytes(key))
    assert healed.keys == 1 and not healed.lost
    assert not step(tick + 1, tick).lost


def test_a_delta_moves_the_state_and_a_wrong_crc_does_not():
    key, delta = VECTORS["own-key-none-33"], VECTORS["own-delta-falling"]
    decoder, tick = started(key), tick_of(key)
    (bad,) = decoder.decode(altered(delta, tick=tick + 1, base_tick=tick, state_crc=1))
    assert bad.lost and not bad.positions
    (good,) = decoder.decode(altered(delta, tick=tick + 1, base_tick=tick))
    assert np.array_equal(good.positions["sheet"], positions(delta))


def test_unchanged_advances_the_tick():
    key, unchanged = VECTORS["grid21-key-2d"], VECTORS["own-unchanged"]
    decoder, tick = started(key), tick_of(key)
    place = {"epoch": mesh_of(key)["epoch"], "object": mesh_of(key)["object"]}
    for base in (0, 60):
        (update,) = decoder.decode(altered(unchanged, tick=tick + base + 60, base_tick=tick + base, **place))
        assert update.unchanged == ("sheet",) and not update.lost
    (late,) = decoder.decode(altered(unchanged, tick=tick + 300, base_tick=tick, **place))
    assert late.lost


def test_older_epochs_are_ignored_and_newer_ones_lost():
    key = VECTORS["grid21-key-2d"]
    epoch = mesh_of(key)["epoch"]
    decoder = started(key)
    decoder.mesh(mesh_of(key, epoch=epoch + 1))
    (old,) = decoder.decode(segment_bytes(key))
    assert not old.lost and not old.positions
    (new,) = decoder.decode(altered(key, epoch=epoch + 2))
    assert new.lost
    (now,) = decoder.decode(altered(key, epoch=epoch + 1))
    assert now.keys == 1


def test_news_of_the_same_epoch_keep_the_state_and_a_new_epoch_drops_it():
    key, delta = VECTORS["own-key-none-33"], VECTORS["own-delta-falling"]
    epoch, tick = mesh_of(key)["epoch"], tick_of(key)
    decoder = started(key)
    decoder.mesh(mesh_of(key, pins=[3]))
    (update,) = decoder.decode(altered(delta, tick=tick + 1, base_tick=tick))
    assert update.deltas == 1
    decoder.mesh(mesh_of(key, epoch=epoch + 1))
    (update,) = decoder.decode(altered(delta, epoch=epoch + 1, tick=tick + 2, base_tick=tick + 1))
    assert update.lost


def test_removed_objects_and_unknown_worlds():
    key = VECTORS["grid21-key-2d"]
    decoder = started(key)
    decoder.mesh(mesh_of(key, removed=True))
    (update,) = decoder.decode(segment_bytes(key))
    assert update.lost
    decoder.forget("main")
    assert decoder.decode(segment_bytes(key)) == []


def test_rest_triangles_and_f32_are_read_to_the_bit():
    for name, attribute in (("own-rest", "rest"), ("own-triangles", "triangles"), ("own-state-f32", "positions")):
        vector = VECTORS[name]
        decoder = FrameDecoder()
        decoder.mesh(mesh_of(vector))
        (update,) = decoder.decode(segment_bytes(vector))
        assert not update.lost
        got = getattr(update.world.mesh("sheet"), attribute)
        assert got.shape == (3, 3) and got.reshape(-1).tolist() == vector["values"]
        decoder.mesh(mesh_of(vector, vertex_count=4, triangle_count=4))
        (update,) = decoder.decode(segment_bytes(vector))
        assert update.lost


def test_poses_are_read_to_the_bit_and_chain_by_tick():
    key, none = VECTORS["own-poses"], VECTORS["own-poses-none"]
    decoder = FrameDecoder()
    for number in (1, 65535):
        decoder.mesh(mesh_of(key, kind="collider", object=number, name="c%d" % number, position=[9, 9, 9],
                             rotation=[0, 0, 0, 1]))
    (lost,) = decoder.decode(segment_bytes(none))
    assert lost.lost
    (update,) = decoder.decode(segment_bytes(key))
    want = key["poses"][0]
    assert list(update.poses) == ["c1"]
    assert update.poses["c1"].position.tolist() == want["position"]
    assert update.poses["c1"].rotation.tolist() == want["rotation"]
    assert list(update.world.poses) == [1]  # the other one was removed
    (update,) = decoder.decode(segment_bytes(none))
    assert not update.lost and not update.poses
    (gap,) = decoder.decode(altered(none, tick=9, base_tick=8))
    assert gap.lost


def test_a_broken_message_changes_nothing():
    vector = VECTORS["own-key-2d-ragged"]
    whole = bytes.fromhex(VECTORS["own-message"]["message"])
    decoder = FrameDecoder()
    decoder.mesh(mesh_of(vector))
    with pytest.raises(ProtocolError):
        decoder.decode(whole[:-1])
    assert decoder.worlds[0].mesh("sheet").positions is None
    (update,) = decoder.decode(whole)
    assert (update.keys, update.deltas, len(update.lost)) == (1, 0, 1)


def segment(kind, payload, *, obj, count, epoch=1, tick=5, flags=1):
    header = np.zeros(48, dtype=np.uint8)
    header[0], header[2] = kind, flags
    header[6:8] = np.array([obj], dtype="<u2").view(np.uint8)
    for at, value in ((8, epoch), (12, tick), (16, tick), (24, count), (28, len(payload))):
        header[at:at + 4] = np.array([value], dtype="<u4").view(np.uint8)
    return header.tobytes() + payload


def test_a_mesh_collider_has_its_vertices_where_it_is():
    decoder = FrameDecoder()
    mesh = {"world": "main", "world_index": 0, "epoch": 1, "object": 2, "name": "tetra", "kind": "collider",
            "vertex_count": 4, "triangle_count": 1, "shape": {"type": "mesh", "vertex_count": 4, "triangle_count": 1},
            "position": [0, 0, 0], "rotation": [0, 0, 0, 1]}
    decoder.mesh(mesh)
    world = decoder.worlds[0]
    with pytest.raises(KeyError):
        world.collider_vertices("tetra")  # not come yet
    points = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype="<f4")
    triangles = np.array([[0, 2, 1]], dtype="<u4")
    (update,) = decoder.decode(segment(2, triangles.tobytes(), obj=2, count=1)
                               + segment(3, points.tobytes(), obj=2, count=4))
    assert update.topology == ("tetra", "tetra") and not update.is_frame
    assert np.array_equal(world.mesh("tetra", "collider").triangles, triangles)
    # A quarter turn about y: x → −z, z → x.
    half = np.float32(np.sqrt(0.5))
    pose = np.array([2, 0], dtype="<u2").tobytes() + np.array([10, 0, 0, 0, half, 0, half], dtype="<f4").tobytes()
    decoder.decode(segment(4, pose, obj=0, count=1))
    placed = world.collider_vertices("tetra")
    assert placed.dtype == np.float32
    assert np.allclose(placed, [[10, 0, 0], [10, 0, -1], [10, 1, 0], [11, 0, 0]], atol=1e-6)
    # Another shape in the same epoch: the old triangles are not taken for its own.
    decoder.mesh({**mesh, "triangle_count": 2})
    assert world.mesh("tetra").triangles is None
    decoder.mesh({**mesh, "vertex_count": 0, "triangle_count": 0, "shape": {"type": "sphere", "radius": 1}})
    with pytest.raises(KeyError):
        world.collider_vertices("tetra")


def test_cloth_and_collider_of_one_name_are_told_apart():
    decoder = FrameDecoder()
    for number, kind in enumerate(("cloth", "collider")):
        decoder.mesh({"world": "main", "world_index": 0, "epoch": 1, "object": number, "name": "same", "kind": kind})
    world = decoder.worlds[0]
    assert world.mesh("same").kind == "cloth"
    assert world.mesh("same", "collider").kind == "collider"
