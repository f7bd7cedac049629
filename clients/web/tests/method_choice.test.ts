import { describe, expect, it } from "vitest";
import { MethodChoice } from "../src/method_choice";

describe("MethodChoice", () => {
  it("brings the course's passes with jacobi and the old ones back", () => {
    const choice = new MethodChoice();
    const there = choice.choose("jacobi", { method: "xpbd", iterations: 1 });
    expect(there.solver).toEqual({ method: "jacobi", iterations: 32 });
    expect(there.hint).toMatch(/32/);
    const back = choice.choose("pbd", { method: "jacobi", iterations: 32 });
    expect(back.solver).toEqual({ method: "pbd", iterations: 1 });
    expect(back.hint).toMatch(/1 again/);
    expect(choice.choose("xpbd", { method: "pbd", iterations: 5 })).toEqual({ solver: { method: "xpbd" }, hint: null });
  });
  it("leaves enough passes as they are, on both ways", () => {
    const choice = new MethodChoice();
    expect(choice.choose("jacobi", { method: "pbd", iterations: 8 })).toEqual({ solver: { method: "jacobi" }, hint: null });
    expect(choice.choose("xpbd", { method: "jacobi", iterations: 8 })).toEqual({ solver: { method: "xpbd" }, hint: null });
  });
  it("does not carry iterations into another scene", () => {
    const choice = new MethodChoice();
    choice.choose("jacobi", { method: "xpbd", iterations: 1 });
    choice.forget();
    expect(choice.choose("xpbd", { method: "jacobi", iterations: 40 })).toEqual({ solver: { method: "xpbd" }, hint: null });
  });
});
