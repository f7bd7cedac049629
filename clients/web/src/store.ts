// What the viewer knows of its world, fed by replies, notifications and frames.
// It changes only here; views listen to topics and read.
import type { BodyMotion, EventMessage, MeshMessage, Params, Quat, SceneInfo, Shape } from "./protocol_types";
import type { Vec3 } from "./picking";

export interface Cloth {
  object: number;
  name: string;
  epoch: number;
  vertexCount: number;
  triangleCount: number;
  pins: Set<number>;
  /** The tick that was shown when the pins last changed. */
  pinsTick: number;
  color: string | null;
  /** At rest, and left out of the computation until something wakes it. */
  asleep: boolean;
  /** Members of cloth.set as the server last said. */
  settings: Record<string, unknown>;
}

export interface Collider {
  object: number;
  name: string;
  epoch: number;
  shape: Shape;
  motion: BodyMotion;
  /** kg; null where it has none. */
  mass: number | null;
  asleep: boolean;
  position: Vec3;
  rotation: Quat;
}

/** connected: the socket answers. role: what the server lets us do. objects: cloths and
 * colliders came or went. params: a setting changed. scene: all settings are another
 * scene's. known: the world is there now, or no longer. sleep: something fell asleep or woke.
 * pins, poses, run: as they say. */
export type Topic = "connection" | "role" | "known" | "objects" | "scene" | "params" | "pins" | "poses" | "sleep" | "run" | "scenes" | "world";

export type Connection = "connecting" | "open" | "lost" | "refused";

/** What an event leaves unknown and the caller has to ask the server for. */
export interface Need {
  describeWorld?: boolean;
  describeCloth?: string;
}

export class Store {
  connection: Connection = "connecting";
  role: "view" | "control" = "control";
  serverVersion = "";
  world: string;
  /** The server has described the world: what stands here is its. */
  known = false;
  running = false;
  tick = 0;
  title = "";
  description = "";
  /** Name of the scene, where a load told it; its title says more surely which one it is. */
  scene: string | null = null;
  view: { eye: Vec3; target: Vec3 } | null = null;
  scenes: SceneInfo[] = [];
  /** Members of world.set (gravity, drag, …) without solver. */
  settings: Record<string, unknown> = {};
  solver: Record<string, unknown> = {};
  readonly cloths = new Map<number, Cloth>();
  readonly colliders = new Map<number, Collider>();
  private otherScene = true;
  private readonly listeners = new Map<Topic, Set<() => void>>();

  constructor(world: string) {
    this.world = world;
  }

  on(topic: Topic, listener: () => void): void {
    let set = this.listeners.get(topic);
    if (!set) this.listeners.set(topic, (set = new Set()));
    set.add(listener);
  }

  emit(topic: Topic): void {
    for (const listener of this.listeners.get(topic) ?? []) listener();
  }

  /** May this page change the world now? Null, or the reason why not as a sentence. */
  whyReadOnly(): string | null {
    if (this.connection !== "open") return "There is no connection to the server at the moment.";
    if (this.role === "view") return "This link is for watching only: the server gave it the role “view”.";
    if (!this.known) return `The world “${this.world}” is not there yet.`;
    return null;
  }

  setConnection(connection: Connection): void {
    if (this.connection === connection) return;
    this.connection = connection;
    this.emit("connection");
  }

  setRole(role: "view" | "control"): void {
    this.role = role;
    this.emit("role");
  }

  setScenes(scenes: SceneInfo[]): void {
    this.scenes = scenes;
    this.emit("scenes");
  }

  setRunning(running: boolean): void {
    if (this.running === running) return;
    this.running = running;
    this.emit("run");
  }

  /** The name of the scene that is loaded, or null when it is none of the server's list. */
  currentScene(): string | null {
    const titled = this.scenes.find((scene) => scene.title !== undefined && scene.title !== "" && scene.title === this.title);
    return (titled ?? this.scenes.find((scene) => scene.scene === this.scene))?.scene ?? null;
  }

  clothByName(name: string): Cloth | undefined {
    for (const cloth of this.cloths.values()) if (cloth.name === name) return cloth;
    return undefined;
  }

  colliderByName(name: string): Collider | undefined {
    for (const collider of this.colliders.values()) if (collider.name === name) return collider;
    return undefined;
  }

