// A cloth without triangles: each of its edges is a piece of rope. Ropes, chains, nets.
import * as THREE from "three";

const UP = new THREE.Vector3(0, 1, 0);
/** Thickness of a rope as a share of its pieces' length. */
const RADIUS = 0.07;

export class RopeView {
  readonly mesh: THREE.InstancedMesh<THREE.CylinderGeometry, THREE.MeshStandardMaterial>;
  private readonly edges: Uint32Array;
  private readonly radius: number;

  /** edges: pairs of vertices; rest: the length of each, m. */
  constructor(edges: ArrayLike<number>, rest: ArrayLike<number>, color: string) {
    this.edges = Uint32Array.from(edges);
    let sum = 0;
    for (let i = 0; i < rest.length; i++) sum += rest[i]!;
    this.radius = (RADIUS * sum) / Math.max(rest.length, 1);
    const material = new THREE.MeshStandardMaterial({ color, roughness: 0.8 });
    this.mesh = new THREE.InstancedMesh(new THREE.CylinderGeometry(1, 1, 1, 6, 1, true), material, this.edges.length / 2);
    this.mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
    this.mesh.castShadow = this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false;
  }

  /** Lays the pieces between the vertices as they are now. */
  follow(positions: Float32Array): void {
    const a = new THREE.Vector3();
    const b = new THREE.Vector3();
    const along = new THREE.Vector3();
    const turn = new THREE.Quaternion();
    const size = new THREE.Vector3(this.radius, 1, this.radius);
    const matrix = new THREE.Matrix4();
    for (let e = 0; e < this.edges.length / 2; e++) {
      a.fromArray(positions, 3 * this.edges[2 * e]!);
      b.fromArray(positions, 3 * this.edges[2 * e + 1]!);
      size.y = along.subVectors(b, a).length();
      if (size.y > 0) turn.setFromUnitVectors(UP, along.divideScalar(size.y));
      matrix.compose(a.add(b).multiplyScalar(0.5), turn, size);
      this.mesh.setMatrixAt(e, matrix);
    }
    this.mesh.instanceMatrix.needsUpdate = true;
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
    this.mesh.dispose();
    this.mesh.removeFromParent();
  }
}
