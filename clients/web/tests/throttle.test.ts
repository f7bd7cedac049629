import { describe, expect, it } from "vitest";
import { Throttle, type Timers } from "../src/throttle";

class FakeTimers implements Timers {
  time = 0;
  queue: { at: number; callback: () => void }[] = [];
  now(): number {
    return this.time;
  }
  set(callback: () => void, ms: number): unknown {
    const entry = { at: this.time + ms, callback };
    this.queue.push(entry);
    return entry;
  }
  clear(timer: unknown): void {
    this.queue = this.queue.filter((entry) => entry !== timer);
  }
  advance(ms: number): void {
    const end = this.time + ms;
    for (;;) {
      const next = this.queue.filter((e) => e.at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.queue = this.queue.filter((e) => e !== next);
      this.time = next.at;
      next.callback();
    }
    this.time = end;
  }
}

describe("Throttle", () => {
  it("sends the first at once, at most one per interval, and always the last", () => {
    const timers = new FakeTimers();
    const sent: { value: number; at: number }[] = [];
    const throttle = new Throttle<number>(100, (value) => sent.push({ value, at: timers.time }), timers);
    for (let i = 0; i < 25; i++) {
      throttle.push(i);
      timers.advance(10);
    }
    timers.advance(1000);
    expect(sent[0]).toEqual({ value: 0, at: 0 });
    expect(sent.at(-1)!.value).toBe(24);
    for (let i = 1; i < sent.length; i++) expect(sent[i]!.at - sent[i - 1]!.at).toBeGreaterThanOrEqual(100);
  });
  it("flush sends what waits now and nothing later", () => {
    const timers = new FakeTimers();
    const sent: number[] = [];
    const throttle = new Throttle<number>(100, (value) => sent.push(value), timers);
    throttle.push(1);
    throttle.push(2);
    throttle.flush();
    timers.advance(500);
    expect(sent).toEqual([1, 2]);
  });
});
