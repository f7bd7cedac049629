// The shapes of colliders as geometry, and how large they are.
import * as THREE from "three";
import { toCreasedNormals } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import type { Collider } from "./store";

/** A mesh's edge between two faces that meet at more than this is a sharp one, radians. */
const CREASE = 0.6;

/** The triangles and vertices of a mesh collider, in its own frame. */
export interface ColliderMesh {
  triangles: Uint32Array;
  rest: Float32Array;
}

/** About how large a collider is, in metres: half of its longest extent. */
export function sizeOf(collider: Collider, mesh: ColliderMesh | null = null): number {
  const { shape } = collider;
  switch (shape.type) {
    case "sphere":
      return shape.radius ?? 0;
    case "capsule":
      return (shape.radius ?? 0) + (shape.half_height ?? 0);
    case "box":
      return Math.max(...(shape.half_extents ?? [0, 0, 0]));
    case "mesh":
      return mesh ? Math.max(...boundsOf(mesh).getSize(new THREE.Vector3()).toArray()) / 2 : 0;
    default:
      return 0;
  }
}

/** The same for looking at it from its thin side: a long rod is as a ball of a few radii. */
export function thinness(collider: Collider, mesh: ColliderMesh | null = null): number {
  const { shape } = collider;
  const size = sizeOf(collider, mesh);
  if (shape.type === "capsule") return Math.min(size, 2.5 * (shape.radius ?? 0));
  if (shape.type === "box") return Math.min(size, 2.5 * Math.min(...(shape.half_extents ?? [0, 0, 0])));
  return shape.type === "mesh" ? 0.2 * size : size;
}

/** The box around a mesh collider, in its own frame. */
export function boundsOf(mesh: ColliderMesh): THREE.Box3 {
  return new THREE.Box3().setFromArray(mesh.rest);
}

export function createGeometry(collider: Collider, stageRadius: number, mesh: ColliderMesh | null): THREE.BufferGeometry {
  const { shape } = collider;
  const radius = shape.radius ?? 0.1;
  switch (shape.type) {
    case "sphere":
      return new THREE.SphereGeometry(radius, 64, 40);
    case "capsule":
      return new THREE.CapsuleGeometry(radius, 2 * (shape.half_height ?? 0), 20, 48);
    case "box": {
      const [x, y, z] = shape.half_extents ?? [0.1, 0.1, 0.1];
      return new THREE.BoxGeometry(2 * x, 2 * y, 2 * z);
    }
    case "mesh":
      return mesh ? meshGeometry(mesh) : new THREE.BufferGeometry();
    default:
      return new THREE.CircleGeometry(stageRadius * 6, 96);
  }
}

/** The shape's own lines: edges between faces that are not coplanar, no diagonals. */
export function createOutlineGeometry(collider: Collider, stageRadius: number, mesh: ColliderMesh | null): THREE.BufferGeometry {
  const { shape } = collider;
  const radius = shape.radius ?? 0.1;
  if (shape.type === "mesh") return new THREE.EdgesGeometry(plainGeometry(mesh), THREE.MathUtils.radToDeg(CREASE));
  if (shape.type === "sphere") return new THREE.EdgesGeometry(new THREE.SphereGeometry(radius * 1.01, 20, 12), 1);
  if (shape.type === "capsule") return new THREE.EdgesGeometry(new THREE.CapsuleGeometry(radius * 1.01, 2 * (shape.half_height ?? 0), 6, 16), 1);
  if (shape.type === "plane") return new THREE.EdgesGeometry(new THREE.OctahedronGeometry(stageRadius * 0.05), 1);
  return new THREE.EdgesGeometry(createGeometry(collider, stageRadius, mesh), 1);
}

function plainGeometry(mesh: ColliderMesh | null): THREE.BufferGeometry {
  const geometry = new THREE.BufferGeometry();
  if (!mesh) return geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(), 3));
  geometry.setAttribute("position", new THREE.BufferAttribute(mesh.rest, 3));
  geometry.setIndex(new THREE.BufferAttribute(mesh.triangles, 1));
  return geometry;
}

/** Smooth where it is round, sharp at its edges. */
function meshGeometry(mesh: ColliderMesh): THREE.BufferGeometry {
  return toCreasedNormals(plainGeometry(mesh), CREASE);
}
