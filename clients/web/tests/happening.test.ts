import { describe, expect, it } from "vitest";
import { describeHappening } from "../src/happening";

describe("describeHappening", () => {
  it("says in a sentence what happened to which cloth or body", () => {
    expect(describeHappening({ event: "diverged", cloth: "flag", vertex: 3 })).toMatch(/“flag” diverged at vertex 3/);
    expect(describeHappening({ event: "clamped", cloth: "flag", what: "speed", max: 500 })).toMatch(/cloth “flag” .* 500 m/);
    expect(describeHappening({ event: "clamped", collider: "ball", what: "speed", max: 500 })).toMatch(/body “ball” .* 500 m/);
  });
  it("names both that overlap at the start", () => {
    expect(describeHappening({ event: "initial_overlap", cloth: "flag", collider: "ball", count: 4 })).toMatch(/“flag” starts inside the collider “ball” with 4/);
    expect(describeHappening({ event: "initial_overlap", cloth: "flag", other: "flag", count: 4 })).toMatch(/“flag” starts tangled: 4/);
    expect(describeHappening({ event: "initial_overlap", cloth: "flag", other: "coat", count: 4 })).toMatch(/“flag” and “coat” start tangled/);
    expect(describeHappening({ event: "initial_overlap", collider: "a", other_collider: "b", count: 1 })).toMatch(/“a” and “b”/);
  });
  it("keeps quiet about sleep, which the panel shows, and about what it does not know", () => {
    for (const event of ["slept", "woke", "something_new"]) expect(describeHappening({ event, cloth: "flag" })).toBeNull();
  });
});
