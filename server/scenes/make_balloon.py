#!/usr/bin/env python3
"""Writes balloon.obj beside this script: a closed skin, round above and drawn to a tip
below, of triangles of nearly one size (an icosahedron refined). Standard library only."""
import math
import pathlib

TIMES = 3  # each side of the icosahedron in 2^TIMES
RADIUS = 0.28  # m
TIP = 0.34  # how far the lower half is drawn out, of the radius


def icosahedron():
    g = (1 + math.sqrt(5)) / 2
    points = [(-1, g, 0), (1, g, 0), (-1, -g, 0), (1, -g, 0), (0, -1, g), (0, 1, g),
              (0, -1, -g), (0, 1, -g), (g, 0, -1), (g, 0, 1), (-g, 0, -1), (-g, 0, 1)]
    faces = [(0, 11, 5), (0, 5, 1), (0, 1, 7), (0, 7, 10), (0, 10, 11), (1, 5, 9), (5, 11, 4), (11, 10, 2),
             (10, 7, 6), (7, 1, 8), (3, 9, 4), (3, 4, 2), (3, 2, 6), (3, 6, 8), (3, 8, 9), (4, 9, 5),
             (2, 4, 11), (6, 2, 10), (8, 6, 7), (9, 8, 1)]
    # A corner upwards, so that the tip is one, too.
    turn = math.atan2(1, g)
    c, s = math.cos(turn), math.sin(turn)
    return [unit((c * x + s * y, c * y - s * x, z)) for x, y, z in points], faces


def unit(p):
    length = math.sqrt(sum(x * x for x in p))
    return tuple(x / length for x in p)


def refine(points, faces):
    middles, finer = {}, []

    def middle(a, b):
        key = (min(a, b), max(a, b))
        if key not in middles:
            middles[key] = len(points)
            points.append(unit(tuple(points[a][k] + points[b][k] for k in range(3))))
        return middles[key]

    for a, b, c in faces:
        ab, bc, ca = middle(a, b), middle(b, c), middle(c, a)
        finer += [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
    return finer


def shape(p):
    x, y, z = p
    low = max(0.0, -y)
    narrow = 1 - 0.12 * low * low
    return RADIUS * x * narrow, RADIUS * (y - TIP * low ** 4), RADIUS * z * narrow


def main():
    points, faces = icosahedron()
    for _ in range(TIMES):
        faces = refine(points, faces)
    lines = ["# A balloon's skin. Written by make_balloon.py."]
    lines += ["v %.5f %.5f %.5f" % shape(p) for p in points]
    lines += ["f %d %d %d" % tuple(v + 1 for v in face) for face in faces]
    pathlib.Path(__file__).with_name("balloon.obj").write_text("\n".join(lines) + "\n", encoding="ascii")


if __name__ == "__main__":
    main()
