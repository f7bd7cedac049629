import { describe, expect, it } from "vitest";
import { describeCollider } from "../src/objects_panel";

describe("describeCollider", () => {
  it("names motion, shape and sizes", () => {
    expect(describeCollider({ shape: { type: "capsule", radius: 0.1, half_height: 0.5 }, motion: "static", mass: null, asleep: false })).toBe("static capsule, radius 0.1 m, half height 0.5 m");
  });
  it("names mass and sleep of what moves on its own", () => {
    expect(describeCollider({ shape: { type: "box", half_extents: [1.5, 2.25, 0.125] }, motion: "dynamic", mass: 2.5, asleep: true })).toBe("dynamic box, half extents 1.5 × 2.25 × 0.125 m, 2.5 kg, asleep");
  });
});
