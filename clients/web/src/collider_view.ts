// One collider on the stage: its shape at its pose, a highlight under the pointer,
// and a see-through outline that shows where a drag wants it to be.
import * as THREE from "three";
import { createFloorMaterial, createSolidMaterial, faintMaterial } from "./collider_look";
import { createGeometry, createOutlineGeometry, thinness, type ColliderMesh } from "./collider_shape";
import type { Collider } from "./store";
import type { Pose } from "./motion";
import type { Vec3 } from "./picking";

const FROM_Z = new THREE.Vector3(0, 0, 1);

export class ColliderView {
  readonly group = new THREE.Group();
  /** What the pointer can take: the shape, or a plane's handle. */
  readonly handle: THREE.Mesh;
  /** Made when it is first shown: the edges of a large mesh take a while to find. */
  private outline: THREE.LineSegments | null = null;
  /** The outline is at the shape, not where a drag wants it. */
  private follows = false;
  private readonly quaternionFrom = new THREE.Quaternion();
  private readonly quaternionTo = new THREE.Quaternion();

  /** mesh: of a collider whose shape is one; without it nothing is drawn yet. */
  constructor(
    readonly collider: Collider,
    private readonly stageRadius: number,
    private readonly mesh: ColliderMesh | null = null,
  ) {
    const { shape } = collider;
    const movable = collider.motion !== "static";
    const material = shape.type === "plane" ? createFloorMaterial(stageRadius) : createSolidMaterial(collider.motion, thinness(collider, mesh) * 0.04);
    const body = new THREE.Mesh(createGeometry(collider, stageRadius, mesh), material);
    body.receiveShadow = true;
    body.castShadow = shape.type !== "plane";
    this.group.add(body);
    if (shape.type === "mesh") {
      // Faces that look away are glass, and the light goes through them: one sees into a drum.
      material.shadowSide = THREE.FrontSide;
      const inside = new THREE.Mesh(body.geometry, faintMaterial(collider.motion));
      inside.renderOrder = 4;
      this.group.add(inside);
    }
    if (shape.type === "plane") {
      placePlane(body, collider);
      const knob = new THREE.Mesh(new THREE.OctahedronGeometry(stageRadius * 0.035), new THREE.MeshStandardMaterial({ color: "#7f8ba3", roughness: 0.4 }));
      knob.position.copy(body.position);
      knob.visible = movable;
      this.group.add(knob);
      this.handle = knob;
    } else {
      this.handle = body;
    }
    this.setPose(collider.position, collider.rotation);
  }

  setPose(position: Vec3, rotation: readonly [number, number, number, number]): void {
    this.group.position.set(...position);
    this.group.quaternion.set(...rotation);
  }

  /** The pose between two ticks. */
  update(pose: { from: Pose; to: Pose }, alpha: number): void {
    const { from, to } = pose;
    this.group.position.set(...from.position).lerp(new THREE.Vector3(...to.position), alpha);
    this.quaternionFrom.set(...from.rotation);
    this.quaternionTo.set(...to.rotation);
    this.group.quaternion.slerpQuaternions(this.quaternionFrom, this.quaternionTo, alpha);
    if (this.outline?.visible && this.follows) this.highlight(true, null);
  }

  /** Shows the outline at target (null: at the shape itself), or hides it. */
  highlight(on: boolean, target: Vec3 | null): void {
    if (!on && !this.outline) return;
    const outline = (this.outline ??= this.makeOutline());
    outline.visible = on;
    this.follows = target === null;
    if (!on) return;
    if (target) outline.position.set(...target);
    else outline.position.copy(this.group.position);
    outline.quaternion.copy(this.group.quaternion);
  }

  addTo(scene: THREE.Scene): void {
    scene.add(this.group);
  }

  dispose(): void {
    this.group.traverse((part) => {
      if (part instanceof THREE.Mesh) {
        part.geometry.dispose();
        (part.material as THREE.Material).dispose();
      }
    });
    if (this.outline) {
      this.outline.geometry.dispose();
      (this.outline.material as THREE.Material).dispose();
      this.outline.removeFromParent();
    }
    this.group.removeFromParent();
  }

  private makeOutline(): THREE.LineSegments {
    const outline = new THREE.LineSegments(
      createOutlineGeometry(this.collider, this.stageRadius, this.mesh),
      new THREE.LineBasicMaterial({ color: "#9fd2ff", transparent: true, opacity: 0.32, depthTest: false, depthWrite: false }),
    );
    outline.renderOrder = 6;
    this.group.parent?.add(outline);
    return outline;
  }
}

function placePlane(body: THREE.Mesh, collider: Collider): void {
  const normal = new THREE.Vector3(...(collider.shape.normal ?? [0, 1, 0]));
  const length = normal.length() || 1;
  normal.divideScalar(length);
  body.quaternion.setFromUnitVectors(FROM_Z, normal);
  // normal·x = offset with the normal as given: its length scales the distance.
  body.position.copy(normal).multiplyScalar((collider.shape.offset ?? 0) / length);
}
