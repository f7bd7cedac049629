#!/usr/bin/env python3
"""Writes dress.obj beside this script: a truncated cone, open at neck and hem.

The sheet is rolled up, not joined: the `v` lines along its seam occur twice, as in a
garment sewn from one piece. The import gate welds them. Standard library only.
"""
import math
import pathlib

RINGS, AROUND = 45, 48  # rows of vertices; cells around
NECK, HEM = 0.085, 0.5  # radii, m
TOP, BOTTOM = 1.74, 0.76  # heights, m


def main():
    lines = [
        "# clothd: a dress, made by make_dress.py",
        f"# {RINGS} rings of {AROUND} cells; the seam's {RINGS} vertices are there twice",
        "o dress",
    ]
    for ring in range(RINGS):
        part = ring / (RINGS - 1)
        radius = NECK + (HEM - NECK) * part
        height = TOP + (BOTTOM - TOP) * part
        for column in range(AROUND + 1):
            # The last column repeats the first one's numbers exactly.
            angle = 2 * math.pi * (column % AROUND) / AROUND
            x, z = radius * math.sin(angle), -radius * math.cos(angle)
            lines.append(f"v {x:.6f} {height:.6f} {z:.6f}")
    columns = AROUND + 1
    for ring in range(RINGS - 1):
        for column in range(AROUND):
            a = ring * columns + column + 1
            lines.append(f"f {a} {a + 1} {a + columns + 1} {a + columns}")
    pathlib.Path(__file__).with_name("dress.obj").write_text("\n".join(lines) + "\n", encoding="ascii")


if __name__ == "__main__":
    main()
