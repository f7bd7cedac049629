"""What the protocol's page promises about results and notifications, asked of a running
server: which members there are, in which order things come, what takes effect when."""

import json
import struct
import time

import pytest
from raw_socket import RawClient, get

SPEC = {
    "title": "Flag", "description": "d", "view": {"position": [1, 1, 1], "target": [0, 0, 0]},
    "world": {"gravity": [0, -9.8, 0], "solver": {"substeps": 4}},
    "cloths": [{"cloth": "flag", "grid": {"nx": 9, "ny": 9, "size": [1, 1]}, "position": [0, 1, 0], "pins": [0, 8]}],
    "colliders": [{"collider": "ball", "shape": {"type": "sphere", "radius": 0.2}, "friction": 0.7},
                  {"collider": "floor", "shape": {"type": "plane"}, "position": [0, -1, 0], "motion": "static"}],
}
STATE, TRIANGLES, REST, POSES = 1, 2, 3, 4
KEY, UNCHANGED, CUT = 1, 2, 4


class Watcher(RawClient):
    """Keeps all that comes, texts as dicts and messages as lists of headers, in order."""

    def __init__(self, port: int, **options) -> None:
        super().__init__(port, **options)
        self.seen: list = []

    def read(self):
        opcode, data = super().read()
        if opcode == 1:
            self.seen.append(json.loads(data))
        elif opcode == 2:
            self.seen.append(headers_of(data))
        return opcode, data

    def ask(self, method: str, **params) -> dict:
        reply = self.call(method, **params)
        assert "result" in reply, reply
        return reply["result"]

    def settle(self) -> list:
        """All that has come since the last call, and what still is under way."""
        self.ask("server.ping")
        time.sleep(0.1)
        self.ask("server.ping")
        seen, self.seen = self.seen, []
        return [m for m in seen if not (isinstance(m, dict) and "server_us" in m.get("result", {}))]


def headers_of(message: bytes) -> list[dict]:
    headers, at = [], 0
    while at < len(message):
        names = ("type", "codec", "flags", "step_exp", "world", "object", "epoch", "tick", "base_tick", "server_us",
                 "count", "bytes", "x", "y", "z", "crc")
        headers.append(dict(zip(names, struct.unpack_from("<BBBbHHIIIIIIiiiI", message, at), strict=True)))
        at += 48 + headers[-1]["bytes"]
    assert at == len(message)
    return headers


def events(seen: list) -> list[dict]:
    return [m["params"] for m in seen if isinstance(m, dict) and m.get("method") == "event"]


def states(seen: list) -> list[dict]:
    return [h for m in seen if isinstance(m, list) for h in m if h["type"] == STATE]


@pytest.fixture
def port(start_server, tmp_path):
    file = tmp_path / "flag.json"
    file.write_text(json.dumps(SPEC))
    return start_server("--scene", str(file), "--paused").port


RESULTS = [
    ("server.ping", {}, {"server_us"}),
    ("server.info", {}, {"name", "version", "protocol", "limits", "capabilities", "worlds", "scenes"}),
    ("server.commands", {}, {"commands"}),
    ("world.list", {}, {"worlds"}),
    ("world.describe", {}, {"settings", "solver", "cloths", "colliders", "running", "state_hash"}),
    ("world.stats", {}, {"tick_rate", "step_ms", "late_ticks", "constraints", "contacts", "max_strain",
                         "kinetic_energy", "potential_energy"}),
    ("cloth.describe", {"cloth": "flag"}, {"report", "material", "pins", "edges_count", "bends_count", "rest_box"}),
    ("cloth.edges", {"cloth": "flag"}, {"edges", "color", "rest", "length", "force"}),
    ("cloth.positions", {"cloth": "flag"}, {"values"}),
    ("cloth.velocities", {"cloth": "flag", "vertices": [{"from": 1, "to": 3}]}, {"values"}),
    ("stream.subscribe", {}, {"objects", "world_index"}),
    ("client.list", {}, {"clients"}),
    ("client.set", {"name": "Ada", "color": "#aa0000"}, {"client", "name", "color"}),
    ("world.step", {"ticks": 2}, {"state_hash"}),
]


@pytest.mark.parametrize(("method", "params", "members"), RESULTS, ids=[method for method, _, _ in RESULTS])
def test_results_have_their_members(port, method, params, members):
    assert members | {"tick"} <= set(Watcher(port).ask(method, **params))


