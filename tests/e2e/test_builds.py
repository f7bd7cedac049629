"""The same scene gives the same bits in every build that is here: release, debug, clang,
gcc with sanitizers. tests/run builds them all; a single build compares reset with reset."""

import os
import re
import subprocess
from pathlib import Path

import clothd
import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILDS = [ROOT / "build" / name / "clothd" for name in ("release", "debug", "clang", "asan")]
TICKS = 240  # the sheet has met the ball and the floor by then
SLOW_TICKS = 60  # where a build is slow: asan on the heaviest scene


def hashes(binary: Path, scene: str, ticks: int) -> list[str]:
    """The state hash at four ticks of a run from the start."""
    environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}
    process = subprocess.Popen([binary, "--port", "0", "--scene", scene, "--paused"], stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, text=True, env=environment)
    try:
        url = re.search(r"http://\S+", process.stdout.readline()).group(0)
        with clothd.connect(url) as client:
            return [client.step(ticks // 4)["state_hash"] for _ in range(4)]
    finally:
        process.terminate()
        process.wait(20)


@pytest.mark.slow
@pytest.mark.parametrize("scene", ["drape", "games103", "curtain", "dress", "sheet128"])
def test_every_build_gives_the_same_bits(scene):
    builds = [b for b in BUILDS if b.is_file()]
    if len(builds) < 2:
        pytest.skip("only one build is here; tests/run makes them all")
    ticks = SLOW_TICKS if scene == "sheet128" else TICKS
    runs = {b.parent.name: hashes(b, scene, ticks) for b in builds}
    assert len({tuple(r) for r in runs.values()}) == 1, runs


def test_reset_and_600_ticks_give_the_same_hash_twice(server):
    with clothd.connect(server.url) as client:
        client.pause()
        seen = set()
        for _ in range(2):
            client.reset()
            seen.add(client.step(600)["state_hash"])
    assert len(seen) == 1
