"""Own data in a minute: a mesh file of each kind is hung by its highest vertices, and a scene
file finds the meshes beside it."""

import json
import math
import struct

import clothd
import numpy as np
import pytest

AROUND, UP = 24, 16
RADIUS, HEIGHT = 0.25, 0.7


def tube(scale: float):
    """A shirt's body: (n, 3) vertices with its seam twice, and quads; the last row is the highest."""
    vertices = [(scale * RADIUS * math.cos(2 * math.pi * i / AROUND), scale * HEIGHT * j / UP,
                 scale * RADIUS * math.sin(2 * math.pi * i / AROUND)) for j in range(UP + 1) for i in range(AROUND + 1)]
    row = AROUND + 1
    quads = [(j * row + i, (j + 1) * row + i, (j + 1) * row + i + 1, j * row + i + 1)
             for j in range(UP) for i in range(AROUND)]
    return np.array(vertices, dtype=np.float32), quads


def triangles_of(quads):
    return [corner for a, b, c, d in quads for corner in ((a, b, c), (a, c, d))]


def write_obj(path, vertices, quads):
    lines = ["o shirt"] + ["v %.9g %.9g %.9g" % tuple(v) for v in vertices] + ["vt 0 0", "s 1"]
    path.write_text("\n".join(lines + ["f " + " ".join(f"{i + 1}/1" for i in quad) for quad in quads]) + "\n")


def write_ply(path, vertices, quads):
    head = ["ply", "format ascii 1.0", f"element vertex {len(vertices)}", "property float x", "property float y",
            "property float z", f"element face {len(quads)}", "property list uchar int vertex_indices", "end_header"]
    path.write_text("\n".join(head + ["%.9g %.9g %.9g" % tuple(v) for v in vertices]
                              + ["4 %d %d %d %d" % quad for quad in quads]) + "\n")


def write_stl(path, vertices, quads):
    triangles = triangles_of(quads)
    out = bytes(80) + struct.pack("<I", len(triangles))
    for triangle in triangles:
        out += struct.pack("<3f", 0, 0, 0) + b"".join(vertices[i].tobytes() for i in triangle) + bytes(2)
    path.write_bytes(out)


def write_gltf(path, vertices, quads):
    indices = np.array(triangles_of(quads), dtype=np.uint32)
    path.with_suffix(".bin").write_bytes(vertices.tobytes() + indices.tobytes())
    path.write_text(json.dumps({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "buffers": [{"byteLength": vertices.nbytes + indices.nbytes, "uri": path.with_suffix(".bin").name}],
        "bufferViews": [{"buffer": 0, "byteLength": vertices.nbytes},
                        {"buffer": 0, "byteOffset": vertices.nbytes, "byteLength": indices.nbytes}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": len(vertices), "type": "VEC3",
                       "min": vertices.min(axis=0).tolist(), "max": vertices.max(axis=0).tolist()},
                      {"bufferView": 1, "componentType": 5125, "count": indices.size, "type": "SCALAR"}]}))


@pytest.mark.parametrize("name,write,scale", [
    ("shirt.obj", write_obj, 1.0), ("shirt.ply", write_ply, 1.0), ("shirt.stl", write_stl, 1.0),
    ("shirt.gltf", write_gltf, 1.0), ("centimetres.obj", write_obj, 100.0), ("doll.obj", write_obj, 0.1)])
def test_a_mesh_hangs_by_its_highest_vertices(start_server, tmp_path, name, write, scale):
    vertices, quads = tube(scale)
    write(tmp_path / name, vertices, quads)
    server = start_server("--mesh", str(tmp_path / name), "--paused")
    with clothd.connect(server.url) as client:
        world = client.describe()
        [cloth] = world["cloths"]
        assert cloth["report"]["particles"] == AROUND * (UP + 1)
        assert cloth["report"]["welded"] > 0
        start = client.positions(cloth["cloth"])
        pinned = np.zeros(len(start), dtype=bool)
        pinned[cloth["pins"]] = True
        high = start[:, 1] > start[:, 1].max() - 0.01 * scale * HEIGHT
        assert np.array_equal(pinned, high) and 0 < pinned.sum() < len(start) / 4
        # Its size is kept and all of it is above the floor, in front of the view.
        assert np.allclose(np.ptp(start, axis=0), np.ptp(vertices, axis=0), atol=1e-4 * scale)
        assert start[:, 1].min() > 0
        eye, target = np.array(world["view"]["position"]), np.array(world["view"]["target"])
        assert np.allclose(target, (start.min(axis=0) + start.max(axis=0)) / 2, atol=0.01 * scale)
        assert 1.5 * HEIGHT * scale < np.linalg.norm(eye - target) < 4 * HEIGHT * scale
        client.step(60)
        later = client.positions(cloth["cloth"])
        assert np.array_equal(later[pinned], start[pinned])
        assert not np.array_equal(later[~pinned], start[~pinned])
        assert np.isfinite(later).all() and np.ptp(later[:, 1]) < 1.5 * HEIGHT * scale


def test_a_scene_file_finds_the_meshes_beside_it(start_server, tmp_path, monkeypatch):
    (tmp_path / "meshes").mkdir()
    write_obj(tmp_path / "meshes" / "shirt.obj", *tube(1.0))
    (tmp_path / "my.json").write_text(json.dumps({
        "title": "Mine", "cloths": [{"cloth": "shirt", "file": "meshes/shirt.obj", "position": [0, 1, 0], "pins": [401]}],
        "colliders": [{"collider": "ball", "shape": {"type": "sphere", "radius": 0.1}}]}))
    monkeypatch.chdir(tmp_path)
    server = start_server("--scene", "./my.json", "--paused")
    with clothd.connect(server.url) as client:
        world = client.describe()
        assert world["title"] == "Mine"
        assert [c["cloth"] for c in world["cloths"]] == ["shirt"] and world["cloths"][0]["pins"] == [401]
        assert [c["collider"] for c in world["colliders"]] == ["ball"]


def test_a_scene_file_that_does_not_fit_says_where(tmp_path):
    from test_command_line import refused

    write_obj(tmp_path / "shirt.obj", *tube(1.0))
    scene = tmp_path / "my.json"
    scene.write_text(json.dumps({"cloths": [{"cloth": "shirt", "file": "shirt.obj", "pins": [9000]}]}))
    line = refused("--scene", str(scene), "--port", "0")
    assert "my.json" in line and "cloths[0].pins" in line and "9000" in line and "424" in line
