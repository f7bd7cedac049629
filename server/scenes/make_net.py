#!/usr/bin/env python3
"""Writes net.json beside this script: a square net of ropes without triangles, tied to
four bars, and balls that fall into it. Standard library only."""
import json
import pathlib

KNOTS, WIDTH, HEIGHT = 31, 2.1, 1.3  # knots along a side; m; m above the floor
KNOT_MASS = 0.004  # kg
SLACK = 1.06  # length of a rope to the way that it spans
FRAME = 0.03  # radius of the frame's bars, m
HALF_TURN = 0.7071067812

BALLS = [  # name, radius m, mass kg, position m
    ("ball", 0.12, 0.25, [-0.45, 2.0, 0.35]),
    ("cannonball", 0.14, 4.0, [0.30, 2.6, -0.25]),
    ("melon", 0.17, 1.5, [0.15, 3.6, 0.45]),
    ("orange", 0.09, 0.15, [-0.35, 3.2, -0.45]),
    ("apple", 0.09, 0.15, [0.0, 4.4, 0.0]),
]


def net():
    cell = WIDTH / (KNOTS - 1)
    start, rest, edges = [], [], []
    for j in range(KNOTS):
        for i in range(KNOTS):
            x, z = i * cell - WIDTH / 2, j * cell - WIDTH / 2
            start += [round(x, 4), HEIGHT, round(z, 4)]
            rest += [round(SLACK * x, 4), HEIGHT, round(SLACK * z, 4)]
            at = j * KNOTS + i
            if i + 1 < KNOTS:
                edges += [at, at + 1]
            if j + 1 < KNOTS:
                edges += [at, at + KNOTS]
    return {
        "cloth": "net",
        "mesh": {"positions": start, "rest_positions": rest, "edges": edges, "masses": [KNOT_MASS] * KNOTS**2},
        "stretch_compliance": 1e-6,
        "thickness": 0.006,
        "friction": 0.5,
        "attach": [
            {"collider": "bar_back", "vertices": [{"from": 0, "to": KNOTS - 1}]},
            {"collider": "bar_front", "vertices": [{"from": KNOTS * (KNOTS - 1), "to": KNOTS**2 - 1}]},
            {"collider": "bar_left", "vertices": [KNOTS * j for j in range(1, KNOTS - 1)]},
            {"collider": "bar_right", "vertices": [KNOTS * j + KNOTS - 1 for j in range(1, KNOTS - 1)]},
        ],
    }


def frame():
    bars = []
    for name, side, rotation in (
        ("bar_left", [-1, 0], [HALF_TURN, 0, 0, HALF_TURN]),
        ("bar_right", [1, 0], [HALF_TURN, 0, 0, HALF_TURN]),
        ("bar_back", [0, -1], [0, 0, HALF_TURN, HALF_TURN]),
        ("bar_front", [0, 1], [0, 0, HALF_TURN, HALF_TURN]),
    ):
        bars.append({
            "collider": name,
            "shape": {"type": "capsule", "radius": FRAME, "half_height": WIDTH / 2},
            "position": [side[0] * WIDTH / 2, HEIGHT, side[1] * WIDTH / 2],
            "rotation": rotation,
        })
    return bars


def main():
    balls = [{"collider": name, "shape": {"type": "sphere", "radius": radius}, "position": position,
              "motion": "dynamic", "mass": mass, "friction": 0.5} for name, radius, mass, position in BALLS]
    scene = {
        "title": "Net",
        "description": "Balls of 0.15 to 4 kg fall into a net of ropes that is tied to four bars. "
                       "Pull at a knot, drag a bar, or lift a ball out and let it drop.",
        "view": {"position": [2.2, 2.2, 3.0], "target": [0, 1.1, 0]},
        "world": {"drag": 0.3, "damping": 0.05, "solver": {"substeps": 18}},
        "cloths": [net()],
        "colliders": [*balls, *frame(), {"collider": "floor", "shape": {"type": "plane"}, "motion": "static"}],
    }
    path = pathlib.Path(__file__).with_name("net.json")
    path.write_text(json.dumps(scene, separators=(", ", ": ")).replace('"cloths"', '\n"cloths"')
                    .replace('{"collider"', '\n{"collider"') + "\n", encoding="ascii")


if __name__ == "__main__":
    main()
