import { describe, expect, it } from "vitest";
import { ColliderView, sizeOf } from "../src/collider_view";
import type { Collider } from "../src/store";

function collider(shape: Collider["shape"], changes: Partial<Collider> = {}): Collider {
  return { object: 1, name: "c", epoch: 1, shape, motion: "kinematic", position: [0, 0, 0], rotation: [0, 0, 0, 1], ...changes };
}

describe("sizeOf", () => {
  it("is half of the longest extent; a plane has none", () => {
    expect(sizeOf(collider({ type: "sphere", radius: 2 }))).toBe(2);
    expect(sizeOf(collider({ type: "capsule", radius: 0.5, half_height: 1 }))).toBe(1.5);
    expect(sizeOf(collider({ type: "box", half_extents: [1, 3, 2] }))).toBe(3);
    expect(sizeOf(collider({ type: "plane", normal: [0, 1, 0], offset: 0 }))).toBe(0);
  });
});

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
  it("goes half way between two poses", () => {
    const view = new ColliderView(collider({ type: "sphere", radius: 1 }), 2);
    const rotation: [number, number, number, number] = [0, 0, 0, 1];
    view.update({ from: { object: 1, position: [0, 0, 0], rotation }, to: { object: 1, position: [2, 0, 0], rotation } }, 0.5);
    expect(view.group.position.x).toBe(1);
  });
});
