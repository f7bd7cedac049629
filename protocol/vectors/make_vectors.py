#!/usr/bin/env python3
"""Writes the project's own golden frames, beside the independent ones.

An encoder of its own, written from PROTOCOL.md section 3 with Python's integers and
the standard library alone; it shares nothing with the C encoder, so that a common
misreading shows. Deterministic: `make_vectors.py --check` fails when a file differs
from what this script writes.
"""

import json
import pathlib
import struct
import sys

HERE = pathlib.Path(__file__).resolve().parent
WIDTHS = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 18, 32)
STATE, TRIANGLES, REST, POSES, VELOCITIES = 1, 2, 3, 4, 6
F32, CB32 = 0, 1
KEY, UNCHANGED, CUT, ANSWER = 1, 2, 4, 8
NONE, LEFT, TWO_DIMENSIONAL = 0, 1, 2
MASK = 0xFFFFFFFF

FIELDS = ("type", "codec", "flags", "step_exp", "world", "object", "epoch", "tick", "base_tick", "server_us",
          "count", "payload_bytes", "origin", "state_crc")


class Noise:
    """A linear congruential generator: the same numbers on every Python."""

    def __init__(self, seed):
        self.state = seed

    def below(self, limit):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % limit

    def signed(self, reach):
        return self.below(2 * reach + 1) - reach


def crc32c(data):
    """Bit by bit, as the polynomial says."""
    crc = MASK
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ MASK


def signed32(value):
    value &= MASK
    return value - 2**32 if value >> 31 else value


def state_crc(planes):
    return crc32c(b"".join(struct.pack("<%di" % len(plane), *plane) for plane in planes))


def make_header(payload, **given):
    header = {"type": STATE, "codec": CB32, "flags": 0, "predictor": NONE, "step_exp": -13, "world": 0, "object": 0,
              "epoch": 1, "tick": 0, "server_us": 0, "count": 0, "origin": [0, 0, 0], "state_crc": 0}
    header.update(given)
    header.setdefault("base_tick", header["tick"])
    header["payload_bytes"] = len(payload)
    return header


def pack_segment(header, payload):
    values = dict(header, flags=header["flags"] | header["predictor"] << 4)
    flat = []
    for field in FIELDS:
        value = values[field]
        flat += value if isinstance(value, list) else [value]
    return struct.pack("<BBBbHHIIIIIIiiiI", *flat) + payload


def residuals(d, predictor, cols):
    out = []
    for i, value in enumerate(d):
        left = d[i - 1] if i else 0
        if predictor == LEFT:
            value -= left
        elif predictor == TWO_DIMENSIONAL:
            row, column = divmod(i, cols)
            left = d[i - 1] if column else 0
            above = d[i - cols] if row else 0
            corner = d[i - cols - 1] if row and column else 0
            value = value - left - above + corner
        out.append(value & MASK)
    return out