def test_entries_of_lists_have_their_members(port):
    client = Watcher(port)
    assert client.ask("world.list")["worlds"] == [
        {"world": "main", "tick": 0, "running": False, "cloths": 1, "clients": 0}]
    world = client.ask("world.describe")
    assert {"cloth", "report", "material", "pins"} <= set(world["cloths"][0])
    assert {"collider", "shape", "position", "rotation", "motion"} <= set(world["colliders"][0])
    edges = client.ask("cloth.edges", cloth="flag")
    count = client.ask("cloth.describe", cloth="flag")["edges_count"]
    assert [len(edges[key]) for key in ("edges", "color", "rest", "length", "force")] == [2 * count] + 4 * [count]
    client.ask("world.set", solver={"method": "pbd"})
    client.ask("world.step")
    assert client.ask("cloth.edges", cloth="flag")["force"] is None


def test_hello_is_first_and_has_its_members(port):
    client = Watcher(port)
    client.ask("server.ping")
    hello = client.seen[0]
    assert hello["method"] == "hello"
    assert {"server", "version", "protocol", "session", "role", "limits", "capabilities", "worlds"} <= set(hello["params"])


def test_subscribing_gives_result_meshes_topology_keys_then_deltas(port):
    client = Watcher(port)
    client.ask("world.resume")
    client.settle()
    client.ask("stream.subscribe")
    time.sleep(0.2)
    seen = client.settle()
    assert {"objects", "world_index"} <= set(seen[0]["result"])
    meshes = [m["params"] for m in seen[1:4]]
    assert [m["name"] for m in meshes] == ["flag", "ball", "floor"]
    common = {"world", "world_index", "epoch", "step_exp", "object", "name", "kind", "vertex_count", "triangle_count",
              "cols", "order", "pins", "style", "report"}
    assert all(common <= set(mesh) for mesh in meshes)
    assert all({"shape", "motion", "position", "rotation"} <= set(mesh) for mesh in meshes[1:])
    assert [h["type"] for h in seen[4]] == [TRIANGLES, REST]
    assert (seen[4][0]["count"], seen[4][1]["count"]) == (meshes[0]["triangle_count"], meshes[0]["vertex_count"])
    assert [(h["type"], h["flags"] & KEY) for h in seen[5]] == [(STATE, KEY), (POSES, KEY)]
    assert seen[5][0]["crc"] != 0 and seen[5][0]["base_tick"] == seen[5][0]["tick"]
    tick = seen[5][0]["tick"]
    frames = [h for h in states(seen[6:])]
    assert len(frames) > 3
    for header in frames:
        assert (header["flags"] & KEY, header["base_tick"]) == (0, tick)
        tick = header["tick"]


@pytest.mark.slow
def test_stats_come_once_a_second_and_count_what_this_client_got(port):
    client = Watcher(port)
    client.ask("stream.subscribe")
    stats = client.read_text(lambda m: m.get("method") == "stats")["params"]
    assert set(client.ask("world.stats")) | {"frames_sent", "frames_skipped", "bytes_sent"} <= set(stats)
    begin = time.monotonic()
    client.read_text(lambda m: m.get("method") == "stats")
    assert 0.7 < time.monotonic() - begin < 1.5


def test_presence_tells_names_and_ends(port):
    one, other = Watcher(port), Watcher(port)
    other.ask("client.set", name="Ada", color="#aa0000")
    told = one.read_text(lambda m: m.get("method") == "presence")["params"]
    assert (told["name"], told["color"], told["role"], told["gone"]) == ("Ada", "#aa0000", "control", False)
    assert {c["name"] for c in one.ask("client.list")["clients"]} == {"", "Ada"}
    other.close()
    gone = one.read_text(lambda m: m.get("method") == "presence")["params"]
    assert (gone["client"], gone["gone"]) == (told["client"], True)


def test_events_tell_params_as_sent_and_long_lists_by_length(port):
    one, other = Watcher(port), Watcher(port)
    one.ask("stream.subscribe")
    sent = [
        ("collider.move", {"collider": "ball", "position": [0.1, 0.2, 0.3], "over": 5}),
        ("world.set", {"gravity": [0.1, -1.7, 0], "solver": {"substeps": 3}}),
        ("cloth.pin", {"cloth": "flag", "vertices": list(range(16))}),
        ("cloth.set", {"cloth": "flag", "bend_compliance": None, "friction": 0.15}),
    ]
    for method, params in sent:
        other.ask(method, **params)
    other.ask("cloth.unpin", cloth="flag", vertices=list(range(17)))
    told = events(one.settle())
    assert [(e["method"], e["params"]) for e in told] == [*sent, ("cloth.unpin", {"cloth": "flag", "vertices": 17})]
    assert [e["seq"] for e in told] == list(range(told[0]["seq"], told[0]["seq"] + 5))
    assert {e["client"] for e in told} == {2} and {e["tick"] for e in told} == {0}


