"""A world as a pyvista picture: cloths as shaded surfaces, colliders as their shapes, pins as dots.
Needs the extra ``[view]``."""

from __future__ import annotations

import ctypes
import os
from typing import Any, Dict, Mapping, Optional

import numpy as np

from .errors import ClothdError
from .protocol import Mesh, Pose, WorldState
from .subscription import Frame

try:
    import pyvista
except ImportError:  # told when a Drawing is made
    pyvista = None  # type: ignore[assignment]

_CLOTH_COLORS = ["#c8553d", "#2f6690", "#588157", "#9a6fb0", "#d4a373"]
_COLLIDER_COLOR = "#a9b1b8"
_PIN_COLOR = "#f2c14e"
_PLANE_SIZE = 20.0
_VIEW_ANGLE = 42.0  # degrees, as in the browser: a scene's view is made for it


class DrawingUnavailable(ClothdError):
    """There is nothing to draw with; the message says what to install."""


def prepare_off_screen() -> None:
    """Chooses a software or surfaceless OpenGL where no display is there.

    Raises DrawingUnavailable with the packages to install.
    """
    if os.environ.get("DISPLAY") or os.environ.get("VTK_DEFAULT_OPENGL_WINDOW"):
        return
    for library, window in (("libEGL.so.1", "vtkEGLRenderWindow"), ("libOSMesa.so.8", "vtkOSOpenGLRenderWindow")):
        try:
            ctypes.CDLL(library)
        except OSError:
            continue
        os.environ["VTK_DEFAULT_OPENGL_WINDOW"] = window
        return
    raise DrawingUnavailable("no OpenGL library to draw with and no display: install libegl1 and libgl1-mesa-dri, "
                             "or libosmesa6")


def _matrix(pose: Pose) -> np.ndarray:
    """4 × 4 matrix of a pose."""
    matrix = np.eye(4)
    matrix[:3, :3] = pose.matrix()
    matrix[:3, 3] = pose.position
    return matrix


def _surface_of(points: np.ndarray, triangles: Optional[np.ndarray]) -> Any:
    """Points (n, 3) with their triangles (m, 3), or bare ones."""
    if triangles is None or not len(triangles):
        return pyvista.PolyData(points.copy())
    faces = np.hstack([np.full((len(triangles), 1), 3), triangles]).astype(np.int64)
    return pyvista.PolyData(points.copy(), faces.reshape(-1))


def shape_surface(shape: Mapping[str, Any]) -> Any:
    """The surface of a collider's shape in its own frame; None for a type that this version does not know."""
    kind = shape["type"]
    if kind == "sphere":
        return pyvista.Sphere(radius=shape["radius"], theta_resolution=48, phi_resolution=48)
    if kind == "capsule":
        surface = pyvista.Capsule(direction=(0, 1, 0), radius=shape["radius"], cylinder_length=2 * shape["half_height"])
        return surface
    if kind == "box":
        x, y, z = shape["half_extents"]
        return pyvista.Box(bounds=(-x, x, -y, y, -z, z))
    if kind == "plane":
        normal = np.asarray(shape.get("normal", (0, 1, 0)), dtype=float)
        normal /= np.linalg.norm(normal)
        return pyvista.Plane(center=normal * shape.get("offset", 0.0), direction=normal, i_size=_PLANE_SIZE,
                             j_size=_PLANE_SIZE)
    return None


def _set_normals(surface: Any) -> None:
    """Normals per vertex, so that folds are shaded smoothly; vertices are neither split nor turned."""
    if surface.n_cells > surface.n_verts:  # not a mere cloud of points
        surface.compute_normals(cell_normals=False, split_vertices=False, consistent_normals=False, inplace=True)


