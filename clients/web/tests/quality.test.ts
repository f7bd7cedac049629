import { describe, expect, it } from "vitest";
import { chooseQuality, Governor } from "../src/quality";

describe("chooseQuality", () => {
  it("draws plainly where a CPU paints, richly elsewhere, and as asked", () => {
    expect(chooseQuality("ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device))", null).rich).toBe(false);
    expect(chooseQuality("llvmpipe (LLVM 15.0.6, 256 bits)", null).rich).toBe(false);
    expect(chooseQuality("ANGLE (NVIDIA GeForce RTX 3060)", null).rich).toBe(true);
    expect(chooseQuality("SwiftShader", "high").rich).toBe(true);
    expect(chooseQuality("", "low").rich).toBe(false);
  });
});

describe("Governor", () => {
  function run(governor: Governor, pictures: number, gap: number): void {
    for (let i = 0; i < pictures; i++) governor.drawn((time += gap));
  }
  let time = 0;
  it("lowers the resolution of slow pictures down to a half and raises it again", () => {
    const governor = new Governor();
    run(governor, 50, 100);
    expect(governor.scale).toBe(0.75);
    run(governor, 500, 100);
    expect(governor.scale).toBe(0.5);
    run(governor, 500, 10);
    expect(governor.scale).toBe(1);
  });
  it("takes pauses for what they are", () => {
    const governor = new Governor();
    run(governor, 200, 1000);
    expect(governor.scale).toBe(1);
  });
});
