"""The Python package against a real server: commands, exact arrays, streams, tools."""

import asyncio
import os
import re
import subprocess
import sys
import time

import clothd
import numpy as np
import pytest
from clothd.aio import AsyncClient
from conftest import ROOT

SHEET = {"cloths": [{"cloth": "flag", "grid": {"nx": 21, "ny": 21, "size": [2, 2]}, "position": [0, 1, 0]}],
         "colliders": [{"collider": "ball", "shape": {"type": "sphere", "radius": 0.4}, "position": [0, 0, 0]}]}


def tool(*arguments, timeout=60, **environment):
    return subprocess.run([sys.executable, "-m", "clothd", *arguments], capture_output=True, text=True,
                          timeout=timeout, env={**os.environ, **environment})


def test_the_ten_line_script(server):
    with clothd.connect(server.url) as client:
        client.world = "lab"
        client.world_create(spec=SHEET, paused=True)
        client.pin("flag", [0, 20])
        client.collider_move("ball", position=[0.3, 0.2, 0.1], over=10)
        corners = client.positions("flag")[[0, 20]]
        reply = client.step(60)
        positions = client.positions("flag")
    assert reply["tick"] == 60 and re.fullmatch("[0-9a-f]{16}", reply["state_hash"])
    assert positions.shape == (441, 3) and positions.dtype == np.float32
    assert np.array_equal(positions[[0, 20]], corners)
    assert positions[220, 1] < 1.0  # the middle fell
    # No vertex is inside the ball; 1 mm stands for the rounding of a surface reached by iteration.
    assert np.linalg.norm(positions - np.array([0.3, 0.2, 0.1]), axis=1).min() >= 0.4 - 1e-3


def test_exact_values_are_those_of_the_f32_stream(server):
    with clothd.connect(server.url, world="lab") as client:
        client.world_create(spec=SHEET, paused=True)
        client.step(37)
        exact = client.positions("flag")
        with client.subscribe(codec="f32") as stream:
            frame = stream.get(5)
        assert frame.tick == 37
        assert frame.positions["flag"].tobytes() == exact.tobytes()
        assert np.array_equal(client.positions("flag", [440, 3]), exact[[440, 3]])
        assert client.velocities("flag").shape == (441, 3)


def test_cb32_stream_is_the_exact_state_rounded_to_its_step(server):
    with clothd.connect(server.url, world="lab") as client:
        client.world_create(spec=SHEET, paused=True)
        with client.subscribe(codec="cb32") as stream:
            frame = stream.get(5)
            for _ in range(5):
                client.step(3)
                exact = client.positions("flag")
                while frame.tick < client.describe()["tick"]:
                    frame = stream.get(5)
                step = 2.0 ** stream.world.mesh("flag").params["step_exp"]
                # lrintf of an exact product: half a step at most, and the result is a float32 itself
                assert np.abs(frame.positions["flag"].astype(float) - exact).max() <= step / 2
            assert stream.figures.lost == 0 and stream.figures.deltas >= 1


def test_a_running_world_streams_deltas_that_chain(server):
    with clothd.connect(server.url) as client, client.subscribe(queue_size=500) as stream:
        ticks = [stream.get(5).tick for _ in range(90)]
        figures = stream.figures
    # However busy the machine is: what is skipped is followed by a key, so nothing is ever lost.
    assert figures.lost == 0 and figures.dropped == 0
    assert figures.keys >= 1 and figures.deltas + figures.unchanged > figures.keys
    assert sorted(set(ticks)) == ticks


def test_reset_and_the_same_steps_give_the_same_hash(server):
    with clothd.connect(server.url) as client:
        client.pause()
        hashes = set()
        for _ in range(2):
            client.reset()
            hashes.add(client.step(120)["state_hash"])
        assert len(hashes) == 1


def test_a_pin_of_one_client_shows_at_another_within_two_ticks(server):
    with clothd.connect(server.url) as actor, clothd.connect(server.url) as watcher:
        events, meshes = [], []
        watcher.on("event", events.append)
        with watcher.subscribe(queue_size=600) as stream:
            stream.get(5)
            watcher.on("mesh", lambda params: meshes.append((stream.latest.tick, params)))
            tick = actor.pin("sheet", [7])["tick"]
            end = time.monotonic() + 5
            while not any(event.get("method") == "cloth.pin" for event in events):
                assert time.monotonic() < end
                stream.get(5)
            event = next(event for event in events if event.get("method") == "cloth.pin")
            assert event["tick"] == tick and event["params"]["vertices"] == [7]
            while not meshes:
                assert time.monotonic() < end
                stream.get(5)
            seen, params = meshes[0]
            assert params["name"] == "sheet" and 7 in params["pins"]
            assert seen <= tick + 2
            held = actor.positions("sheet", [7])
            frame = stream.get(5)
            while frame.tick < tick + 10:
                frame = stream.get(5)
            step = 2.0 ** stream.world.mesh("sheet").params["step_exp"]
            assert np.abs(frame.positions["sheet"][7].astype(float) - held[0]).max() <= step / 2


