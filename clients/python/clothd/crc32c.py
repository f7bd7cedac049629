"""CRC32C (Castagnoli) with numpy: many lanes at once, then joined.

A CRC register is linear over GF(2): the register after ``A`` and ``B`` is the one after
``A`` carried over ``len(B)`` zero bytes, xor the one that ``B`` alone leaves. So the data is
cut into lanes of equal length that are computed side by side, and neighbours are joined
pair by pair. Zeros in front change nothing, which makes any length fit.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

_POLYNOMIAL = 0x82F63B78
_MASK = 0xFFFFFFFF
_LANE_WORDS = 64  # a power of two, so that joining needs only shifts by powers of two
_LANE_SHIFT = 8  # 2^8 bytes = 64 words


def _byte_table() -> np.ndarray:
    table = np.arange(256, dtype=np.uint32)
    for _ in range(8):
        table = (table >> np.uint32(1)) ^ np.where(table & np.uint32(1), np.uint32(_POLYNOMIAL), np.uint32(0))
    return table


_TABLE = _byte_table()


def _apply(tables: np.ndarray, register: np.ndarray) -> np.ndarray:
    """A linear map of registers, given by one table for each of their four bytes."""
    low, high = np.uint32(0xFF), np.uint32(8)
    out = tables[0][register & low]
    for place in range(1, 4):
        out = out ^ tables[place][(register >> (high * np.uint32(place))) & low]
    return out


@functools.lru_cache(maxsize=None)
def _carry(power: int) -> np.ndarray:
    """Tables that carry a register over 2^power zero bytes; shape (4, 256)."""
    if power == 0:
        byte = np.arange(256, dtype=np.uint32)
        tables = [_TABLE] + [byte << np.uint32(8 * (place - 1)) for place in range(1, 4)]
        return np.stack(tables)
    half = _carry(power - 1)
    return np.stack([_apply(half, row) for row in half])


def crc32c(data: Any, crc: int = 0) -> int:
    """CRC32C of bytes (anything with a buffer), continued from ``crc`` (0 at first)."""
    values = np.frombuffer(data, dtype=np.uint8)
    register = ~crc & _MASK
    if values.size < 4:
        for byte in values.tolist():
            register = int(_TABLE[(register ^ byte) & 0xFF]) ^ register >> 8
        return ~register & _MASK

    # The register before the first byte acts as an xor on the first four bytes.
    words = -(-values.size // 4)
    lanes = 1
    while lanes * _LANE_WORDS < words:
        lanes *= 2
    padded = np.zeros(lanes * _LANE_WORDS * 4, dtype=np.uint8)
    padded[-values.size:] = values
    head = np.frombuffer(register.to_bytes(4, "little"), dtype=np.uint8)
    start = padded.size - values.size
    padded[start:start + 4] ^= head

    columns = padded.view("<u4").astype(np.uint32, copy=False).reshape(lanes, _LANE_WORDS)
    over_word = _carry(2)
    registers = np.zeros(lanes, dtype=np.uint32)
    for column in range(_LANE_WORDS):
        registers = _apply(over_word, registers ^ columns[:, column])
    power = _LANE_SHIFT
    while registers.size > 1:
        registers = _apply(_carry(power), registers[0::2]) ^ registers[1::2]
        power += 1
    return ~int(registers[0]) & _MASK
