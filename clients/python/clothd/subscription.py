"""A world's stream as frames, with the figures that tell how well it arrives."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Deque, Dict, FrozenSet, Optional

import numpy as np

from .errors import ClothdError
from .protocol import Pose, Update, WorldState

if TYPE_CHECKING:
    from .aio import AsyncClient


@dataclass(frozen=True)
class Frame:
    """A world at one tick.

    Attributes:
        world: its name.
        tick: the tick.
        server_us: the server's monotonic clock at the tick's end, µs modulo 2^32.
        positions: float32 (n, 3) in metres by cloth, mesh order; treat as read-only.
        poses: where each collider is, by name.
        changed: cloths and colliders that this frame moved.
        cut: do not interpolate towards it.
        bytes: size of the message.
        received: ``time.monotonic()`` at its arrival.
    """

    world: str
    tick: int
    server_us: int
    positions: Dict[str, np.ndarray]
    poses: Dict[str, Pose]
    changed: FrozenSet[str]
    cut: bool
    bytes: int
    received: float


@dataclass
class Figures:
    """Counts since the start of a subscription.

    ``gaps`` counts places where ticks are missing (the server skipped, or frames were lost),
    ``dropped`` frames that the reader was too late for, ``lost`` segments that needed a key.
    """

    messages: int = 0
    bytes: int = 0
    frames: int = 0
    keys: int = 0
    deltas: int = 0
    unchanged: int = 0
    gaps: int = 0
    lost: int = 0
    dropped: int = 0
    _stride: Optional[int] = field(default=None, repr=False)
    _tick: Optional[int] = field(default=None, repr=False)
    _still: bool = field(default=False, repr=False)

    def _count(self, update: Update, size: int) -> None:
        self.messages += 1
        self.bytes += size
        self.keys += update.keys
        self.deltas += update.deltas
        self.unchanged += len(update.unchanged)
        self.lost += len(update.lost)
        if not update.is_frame:
            return
        self.frames += 1
        if self._tick is not None and update.tick > self._tick:
            stride = update.tick - self._tick
            # A delta builds on what came before it, and a world that sleeps says so once a second.
            if self._stride is not None and stride > self._stride and update.keys and not self._still:
                self.gaps += 1
            self._stride = stride if self._stride is None else min(stride, self._stride)
        self._tick = update.tick
        self._still = not (update.keys or update.deltas or update.poses)


class Subscription:
    """An asynchronous iterator of Frame; made by ``AsyncClient.subscribe``."""

    def __init__(self, client: "AsyncClient", world_name: str, queue_size: int) -> None:
        if queue_size < 1:
            raise ValueError("queue_size must be at least 1")
        self._client = client
        self._frames: Deque[Frame] = deque()
        self._queue_size = queue_size
        self._arrived = asyncio.Event()
        self._finished = False
        self._error: Optional[ClothdError] = None
        self.world_name = world_name
        self.result: Dict[str, Any] = {}  # the reply of stream.subscribe
        self.server_stats: Dict[str, Any] = {}  # the newest `stats` notification
        self.figures = Figures()
        self.latest: Optional[Frame] = None
        self._world: Optional[WorldState] = None

    @property
    def world(self) -> WorldState:
        """Meshes (triangles, rest positions, pins …) and poses; there once a frame has come."""
        if self._world is None:
            raise ValueError("no frame has come yet")
        return self._world

    def __aiter__(self) -> "Subscription":
        return self

    async def __anext__(self) -> Frame:
        frame = await self.get()
        if frame is None:
            raise StopAsyncIteration
        return frame

    async def get(self, timeout: Optional[float] = None) -> Optional[Frame]:
        """The next frame; None after close(). Raises asyncio.TimeoutError, or what ended the connection."""
        while not self._frames:
            if self._finished:
                if self._error is not None:
                    raise self._error
                return None
            self._arrived.clear()
            await asyncio.wait_for(self._arrived.wait(), timeout)
        return self._frames.popleft()

    async def close(self) -> None:
        """Ends the stream of this world."""
        await self._client.unsubscribe(self)

    async def __aenter__(self) -> "Subscription":
        return self

    async def __aexit__(self, *_: Any) -> None:
        await self.close()

    def _take(self, update: Update, size: int, received: float) -> None:
        self.figures._count(update, size)
        self._world = update.world
        if not update.is_frame:
            return
        meshes = update.world.meshes
        positions = {mesh.name: mesh.positions for mesh in meshes.values() if mesh.positions is not None}
        poses = {meshes[number].name: pose for number, pose in update.world.poses.items() if number in meshes}
        self.latest = Frame(update.world.name, update.tick, update.server_us, positions, poses,
                            frozenset(update.positions) | frozenset(update.poses), update.cut, size, received)
        if len(self._frames) >= self._queue_size:
            self._frames.popleft()
            self.figures.dropped += 1
        self._frames.append(self.latest)
        self._arrived.set()

    def _finish(self, error: Optional[ClothdError]) -> None:
        self._finished = True
        self._error = error
        self._arrived.set()
