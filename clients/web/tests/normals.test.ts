import { describe, expect, it } from "vitest";
import { computeNormals, planNormals } from "../src/normals";
import { edgesOf } from "../src/cloth_view";

// A square in the xz plane, y up: two triangles.
const square = new Float32Array([0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 1]);
const faces = new Uint32Array([0, 2, 1, 1, 2, 3]);

describe("normals", () => {
  it("of a flat sheet point up", () => {
    const plan = planNormals(4, faces, square);
    const out = new Float32Array(12);
    computeNormals(plan, square, out);
    for (let v = 0; v < 4; v++) expect([...out.subarray(3 * v, 3 * v + 3)]).toEqual([0, 1, 0]);
  });
  it("are shared by vertices that coincide in the rest pose", () => {
    // A roof: two slopes that meet in an edge whose vertices exist twice.
    const roof = new Float32Array([0, 1, 0, 0, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 1, -1, 0, 0]);
    const plan = planNormals(6, new Uint32Array([0, 1, 2, 3, 5, 4]), roof);
    const out = new Float32Array(18);
    computeNormals(plan, roof, out);
    expect(plan.hasSeams).toBe(true);
    for (const v of [0, 1, 3, 4]) {
      expect(out[3 * v]!).toBeCloseTo(0, 6);
      expect(out[3 * v + 1]!).toBeCloseTo(1, 6);
    }
    expect(out[3 * 2]!).toBeCloseTo(Math.SQRT1_2, 6);
  });
  it("stay finite for vertices without a sound triangle", () => {
    const plan = planNormals(2, new Uint32Array([0, 0, 1]), null);
    const out = new Float32Array(6);
    computeNormals(plan, new Float32Array(6), out);
    expect([...out]).toEqual([0, 1, 0, 0, 1, 0]);
  });
});

describe("edgesOf", () => {
  it("has each edge once", () => {
    const edges = edgesOf(faces);
    expect(edges.length / 2).toBe(5);
  });
});
