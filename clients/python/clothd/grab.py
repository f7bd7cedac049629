"""A hand on a vertex: grabbed, dragged, and released however the block ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Awaitable, Dict, Generator, Generic, Optional, TypeVar

from .errors import RpcError
from .values import UNSET, Floats

if TYPE_CHECKING:
    from .aio import AsyncClient
    from .client import Client

AnyClient = TypeVar("AnyClient")


class _Held(Generic[AnyClient]):
    """What both sorts of grab know."""

    def __init__(self, client: AnyClient, params: Dict[str, Any]) -> None:
        self._client = client
        # Of the world that is meant now, whatever the client's own becomes later.
        world = params["world"] if params["world"] is not UNSET else getattr(client, "world", None)
        self._world = {} if world is None else {"world": world}
        self._params = {**params, **self._world}
        #: The grab's number; None before it is held and after its release.
        self.number: Optional[int] = None

    def _held(self) -> int:
        if self.number is None:
            raise ValueError("this grab is not held")
        return self.number


class AsyncGrab(_Held["AsyncClient"]):
    """Made by ``AsyncClient.grab``: ``async with client.grab(…) as grab``, or ``grab = await client.grab(…)``."""

    async def _hold(self) -> "AsyncGrab":
        if self.number is None:
            self.number = (await self._client.cloth_grab(**self._params))["grab"]
        return self

    def __await__(self) -> Generator[Any, None, "AsyncGrab"]:
        return self._hold().__await__()

    async def __aenter__(self) -> "AsyncGrab":
        return await self._hold()

    async def __aexit__(self, *_: Any) -> None:
        await self.release()

    def drag(self, position: Floats) -> Awaitable[Dict[str, Any]]:
        """Draws the vertex to position (3, metres) from now on."""
        return self._client.cloth_drag(self._held(), position, **self._world)

    async def release(self) -> None:
        """Lets go. A grab that has ended already (its cloth is gone, a reset) is no error."""
        if self.number is None:
            return
        number, self.number = self.number, None
        try:
            await self._client.cloth_release(number, **self._world)
        except RpcError as error:
            if error.reason != "not_found":
                raise


class Grab(_Held["Client"]):
    """Made by ``Client.grab``; held from then on. ``with client.grab(…) as grab`` releases it at the end."""

    def __init__(self, client: "Client", params: Dict[str, Any]) -> None:
        super().__init__(client, params)
        self.number = client.cloth_grab(**self._params)["grab"]

    def __enter__(self) -> "Grab":
        return self

    def __exit__(self, *_: Any) -> None:
        self.release()

    def drag(self, position: Floats) -> Dict[str, Any]:
        """Draws the vertex to position (3, metres) from now on."""
        return self._client.cloth_drag(self._held(), position, **self._world)

    def release(self) -> None:
        """Lets go. A grab that has ended already (its cloth is gone, a reset) is no error."""
        if self.number is None:
            return
        number, self.number = self.number, None
        try:
            self._client.cloth_release(number, **self._world)
        except RpcError as error:
            if error.reason != "not_found":
                raise
