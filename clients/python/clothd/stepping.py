"""What a step answers with: the final state as arrays. Without input or output.

The server sends it as a binary message of segments with the flag ANSWER just before the reply;
the reply says what the segments are.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import codec
from .errors import ProtocolError
from .protocol import Pose, read_poses
from .values import UNSET, Unset, plain_of

#: A command within a step: its method and its params, or both as the protocol writes them.
Command = Union[Tuple[str, Mapping[str, Any]], Mapping[str, Any]]


@dataclass(frozen=True)
class State:
    """A world as a step left it.

    Attributes:
        tick: of the state.
        positions: float32 (n, 3) per cloth by name, metres, mesh order.
        velocities: float32 (n, 3) per cloth by name, m/s; empty unless they were asked for.
        poses: of every collider by name.
    """

    tick: int
    positions: Dict[str, np.ndarray] = field(default_factory=dict)
    velocities: Dict[str, np.ndarray] = field(default_factory=dict)
    poses: Dict[str, Pose] = field(default_factory=dict)


def is_answer(message: Any) -> bool:
    """Whether a binary message is such a state, and no part of a stream."""
    return len(message) >= codec.HEADER_BYTES and bool(memoryview(message).cast("B")[2] & codec.ANSWER)


def _read_cloth(segment: codec.Segment, cloth: Mapping[str, Any]) -> np.ndarray:
    count = int(cloth["vertex_count"])
    if segment.codec == codec.F32:
        if segment.count != count:
            raise ProtocolError(f"count is {segment.count}, but the reply says {count} vertices")
        return np.frombuffer(segment.payload, dtype="<f4").astype(np.float32).reshape(-1, 3)
    order = cloth.get("order")
    planes = codec.decode_cb32(segment, None, count=count, cols=int(cloth.get("cols") or 0))
    return codec.positions_of(planes, segment.step_exp, None if order is None else np.asarray(order, dtype=np.int64))


def _read(segments: Sequence[codec.Segment], told: Mapping[str, Any], tick: int) -> State:
    state = State(tick)
    cloths = {int(cloth["object"]): cloth for cloth in told["cloths"]}
    colliders = {int(collider["object"]): str(collider["collider"]) for collider in told["colliders"]}
    for segment in segments:
        if segment.world != int(told["world_index"]):
            continue
        if segment.type == codec.POSES:
            for number, pose in read_poses(segment):
                if number in colliders and pose is not None:
                    state.poses[colliders[number]] = pose
        elif segment.type in (codec.STATE, codec.VELOCITIES) and segment.object in cloths:
            cloth = cloths[segment.object]
            into = state.positions if segment.type == codec.STATE else state.velocities
            into[str(cloth["cloth"])] = _read_cloth(segment, cloth)
    return state


def attach(result: Dict[str, Any], message: Optional[bytes]) -> bool:
    """Puts a State in place of every ``state`` of a reply of world.step or server.step.

    Returns whether there was any. Raises ProtocolError when the message does not fit the reply.
    """
    parts = [part for part in [result, *result.get("worlds", ())]
             if isinstance(part, dict) and isinstance(part.get("state"), dict) and "world_index" in part["state"]]
    segments: List[codec.Segment] = codec.parse_segments(message) if message is not None and parts else []
    for part in parts:
        part["state"] = _read(segments, part["state"], int(part["tick"]))
    return bool(parts)


def commands_of(commands: Union[Sequence[Command], Unset]) -> Any:
    """Pairs (method, params) and mappings as the protocol writes them, without numpy."""
    if isinstance(commands, Unset):
        return commands
    out = []
    for command in commands:
        if isinstance(command, Mapping):
            out.append(plain_of(command))
        else:
            method, params = command
            out.append({"method": method, "params": plain_of(params)})
    return out


def wish_of(state: Union[bool, Sequence[str], Mapping[str, Any], Unset]) -> Any:
    """True: all of it; names: those cloths; a mapping as the protocol writes it; False: none."""
    if isinstance(state, Unset) or state is False:
        return UNSET
    if state is True:
        return {}
    if isinstance(state, Mapping):
        return plain_of(state)
    return {"cloths": [state] if isinstance(state, str) else list(state)}
