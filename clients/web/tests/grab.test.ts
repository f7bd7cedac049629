import { describe, expect, it } from "vitest";
import { Grab } from "../src/grab";
import type { Vec3 } from "../src/picking";

/** A server that answers when the test says so. */
function bench() {
  const sent: [string, Record<string, unknown>][] = [];
  const errors: unknown[] = [];
  const answers: { good(result: Record<string, unknown>): void; bad(error: unknown): void }[] = [];
  const request = (method: string, params: Record<string, unknown>) => {
    sent.push([method, params]);
    return new Promise<Record<string, unknown>>((good, bad) => answers.push({ good, bad }));
  };
  const grab = new Grab(request, "flag", 7, [1, 2, 3], (error) => errors.push(error));
  const settle = () => new Promise((resolve) => setTimeout(resolve));
  return { sent, errors, answers, grab, settle };
}
const at = (x: number): Vec3 => [x, 0, 0];

describe("Grab", () => {
  it("takes, drags and releases by the id that the server gave", async () => {
    const { sent, answers, grab, settle } = bench();
    answers[0]!.good({ grab: 41, tick: 5 });
    await settle();
    grab.drag(at(1));
    grab.release();
    expect(sent).toEqual([
      ["cloth.grab", { cloth: "flag", vertex: 7, position: [1, 2, 3] }],
      ["cloth.drag", { grab: 41, position: [1, 0, 0] }],
      ["cloth.release", { grab: 41 }],
    ]);
  });
  it("keeps only the newest place until the answer is here", async () => {
    const { sent, answers, grab, settle } = bench();
    grab.drag(at(1));
    grab.drag(at(2));
    expect(sent.length).toBe(1);
    answers[0]!.good({ grab: 41 });
    await settle();
    expect(sent.slice(1)).toEqual([["cloth.drag", { grab: 41, position: [2, 0, 0] }]]);
  });
  it("does not stay in the hand when it was let go before the answer", async () => {
    const { sent, answers, grab, settle } = bench();
    grab.drag(at(1));
    grab.release();
    answers[0]!.good({ grab: 41 });
    await settle();
    expect(sent.slice(1).map(([method]) => method)).toEqual(["cloth.drag", "cloth.release"]);
  });
  it("tells a refusal once and sends nothing more", async () => {
    const { sent, errors, answers, grab, settle } = bench();
    answers[0]!.good({ grab: 41 });
    await settle();
    grab.drag(at(1));
    grab.drag(at(2));
    answers[1]!.bad("gone");
    answers[2]!.bad("gone");
    await settle();
    grab.drag(at(3));
    grab.release();
    expect(errors).toEqual(["gone"]);
    expect(sent.length).toBe(3);
  });
});
