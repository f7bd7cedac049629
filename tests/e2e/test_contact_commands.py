"""Contact over the wire: attachments, hands, bodies, meshes, sleep, and what is refused."""

import json

import clothd
import numpy as np
import pytest
from raw_socket import RawClient

SPEC = {
    "world": {"gravity": [0, 0, 0]},
    "cloths": [{"cloth": "flag", "grid": {"nx": 11, "ny": 11, "size": [1, 1]}, "position": [0, 1, 0],
                "attach": [{"collider": "pole", "vertices": [0, 10]}]}],
    "colliders": [
        {"collider": "pole", "shape": {"type": "capsule", "radius": 0.05, "half_height": 1}, "position": [-3, 0, 0]},
        {"collider": "wall", "shape": {"type": "plane"}, "position": [0, -9, 0], "motion": "static"},
        {"collider": "crate", "shape": {"type": "box", "half_extents": [0.1, 0.1, 0.1]}, "position": [5, 0, 0],
         "motion": "dynamic", "mass": 2},
    ],
}
TETRA = {"type": "mesh", "positions": [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1],
         "triangles": [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]}
ONE = {"type": "mesh", "positions": [0, 0, 0, 1, 0, 0, 0, 1, 0], "triangles": [0, 1, 2]}
SPHERE = {"type": "sphere", "radius": 0.1}


@pytest.fixture
def server_of_spec(start_server, tmp_path):
    file = tmp_path / "scene.json"
    file.write_text(json.dumps(SPEC))
    (tmp_path / "tetra.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    return start_server("--scene", str(file), "--paused", "--scene-dir", str(tmp_path), "--max-grabs", "2")


@pytest.fixture
def port(server_of_spec):
    return server_of_spec.port


def result(client: RawClient, method: str, **params) -> dict:
    reply = client.call(method, **params)
    assert "result" in reply, (method, params, reply)
    return reply["result"]


def position(client: RawClient, vertex: int) -> list:
    return result(client, "cloth.positions", cloth="flag", vertices=[vertex])["values"]


def test_what_is_attached_in_a_scene_follows_and_comes_back_by_reset(port):
    client = RawClient(port)
    describe = lambda: result(client, "cloth.describe", cloth="flag")["attachments"]  # noqa: E731
    assert describe() == [{"collider": "pole", "vertices": [0, 10]}]
    start = position(client, 0)
    result(client, "collider.move", collider="pole", position=[-3, 0.5, 0], over=10)
    result(client, "world.step", ticks=10)
    assert position(client, 0) == pytest.approx([start[0], start[1] + 0.5, start[2]], abs=1e-6)
    previous = result(client, "cloth.detach", cloth="flag", all=True)["previous"]
    assert previous == {"attach": [{"collider": "pole", "vertices": [0, 10]}]} and describe() == []
    for entry in previous["attach"]:
        result(client, "cloth.attach", cloth="flag", **entry)
    assert describe() == previous["attach"]
    result(client, "cloth.detach", cloth="flag", vertices=[10], collider="pole")
    result(client, "world.reset")
    assert describe() == [{"collider": "pole", "vertices": [0, 10]}]


def test_a_grab_holds_until_its_client_leaves(port):
    watcher, hand = RawClient(port), RawClient(port)
    result(watcher, "stream.subscribe", max_hz=1)
    grab = result(hand, "cloth.grab", cloth="flag", vertex=60, position=[0, 1.2, 0], compliance=0)["grab"]
    told = watcher.read_text(lambda m: m["params"].get("method") == "cloth.grab")["params"]
    assert told["grab"] == grab
    result(watcher, "world.step", ticks=120)
    assert position(watcher, 60)[1] == pytest.approx(1.2, abs=5e-3)
    result(watcher, "cloth.drag", grab=grab, position=[0, 1.3, 0])  # any client may
    result(watcher, "world.step", ticks=120)
    assert position(watcher, 60)[1] == pytest.approx(1.3, abs=5e-3)
    me = told["client"]
    hand.close()
    told = watcher.read_text(lambda m: m.get("method") == "event" and m["params"].get("method") == "cloth.release")["params"]
    assert told["client"] == me and told["params"] == {"grab": grab}
    assert result(watcher, "world.describe")["grabs"] == []
    error = watcher.call("cloth.drag", grab=grab, position=[0, 0, 0])["error"]
    assert error["data"]["reason"] == "not_found" and error["data"]["path"] == "grab"


def test_pins_outlive_their_client_and_grabs_do_not(port):
    one, two = RawClient(port), RawClient(port)
    result(one, "cloth.pin", cloth="flag", vertices=[50])
    result(one, "cloth.grab", cloth="flag", vertex=60)
    one.close()
    for _ in range(200):
        if not result(two, "world.describe")["grabs"]:
            break
    described = result(two, "world.describe")
    assert described["grabs"] == [] and described["cloths"][0]["pins"] == [50]


def test_a_body_falls_and_is_told_by_its_poses(server_of_spec):
    with clothd.connect(server_of_spec.url) as client, client.subscribe(codec="f32") as stream:
        client.world_set(gravity=[0, -10, 0])
        client.step(30)
        frame = stream.get(5)
        while frame.tick < 30:
            frame = stream.get(5)
        crate = {c["collider"]: c for c in client.describe()["colliders"]}["crate"]
        assert crate["motion"] == "dynamic" and crate["mass"] == 2 and crate["velocity"][1] < -3
        assert np.array_equal(frame.poses["crate"].position, np.float32(crate["position"]))
        assert frame.poses["crate"].position[1] < -1.0
        client.collider_move("crate", position=[5, 7, 0])
        assert client.describe()["colliders"][2]["position"] == [5, 7, 0]


def test_a_mesh_collider_comes_as_arrays_or_a_file_and_is_streamed(server_of_spec):
    with clothd.connect(server_of_spec.url) as client:
        client.collider_add("inline", TETRA, position=[4, 5, 6])
        client.collider_add("file", {"type": "file", "file": "tetra.obj", "scale": 2}, motion="static")
        with client.subscribe() as stream:
            stream.get(5)
            inline, file = stream.world.mesh("inline"), stream.world.mesh("file")
            assert inline.params["shape"] == file.params["shape"]
            assert inline.params["shape"]["type"] == "mesh" and inline.params["shape"]["closed"]
            assert np.array_equal(inline.rest.ravel(), TETRA["positions"])
            assert sorted(map(sorted, inline.triangles.tolist())) == [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]]
            assert np.array_equal(file.rest, 2 * inline.rest)
            assert np.allclose(stream.world.collider_vertices("inline"), inline.rest + [4, 5, 6])
        previous = client.collider_remove("inline")["previous"]
        client.collider_add(**previous)
        assert client.describe()["colliders"][-1]["shape"] == inline.params["shape"]


