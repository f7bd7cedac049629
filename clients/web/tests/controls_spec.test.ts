import { describe, expect, it } from "vitest";
import { buildControls, buildParams, buildSwitches, checkTyped, enumValues, readPath, readValue, type CommandTable } from "../src/controls_spec";
import shipped from "../../../protocol/commands.json";

const table = shipped as unknown as CommandTable;

const small: CommandTable = {
  commands: [
    {
      name: "world.set",
      params: [
        { name: "gravity", type: "vec3", min: -1000, max: 1000, unit: "m/s²", default: [0, -9.8, 0], help: "acceleration" },
        { name: "solver", type: "object", members: [{ name: "substeps", type: "integer", min: 1, max: 64, unit: "1", default: 10 }] },
      ],
    },
    { name: "cloth.set", params: [{ name: "stretch_compliance", type: "number", min: 0, max: 1e6, unit: "m/N", default: 1e-7, nullable: true }] },
  ],
};

describe("buildControls", () => {
  it("takes limits, unit, default and help from the table", () => {
    const gravity = buildControls(small).find((c) => c.path[0] === "gravity")!;
    expect(gravity).toMatchObject({ min: -1000, max: 1000, unit: "m/s²", fallback: -9.8, help: "acceleration" });
  });
  it("offers nothing that the table does not have, and says what is counted where its unit is 1", () => {
    expect(buildControls(small).map((c) => c.id)).toEqual(["world-set-solver-substeps", "cloth-set-stretch_compliance", "world-set-gravity"]);
    expect(buildControls(small)[0]!.unit).toBe("per tick");
  });
  it("keeps every slider inside the limits of the shipped table, and finds all it wants there", () => {
    const controls = buildControls(table);
    expect(controls.length).toBe(20);
    for (const control of controls) {
      expect(control.scale.min).toBeGreaterThanOrEqual(control.min);
      expect(control.scale.max).toBeLessThanOrEqual(control.max);
      expect(control.help).not.toBe("");
      expect(control.unit).not.toBe("");
    }
    expect(enumValues(table, "world.set", ["solver", "method"])).toEqual(["pbd", "xpbd", "jacobi"]);
  });
});

describe("buildSwitches", () => {
  it("offers what is a boolean in the table, and nothing else", () => {
    const name = "cloth.set";
    const param = (type: string) => ({ commands: [{ name, params: [{ name: "self_collision", type, help: "touches itself" }] }] });
    expect(buildSwitches(param("boolean"))).toEqual([{ id: "cloth-set-self_collision", label: "Self-collision", name: "self_collision", help: "touches itself", methods: ["pbd", "xpbd"] }]);
    expect(buildSwitches(param("number"))).toEqual([]);
    expect(buildSwitches({ commands: [] })).toEqual([]);
  });
});

describe("buildParams and readValue", () => {
  const [substeps, compliance, gravity] = buildControls(small) as [ReturnType<typeof buildControls>[0], ReturnType<typeof buildControls>[0], ReturnType<typeof buildControls>[0]];
  it("build the command that sets the one value", () => {
    expect(buildParams(substeps, 4, undefined, null)).toEqual({ solver: { substeps: 4 } });
    expect(buildParams(gravity, -1, [1, -9.8, 2], null)).toEqual({ gravity: [1, -1, 2] });
    expect(buildParams(compliance, null, undefined, "flag")).toEqual({ cloth: "flag", stretch_compliance: null });
  });
  it("set one axis of a vector within an object, and keep the others", () => {
    const wind = buildControls(table).find((c) => c.id === "world-set-wind-velocity-z")!;
    const settings = { wind: { velocity: [3, 0, 1], turbulence: 0.2 } };
    expect(buildParams(wind, -2, readPath(wind.path, settings), null)).toEqual({ wind: { velocity: [3, 0, -2] } });
    expect(readValue(wind, settings)).toBe(1);
    expect(readPath(wind.path, {})).toBeUndefined();
  });
  it("read it back from what the server describes", () => {
    expect(readValue(substeps, { solver: { substeps: 7 } })).toBe(7);
    expect(readValue(gravity, { gravity: [0, -3, 0] })).toBe(-3);
    expect(readValue(compliance, { stretch_compliance: null })).toBeNull();
    expect(readValue(compliance, {})).toBeUndefined();
  });
  it("check what is typed, in a sentence with the limits", () => {
    expect(checkTyped(gravity, -20)).toBeNull();
    expect(checkTyped(gravity, -2000)).toBe("Gravity (y) must be between −1000 and 1000 m/s², not −2000.");
    expect(checkTyped(substeps, 100)).toBe("Substeps must be between 1 and 64, not 100.");
    expect(checkTyped(gravity, Number.NaN)).toMatch(/needs a number/);
  });
});