class Drawing:
    """A pyvista plotter that follows the frames of one world."""

    def __init__(self, *, off_screen: bool = False, size: tuple = (960, 720), title: str = "clothd") -> None:
        if pyvista is None:
            raise DrawingUnavailable("drawing needs pyvista: pip install './clients/python[view]' in the clone of clothd")
        if off_screen:
            prepare_off_screen()
        self.plotter = pyvista.Plotter(off_screen=off_screen, window_size=list(size), title=title)
        self.plotter.set_background("white", top="#dfe7ee")
        self.plotter.camera.view_angle = _VIEW_ANGLE
        self._surfaces: Dict[str, Any] = {}
        self._actors: Dict[str, Any] = {}
        self._epochs: Dict[str, int] = {}

    def show(self, world: WorldState, frame: Frame, view: Optional[Mapping[str, Any]] = None) -> None:
        """Brings the picture to a frame. `view`: camera position and target for the first one."""
        names = {mesh.name for mesh in world.meshes.values()}
        for name in [name for name in self._actors if name.split("/")[0] not in names]:
            self._remove(name)
        first = not self._actors
        for mesh in world.meshes.values():
            if self._epochs.get(mesh.name) != mesh.epoch:
                self._remove(mesh.name)
                self._remove(mesh.name + "/pins")
            if mesh.kind == "cloth" and mesh.name in frame.positions:
                self._show_cloth(mesh, frame.positions[mesh.name])
            elif mesh.kind == "collider" and mesh.name in frame.poses:
                self._show_collider(mesh, frame.poses[mesh.name])
        if first:
            self._place_camera(frame, view)

    def _remove(self, name: str) -> None:
        actor = self._actors.pop(name, None)
        self._surfaces.pop(name, None)
        if actor is not None:
            self.plotter.remove_actor(actor, render=False)

    def _show_cloth(self, mesh: Mesh, positions: np.ndarray) -> None:
        surface = self._surfaces.get(mesh.name)
        if surface is None:
            surface = _surface_of(positions, mesh.triangles)
            color = _CLOTH_COLORS[int(mesh.params["object"]) % len(_CLOTH_COLORS)]
            self._surfaces[mesh.name] = surface
            self._epochs[mesh.name] = mesh.epoch
            _set_normals(surface)
            actor = self.plotter.add_mesh(surface, color=color, specular=0.1, render=False)
            actor.prop.interpolation = "Phong"
            self._actors[mesh.name] = actor
        else:
            surface.points = positions.copy()
            _set_normals(surface)
        self._show_pins(mesh, positions)

    def _show_pins(self, mesh: Mesh, positions: np.ndarray) -> None:
        name, pins = mesh.name + "/pins", np.asarray(mesh.params.get("pins") or [], dtype=np.int64)
        surface = self._surfaces.get(name)
        if surface is not None and surface.n_points == len(pins):
            surface.points = positions[pins].copy()
            return
        self._remove(name)
        if len(pins):
            self._surfaces[name] = pyvista.PolyData(positions[pins].copy())
            self._actors[name] = self.plotter.add_mesh(self._surfaces[name], color=_PIN_COLOR, point_size=10,
                                                       render_points_as_spheres=True, render=False)

    def _show_collider(self, mesh: Mesh, pose: Pose) -> None:
        shape = mesh.params["shape"]
        # Another mesh has other arrays, and perhaps the same counts.
        drawn = (shape, id(mesh.triangles), id(mesh.rest))
        if self._surfaces.get(mesh.name) != drawn:  # new, or its shape was changed
            self._remove(mesh.name)
            self._surfaces[mesh.name] = drawn
            self._epochs[mesh.name] = mesh.epoch
            surface = shape_surface(shape)
            if shape["type"] == "mesh" and mesh.rest is not None:
                surface = _surface_of(mesh.rest, mesh.triangles)
            if surface is None:
                return
            self._actors[mesh.name] = self.plotter.add_mesh(
                surface, color=_COLLIDER_COLOR, smooth_shading=shape["type"] in ("sphere", "capsule"),
                opacity=0.6 if shape["type"] == "plane" else 1.0, render=False)
        if mesh.name in self._actors:
            self._actors[mesh.name].user_matrix = _matrix(pose)

    def _place_camera(self, frame: Frame, view: Optional[Mapping[str, Any]]) -> None:
        points = [p for p in frame.positions.values() if len(p)]
        cloud = np.vstack(points) if points else np.array([[-1.0, -1.0, -1.0], [1.0, 1.0, 1.0]])
        low, high = cloud.min(axis=0), cloud.max(axis=0)
        target = (view or {}).get("target") or ((low + high) / 2).tolist()
        position = (view or {}).get("position")
        if position is None:
            reach = max(float(np.linalg.norm(high - low)), 0.1)
            position = (np.asarray(target) + np.array([0.6, 0.5, 1.3]) * reach).tolist()
        self.plotter.camera_position = [position, target, (0.0, 1.0, 0.0)]
        self.plotter.reset_camera_clipping_range()

    def save(self, path: str) -> None:
        """Draws and writes a PNG."""
        self.plotter.show(auto_close=False, interactive=False) if self.plotter.off_screen else self.plotter.render()
        self.plotter.screenshot(path)

    def close(self) -> None:
        self.plotter.close()
