// What the page and its decode worker tell one another.
import type { Mesh } from "../../js/index.js";
import type { ObjectState, Pose } from "./motion";

export type ToWorker =
  | { kind: "forget" }
  | { kind: "mesh"; mesh: Mesh }
  | { kind: "binary"; data: ArrayBuffer };

export type FromWorker =
  | { kind: "topology"; object: number; vertexCount: number; triangles: Uint32Array; rest: Float32Array | null }
  /** tick -1: nothing of the world's state was in it. lost: segments that need a key first. */
  | { kind: "frame"; tick: number; bytes: number; states: ObjectState[]; poses: Pose[]; lost: number; needKey: string[] }
  | { kind: "broken"; reason: string };
