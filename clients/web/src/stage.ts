// Keeps the views on the stage equal to the store: which cloths, pins and colliders
// there are, and where they are drawn at this moment.
import * as THREE from "three";
import { ClothView } from "./cloth_view";
import { boundsOf, sizeOf, type ColliderMesh } from "./collider_shape";
import { ColliderView } from "./collider_view";
import { CLOTH_COLORS } from "./fabric_material";
import { HandView } from "./hand_view";
import type { Motion } from "./motion";
import type { Vec3 } from "./picking";
import { PinView } from "./pin_view";
import type { SceneView } from "./scene_view";
import type { Collider, Store } from "./store";

/** Width to height below which a scene's own view would cut its sides off. */
const SCENE_ASPECT = 0.85;

export class Stage {
  readonly cloths = new Map<number, { view: ClothView; pins: PinView }>();
  readonly colliders = new Map<number, ColliderView>();
  /** The vertex under the pointer. */
  hover: { object: number; vertex: number } | null = null;
  private readonly hand = new HandView();
  private wireframe = false;
  private fitted = false;
  private described = false;
  private radius = 2;
  private readonly topology = new Map<number, { vertexCount: number; triangles: Uint32Array; rest: Float32Array | null }>();

  constructor(
    private readonly view: SceneView,
    private readonly store: Store,
    private readonly motion: Motion,
  ) {
    view.scene.add(this.hand.line);
    store.on("objects", () => this.sync());
    store.on("pins", () => this.markPins());
    store.on("world", () => {
      this.described = true;
      this.aim();
    });
  }

  /** Another scene comes: when it is described and all of it is there, aim the camera at it. */
  refit(): void {
    this.fitted = false;
    this.described = false;
  }

  setWireframe(on: boolean): void {
    this.wireframe = on;
    for (const { view } of this.cloths.values()) view.setWireframe(on);
    this.view.invalidate();
  }

  setTopology(object: number, vertexCount: number, triangles: Uint32Array, rest: Float32Array | null): void {
    this.topology.set(object, { vertexCount, triangles, rest });
    const view = this.cloths.get(object)?.view;
    if (view && view.vertexCount === vertexCount) view.setTopology(triangles, rest);
    if (this.colliders.has(object)) {
      this.buildColliders();
      if (!this.fitted) this.aim();
    }
    this.view.invalidate();
  }

  /** The edges of a cloth that has no triangles. */
  setEdges(object: number, edges: number[], rest: number[]): void {
    this.cloths.get(object)?.view.setEdges(edges, rest);
    this.view.invalidate();
  }

  setHover(hover: { object: number; vertex: number } | null): void {
    if (this.hover?.object === hover?.object && this.hover?.vertex === hover?.vertex) return;
    this.hover = hover;
    this.markPins();
  }

  /** The pointer holds this vertex and wants it there; it is marked while it does. */
  setHand(object: number, vertex: number, wanted: Vec3): void {
    this.hand.hold(object, vertex, wanted);
    this.setHover({ object, vertex });
  }

  clearHand(): void {
    this.hand.release();
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
    this.hand.follow(this.cloths);
    if (changed) {
      this.view.invalidate();
      if (!this.fitted) this.aim();
    }
    return alpha < 1;
  }

  private sync(): void {
    const { scene } = this.view;
    // What was under the pointer may be another object's vertex now.
    this.hover = null;
    for (const [object, entry] of this.cloths) {
      const cloth = this.store.cloths.get(object);
      if (cloth && cloth.name === entry.view.name && cloth.vertexCount === entry.view.vertexCount) continue;
      entry.view.dispose();
      entry.pins.dispose();
      this.cloths.delete(object);
      if (!cloth && !this.store.colliders.has(object)) this.motion.remove(object);
    }
    let index = 0;
    for (const cloth of this.store.cloths.values()) {
      const color = cloth.color ?? CLOTH_COLORS[index % CLOTH_COLORS.length]!;
      index++;
      if (this.cloths.has(cloth.object)) continue;
      const view = new ClothView(cloth.name, cloth.vertexCount, color, this.view.quality.rich);
      const pins = new PinView(this.view.renderer.getPixelRatio());
      const topology = this.topology.get(cloth.object);
      if (topology && topology.vertexCount === cloth.vertexCount) view.setTopology(topology.triangles, topology.rest);
      if (this.wireframe) view.setWireframe(true);
      this.cloths.set(cloth.object, { view, pins });
      scene.add(view.group, pins.points);
    }
    this.buildColliders();
    this.markPins();
    this.view.invalidate();
  }

