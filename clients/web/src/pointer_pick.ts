// What lies under the pointer on the stage: pins, colliders, the cloth.
import * as THREE from "three";
import { nearestCorner, nearestVertex, rayPlane, type Vec3 } from "./picking";
import type { ColliderView } from "./collider_view";
import { thinness } from "./collider_shape";
import type { SceneView } from "./scene_view";
import type { Stage } from "./stage";
import type { Store } from "./store";

export type Target =
  | { kind: "pin"; object: number; cloth: string; vertex: number; at: Vec3 }
  | { kind: "cloth"; object: number; cloth: string; vertex: number; at: Vec3 }
  | { kind: "collider"; object: number; collider: string; at: Vec3 };

const PIN_RADIUS_PX = { mouse: 14, touch: 26 };
/** A collider this much of its size behind the cloth still counts as right under it. */
const UNDER = 0.3;

interface Hit {
  object: number;
  distance: number;
}

export class PointerPick {
  private readonly raycaster = new THREE.Raycaster();

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly view: SceneView,
    private readonly stage: Stage,
    private readonly store: Store,
  ) {}

  /** What a press would take: a pin, a collider that may be moved, or the cloth. A collider
   * is also taken through the cloth that lies on it: else a covered one could never be moved. */
  target(event: PointerEvent): Target | null {
    const pin = this.pin(event);
    if (pin) return pin;
    this.aim(event);
    const cloth = this.cloth(event);
    let nearest: (Hit & { view: ColliderView; at: Vec3 }) | null = null;
    for (const [object, view] of this.stage.colliders) {
      // A plane is taken by its handle; the plane itself hides nothing.
      if (view.collider.shape.type === "plane" && view.collider.motion === "static") continue;
      const hit = this.raycaster.intersectObject(view.handle, false)[0];
      if (hit && (!nearest || hit.distance < nearest.distance)) nearest = { object, distance: hit.distance, view, at: hit.point.toArray() };
    }
    if (nearest) {
      const { collider } = nearest.view;
      const behind = cloth ? nearest.distance - cloth.distance : 0;
      // A static one in front hides the cloth; what is not right under the cloth is behind it.
      if (collider.motion === "static" ? behind < 0 : behind <= (collider.shape.type === "mesh" ? 0 : UNDER * thinness(collider))) {
        return collider.motion === "static" ? null : { kind: "collider", object: nearest.object, collider: collider.name, at: nearest.at };
      }
    }
    if (!cloth) return null;
    const { drawn, name } = this.stage.cloths.get(cloth.object)!.view;
    return { kind: "cloth", object: cloth.object, cloth: name, vertex: cloth.vertex, at: vertexAt(drawn, cloth.vertex) };
  }

  /** The vertex that a click means: the nearest corner of the face under the pointer, or
   * a vertex near it on the screen. */
  vertex(event: PointerEvent): { object: number; vertex: number } | null {
    this.aim(event);
    const face = this.cloth(event);
    if (face) return face;
    const at = this.local(event);
    for (const [object, { view }] of this.stage.cloths) {
      if (!view.group.visible) continue;
      const vertex = nearestVertex(view.drawn, null, this.view.viewProjection(), this.view.size(), at, PIN_RADIUS_PX.mouse);
      if (vertex >= 0) return { object, vertex };
    }
    return null;
  }

  /** Where the pointer's ray meets the plane through point. */
  pointOn(event: PointerEvent, point: Vec3, normal: Vec3): Vec3 | null {
    this.aim(event);
    const { origin, direction } = this.raycaster.ray;
    return rayPlane(origin.toArray(), direction.toArray(), point, normal);
  }

  private pin(event: PointerEvent): Target | null {
    const at = this.local(event);
    const matrix = this.view.viewProjection();
    const radius = event.pointerType === "touch" ? PIN_RADIUS_PX.touch : PIN_RADIUS_PX.mouse;
    for (const [object, { view }] of this.stage.cloths) {
      const cloth = this.store.cloths.get(object);
      if (!cloth || !view.group.visible) continue;
      const vertex = nearestVertex(view.drawn, cloth.pins, matrix, this.view.size(), at, radius);
      if (vertex >= 0) return { kind: "pin", object, cloth: cloth.name, vertex, at: vertexAt(view.drawn, vertex) };
    }
    return null;
  }

  /** The cloth that the ray meets first, and the corner next to that place. */
  private cloth(event: PointerEvent): (Hit & { vertex: number }) | null {
    let best: (Hit & { vertex: number }) | null = null;
    for (const [object, { view }] of this.stage.cloths) {
      if (!view.group.visible) continue;
      if (view.ropes) {
        // Too thin to be hit: a knot near the pointer will do.
        const vertex = nearestVertex(view.drawn, null, this.view.viewProjection(), this.view.size(), this.local(event), PIN_RADIUS_PX.mouse);
        if (vertex < 0) continue;
        const distance = this.raycaster.ray.origin.distanceTo(new THREE.Vector3(...vertexAt(view.drawn, vertex)));
        if (!best || distance < best.distance) best = { object, distance, vertex };
        continue;
      }
      const hit = this.raycaster.intersectObject(view.mesh, false)[0];
      if (!hit?.face || (best && best.distance < hit.distance)) continue;
      best = { object, distance: hit.distance, vertex: nearestCorner(view.drawn, [hit.face.a, hit.face.b, hit.face.c], hit.point.toArray()) };
    }
    return best;
  }

  private local(event: PointerEvent): { x: number; y: number } {
    const box = this.canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  private aim(event: PointerEvent): void {
    const at = this.local(event);
    const { width, height } = this.view.size();
    this.view.camera.updateMatrixWorld();
    this.raycaster.setFromCamera(new THREE.Vector2((at.x / width) * 2 - 1, 1 - (at.y / height) * 2), this.view.camera);
  }
}

function vertexAt(positions: Float32Array, vertex: number): Vec3 {
  return [positions[3 * vertex]!, positions[3 * vertex + 1]!, positions[3 * vertex + 2]!];
}
