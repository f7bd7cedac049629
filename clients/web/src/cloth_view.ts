// One cloth on the stage: its mesh, material and wireframe. Triangles and rest pose
// come once, positions and normals with every tick.
import * as THREE from "three";
import { createFabricMaterial } from "./fabric_material";
import { mix, type ShownState } from "./motion";
import { RopeView } from "./rope_view";

export class ClothView {
  readonly group = new THREE.Group();
  readonly mesh: THREE.Mesh<THREE.BufferGeometry, THREE.MeshStandardMaterial>;
  /** What is drawn now, xyz per vertex (between two ticks while interpolating). */
  readonly drawn: Float32Array;
  /** The epoch of what is drawn; -1 before the first state. */
  drawnEpoch = -1;
  private readonly positions: THREE.BufferAttribute;
  private readonly normals: THREE.BufferAttribute;
  /** Of a cloth that has edges only. */
  ropes: RopeView | null = null;
  private wire: THREE.LineSegments | null = null;
  private triangles: Uint32Array = new Uint32Array();
  private settled: ShownState["to"] | null = null;

  constructor(
    readonly name: string,
    readonly vertexCount: number,
    private readonly color: string,
    private readonly rich: boolean,
  ) {
    this.drawn = new Float32Array(3 * vertexCount);
    this.positions = new THREE.BufferAttribute(this.drawn, 3).setUsage(THREE.DynamicDrawUsage);
    this.normals = new THREE.BufferAttribute(new Float32Array(3 * vertexCount), 3).setUsage(THREE.DynamicDrawUsage);
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", this.positions);
    geometry.setAttribute("normal", this.normals);
    geometry.setAttribute("rest", new THREE.BufferAttribute(new Float32Array(3 * vertexCount), 3));
    this.mesh = new THREE.Mesh(geometry, createFabricMaterial(color, 1, rich));
    this.mesh.name = name;
    this.mesh.castShadow = true;
    this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false;
    // Nothing to draw before the first state.
    this.group.visible = false;
    this.group.add(this.mesh);
  }

  setTopology(triangles: Uint32Array, rest: Float32Array | null): void {
    this.triangles = triangles;
    this.mesh.geometry.setIndex(new THREE.BufferAttribute(triangles, 1));
    if (rest && rest.length === 3 * this.vertexCount) {
      this.mesh.geometry.setAttribute("rest", new THREE.BufferAttribute(rest, 3));
      const box = new THREE.Box3().setFromArray(rest);
      this.mesh.material.dispose();
      const wireframe = this.wire !== null;
      this.mesh.material = createFabricMaterial(this.color, box.getSize(new THREE.Vector3()).length(), this.rich);
      this.mesh.material.visible = !wireframe;
    }
    if (this.wire) {
      this.setWireframe(false);
      this.setWireframe(true);
    }
  }

  setEdges(edges: ArrayLike<number>, rest: ArrayLike<number>): void {
    this.ropes?.dispose();
    this.ropes = new RopeView(edges, rest, this.color);
    this.ropes.follow(this.drawn);
    this.group.add(this.ropes.mesh);
  }

  /** Takes over what is shown now; returns true when the picture changed. */
  update(shown: ShownState, alpha: number): boolean {
    const done = alpha >= 1;
    if (done && this.settled === shown.to) return false;
    if (shown.to.positions.length !== this.drawn.length) return false;
    mix(shown.from.positions, shown.to.positions, alpha, this.drawn);
    mix(shown.from.normals, shown.to.normals, alpha, this.normals.array as Float32Array);
    this.positions.needsUpdate = true;
    this.normals.needsUpdate = true;
    this.ropes?.follow(this.drawn);
    this.mesh.geometry.boundingSphere = null;
    this.mesh.geometry.boundingBox = null;
    this.settled = done ? shown.to : null;
    this.group.visible = true;
    this.drawnEpoch = shown.to.epoch;
    return true;
  }

  setWireframe(on: boolean): void {
    this.mesh.material.visible = !on;
    this.mesh.castShadow = !on;
    if (!on) {
      if (this.wire) {
        this.group.remove(this.wire);
        this.wire.geometry.dispose();
        (this.wire.material as THREE.Material).dispose();
        this.wire = null;
      }
      return;
    }
    if (this.wire) return;
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", this.positions);
    geometry.setIndex(new THREE.BufferAttribute(edgesOf(this.triangles), 1));
    const color = new THREE.Color(this.color).lerp(new THREE.Color("#ffffff"), 0.35);
    this.wire = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ color, transparent: true, opacity: 0.75 }));
    this.wire.frustumCulled = false;
    this.group.add(this.wire);
  }

  dispose(): void {
    this.setWireframe(false);
    this.ropes?.dispose();
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
    this.group.removeFromParent();
  }
}

/** Each edge of the triangles once, as pairs of vertices. */
export function edgesOf(triangles: Uint32Array): Uint32Array {
  const seen = new Set<number>();
  const edges: number[] = [];
  for (let t = 0; t + 2 < triangles.length; t += 3) {
    for (let k = 0; k < 3; k++) {
      const a = triangles[t + k]!;
      const b = triangles[t + ((k + 1) % 3)]!;
      const low = Math.min(a, b);
      const high = Math.max(a, b);
      const key = low * 0x4000000 + high;
      if (low === high || seen.has(key)) continue;
      seen.add(key);
      edges.push(low, high);
    }
  }
  return Uint32Array.from(edges);
}
