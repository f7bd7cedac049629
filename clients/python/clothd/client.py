"""The blocking client: the asyncio one on a thread of its own."""

from __future__ import annotations

import asyncio
import concurrent.futures
import os
import threading
from typing import Any, Callable, Coroutine, Dict, Iterator, Mapping, Optional, Sequence, TypeVar, Union

import numpy as np

from . import aio, stepping, subscription
from .commands import Commands
from .errors import ClothdError, ConnectionClosed
from .grab import Grab
from .protocol import WorldState
from .subscription import Figures, Frame
from .values import UNSET, Floats, Unset, Vertices

T = TypeVar("T")


class Client(Commands[Dict[str, Any]]):
    """A connection to a server; made by :func:`connect`, closed by ``with`` or close().

    Every command of the protocol is a method; see also positions, velocities, edges and
    subscribe. Methods may be called from any thread.
    """

    def __init__(self, url: str, *, token: Optional[str] = None, world: Optional[str] = None,
                 open_timeout: float = 10.0) -> None:
        self._client = aio.AsyncClient(url, token=token, world=world, open_timeout=open_timeout)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="clothd client", daemon=True)
        self._thread.start()
        try:
            self._run(self._client.open())
        except BaseException:
            self._stop()
            raise

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    @property
    def hello(self) -> Dict[str, Any]:
        """What the server said at first: version, limits, role, worlds …"""
        return self._client.hello

    @property
    def world(self) -> Optional[str]:
        """The world that commands mean when they name none; may be set."""
        return self._client.world

    @world.setter
    def world(self, name: Optional[str]) -> None:
        self._client.world = name

    def close(self) -> None:
        """Ends the connection. May be called again."""
        if self._thread.is_alive():
            self._run(self._client.close())
            self._stop()

    def request(self, method: str, params: Mapping[str, Any]) -> Dict[str, Any]:
        """Sends any command as it is and returns its result."""
        return self._run(self._client.request(method, params))

    def notify(self, method: str, params: Mapping[str, Any]) -> None:
        """Sends a command that is not answered."""
        self._run(self._client.notify(method, params))

    def on(self, method: str, listener: Callable[[Dict[str, Any]], None]) -> Callable[[], None]:
        """As AsyncClient.on; the listener runs on the client's thread and must not call commands."""
        return self._client.on(method, listener)

    def positions(self, cloth: str, vertices: Union[Vertices, Unset] = UNSET, *,
                  world: Union[str, Unset] = UNSET) -> np.ndarray:
        """Positions in metres, exact: float32 (n, 3), in mesh order or in that of vertices."""
        return self._run(self._client.positions(cloth, vertices, world=world))

    def velocities(self, cloth: str, vertices: Union[Vertices, Unset] = UNSET, *,
                   world: Union[str, Unset] = UNSET) -> np.ndarray:
        """Velocities in m/s, exact: float32 (n, 3), in mesh order or in that of vertices."""
        return self._run(self._client.velocities(cloth, vertices, world=world))

    def edges(self, cloth: str, *, world: Union[str, Unset] = UNSET) -> Dict[str, np.ndarray]:
        """Edges as arrays: edges uint32 (m, 2), color, rest and length (m), force (N, NaN: unknown)."""
        return self._run(self._client.edges(cloth, world=world))

    def step(self, ticks: Union[int, Unset] = UNSET, *, world: Union[str, Unset] = UNSET,  # type: ignore[override]
             commands: Union[Sequence[stepping.Command], Unset] = UNSET,
             state: Union[bool, Sequence[str], Mapping[str, Any]] = False) -> Dict[str, Any]:
        """Runs a paused world by some ticks; as AsyncClient.step."""
        return self._run(self._client.step(ticks, world=world, commands=commands, state=state))

    def save_log(self, path: Union[str, "os.PathLike[str]"], *, world: Union[str, Unset] = UNSET) -> Dict[str, Any]:
        """Writes the command log of a world into a file, for ``clothd replay FILE``; returns it."""
        return self._run(self._client.save_log(path, world=world))

    def grab(self, cloth: str, vertex: int, *, position: Union[Floats, Unset] = UNSET,
             compliance: Union[float, Unset] = UNSET, world: Union[str, Unset] = UNSET) -> Grab:
        """Takes hold of a vertex; best used with ``with``, whose end releases it.

        Args: position (3, metres; where it is now), compliance (m/N; 0 = without lag), see cloth_grab.
        """
        return Grab(self, {"cloth": cloth, "vertex": vertex, "position": position, "compliance": compliance,
                           "world": world})

    def subscribe(self, *, world: Union[str, Unset] = UNSET, cloths: Union[Sequence[str], Unset] = UNSET,
                  codec: Union[str, Unset] = UNSET, step_exp: Union[int, Unset] = UNSET,
                  max_hz: Union[float, Unset] = UNSET, queue_size: int = 8) -> "Stream":
        """Starts the stream of a world; as AsyncClient.subscribe. Returns an iterator of Frame."""
        return Stream(self, self._run(self._client.subscribe(
            world=world, cloths=cloths, codec=codec, step_exp=step_exp, max_hz=max_hz, queue_size=queue_size)))

    def _command(self, method: str, params: Dict[str, Any]) -> Dict[str, Any]:
        async def call() -> Dict[str, Any]:
            return await self._client._command(method, params)

        return self._run(call())

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        if threading.current_thread() is self._thread:
            work.close()
            raise ClothdError("a listener runs on the client's own thread and must not wait for it")
        if not self._thread.is_alive():
            work.close()
            raise ConnectionClosed("closed here", 1000)
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except concurrent.futures.CancelledError:
            raise ConnectionClosed("closed here", 1000) from None
        except KeyboardInterrupt:
            future.cancel()
            raise

    def _stop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


class Stream:
    """A blocking iterator of Frame; made by ``Client.subscribe``."""

    def __init__(self, client: Client, inner: subscription.Subscription) -> None:
        self._client = client
        self._inner = inner

    @property
    def world(self) -> WorldState:
        """Meshes (triangles, rest positions, pins …) and poses; there once a frame has come."""
        return self._inner.world

    @property
    def figures(self) -> Figures:
        """Counts since the start."""
        return self._inner.figures

    @property
    def server_stats(self) -> Dict[str, Any]:
        """The newest ``stats`` notification, or {}."""
        return self._inner.server_stats

    @property
    def latest(self) -> Optional[Frame]:
        """The newest frame, read or not."""
        return self._inner.latest

    def get(self, timeout: Optional[float] = None) -> Optional[Frame]:
        """The next frame; None after close(). Raises TimeoutError after timeout seconds."""
        try:
            return self._client._run(self._inner.get(timeout))
        except (asyncio.TimeoutError, concurrent.futures.TimeoutError):
            raise TimeoutError(f"no frame within {timeout} s") from None

    def __iter__(self) -> Iterator[Frame]:
        while True:
            frame = self.get()
            if frame is None:
                return
            yield frame

    def close(self) -> None:
        """Ends the stream of this world."""
        self._client._run(self._inner.close())

    def __enter__(self) -> "Stream":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


def connect(url: str = "127.0.0.1:8080", *, token: Optional[str] = None, world: Optional[str] = None,
            open_timeout: float = 10.0) -> Client:
    """Connects to a server and returns a blocking client, best used with ``with``.

    Args:
        url: the link that the server prints, a ``ws://`` address, or ``host:port``.
        token: for servers that want one; a link's ``#token=…`` is understood too.
        world: the world that commands mean when they name none (the server's default: main).
        open_timeout: seconds until the connection must stand.
    """
    return Client(url, token=token, world=world, open_timeout=open_timeout)