def step_until(client: RawClient, ticks: int, event: str) -> dict:
    """Steps; the first event of that name, which comes before the reply."""
    me = client.request("world.step", ticks=ticks)
    told = client.read_text(lambda m: m.get("method") == "event" and m["params"].get("event") == event)["params"]
    client.read_text(lambda m: m.get("id") == me)
    return told


def test_a_resting_world_sleeps_and_an_impulse_wakes_it(port):
    client = RawClient(port)
    result(client, "stream.subscribe", max_hz=1)
    slept = step_until(client, 90, "slept")
    assert slept["client"] is None and ("cloth" in slept) != ("collider" in slept)
    assert result(client, "cloth.describe", cloth="flag")["asleep"] is True
    result(client, "cloth.impulse", cloth="flag", vertices=[60], impulse=[0, 0.01, 0])
    woke = step_until(client, 1, "woke")
    assert woke["cloth"] == "flag"
    stats = result(client, "world.stats")
    assert isinstance(stats["contacts"], int) and isinstance(stats["self_contacts"], int)


def test_a_thickness_above_the_edges_is_clamped_and_told(port):
    client = RawClient(port)
    grid = {"nx": 5, "ny": 5, "size": [1, 1]}
    added = result(client, "cloth.add", cloth="thick", grid=grid, position=[0, 5, 0], thickness=0.4, self_collision=True)
    (warning,) = added["report"]["warnings"]
    assert "0.4 m" in warning and "0.25 m" in warning
    told = client.read_text(lambda m: m.get("method") == "event" and m["params"].get("event") == "clamped")["params"]
    assert (told["cloth"], told["what"]) == ("thick", "thickness")
    assert told["got"] == pytest.approx(0.4) and told["max"] < 0.25
    (warning,) = result(client, "cloth.set", cloth="thick", thickness=0.3)["warnings"]
    assert "0.3 m" in warning and "0.25 m" in warning
    assert result(client, "cloth.set", cloth="thick", thickness=0.1)["warnings"] == []


