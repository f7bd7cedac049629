import { describe, expect, it } from "vitest";
import { Matrix4, Vector3 } from "three";
import { RopeView } from "../src/rope_view";

describe("RopeView", () => {
  it("lays a piece of rope from end to end of each edge", () => {
    const rope = new RopeView([0, 1, 1, 2], [1, 1], "#ffffff");
    expect(rope.mesh.count).toBe(2);
    rope.follow(new Float32Array([0, 0, 0, 3, 0, 0, 3, -2, 0]));
    const ends = (edge: number): number[][] => {
      const matrix = new Matrix4();
      rope.mesh.getMatrixAt(edge, matrix);
      return [-0.5, 0.5].map((y) => new Vector3(0, y, 0).applyMatrix4(matrix).toArray().map((x) => Math.round(x * 1e5) / 1e5 + 0));
    };
    expect(ends(0)).toEqual([
      [0, 0, 0],
      [3, 0, 0],
    ]);
    expect(ends(1)).toEqual([
      [3, 0, 0],
      [3, -2, 0],
    ]);
  });
  it("stays whole where an edge has no length", () => {
    const rope = new RopeView([0, 1], [1], "#ffffff");
    rope.follow(new Float32Array(6));
    expect([...rope.mesh.instanceMatrix.array].every(Number.isFinite)).toBe(true);
  });
});
