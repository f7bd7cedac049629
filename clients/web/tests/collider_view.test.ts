import { LineSegments, Scene } from "three";
import { describe, expect, it } from "vitest";
import { ColliderView } from "../src/collider_view";
import type { Collider } from "../src/store";

function collider(shape: Collider["shape"], changes: Partial<Collider> = {}): Collider {
  return { object: 1, name: "c", epoch: 1, shape, motion: "kinematic", mass: null, asleep: false, position: [0, 0, 0], rotation: [0, 0, 0, 1], ...changes };
}

describe("ColliderView", () => {
  function vertices(view: ColliderView): number[][] {
    view.handle.geometry.computeBoundingBox();
    const { min, max } = view.handle.geometry.boundingBox!;
    return [min.toArray(), max.toArray()];
  }
  it("draws a capsule as long as its axis and both caps", () => {
    const [min, max] = vertices(new ColliderView(collider({ type: "capsule", radius: 0.5, half_height: 1 }), 2));
    expect(max![1]! - min![1]!).toBeCloseTo(3, 5);
  });
  it("draws a box with its full extents", () => {
    const [min, max] = vertices(new ColliderView(collider({ type: "box", half_extents: [1, 2, 3] }), 2));
    expect([min, max]).toEqual([
      [-1, -2, -3],
      [1, 2, 3],
    ]);
  });
  it("puts a plane at normal·x = offset, for a normal of any length", () => {
    const view = new ColliderView(collider({ type: "plane", normal: [0, 2, 0], offset: 1 }), 2);
    expect(view.handle.position.toArray()).toEqual([0, 0.5, 0]);
  });
  it("draws a mesh's triangles once they are here, and nothing before", () => {
    const mesh = collider({ type: "mesh" });
    expect(new ColliderView(mesh, 2).handle.geometry.getAttribute("position")?.count ?? 0).toBe(0);
    const view = new ColliderView(mesh, 2, { triangles: Uint32Array.of(0, 1, 2, 0, 2, 3), rest: Float32Array.of(0, 0, 0, 1, 0, 0, 1, 0, 2, 0, 0, 2) });
    expect(view.handle.geometry.getAttribute("position").count).toBe(6);
    const [min, max] = vertices(view);
    expect([min, max]).toEqual([
      [0, 0, 0],
      [1, 0, 2],
    ]);
  });
  it("shows its outline where a drag wants it, and back at the shape", () => {
    const view = new ColliderView(collider({ type: "mesh" }), 2, { triangles: Uint32Array.of(0, 1, 2), rest: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0) });
    const scene = new Scene();
    view.addTo(scene);
    view.highlight(true, [1, 2, 3]);
    const outline = scene.children.find((child) => child instanceof LineSegments)!;
    expect(outline.position.toArray()).toEqual([1, 2, 3]);
    view.highlight(true, null);
    expect(outline.position.toArray()).toEqual([0, 0, 0]);
    view.dispose();
    expect(scene.children.length).toBe(0);
  });
  it("goes half way between two poses", () => {
    const view = new ColliderView(collider({ type: "sphere", radius: 1 }), 2);
    const rotation: [number, number, number, number] = [0, 0, 0, 1];
    view.update({ from: { object: 1, position: [0, 0, 0], rotation }, to: { object: 1, position: [2, 0, 0], rotation } }, 0.5);
    expect(view.group.position.x).toBe(1);
  });
});