# (method, params, code, reason, path)
REFUSED = [
    ("cloth.attach", {"cloth": "flag", "vertices": [], "collider": "pole"}, -32602, "out_of_range", "vertices"),
    ("cloth.attach", {"cloth": "flag", "vertices": [121], "collider": "pole"}, -32602, "out_of_range", "vertices"),
    ("cloth.attach", {"cloth": "flag", "vertices": [1], "collider": "none"}, -32001, "not_found", "collider"),
    ("cloth.attach", {"cloth": "none", "vertices": [1], "collider": "pole"}, -32001, "not_found", "cloth"),
    ("cloth.detach", {"cloth": "flag", "vertices": [0, 7]}, -32005, "conflict", "vertices"),
    ("cloth.detach", {"cloth": "flag", "vertices": [0], "collider": "crate"}, -32005, "conflict", "vertices"),
    ("cloth.detach", {"cloth": "flag"}, -32602, "missing", "vertices"),
    ("cloth.grab", {"cloth": "flag", "vertex": 121}, -32602, "out_of_range", "vertex"),
    ("cloth.grab", {"cloth": "flag", "vertex": -1}, -32602, "out_of_range", "vertex"),
    ("cloth.grab", {"cloth": "flag", "vertex": 1, "compliance": -1}, -32602, "out_of_range", "compliance"),
    ("cloth.grab", {"cloth": "flag", "vertex": 1, "position": [2e6, 0, 0]}, -32602, "out_of_range", "position[0]"),
    ("cloth.drag", {"grab": 99, "position": [0, 0, 0]}, -32001, "not_found", "grab"),
    ("cloth.release", {"grab": 99}, -32001, "not_found", "grab"),
    ("cloth.release", {"grab": 0}, -32602, "out_of_range", "grab"),
    ("cloth.impulse", {"cloth": "flag", "vertices": [], "impulse": [0, 1, 0]}, -32602, "out_of_range", "vertices"),
    ("cloth.impulse", {"cloth": "flag", "vertices": [0]}, -32602, "missing", "impulse"),
    ("cloth.set", {"cloth": "flag", "thickness": -0.1}, -32602, "out_of_range", "thickness"),
    ("cloth.set", {"cloth": "flag", "self_collision": 1}, -32602, "wrong_type", "self_collision"),
    ("cloth.add", {"cloth": "x", "grid": {"nx": 2, "ny": 2, "size": [1, 1]},
                   "attach": [{"collider": "none", "vertices": [0]}]}, -32001, "not_found", "attach[0].collider"),
    ("cloth.add", {"cloth": "x", "grid": {"nx": 2, "ny": 2, "size": [1, 1]},
                   "attach": [{"collider": "pole", "vertices": []}]}, -32602, "out_of_range", "attach[0].vertices"),
    ("collider.add", {"collider": "x", "shape": {"type": "sphere", "radius": 0}}, -32602, "out_of_range", "shape.radius"),
    ("collider.add", {"collider": "x", "shape": {"type": "sphere", "radius": -1}}, -32602, "out_of_range",
     "shape.radius"),
    ("collider.add", {"collider": "x", "shape": {"type": "box", "half_extents": [1, 0, 1]}}, -32602, "out_of_range",
     "shape.half_extents[1]"),
    ("collider.add", {"collider": "x", "shape": SPHERE, "motion": "dynamic", "mass": 0}, -32602, "out_of_range", "mass"),
    ("collider.add", {"collider": "x", "shape": SPHERE, "motion": "dynamic", "mass": -1}, -32602, "out_of_range",
     "mass"),
    ("collider.add", {"collider": "x", "shape": SPHERE, "motion": "static", "mass": 1}, -32005, "conflict", "mass"),
    ("collider.add", {"collider": "x", "shape": SPHERE, "motion": "static", "velocity": [1, 0, 0]}, -32005, "conflict",
     "velocity"),
    ("collider.add", {"collider": "x", "shape": SPHERE, "motion": "dynamic", "moves_until": 3}, -32005, "conflict",
     "moves_until"),
    ("collider.add", {"collider": "x", "shape": ONE, "motion": "dynamic"}, -32005, "conflict", "shape.type"),
    ("collider.add", {"collider": "x", "shape": {"type": "plane"}, "motion": "dynamic"}, -32005, "conflict",
     "shape.type"),
    ("collider.add", {"collider": "x", "shape": {**ONE, "triangles": []}}, -32003, "invalid_mesh", "shape"),
    ("collider.add", {"collider": "x", "shape": {**ONE, "triangles": [0, 1, 3]}}, -32003, "invalid_mesh", "shape"),
    ("collider.add", {"collider": "x", "shape": {**ONE, "triangles": [0, 1]}}, -32602, "wrong_type", "shape.triangles"),
    ("collider.add", {"collider": "x", "shape": {"type": "mesh", "positions": [0, 0, 0]}}, -32602, "missing",
     "shape.triangles"),
    ("collider.add", {"collider": "x", "shape": {"type": "file", "file": "none.obj"}}, -32001, "not_found", "shape.file"),
    ("collider.add", {"collider": "x", "shape": {"type": "file", "file": "../x.obj"}}, -32602, "out_of_range",
     "shape.file"),
    ("collider.set", {"collider": "pole", "mass": 2}, -32005, "conflict", "mass"),
    ("collider.set", {"collider": "crate", "shape": ONE}, -32005, "conflict", "shape.type"),
    ("collider.move", {"collider": "crate", "position": [0, 0, 0], "over": 9}, -32005, "conflict", "over"),
    ("world.load", {"spec": {"cloths": [{"cloth": "x", "grid": {"nx": 2, "ny": 2, "size": [1, 1]},
                                         "attach": [{"collider": "none", "vertices": [0]}]}]}},
     -32001, "not_found", "spec.cloths[0].attach[0].collider"),
]


