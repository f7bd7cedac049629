"""A real server for the end-to-end tests: started on a free port, ended by SIGTERM.

The binary is build/release/clothd, or what CLOTHD_BINARY names.
"""

import os
import re
import signal
import subprocess
import threading
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BINARY = os.environ.get("CLOTHD_BINARY", str(ROOT / "build/release/clothd"))
START_S = 20


class Server:
    """A running clothd.

    Attributes:
        url: the first link it printed, e.g. http://127.0.0.1:41234 (with #token= where it made one).
        links: every line it printed before that many seconds, the links among them.
        port: of the link.
        process: the subprocess; its standard error is collected in `log`.
    """

    def __init__(self, *arguments: str) -> None:
        # The shipped scenes, wherever the binary is.
        arguments = ("--port", "0", "--scene-dir", str(ROOT / "server/scenes"), *arguments)
        self.process = subprocess.Popen([BINARY, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.log: list[str] = []
        self.lines: list[str] = []
        self._printed = threading.Event()
        self._threads = [threading.Thread(target=self._collect, args=(self.process.stdout, self.lines), daemon=True),
                         threading.Thread(target=self._collect, args=(self.process.stderr, self.log), daemon=True)]
        for thread in self._threads:
            thread.start()
        if not self._printed.wait(START_S) or not self.lines:
            self.process.kill()
            self.process.wait()
            raise AssertionError("the server printed no link: " + "".join(self.log))

    def _collect(self, stream, lines) -> None:
        for line in stream:
            lines.append(line)
            if lines is self.lines and "://" in line:
                self._printed.set()
        self._printed.set()

    @property
    def links(self) -> list[str]:
        return re.findall(r"https?://\S+", "".join(self.lines))

    @property
    def url(self) -> str:
        return self.links[0]

    @property
    def port(self) -> int:
        return int(re.search(r"://[^/]*:(\d+)", self.url).group(1))

    def end(self) -> int:
        """SIGTERM; returns the exit status."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise AssertionError("the server did not end within 10 s of SIGTERM: " + "".join(self.log)) from None
        for thread in self._threads:
            thread.join(5)
        return self.process.returncode


@pytest.fixture
def start_server():
    """Starts servers with arguments of the test's choice; all end with the test."""
    running = []

    def start(*arguments: str) -> Server:
        running.append(Server(*arguments))
        return running[-1]

    yield start
    for server in running:
        assert server.end() == 0, "".join(server.log)


@pytest.fixture
def server(request, start_server):
    """A server with the scene that the test names by an indirect parameter (drape)."""
    return start_server("--scene", getattr(request, "param", "drape"))
