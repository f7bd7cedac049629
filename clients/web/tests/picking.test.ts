import { describe, expect, it } from "vitest";
import { PerspectiveCamera, Matrix4, Vector3 } from "three";
import { nearestCorner, nearestVertex, rayPlane, toScreen } from "../src/picking";

const view = { width: 800, height: 600 };

function camera(): { matrix: number[]; camera: PerspectiveCamera } {
  const eye = new PerspectiveCamera(50, view.width / view.height, 0.1, 100);
  eye.position.set(0, 0, 5);
  eye.lookAt(0, 0, 0);
  eye.updateMatrixWorld();
  return { camera: eye, matrix: new Matrix4().multiplyMatrices(eye.projectionMatrix, eye.matrixWorldInverse).toArray() };
}

describe("toScreen", () => {
  it("agrees with three.js and refuses what lies behind the eye", () => {
    const { matrix, camera: eye } = camera();
    const point = new Vector3(0.7, -0.3, 1);
    const ndc = point.clone().project(eye);
    const screen = toScreen(matrix, [0.7, -0.3, 1], view.width, view.height)!;
    expect(screen.x).toBeCloseTo(((ndc.x + 1) / 2) * view.width, 3);
    expect(screen.y).toBeCloseTo(((1 - ndc.y) / 2) * view.height, 3);
    expect(toScreen(matrix, [0, 0, 6], view.width, view.height)).toBeNull();
  });
});

describe("nearestVertex", () => {
  const positions = new Float32Array([0, 0, 0, 0, 0, 2, 1, 0, 0]);
  it("prefers the vertex nearer to the eye where two lie on one another", () => {
    expect(nearestVertex(positions, null, camera().matrix, view, { x: 400, y: 300 }, 14)).toBe(1);
  });
  it("looks at candidates only, within the radius, and survives stale indices", () => {
    expect(nearestVertex(positions, [0, 99], camera().matrix, view, { x: 403, y: 300 }, 14)).toBe(0);
    expect(nearestVertex(positions, [2], camera().matrix, view, { x: 400, y: 300 }, 14)).toBe(-1);
  });
});

describe("rayPlane", () => {
  it("meets the plane in front and nothing behind or beside", () => {
    expect(rayPlane([0, 0, 5], [0, 0, -1], [0, 0, 1], [0, 0, -1])).toEqual([0, 0, 1]);
    expect(rayPlane([0, 0, 5], [0, 0, 1], [0, 0, 1], [0, 0, -1])).toBeNull();
    expect(rayPlane([0, 0, 5], [1, 0, 0], [0, 0, 1], [0, 0, -1])).toBeNull();
  });
});

describe("nearestCorner", () => {
  it("is the corner of the face that was hit", () => {
    expect(nearestCorner(new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]), [0, 1, 2], [0.8, 0.1, 0])).toBe(1);
  });
});
