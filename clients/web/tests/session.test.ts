import { describe, expect, it } from "vitest";
import { hashOf } from "../src/hooks";
import { readScenes } from "../src/session";

describe("readScenes", () => {
  it("takes names, and objects with title and description, and drops the rest", () => {
    expect(readScenes(["drape", { scene: "dress", title: "A dress" }, { name: "curtain", description: "d" }, 7, {}])).toEqual([
      { scene: "drape" },
      { scene: "dress", title: "A dress" },
      { scene: "curtain", description: "d" },
    ]);
    expect(readScenes(undefined)).toEqual([]);
  });
});

describe("hashOf", () => {
  it("differs in the last bit and not otherwise", () => {
    const a = new Float32Array([1, 2, 3]);
    const b = Float32Array.from(a);
    expect(hashOf(a)).toBe(hashOf(b));
    new Uint32Array(b.buffer)[2]! ^= 1;
    expect(hashOf(a)).not.toBe(hashOf(b));
  });
});