def test_pins_stay_when_the_client_that_set_them_leaves(server):
    with clothd.connect(server.url) as stayer:
        stayer.pause()
        with clothd.connect(server.url) as leaver:
            leaver.pin("sheet", [7, 1800])
            leaver.move("sheet", [7], positions=[0.1, 1.5, 0.2], over=5)
        stayer.step(10)
        assert stayer.describe()["cloths"][0]["pins"] == [7, 1800]
        assert np.array_equal(stayer.positions("sheet", 7), np.array([[0.1, 1.5, 0.2]], dtype=np.float32))


def test_refusals_name_the_member_and_change_nothing(server):
    with clothd.connect(server.url) as client:
        client.pause()
        before = client.describe()["state_hash"]
        for call, path in [(lambda: client.pin("sheet", [10**7]), "vertices"),
                           (lambda: client.cloth_set("sheet", stretch_stiffness=2), "stretch_stiffness"),
                           (lambda: client.world_set(solver={"substeps": 10**6}), "solver.substeps"),
                           (lambda: client.request("world.set", {"gravty": [0, 0, 0]}), "gravty")]:
            with pytest.raises(clothd.RpcError) as caught:
                call()
            assert caught.value.code == -32602
            assert caught.value.path.startswith(path) and path in str(caught.value)
        with pytest.raises(clothd.RpcError) as caught:
            client.positions("nope")
        assert caught.value.code == -32001
        assert client.describe()["state_hash"] == before


def test_replies_carry_what_they_replaced(server):
    with clothd.connect(server.url, world="lab") as client:
        client.world_create(spec=SHEET, paused=True)
        before = client.describe()["settings"]["gravity"]
        reply = client.world_set(gravity=[0, -1, 0])
        assert reply["previous"]["gravity"] == before
        assert client.world_set(gravity=[0, 0, 0])["previous"]["gravity"] == [0, -1, 0]
        assert "previous" in client.collider_move("ball", position=[1, 2, 3])


def test_edges_are_arrays(server):
    with clothd.connect(server.url, world="lab") as client:
        client.world_create(spec=SHEET, paused=True)
        edges = client.edges("flag")
        positions = client.positions("flag")
        a, b = positions[edges["edges"][:, 0]], positions[edges["edges"][:, 1]]
        # float32 lengths: three roundings of relative 2^-24 each, on lengths below 1 m
        assert np.abs(np.linalg.norm((a - b).astype(float), axis=1) - edges["length"]).max() < 1e-6
        # 21 × 20 horizontal, as many vertical, 20 × 20 diagonal
        assert len(edges["edges"]) == 21 * 20 * 2 + 400


def test_asyncio_client_steps_worlds_side_by_side(server):
    async def run():
        async with AsyncClient(server.url) as client:
            worlds = [f"w{i}" for i in range(4)]
            await asyncio.gather(*[client.world_create(world, spec=SHEET, paused=True) for world in worlds])
            replies = await asyncio.gather(*[client.step(50, world=world) for world in worlds])
            assert len({reply["state_hash"] for reply in replies}) == 1
            assert all(reply["tick"] == 50 for reply in replies)
            await asyncio.gather(*[client.world_destroy(world) for world in worlds])
            assert [entry["world"] for entry in (await client.world_list())["worlds"]] == ["main"]

    asyncio.run(run())


def test_the_servers_end_is_told_with_its_code(start_server):
    server = start_server("--scene", "drape")
    with clothd.connect(server.url) as client, client.subscribe() as stream:
        stream.get(5)
        assert server.end() == 0
        with pytest.raises(clothd.ConnectionClosed) as caught:
            for _ in range(100):
                stream.get(1)
        assert caught.value.code == 1001


def test_tokens_open_what_is_not_loopback_and_roles_hold(start_server, tmp_path):
    tokens = tmp_path / "tokens"
    tokens.write_text("control controller-token-1\nview viewer-token-2\n")
    tokens.chmod(0o600)
    server = start_server("--scene", "drape", "--bind", "0.0.0.0", "--token-file", str(tokens))
    address = f"127.0.0.1:{server.port}"
    for token in (None, "wrong-token-3"):
        with pytest.raises(clothd.ConnectionClosed) as caught:
            clothd.connect(address, token=token)
        assert caught.value.code == 401
    with clothd.connect(f"http://{address}/#token=controller-token-1") as client:
        assert client.hello["role"] == "control"
        client.pause()
    with clothd.connect(address, token="viewer-token-2") as client:
        assert client.hello["role"] == "view"
        assert len(client.positions("sheet")) > 0
        with pytest.raises(clothd.RpcError) as caught:
            client.resume()
        assert caught.value.code == -32006


