"""The JavaScript package as its README shows it, in Node against a real server."""

import re
import subprocess

from conftest import ROOT


def test_the_readmes_example_runs(server, tmp_path):
    readme = (ROOT / "clients/js/README.md").read_text(encoding="utf-8")
    example = re.search(r"```js\n(.*?)```", readme, re.S).group(1)
    example = example.replace("ws://127.0.0.1:8080", f"ws://127.0.0.1:{server.port}")
    # As npm install lays it out.
    modules = tmp_path / "node_modules"
    modules.mkdir()
    (modules / "clothd").symlink_to(ROOT / "clients/js")
    (modules / "ws").symlink_to(ROOT / "clients/web/node_modules/ws")
    (tmp_path / "example.mjs").write_text(example, encoding="utf-8")
    done = subprocess.run(["node", "example.mjs"], cwd=tmp_path, capture_output=True, text=True, timeout=30)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].strip() == "connecting" and lines[1].strip() == "open" and lines[-1].strip() == "closed", lines
    ticks = [int(tick) for tick in re.findall(r"^sheet (\d+) Float32Array\(11163\)", done.stdout, re.M)]
    # One second of a world at 60 Hz; a busy machine may lose most of it, but not all.
    assert len(ticks) >= 5 and ticks == sorted(set(ticks)), ticks


def test_a_refusal_is_the_servers_sentence(server, tmp_path):
    (tmp_path / "refused.mjs").write_text(f"""
import {{ Client, RpcError }} from '{ROOT.as_uri()}/clients/js/index.js';
import {{ createRequire }} from 'node:module';
const WebSocket = createRequire('{ROOT}/clients/web/package.json')('ws');
const client = new Client('ws://127.0.0.1:{server.port}/ws', {{ WebSocket }});
await client.connect();
const error = await client.request('cloth.pin', {{ cloth: 'nope', vertices: [0] }}).catch((e) => e);
console.log(error instanceof RpcError, error.code, error.reason, error.message);
client.close();
""", encoding="utf-8")
    done = subprocess.run(["node", "refused.mjs"], cwd=tmp_path, capture_output=True, text=True, timeout=30)
    assert done.stdout.strip() == 'true -32001 not_found cloth "nope" does not exist in world "main".', done
