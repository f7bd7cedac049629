// The mouse on the stage: dragging a pin or a collider in the plane parallel to the
// view, pinning with Shift-click, and what lies under the pointer. Everything else
// is left to the orbiting camera.
import * as THREE from "three";
import { add, nearestCorner, nearestVertex, rayPlane, subtract, type Vec3 } from "./picking";
import type { Send } from "./panel";
import type { SceneView } from "./scene_view";
import type { Stage } from "./stage";
import type { Store } from "./store";
import { Throttle } from "./throttle";

/** Commands that follow the mouse: 60 a second at most. */
const MOVE_INTERVAL_MS = 1000 / 60;
const PIN_RADIUS_PX = { mouse: 14, touch: 26 };
const CLICK_SLOP_PX = 5;

type Target = { kind: "pin"; object: number; cloth: string; vertex: number; at: Vec3 } | { kind: "collider"; object: number; collider: string; at: Vec3 };

interface Drag {
  target: Target;
  pointer: number;
  /** From the point that was grasped to the object's own position. */
  grip: Vec3;
  planePoint: Vec3;
  planeNormal: Vec3;
}

export class DragControl {
  /** Clicks pin and unpin instead of dragging: for touch screens and by button. */
  pinMode = false;
  private drag: Drag | null = null;
  private press: { x: number; y: number; pointer: number } | null = null;
  private last: PointerEvent | null = null;
  private readonly mover = new Throttle<{ target: Target; position: Vec3 }>(MOVE_INTERVAL_MS, ({ target, position }) => this.sendMove(target, position));
  private readonly raycaster = new THREE.Raycaster();
  private canvas!: HTMLCanvasElement;

  constructor(
    private readonly store: Store,
    private readonly send: Send,
    private readonly complain: (sentence: string) => void,
  ) {}

  private view!: SceneView;
  private stage!: Stage;

  /** Listens before OrbitControls does: whoever is first may switch it off for this press. */
  listen(canvas: HTMLCanvasElement): void {
    this.canvas = canvas;
    canvas.addEventListener("pointerdown", (event) => this.down(event), { capture: true });
    canvas.addEventListener("pointermove", (event) => this.move(event), { capture: true });
    canvas.addEventListener("pointerup", (event) => this.up(event), { capture: true });
    canvas.addEventListener("pointercancel", (event) => this.up(event), { capture: true });
    canvas.addEventListener("blur", () => canvas.classList.remove("pressed"));
    canvas.addEventListener("pointerleave", () => {
      this.last = null;
      if (!this.drag) this.clearHover();
    });
    window.addEventListener("keydown", (event) => event.key === "Shift" && this.hover());
    window.addEventListener("keyup", (event) => event.key === "Shift" && this.hover());
  }

  attach(view: SceneView, stage: Stage): void {
    this.view = view;
    this.stage = stage;
  }

  private down(event: PointerEvent): void {
    if (event.button !== 0 || this.drag) return;
    // Focused by a press: the ring around the whole picture is for keyboards only.
    this.canvas.classList.add("pressed");
    this.canvas.focus({ preventScroll: true });
    if (event.shiftKey || this.pinMode) {
      this.press = { x: event.clientX, y: event.clientY, pointer: event.pointerId };
      if (event.shiftKey) this.view.controls.enabled = false;
      return;
    }
    const target = this.pick(event);
    if (!target) return;
    const reason = this.store.whyReadOnly();
    if (reason) {
      this.complain(reason);
      return;
    }
    const normal = this.view.camera.getWorldDirection(new THREE.Vector3()).toArray();
    const grasp = this.pointOn(event, target.at, normal);
    if (!grasp) return;
    const own: Vec3 = target.kind === "collider" ? [...this.store.colliders.get(target.object)!.position] : target.at;
    this.drag = { target, pointer: event.pointerId, grip: subtract(own, grasp), planePoint: grasp, planeNormal: normal };
    this.view.controls.enabled = false;
    try {
      this.canvas.setPointerCapture(event.pointerId);
    } catch {
      // The pointer is already gone; its pointerup still ends the drag.
    }
    this.canvas.classList.add("dragging");
  }

  private move(event: PointerEvent): void {
    this.last = event;
    if (this.drag && event.pointerId === this.drag.pointer) {
      const point = this.pointOn(event, this.drag.planePoint, this.drag.planeNormal);
      if (!point) return;
      const position = add(point, this.drag.grip);
      if (this.drag.target.kind === "collider") {
        this.stage.colliders.get(this.drag.target.object)?.highlight(true, position);
        this.view.invalidate();
      }
      this.mover.push({ target: this.drag.target, position });
      return;
    }
    if (event.buttons === 0) this.hover();
  }

  private up(event: PointerEvent): void {
    this.view.controls.enabled = true;
    if (this.drag && event.pointerId === this.drag.pointer) {
      this.mover.flush();
      this.drag = null;
      this.canvas.classList.remove("dragging");
      // The world is still moving what was dragged: marks come with the pointer's next move.
      this.clearHover();
      return;
    }
    const press = this.press;
    this.press = null;
    if (!press || press.pointer !== event.pointerId || event.type !== "pointerup") return;
    if (Math.hypot(event.clientX - press.x, event.clientY - press.y) > CLICK_SLOP_PX) return;
    this.togglePin(event);
  }

