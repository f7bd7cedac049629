import { describe, expect, it } from "vitest";
import { RateMeter, TickMeter } from "../src/rate_meter";

describe("RateMeter", () => {
  it("counts amounts per second over its window", () => {
    const meter = new RateMeter(2000);
    for (let i = 0; i <= 100; i++) meter.add(i * 20, 10);
    // 101 samples of 10 over 2 s.
    expect(meter.rate(2000)).toBeCloseTo(505, 6);
  });
  it("falls to 0 when nothing comes any more", () => {
    const meter = new RateMeter(2000);
    meter.add(0, 100);
    expect(meter.rate(5000)).toBe(0);
  });
});

describe("TickMeter", () => {
  it("measures ticks even where frames are left out", () => {
    const meter = new TickMeter();
    for (let i = 0; i <= 60; i += 3) meter.add((i * 1000) / 60, 100 + i);
    expect(meter.rate(1000)).toBeCloseTo(60, 6);
  });
  it("starts anew when the tick goes back, and falls when ticks stop", () => {
    const meter = new TickMeter();
    meter.add(0, 500);
    meter.add(100, 506);
    meter.add(200, 0);
    expect(meter.rate(200)).toBe(0);
    meter.add(300, 6);
    expect(meter.rate(300)).toBeCloseTo(60, 6);
    expect(meter.rate(2400)).toBe(0);
  });
});
