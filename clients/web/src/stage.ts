// Keeps the views on the stage equal to the store: which cloths, pins and colliders
// there are, and where they are drawn at this moment.
import * as THREE from "three";
import { ClothView } from "./cloth_view";
import { ColliderView, sizeOf } from "./collider_view";
import { CLOTH_COLORS } from "./fabric_material";
import type { Motion } from "./motion";
import type { Vec3 } from "./picking";
import { PinView } from "./pin_view";
import type { SceneView } from "./scene_view";
import type { Store } from "./store";

export class Stage {
  readonly cloths = new Map<number, { view: ClothView; pins: PinView; epoch: number }>();
  readonly colliders = new Map<number, ColliderView>();
  /** The vertex under the pointer. */
  hover: { object: number; vertex: number } | null = null;
  private wireframe = false;
  private fitted = false;
  private radius = 2;
  private readonly topology = new Map<number, { epoch: number; triangles: Uint32Array; rest: Float32Array | null }>();

  constructor(
    private readonly view: SceneView,
    private readonly store: Store,
    private readonly motion: Motion,
  ) {
    store.on("objects", () => this.sync());
    store.on("pins", () => this.markPins());
    store.on("world", () => this.aim());
  }

  /** The next state to come is a new scene's: aim the camera at it. */
  refit(): void {
    this.fitted = false;
  }

  setWireframe(on: boolean): void {
    this.wireframe = on;
    for (const { view } of this.cloths.values()) view.setWireframe(on);
    this.view.invalidate();
  }

  setTopology(object: number, epoch: number, triangles: Uint32Array, rest: Float32Array | null): void {
    this.topology.set(object, { epoch, triangles, rest });
    this.cloths.get(object)?.view.setTopology(triangles, rest);
    this.view.invalidate();
  }

  setHover(hover: { object: number; vertex: number } | null): void {
    if (this.hover?.object === hover?.object && this.hover?.vertex === hover?.vertex) return;
    this.hover = hover;
    this.markPins();
  }

  /** Moves everything to where it is at this moment; true while it is still moving. */
  update(now: number): boolean {
    const alpha = this.motion.alpha(now);
    let changed = false;
    for (const [object, { view, pins }] of this.cloths) {
      const shown = this.motion.get(object);
      if (shown && view.update(shown, alpha)) {
        pins.follow(view);
        changed = true;
      }
    }
    for (const [object, view] of this.colliders) {
      const pose = this.motion.getPose(object);
      if (pose) view.update(pose, alpha);
    }
    if (changed) {
      this.view.invalidate();
      if (!this.fitted) this.aim();
    }
    return alpha < 1;
  }

  private sync(): void {
    const { scene } = this.view;
    for (const [object, entry] of this.cloths) {
      const cloth = this.store.cloths.get(object);
      if (cloth && cloth.name === entry.view.name && cloth.vertexCount === entry.view.vertexCount) continue;
      entry.view.dispose();
      entry.pins.dispose();
      this.cloths.delete(object);
      if (!cloth) this.motion.remove(object);
    }
    let index = 0;
    for (const cloth of this.store.cloths.values()) {
      const color = cloth.color ?? CLOTH_COLORS[index % CLOTH_COLORS.length]!;
      index++;
      const known = this.cloths.get(cloth.object);
      if (known) {
        known.epoch = cloth.epoch;
        continue;
      }
      const view = new ClothView(cloth.name, cloth.vertexCount, color);
      const pins = new PinView(this.view.renderer.getPixelRatio());
      const topology = this.topology.get(cloth.object);
      if (topology && topology.epoch === cloth.epoch) view.setTopology(topology.triangles, topology.rest);
      if (this.wireframe) view.setWireframe(true);
      this.cloths.set(cloth.object, { view, pins, epoch: cloth.epoch });
      scene.add(view.group, pins.points);
    }
    // Colliders are cheap: build them anew whenever the set of objects changes.
    for (const view of this.colliders.values()) view.dispose();
    this.colliders.clear();
    for (const collider of this.store.colliders.values()) {
      const view = new ColliderView(collider, this.radius);
      this.colliders.set(collider.object, view);
      view.addTo(scene);
    }
    this.markPins();
    this.view.invalidate();
  }

  private markPins(): void {
    for (const [object, { view, pins }] of this.cloths) {
      const cloth = this.store.cloths.get(object);
      pins.set(cloth?.pins ?? [], view.vertexCount, this.hover?.object === object ? this.hover.vertex : -1);
      pins.follow(view);
    }
    this.view.invalidate();
  }

  /** Light, floor and home camera for what is there now. */
  private aim(): void {
    const box = new THREE.Box3();
    for (const { view } of this.cloths.values()) if (view.group.visible) box.union(new THREE.Box3().setFromArray(view.drawn));
    if (box.isEmpty()) return;
    for (const collider of this.store.colliders.values()) {
      const size = sizeOf(collider);
      if (size > 0) box.union(new THREE.Box3().setFromCenterAndSize(new THREE.Vector3(...collider.position), new THREE.Vector3(2 * size, 2 * size, 2 * size)));
    }
    const center = box.getCenter(new THREE.Vector3());
    const radius = Math.max(box.getSize(new THREE.Vector3()).length() / 2, 1e-3);
    if (Math.abs(radius - this.radius) > 0.05 * this.radius || !this.fitted) {
      this.radius = radius;
      this.view.fitStage(center.toArray(), radius);
      if (!this.fitted) this.rebuildColliders();
    }
    const home = this.store.view ?? { eye: this.eyeFor(center, radius), target: center.toArray() as Vec3 };
    this.view.setHome(home.eye, home.target, !this.fitted);
    this.fitted = true;
  }

  /** From the front, a little to the right and above, far enough to see all in a view of this shape. */
  private eyeFor(center: THREE.Vector3, radius: number): Vec3 {
    const { width, height } = this.view.size();
    const half = (this.view.camera.fov * Math.PI) / 360;
    const narrow = Math.min(half, Math.atan(Math.tan(half) * (width / Math.max(height, 1))));
    const distance = (radius / Math.sin(narrow)) * 1.02;
    return new THREE.Vector3(0.42, 0.36, 0.83).normalize().multiplyScalar(distance).add(center).toArray();
  }

  private rebuildColliders(): void {
    for (const [object, old] of this.colliders) {
      const view = new ColliderView(old.collider, this.radius);
      old.dispose();
      this.colliders.set(object, view);
      view.addTo(this.view.scene);
    }
  }
}
