"""``python -m clothd watch``: a line a second on how a world's stream arrives."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from typing import Callable, Optional, Tuple

from .aio import AsyncClient
from .subscription import Figures, Subscription
from .values import UNSET, Unset

Print = Callable[[str], None]

HEADER = "     tick      Hz    KiB/s   keys  deltas  still  skipped  gaps  dropped  ping ms  age ms"


async def _ping(client: AsyncClient) -> Tuple[float, float]:
    """Round trip in ms, and the server's clock less ours in µs."""
    start = time.monotonic()
    server_us = (await client.server_ping())["server_us"]
    end = time.monotonic()
    return (end - start) * 1e3, server_us - (start + end) / 2 * 1e6


def _age_ms(subscription: Subscription, clock_us: float) -> float:
    """From the end of the newest frame's tick to its arrival here."""
    frame = subscription.latest
    if frame is None:
        return 0.0
    age = (frame.received * 1e6 + clock_us - frame.server_us) % 2**32
    return (age - 2**32 if age > 2**31 else age) / 1e3


def _line(subscription: Subscription, before: Figures, seconds: float, ping_ms: float, age_ms: float) -> str:
    now = subscription.figures
    skipped = subscription.server_stats.get("frames_skipped", 0)
    tick = subscription.latest.tick if subscription.latest else 0
    return (f"{tick:9d} {(now.frames - before.frames) / seconds:7.1f} "
            f"{(now.bytes - before.bytes) / seconds / 1024:8.1f} {now.keys - before.keys:6d} "
            f"{now.deltas - before.deltas:7d} {now.unchanged - before.unchanged:6d} {skipped:8d} {now.gaps:5d} "
            f"{now.dropped:8d} {ping_ms:8.2f} {age_ms:7.2f}")


async def watch(url: str, *, token: Optional[str] = None, world: Optional[str] = None, codec: str = "cb32",
                max_hz: Optional[float] = None, seconds: Optional[float] = None, frames: Optional[int] = None,
                interval: float = 1.0, out: Print = print) -> Figures:
    """Prints a line every `interval` seconds until `seconds` or `frames` are reached (None: for ever).

    Returns the figures of the whole time.
    """
    rate: "float | Unset" = UNSET if max_hz is None else max_hz
    async with AsyncClient(url, token=token, world=world) as client:
        # Frames are counted, not read: one is enough to keep.
        subscription = await client.subscribe(codec=codec, max_hz=rate, queue_size=64)
        ping_ms, clock_us = await _ping(client)
        out(f"world {subscription.world_name}, codec {codec}")
        out(HEADER)
        start = line_start = time.monotonic()
        before, seen = replace(subscription.figures), 0
        while (frames is None or seen < frames) and (seconds is None or time.monotonic() - start < seconds):
            wait = line_start + interval - time.monotonic()
            if seconds is not None:
                wait = min(wait, start + seconds - time.monotonic())
            try:
                frame = await subscription.get(max(wait, 0.0))
                if frame is None:
                    break
                seen += 1
            except asyncio.TimeoutError:
                pass
            now = time.monotonic()
            if now - line_start >= interval:
                ping_ms, clock_us = await _ping(client)
                out(_line(subscription, before, now - line_start, ping_ms, _age_ms(subscription, clock_us)))
                before, line_start = replace(subscription.figures), now
        now = time.monotonic()
        if subscription.figures.frames > before.frames and now > line_start:
            out(_line(subscription, before, now - line_start, ping_ms, _age_ms(subscription, clock_us)))
        figures = replace(subscription.figures)
        out(f"{figures.frames} frames, {figures.bytes} bytes in {now - start:.1f} s: {figures.keys} keys, "
            f"{figures.deltas} deltas, {figures.lost} lost, {figures.gaps} gaps")
        return figures
