// The hand that holds a vertex of a cloth: a thread from the vertex to where the pointer
// wants it, since heavy or caught cloth lags behind.
import * as THREE from "three";
import type { ClothView } from "./cloth_view";
import type { Vec3 } from "./picking";

export class HandView {
  readonly line: THREE.Line<THREE.BufferGeometry, THREE.LineBasicMaterial>;
  private held: { object: number; vertex: number } | null = null;

  constructor() {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(6), 3));
    this.line = new THREE.Line(geometry, new THREE.LineBasicMaterial({ color: "#8ce5ff", transparent: true, opacity: 0.8, depthTest: false, depthWrite: false }));
    this.line.frustumCulled = false;
    this.line.renderOrder = 7;
    this.line.visible = false;
  }

  hold(object: number, vertex: number, wanted: Vec3): void {
    this.held = { object, vertex };
    this.points.setXYZ(1, ...wanted);
  }

  release(): void {
    this.held = null;
    this.line.visible = false;
  }

  /** Draws the thread from where the cloth is drawn now. */
  follow(cloths: ReadonlyMap<number, { view: ClothView }>): void {
    if (!this.held) return;
    const { object, vertex } = this.held;
    const drawn = cloths.get(object)?.view.drawn;
    this.line.visible = drawn !== undefined && 3 * vertex + 2 < drawn.length;
    if (!drawn || !this.line.visible) return;
    this.points.setXYZ(0, drawn[3 * vertex]!, drawn[3 * vertex + 1]!, drawn[3 * vertex + 2]!);
    this.points.needsUpdate = true;
  }

  private get points(): THREE.BufferAttribute {
    return this.line.geometry.getAttribute("position") as THREE.BufferAttribute;
  }
}
