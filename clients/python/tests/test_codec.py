"""The codec: golden frames to the bit, and bytes that lie."""

import random
import struct
import subprocess
import sys

import numpy as np
import pytest
from clothd import codec
from clothd.errors import ProtocolError
from vectors import FOLDER, STATES, VECTORS, altered, planes, segment_bytes

names = pytest.mark.parametrize("vector", STATES, ids=lambda vector: vector["name"])


def decode(data, vector):
    (segment,) = codec.parse_segments(data)
    return codec.decode_cb32(segment, planes(vector["base"]), count=vector["count"], cols=vector["cols"])


def test_there_are_golden_frames():
    assert len(STATES) >= 17


@names
def test_golden_frame_decodes_to_the_bit(vector):
    q = decode(segment_bytes(vector), vector)
    assert q.dtype == np.int32
    assert np.array_equal(q, planes(vector["q"]))
    assert codec.state_crc(q) == vector["state_crc"]


@names
def test_every_truncation_is_refused(vector):
    whole = segment_bytes(vector)
    for length in range(1, len(whole)):
        data = bytearray(whole[:length])
        with pytest.raises(ProtocolError):
            decode(data, vector)
        if length >= codec.HEADER_BYTES:
            struct.pack_into("<I", data, 28, length - codec.HEADER_BYTES)
            with pytest.raises(ProtocolError):
                decode(data, vector)


@names
def test_mutated_bytes_raise_protocol_error_or_decode(vector):
    noise = random.Random(vector["name"])
    for _ in range(30):
        data = bytearray(segment_bytes(vector))
        for _ in range(noise.randint(1, 5)):
            data[noise.randrange(len(data))] = noise.randrange(256)
        try:
            for segment in codec.parse_segments(data):
                if segment.type == codec.STATE and segment.codec == codec.CB32 and not segment.unchanged:
                    base = planes(vector["base"])
                    codec.decode_cb32(segment, base, count=vector["count"], cols=vector["cols"])
        except ProtocolError:
            pass


def test_words_too_many_are_refused():
    vector = VECTORS["worked-example"]
    data = altered(vector, payload_bytes=len(segment_bytes(vector)) - 48 + 4) + bytes(4)
    with pytest.raises(ProtocolError, match="words"):
        decode(data, vector)


def test_count_predictor_base_and_crc_are_checked():
    key = VECTORS["grid21-key-2d"]
    for data, vector, sentence in [
        (altered(key, count=440), key, "count is 440"),
        (altered(key, flags=1 | 3 << 4), key, "predictor 3"),
        (segment_bytes(key), dict(key, cols=0), "predictor 2 with 0 columns"),
        (altered(key, state_crc=0), key, "state_crc"),
        (segment_bytes(VECTORS["worked-example"]), dict(VECTORS["worked-example"], base=None), "without the state"),
    ]:
        with pytest.raises(ProtocolError, match=sentence):
            decode(data, vector)


def header_of(segment):
    return {"type": segment.type, "codec": segment.codec,
            "flags": segment.key | segment.unchanged << 1 | segment.cut << 2 | segment.answer << 3, "predictor": segment.predictor,
            "step_exp": segment.step_exp, "world": segment.world, "object": segment.object, "epoch": segment.epoch,
            "tick": segment.tick, "base_tick": segment.base_tick, "server_us": segment.server_us,
            "count": segment.count, "payload_bytes": segment.payload_bytes, "origin": list(segment.origin),
            "state_crc": segment.state_crc}


def test_golden_headers_are_read_field_by_field():
    with_header = [vector for vector in VECTORS.values() if "header" in vector]
    assert len(with_header) >= 20
    for vector in with_header:
        assert header_of(codec.parse_segments(segment_bytes(vector))[0]) == vector["header"], vector["name"]


def test_a_message_is_walked_segment_by_segment():
    vector = VECTORS["own-message"]
    whole = bytes.fromhex(vector["message"])
    segments = codec.parse_segments(whole)
    assert [header_of(segment) for segment in segments] == vector["headers"]
    ends = set(np.cumsum(vector["segments"]).tolist())
    for length in range(1, len(whole)):
        if length in ends:
            codec.parse_segments(whole[:length])
        else:
            with pytest.raises(ProtocolError):
                codec.parse_segments(whole[:length])


@pytest.mark.parametrize("name", ["own-rest", "own-triangles", "own-poses", "own-state-f32", "own-unchanged"])
def test_other_types_refuse_every_truncation_and_other_counts(name):
    whole = segment_bytes(VECTORS[name])
    for length in range(1, len(whole)):
        data = bytearray(whole[:length])
        with pytest.raises(ProtocolError):
            codec.parse_segments(data)
        if length >= 48:
            struct.pack_into("<I", data, 28, length - 48)
            with pytest.raises(ProtocolError):
                codec.parse_segments(data)
    if name != "own-unchanged":
        with pytest.raises(ProtocolError, match="payload of"):
            codec.parse_segments(altered(VECTORS[name], count=4))


def test_positions_are_steps_in_mesh_order():
    q = np.array([[1, 2, 3], [-4, 5, 6], [7, -8, 2**24 - 1]], dtype=np.int32)
    order = np.array([2, 0, 1])
    step = 2.0**-13
    positions = codec.positions_of(q, -13, order)
    assert positions.dtype == np.float32 and positions.shape == (3, 3)
    for i in range(3):
        assert positions[order[i]].tolist() == [float(q[axis][i]) * step for axis in range(3)]  # exact: |q| < 2^24
    assert np.array_equal(codec.positions_of(q, -13), q.T.astype(np.float64) * step)


def test_own_vectors_are_what_their_generator_writes():
    done = subprocess.run([sys.executable, str(FOLDER / "make_vectors.py"), "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
