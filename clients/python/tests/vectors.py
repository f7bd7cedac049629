"""The golden frames of protocol/vectors, for the tests."""

import json
import pathlib
import struct

import numpy as np

FOLDER = pathlib.Path(__file__).resolve().parents[3] / "protocol" / "vectors"
VECTORS = {path.stem: json.loads(path.read_text()) for path in sorted(FOLDER.glob("*.json"))}
STATES = [vector for vector in VECTORS.values() if "q" in vector]
_OFFSETS = {"epoch": 8, "tick": 12, "base_tick": 16, "count": 24, "payload_bytes": 28, "state_crc": 44}


def segment_bytes(vector):
    return bytes.fromhex(vector["segment"])


def planes(lists):
    return None if lists is None else np.array(lists, dtype=np.int64).astype(np.int32)


def altered(vector, **fields):
    """The segment with header fields replaced."""
    data = bytearray(segment_bytes(vector))
    for name, value in fields.items():
        if name == "flags":
            data[2] = value
        elif name == "object":
            struct.pack_into("<H", data, 6, value)
        else:
            struct.pack_into("<I", data, _OFFSETS[name], value)
    return bytes(data)


def mesh_of(vector, **more):
    """``mesh`` params that fit a vector."""
    data = segment_bytes(vector)
    world, index, epoch = struct.unpack_from("<HHI", data, 4)
    return {"world": "main", "world_index": world, "object": index, "epoch": epoch, "name": "sheet", "kind": "cloth",
            "vertex_count": vector["count"], "triangle_count": vector["count"], "cols": vector.get("cols", 0),
            "order": None, **more}
