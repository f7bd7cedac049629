"""Pictures of worlds: what is drawn, and what a later server's worlds do to them."""

import numpy as np
import pytest

pytest.importorskip("pyvista")

from clothd import drawing  # noqa: E402


def test_surfaces_have_the_sizes_of_their_shapes():
    box = drawing.shape_surface({"type": "box", "half_extents": [1, 2, 3]})
    assert np.allclose(box.bounds, (-1, 1, -2, 2, -3, 3))
    capsule = drawing.shape_surface({"type": "capsule", "radius": 0.5, "half_height": 1})
    assert np.allclose(capsule.bounds, (-0.5, 0.5, -1.5, 1.5, -0.5, 0.5), atol=0.02)
    plane = drawing.shape_surface({"type": "plane", "normal": [0, 2, 0], "offset": 0.5})
    assert np.allclose(plane.points[:, 1], 0.5)


def test_a_shape_of_a_later_server_is_left_out():
    assert drawing.shape_surface({"type": "torus", "radius": 1}) is None


def test_a_mesh_collider_is_drawn_with_its_faces():
    points = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=np.float32)
    surface = drawing._surface_of(points, np.array([[0, 2, 1], [0, 1, 3]], dtype=np.uint32))
    assert surface.n_cells == 2 and np.array_equal(surface.points, points)
    assert np.array_equal(surface.faces.reshape(-1, 4)[:, 1:], [[0, 2, 1], [0, 1, 3]])
    assert drawing._surface_of(points, None).n_points == 4
