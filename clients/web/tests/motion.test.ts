import { describe, expect, it } from "vitest";
import { mix, Motion, type ObjectState } from "../src/motion";

function state(value: number, cut = false, epoch = 1): ObjectState {
  return { object: 0, epoch, positions: new Float32Array([value, 0, 0]), normals: new Float32Array(3), cut };
}

describe("Motion", () => {
  it("moves evenly from one tick to the next", () => {
    const motion = new Motion();
    motion.push(1, [state(0)], [], 0);
    motion.push(2, [state(1)], [], 20);
    expect(motion.alpha(30)).toBeCloseTo(0.5, 6);
    const { from, to } = motion.get(0)!;
    const out = new Float32Array(3);
    mix(from.positions, to.positions, motion.alpha(30), out);
    expect(out[0]).toBeCloseTo(0.5, 6);
    expect(motion.alpha(100)).toBe(1);
  });
  it("jumps on CUT, a new epoch, a tick that goes back and after a pause", () => {
    for (const [tick, next, at] of [
      [2, state(1, true), 20],
      [2, state(1, false, 2), 20],
      [0, state(1), 20],
      [2, state(1), 5000],
    ] as const) {
      const motion = new Motion();
      motion.push(1, [state(0)], [], 0);
      motion.push(tick, [next], [], at);
      const shown = motion.get(0)!;
      expect(shown.from).toBe(shown.to);
    }
  });
  it("carries colliders on the same clock and lets them rest where no pose came", () => {
    const motion = new Motion();
    const pose = (x: number) => ({ object: 3, position: [x, 0, 0] as [number, number, number], rotation: [0, 0, 0, 1] as [number, number, number, number] });
    motion.push(1, [], [pose(0)], 0);
    motion.push(2, [], [pose(1)], 16);
    expect(motion.getPose(3)!.from.position[0]).toBe(0);
    motion.push(3, [], [], 32);
    expect(motion.getPose(3)!.from.position[0]).toBe(1);
  });
});
