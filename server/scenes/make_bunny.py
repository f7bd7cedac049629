#!/usr/bin/env python3
"""Writes bunny.obj beside this script: a closed skin around blended ellipsoids.

The surface is where a sum of bumps, one an ellipsoid, is 1. A grid of cells is laid over
it; each cell that it crosses gives a vertex, each grid edge that it crosses a face of the
four cells around it. Then the vertices are evened out and put back onto the surface.
Standard library only.
"""
import math
import pathlib

CELL = 0.026  # m
SHARP = 3.2  # how closely the bumps keep to their ellipsoids where they meet
#        centre                radii                tilt about z, about x (rad)
BODY = [((0.00, 0.185, -0.02), (0.165, 0.180, 0.195), 0.0, 0.0),
        ((0.00, 0.300, 0.085), (0.110, 0.105, 0.115), 0.0, 0.0),  # breast
        ((0.00, 0.400, 0.125), (0.098, 0.092, 0.108), 0.0, 0.0),  # head
        ((0.00, 0.370, 0.200), (0.055, 0.048, 0.055), 0.0, 0.0),  # snout
        ((0.072, 0.555, 0.085), (0.044, 0.135, 0.036), -0.24, -0.22),  # ears
        ((-0.072, 0.555, 0.085), (0.044, 0.135, 0.036), 0.24, -0.22),
        ((0.105, 0.055, 0.105), (0.058, 0.052, 0.105), 0.0, 0.0),  # paws
        ((-0.105, 0.055, 0.105), (0.058, 0.052, 0.105), 0.0, 0.0),
        ((0.130, 0.100, -0.070), (0.085, 0.100, 0.120), 0.0, 0.0),  # haunches
        ((-0.130, 0.100, -0.070), (0.085, 0.100, 0.120), 0.0, 0.0),
        ((0.00, 0.135, -0.225), (0.066, 0.066, 0.066), 0.0, 0.0)]  # tail
LOW, HIGH = (-0.30, -0.05, -0.36), (0.30, 0.78, 0.36)


def value(p):
    """Above 1 inside."""
    total = 0.0
    for centre, radii, tilt_z, tilt_x in BODY:
        x, y, z = (p[k] - centre[k] for k in range(3))
        c, s = math.cos(tilt_z), math.sin(tilt_z)
        x, y = c * x + s * y, c * y - s * x
        c, s = math.cos(tilt_x), math.sin(tilt_x)
        y, z = c * y + s * z, c * z - s * y
        d = math.sqrt((x / radii[0]) ** 2 + (y / radii[1]) ** 2 + (z / radii[2]) ** 2)
        total += math.exp(SHARP * (1 - d))
    return total


def slope(p):
    step = 1e-4
    out = []
    for k in range(3):
        high, low = list(p), list(p)
        high[k] += step
        low[k] -= step
        out.append((value(high) - value(low)) / (2 * step))
    return out


def onto(p):
    """The point of the surface near p, along the slope."""
    for _ in range(4):
        g = slope(p)
        move = (1 - value(p)) / (sum(x * x for x in g) + 1e-9)
        p = [p[k] + move * g[k] for k in range(3)]
    return p


def cells():
    size = [int(math.ceil((HIGH[k] - LOW[k]) / CELL)) + 1 for k in range(3)]
    at = [[LOW[k] + CELL * i for i in range(size[k])] for k in range(3)]
    inside = {(i, j, k): value((at[0][i], at[1][j], at[2][k])) - 1
              for i in range(size[0]) for j in range(size[1]) for k in range(size[2])}
    vertices, number, faces = [], {}, []

    def vertex(cell):
        if cell not in number:
            crossings = []
            for axis in range(3):
                for a in range(2):
                    for b in range(2):
                        one = list(cell)
                        one[(axis + 1) % 3] += a
                        one[(axis + 2) % 3] += b
                        two = list(one)
                        two[axis] += 1
                        f, g = inside[tuple(one)], inside[tuple(two)]
                        if (f > 0) != (g > 0):
                            p = [at[k][one[k]] for k in range(3)]
                            p[axis] += CELL * f / (f - g)
                            crossings.append(p)
            number[cell] = len(vertices)
            vertices.append([sum(p[k] for p in crossings) / len(crossings) for k in range(3)])
        return number[cell]

    for corner, f in inside.items():
        for axis in range(3):
            other = list(corner)
            other[axis] += 1
            g = inside.get(tuple(other))
            if g is None or (f > 0) == (g > 0):
                continue
            u, v = (axis + 1) % 3, (axis + 2) % 3
            around = []
            for a, b in ((-1, -1), (0, -1), (0, 0), (-1, 0)):
                cell = list(corner)
                cell[u] += a
                cell[v] += b
                around.append(vertex(tuple(cell)))
            faces.append(around if f > 0 else around[::-1])
    return vertices, faces


def even_out(vertices, faces, times):
    beside = [set() for _ in vertices]
    for face in faces:
        for k in range(4):
            beside[face[k]].update((face[k - 1], face[(k + 1) % 4]))
    for _ in range(times):
        middles = [[sum(vertices[n][k] for n in sorted(near)) / len(near) for k in range(3)] for near in beside]
        vertices = [onto([0.5 * (v[k] + m[k]) for k in range(3)]) for v, m in zip(vertices, middles)]
    return vertices


def main():
    vertices, faces = cells()
    vertices = even_out(vertices, faces, 6)
    lowest = min(v[1] for v in vertices)
    lines = ["# clothd: a bunny of ellipsoids, made by make_bunny.py", "o bunny"]
    lines += [f"v {x:.5f} {y - lowest:.5f} {z:.5f}" for x, y, z in vertices]
    lines += ["f " + " ".join(str(v + 1) for v in face) for face in faces]
    pathlib.Path(__file__).with_name("bunny.obj").write_text("\n".join(lines) + "\n", encoding="ascii")
    high = max(v[1] for v in vertices) - lowest
    print(f"{len(vertices)} vertices, {len(faces)} quads, {high:.3f} m high")


if __name__ == "__main__":
    main()
