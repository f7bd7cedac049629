// The stage: renderer, camera, orbiting, lights and the draw loop. It draws only when
// something asked for it, so that a resting page costs nothing.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { RoomEnvironment } from "three/examples/jsm/environments/RoomEnvironment.js";
import type { Vec3 } from "./picking";
import { chooseQuality, Governor, rendererName, type Quality } from "./quality";

/** Thrown where the browser has no WebGL; the page then says so in a sentence. */
export class NoWebGL extends Error {}

export class SceneView {
  readonly scene = new THREE.Scene();
  readonly camera = new THREE.PerspectiveCamera(42, 1, 0.01, 500);
  readonly controls: OrbitControls;
  readonly renderer: THREE.WebGLRenderer;
  /** Called before each draw with the time in ms; returns true while it wants another one. */
  onFrame: (now: number) => boolean = () => false;
  onDrawn: (now: number) => void = () => {};
  private readonly sun = new THREE.DirectionalLight(0xfff1e0, 2.2);
  private readonly rim = new THREE.DirectionalLight(0x8fb4ff, 0.9);
  readonly quality: Quality;
  private readonly governor = new Governor();
  private readonly adaptive: boolean;
  private inset = 0;
  private dirty = true;
  private home: { eye: THREE.Vector3; target: THREE.Vector3 } | null = null;
  private flight: { from: THREE.Vector3; fromTarget: THREE.Vector3; start: number } | null = null;

  /** Before OrbitControls listens, first gets the canvas: a drag must win over orbiting. */
  constructor(
    private readonly host: HTMLElement,
    first: (canvas: HTMLCanvasElement) => void,
  ) {
    const name = rendererName();
    if (name === null) throw new NoWebGL("no context");
    const asked = new URLSearchParams(location.search).get("quality");
    this.quality = chooseQuality(name, asked);
    this.adaptive = asked === null;
    document.documentElement.classList.toggle("plain", !this.quality.rich);
    const canvas = document.createElement("canvas");
    canvas.id = "view";
    canvas.tabIndex = 0;
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", "The simulated world. Drag to orbit, wheel to zoom, right-drag to pan; drag the cloth to pull it, pins and colliders to move them.");
    try {
      this.renderer = new THREE.WebGLRenderer({ canvas, antialias: this.quality.antialias, alpha: this.quality.rich, powerPreference: "high-performance" });
    } catch (error) {
      throw new NoWebGL(String(error));
    }
    host.prepend(canvas);
    first(canvas);
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = this.quality.rich ? THREE.PCFShadowMap : THREE.BasicShadowMap;
    this.renderer.toneMapping = THREE.ACESFilmicToneMapping;
    this.renderer.toneMappingExposure = 0.98;
    // The page's own background shines through, or one colour where blending costs too much.
    if (this.quality.rich) this.renderer.setClearAlpha(0);
    else this.renderer.setClearColor(0x161a24);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.08;
    this.controls.maxPolarAngle = Math.PI * 0.96;
    this.controls.addEventListener("change", () => this.invalidate());
    this.controls.addEventListener("start", () => this.land());
    this.light();
    new ResizeObserver(() => this.resize()).observe(host);
    this.resize();
    canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
    canvas.addEventListener("webglcontextrestored", () => this.invalidate());
    this.renderer.setAnimationLoop((now) => this.loop(now));
  }

  /** Asks for a draw. */
  invalidate(): void {
    this.dirty = true;
  }

  /** Lights and clipping planes for a world around center of this radius. */
  fitStage(center: Vec3, radius: number): void {
    const c = new THREE.Vector3(...center);
    this.sun.position.copy(c).add(new THREE.Vector3(0.55, 1.25, 0.7).multiplyScalar(radius * 2.4));
    this.sun.target.position.copy(c);
    this.rim.position.copy(c).add(new THREE.Vector3(-0.9, 0.5, -0.9).multiplyScalar(radius * 2.4));
    this.rim.target.position.copy(c);
    const shadow = this.sun.shadow.camera;
    shadow.left = shadow.bottom = -radius * 1.5;
    shadow.right = shadow.top = radius * 1.5;
    shadow.near = radius * 0.2;
    shadow.far = radius * 8;
    shadow.updateProjectionMatrix();
    this.sun.shadow.normalBias = radius * 0.006;
    this.camera.near = Math.max(radius * 0.005, 1e-4);
    this.camera.far = radius * 80;
    this.camera.updateProjectionMatrix();
    this.controls.minDistance = radius * 0.05;
    this.controls.maxDistance = radius * 20;
    this.invalidate();
  }

