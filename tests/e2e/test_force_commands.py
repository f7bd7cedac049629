"""Forces over the wire: wind and its seed, pressure, tethers, warp and weft, and what is refused."""

import json

import pytest
from raw_socket import RawClient

CUBE = {"positions": [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1],
        "triangles": [0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4, 2, 3, 7, 2, 7, 6,
                      1, 2, 6, 1, 6, 5, 0, 4, 7, 0, 7, 3]}
SPEC = {
    "world": {"gravity": [0, 0, 0], "drag": 0, "damping": 0},
    "cloths": [{"cloth": "flag", "grid": {"nx": 11, "ny": 11, "size": [1, 1]}, "rotation": [0, 0, 0.7071068, 0.7071068]},
               {"cloth": "box", "mesh": CUBE, "position": [5, 0, 0]}],
}


@pytest.fixture
def client(start_server, tmp_path):
    file = tmp_path / "scene.json"
    file.write_text(json.dumps(SPEC))
    return RawClient(start_server("--scene", str(file), "--paused").port)


def result(client: RawClient, method: str, **params) -> dict:
    reply = client.call(method, **params)
    assert "result" in reply, (method, params, reply)
    return reply["result"]


def refused(client: RawClient, method: str, **params) -> dict:
    reply = client.call(method, **params)
    assert "error" in reply, (method, params, reply)
    return reply["error"]


def middle(client: RawClient, cloth: str = "flag") -> list:
    values = result(client, "cloth.positions", cloth=cloth)["values"]
    return [sum(values[axis::3]) / (len(values) // 3) for axis in range(3)]


def test_wind_carries_what_stands_across_it_and_undo_stills_it(client):
    assert result(client, "world.describe")["settings"]["wind"] == {
        "velocity": [0, 0, 0], "turbulence": 0, "gust_size": 1, "air_density": 1.225}
    previous = result(client, "world.set", wind={"velocity": [5, 0, 0]})["previous"]
    assert previous == {"wind": {"velocity": [0, 0, 0]}}
    result(client, "world.step", ticks=60)
    # The rigid plate: 4.194 m in 1 s (tests/physics/test_wind.c).
    assert middle(client)[0] == pytest.approx(4.19, abs=0.05)
    result(client, "world.set", **previous)
    before = middle(client)[0]
    result(client, "cloth.set_state", cloth="flag", velocities=[0] * 363)
    result(client, "world.step", ticks=10)
    assert middle(client)[0] == pytest.approx(before, abs=1e-4)


def test_the_seed_makes_the_gusts(client):
    hashes = []
    for seed in (7, 8, 7):
        result(client, "world.reset")
        result(client, "world.set", wind={"velocity": [4, 0, 1], "turbulence": 0.4}, seed=seed)
        hashes.append(result(client, "world.step", ticks=30)["state_hash"])
    assert hashes[0] == hashes[2] != hashes[1]


def test_a_hurricane_leaves_numbers_and_a_world_that_resets(client):
    start = result(client, "world.describe")["state_hash"]
    want = result(client, "world.step", ticks=50)["state_hash"]
    result(client, "world.reset")
    result(client, "world.set", wind={"velocity": [1e6, 0, 0]})
    result(client, "world.step", ticks=30)
    assert all(abs(x) < 1e9 for x in middle(client))
    result(client, "world.reset")
    assert result(client, "world.describe")["state_hash"] == start
    assert result(client, "world.step", ticks=50)["state_hash"] == want


def test_pressure_inflates_what_is_closed_and_is_refused_elsewhere(client):
    result(client, "cloth.set", cloth="box", pressure=2, stretch_compliance=0.1, bend_compliance=None)
    result(client, "world.step", ticks=60)
    values = result(client, "cloth.positions", cloth="box")["values"]
    points = [values[3 * v:3 * v + 3] for v in range(8)]
    volume = 0.0
    for t in range(0, len(CUBE["triangles"]), 3):
        a, b, c = ([x - o for x, o in zip(points[v], points[0])] for v in CUBE["triangles"][t:t + 3])
        volume += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2])
                   + a[2] * (b[0] * c[1] - b[1] * c[0])) / 6
    assert abs(volume) == pytest.approx(2, rel=0.05)
    error = refused(client, "cloth.set", cloth="flag", pressure=1)
    assert error["code"] == -32005 and error["data"]["boundary_edges"] == 40
    assert error["message"] == "pressure needs a closed mesh; this one has 40 border edges."
    error = refused(client, "cloth.add", cloth="other", grid={"nx": 3, "ny": 3, "size": [1, 1]}, pressure=1)
    assert error["data"]["path"] == "pressure"
    error = refused(client, "world.load", spec={"cloths": [{"cloth": "a", "grid": {"nx": 2, "ny": 2, "size": [1, 1]},
                                                           "pressure": 0}]})
    assert error["data"]["path"] == "spec.cloths[0].pressure"


def test_a_weft_needs_rows(client):
    assert refused(client, "cloth.set", cloth="box", stretch_compliance_weft=0.01)["code"] == -32005
    result(client, "cloth.set", cloth="flag", stretch_compliance_weft=0.01, compression=0.5, tethers=True)
    material = result(client, "cloth.describe", cloth="flag")["material"]
    assert (material["stretch_compliance_weft"], material["compression"], material["tethers"]) == (0.01, 0.5, True)
    previous = result(client, "cloth.set", cloth="flag", stretch_compliance_weft=None)["previous"]
    assert previous == {"stretch_compliance_weft": 0.01}


@pytest.mark.parametrize("params", [
    {"wind": {"velocity": [1e7, 0, 0]}}, {"wind": {"turbulence": -1}}, {"wind": {"gust_size": 0}},
    {"wind": {"strength": 1}}, {"wind": None}, {"seed": -1}, {"seed": 1.5}])
def test_bad_wind_is_refused_by_name_and_changes_nothing(client, params):
    before = result(client, "world.describe")
    error = refused(client, "world.set", **params)
    assert error["code"] == -32602 and error["data"]["path"].startswith(next(iter(params)))
    after = result(client, "world.describe")
    assert after["settings"] == before["settings"] and after["state_hash"] == before["state_hash"]