def test_watch_prints_figures_and_ends(server):
    done = tool("watch", "--url", server.url, "--frames", "90")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[1].split()[:3] == ["tick", "Hz", "KiB/s"]
    figures = lines[2].split()
    assert int(figures[0]) > 0 and float(figures[1]) > 0 and float(figures[2]) > 0
    assert re.fullmatch(r"\d+ frames, \d+ bytes in [\d.]+ s: \d+ keys, \d+ deltas, 0 lost, \d+ gaps", lines[-1])
    assert int(lines[-1].split()[0]) >= 90


def test_tools_tell_errors_in_one_line(server):
    for arguments, sentence in [(("watch", "--url", "127.0.0.1:1", "--seconds", "1"), "no connection"),
                                (("watch", "--url", server.url, "--world", "nope", "--seconds", "1"), "nope"),
                                (("watch", "--url", "ftp://x", "--seconds", "1"), "no address")]:
        done = tool(*arguments)
        assert done.returncode == 1
        assert len(done.stderr.strip().splitlines()) == 1 and sentence in done.stderr, done.stderr


def picture(path):
    image = pytest.importorskip("PIL.Image")
    return np.asarray(image.open(path).convert("RGB")).astype(int)


def cloth_pixels(pixels):
    """Where the picture shows the first cloth's red-brown."""
    red, green, blue = pixels[..., 0], pixels[..., 1], pixels[..., 2]
    return (red > 1.5 * green) & (red > 1.5 * blue) & (red > 60)


@pytest.mark.slow
def test_render_draws_a_falling_cloth_without_a_display(server, tmp_path):
    shapes = {}
    for name, ticks in (("start", "0"), ("later", "60")):
        out = tmp_path / f"{name}.png"
        done = tool("render", "--url", server.url, "--scene", "drape", "--ticks", ticks, "--size", "480x360", "--out",
                    str(out), timeout=120, DISPLAY="")
        assert done.returncode == 0, done.stderr
        pixels = picture(out)
        assert pixels.shape == (360, 480, 3)
        shapes[name] = cloth_pixels(pixels)
        # A sheet of 2 m in view covers a good part of the picture, but not all of it.
        assert 0.02 < shapes[name].mean() < 0.8, shapes[name].mean()
    assert (shapes["start"] != shapes["later"]).mean() > 0.01
    with clothd.connect(server.url) as client:
        assert [entry["world"] for entry in client.world_list()["worlds"]] == ["main"]


def grab(display):
    image = pytest.importorskip("PIL.ImageGrab")
    return np.asarray(image.grab(xdisplay=display).convert("RGB")).astype(int)


@pytest.mark.slow
@pytest.mark.parametrize("server", ["games103"], indirect=True)
def test_view_shows_the_moving_cloth_in_a_window(server):
    screen = subprocess.Popen(["Xvfb", "-displayfd", "1", "-screen", "0", "1024x768x24", "-nolisten", "tcp"],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        display = ":" + screen.stdout.readline().strip()
        with clothd.connect(server.url) as client:
            viewer = subprocess.Popen([sys.executable, "-m", "clothd", "view", "--url", server.url, "--seconds", "90"],
                                      stderr=subprocess.PIPE, text=True, env={**os.environ, "DISPLAY": display})
            end = time.monotonic() + 60
            while not cloth_pixels(grab(display)).mean() > 0.01:
                assert viewer.poll() is None, viewer.stderr.read()
                assert time.monotonic() < end, "no cloth in the window"
                time.sleep(0.2)
            # A busy machine draws few pictures a second in software: wait, do not count on a time.
            client.reset()
            seen = cloth_pixels(grab(display))
            while not (seen != cloth_pixels(grab(display))).mean() > 0.001:
                assert viewer.poll() is None, viewer.stderr.read()
                assert time.monotonic() < end, "the cloth does not move"
                time.sleep(0.2)
            viewer.terminate()
            viewer.wait(20)
    finally:
        screen.terminate()
        screen.wait(10)


def test_the_readmes_ten_line_script_runs(server):
    readme = (ROOT / "clients" / "python" / "README.md").read_text(encoding="utf-8")
    script = re.search(r"```python\n(.*?)```", readme, re.S).group(1)
    assert len(script.strip().splitlines()) <= 10
    script = script.replace("http://127.0.0.1:8080", server.url)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("[[")
