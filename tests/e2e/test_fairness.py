"""What one client asks for, or leaves behind, does not keep the others waiting."""

import time

from raw_socket import RawClient

LARGE = {"cloths": [{"cloth": "c", "grid": {"nx": 400, "ny": 400, "size": [1, 1]}}]}


def test_long_answers_for_one_let_the_requests_of_others_in_between(start_server):
    server = start_server("--paused")
    other, hog = RawClient(server.port), RawClient(server.port)
    assert "result" in other.call("world.load", spec=LARGE)
    begin = time.monotonic()
    hog.call("cloth.positions", cloth="c")
    one = time.monotonic() - begin
    for _ in range(60):
        hog.request("cloth.positions", cloth="c")
    time.sleep(0.1)
    # 60 of them would be in front of it; it has to wait for one, or for two on a busy machine.
    begin = time.monotonic()
    assert "result" in other.call("server.ping")
    assert time.monotonic() - begin < 10 * one + 0.5


def test_a_step_ends_when_its_caller_leaves_with_more_requests_behind_it(start_server):
    server = start_server("--paused")
    caller, other = RawClient(server.port), RawClient(server.port)
    # A sheet at rest sleeps and its ticks take no time; in jacobi nothing sleeps.
    caller.call("world.set", solver={"method": "jacobi"})
    caller.request("world.step", ticks=100000)
    for _ in range(100):
        caller.request("cloth.positions", cloth="sheet")
    time.sleep(0.3)
    caller.close()
    begin = time.monotonic()
    assert other.call("world.step")["result"]["tick"] < 100000
    assert time.monotonic() - begin < 8