  /** Colliders are cheap: built anew whenever the set of objects or the scene's size changes. */
  private buildColliders(): void {
    for (const [object, view] of this.colliders) {
      view.dispose();
      if (!this.store.colliders.has(object)) this.motion.remove(object);
    }
    this.colliders.clear();
    for (const collider of this.store.colliders.values()) {
      const view = new ColliderView(collider, this.radius, this.meshOf(collider));
      this.colliders.set(collider.object, view);
      view.addTo(this.view.scene);
    }
  }

  /** The triangles of a collider whose shape is a mesh, once they are here. */
  private meshOf(collider: Collider): ColliderMesh | null {
    const topology = collider.shape.type === "mesh" ? this.topology.get(collider.object) : undefined;
    return topology?.rest ? { triangles: topology.triangles, rest: topology.rest } : null;
  }

  /** The box around a collider; a plane has none. */
  private boxOf(collider: Collider): THREE.Box3 {
    const position = new THREE.Vector3(...collider.position);
    const mesh = this.meshOf(collider);
    if (mesh) return boundsOf(mesh).applyMatrix4(new THREE.Matrix4().compose(position, new THREE.Quaternion(...collider.rotation), new THREE.Vector3(1, 1, 1)));
    const size = 2 * sizeOf(collider);
    return size > 0 ? new THREE.Box3().setFromCenterAndSize(position, new THREE.Vector3(size, size, size)) : new THREE.Box3();
  }

  private markPins(): void {
    for (const [object, { view, pins }] of this.cloths) {
      const cloth = this.store.cloths.get(object);
      pins.set(cloth?.pins ?? [], view.vertexCount, this.hover?.object === object ? this.hover.vertex : -1);
      pins.follow(view);
    }
    this.view.invalidate();
  }

  /** Light, floor and home camera for the scene as it starts. */
  private aim(): void {
    if (this.fitted || !this.described) return;
    const box = new THREE.Box3();
    for (const [object, { view }] of this.cloths) {
      if (view.drawnEpoch !== this.store.cloths.get(object)?.epoch) return;
      box.union(new THREE.Box3().setFromArray(view.drawn));
    }
    for (const collider of this.store.colliders.values()) box.union(this.boxOf(collider));
    if (box.isEmpty()) return;
    this.reachFloors(box);
    const center = box.getCenter(new THREE.Vector3());
    this.radius = Math.max(box.getSize(new THREE.Vector3()).length() / 2, 1e-3);
    this.view.fitStage(center.toArray(), this.radius);
    this.buildColliders();
    const home = this.store.view ? this.stepBack(this.store.view) : { eye: this.eyeFor(center, this.radius), target: center.toArray() as Vec3 };
    this.view.setHome(home.eye, home.target, true);
    this.fitted = true;
  }

  /** Takes the foot on each near plane into the box: what falls there must stay in the light. */
  private reachFloors(box: THREE.Box3): void {
    const center = box.getCenter(new THREE.Vector3());
    const reach = box.getSize(new THREE.Vector3()).length() * 1.5;
    for (const collider of this.store.colliders.values()) {
      if (collider.shape.type !== "plane") continue;
      const rotation = new THREE.Quaternion(...collider.rotation);
      const normal = new THREE.Vector3(...(collider.shape.normal ?? [0, 1, 0]));
      const offset = (collider.shape.offset ?? 0) / (normal.length() || 1);
      normal.normalize().applyQuaternion(rotation);
      const distance = normal.dot(center) - normal.dot(new THREE.Vector3(...collider.position)) - offset;
      if (Math.abs(distance) < reach) box.expandByPoint(center.clone().addScaledVector(normal, -distance));
    }
  }

  /** A scene's own view is made for a wide picture: in a narrow one the eye goes back. */
  private stepBack(view: { eye: Vec3; target: Vec3 }): { eye: Vec3; target: Vec3 } {
    const { width, height } = this.view.size();
    const far = Math.max(1, SCENE_ASPECT / ((width - this.view.covered()) / Math.max(height, 1)));
    const target = new THREE.Vector3(...view.target);
    return { eye: new THREE.Vector3(...view.eye).sub(target).multiplyScalar(far).add(target).toArray(), target: view.target };
  }

  /** From the front, a little to the right and above, far enough to see all in a view of this shape. */
  private eyeFor(center: THREE.Vector3, radius: number): Vec3 {
    const { width, height } = this.view.size();
    const half = (this.view.camera.fov * Math.PI) / 360;
    const narrow = Math.min(half, Math.atan(Math.tan(half) * ((width - this.view.covered()) / Math.max(height, 1))));
    const distance = (radius / Math.sin(narrow)) * 1.02;
    return new THREE.Vector3(0.42, 0.36, 0.83).normalize().multiplyScalar(distance).add(center).toArray();
  }
}
