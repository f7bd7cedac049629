// Pin markers: discs of constant size on the screen, so that they can be grasped
// from any distance.
import * as THREE from "three";
import type { ClothView } from "./cloth_view";

const SIZE_PX = 15;
/** A whole pinned row must not become a black bar. */
const CROWD = 40;
const CROWD_SIZE_PX = 8;

export class PinView {
  readonly points: THREE.Points<THREE.BufferGeometry, THREE.ShaderMaterial>;
  private vertices: number[] = [];
  private hover = -1;

  constructor(private readonly pixelRatio: number) {
    const material = new THREE.ShaderMaterial({
      uniforms: { size: { value: SIZE_PX * pixelRatio } },
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      transparent: true,
      depthWrite: false,
    });
    this.points = new THREE.Points(new THREE.BufferGeometry(), material);
    this.points.frustumCulled = false;
    this.points.renderOrder = 5;
  }

  /** The pinned vertices to mark, and the one under the pointer (-1: none), which may be unpinned. */
  set(pins: Iterable<number>, vertexCount: number, hover: number): void {
    this.hover = hover;
    this.vertices = [...pins].filter((v) => v < vertexCount);
    if (hover >= 0 && hover < vertexCount && !this.vertices.includes(hover)) this.vertices.push(hover);
    const pinned = new Set(pins);
    const look = Float32Array.from(this.vertices, (v) => (v === this.hover ? (pinned.has(v) ? 1 : 2) : 0));
    this.points.material.uniforms["size"]!.value = (this.vertices.length > CROWD ? CROWD_SIZE_PX : SIZE_PX) * this.pixelRatio;
    const geometry = this.points.geometry;
    geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(3 * this.vertices.length), 3));
    geometry.setAttribute("look", new THREE.BufferAttribute(look, 1));
  }

  /** Moves the markers to where the cloth is drawn. */
  follow(cloth: ClothView): void {
    const attribute = this.points.geometry.getAttribute("position") as THREE.BufferAttribute | undefined;
    if (!attribute) return;
    this.vertices.forEach((v, i) => attribute.setXYZ(i, cloth.drawn[3 * v]!, cloth.drawn[3 * v + 1]!, cloth.drawn[3 * v + 2]!));
    attribute.needsUpdate = true;
    this.points.visible = cloth.group.visible && this.vertices.length > 0;
  }

  dispose(): void {
    this.points.geometry.dispose();
    this.points.material.dispose();
    this.points.removeFromParent();
  }
}

const VERTEX = `
uniform float size;
attribute float look;
varying float vLook;
void main() {
  vLook = look;
  vec4 eye = modelViewMatrix * vec4(position, 1.0);
  gl_Position = projectionMatrix * eye;
  // A little towards the eye: a marker lies on its cloth, not half inside.
  vec4 nearer = projectionMatrix * vec4(eye.xyz * 0.985, 1.0);
  gl_Position.z = nearer.z * gl_Position.w / nearer.w;
  gl_PointSize = size * (look > 0.5 ? 1.45 : 1.0);
}
`;
const FRAGMENT = `
varying float vLook;
void main() {
  float d = length(gl_PointCoord - 0.5) * 2.0;
  float w = fwidth(d);
  float disc = 1.0 - smoothstep(1.0 - w, 1.0, d);
  vec3 fill = vLook > 1.5 ? vec3(0.55, 0.9, 1.0) : (vLook > 0.5 ? vec3(1.0, 0.93, 0.55) : vec3(1.0, 0.78, 0.28));
  vec3 color = mix(fill, vec3(0.07, 0.06, 0.05), smoothstep(0.58 - w, 0.62 + w, d));
  float alpha = vLook > 1.5 ? 0.85 : 1.0;
  gl_FragColor = vec4(color, disc * alpha);
}
`;
