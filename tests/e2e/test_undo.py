"""What cloth.remove answers brings the cloth back, whatever it was made of, by the steps that
PROTOCOL.md names; over a real socket, with the text that Python makes of it."""

import pytest
from raw_socket import RawClient

SQUARE = [[x, 0, z] for z in (0, 0.5, 1) for x in (0, 0.5, 1)]
# A square, a fin of two more triangles on its inner edge 1-4, a triangle turned over, one twice.
FIN = {
    "positions": [c for v in [*SQUARE, [0.5, 0.4, 0], [0.5, 0.4, 0.5]] for c in v],
    "triangles": [0, 3, 1, 1, 3, 4, 1, 4, 2, 2, 5, 4, 3, 6, 4, 4, 6, 7, 4, 7, 5, 5, 7, 8, 1, 4, 9, 9, 4, 10, 0, 1, 3],
    "edges": [0, 8, 2, 6, 9, 0],
    "masses": [0.01 + 0.003 * i for i in range(11)],
    "rest_positions": [1.05 * c for v in [*SQUARE, [0.5, 0.4, 0], [0.5, 0.4, 0.5]] for c in v],
}
CLOTHS = {
    "grid": {"grid": {"nx": 21, "ny": 13, "size": [2, 1.2], "diagonal": "alternate"}, "position": [0, 1, 0],
             "rotation": [0.2, 0, 0.1, 1], "scale": 0.7, "density": 0.31, "pins": [0, 20], "bend_compliance": None},
    "mesh": {"mesh": FIN, "allow_nonmanifold": True, "pins": [0], "velocity": [0.1, 0, 0.2]},
    "file": {"file": "dress.obj", "position": [0, 1, 0], "weld": 1e-5, "pins": [{"from": 0, "to": 40}]},
    "rope": {"mesh": {"positions": [c for i in range(30) for c in (0.1 * i, 0, 0)],
                      "edges": [c for i in range(29) for c in (i, i + 1)]}, "pins": [0]},
}


@pytest.fixture
def client(start_server):
    return RawClient(start_server("--paused").port)


def result(client: RawClient, method: str, **params):
    reply = client.call(method, world="lab", **params)
    assert "error" not in reply, (method, reply["error"])
    return reply["result"]


def begin(client: RawClient, cloth: dict) -> None:
    if any(w["world"] == "lab" for w in client.call("world.list")["result"]["worlds"]):
        result(client, "world.destroy")
    result(client, "world.create", paused=True)
    result(client, "cloth.add", cloth="a", **cloth)


def look(client: RawClient) -> dict:
    seen = {**result(client, "cloth.describe", cloth="a"), **result(client, "cloth.edges", cloth="a")}
    for method in ("positions", "velocities"):
        seen[method] = result(client, f"cloth.{method}", cloth="a")["values"]
    del seen["object"], seen["force"]
    return seen


def undo(client: RawClient, previous: dict) -> None:
    after = {key: previous.pop(key) for key in ("positions", "velocities") if previous.get(key) is not None}
    previous.pop("material")
    pins = {"vertices": previous["pins"], "positions": previous.pop("pin_positions")}
    result(client, "cloth.add", **{key: value for key, value in previous.items()
                                   if key not in ("positions", "velocities") and (key != "mesh" or value)})
    for key, values in after.items():
        result(client, "cloth.set_state", cloth="a", **{key: values})
    result(client, "cloth.pin", cloth="a", **pins)


def remove_and_undo(client: RawClient) -> dict:
    previous = result(client, "cloth.remove", cloth="a")["previous"]
    undo(client, dict(previous))
    return previous


@pytest.mark.parametrize("kind", CLOTHS)
def test_a_removed_cloth_is_brought_back_by_previous(client, kind):
    begin(client, CLOTHS[kind])
    untouched = result(client, "world.step", ticks=30)["state_hash"]
    begin(client, CLOTHS[kind])
    seen, state = look(client), result(client, "world.describe")["state_hash"]
    remove_and_undo(client)
    assert look(client) == seen
    assert result(client, "world.describe")["state_hash"] == state
    assert result(client, "world.step", ticks=30)["state_hash"] == untouched
    seen = look(client)
    remove_and_undo(client)
    assert look(client) == seen


def test_what_the_import_repaired_and_was_given_is_told(client):
    begin(client, CLOTHS["mesh"])
    report = look(client)["report"]
    assert (report["duplicate"], report["flipped"], report["edges"]) == (1, 1, 23)
    mesh = remove_and_undo(client)["mesh"]
    assert sorted(zip(mesh["triangles"][::3], mesh["triangles"][1::3], mesh["triangles"][2::3])) == sorted(
        zip(FIN["triangles"][::3], FIN["triangles"][1::3], FIN["triangles"][2::3]))
    assert mesh["edges"] == [0, 8, 0, 9, 2, 6]
    assert mesh["masses"] == pytest.approx(FIN["masses"], rel=1e-7)


@pytest.mark.slow
@pytest.mark.parametrize("n,whole", [(300, True), (420, False)])
def test_large_cloths_are_brought_back(client, n, whole):
    begin(client, {"grid": {"nx": n, "ny": n, "size": [2, 2]}, "pins": [0], "stretch_compliance": 1e-3})
    result(client, "world.step", ticks=2)
    before = [result(client, f"cloth.{what}", cloth="a")["values"] for what in ("positions", "velocities")]
    previous = remove_and_undo(client)
    assert (previous["mesh"] is not None) == whole and ("grid" in previous) != whole
    assert [result(client, f"cloth.{what}", cloth="a")["values"] for what in ("positions", "velocities")] == before


def test_a_server_of_short_messages_answers_the_grid(start_server):
    client = RawClient(start_server("--paused", "--max-message-bytes", "20000").port)
    begin(client, CLOTHS["grid"])
    result(client, "world.step", ticks=5)
    seen = look(client)
    previous = remove_and_undo(client)
    assert previous["mesh"] is None and previous["grid"]["nx"] == 21
    assert look(client) == seen
