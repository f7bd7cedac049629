// One collider on the stage: its shape at its pose, a highlight under the pointer,
// and a see-through outline that shows where a drag wants it to be.
import * as THREE from "three";
import type { Collider } from "./store";
import type { Pose } from "./motion";
import type { Vec3 } from "./picking";

const FROM_Z = new THREE.Vector3(0, 0, 1);

export class ColliderView {
  readonly group = new THREE.Group();
  /** What the pointer can take: the shape, or a plane's handle. */
  readonly handle: THREE.Mesh;
  private readonly outline: THREE.LineSegments;
  private readonly body: THREE.Material;
  /** The outline is at the shape, not where a drag wants it. */
  private follows = false;
  private readonly quaternionFrom = new THREE.Quaternion();
  private readonly quaternionTo = new THREE.Quaternion();

  constructor(
    readonly collider: Collider,
    stageRadius: number,
  ) {
    const { shape } = collider;
    const movable = collider.motion !== "static";
    this.body = shape.type === "plane" ? createFloorMaterial(stageRadius) : createBodyMaterial(movable, sizeOf(collider));
    const mesh = new THREE.Mesh(createGeometry(collider, stageRadius), this.body);
    mesh.receiveShadow = true;
    mesh.castShadow = shape.type !== "plane";
    this.group.add(mesh);
    if (shape.type === "plane") {
      placePlane(mesh, collider);
      const knob = new THREE.Mesh(new THREE.OctahedronGeometry(stageRadius * 0.035), new THREE.MeshStandardMaterial({ color: "#7f8ba3", roughness: 0.4 }));
      knob.position.copy(mesh.position);
      knob.visible = movable;
      this.group.add(knob);
      this.handle = knob;
    } else {
      this.handle = mesh;
    }
    this.outline = new THREE.LineSegments(
      // Edges between faces that are not coplanar: the shape's own lines, no diagonals.
      new THREE.EdgesGeometry(createOutlineGeometry(collider, stageRadius), 1),
      new THREE.LineBasicMaterial({ color: "#9fd2ff", transparent: true, opacity: 0.32, depthTest: false, depthWrite: false }),
    );
    this.outline.renderOrder = 6;
    this.outline.visible = false;
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
    if (this.outline.visible && this.follows) this.highlight(true, null);
  }

  /** Shows the outline at target (null: at the shape itself), or hides it. */
  highlight(on: boolean, target: Vec3 | null): void {
    this.outline.visible = on;
    this.follows = target === null;
    if (!on) return;
    if (target) this.outline.position.set(...target);
    else this.outline.position.copy(this.group.position);
    this.outline.quaternion.copy(this.group.quaternion);
  }

  addTo(scene: THREE.Scene): void {
    scene.add(this.group, this.outline);
  }

  dispose(): void {
    this.group.traverse((part) => {
      if (part instanceof THREE.Mesh) {
        part.geometry.dispose();
        (part.material as THREE.Material).dispose();
      }
    });
    this.outline.geometry.dispose();
    (this.outline.material as THREE.Material).dispose();
    this.group.removeFromParent();
    this.outline.removeFromParent();
  }
}

/** About how large a collider is, in metres: half of its longest extent. */
export function sizeOf(collider: Collider): number {
  const { shape } = collider;
  switch (shape.type) {
    case "sphere":
      return shape.radius ?? 0;
    case "capsule":
      return (shape.radius ?? 0) + (shape.half_height ?? 0);
    case "box":
      return Math.max(...(shape.half_extents ?? [0, 0, 0]));
    default:
      return 0;
  }
}

function createGeometry(collider: Collider, stageRadius: number): THREE.BufferGeometry {
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
    default:
      return new THREE.CircleGeometry(stageRadius * 6, 96);
  }
}

function createOutlineGeometry(collider: Collider, stageRadius: number): THREE.BufferGeometry {
  const { shape } = collider;
  const radius = shape.radius ?? 0.1;
  if (shape.type === "sphere") return new THREE.SphereGeometry(radius * 1.01, 20, 12);
  if (shape.type === "capsule") return new THREE.CapsuleGeometry(radius * 1.01, 2 * (shape.half_height ?? 0), 6, 16);
  if (shape.type === "plane") return new THREE.OctahedronGeometry(stageRadius * 0.05);
  return createGeometry(collider, stageRadius);
}

function placePlane(mesh: THREE.Mesh, collider: Collider): void {
  const normal = new THREE.Vector3(...(collider.shape.normal ?? [0, 1, 0]));
  const length = normal.length() || 1;
  normal.divideScalar(length);
  mesh.quaternion.setFromUnitVectors(FROM_Z, normal);
  // normal·x = offset with the normal as given: its length scales the distance.
  mesh.position.copy(normal).multiplyScalar((collider.shape.offset ?? 0) / length);
}

/** A smooth solid. In depth it is drawn slightly farther than it is: between two vertices
 * a coarse cloth cuts through a round body, and the body must not show there. */
function createBodyMaterial(movable: boolean, size: number): THREE.MeshStandardMaterial {
  const material = new THREE.MeshStandardMaterial({
    color: movable ? "#8fa3bf" : "#5c6370",
    roughness: movable ? 0.28 : 0.6,
    metalness: movable ? 0.15 : 0.05,
  });
  const push = { value: size * 0.04 };
  material.onBeforeCompile = (shader) => {
    shader.uniforms["push"] = push;
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nuniform float push;")
      .replace(
        "#include <project_vertex>",
        `#include <project_vertex>
        vec4 pushed = projectionMatrix * vec4(mvPosition.xyz * (1.0 + push / length(mvPosition.xyz)), 1.0);
        gl_Position.z = pushed.z * gl_Position.w / pushed.w;`,
      );
  };
  material.customProgramCacheKey = () => "body";
  return material;
}

/** A floor that fades out into the background, with a quiet grid of whole metres. */
function createFloorMaterial(stageRadius: number): THREE.MeshLambertMaterial {
  // It covers most of the picture: matt and in a single pass, since each of its pixels counts.
  const material = new THREE.MeshLambertMaterial({ color: "#323846", transparent: true, side: THREE.DoubleSide, forceSinglePass: true });
  const cell = 10 ** Math.round(Math.log10(stageRadius / 2));
  material.onBeforeCompile = (shader) => {
    shader.uniforms["reach"] = { value: stageRadius * 6 };
    shader.uniforms["cell"] = { value: cell };
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nvarying vec2 vFloor;")
      .replace("#include <begin_vertex>", "#include <begin_vertex>\nvFloor = position.xy;");
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", `#include <common>\n${FLOOR}`)
      .replace("#include <color_fragment>", "#include <color_fragment>\ndiffuseColor = floorColor(diffuseColor);");
  };
  material.customProgramCacheKey = () => "floor";
  return material;
}

const FLOOR = `
uniform float reach;
uniform float cell;
varying vec2 vFloor;
float gridLine(vec2 at) {
  vec2 w = max(fwidth(at), vec2(1e-5));
  vec2 d = abs(fract(at - 0.5) - 0.5) / w;
  return clamp(1.0 - min(d.x, d.y), 0.0, 1.0) * clamp(1.0 - 2.0 * max(w.x, w.y), 0.0, 1.0);
}
vec4 floorColor(vec4 base) {
  float grid = max(0.035 * gridLine(vFloor / cell * 2.0), 0.085 * gridLine(vFloor / cell));
  float fade = 1.0 - smoothstep(0.25, 1.0, length(vFloor) / reach);
  return vec4(base.rgb + vec3(grid) * vec3(0.55, 0.65, 0.85), base.a * fade * fade);
}
`;
