// The JSON of the protocol that the viewer reads (PROTOCOL.md is normative).
// Members that the viewer does not use are left out; unknown ones are ignored.
import type { Vec3 } from "./picking";

export type Quat = [number, number, number, number];
export type Params = Record<string, unknown>;

/** static refuses to move, kinematic moves when told, dynamic moves by forces and contact. */
export type BodyMotion = "static" | "kinematic" | "dynamic";

export interface Shape {
  /** A mesh's triangles come as TRIANGLES and REST, in the collider's own frame. */
  type: "plane" | "sphere" | "capsule" | "box" | "mesh";
  normal?: Vec3;
  offset?: number;
  radius?: number;
  half_height?: number;
  half_extents?: Vec3;
}

export interface HelloMessage {
  version?: string;
  session?: string;
  role?: "view" | "control";
  limits?: Record<string, number>;
  worlds?: { world: string }[];
  error?: string | { message?: string };
}

export interface MeshMessage {
  world: string;
  world_index: number;
  epoch: number;
  object: number;
  name: string;
  kind: "cloth" | "collider";
  step_exp?: number;
  vertex_count?: number;
  triangle_count?: number;
  cols?: number;
  order?: number[] | null;
  pins?: number[];
  style?: { color?: string } | null;
  shape?: Shape;
  motion?: BodyMotion;
  /** kg, of dynamic colliders. */
  mass?: number;
  asleep?: boolean;
  position?: Vec3;
  rotation?: Quat;
  removed?: boolean;
}

export interface EventMessage {
  world?: string;
  seq?: number;
  tick?: number;
  client?: string | number | null;
  method?: string;
  params?: Params;
  event?: string;
  [member: string]: unknown;
}

export interface SceneInfo {
  scene: string;
  title?: string;
  description?: string;
}
