"""Every method once, every error of the table, and that who watches changes nothing:
over a real socket, in the words of the protocol."""

import json
import threading

import pytest
from raw_socket import RawClient

SPEC = {
    "world": {"gravity": [0, -9.8, 0]},
    "cloths": [{"cloth": "flag", "grid": {"nx": 21, "ny": 21, "size": [2, 2]}, "position": [0, 1, 0],
                "pins": [0, 20]}],
    "colliders": [
        {"collider": "ball", "shape": {"type": "sphere", "radius": 0.4}},
        {"collider": "floor", "shape": {"type": "plane"}, "position": [0, -1, 0], "motion": "static"},
    ],
}
FREE = {"positions": [0, 0, 0, 1, 0, 0, 0, 0, 1], "triangles": [0, 2, 1]}

# One call of every method, in an order in which each finds what it needs.
CALLS = [
    ("server.info", {}),
    ("server.commands", {}),
    ("server.ping", {}),
    ("world.list", {}),
    ("world.describe", {}),
    ("world.stats", {}),
    ("client.set", {"name": "test", "color": "#00ff88"}),
    ("client.list", {}),
    ("stream.subscribe", {"codec": "cb32", "max_hz": 30, "cloths": ["flag"]}),
    ("stream.key", {}),
    ("stream.ack", {"tick": 0}),
    ("world.set", {"gravity": [0, -5, 0], "solver": {"substeps": 5}}),
    ("cloth.add", {"cloth": "rag", "mesh": FREE, "position": [0, 3, 0]}),
    ("cloth.describe", {"cloth": "rag"}),
    ("cloth.set", {"cloth": "rag", "friction": 0.5, "bend_compliance": None}),
    ("cloth.pin", {"cloth": "flag", "vertices": [{"from": 5, "to": 7}]}),
    ("cloth.move", {"cloth": "flag", "vertices": [5], "offset": [0, 0.1, 0], "over": 3}),
    ("world.step", {"ticks": 5}),
    ("cloth.positions", {"cloth": "flag", "vertices": [5]}),
    ("cloth.velocities", {"cloth": "flag", "vertices": [200]}),
    ("cloth.edges", {"cloth": "rag"}),
    ("cloth.unpin", {"cloth": "flag", "all": True}),
    ("cloth.attach", {"cloth": "flag", "vertices": [{"from": 0, "to": 20}], "collider": "ball"}),
    ("cloth.detach", {"cloth": "flag", "vertices": [3]}),
    ("cloth.grab", {"cloth": "flag", "vertex": 220, "position": [0, 1.5, 0]}),
    ("cloth.drag", {"grab": 1, "position": [0, 1.6, 0]}),
    ("cloth.release", {"grab": 1}),
    ("cloth.impulse", {"cloth": "rag", "vertices": [0, 1], "impulse": [0, 0.01, 0]}),
    ("cloth.set_state", {"cloth": "rag", "velocities": [0] * 9}),
    ("collider.add", {"collider": "box", "shape": {"type": "box", "half_extents": [0.1, 0.2, 0.3]}}),
    ("collider.set", {"collider": "box", "shape": {"type": "capsule", "radius": 0.1, "half_height": 0.2}}),
    ("collider.move", {"collider": "box", "position": [1, 2, 3], "teleport": True}),
    ("collider.remove", {"collider": "box"}),
    ("cloth.remove", {"cloth": "rag"}),
    ("world.log", {}),
    ("world.replay", {"log": {"format": 1, "server": "clothd 0", "world": "main", "start": {}, "steps": 1, "complete": False,
                              "commands": [], "checks": []}}),
    ("world.save", {"snapshot": "here"}),
    ("world.restore", {"snapshot": "here"}),
    ("world.resume", {}),
    ("world.pause", {}),
    ("world.reset", {}),
    ("world.load", {"scene": "games103"}),
    ("stream.unsubscribe", {}),
    ("world.create", {"world": "other", "spec": SPEC}),
    ("world.destroy", {"world": "other"}),
]


@pytest.fixture
def port(start_server, tmp_path):
    file = tmp_path / "scene.json"
    file.write_text(json.dumps(SPEC))
    return start_server("--scene", str(file), "--paused").port


