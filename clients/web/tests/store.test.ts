import { describe, expect, it } from "vitest";
import { expandVertices, parseView, Store } from "../src/store";
import type { MeshMessage } from "../src/protocol_types";

function mesh(changes: Partial<MeshMessage> = {}): MeshMessage {
  return { world: "main", world_index: 0, epoch: 1, object: 0, name: "flag", kind: "cloth", vertex_count: 9, triangle_count: 8, pins: [0], ...changes };
}

function withFlag(): Store {
  const store = new Store("main");
  store.applyMesh(mesh());
  return store;
}

describe("Store", () => {
  it("lists what mesh notifications announce and drops what they remove", () => {
    const store = withFlag();
    store.applyMesh(mesh({ object: 1, name: "ball", kind: "collider", shape: { type: "sphere", radius: 0.5 }, motion: "static" }));
    expect(store.colliderByName("ball")!.motion).toBe("static");
    store.applyMesh(mesh({ object: 1, removed: true }));
    expect(store.colliders.size).toBe(0);
  });
  it("keeps an object whose index was reused when the old one's removal comes late", () => {
    const store = withFlag();
    store.applyMesh(mesh({ epoch: 2 }));
    store.applyMesh(mesh({ epoch: 1, removed: true }));
    expect(store.cloths.size).toBe(1);
  });
  it("ignores other worlds", () => {
    const store = withFlag();
    store.applyMesh(mesh({ world: "lab", object: 5, name: "x" }));
    expect(store.cloths.size).toBe(1);
  });
  it("follows settings that another client changes", () => {
    const store = withFlag();
    store.applyDescribe({ settings: { gravity: [0, -9.8, 0], drag: 0.1 }, solver: { method: "xpbd", substeps: 10 }, running: true, cloths: [{ cloth: "flag", pins: [0, 1], material: { friction: 0.3 } }] });
    let told = 0;
    store.on("params", () => told++);
    store.applyEvent({ method: "world.set", params: { drag: 0.5, solver: { substeps: 4 } } });
    store.applyEvent({ method: "cloth.set", params: { cloth: "flag", friction: 0.9 } });
    expect(store.settings).toEqual({ gravity: [0, -9.8, 0], drag: 0.5 });
    expect(store.solver).toEqual({ method: "xpbd", substeps: 4 });
    expect(store.clothByName("flag")!.settings["friction"]).toBe(0.9);
    store.applyEvent({ method: "world.set", params: { wind: { velocity: [5, 0, 1] } } });
    store.applyEvent({ method: "world.set", params: { wind: { turbulence: 0.25 } } });
    expect(store.settings["wind"]).toEqual({ velocity: [5, 0, 1], turbulence: 0.25 });
    expect(told).toBe(4);
  });
  it("knows the world once it is described, and nothing of it after it is gone", () => {
    const store = withFlag();
    store.connection = "open";
    expect(store.whyReadOnly()).toMatch(/“main” is not there/);
    store.applyDescribe({ title: "Flag", settings: { drag: 0.1 }, solver: { method: "pbd" }, running: true });
    expect(store.whyReadOnly()).toBeNull();
    store.clearWorld();
    expect(store.whyReadOnly()).toMatch(/not there/);
    expect([store.title, store.settings, store.solver, store.running, store.cloths.size]).toEqual(["", {}, {}, false, 0]);
  });
  it("tells of another scene's settings, but not when the same scene is reset", () => {
    const store = withFlag();
    let scenes = 0;
    store.on("scene", () => scenes++);
    store.applyDescribe({});
    store.applyEvent({ method: "world.reset", params: {} });
    store.applyDescribe({});
    expect(scenes).toBe(1);
    store.applyEvent({ method: "world.load", params: { scene: "curtain" } });
    store.applyDescribe({});
    expect(scenes).toBe(2);
  });
  it("follows pins, also in ranges, and asks where the list was left out", () => {
    const store = withFlag();
    const pins = () => [...store.clothByName("flag")!.pins].sort();
    store.applyEvent({ method: "cloth.pin", params: { cloth: "flag", vertices: [{ from: 3, to: 5 }, 8] } });
    expect(pins()).toEqual([0, 3, 4, 5, 8]);
    store.applyEvent({ method: "cloth.unpin", params: { cloth: "flag", vertices: [4] } });
    expect(pins()).toEqual([0, 3, 5, 8]);
    expect(store.applyEvent({ method: "cloth.pin", params: { cloth: "flag", vertices: 40 } })).toEqual({ describeCloth: "flag" });
    store.applyEvent({ method: "cloth.unpin", params: { cloth: "flag", all: true } });
    expect(pins()).toEqual([]);
  });
  it("follows the clock and asks for everything after load and reset", () => {
    const store = withFlag();
    store.applyEvent({ method: "world.resume", params: {} });
    expect(store.running).toBe(true);
    store.applyEvent({ method: "world.pause", params: {} });
    expect(store.running).toBe(false);
    expect(store.applyEvent({ method: "world.load", params: { scene: "drape" } })).toEqual({ describeWorld: true });
    expect(store.scene).toBe("drape");
    expect(store.applyEvent({ method: "world.reset", params: {} })).toEqual({ describeWorld: true });
  });
  it("knows what sleeps: cloths and dynamic colliders, until they wake or are made anew", () => {
    const store = withFlag();
    const body = { object: 1, name: "ball", kind: "collider", shape: { type: "sphere", radius: 0.5 }, motion: "dynamic", mass: 2 } as const;
    store.applyMesh(mesh(body));
    store.applyMesh(mesh({ ...body, object: 2, name: "bar", motion: "kinematic" }));
    let told = 0;
    store.on("sleep", () => told++);
    store.applyEvent({ event: "slept", cloth: "flag" });
    store.applyEvent({ event: "slept", collider: "ball" });
    expect(store.sleepers()).toEqual({ asleep: 2, all: 2 });
    store.applyEvent({ event: "woke", collider: "ball" });
    expect(store.colliderByName("ball")).toMatchObject({ asleep: false, mass: 2 });
    expect(store.clothByName("flag")!.asleep).toBe(true);
    expect(told).toBe(3);
    store.applyMesh(mesh({ epoch: 2 }));
    expect(store.sleepers()).toEqual({ asleep: 0, all: 2 });
    store.applyDescribe({ cloths: [{ cloth: "flag", asleep: true }], colliders: [{ collider: "ball", asleep: true }] });
    expect(store.sleepers()).toEqual({ asleep: 2, all: 2 });
  });
  it("knows the scene by its title, and by the name of a load where titles do not tell", () => {
    const store = withFlag();
    store.setScenes([{ scene: "drape", title: "Sheet on a ball" }, { scene: "plain" }]);
    store.applyEvent({ method: "world.load", params: { scene: "plain" } });
    expect(store.currentScene()).toBe("plain");
    store.applyDescribe({ title: "Sheet on a ball" });
    expect(store.currentScene()).toBe("drape");
  });
  it("says in a sentence why nothing can be changed", () => {
    const store = withFlag();
    expect(store.whyReadOnly()).toMatch(/no connection/);
    store.setConnection("open");
    store.applyDescribe({});
    expect(store.whyReadOnly()).toBeNull();
    store.setRole("view");
    expect(store.whyReadOnly()).toMatch(/view/);
  });
});

describe("expandVertices and parseView", () => {
  it("refuse what is not a list or a view", () => {
    expect(expandVertices(17)).toBeNull();
    expect(expandVertices(["a"])).toBeNull();
    expect(parseView({ position: [1, 2, 3], target: [0, 1, 0] })).toEqual({ eye: [1, 2, 3], target: [0, 1, 0] });
    expect(parseView({ target: [0, 1, 0] })).toBeNull();
    expect(parseView(undefined)).toBeNull();
  });
});
