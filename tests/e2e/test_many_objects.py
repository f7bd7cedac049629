"""Scenes of thousands of objects: each is a text for every viewer, all at once."""

import threading

from raw_socket import RawClient


def scene(prefix: str) -> dict:
    """As many objects as a scene may have, none of which touch."""
    return {"cloths": [{"cloth": f"{prefix}{i}", "grid": {"nx": 2, "ny": 2, "size": [1, 1]}} for i in range(1024)],
            "colliders": [{"collider": f"{prefix}{i}", "shape": {"type": "sphere", "radius": 0.01},
                           "position": [5, 5, 5]} for i in range(1024)]}


def test_a_viewer_that_reads_stays_when_scenes_of_2048_objects_replace_each_other(start_server):
    server = start_server("--paused")
    control, viewer = RawClient(server.port), RawClient(server.port)
    assert "result" in control.call("world.load", spec=scene("a"))
    assert "result" in viewer.call("stream.subscribe")
    seen = {"mesh": 0, "removed": 0}
    ended: list = []

    def read() -> None:
        try:
            while seen["mesh"] < 5 * 2048 or seen["removed"] < 4 * 2048:
                text = viewer.read_text(lambda m: m.get("method") == "mesh")
                seen["removed" if text["params"].get("removed") else "mesh"] += 1
        except (EOFError, OSError) as error:
            ended.append(error)

    thread = threading.Thread(target=read)
    thread.start()
    for prefix in "baba":
        assert "result" in control.call("world.load", spec=scene(prefix))
    thread.join(30)
    assert not ended and seen == {"mesh": 5 * 2048, "removed": 4 * 2048}