def encode_cb32(q, base, origin, predictor, cols):
    """The payload: width table, then blocks of 32 zigzagged residuals."""
    count, codes, blocks = len(q[0]), [], b""
    for axis in range(3):
        d = [(q[axis][i] - (base[axis][i] if base else 0) - origin[axis]) & MASK for i in range(count)]
        z = [(r << 1 & MASK) ^ (MASK if r >> 31 else 0) for r in residuals(d, predictor, cols)]
        for start in range(0, count, 32):
            block = z[start:start + 32]
            bits = max(value.bit_length() for value in block)
            code = next(c for c, width in enumerate(WIDTHS) if width >= bits)
            codes.append(code)
            number = sum(value << (k * WIDTHS[code]) for k, value in enumerate(block))
            blocks += number.to_bytes(4 * WIDTHS[code], "little")
    table = sum(code << (4 * i) for i, code in enumerate(codes)).to_bytes((len(codes) + 7) // 8 * 4, "little")
    return table + blocks, sorted(set(codes))


def cb32_vector(name, note, q, base=None, cols=0, predictor=NONE, step_exp=-13, origin=None, crc=True, **given):
    if origin is None:
        origin = [plane[0] for plane in q] if base is None else [0, 0, 0]
    payload, codes = encode_cb32(q, base, origin, predictor, cols)
    given.setdefault("tick", 120)
    given.setdefault("base_tick", given["tick"] if base is None else given["tick"] - 1)
    header = make_header(payload, flags=(KEY if base is None else 0) | given.pop("flags", 0), predictor=predictor,
                         step_exp=step_exp, count=len(q[0]), origin=origin, state_crc=state_crc(q) if crc else 0,
                         **given)
    return {"name": name, "note": note, "count": len(q[0]), "cols": cols, "key": base is None,
            "predictor": predictor, "step_exp": step_exp, "width_codes": codes, "base": base, "q": q,
            "state_crc": state_crc(q), "header": header, "segment": pack_segment(header, payload).hex()}


def sheet(rows, cols, time):
    """A waving sheet in whole steps: integers only, so no library's sine is in it."""
    planes = [[], [], []]
    for row in range(rows):
        for column in range(cols):
            swing = (row * row * 3 + column * time * 5) % 97 - 48
            planes[0].append(column * 400 + swing)
            planes[1].append(row * row * 7 - time * (row + 2) * 3 + swing * column % 31)
            planes[2].append(row * 390 - (column * column + time * time) % 53)
    return planes


def wave(count, seed, reach):
    noise, planes = Noise(seed), []
    for axis in range(3):
        plane, value = [], 1000 * (axis + 1)
        for _ in range(count):
            value = signed32(value + noise.signed(reach))
            plane.append(value)
        planes.append(plane)
    return planes


def moved(planes, seed, reach, shift):
    noise = Noise(seed)
    return [[signed32(value + shift[axis] + noise.signed(reach)) for value in plane]
            for axis, plane in enumerate(planes)]


def cb32_vectors():
    noise = Noise(7)
    small, wide = sheet(7, 5, 3), sheet(13, 21, 4)
    cloth = wave(33, 11, 40)
    yield cb32_vector("own-key-none-33", "key, no predictor, origin is the first vertex", cloth)
    for count in (1, 2, 31, 32, 33, 63, 96, 100):
        base = wave(count, count, 300)
        yield cb32_vector("own-delta-left-%d" % count, "delta, left, n=%d" % count,
                          moved(base, count + 1, 4, [0, -3, 0]), base, predictor=LEFT, crc=count % 2 == 0)
    yield cb32_vector("own-delta-falling", "delta, no predictor, a common translation as origin",
                      moved(cloth, 5, 1, [0, -700, 12]), cloth, origin=[0, -700, 12])
    yield cb32_vector("own-delta-still", "delta in which nothing moves: a table of zeros", cloth, cloth, crc=False)
    yield cb32_vector("own-key-2d-ragged", "key, 2-D, 7 rows of 5", small, cols=5, predictor=TWO_DIMENSIONAL)
    yield cb32_vector("own-delta-2d-wide", "delta, 2-D, 13 rows of 21", sheet(13, 21, 5), wide, cols=21,
                      predictor=TWO_DIMENSIONAL)
    yield cb32_vector("own-delta-2d-column", "delta, 2-D, one column: left is always outside",
                      moved(cloth, 21, 9, [0, 0, 0]), cloth, cols=1, predictor=TWO_DIMENSIONAL)
    yield cb32_vector("own-delta-2d-row", "delta, 2-D, one row: above is always outside, cols more than n",
                      moved(cloth, 22, 9, [0, 0, 0]), cloth, cols=40, predictor=TWO_DIMENSIONAL)
    yield cb32_vector("own-key-grid-left", "key of a mesh with rows, predicted from the left all the same", small,
                      cols=5, predictor=LEFT)
    codes = [[], [], []]
    for axis in range(3):
        for code, width in enumerate(WIDTHS):
            largest = (1 << width) - 1
            block = [noise.below(largest + 1) for _ in range(32)]
            block[(code + axis) % 32] = largest
            codes[axis] += [signed32((z >> 1) ^ -(z & 1)) for z in block]
    yield cb32_vector("own-every-width", "every width code on every axis", codes, [[0] * 512] * 3, crc=True)
    edge = [[2**31 - 1, -2**31, 0, -1] * 10, [-2**31, 2**31 - 1] * 20, [0, 2**31 - 1] * 20]
    for predictor, word in ((NONE, "none"), (LEFT, "left"), (TWO_DIMENSIONAL, "2d")):
        yield cb32_vector("own-wrap-%s" % word, "delta that wraps around at both ends, predictor %s" % word,
                          edge, [plane[::-1] for plane in edge], cols=8, predictor=predictor,
                          origin=[2**31 - 1, -2**31, -1])
    yield cb32_vector("own-coarse-cut", "key with a coarser step that must not be interpolated",
                      wave(40, 9, 90000), predictor=LEFT, step_exp=-3, flags=CUT, tick=2**32 - 1)


def floats(values):
    return struct.pack("<%df" % len(values), *values)


def other(name, note, kind, header, payload, **expected):
    return dict({"name": name, "note": note, "type": kind, "count": header["count"], "header": header}, **expected,
                segment=pack_segment(header, payload).hex())


def other_vectors():
    rest = [0.0, 1.5, -2.25, 0.1, 1e-7, 3.0e8, -0.0, 0.333251953125, 2.0]
    rest = list(struct.unpack("<9f", floats(rest)))
    payload = floats(rest)
    yield other("own-rest", "REST: f32 x 3 per vertex", "rest",
                make_header(payload, type=REST, codec=F32, count=3, step_exp=0, object=3, epoch=2, tick=9), payload,
                values=rest)
    yield other("own-state-f32", "STATE as F32, a key", "state_f32",
                make_header(payload, type=STATE, codec=F32, flags=KEY, count=3, step_exp=0, object=3, tick=77),
                payload, values=rest)
    triangles = [0, 1, 2, 2, 1, 3, 4294967295, 70000, 5]
    payload = struct.pack("<9I", *triangles)
    yield other("own-triangles", "TRIANGLES: u32 x 3 per triangle", "triangles",
                make_header(payload, type=TRIANGLES, codec=F32, count=3, step_exp=0), payload, values=triangles)
    poses = [{"object": 1, "flags": 0, "position": [0.5, -1.25, 8.0], "rotation": [0.0, 0.0, 0.0, 1.0]},
             {"object": 65535, "flags": 1, "position": [0.0, 0.0, 0.0], "rotation": [0.5, -0.5, 0.5, 0.5]}]
    payload = b"".join(struct.pack("<HH7f", p["object"], p["flags"], *p["position"], *p["rotation"]) for p in poses)
    yield other("own-poses", "POSES: two colliders, the second removed", "poses",
                make_header(payload, type=POSES, codec=F32, flags=KEY, count=2, step_exp=0, tick=5), payload,
                poses=poses)
    yield other("own-poses-none", "POSES in which none moved: no payload", "poses",
                make_header(b"", type=POSES, codec=F32, step_exp=0, tick=6, base_tick=5), b"", poses=[])
    yield other("own-unchanged", "UNCHANGED: no payload, the tick goes on", "unchanged",
                make_header(b"", flags=UNCHANGED, count=441, tick=180, base_tick=120), b"")
    extremes = make_header(b"", type=1, codec=1, flags=KEY | CUT | UNCHANGED, predictor=1, step_exp=-128, world=65535,
                           object=65534, epoch=4294967295, tick=4294967294, base_tick=2147483648,
                           server_us=4026531840, count=16909060, origin=[-2147483648, 2147483647, -1],
                           state_crc=3735928559)
    yield other("own-header", "every header field at an extreme, no two bytes swappable", "header", extremes, b"")


def message_vector():
    """One tick of a world: a key, a delta, an unknown type to be skipped, poses."""
    by_name = {vector["name"]: vector for vector in cb32_vectors()}
    parts = [by_name["own-key-2d-ragged"], by_name["own-delta-falling"]]
    unknown = make_header(b"\x01\x02\x03\x04\x05\x06\x07\x08", type=200, codec=9, count=3, tick=120)
    unknown_bytes = pack_segment(unknown, b"\x01\x02\x03\x04\x05\x06\x07\x08")
    poses = next(vector for vector in other_vectors() if vector["name"] == "own-poses")
    segments = [parts[0]["segment"], parts[1]["segment"], unknown_bytes.hex(), poses["segment"]]
    headers = [parts[0]["header"], parts[1]["header"], unknown, poses["header"]]
    return {"name": "own-message", "note": "four segments: a key, a delta, an unknown type, poses",
            "type": "message", "headers": headers, "segments": [len(s) // 2 for s in segments],
            "message": "".join(segments)}


def answer_vector():
    """What comes before the reply of a world.step with state: exact floats, velocities, poses."""
    place = {"world": 2, "epoch": 4, "tick": 30, "step_exp": 0, "codec": F32, "flags": KEY | ANSWER}
    positions, velocities = [0.5, -1.25, 3.0, 1.0, 2.0, 0.1], [0.0, -9.75, 0.0, 1e-7, 0.0, 2.0]
    pose = {"object": 5, "flags": 0, "position": [0.5, -1.25, 8.0], "rotation": [0.0, 0.0, 0.0, 1.0]}
    payloads = [floats(positions), floats(velocities),
                struct.pack("<HH7f", pose["object"], pose["flags"], *pose["position"], *pose["rotation"])]
    headers = [make_header(payloads[0], type=STATE, object=3, count=2, **place),
               make_header(payloads[1], type=VELOCITIES, object=3, count=2, **place),
               make_header(payloads[2], type=POSES, object=0, count=1, **place)]
    segments = [pack_segment(header, payload).hex() for header, payload in zip(headers, payloads)]
    reply = {"tick": 30, "state_hash": "0123456789abcdef",
             "state": {"world_index": 2, "epoch": 4, "cloths": [{"object": 3, "cloth": "flag", "vertex_count": 2}],
                       "colliders": [{"object": 5, "collider": "ball"}]}}
    return {"name": "own-answer", "note": "the state that a world.step answers with, and its reply",
            "type": "message", "headers": headers, "segments": [len(s) // 2 for s in segments],
            "message": "".join(segments), "reply": reply, "positions": list(struct.unpack("<6f", payloads[0])),
            "velocities": list(struct.unpack("<6f", payloads[1])), "poses": [pose]}


def main(arguments):
    stale = []
    for vector in list(cb32_vectors()) + list(other_vectors()) + [message_vector(), answer_vector()]:
        path, text = HERE / (vector["name"] + ".json"), json.dumps(vector) + "\n"
        if "--check" in arguments:
            if not path.exists() or path.read_text() != text:
                stale.append(path.name)
        else:
            path.write_text(text)
    if stale:
        print("differ from what make_vectors.py writes: " + ", ".join(stale))
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
