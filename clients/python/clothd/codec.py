"""Binary messages: segments, their headers, and the CB32 codec. Integers only, so that every
client gets the same bits; layout and arithmetic are PROTOCOL.md section 3."""

from __future__ import annotations

import struct
from typing import Any, List, NamedTuple, Optional, Tuple

import numpy as np

from .crc32c import crc32c
from .errors import ProtocolError

HEADER_BYTES = 48
POSE_BYTES = 32
STATE, TRIANGLES, REST, POSES, GRABS, VELOCITIES = 1, 2, 3, 4, 5, 6
ANSWER = 8  # a flag: of a reply, not of a stream
F32, CB32 = 0, 1
PREDICT_NONE, PREDICT_LEFT, PREDICT_2D = 0, 1, 2

_HEADER = struct.Struct("<BBBbHHIIIIIIiiiI")
_WIDTHS = np.array([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 18, 32], dtype=np.int64)
_BLOCK = 32
_TRIPLE_BYTES = 12


class Segment(NamedTuple):
    """One segment: the header's fields, flags taken apart, and the payload as a view."""

    type: int
    codec: int
    key: bool
    unchanged: bool
    cut: bool
    predictor: int
    step_exp: int
    world: int
    object: int
    epoch: int
    tick: int
    base_tick: int
    server_us: int
    count: int
    payload_bytes: int
    origin: Tuple[int, int, int]
    state_crc: int
    payload: memoryview
    answer: bool = False


def _expected_bytes(segment: Segment) -> Optional[int]:
    """Payload bytes that type and count ask for; None where any length may be right."""
    if segment.type in (STATE, POSES) and segment.unchanged:
        return 0
    if segment.type in (TRIANGLES, REST, VELOCITIES) or (segment.type == STATE and segment.codec == F32):
        return segment.count * _TRIPLE_BYTES
    if segment.type == POSES:
        return segment.count * POSE_BYTES
    return None


def parse_segments(message: Any) -> List[Segment]:
    """The segments of a binary message. Raises ProtocolError when one does not fit."""
    view = memoryview(message).cast("B")
    segments, offset = [], 0
    while offset < len(view):
        left = len(view) - offset - HEADER_BYTES
        if left < 0:
            raise ProtocolError(f"header at {offset} runs past the message of {len(view)} bytes")
        (kind, codec, flags, step_exp, world, index, epoch, tick, base_tick, server_us, count, payload_bytes, x, y, z,
         state_crc) = _HEADER.unpack_from(view, offset)
        if payload_bytes > left:
            raise ProtocolError(f"payload of {payload_bytes} bytes at {offset} runs past the message: {left} are left")
        start = offset + HEADER_BYTES
        segment = Segment(kind, codec, bool(flags & 1), bool(flags & 2), bool(flags & 4), flags >> 4 & 3, step_exp,
                          world, index, epoch, tick, base_tick, server_us, count, payload_bytes, (x, y, z), state_crc,
                          view[start:start + payload_bytes], bool(flags & ANSWER))
        expected = _expected_bytes(segment)
        if payload_bytes % 4 or (expected is not None and payload_bytes != expected):
            wanted = "a multiple of 4" if expected is None else expected
            raise ProtocolError(f"payload of {payload_bytes} bytes at {offset}, but {wanted} is what its type needs")
        segments.append(segment)
        offset = start + payload_bytes
    return segments


def state_crc(planes: np.ndarray) -> int:
    """``state_crc`` of q planes, shape (3, n): their int32 little-endian bytes, x then y then z."""
    return crc32c(np.ascontiguousarray(planes, dtype="<i4"))