  /** Forgets the world: a new subscription announces all of it again. */
  clearWorld(): void {
    this.cloths.clear();
    this.colliders.clear();
    this.scene = null;
    this.title = this.description = "";
    this.settings = {};
    this.solver = {};
    this.known = false;
    this.otherScene = true;
    this.setRunning(false);
    for (const topic of ["known", "objects", "world"] as const) this.emit(topic);
  }

  applyMesh(mesh: MeshMessage): void {
    if (mesh.world !== this.world) return;
    if (mesh.removed) {
      const known = this.cloths.get(mesh.object) ?? this.colliders.get(mesh.object);
      // A late removal must not take an object that already has the index in a newer epoch.
      if (!known || (mesh.epoch !== undefined && known.epoch > mesh.epoch)) return;
      this.cloths.delete(mesh.object);
      this.colliders.delete(mesh.object);
      this.emit("objects");
      return;
    }
    if (mesh.kind === "cloth") this.applyClothMesh(mesh);
    else this.applyColliderMesh(mesh);
  }

  private applyClothMesh(mesh: MeshMessage): void {
    this.colliders.delete(mesh.object);
    const old = this.cloths.get(mesh.object);
    const vertexCount = mesh.vertex_count ?? 0;
    // The same object again: only its pins are news.
    const same = old?.name === mesh.name && old.epoch === mesh.epoch && old.vertexCount === vertexCount;
    const cloth: Cloth = {
      object: mesh.object,
      name: mesh.name,
      epoch: mesh.epoch,
      vertexCount,
      triangleCount: mesh.triangle_count ?? 0,
      pins: same ? old.pins : new Set(),
      pinsTick: same ? old.pinsTick : this.tick,
      color: mesh.style?.color ?? null,
      asleep: mesh.asleep ?? (same ? old.asleep : false),
      settings: old?.name === mesh.name ? old.settings : {},
    };
    this.setPins(cloth, mesh.pins ?? []);
    this.cloths.set(mesh.object, cloth);
    if (!same) this.emit("objects");
    this.emit("pins");
  }

  private applyColliderMesh(mesh: MeshMessage): void {
    this.cloths.delete(mesh.object);
    const old = this.colliders.get(mesh.object);
    const collider: Collider = {
      object: mesh.object,
      name: mesh.name,
      epoch: mesh.epoch,
      shape: mesh.shape ?? { type: "sphere", radius: 0.1 },
      motion: mesh.motion ?? "kinematic",
      mass: mesh.mass ?? null,
      asleep: mesh.asleep ?? false,
      position: mesh.position ?? [0, 0, 0],
      rotation: mesh.rotation ?? [0, 0, 0, 1],
    };
    this.colliders.set(mesh.object, collider);
    const same = old && old.name === collider.name && old.epoch === collider.epoch && old.motion === collider.motion && JSON.stringify(old.shape) === JSON.stringify(collider.shape);
    this.emit(same ? "poses" : "objects");
  }

  /** The result of world.describe. */
  applyDescribe(result: Params): void {
    const settings = (result["settings"] ?? {}) as Record<string, unknown>;
    const { solver: nested, ...rest } = settings;
    this.settings = rest;
    this.solver = { ...((nested ?? {}) as object), ...((result["solver"] ?? {}) as object) };
    if (typeof result["title"] === "string") this.title = result["title"];
    if (typeof result["description"] === "string") this.description = result["description"];
    this.view = parseView(result["view"]);
    this.known = true;
    for (const entry of (result["cloths"] ?? []) as Params[]) this.applyClothDescribe(entry);
    for (const entry of (result["colliders"] ?? []) as Params[]) this.applyColliderDescribe(entry);
    if (this.otherScene) this.emit("scene");
    this.otherScene = false;
    this.emit("known");
    this.emit("params");
    this.emit("pins");
    this.emit("sleep");
    this.emit("world");
    if (typeof result["running"] === "boolean") this.setRunning(result["running"]);
  }

  /** The result of cloth.describe, or an entry of world.describe. */
  applyClothDescribe(entry: Params): void {
    const cloth = this.clothByName(String(entry["cloth"]));
    if (!cloth) return;
    cloth.settings = { ...cloth.settings, ...((entry["material"] ?? {}) as object) };
    if (typeof entry["asleep"] === "boolean") cloth.asleep = entry["asleep"];
    if (Array.isArray(entry["pins"])) this.setPins(cloth, expandVertices(entry["pins"]) ?? []);
    this.emit("params");
    this.emit("pins");
  }

