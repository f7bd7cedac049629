"""What a user meets before the first frame: arguments, files and ports that are wrong
end in one line on standard error and a non-zero exit; right ones print their answer."""

import os
import re
import socket
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BINARY = os.environ.get("CLOTHD_BINARY", str(ROOT / "build/release/clothd"))


def run(*arguments: str, timeout: float = 10) -> subprocess.CompletedProcess:
    return subprocess.run([BINARY, *arguments], capture_output=True, text=True, timeout=timeout)


def refused(*arguments: str) -> str:
    """The one line that such a start prints; the exit is non-zero."""
    done = run(*arguments)
    lines = done.stderr.strip().splitlines()
    assert done.returncode not in (0, -6, -11), done
    assert len(lines) == 1, done.stderr
    assert done.stdout == ""
    return lines[0]


def test_unknown_flag_is_named():
    assert "--prot" in refused("--prot", "9000")


@pytest.mark.parametrize("value", ["0x50", "70000", "-1", "", "80a"])
def test_bad_port_names_value_and_range(value):
    line = refused("--port", value)
    assert "port" in line and "65535" in line


def test_flag_without_value_says_so():
    assert "--scene" in refused("--scene")


def test_unknown_scene_names_it():
    assert "no-such-scene" in refused("--scene", "no-such-scene", "--port", "0")


def test_scene_file_that_is_not_json_names_file_and_place(tmp_path):
    file = tmp_path / "broken.json"
    file.write_text('{"title": "x", "cloths": [}')
    line = refused("--scene", str(file), "--port", "0")
    assert "broken.json" in line and re.search(r"\b2[5-7]\b", line), line


def test_scene_file_with_a_typo_names_the_member(tmp_path):
    file = tmp_path / "typo.json"
    file.write_text('{"cloths": [{"cloth": "a", "grid": {"nx": 3, "ny": 3, "sise": [1, 1]}}]}')
    line = refused("--scene", str(file), "--port", "0")
    assert "typo.json" in line and '"sise"' in line and "cloths[0].grid" in line, line
    assert "size" in line, f"the member that was meant: {line}"


def test_missing_mesh_file_names_it():
    assert "nowhere.obj" in refused("--mesh", "nowhere.obj", "--port", "0")


@pytest.mark.parametrize("line,cause", [("v 0 zero 0", "2"), ("f 1 2 9", "5"), ("f 1 2", "5")])
def test_bad_mesh_line_is_named(tmp_path, line, cause):
    good = ["# shirt", "v 0 0 0", "v 1 0 0", "v 0 1 0", "f 1 2 3"]
    lines = list(good)
    lines[int(cause) - 1] = line
    file = tmp_path / "bad.obj"
    file.write_text("\n".join(lines) + "\n")
    said = refused("--mesh", str(file), "--port", "0")
    assert "bad.obj" in said and re.search(rf"\b{cause}\b", said), said


def test_taken_port_is_named():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert port in refused("--port", port)


def test_version_help_and_scenes_answer():
    assert re.match(r"clothd \d+\.\d+\.\d+", run("--version").stdout)
    text = run("--help").stdout
    for flag in ("--port", "--bind", "--scene", "--mesh", "--token-file", "--list-scenes"):
        assert flag in text
    scenes = run("--list-scenes")
    assert scenes.returncode == 0
    for name in ("balloon", "barrel", "bunny", "curtain", "drape", "dress", "flag", "games103", "net", "sheet128", "stack", "tablecloth", "twist"):
        assert re.search(rf"^{name}\b", scenes.stdout, re.M), scenes.stdout


def test_health_check_says_no_where_nothing_runs():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    assert run("--healthcheck", "--port", port).returncode == 1


def test_token_file_that_others_can_read_is_refused(tmp_path):
    file = tmp_path / "tokens"
    file.write_text("control abcdefghijklmnop\n")
    file.chmod(0o644)
    line = refused("--token-file", str(file), "--port", "0")
    assert "0600" in line and "tokens" in line
