"""The protocol without input or output: texts and messages in, texts and updates out.

:class:`Session` does the JSON-RPC bookkeeping, :class:`FrameDecoder` keeps what a subscriber
knows of meshes, positions and poses. Neither knows a socket or a clock.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Tuple, Union

import numpy as np

from . import codec
from .errors import ProtocolError, RpcError


class Notification(NamedTuple):
    """A message of the server that answers no request."""

    method: str
    params: Dict[str, Any]


class Reply(NamedTuple):
    """The answer to the request ``id`` (None: the server could not read which)."""

    id: Optional[int]
    result: Any
    error: Optional[RpcError]


class Session:
    """Request ids and the texts of JSON-RPC 2.0."""

    def __init__(self) -> None:
        self._next_id = 1

    def request(self, method: str, params: Mapping[str, Any]) -> Tuple[int, str]:
        """The id and the text of a request. Raises ValueError for NaN or infinity."""
        request_id = self._next_id
        self._next_id += 1
        return request_id, self._text({"jsonrpc": "2.0", "id": request_id, "method": method, "params": params})

    def notification(self, method: str, params: Mapping[str, Any]) -> str:
        """The text of a request that is not answered."""
        return self._text({"jsonrpc": "2.0", "method": method, "params": params})

    @staticmethod
    def _text(message: Mapping[str, Any]) -> str:
        return json.dumps(message, allow_nan=False, separators=(",", ":"))

    @staticmethod
    def receive(text: str) -> Union[Notification, Reply]:
        """What a text from the server is. Raises ProtocolError when it is neither."""
        try:
            message = json.loads(text)
        except ValueError as error:
            raise ProtocolError(f"a text message is no JSON: {error}") from None
        if not isinstance(message, dict):
            raise ProtocolError("a text message is no object")
        if isinstance(message.get("method"), str):
            return Notification(message["method"], message.get("params") or {})
        if isinstance(message.get("error"), dict):
            error = message["error"]
            return Reply(message.get("id"), None,
                         RpcError(int(error.get("code", 0)), str(error.get("message", "")), error.get("data")))
        if "result" not in message:
            raise ProtocolError("a text message is neither reply nor notification")
        return Reply(message.get("id"), message["result"], None)


@dataclass(frozen=True)
class Pose:
    """Where a collider is: position (3,) in metres, rotation (4,) = x, y, z, w; float32."""

    position: np.ndarray
    rotation: np.ndarray

    def matrix(self) -> np.ndarray:
        """The rotation as (3, 3), float64: world = matrix @ local + position."""
        x, y, z, w = (float(value) for value in self.rotation)
        return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                         [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                         [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])

    def place(self, points: np.ndarray) -> np.ndarray:
        """Points (n, 3) of its own frame in the world's: float32 (n, 3)."""
        return (np.asarray(points, dtype=float) @ self.matrix().T + self.position).astype(np.float32)


def read_poses(segment: codec.Segment) -> List[Tuple[int, Optional[Pose]]]:
    """The entries of a POSES segment: object index and pose, None where it is gone."""
    poses: List[Tuple[int, Optional[Pose]]] = []
    for start in range(0, len(segment.payload), codec.POSE_BYTES):
        entry = segment.payload[start:start + codec.POSE_BYTES]
        number, flags = np.frombuffer(entry, dtype="<u2", count=2).tolist()
        values = np.frombuffer(entry, dtype="<f4", offset=4).astype(np.float32)
        poses.append((number, None if flags & 1 else Pose(values[:3], values[3:])))
    return poses


@dataclass
class Mesh:
    """What is known of an object: the ``mesh`` notification, and topology once it has come."""

    params: Dict[str, Any]
    triangles: Optional[np.ndarray] = None  # uint32 (m, 3)
    rest: Optional[np.ndarray] = None  # float32 (n, 3), metres
    positions: Optional[np.ndarray] = None  # float32 (n, 3), the newest
    tick: Optional[int] = None
    _planes: Optional[np.ndarray] = field(default=None, repr=False)
    _order: Optional[np.ndarray] = field(default=None, repr=False)

    @property
    def name(self) -> str:
        return str(self.params["name"])

    @property
    def kind(self) -> str:
        return str(self.params["kind"])

    @property
    def epoch(self) -> int:
        return int(self.params["epoch"])

    @property
    def vertex_count(self) -> int:
        return int(self.params.get("vertex_count") or 0)

    @property
    def triangle_count(self) -> int:
        return int(self.params.get("triangle_count") or 0)