@pytest.mark.slow
def test_dragging_is_told_at_start_twice_a_second_and_at_the_end(port):
    one, other = Watcher(port), Watcher(port)
    one.ask("stream.subscribe")
    other.ask("world.resume")
    for i in range(30):
        other.ask("collider.move", collider="ball", position=[i, 0, 0])
        time.sleep(0.04)
    time.sleep(0.6)
    moves = [e["params"]["position"][0] for e in events(one.settle()) if e["method"] == "collider.move"]
    assert moves[0] == 0 and moves[-1] == 29 and 3 <= len(moves) <= 6, moves


def test_a_removed_collider_is_back_by_its_previous(port):
    client = Watcher(port)
    client.ask("collider.set", collider="ball", static_friction=1.5)
    before = client.ask("world.describe")["colliders"]
    previous = client.ask("collider.remove", collider="ball")["previous"]
    client.ask("collider.add", **previous)
    after = client.ask("world.describe")["colliders"]
    for collider in before + after:
        del collider["object"]  # an index is not used again
    assert sorted(after, key=lambda c: c["collider"]) == sorted(before, key=lambda c: c["collider"])


@pytest.mark.parametrize(("method", "params", "flags"), [
    ("cloth.set_state", {"cloth": "flag", "positions": [0.01 * i for i in range(243)]}, KEY | CUT),
    ("collider.move", {"collider": "ball", "position": [0.5, 0, 0], "teleport": True}, KEY),
    ("cloth.add", {"cloth": "rag", "grid": {"nx": 3, "ny": 3, "size": [1, 1]}}, KEY),
])
def test_paused_worlds_change_at_once_with_a_key_of_the_same_tick(port, method, params, flags):
    client = Watcher(port)
    client.ask("world.step", ticks=3)
    client.ask("stream.subscribe")
    client.settle()
    assert client.ask(method, **params)["tick"] == 3
    state = states(client.settle())[0]
    assert (state["tick"], state["base_tick"], state["flags"] & (KEY | CUT)) == (3, 3, flags)


def test_moves_in_a_paused_world_take_effect_in_the_next_step(port):
    client = Watcher(port)
    client.ask("cloth.move", cloth="flag", vertices=[0], offset=[0, 0.5, 0])
    client.ask("collider.move", collider="ball", position=[0.25, 0, 0])

    def now():
        ball = next(c for c in client.ask("world.describe")["colliders"] if c["collider"] == "ball")
        return client.ask("cloth.positions", cloth="flag", vertices=[0])["values"][1], ball["position"][0]

    assert now() == (1, 0)
    client.ask("world.step")
    assert now() == (1.5, 0.25)


def test_reset_and_load_bring_back_what_was_and_keep_the_clock(port):
    client = Watcher(port)
    start = client.ask("world.describe")
    client.ask("stream.subscribe")
    client.ask("cloth.add", cloth="rag", grid={"nx": 3, "ny": 3, "size": [1, 1]})
    client.ask("collider.remove", collider="ball")
    client.ask("cloth.unpin", cloth="flag", all=True)
    client.ask("world.set", gravity=[1, 2, 3])
    client.ask("world.step", ticks=7)
    client.settle()
    assert client.ask("world.reset")["tick"] == 0
    seen = client.settle()
    meshes = [m["params"] for m in seen if isinstance(m, dict) and m.get("method") == "mesh"]
    assert [m["name"] for m in meshes if m.get("removed")] == ["rag"]
    epoch = start["epoch"] + 1
    assert [(m["name"], m["epoch"]) for m in meshes if not m.get("removed")] == [
        ("flag", epoch), ("ball", epoch), ("floor", epoch)]
    state = states(seen)[0]
    assert (state["tick"], state["epoch"], state["flags"] & (KEY | CUT)) == (0, epoch, KEY | CUT)
    again = client.ask("world.describe")
    assert again == {**start, "epoch": epoch}
    client.ask("world.resume")
    client.ask("world.load", spec=SPEC)
    world = client.ask("world.describe")
    assert (world["running"], world["epoch"]) == (True, epoch + 1)
    assert [c["pins"] for c in world["cloths"]] == [[0, 8]]


