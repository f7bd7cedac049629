import { describe, expect, it } from "vitest";
import { boundsOf, createGeometry, createOutlineGeometry, sizeOf, thinness } from "../src/collider_shape";
import type { Collider } from "../src/store";

function collider(shape: Collider["shape"]): Collider {
  return { object: 1, name: "c", epoch: 1, shape, motion: "kinematic", mass: null, asleep: false, position: [0, 0, 0], rotation: [0, 0, 0, 1] };
}

/** A roof: two faces that meet at a right angle. */
const roof = { triangles: Uint32Array.of(0, 1, 2, 1, 0, 3), rest: Float32Array.of(0, 0, 0, 4, 0, 0, 0, -1, 1, 0, -1, -1) };

describe("sizeOf", () => {
  it("is half of the longest extent; a plane has none", () => {
    expect(sizeOf(collider({ type: "sphere", radius: 2 }))).toBe(2);
    expect(sizeOf(collider({ type: "capsule", radius: 0.5, half_height: 1 }))).toBe(1.5);
    expect(sizeOf(collider({ type: "box", half_extents: [1, 3, 2] }))).toBe(3);
    expect(sizeOf(collider({ type: "plane", normal: [0, 1, 0], offset: 0 }))).toBe(0);
  });
  it("takes a mesh's from its vertices, and none before they are here", () => {
    expect(sizeOf(collider({ type: "mesh" }), roof)).toBe(2);
    expect(sizeOf(collider({ type: "mesh" }))).toBe(0);
  });
});

describe("thinness", () => {
  it("keeps a rod and a plate from being as thick as they are long", () => {
    expect(thinness(collider({ type: "capsule", radius: 0.1, half_height: 3 }))).toBeCloseTo(0.25);
    expect(thinness(collider({ type: "box", half_extents: [2, 0.02, 2] }))).toBeCloseTo(0.05);
    expect(thinness(collider({ type: "sphere", radius: 2 }))).toBe(2);
  });
});

describe("geometry of a mesh", () => {
  it("has a sharp edge where its faces meet sharply", () => {
    const normal = createGeometry(collider({ type: "mesh" }), 2, roof).getAttribute("normal");
    const first = [normal.getX(0), normal.getY(0), normal.getZ(0)];
    const last = [normal.getX(3), normal.getY(3), normal.getZ(3)];
    expect(first[0]! * last[0]! + first[1]! * last[1]! + first[2]! * last[2]!).toBeCloseTo(0);
  });
  it("outlines borders and sharp edges", () => {
    expect(createOutlineGeometry(collider({ type: "mesh" }), 2, roof).getAttribute("position").count).toBe(2 * 5);
  });
  it("has bounds in its own frame", () => {
    expect(boundsOf(roof).min.toArray()).toEqual([0, -1, -1]);
  });
});
