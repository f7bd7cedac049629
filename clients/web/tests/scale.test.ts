import { describe, expect, it } from "vitest";
import { formatNumber, formatValue, positionOf, prettyUnit, SLIDER_STEPS, valueAt, type Scale } from "../src/scale";

const log: Scale = { kind: "log", min: 1e-9, max: 1, zero: true };
const linear: Scale = { kind: "linear", min: -25, max: 10 };
const whole: Scale = { kind: "log", min: 1, max: 200, integer: true };

describe("positionOf and valueAt", () => {
  it("are inverse within one slider step", () => {
    for (const scale of [log, linear, whole]) {
      for (let p = 0; p <= SLIDER_STEPS; p += 50) {
        const back = positionOf(scale, valueAt(scale, p));
        // Rounding to 3 digits moves a log position by up to 0.5 %/ln(1e9)·1000 < 0.3 steps, a
        // whole number from 1 to 200 by up to ln(1.5)/ln(200)·1000 = 77 near the low end.
        expect(Math.abs(back - p)).toBeLessThan(scale.integer ? 78 : 1);
      }
    }
  });
  it("reach both ends exactly", () => {
    expect(valueAt(log, SLIDER_STEPS)).toBe(1);
    expect(valueAt(linear, 0)).toBe(-25);
    expect(valueAt(linear, SLIDER_STEPS)).toBe(10);
    expect(valueAt(whole, SLIDER_STEPS)).toBe(200);
  });
  it("keep 0 apart on a log scale that has it", () => {
    expect(valueAt(log, 0)).toBe(0);
    expect(valueAt(log, 1)).toBeCloseTo(1e-9, 12);
    expect(positionOf(log, 0)).toBe(0);
    expect(positionOf(log, 1e-9)).toBe(1);
  });
  it("put values outside the scale at its ends", () => {
    expect(positionOf(linear, 1e6)).toBe(SLIDER_STEPS);
    expect(positionOf(log, 5)).toBe(SLIDER_STEPS);
    expect(positionOf(log, -1)).toBe(0);
  });
  it("give whole numbers where the setting is one", () => {
    for (let p = 0; p <= SLIDER_STEPS; p += 7) expect(Number.isInteger(valueAt(whole, p))).toBe(true);
  });
  it("never write float noise", () => {
    expect(String(valueAt(linear, 435))).toBe("-9.78");
    expect(String(valueAt({ kind: "linear", min: 0, max: 5 }, 20))).toBe("0.1");
  });
});

describe("formatting", () => {
  it("writes short numbers plainly and the rest as powers of ten", () => {
    expect(formatNumber(-9.8)).toBe("−9.8");
    expect(formatNumber(1e-7)).toBe("10⁻⁷");
    expect(formatNumber(2.5e-7)).toBe("2.5·10⁻⁷");
    expect(formatNumber(0.003536)).toBe("0.00354");
    expect(formatNumber(0.9955, 4)).toBe("0.9955");
    expect(formatNumber(1234)).toBe("1234");
    expect(formatNumber(0)).toBe("0");
    expect(formatNumber(100)).toBe("100");
    expect(formatNumber(Number.NaN)).toBe("–");
  });
  it("writes the unit, and off for null", () => {
    expect(formatValue(-9.8, "m/s²")).toBe("−9.8 m/s²");
    expect(formatValue(null, "m/N")).toBe("off");
    expect(formatValue(3, "")).toBe("3");
    expect(prettyUnit("m/s^2")).toBe("m/s²");
  });
});
