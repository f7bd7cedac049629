"""The viewer in a real Chromium: runs tests/e2e/browser/test_*.mjs, which start their own
servers and tell each of their tests by a line. Pictures are left in tests/artifacts/."""

import os
import shutil
import subprocess

import pytest
from conftest import BINARY, ROOT

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
TIMEOUT_S = 840  # about 60 s on two idle cores; below pytest's own limit, so that the output is shown


@pytest.mark.slow
@pytest.mark.timeout(TIMEOUT_S + 60)
@pytest.mark.parametrize("name", ["test_viewer.mjs", "test_contact.mjs"])
def test_viewer_does_what_a_person_sees_and_clicks(name):
    assert shutil.which(CHROMIUM), f"no browser at {CHROMIUM}: install Debian's chromium or name one in CHROMIUM"
    assert (ROOT / "clients/web/dist/index.html").is_file(), "the viewer is not built: npm run build in clients/web"
    script = ROOT / "tests/e2e/browser" / name
    environment = {**os.environ, "CLOTHD_BIN": BINARY, "CHROMIUM": CHROMIUM}
    # A process group of its own: a run that hangs takes its browser and server along.
    process = subprocess.Popen(["node", str(script)], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               text=True, start_new_session=True)
    try:
        output, _ = process.communicate(timeout=TIMEOUT_S)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        output, _ = process.communicate()
        pytest.fail(f"not done within {TIMEOUT_S} s:\n{output}", pytrace=False)
    assert process.returncode == 0 and " passed, 0 failed" in output, output