def test_every_refusal_names_its_member_and_changes_nothing(port):
    client = RawClient(port)
    before = result(client, "world.describe")
    for method, params, code, reason, path in REFUSED:
        error = client.call(method, **params)["error"]
        assert (error["code"], error["data"]["reason"], error["data"]["path"]) == (code, reason, path), (params, error)
        assert len(error["message"]) > 20 and error["message"].endswith("."), error
        if code == -32003:
            assert error["data"]["cause"] in {"no_faces", "index_range"}
    assert result(client, "world.describe") == before


def test_the_limit_of_grabs_is_told_and_kept(port):
    client = RawClient(port)
    assert result(client, "server.info")["limits"]["max_grabs"] == 2
    first = result(client, "cloth.grab", cloth="flag", vertex=1)["grab"]
    result(client, "cloth.grab", cloth="flag", vertex=1)
    error = client.call("cloth.grab", cloth="flag", vertex=1)["error"]
    assert error["data"]["limit"] == "max_grabs" and error["data"]["max"] == 2 and error["code"] == -32004
    result(client, "cloth.release", grab=first)
    assert "result" in client.call("cloth.grab", cloth="flag", vertex=1)


def test_pythons_hand_lets_go_at_the_end_of_its_block(server_of_spec):
    with clothd.connect(server_of_spec.url) as client:
        with client.grab("flag", 60, compliance=0) as grab:
            grab.drag([0, 1.1, 0])
            client.step(120)
            assert client.describe()["grabs"][0]["grab"] == grab.number
            assert client.positions("flag", 60)[0, 1] == pytest.approx(1.1, abs=5e-3)
        assert client.describe()["grabs"] == []