def _read_table(segment: Segment, count: int) -> Tuple[np.ndarray, np.ndarray]:
    """Width codes (3, blocks) and the words behind the table, after checking that they agree."""
    blocks = -(-count // _BLOCK)
    table_bytes = -(-3 * blocks // 8) * 4
    payload = np.frombuffer(segment.payload, dtype=np.uint8)
    if payload.size % 4 or table_bytes > payload.size:
        raise ProtocolError(f"a width table of {table_bytes} bytes does not fit {payload.size}")
    table = payload[:table_bytes]
    codes = np.stack([table & 15, table >> 4], axis=1).reshape(-1)[:3 * blocks]
    words = np.frombuffer(segment.payload, dtype="<u4", offset=table_bytes) if payload.size > table_bytes \
        else np.zeros(0, dtype="<u4")
    total = int(_WIDTHS[codes].sum())
    if total != words.size:
        raise ProtocolError(f"the width table asks for {total} words, but {words.size} are there")
    return codes, words


def _unpack(codes: np.ndarray, words: np.ndarray) -> np.ndarray:
    """The residuals of every block, shape (blocks, 32), uint32 modulo 2^32."""
    widths = _WIDTHS[codes]
    starts = np.cumsum(widths) - widths
    z = np.zeros((codes.size, _BLOCK), dtype=np.uint32)
    for code in np.unique(codes):
        width = int(_WIDTHS[code])
        if width == 0:
            continue
        blocks = np.flatnonzero(codes == code)
        own = words[starts[blocks][:, None] + np.arange(width)].astype(np.uint64)
        bits = np.arange(_BLOCK) * width
        first = bits // 32
        second = np.minimum(first + 1, width - 1)  # not needed where it would be outside
        pair = own[:, first] | own[:, second] << np.uint64(32)
        mask = np.uint64((1 << width) - 1)
        z[blocks] = (pair >> (bits % 32).astype(np.uint64)) & mask
    return (z >> np.uint32(1)) ^ (np.uint32(0) - (z & np.uint32(1)))


def _add_up(residuals: np.ndarray, predictor: int, cols: int) -> np.ndarray:
    """Running sums modulo 2^32 of one axis' residuals."""
    count = residuals.size
    if predictor == PREDICT_NONE:
        return residuals
    if predictor == PREDICT_LEFT or cols >= count:
        return np.cumsum(residuals, dtype=np.uint32)
    rows = -(-count // cols)
    grid = np.zeros(rows * cols, dtype=np.uint32)
    grid[:count] = residuals
    grid = grid.reshape(rows, cols)
    np.cumsum(grid, axis=1, dtype=np.uint32, out=grid)
    np.cumsum(grid, axis=0, dtype=np.uint32, out=grid)
    return grid.reshape(-1)[:count]


def decode_cb32(segment: Segment, base: Optional[np.ndarray], *, count: int, cols: int) -> np.ndarray:
    """Decodes a CB32 STATE segment.

    Args:
        segment: of :func:`parse_segments`.
        base: q planes, int32 (3, n), that a delta builds on; not read for a key.
        count: vertices that ``mesh`` announced.
        cols: columns that ``mesh`` announced, 0 = none.

    Returns:
        q planes, int32 (3, n), payload order; a new array.

    Raises:
        ProtocolError: the segment does not fit the mesh, its own table or its ``state_crc``.
    """
    if segment.count != count:
        raise ProtocolError(f"count is {segment.count}, but the mesh has {count} vertices")
    if segment.predictor > PREDICT_2D or (segment.predictor == PREDICT_2D and cols <= 0):
        raise ProtocolError(f"predictor {segment.predictor} with {cols} columns")
    if not segment.key and base is None:
        raise ProtocolError("a delta without the state it builds on")
    codes, words = _read_table(segment, count)
    residuals = _unpack(codes, words).reshape(3, -1)[:, :count]
    planes = np.empty((3, count), dtype=np.uint32)
    for axis in range(3):
        planes[axis] = _add_up(residuals[axis], segment.predictor, cols) + np.uint32(segment.origin[axis] & 0xFFFFFFFF)
        if not segment.key:
            planes[axis] += base[axis].view(np.uint32)  # type: ignore[index]
    out = planes.view(np.int32)
    if (segment.key or segment.state_crc) and state_crc(out) != segment.state_crc:
        raise ProtocolError("state_crc differs from the decoded state")
    return out


def positions_of(planes: np.ndarray, step_exp: int, order: Optional[np.ndarray] = None) -> np.ndarray:
    """q planes (3, n) in payload order → positions float32 (n, 3) in metres, mesh order."""
    values = planes.T.astype(np.float32) * np.float32(2.0**step_exp)
    if order is None:
        return np.ascontiguousarray(values)
    out = np.empty_like(values)
    out[order] = values
    return out
