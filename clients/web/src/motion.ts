// Where objects are drawn between two ticks. The page draws one tick late and moves
// evenly from the last state to the newest; a frame marked CUT, a new epoch or a tick
// that goes back jumps at once. Colliders follow the same clock, so that nothing
// seems to run ahead of the cloth that it pushes.
import type { Quat } from "./protocol_types";
import type { Vec3 } from "./picking";

export interface ObjectState {
  object: number;
  epoch: number;
  positions: Float32Array;
  normals: Float32Array;
  cut: boolean;
}

export interface Pose {
  object: number;
  position: Vec3;
  rotation: Quat;
}

export interface ShownState {
  from: ObjectState;
  to: ObjectState;
}

export class Motion {
  private shown = new Map<number, ShownState>();
  private readonly poses = new Map<number, { from: Pose; to: Pose }>();
  private arrivedAt = 0;
  private intervalMs = 0;
  private lastTick = -1;
  enabled = true;

  /** A decoded frame: the states and poses that it changed. */
  push(tick: number, states: ObjectState[], poses: Pose[], now: number): void {
    const gap = now - this.arrivedAt;
    const jump = this.lastTick < 0 || tick < this.lastTick || gap > 250;
    // Follow the arrival interval slowly: jitter must not become speed changes.
    if (jump) this.intervalMs = 0;
    else this.intervalMs = this.intervalMs === 0 ? gap : this.intervalMs + 0.1 * (gap - this.intervalMs);
    this.arrivedAt = now;
    this.lastTick = tick;
    const fresh = new Set<number>();
    for (const state of states) {
      const old = this.shown.get(state.object);
      const still = !old || state.cut || jump || old.to.epoch !== state.epoch || old.to.positions.length !== state.positions.length;
      this.shown.set(state.object, { from: still ? state : old.to, to: state });
      fresh.add(state.object);
    }
    // What this frame did not change has arrived where it was going.
    for (const [object, state] of this.shown) if (!fresh.has(object)) state.from = state.to;
    for (const pose of this.poses.values()) pose.from = pose.to;
    const cut = jump || states.some((state) => state.cut);
    for (const pose of poses) {
      const old = this.poses.get(pose.object);
      this.poses.set(pose.object, { from: old && !cut ? old.to : pose, to: pose });
    }
  }

  /** How far from `from` to `to` it is now, 0…1. */
  alpha(now: number): number {
    if (!this.enabled || this.intervalMs <= 0) return 1;
    const t = (now - this.arrivedAt) / Math.min(this.intervalMs, 100);
    return t < 0 ? 0 : t > 1 ? 1 : t;
  }

  get(object: number): ShownState | undefined {
    return this.shown.get(object);
  }

  getPose(object: number): { from: Pose; to: Pose } | undefined {
    return this.poses.get(object);
  }

  remove(object: number): void {
    this.shown.delete(object);
    this.poses.delete(object);
  }

  clear(): void {
    this.shown.clear();
    this.poses.clear();
    this.lastTick = -1;
    this.intervalMs = 0;
  }
}

/** from + alpha (to − from), element by element, into out. */
export function mix(from: Float32Array, to: Float32Array, alpha: number, out: Float32Array): void {
  if (alpha >= 1 || from === to) {
    out.set(to);
    return;
  }
  for (let i = 0; i < to.length; i++) out[i] = from[i]! + alpha * (to[i]! - from[i]!);
}