@dataclass
class WorldState:
    """A subscriber's picture of one world."""

    name: str
    index: int
    meshes: Dict[int, Mesh] = field(default_factory=dict)  # by object index
    poses: Dict[int, Pose] = field(default_factory=dict)  # by object index
    tick: Optional[int] = None
    poses_tick: Optional[int] = None

    def mesh(self, name: str, kind: Optional[str] = None) -> Mesh:
        """The cloth or collider of that name; kind ("cloth", "collider") where both have it. Raises KeyError."""
        for mesh in self.meshes.values():
            if mesh.name == name and kind in (None, mesh.kind):
                return mesh
        raise KeyError(name)

    def collider_vertices(self, name: str) -> np.ndarray:
        """A mesh collider's vertices where it is now: float32 (n, 3), metres, world frame.

        Its faces are ``mesh(name).triangles``; ``mesh(name).rest`` are the same vertices in its own
        frame. Raises KeyError for another collider than a mesh.
        """
        mesh = self.mesh(name, "collider")
        number = int(mesh.params["object"])
        if mesh.rest is None or number not in self.poses:
            raise KeyError(f"{name} has no vertices")
        return self.poses[number].place(mesh.rest)


@dataclass(frozen=True)
class Update:
    """What one binary message changed in one world.

    Attributes:
        positions: float32 (n, 3) per cloth whose positions came, by name.
        unchanged: cloths of which the message said that nothing moved.
        poses: colliders that moved.
        topology: objects whose triangles or rest positions came.
        keys, deltas: STATE segments of each sort.
        lost: why segments could not be used, a sentence each; a key is then needed.
        cut: do not interpolate towards this frame.
    """

    world: WorldState
    tick: int
    server_us: int
    positions: Dict[str, np.ndarray]
    unchanged: Tuple[str, ...]
    poses: Dict[str, Pose]
    topology: Tuple[str, ...]
    keys: int
    deltas: int
    lost: Tuple[str, ...]
    cut: bool

    @property
    def is_frame(self) -> bool:
        """Whether it carries a tick's state, not just topology."""
        return bool(self.keys or self.deltas or self.unchanged or self.poses or self.positions)


class _Changes:
    """An Update while it is being made."""

    def __init__(self) -> None:
        self.positions: Dict[str, np.ndarray] = {}
        self.unchanged: List[str] = []
        self.poses: Dict[str, Pose] = {}
        self.topology: List[str] = []
        self.keys = self.deltas = 0
        self.lost: List[str] = []
        self.cut = False


def _is_before(a: int, b: int) -> bool:
    """Whether epoch a came before b, modulo 2^32."""
    return (a - b) & 0xFFFFFFFF >= 0x80000000


