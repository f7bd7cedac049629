"""The asyncio client: commands as coroutines, subscriptions as asynchronous iterators."""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections import defaultdict
from typing import Any, Awaitable, Callable, Dict, List, Mapping, Optional, Sequence, Union

import numpy as np
import websockets
import websockets.exceptions

from .address import parse_address
from . import stepping
from .commands import Commands
from .errors import ClothdError, ConnectionClosed, ProtocolError
from .grab import AsyncGrab
from .protocol import FrameDecoder, Notification, Session, Update
from .subscription import Subscription
from .values import UNSET, Floats, Unset, Vertices

_MOST_MESSAGE_BYTES = 256 * 1024 * 1024
_KEY_AGAIN_S = 0.5

Listener = Callable[[Dict[str, Any]], None]


def triples_of(values: Sequence[Optional[float]]) -> np.ndarray:
    """A flat list of the server → float32 (n, 3), exact; null becomes NaN."""
    return np.array([np.nan if value is None else value for value in values], dtype=np.float32).reshape(-1, 3)


def edges_of(result: Mapping[str, Any]) -> Dict[str, np.ndarray]:
    """The reply of cloth.edges as arrays: edges (m, 2), color, rest, length, force (NaN: unknown)."""

    def floats(name: str) -> np.ndarray:
        return np.array([np.nan if value is None else value for value in result[name]], dtype=np.float32)

    return {"edges": np.array(result["edges"], dtype=np.uint32).reshape(-1, 2),
            "color": np.array(result["color"], dtype=np.uint32),
            "rest": floats("rest"), "length": floats("length"), "force": floats("force")}