  private applyColliderDescribe(entry: Params): void {
    const collider = this.colliderByName(String(entry["collider"]));
    if (!collider) return;
    if (typeof entry["mass"] === "number") collider.mass = entry["mass"];
    if (typeof entry["asleep"] === "boolean") collider.asleep = entry["asleep"];
  }

  private setPins(cloth: Cloth, pins: Iterable<number>): void {
    const next = new Set(pins);
    const same = next.size === cloth.pins.size && [...next].every((v) => cloth.pins.has(v));
    if (same) return;
    cloth.pins = next;
    cloth.pinsTick = this.tick;
  }

  /** An applied command or a happening, also of other clients. */
  applyEvent(event: EventMessage): Need {
    const params = event.params ?? {};
    if (event.event === "slept" || event.event === "woke") this.setAsleep(event, event.event === "slept");
    switch (event.method) {
      case "world.pause":
        this.setRunning(false);
        return {};
      case "world.resume":
        this.setRunning(true);
        return {};
      case "world.set": {
        const { solver, wind, world: _world, ...rest } = params;
        Object.assign(this.settings, rest);
        // Members left out of an object keep their value.
        if (wind) this.settings["wind"] = { ...(this.settings["wind"] as object), ...(wind as object) };
        Object.assign(this.solver, (solver ?? {}) as object);
        this.emit("params");
        return {};
      }
      case "cloth.set": {
        const cloth = this.clothByName(String(params["cloth"]));
        if (!cloth) return {};
        const { cloth: _cloth, world: _world, ...rest } = params;
        Object.assign(cloth.settings, rest);
        this.emit("params");
        return {};
      }
      case "cloth.pin":
      case "cloth.unpin": {
        const cloth = this.clothByName(String(params["cloth"]));
        if (!cloth) return {};
        const vertices = params["all"] === true ? [...cloth.pins] : expandVertices(params["vertices"]);
        // Long arrays come as their length only: ask.
        if (!vertices) return { describeCloth: cloth.name };
        const pins = new Set(cloth.pins);
        for (const v of vertices) {
          if (event.method === "cloth.pin") pins.add(v);
          else pins.delete(v);
        }
        this.setPins(cloth, pins);
        this.emit("pins");
        return {};
      }
      case "world.load":
        this.scene = typeof params["scene"] === "string" ? params["scene"] : null;
        this.otherScene = true;
        return { describeWorld: true };
      case "world.reset":
        return { describeWorld: true };
      default:
        return {};
    }
  }

  private setAsleep(event: EventMessage, asleep: boolean): void {
    const sleeper = event["cloth"] === undefined ? this.colliderByName(String(event["collider"])) : this.clothByName(String(event["cloth"]));
    if (!sleeper) return;
    sleeper.asleep = asleep;
    this.emit("sleep");
  }

  /** What sleeps now, and how many could: cloths and dynamic colliders. */
  sleepers(): { asleep: number; all: number } {
    const all = [...this.cloths.values(), ...[...this.colliders.values()].filter((collider) => collider.motion === "dynamic")];
    return { asleep: all.filter((one) => one.asleep).length, all: all.length };
  }

  setPose(object: number, position: Vec3, rotation: Quat): void {
    const collider = this.colliders.get(object);
    if (!collider) return;
    collider.position = position;
    collider.rotation = rotation;
  }
}

/** Vertex indices from a list of indices and ranges {from, to}; null when it is none. */
export function expandVertices(value: unknown): number[] | null {
  if (!Array.isArray(value)) return null;
  const vertices: number[] = [];
  for (const item of value) {
    if (typeof item === "number") {
      vertices.push(item);
    } else if (item && typeof item.from === "number" && typeof item.to === "number") {
      for (let v = item.from; v <= item.to; v++) vertices.push(v);
    } else {
      return null;
    }
  }
  return vertices;
}

/** A scene's view {position, target}; null when it has none that can be used. */
export function parseView(value: unknown): { eye: Vec3; target: Vec3 } | null {
  if (!value || typeof value !== "object") return null;
  const view = value as Record<string, unknown>;
  const eye = view["position"];
  const target = view["target"] ?? [0, 0, 0];
  return isVec3(eye) && isVec3(target) ? { eye, target } : null;
}

function isVec3(value: unknown): value is Vec3 {
  return Array.isArray(value) && value.length === 3 && value.every((x) => typeof x === "number" && Number.isFinite(x));
}