def result(client: RawClient, method: str, **params) -> dict:
    reply = client.call(method, **params)
    assert "result" in reply, (method, params, reply)
    return reply["result"]


def state_hash(client: RawClient) -> str:
    return result(client, "world.describe")["state_hash"]


def test_every_method_answers_with_its_tick(port):
    client = RawClient(port)
    done = set()
    for method, params in CALLS:
        assert isinstance(result(client, method, **params)["tick"], int), method
        done.add(method)
    assert done == {c["name"] for c in result(client, "server.commands")["commands"]}


def test_set_move_pin_unpin_and_remove_carry_previous(port):
    client = RawClient(port)
    for method, params in CALLS:
        reply = result(client, method, **params)
        if method.partition(".")[2] in {"set", "move", "pin", "unpin", "attach", "detach", "remove"} and method != "client.set":
            assert isinstance(reply["previous"], dict), method


def test_undo_by_previous_gives_the_same_state(port):
    client = RawClient(port)
    result(client, "world.step", ticks=20)
    settings = result(client, "world.describe")["settings"]
    previous = result(client, "world.set", gravity=[1, 2, 3], drag=7)["previous"]
    result(client, "world.set", **previous)
    assert result(client, "world.describe")["settings"] == settings
    material = result(client, "cloth.describe", cloth="flag")["material"]
    previous = result(client, "cloth.set", cloth="flag", stretch_compliance=None, static_friction=2)["previous"]
    result(client, "cloth.set", cloth="flag", **previous)
    assert result(client, "cloth.describe", cloth="flag")["material"] == material


FLAG = {"cloth": "flag"}
# (method, params, code, reason, path)
REFUSED = [
    ("no.such", {}, -32601, "unknown_method", "method"),
    ("cloth.describe", {}, -32602, "missing", "cloth"),
    ("cloth.set", {**FLAG, "strech_stiffness": 1}, -32602, "unknown_param", "strech_stiffness"),
    ("world.set", {"winds": {"velocity": [1, 0, 0]}}, -32602, "unknown_param", "winds"),
    ("cloth.set", {**FLAG, "friction": "much"}, -32602, "wrong_type", "friction"),
    ("collider.move", {"collider": "ball", "position": [1, 2]}, -32602, "wrong_type", "position"),
    ("world.set", {"solver": {"substeps": 65}}, -32602, "out_of_range", "solver.substeps"),
    ("world.set", {"solver": {"dt": 0.2}}, -32602, "out_of_range", "solver.dt"),
    ("world.set", {"solver": {"method": "magic"}}, -32602, "out_of_range", "solver.method"),
    ("world.step", {"ticks": 0}, -32602, "out_of_range", "ticks"),
    ("cloth.pin", {**FLAG, "vertices": [441]}, -32602, "out_of_range", "vertices"),
    ("cloth.pin", {**FLAG, "vertices": [1], "positions": [0] * 6}, -32602, "out_of_range", "positions"),
    ("cloth.set_state", {**FLAG, "positions": [0, 0, 0]}, -32602, "out_of_range", "positions"),
    ("cloth.set_state", {**FLAG}, -32602, "missing", "positions"),
    ("collider.move", {"collider": "ball"}, -32602, "missing", "position"),
    ("world.pause", {"world": "nowhere"}, -32001, "not_found", "world"),
    ("cloth.pin", {"cloth": "nope", "vertices": [0]}, -32001, "not_found", "cloth"),
    ("collider.remove", {"collider": "nope"}, -32001, "not_found", "collider"),
    ("world.load", {"scene": "nope"}, -32001, "not_found", "scene"),
    ("stream.subscribe", {"cloths": ["nope"]}, -32001, "not_found", "cloths"),
    ("world.create", {"world": "main"}, -32002, "already_exists", "world"),
    ("cloth.add", {"cloth": "flag", "mesh": FREE}, -32002, "already_exists", "cloth"),
    ("collider.add", {"collider": "ball", "shape": {"type": "plane"}}, -32002, "already_exists", "collider"),
    ("cloth.add", {"cloth": "x", "mesh": {"positions": [0, 0, 0] * 5, "triangles": [0, 1, 9]}},
     -32003, "invalid_mesh", None),
    ("cloth.add", {"cloth": "x", "mesh": {"positions": [0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, -1, 0],
                                          "triangles": [0, 1, 2, 0, 1, 3, 0, 1, 4]}}, -32003, "invalid_mesh", None),
    ("cloth.add", {"cloth": "x", "grid": {"nx": 1000, "ny": 1000, "size": [1, 1]}}, -32004, "limit_exceeded", None),
    ("collider.move", {"collider": "floor", "position": [0, 0, 0]}, -32005, "conflict", "collider"),
    ("cloth.move", {**FLAG, "vertices": [0, 1], "offset": [0, 1, 0]}, -32005, "conflict", "vertices"),
    ("stream.key", {}, -32005, "conflict", "world"),
    ("world.destroy", {}, -32005, "conflict", "world"),
]


