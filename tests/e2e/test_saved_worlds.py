"""Worlds that are saved, restored, cloned and described as scenes, over a real connection."""

import json

import pytest
from conftest import ROOT
from raw_socket import RawClient

SCENES = sorted(p.stem for p in (ROOT / "server/scenes").glob("*.json"))


def ok(client: RawClient, method: str, **params) -> dict:
    reply = client.call(method, **params)
    assert "result" in reply, reply
    return reply["result"]


def refused(client: RawClient, code: int, reason: str, path: str, method: str, **params) -> str:
    error = client.call(method, **params)["error"]
    assert (error["code"], error["data"]["reason"], error["data"]["path"]) == (code, reason, path), error
    return error["message"]


def test_a_saved_state_comes_back_with_its_future(start_server):
    client = RawClient(start_server("--scene", "net", "--paused").port)
    ok(client, "world.step", ticks=20)
    saved = ok(client, "world.save", snapshot="twenty")
    later = ok(client, "world.step", ticks=25)["state_hash"]
    ok(client, "cloth.remove", cloth=ok(client, "world.describe")["cloths"][0]["cloth"])
    restored = ok(client, "world.restore", snapshot="twenty")
    assert (restored["state_hash"], restored["tick"]) == (saved["state_hash"], 20)
    assert ok(client, "world.step", ticks=25)["state_hash"] == later
    assert [s["snapshot"] for s in ok(client, "world.describe")["snapshots"]] == ["twenty"]
    assert "nope" in refused(client, -32001, "not_found", "snapshot", "world.restore", snapshot="nope")
    refused(client, -32602, "missing", "snapshot", "world.save")
    refused(client, -32602, "out_of_range", "snapshot", "world.save", snapshot="no name")


def test_a_viewer_may_not_save_or_restore(start_server, tmp_path):
    tokens = tmp_path / "tokens"
    tokens.write_text("control abc\nview def\n")
    tokens.chmod(0o600)
    server = start_server("--bind", "0.0.0.0", "--token-file", str(tokens), "--paused")
    client = RawClient(server.port, headers=("Authorization: Bearer def",))
    for method in ("world.save", "world.restore"):
        assert client.call(method, snapshot="a")["error"]["code"] == -32006


def test_clones_step_alike(start_server):
    client = RawClient(start_server("--scene", "stack", "--paused").port)
    start = ok(client, "world.describe")["state_hash"]
    ok(client, "world.step", ticks=10)
    for name in ("a", "b"):
        assert ok(client, "world.create", world=name, like="main", paused=True)["tick"] == 10
    ok(client, "world.create", world="c", like="main", at="scene", paused=True)
    assert ok(client, "world.describe", world="c")["state_hash"] == start
    hashes = {ok(client, "world.step", world=name, ticks=15)["state_hash"] for name in ("main", "a", "b")}
    assert len(hashes) == 1
    refused(client, -32001, "not_found", "like", "world.create", world="d", like="nope")
    refused(client, -32602, "out_of_range", "at", "world.create", world="d", like="main", at="then")
    refused(client, -32602, "unknown_param", "like", "world.create", world="d", like="main", scene="drape")
    refused(client, -32602, "missing", "like", "world.create", world="d", at="scene")


@pytest.mark.parametrize("scene", SCENES)
def test_a_world_described_in_full_is_a_scene_that_makes_it_again(start_server, scene, tmp_path):
    client = RawClient(start_server("--paused").port)
    ok(client, "world.load", scene=scene)
    world = ok(client, "world.describe", full=True)
    text = json.dumps(world["spec"])
    if len(text) < 15 << 20:
        ok(client, "world.create", world="again", spec=world["spec"], paused=True)
        assert ok(client, "world.describe", world="again")["state_hash"] == world["state_hash"]
        hashes = {ok(client, "world.step", world=name, ticks=2)["state_hash"] for name in ("main", "again")}
        assert len(hashes) == 1
    path = tmp_path / "scene.json"
    path.write_text(text)
    other = RawClient(start_server("--paused", "--scene", str(path)).port)
    assert ok(other, "world.describe")["state_hash"] == world["state_hash"]