class AsyncClient(Commands[Awaitable[Dict[str, Any]]]):
    """A connection to a server. Use as ``async with AsyncClient(url) as client``.

    Args:
        url: the link that the server prints, a ``ws://`` address, or ``host:port``.
        token: for servers that want one; a link's ``#token=…`` is understood too.
        world: the world that commands mean when they name none (the server's default: main).
        open_timeout: seconds until the connection must stand.

    Raises (anywhere): RpcError, ConnectionClosed, ProtocolError, all of them ClothdError.
    """

    def __init__(self, url: str, *, token: Optional[str] = None, world: Optional[str] = None,
                 open_timeout: float = 10.0) -> None:
        self._address = parse_address(url, token)
        self._open_timeout = open_timeout
        self._session = Session()
        self._decoder = FrameDecoder()
        self._pending: Dict[int, "asyncio.Future[Any]"] = {}
        self._listeners: Dict[str, List[Listener]] = defaultdict(list)
        self._subscriptions: Dict[str, Subscription] = {}
        self._key_asked: Dict[str, float] = {}
        self._answer: Optional[bytes] = None  # the state that the next reply is about
        self._socket: Any = None
        self._reader: Optional["asyncio.Task[None]"] = None
        self._end: Optional[ClothdError] = None
        self.world = world
        self.hello: Dict[str, Any] = {}

    async def __aenter__(self) -> "AsyncClient":
        await self.open()
        return self

    async def __aexit__(self, *_: Any) -> None:
        await self.close()

    async def open(self) -> Dict[str, Any]:
        """Connects; returns the server's ``hello``."""
        options: Dict[str, Any] = {"subprotocols": self._address.subprotocols, "max_size": _MOST_MESSAGE_BYTES,
                                   "compression": None, "open_timeout": self._open_timeout}
        if self._address.is_loopback and int(websockets.__version__.split(".")[0]) >= 15:
            options["proxy"] = None  # newer versions would ask the environment's proxy for it
        try:
            self._socket = await websockets.connect(self._address.url, **options)
            first = self._session.receive(await asyncio.wait_for(self._socket.recv(), self._open_timeout))
        except (OSError, asyncio.TimeoutError, websockets.exceptions.WebSocketException) as error:
            await self._abandon()
            raise ConnectionClosed(f"no connection to {self._address.url}: {_sentence(error)}", _code(error)) from None
        if not isinstance(first, Notification) or first.method != "hello":
            await self._abandon()
            raise ProtocolError("the server's first message is no hello")
        if "error" in first.params:
            await self._abandon()
            raise ConnectionClosed(f"the server refused: {first.params['error']}", 4406)
        self.hello = first.params
        self._reader = asyncio.ensure_future(self._read())
        return self.hello

    async def close(self) -> None:
        """Ends the connection; whoever waits gets ConnectionClosed."""
        if self._end is None:
            self._end = ConnectionClosed("closed here", 1000)
        await self._abandon()
        if self._reader is not None:
            await asyncio.gather(self._reader, return_exceptions=True)

    def on(self, method: str, listener: Listener) -> Callable[[], None]:
        """Calls listener with the params of every notification of that name (``event``, ``mesh``,
        ``status``, ``stats``, ``presence``), in order. Returns the function that ends it."""
        self._listeners[method].append(listener)
        return lambda: self._listeners[method].remove(listener)

    async def request(self, method: str, params: Mapping[str, Any]) -> Dict[str, Any]:
        """Sends any command as it is and returns its result."""
        self._check_open()
        number, text = self._session.request(method, params)
        future: "asyncio.Future[Any]" = asyncio.get_running_loop().create_future()
        self._pending[number] = future
        try:
            await self._send(text)
            return await future
        finally:
            self._pending.pop(number, None)

    async def notify(self, method: str, params: Mapping[str, Any]) -> None:
        """Sends a command that is not answered."""
        self._check_open()
        await self._send(self._session.notification(method, params))

    def _command(self, method: str, params: Dict[str, Any]) -> Awaitable[Dict[str, Any]]:
        given = {name: value for name, value in params.items() if value is not UNSET}
        if self.world is not None and "world" in params:
            given.setdefault("world", self.world)
        return self.request(method, given)

    async def positions(self, cloth: str, vertices: Union[Vertices, Unset] = UNSET, *,
                        world: Union[str, Unset] = UNSET) -> np.ndarray:
        """Positions in metres, exact: float32 (n, 3), in mesh order or in that of vertices."""
        return triples_of((await self.cloth_positions(cloth, vertices=vertices, world=world))["values"])

    async def velocities(self, cloth: str, vertices: Union[Vertices, Unset] = UNSET, *,
                         world: Union[str, Unset] = UNSET) -> np.ndarray:
        """Velocities in m/s, exact: float32 (n, 3), in mesh order or in that of vertices."""
        return triples_of((await self.cloth_velocities(cloth, vertices=vertices, world=world))["values"])

    async def edges(self, cloth: str, *, world: Union[str, Unset] = UNSET) -> Dict[str, np.ndarray]:
        """Edges as arrays: edges uint32 (m, 2), color, rest and length (m), force (N, NaN: unknown)."""
        return edges_of(await self.cloth_edges(cloth, world=world))

    async def step(self, ticks: Union[int, Unset] = UNSET, *, world: Union[str, Unset] = UNSET,  # type: ignore[override]
                   commands: Union[Sequence[stepping.Command], Unset] = UNSET,
                   state: Union[bool, Sequence[str], Mapping[str, Any]] = False) -> Dict[str, Any]:
        """Runs a paused world by some ticks and returns the reply.

        Args:
            ticks: how many; 1 to 100000; default 1.
            commands: applied before the first tick, all or none: pairs like
                ``("cloth.move", {"cloth": "flag", "vertices": [0], "offset": [0, 0.1, 0]})``; the reply's
                ``results`` are what they answered.
            state: True, or names of cloths: the reply's ``state`` is a State with numpy arrays; or a mapping of
                ``cloths``, ``codec`` and ``velocities``, see world_step.
        """
        return await self.world_step(ticks, world=world, commands=stepping.commands_of(commands),
                                     state=stepping.wish_of(state))

    async def save_log(self, path: Union[str, "os.PathLike[str]"], *,
                       world: Union[str, Unset] = UNSET) -> Dict[str, Any]:
        """Writes the command log of a world into a file, for ``clothd replay FILE``; returns it."""
        log = await self.world_log(world=world)
        with open(path, "w", encoding="utf-8") as file:
            json.dump(log, file, separators=(",", ":"))
        return log

    def grab(self, cloth: str, vertex: int, *, position: Union[Floats, Unset] = UNSET,
             compliance: Union[float, Unset] = UNSET, world: Union[str, Unset] = UNSET) -> AsyncGrab:
        """Takes hold of a vertex: ``async with client.grab(…) as grab: await grab.drag([0, 1, 0])``.

        Args: position (3, metres; where it is now), compliance (m/N; 0 = without lag), see cloth_grab.
        """
        return AsyncGrab(self, {"cloth": cloth, "vertex": vertex, "position": position, "compliance": compliance,
                                "world": world})

    async def subscribe(self, *, world: Union[str, Unset] = UNSET, cloths: Union[Sequence[str], Unset] = UNSET,
                        codec: Union[str, Unset] = UNSET, step_exp: Union[int, Unset] = UNSET,
                        max_hz: Union[float, Unset] = UNSET, queue_size: int = 8) -> Subscription:
        """Starts the stream of a world; see stream_subscribe for the parameters.

        Args:
            queue_size: frames kept for a reader that is late; then the oldest goes.

        Returns:
            An asynchronous iterator of Frame. A second one for the same world ends the first.
        """
        name = world if isinstance(world, str) else self.world or "main"
        former = self._subscriptions.pop(name, None)
        if former is not None:
            former._finish(ConnectionClosed("another subscription of the same world took over"))
        subscription = Subscription(self, name, queue_size)
        self._subscriptions[name] = subscription
        self._decoder.forget(name)
        try:
            subscription.result = await self.stream_subscribe(
                world=name, cloths=cloths, codec=codec, step_exp=step_exp, max_hz=max_hz)  # type: ignore[arg-type]
        except BaseException:
            if self._subscriptions.get(name) is subscription:
                del self._subscriptions[name]
            raise
        return subscription

    async def unsubscribe(self, subscription: Subscription) -> None:
        """Ends a subscription; its iteration ends."""
        if self._subscriptions.get(subscription.world_name) is not subscription:
            return
        del self._subscriptions[subscription.world_name]
        subscription._finish(None)
        if self._end is None:
            await self.stream_unsubscribe(world=subscription.world_name)
        self._decoder.forget(subscription.world_name)

    def _check_open(self) -> None:
        if self._end is not None:
            raise self._end
        if self._reader is None:
            raise ConnectionClosed("not connected: use `async with`, or call open()")

    async def _send(self, text: str) -> None:
        try:
            await self._socket.send(text)
        except websockets.exceptions.ConnectionClosed as error:
            raise self._end or ConnectionClosed(_sentence(error), _code(error)) from None

    async def _abandon(self) -> None:
        if self._socket is not None:
            await self._socket.close()

    async def _read(self) -> None:
        """Takes messages until the connection ends, then tells everyone who waits."""
        try:
            while True:
                message = await self._socket.recv()
                if isinstance(message, str):
                    self._take_text(message)
                else:
                    await self._take_binary(message)
        except websockets.exceptions.ConnectionClosed as error:
            self._end = self._end or ConnectionClosed(_sentence(error), _code(error))
        except ProtocolError as error:
            self._end = error
            await self._abandon()
        finally:
            end = self._end or ConnectionClosed("the reader was cancelled")
            self._end = end
            for future in self._pending.values():
                if not future.done():
                    future.set_exception(end)
            for subscription in self._subscriptions.values():
                subscription._finish(end)

    def _take_text(self, text: str) -> None:
        message = self._session.receive(text)
        if isinstance(message, Notification):
            if message.method == "mesh":
                self._decoder.mesh(message.params)
            elif message.method == "stats":
                self._take_stats(message.params)
            for listener in list(self._listeners[message.method]):
                listener(message.params)
            return
        if message.id is None and message.error is not None:
            raise ProtocolError(f"the server could not read a request: {message.error}")
        future = self._pending.get(message.id) if message.id is not None else None
        if future is None or future.done():
            return
        if message.error is not None:
            future.set_exception(message.error)
        else:
            if isinstance(message.result, dict) and stepping.attach(message.result, self._answer):
                self._answer = None
            future.set_result(message.result)

    def _take_stats(self, params: Mapping[str, Any]) -> None:
        subscription = self._subscriptions.get(str(params.get("world", "main")))
        if subscription is not None:
            subscription.server_stats = dict(params)

    async def _take_binary(self, message: bytes) -> None:
        received = time.monotonic()
        if stepping.is_answer(message):
            self._answer = message
            return
        for update in self._decoder.decode(message):
            subscription = self._subscriptions.get(update.world.name)
            if subscription is None:
                continue
            if update.lost:
                await self._ask_for_key(update)
            subscription._take(update, len(message), received)

    async def _ask_for_key(self, update: Update) -> None:
        now, name = time.monotonic(), update.world.name
        if now - self._key_asked.get(name, -_KEY_AGAIN_S) >= _KEY_AGAIN_S:
            self._key_asked[name] = now
            await self._send(self._session.notification("stream.key", {"world": name}))


def _code(error: BaseException) -> Optional[int]:
    """The close code or HTTP status that an error of websockets carries."""
    received = getattr(error, "rcvd", None)
    if received is not None:
        return int(received.code)
    response = getattr(error, "response", None)
    status = getattr(response, "status_code", getattr(error, "status_code", None))
    return int(status) if status is not None else None


def _sentence(error: BaseException) -> str:
    if isinstance(error, ConnectionRefusedError):
        return "nothing listens there; is the server running, and on this port?"
    body = getattr(getattr(error, "response", None), "body", None)
    if body:  # a refusal by HTTP: the server's own sentence
        return bytes(body).decode("utf-8", "replace").strip()
    return str(error) or type(error).__name__