def test_every_refusal_names_code_reason_and_member_and_changes_nothing(port):
    client = RawClient(port)
    result(client, "world.step", ticks=10)
    before = state_hash(client)
    described = result(client, "world.describe")
    for method, params, code, reason, path in REFUSED:
        reply = client.call(method, **params)
        error = reply["error"]
        assert (error["code"], error["data"]["reason"]) == (code, reason), (method, params, error)
        if path is not None:
            assert error["data"]["path"] == path, (method, params, error)
        assert len(error["message"]) > 20, error
        assert state_hash(client) == before, (method, params)
    assert result(client, "world.describe") == described


def test_refusals_of_meshes_and_limits_carry_the_figures(port):
    client = RawClient(port)
    mesh = {"positions": [0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, -1, 0], "triangles": [0, 1, 2, 0, 1, 3, 0, 1, 4]}
    data = client.call("cloth.add", cloth="x", mesh=mesh)["error"]["data"]
    assert data["cause"] == "non_manifold_edge" and data["total"] == 1
    assert sorted(data["edges"][0]) == [0, 1] and len(data["faces"]) == 3
    data = client.call("cloth.add", cloth="x", grid={"nx": 1000, "ny": 1000, "size": [1, 1]})["error"]["data"]
    assert data["max"] == 500000 and data["got"] >= 1000000 and data["limit"]


# What is no request at all: (text, code, whether the id comes back)
BROKEN = [
    ("", -32700, False),
    ("{", -32700, False),
    ("[" * 5000, -32700, False),
    ('{"jsonrpc":"2.0","id":1,"method":"world.set","params":{"drag":NaN}}', -32700, False),
    ('{"jsonrpc":"2.0","id":1,"method":"world.set","params":{"drag":1,"drag":2}}', -32700, False),
    ('{"jsonrpc":"2.0","id":1,"method":"world.set","params":{}} x', -32700, False),
    (b'{"jsonrpc":"2.0","id":1,"method":"\xff"}', -32700, False),
    ("[]", -32600, False),
    ('{"jsonrpc":"1.0","id":1,"method":"world.list"}', -32600, True),
    ('{"jsonrpc":"2.0","id":1,"method":"world.list","params":[]}', -32602, True),
    ('{"jsonrpc":"2.0","id":1,"method":"world.list","params":null}', -32600, True),
    ('{"jsonrpc":"2.0","id":1,"method":"world.list","extra":1}', -32600, True),
    ('{"jsonrpc":"2.0","id":1,"method":"world.set","params":{"drag":1e999}}', -32602, True),
]


def test_broken_requests_are_answered_and_the_connection_stays(port):
    client = RawClient(port)
    before = state_hash(client)
    for text, code, with_id in BROKEN:
        client.send_frame(1, text if isinstance(text, bytes) else text.encode())
        reply = client.read_text(lambda m: "error" in m)
        assert reply["error"]["code"] == code, (text[:60], reply)
        assert (reply["id"] == 1) if with_id else (reply["id"] is None), (text[:60], reply)
        assert state_hash(client) == before


