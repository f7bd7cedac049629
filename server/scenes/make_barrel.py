#!/usr/bin/env python3
"""Writes barrel.obj and towel.obj beside this script.

barrel.obj: the inside of a drum, axis along z, with ribs along it and a hole around the
axle in each lid. Its faces look inward, so that a viewer sees into it from outside.
towel.obj: a sheet folded in half, with the fold as its rest shape. Standard library only.
"""
import math
import pathlib

RADIUS, LENGTH, HOLE = 0.5, 0.7, 0.04  # m
RIBS, RIB_HEIGHT, RIB_ANGLE = 4, 0.1, 0.2  # height m; half the width as an angle, rad
AROUND, ALONG, LID_RINGS = 96, 10, 6  # cells

WIDTH, DEPTH, ROWS, COLUMNS = 0.5, 0.9, 37, 21  # of the towel: m; vertices along and across
GAP = 0.03  # m between its two layers


def write(name, vertices, faces, says):
    lines = [f"# clothd: {says}, made by make_barrel.py", f"o {name}"]
    lines += [f"v {x:.6f} {y:.6f} {z:.6f}" for x, y, z in vertices]
    lines += ["f " + " ".join(str(v + 1) for v in face) for face in faces]
    pathlib.Path(__file__).with_name(f"{name}.obj").write_text("\n".join(lines) + "\n", encoding="ascii")


def rim(angle):
    """How far the wall is from the axle: the ribs are half waves."""
    part = 2 * math.pi / RIBS
    off = (angle + part / 2) % part - part / 2
    rib = math.cos(off / RIB_ANGLE * math.pi / 2) if abs(off) < RIB_ANGLE else 0.0
    return RADIUS - RIB_HEIGHT * rib


def barrel():
    vertices, faces = [], []
    # Rings from the hole of the front lid over the wall to the hole of the back lid.
    rings = [(k / LID_RINGS, LENGTH / 2) for k in range(LID_RINGS)]
    rings += [(1.0, LENGTH * (0.5 - k / ALONG)) for k in range(ALONG + 1)]
    rings += [(k / LID_RINGS, -LENGTH / 2) for k in reversed(range(LID_RINGS))]
    for part, z in rings:
        for k in range(AROUND):
            angle = 2 * math.pi * k / AROUND
            r = HOLE + (rim(angle) - HOLE) * part
            vertices.append((r * math.sin(angle), r * math.cos(angle), z))
    for ring in range(len(rings) - 1):
        for k in range(AROUND):
            a, b = ring * AROUND + k, ring * AROUND + (k + 1) % AROUND
            faces.append((a, a + AROUND, b + AROUND, b))
    write("barrel", vertices, faces, "the inside of a ribbed drum")


def towel():
    half = (DEPTH - math.pi * GAP / 2) / 2  # length of each layer beside the round fold
    vertices, faces = [], []
    for row in range(ROWS):
        s = DEPTH * row / (ROWS - 1)
        if s < half:
            x, y = half - s, GAP / 2
        elif s > DEPTH - half:
            x, y = s - (DEPTH - half), -GAP / 2
        else:
            turn = (s - half) / (GAP / 2)
            x, y = -GAP / 2 * math.sin(turn), GAP / 2 * math.cos(turn)
        for column in range(COLUMNS):
            vertices.append((x - half / 2, y, WIDTH * (column / (COLUMNS - 1) - 0.5)))
    for row in range(ROWS - 1):
        for column in range(COLUMNS - 1):
            a = row * COLUMNS + column
            faces.append((a, a + 1, a + COLUMNS + 1, a + COLUMNS))
    write("towel", vertices, faces, "a sheet folded in half")


if __name__ == "__main__":
    barrel()
    towel()
