"""CRC32C: published values, and every length against a bit-by-bit loop."""

import random

import numpy as np
import pytest
from clothd.crc32c import crc32c


def bit_by_bit(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def test_published_values():  # RFC 3720 appendix B.4
    assert crc32c(b"123456789") == 0xE3069283
    assert crc32c(bytes(32)) == 0x8A9136AA
    assert crc32c(b"\xff" * 32) == 0x62A8AB43
    assert crc32c(bytes(range(32))) == 0x46DD794E
    assert crc32c(b"") == 0


@pytest.mark.parametrize("lengths", [range(0, 40), range(250, 262), range(508, 520), (1023, 1024, 1025, 5000)])
def test_every_length_equals_the_loop(lengths):
    noise = random.Random(1)
    for length in lengths:
        data = bytes(noise.randrange(256) for _ in range(length))
        assert crc32c(data) == bit_by_bit(data), length


def test_parts_continue_the_whole():
    data = bytes(i * 37 % 256 for i in range(700))
    whole = crc32c(data)
    for cut in (0, 1, 3, 4, 5, 255, 256, 257, 699, 700):
        assert crc32c(data[cut:], crc32c(data[:cut])) == whole


def test_arrays_are_read_as_bytes():
    values = np.arange(100, dtype="<i4")
    assert crc32c(values) == bit_by_bit(values.tobytes())
