#!/usr/bin/env python3
"""Writes curtain.obj beside this script: a pleated curtain that hangs down from y = 0.

Its rest shape has the pleats, so the bending constraints keep them. Vertex j*97+i is
column i of row j, row 0 on top; crests are columns 2, 10, 18, ... Standard library only.
"""
import math
import pathlib

PLEATS, CELLS, ROWS = 12, 8, 37  # waves; cells per wave; rows of vertices
WIDTH, HEIGHT, DEPTH = 2.2, 1.9, 0.045  # m; DEPTH: amplitude of the waves


def main():
    columns = PLEATS * CELLS + 1
    lines = ["# clothd: a curtain, made by make_curtain.py", "o curtain"]
    for row in range(ROWS):
        for column in range(columns):
            x = WIDTH * (column / (columns - 1) - 0.5)
            y = -HEIGHT * row / (ROWS - 1)
            z = DEPTH * math.sin(2 * math.pi * (column % CELLS) / CELLS)
            lines.append(f"v {x:.6f} {y:.6f} {z:.6f}")
    for row in range(ROWS - 1):
        for column in range(columns - 1):
            a = row * columns + column + 1
            lines.append(f"f {a} {a + columns} {a + columns + 1} {a + 1}")
    pathlib.Path(__file__).with_name("curtain.obj").write_text("\n".join(lines) + "\n", encoding="ascii")


if __name__ == "__main__":
    main()