  /** The pose that camera reset returns to; jump: go there now. */
  setHome(eye: Vec3, target: Vec3, jump: boolean): void {
    this.home = { eye: new THREE.Vector3(...eye), target: new THREE.Vector3(...target) };
    if (jump) {
      this.camera.position.copy(this.home.eye);
      this.controls.target.copy(this.home.target);
      this.controls.enableDamping = false;
      this.controls.update();
      this.land();
      this.invalidate();
    }
  }

  /** Flies back to the home pose (at once for those who asked for less motion). */
  resetCamera(): void {
    if (!this.home) return;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
      this.setHome(this.home.eye.toArray(), this.home.target.toArray(), true);
      return;
    }
    // What is left of an orbit's swing must not carry the camera past its home.
    this.controls.enableDamping = false;
    this.flight = { from: this.camera.position.clone(), fromTarget: this.controls.target.clone(), start: performance.now() };
    this.invalidate();
  }

  /** Pixels of the width that the panel covers. */
  covered(): number {
    return this.inset;
  }

  /** True while the picture shows all there is: no draw is due. */
  isResting(): boolean {
    return !this.dirty && this.flight === null;
  }

  viewProjection(): number[] {
    this.camera.updateMatrixWorld();
    return new THREE.Matrix4().multiplyMatrices(this.camera.projectionMatrix, this.camera.matrixWorldInverse).toArray();
  }

  size(): { width: number; height: number } {
    return { width: this.host.clientWidth, height: this.host.clientHeight };
  }

  private light(): void {
    if (this.quality.rich) {
      const generator = new THREE.PMREMGenerator(this.renderer);
      this.scene.environment = generator.fromScene(new RoomEnvironment(), 0.04).texture;
      this.scene.environmentIntensity = 0.24;
      generator.dispose();
    }
    const sky = new THREE.HemisphereLight(0xc9d4f5, 0x4a4652, this.quality.rich ? 0.5 : 1.5);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(this.quality.shadowSize, this.quality.shadowSize);
    this.sun.shadow.bias = -0.0004;
    this.sun.shadow.radius = 4;
    this.scene.add(sky, this.sun, this.sun.target, this.rim, this.rim.target);
    this.fitStage([0, 0, 0], 2);
    this.setHome([2.2, 1.6, 3.4], [0, 0, 0], true);
  }

  /** Pixels at the right that the panel covers: the picture's middle moves left by half of it. */
  setInset(right: number): void {
    this.inset = right;
    this.resize();
  }

  private resize(): void {
    const { width, height } = this.size();
    if (width === 0 || height === 0) return;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, this.quality.maxPixelRatio) * this.governor.scale);
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.setViewOffset(width, height, this.inset / 2, 0, width, height);
    this.camera.updateProjectionMatrix();
    this.invalidate();
  }

  private land(): void {
    this.flight = null;
    this.controls.enableDamping = true;
  }

  private fly(now: number): void {
    if (!this.flight || !this.home) return;
    const t = Math.min((now - this.flight.start) / 450, 1);
    const eased = 1 - (1 - t) ** 3;
    this.camera.position.lerpVectors(this.flight.from, this.home.eye, eased);
    this.controls.target.lerpVectors(this.flight.fromTarget, this.home.target, eased);
    this.invalidate();
    if (t < 1) return;
    this.land();
  }

  private loop(now: number): void {
    this.fly(now);
    this.controls.update();
    const more = this.onFrame(now);
    if (!this.dirty && !more) return;
    this.dirty = false;
    this.renderer.render(this.scene, this.camera);
    this.onDrawn(now);
    if (this.adaptive && this.governor.drawn(now)) this.resize();
  }
}
