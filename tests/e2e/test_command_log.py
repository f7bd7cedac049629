"""The command log: saved from a live server, run again by `clothd replay` and by the server."""

import json
import subprocess

import clothd
import pytest
from conftest import BINARY, ROOT
from raw_socket import RawClient


def replay(*arguments: str, text: str | None = None) -> subprocess.CompletedProcess:
    return subprocess.run([BINARY, "replay", *arguments], input=text, capture_output=True, text=True, timeout=120)


def version() -> str:
    return subprocess.run([BINARY, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]


@pytest.fixture
def session(start_server, tmp_path):
    """A log of a running world that two clients played with, as a file and as an object."""
    server = start_server("--scene", "net")
    with clothd.connect(server.url) as client:
        cloth = client.describe()["cloths"][0]["cloth"]
        other = RawClient(server.port)
        other.call("cloth.grab", cloth=cloth, vertex=200, position=[0.1, 1.5, 0])
        for step in range(8):
            other.call("cloth.drag", grab=1, position=[0.1, 1.5 + 0.05 * step, 0])
        client.world_save("held")
        other.close()
        client.cloth_add("dress", file="dress.obj", position=[0, 4, 0])
        client.world_set(gravity=[0.5, -9.8, 0])
        client.pause()
        client.step(5, commands=[("cloth.impulse", {"cloth": cloth, "vertices": [210], "impulse": [0, 0.01, 0]})])
        client.world_restore("held")
        client.step(20)
        client.cloth_remove(cloth)
        client.reset()
        client.step(10)
        path = tmp_path / "log.json"
        log = client.save_log(path)
        assert log["end"]["state_hash"] == client.describe()["state_hash"]
        yield path, log, client


def test_a_session_is_identical_wherever_it_is_run(session, tmp_path):
    path, log, client = session
    assert log["complete"] and log["format"] == 1 and log["server"] == f"clothd {version()}"
    methods = [c["method"] for c in log["commands"]]
    assert methods.count("cloth.drag") == 8 and methods.count("cloth.release") >= 1
    assert "file" not in json.dumps(log)
    seqs = [c["seq"] for c in log["commands"]]
    assert seqs == sorted(set(seqs))
    done = replay(str(path))
    assert (done.stdout, done.stderr, done.returncode) == ("identical\n", "", 0)
    # Elsewhere: no scene folder, other limits, from a pipe, as the whole reply.
    text = json.dumps({"jsonrpc": "2.0", "id": 1, "result": log}, indent=1)
    done = replay("-", "--scene-dir", str(tmp_path), "--max-worlds", "1", text=text)
    assert (done.stdout, done.returncode) == ("identical\n", 0)
    result = client.world_replay(log)
    assert result["identical"] and result["difference"] is None and result["same_version"]
    assert [h["state_hash"] for h in result["hashes"]] == [c["state_hash"] for c in log["checks"] + [log["end"]]]


def test_what_differs_is_told_with_tick_object_and_vertex(session):
    path, log, client = session
    impulse = next(c for c in log["commands"] if c["method"] == "cloth.impulse")
    impulse["params"]["impulse"][1] = 0.011
    done = replay("-", text=json.dumps(log))
    assert done.returncode == 1 and done.stdout.startswith("differs at tick ")
    assert 'cloth "' in done.stdout and ", vertex " in done.stdout and "the same at tick" in done.stdout
    result = client.world_replay(log)
    assert not result["identical"] and result["difference"]["vertex"] >= 0
    assert result["difference"]["same_until"] <= impulse["steps"] < result["difference"]["steps"]


def test_a_corrupt_log_says_where_and_changes_nothing(session):
    path, log, client = session
    before = client.describe()
    text = path.read_text()
    for bad, sentence in [
        (text[:1000], "at byte 1000"),
        (text.replace('"steps":', '"steps";', 1), "at byte %d" % (text.index('"steps":') + 7)),
        (text.replace('"method":"cloth.drag"', '"method":"cloth.drgg"', 1), "did you mean cloth.drag?"),
        (text.replace('"grab":1', '"grab":-1', 1), "allowed is 1 to 4294967295"),
        ("[]", "A log is an object"),
        ("", "the text ends where a value should be"),
    ]:
        done = replay("-", text=bad)
        assert done.returncode == 2 and done.stdout == "" and sentence in done.stderr, (sentence, done)
        assert " byte " in done.stderr
    with pytest.raises(clothd.RpcError) as refusal:
        client.world_replay(dict(log, steps=-1))
    assert (refusal.value.code, refusal.value.path) == (-32602, "log.steps")
    done = replay("-", text=json.dumps(dict(log, format=2, more=[])))
    assert done.returncode == 2 and "another version" in done.stderr and "format is 2; allowed is 1" in done.stderr
    done = replay("-", text=json.dumps(dict(log, server="clothd 99.0")))
    assert done.stdout == "identical\n" and "the log is of clothd 99.0" in done.stderr
    assert client.describe() == before
    done = replay("/nowhere.json")
    assert done.returncode == 2 and "No such file" in done.stderr


def test_a_log_that_ended_is_true_up_to_there(start_server):
    client = RawClient(start_server("--scene", "drape", "--paused", "--max-log-bytes", "3000").port)
    told = []
    for i in range(40):
        client.call("world.step", ticks=1)
        me = client.request("world.set", drag=0.001 * i)
        message = {}
        while message.get("id") != me:
            message = client.read_text(lambda m: True)
            told += [message["params"]["code"]] if message.get("method") == "status" else []
    assert told == ["log_ended"]
    log = client.call("world.log")["result"]
    assert not log["complete"] and 0 < log["steps"] < 40 and "end" not in log
    done = replay("-", text=json.dumps(log))
    assert done.stdout == "identical\n" and "not complete" in done.stderr


def test_the_command_line_saves_a_log(start_server, tmp_path):
    import sys
    server = start_server("--scene", "drape", "--paused")
    RawClient(server.port).call("world.step", ticks=7)
    path = tmp_path / "a.json"
    done = subprocess.run([sys.executable, "-m", "clothd", "log", server.url, "--out", str(path)], capture_output=True,
                          text=True, timeout=60)
    assert done.returncode == 0 and "1 commands in 7 ticks, complete" in done.stdout, done
    assert replay(str(path)).stdout == "identical\n"


def test_the_golden_log_is_replayed_by_this_build():
    assert replay(str(ROOT / "tests/sim/golden_log.json")).stdout == "identical\n"