  private sendMove(target: Target, position: Vec3): void {
    if (target.kind === "pin") this.send("cloth.move", { cloth: target.cloth, vertices: [target.vertex], positions: position });
    else this.send("collider.move", { collider: target.collider, position });
  }

  private togglePin(event: PointerEvent): void {
    const hit = this.pickVertex(event);
    if (!hit) {
      this.complain("There is no vertex of a cloth there.");
      return;
    }
    const reason = this.store.whyReadOnly();
    if (reason) {
      this.complain(reason);
      return;
    }
    const cloth = this.store.cloths.get(hit.object)!;
    this.send(cloth.pins.has(hit.vertex) ? "cloth.unpin" : "cloth.pin", { cloth: cloth.name, vertices: [hit.vertex] });
  }

  /** Marks what a press would take. */
  private hover(): void {
    const event = this.last;
    if (!event || this.drag) return;
    if (event.shiftKey || this.pinMode) {
      this.clearHover();
      this.stage.setHover(this.pickVertex(event));
      this.canvas.style.cursor = "crosshair";
      return;
    }
    const target = this.pick(event);
    this.stage.setHover(target?.kind === "pin" ? { object: target.object, vertex: target.vertex } : null);
    for (const [object, view] of this.stage.colliders) view.highlight(target?.kind === "collider" && target.object === object, null);
    this.canvas.style.cursor = target ? "grab" : "";
    this.view.invalidate();
  }

  private clearHover(): void {
    this.stage.setHover(null);
    for (const view of this.stage.colliders.values()) view.highlight(false, null);
    this.canvas.style.cursor = "";
    this.view.invalidate();
  }

  /** A pin under the pointer, else a collider that may move. Colliders are also taken
   * through a cloth that lies on them: else a covered one could never be moved. */
  private pick(event: PointerEvent): Target | null {
    const at = this.local(event);
    const matrix = this.view.viewProjection();
    const radius = event.pointerType === "touch" ? PIN_RADIUS_PX.touch : PIN_RADIUS_PX.mouse;
    for (const [object, { view }] of this.stage.cloths) {
      const cloth = this.store.cloths.get(object);
      if (!cloth || !view.group.visible) continue;
      const vertex = nearestVertex(view.drawn, cloth.pins, matrix, this.view.size(), at, radius);
      if (vertex >= 0) return { kind: "pin", object, cloth: cloth.name, vertex, at: vertexAt(view.drawn, vertex) };
    }
    this.aim(at);
    let best: { distance: number; target: Target } | null = null;
    for (const [object, view] of this.stage.colliders) {
      if (view.collider.motion === "static") continue;
      const hit = this.raycaster.intersectObject(view.handle, false)[0];
      if (hit && (!best || hit.distance < best.distance)) {
        best = { distance: hit.distance, target: { kind: "collider", object, collider: view.collider.name, at: hit.point.toArray() } };
      }
    }
    return best?.target ?? null;
  }

  /** The vertex that a click means: the nearest corner of the face under the pointer, or
   * a vertex near it on the screen. */
  private pickVertex(event: PointerEvent): { object: number; vertex: number } | null {
    const at = this.local(event);
    this.aim(at);
    let best: { distance: number; object: number; vertex: number } | null = null;
    for (const [object, { view }] of this.stage.cloths) {
      if (!view.group.visible) continue;
      const hit = this.raycaster.intersectObject(view.mesh, false)[0];
      if (!hit?.face || (best && best.distance < hit.distance)) continue;
      best = { distance: hit.distance, object, vertex: nearestCorner(view.drawn, [hit.face.a, hit.face.b, hit.face.c], hit.point.toArray()) };
    }
    if (best) return best;
    for (const [object, { view }] of this.stage.cloths) {
      if (!view.group.visible) continue;
      const vertex = nearestVertex(view.drawn, null, this.view.viewProjection(), this.view.size(), at, PIN_RADIUS_PX.mouse);
      if (vertex >= 0) return { object, vertex };
    }
    return null;
  }

  private local(event: PointerEvent): { x: number; y: number } {
    const box = this.canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  private aim(at: { x: number; y: number }): void {
    const { width, height } = this.view.size();
    this.view.camera.updateMatrixWorld();
    this.raycaster.setFromCamera(new THREE.Vector2((at.x / width) * 2 - 1, 1 - (at.y / height) * 2), this.view.camera);
  }

  private pointOn(event: PointerEvent, point: Vec3, normal: Vec3): Vec3 | null {
    this.aim(this.local(event));
    const { origin, direction } = this.raycaster.ray;
    return rayPlane(origin.toArray(), direction.toArray(), point, normal);
  }
}

function vertexAt(positions: Float32Array, vertex: number): Vec3 {
  return [positions[3 * vertex]!, positions[3 * vertex + 1]!, positions[3 * vertex + 2]!];
}
