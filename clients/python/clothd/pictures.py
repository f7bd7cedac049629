"""``python -m clothd view`` and ``render``: a world in a window, and as a PNG without a display."""

from __future__ import annotations

import os
import time
from typing import Any, Dict, List, Optional

from .client import Client, Stream, connect
from .drawing import Drawing, DrawingUnavailable
from .errors import ClothdError
from .subscription import Frame

_FIRST_FRAME_S = 20.0


def first_frame(stream: Stream, seconds: float = _FIRST_FRAME_S) -> Frame:
    """The first frame that has everything: positions of every cloth and, once known, triangles."""
    end = time.monotonic() + seconds
    while True:
        try:
            frame = stream.get(max(end - time.monotonic(), 0.001))
        except TimeoutError:
            raise ClothdError(f"no picture of the world came within {seconds:g} s") from None
        if frame is None:
            raise ClothdError("the stream ended")
        cloths = [mesh for mesh in stream.world.meshes.values() if mesh.kind == "cloth"]
        if all(mesh.name in frame.positions and (mesh.triangles is not None or mesh.triangle_count == 0)
               for mesh in cloths):
            return frame


def view(url: str, *, token: Optional[str] = None, world: Optional[str] = None,
         seconds: Optional[float] = None) -> int:
    """Shows a world in a window until it is closed, or for some seconds. Returns frames shown."""
    if not os.environ.get("DISPLAY") and not os.environ.get("WAYLAND_DISPLAY") and os.name == "posix" \
            and os.uname().sysname == "Linux":
        raise DrawingUnavailable("no display for a window; `render` draws without one")
    with connect(url, token=token, world=world) as client:
        camera = client.world_describe().get("view")
        drawing = Drawing(title=f"clothd: {client.world or 'main'}")
        # One frame in the queue: a slow window shows the newest, not a backlog.
        with client.subscribe(queue_size=1) as stream:
            frame = first_frame(stream)
            drawing.show(stream.world, frame, camera)
            return _run_window(drawing, stream, seconds)


def _run_window(drawing: Drawing, stream: Stream, seconds: Optional[float]) -> int:
    plotter, shown, start = drawing.plotter, 0, time.monotonic()
    plotter.show(interactive_update=True, auto_close=False)
    if plotter.render_window.GetClassName() in ("vtkEGLRenderWindow", "vtkOSOpenGLRenderWindow"):
        drawing.close()
        raise DrawingUnavailable(f"no display answers at DISPLAY={os.environ.get('DISPLAY')}")
    closed: List[bool] = []
    plotter.iren.add_observer("ExitEvent", lambda *_: closed.append(True))
    while not closed and (seconds is None or time.monotonic() - start < seconds):
        try:
            frame = stream.get(0.03)
        except TimeoutError:
            frame = stream.latest
        if frame is None:
            break
        drawing.show(stream.world, frame)
        plotter.update()
        shown += 1
    drawing.close()
    return shown


def _default_scene(client: Client) -> str:
    """"drape" where the server has it, else its first scene."""
    names = [str(scene["name"]) for scene in client.server_info()["scenes"]]
    if not names:
        raise ClothdError("the server has no scenes")
    return "drape" if "drape" in names else names[0]


def render(url: str, *, out: str, ticks: int = 120, scene: Optional[str] = None, token: Optional[str] = None,
           size: tuple = (960, 720)) -> Dict[str, Any]:
    """Draws a scene after some ticks into a PNG, without a display.

    A paused world of its own is made on the server from the scene, stepped and removed, so the
    same ticks give the same picture and nobody's world is disturbed.

    Returns:
        The reply of world.step: tick and state_hash.
    """
    drawing = Drawing(off_screen=True, size=size)
    with connect(url, token=token) as client:
        client.world = f"render-{os.getpid()}-{time.monotonic_ns() % 10**9}"
        client.world_create(scene=scene or _default_scene(client), paused=True)
        try:
            reply = client.world_step(ticks) if ticks > 0 else client.world_describe()
            camera = client.world_describe().get("view")
            with client.subscribe(codec="f32") as stream:
                frame = first_frame(stream)
                drawing.show(stream.world, frame, camera)
                drawing.save(out)
            return reply
        finally:
            client.world_destroy()
            drawing.close()