class FrameDecoder:
    """The state of a subscriber. Feed it ``mesh`` notifications and binary messages in order."""

    def __init__(self) -> None:
        self.worlds: Dict[int, WorldState] = {}  # by the index that frames use

    def mesh(self, params: Mapping[str, Any]) -> None:
        """Takes the ``params`` of a ``mesh`` notification: an object appeared, changed or went."""
        index, number = int(params["world_index"]), int(params["object"])
        world = self.worlds.setdefault(index, WorldState(str(params["world"]), index))
        world.name = str(params["world"])
        if params.get("removed"):
            world.meshes.pop(number, None)
            world.poses.pop(number, None)
            return
        mesh = Mesh(dict(params))
        order = params.get("order")
        if order is not None:
            mesh._order = np.asarray(order, dtype=np.int64)
            if mesh._order.size != mesh.vertex_count or \
                    not np.array_equal(np.sort(mesh._order), np.arange(mesh.vertex_count)):
                raise ProtocolError(f"order of {mesh.name} is no order of its {mesh.vertex_count} vertices")
        known = world.meshes.get(number)
        if known is not None and known.epoch == mesh.epoch and known.vertex_count == mesh.vertex_count:
            # News about the same topology (pins, friction) keeps what was decoded.
            mesh.rest, mesh.positions = known.rest, known.positions
            if known.triangle_count == mesh.triangle_count:
                mesh.triangles = known.triangles
            mesh.tick, mesh._planes = known.tick, known._planes
        world.meshes[number] = mesh
        if mesh.kind == "collider" and "position" in params and number not in world.poses:
            world.poses[number] = Pose(np.asarray(params["position"], dtype=np.float32),
                                       np.asarray(params.get("rotation", (0, 0, 0, 1)), dtype=np.float32))

    def forget(self, name: Optional[str] = None) -> None:
        """Forgets a world by name, or all of them."""
        for index in [i for i, world in self.worlds.items() if name is None or world.name == name]:
            del self.worlds[index]

    def decode(self, message: Any) -> List[Update]:
        """Decodes one binary message: an update per world in it (one tick each).

        Raises ProtocolError when the message itself is broken; nothing is changed then. A
        segment that cannot be used is in ``update.lost``: send ``stream.key`` for its world.
        Segments of worlds that no ``mesh`` announced are passed over.
        """
        by_world: Dict[int, List[codec.Segment]] = {}
        for segment in codec.parse_segments(message):
            if segment.answer:
                continue  # the reply that follows says what it is
            by_world.setdefault(segment.world, []).append(segment)
        updates = []
        for index, segments in by_world.items():
            world = self.worlds.get(index)
            if world is None:
                continue
            changes = _Changes()
            for segment in segments:
                try:
                    self._decode_segment(segment, world, changes)
                except ProtocolError as error:
                    changes.lost.append(str(error))
            if any(segment.type in (codec.STATE, codec.POSES) for segment in segments):
                world.tick = segments[0].tick
            updates.append(Update(world, segments[0].tick, segments[0].server_us, changes.positions,
                                  tuple(changes.unchanged), changes.poses, tuple(changes.topology), changes.keys,
                                  changes.deltas, tuple(changes.lost), changes.cut))
        return updates

    def _decode_segment(self, segment: codec.Segment, world: WorldState, changes: _Changes) -> None:
        if segment.type == codec.POSES:
            self._decode_poses(segment, world, changes)
            return
        if segment.type not in (codec.STATE, codec.TRIANGLES, codec.REST):
            return
        mesh = world.meshes.get(segment.object)
        if mesh is None:
            raise ProtocolError(f"object {segment.object} was not announced")
        if _is_before(segment.epoch, mesh.epoch):
            return  # left over from before a reset
        if segment.epoch != mesh.epoch:
            raise ProtocolError(f"epoch is {segment.epoch}, but {mesh.epoch} was announced")
        if segment.type == codec.STATE:
            self._decode_state(segment, mesh, changes)
            return
        wanted = mesh.triangle_count if segment.type == codec.TRIANGLES else mesh.vertex_count
        if segment.count != wanted:
            raise ProtocolError(f"count is {segment.count}, but {wanted} was announced for {mesh.name}")
        if segment.type == codec.TRIANGLES:
            mesh.triangles = np.frombuffer(segment.payload, dtype="<u4").astype(np.uint32).reshape(-1, 3)
        else:
            mesh.rest = np.frombuffer(segment.payload, dtype="<f4").astype(np.float32).reshape(-1, 3)
        changes.topology.append(mesh.name)

    def _decode_state(self, segment: codec.Segment, mesh: Mesh, changes: _Changes) -> None:
        if segment.unchanged:
            if mesh.positions is None or mesh.tick != segment.base_tick:
                raise ProtocolError(f"unchanged since tick {segment.base_tick}, which is not here")
            mesh.tick = segment.tick
            changes.unchanged.append(mesh.name)
            return
        if segment.codec == codec.F32:
            if segment.count != mesh.vertex_count:
                raise ProtocolError(f"count is {segment.count}, but the mesh has {mesh.vertex_count} vertices")
            positions = np.frombuffer(segment.payload, dtype="<f4").astype(np.float32).reshape(-1, 3)
            mesh._planes = None
        elif segment.codec == codec.CB32:
            if not segment.key and (mesh._planes is None or mesh.tick != segment.base_tick):
                raise ProtocolError(f"a delta builds on tick {segment.base_tick}, which is not here")
            mesh._planes = codec.decode_cb32(segment, mesh._planes, count=mesh.vertex_count,
                                             cols=int(mesh.params.get("cols") or 0))
            positions = codec.positions_of(mesh._planes, segment.step_exp, mesh._order)
        else:
            raise ProtocolError(f"codec {segment.codec} is unknown")
        mesh.positions, mesh.tick = positions, segment.tick
        changes.positions[mesh.name] = positions
        changes.cut = changes.cut or segment.cut
        if segment.key:
            changes.keys += 1
        else:
            changes.deltas += 1

    def _decode_poses(self, segment: codec.Segment, world: WorldState, changes: _Changes) -> None:
        # Poses are absolute, but a delta names only what moved: a gap would lose the rest.
        follows = world.poses_tick is not None and segment.base_tick in (world.tick, world.poses_tick)
        if not segment.key and not follows:
            raise ProtocolError(f"poses build on tick {segment.base_tick}, which is not here")
        world.poses_tick = segment.tick
        for number, pose in read_poses(segment):
            if pose is None:
                world.poses.pop(number, None)
                continue
            world.poses[number] = pose
            mesh = world.meshes.get(number)
            if mesh is not None:
                changes.poses[mesh.name] = pose