def test_a_viewer_may_read_but_not_change(start_server, tmp_path):
    file = tmp_path / "tokens"
    file.write_text("control " + "c" * 32 + "\nview " + "v" * 32 + "\n")
    file.chmod(0o600)
    server = start_server("--token-file", str(file), "--paused")
    viewer = RawClient(server.port, headers=("Authorization: Bearer " + "v" * 32,))
    table = result(viewer, "server.commands")["commands"]
    before = state_hash(viewer)
    for command in table:
        reply = viewer.call(command["name"])
        forbidden = reply.get("error", {}).get("code") == -32006
        assert forbidden == command["mutates"], (command["name"], reply)
    assert state_hash(viewer) == before
    result(viewer, "stream.subscribe")
    control = RawClient(server.port, headers=("Authorization: Bearer " + "c" * 32,))
    assert result(control, "world.step")["tick"] == 1


def test_commands_without_an_id_are_executed_and_not_answered(port):
    client = RawClient(port)
    client.send({"jsonrpc": "2.0", "method": "world.step", "params": {"ticks": 3}})
    me = client.request("world.stats")
    reply = client.read_text(lambda m: "id" in m)
    assert reply["id"] == me and reply["result"]["tick"] == 3


def test_a_read_sees_the_commands_before_it_also_while_the_world_runs(port):
    client = RawClient(port)
    result(client, "world.resume")
    for vertex in range(40, 60):
        client.request("cloth.pin", cloth="flag", vertices=[vertex])
        pins = result(client, "cloth.describe", cloth="flag")["pins"]
        assert vertex in pins


def test_everyone_hears_of_every_command_in_the_same_order(port):
    clients = [RawClient(port) for _ in range(3)]
    for client in clients:
        result(client, "stream.subscribe", codec="f32", max_hz=1)
    result(clients[0], "world.resume")
    for i in range(30):
        clients[i % 3].request("cloth.set", cloth="flag", friction=round(0.01 * i, 2))
    told = []
    for client in clients:
        events = []
        while len(events) < 30:
            message = client.read_text(lambda m: m.get("method") == "event")["params"]
            if message.get("method") == "cloth.set":
                events.append((message["seq"], message["tick"], message["client"], message["params"]["friction"]))
        told.append(events)
    assert told[0] == told[1] == told[2]
    assert [seq for seq, *_ in told[0]] == sorted({seq for seq, *_ in told[0]})
    # Each client's own commands keep their order.
    for own in {client for _, _, client, _ in told[0]}:
        values = [friction for _, _, client, friction in told[0] if client == own]
        assert values == sorted(values) and len(values) == 10


def drain(client: RawClient) -> None:
    try:
        while client.read()[0] != 8:
            pass
    except (OSError, EOFError):
        pass


@pytest.mark.parametrize("viewers", [0, 1, 4])
def test_who_watches_changes_nothing(start_server, viewers):
    """The same state at ticks 100, 300 and 600; the fourth viewer never reads."""
    server = start_server("--scene", "drape", "--paused")
    watching = []
    for i in range(viewers):
        stalled = i == 3
        client = RawClient(server.port, receive_buffer=8192 if stalled else None, timeout=60)
        client.request("stream.subscribe", codec="f32" if i % 2 else "cb32")
        watching.append(client)
        if not stalled:
            threading.Thread(target=drain, args=(client,), daemon=True).start()
    actor = RawClient(server.port, timeout=120)
    hashes = [result(actor, "world.step", ticks=n)["state_hash"] for n in (100, 200, 300)]
    result(actor, "world.reset")
    again = [result(actor, "world.step", ticks=n)["state_hash"] for n in (100, 200, 300)]
    for client in watching:
        client.close()
    assert again == hashes
    assert SEEN.setdefault("hashes", hashes) == hashes


# Of the first run of test_who_watches_changes_nothing; the others must equal it.
SEEN: dict[str, list[str]] = {}


def test_a_long_step_lets_other_worlds_and_their_clients_go_on(port):
    one, two = RawClient(port, timeout=120), RawClient(port)
    result(two, "world.create", world="other", spec=SPEC, paused=True)
    step = one.request("world.step", ticks=20000)
    for _ in range(20):
        assert "tick" in result(two, "world.step", world="other", ticks=2)
    tick = result(two, "world.stats")["tick"]
    assert 0 < tick < 20000, "the long step is still under way"
    one.close()  # it ends early when its caller leaves
    pinned = result(two, "cloth.pin", cloth="flag", vertices=[100])
    assert tick <= pinned["tick"] < 20000
    assert step == 1
