"""Client of clothd, the networked cloth-simulation server.

    with clothd.connect("127.0.0.1:8080") as client:
        client.pause()
        client.pin("flag", [0, 20])
        client.step(60)
        print(client.positions("flag"))  # float32 (n, 3)

Blocking client: :func:`connect`. asyncio: :class:`clothd.aio.AsyncClient`. Without a socket:
:mod:`clothd.protocol` and :mod:`clothd.codec`.
"""

from .client import Client, Stream, connect
from .errors import ClothdError, ConnectionClosed, ProtocolError, RpcError
from .grab import Grab
from .protocol import Mesh, Pose, WorldState
from .stepping import State
from .subscription import Figures, Frame
from .values import UNSET

__version__ = "0.1.0"
__all__ = ["Client", "ClothdError", "ConnectionClosed", "Figures", "Frame", "Grab", "Mesh", "Pose", "ProtocolError",
           "RpcError", "State", "Stream", "UNSET", "WorldState", "connect"]