def test_a_step_ends_early_when_its_caller_leaves(port):
    stays, leaves = Watcher(port), Watcher(port)
    # What sleeps steps in no time; in jacobi nothing sleeps.
    before = stays.ask("world.set", solver={"method": "jacobi", "iterations": 200})["previous"]
    leaves.request("world.step", ticks=100000)
    while stays.ask("world.list")["worlds"][0]["tick"] == 0:
        pass
    leaves.close()
    ticks = [0, 1]
    while ticks[-1] != ticks[-2]:
        time.sleep(0.1)
        ticks.append(stays.ask("world.list")["worlds"][0]["tick"])
    assert 0 < ticks[-1] < 100000
    assert stays.ask("world.step")["tick"] == ticks[-1] + 1
    stays.ask("world.set", **before)


def test_other_clients_commands_wait_for_the_end_of_a_step(port):
    steps, other = Watcher(port), Watcher(port)
    step = steps.request("world.step", ticks=400)
    while other.ask("world.list")["worlds"][0]["tick"] == 0:
        pass
    assert other.ask("world.set", drag=0.5)["tick"] == 400
    steps.read_text(lambda m: m.get("id") == step)
    texts = [m for m in steps.seen if isinstance(m, dict)]
    event = next(m for m in texts if m.get("method") == "event" and m["params"]["method"] == "world.step")
    assert texts.index(event) < texts.index(next(m for m in texts if m.get("id") == step))
    assert event["params"]["tick"] == 400


@pytest.mark.slow
def test_unacknowledged_frames_stop_and_go_on_with_a_key(port):
    client = Watcher(port)
    client.ask("world.resume")
    client.ask("stream.subscribe", ack=True)
    time.sleep(1)
    frames = states(client.settle())
    # 250 ms of 60 Hz, and what a busy machine adds.
    assert 5 < len(frames) < 30
    # Not even when the rate sinks, as it does each second.
    time.sleep(1.5)
    assert not states(client.settle())
    client.send({"jsonrpc": "2.0", "method": "stream.ack", "params": {"tick": frames[-1]["tick"], "drawn_ms": 2.5}})
    time.sleep(0.3)
    after = states(client.settle())
    assert after and after[0]["flags"] & KEY and after[0]["tick"] > frames[-1]["tick"] + 60


def test_the_table_is_complete_down_to_its_leaves(port):
    types = {"boolean", "integer", "number", "string", "name", "vec3", "quat", "vertices", "numbers", "integers",
             "enum", "object", "list"}
    commands = Watcher(port).ask("server.commands")["commands"]

    def check(path: str, param: dict) -> None:
        assert {"name", "type", "required", "help"} <= set(param) and param["help"], path
        assert param["type"] in types, path
        for member in param.get("members", []):
            check(f"{path}.{member['name']}", member)
        if param["type"] == "object":
            return
        if param["type"] == "list" and param["items"]["type"] == "object":
            assert {"min_items", "max_items", "items"} <= set(param), path
            for member in param["items"].get("members", []):
                check(f"{path}[].{member['name']}", member)
            return
        assert "default" in param, path
        if "items" in param:
            assert {"type", "default", "min", "max", "unit", "help"} <= set(param["items"]), path
        if param["type"] == "enum":
            assert param["values"], path
        elif param["type"] not in ("boolean", "list"):
            assert {"min", "max", "unit"} <= set(param), path

    for command in commands:
        assert {"name", "mutates", "help", "params"} <= set(command)
        for param in command["params"]:
            check(command["name"] + ":" + param["name"], param)


METRICS = ["ticks_total", "late_ticks_total", "step_seconds_count", "encode_seconds_count", "clients",
           "frames_sent_total", 'frames_skipped_total{cause=', "bytes_sent_total", 'commands_total{method=',
           'refused_total{cause=', 'queue_depth{queue=', "open_descriptors", "resident_memory_bytes"]


def test_metrics_are_there_and_count(port):
    client = Watcher(port)
    client.ask("stream.subscribe")
    client.ask("world.step", ticks=5)
    client.call("cloth.pin", cloth="nope", vertices=[0])
    client.call("world.unknown")
    get(port, "/version", "Host: evil.example")
    _, text = get(port, "/metrics")
    for name in METRICS:
        assert "\nclothd_" + name in text, name
    for line in ("ticks_total 5", "clients 1", 'commands_total{method="world.step",result="ok"} 1',
                 'commands_total{method="cloth.pin",result="failed"} 1',
                 'commands_total{method="unknown",result="refused"} 1', 'refused_total{cause="host"} 1'):
        assert f"\nclothd_{line}\n" in text, line
