// The mouse on the stage: dragging a pin, a collider or the cloth itself in the plane
// parallel to the view, and pinning with Shift-click. Everything else is left to the
// orbiting camera.
import * as THREE from "three";
import { Grab, type Request } from "./grab";
import { add, subtract, type Vec3 } from "./picking";
import { PointerPick, type Target } from "./pointer_pick";
import type { Send } from "./panel";
import type { SceneView } from "./scene_view";
import type { Stage } from "./stage";
import type { Store } from "./store";
import { Throttle } from "./throttle";

/** Commands that follow the mouse: 60 a second at most. */
const MOVE_INTERVAL_MS = 1000 / 60;
const CLICK_SLOP_PX = 5;

interface Drag {
  target: Target;
  pointer: number;
  /** From the point that was grasped to the object's own position. */
  grip: Vec3;
  planePoint: Vec3;
  planeNormal: Vec3;
  /** The cloth in the hand. */
  grab: Grab | null;
  /** Where it is wanted now. */
  position: Vec3;
  /** A dynamic body falls at once where it was put: while it is held it is put there again. */
  hold: ReturnType<typeof setInterval> | undefined;
}

export class DragControl {
  /** Clicks pin and unpin instead of dragging: for touch screens and by button. */
  pinMode = false;
  private drag: Drag | null = null;
  private press: { x: number; y: number; pointer: number } | null = null;
  private last: PointerEvent | null = null;
  private readonly mover = new Throttle<{ drag: Drag; position: Vec3 }>(MOVE_INTERVAL_MS, ({ drag, position }) => this.sendMove(drag, position));
  private canvas!: HTMLCanvasElement;
  private view!: SceneView;
  private stage!: Stage;
  private under!: PointerPick;

  constructor(
    private readonly store: Store,
    private readonly commands: { send: Send; request: Request; refused(error: unknown): void },
    private readonly complain: (sentence: string) => void,
  ) {}

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
    this.under = new PointerPick(this.canvas, view, stage, this.store);
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
    const target = this.under.target(event);
    if (!target) return;
    const reason = this.store.whyReadOnly();
    if (reason) {
      // Who only watches may turn the view wherever the press lands.
      if (target.kind !== "cloth") this.complain(reason);
      return;
    }
    const normal = this.view.camera.getWorldDirection(new THREE.Vector3()).toArray();
    const grasp = this.under.pointOn(event, target.at, normal);
    if (!grasp) return;
    const own: Vec3 = target.kind === "collider" ? [...this.store.colliders.get(target.object)!.position] : target.at;
    const grab = target.kind === "cloth" ? new Grab(this.commands.request, target.cloth, target.vertex, own, this.commands.refused) : null;
    const drag: Drag = { target, pointer: event.pointerId, grip: subtract(own, grasp), planePoint: grasp, planeNormal: normal, grab, position: own, hold: undefined };
    if (target.kind === "collider" && this.store.colliders.get(target.object)!.motion === "dynamic") {
      drag.hold = setInterval(() => this.mover.push({ drag, position: drag.position }), MOVE_INTERVAL_MS);
    }
    this.drag = drag;
    if (grab) this.stage.setHand(target.object, (target as { vertex: number }).vertex, own);
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
    const { drag } = this;
    if (drag && event.pointerId === drag.pointer) {
      const point = this.under.pointOn(event, drag.planePoint, drag.planeNormal);
      if (!point) return;
      const position = add(point, drag.grip);
      const { target } = drag;
      if (target.kind === "collider") this.stage.colliders.get(target.object)?.highlight(true, position);
      if (target.kind === "cloth") this.stage.setHand(target.object, target.vertex, position);
      this.view.invalidate();
      drag.position = position;
      this.mover.push({ drag, position });
      return;
    }
    if (event.buttons === 0) this.hover();
  }

  private up(event: PointerEvent): void {
    this.view.controls.enabled = true;
    if (this.drag && event.pointerId === this.drag.pointer) {
      clearInterval(this.drag.hold);
      this.mover.flush();
      this.drag.grab?.release();
      this.drag = null;
      this.stage.clearHand();
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

  private sendMove({ target, grab }: Drag, position: Vec3): void {
    if (grab) grab.drag(position);
    else if (target.kind === "pin") this.commands.send("cloth.move", { cloth: target.cloth, vertices: [target.vertex], positions: position });
    else if (target.kind === "collider") this.commands.send("collider.move", { collider: target.collider, position });
  }

  private togglePin(event: PointerEvent): void {
    const hit = this.under.vertex(event);
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
    this.commands.send(cloth.pins.has(hit.vertex) ? "cloth.unpin" : "cloth.pin", { cloth: cloth.name, vertices: [hit.vertex] });
  }

  /** Marks what a press would take. */
  private hover(): void {
    const event = this.last;
    if (!event || this.drag) return;
    if (event.shiftKey || this.pinMode) {
      this.clearHover();
      this.stage.setHover(this.under.vertex(event));
      this.canvas.style.cursor = "crosshair";
      return;
    }
    const target = this.under.target(event);
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
}
