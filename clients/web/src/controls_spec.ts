// Which settings the panel offers, and how. Units, limits, defaults and help come
// from the command table (protocol/commands.json); here stand only the order, the
// scale that suits each one and the span of its slider. A setting that the table
// does not have is not offered.
import { prettyUnit, type Scale } from "./scale";

export interface TableParam {
  name: string;
  type: string;
  min?: number | null;
  max?: number | null;
  unit?: string | null;
  default?: unknown;
  help?: string | null;
  nullable?: boolean;
  values?: string[];
  members?: TableParam[];
}

export interface TableCommand {
  name: string;
  params: TableParam[];
}

export interface CommandTable {
  commands: TableCommand[];
}

export type Method = "pbd" | "xpbd" | "jacobi";

/** One slider. path: the members to follow inside the command's params. */
export interface ControlSpec {
  id: string;
  label: string;
  command: "world.set" | "cloth.set";
  path: string[];
  /** For a vec3: the axis that the slider moves, the others are kept. */
  axis?: 0 | 1 | 2;
  scale: Scale;
  /** Limits of the table: what may be typed beside the slider. */
  min: number;
  max: number;
  unit: string;
  /** unit says what the number counts; it is no unit of measure. */
  counted: boolean;
  help: string;
  fallback: number | null;
  nullable: boolean;
  /** Solver methods in which the setting has an effect; all when absent. */
  methods?: Method[];
  group: "solver" | "world" | "cloth";
  /** How a value of null is written. */
  off: string;
  /** What a setting that was null from the start is switched on with. */
  start: number | null;
}

/** A setting of every cloth that is on or off. */
export interface SwitchSpec {
  id: string;
  label: string;
  name: string;
  help: string;
  methods: Method[];
}

interface Wish {
  label: string;
  command: "world.set" | "cloth.set";
  path: string[];
  axis?: 0 | 1 | 2;
  scale: Scale;
  /** What a number without a unit counts; the table writes "1" there. */
  counts?: string;
  methods?: Method[];
  off?: string;
  start?: number;
  group: ControlSpec["group"];
}

const WISHES: Wish[] = [
  { label: "Iterations", command: "world.set", path: ["solver", "iterations"], scale: { kind: "log", min: 1, max: 200, integer: true }, counts: "passes / substep", group: "solver" },
  { label: "Substeps", command: "world.set", path: ["solver", "substeps"], scale: { kind: "linear", min: 1, max: 64, integer: true }, counts: "per tick", methods: ["pbd", "xpbd"], group: "solver" },
  { label: "Jacobi weight", command: "world.set", path: ["solver", "jacobi_weight"], scale: { kind: "log", min: 0.01, max: 10 }, counts: "of an edge", methods: ["jacobi"], group: "solver" },
  { label: "Velocity factor", command: "world.set", path: ["solver", "velocity_factor"], scale: { kind: "linear", min: 0.9, max: 1, digits: 4 }, counts: "kept per tick", methods: ["jacobi"], group: "solver" },
  { label: "Stretch compliance", command: "cloth.set", path: ["stretch_compliance"], scale: { kind: "log", min: 1e-9, max: 1, zero: true }, methods: ["xpbd"], group: "cloth" },
  { label: "Bend compliance", command: "cloth.set", path: ["bend_compliance"], scale: { kind: "log", min: 1e-4, max: 1e6, zero: true }, methods: ["xpbd"], group: "cloth" },
  { label: "Stretch stiffness", command: "cloth.set", path: ["stretch_stiffness"], scale: { kind: "log", min: 1e-3, max: 1, zero: true }, counts: "share per tick", methods: ["pbd"], group: "cloth" },
  { label: "Bend stiffness", command: "cloth.set", path: ["bend_stiffness"], scale: { kind: "log", min: 1e-3, max: 1, zero: true }, counts: "share per tick", methods: ["pbd"], group: "cloth" },
  { label: "Friction", command: "cloth.set", path: ["friction"], scale: { kind: "linear", min: 0, max: 2 }, counts: "µ", methods: ["pbd", "xpbd"], group: "cloth" },
  { label: "Static friction", command: "cloth.set", path: ["static_friction"], scale: { kind: "linear", min: 0, max: 2 }, counts: "µ", methods: ["pbd", "xpbd"], off: "as friction", start: 0.5, group: "cloth" },
  { label: "Compression", command: "cloth.set", path: ["compression"], scale: { kind: "linear", min: 0, max: 1 }, counts: "of stretch", methods: ["pbd", "xpbd"], group: "cloth" },
  { label: "Pressure", command: "cloth.set", path: ["pressure"], scale: { kind: "linear", min: 0, max: 2 }, counts: "of the rest volume", methods: ["pbd", "xpbd"], start: 1, group: "cloth" },
  { label: "Thickness", command: "cloth.set", path: ["thickness"], scale: { kind: "linear", min: 0, max: 0.05 }, methods: ["pbd", "xpbd"], group: "cloth" },
  { label: "Gravity (y)", command: "world.set", path: ["gravity"], axis: 1, scale: { kind: "linear", min: -25, max: 10 }, group: "world" },
  { label: "Wind (x)", command: "world.set", path: ["wind", "velocity"], axis: 0, scale: { kind: "linear", min: -20, max: 20 }, methods: ["pbd", "xpbd"], group: "world" },
  { label: "Wind (z)", command: "world.set", path: ["wind", "velocity"], axis: 2, scale: { kind: "linear", min: -20, max: 20 }, methods: ["pbd", "xpbd"], group: "world" },
  { label: "Turbulence", command: "world.set", path: ["wind", "turbulence"], scale: { kind: "linear", min: 0, max: 1 }, counts: "of the wind", methods: ["pbd", "xpbd"], group: "world" },
  { label: "Air drag", command: "world.set", path: ["drag"], scale: { kind: "linear", min: 0, max: 5 }, methods: ["pbd", "xpbd"], group: "world" },
  { label: "Damping", command: "world.set", path: ["damping"], scale: { kind: "linear", min: 0, max: 1 }, counts: "share per tick", methods: ["pbd", "xpbd"], group: "world" },
  { label: "Time scale", command: "world.set", path: ["time_scale"], scale: { kind: "log", min: 0.05, max: 4 }, counts: "× real time", group: "world" },
];

const SWITCHES: Omit<SwitchSpec, "id" | "help">[] = [
  { label: "Self-collision", name: "self_collision", methods: ["pbd", "xpbd"] },
  { label: "Tethers to pins", name: "tethers", methods: ["pbd", "xpbd"] },
  { label: "Collides with other cloths", name: "cloth_collision", methods: ["pbd", "xpbd"] },
];

/** A command's param by its path of member names, or undefined. */
export function findParam(table: CommandTable, command: string, path: string[]): TableParam | undefined {
  let params = table.commands.find((c) => c.name === command)?.params;
  let found: TableParam | undefined;
  for (const name of path) {
    found = params?.find((p) => p.name === name);
    params = found?.members;
  }
  return found;
}

/** The sliders that this command table can serve, in panel order. */
export function buildControls(table: CommandTable): ControlSpec[] {
  const controls: ControlSpec[] = [];
  for (const wish of WISHES) {
    const param = findParam(table, wish.command, wish.path);
    if (!param) continue;
    const min = param.min ?? -Infinity;
    const max = param.max ?? Infinity;
    controls.push({
      id: [wish.command.replace(".", "-"), ...wish.path, ...(wish.axis === undefined || wish.path.length === 1 ? [] : ["xyz"[wish.axis]!])].join("-"),
      label: wish.label,
      command: wish.command,
      path: wish.path,
      ...(wish.axis === undefined ? {} : { axis: wish.axis }),
      scale: fitScale(wish.scale, min, max),
      min,
      max,
      unit: param.unit && param.unit !== "1" ? param.unit : (wish.counts ?? ""),
      counted: !param.unit || param.unit === "1",
      help: param.help ?? "",
      fallback: fallbackOf(param, wish.axis),
      nullable: param.nullable === true,
      ...(wish.methods === undefined ? {} : { methods: wish.methods }),
      group: wish.group,
      off: wish.off ?? "off",
      start: wish.start ?? null,
    });
  }
  return controls;
}

/** The switches of a cloth that this command table can serve. */
export function buildSwitches(table: CommandTable): SwitchSpec[] {
  return SWITCHES.flatMap((wish) => {
    const param = findParam(table, "cloth.set", [wish.name]);
    return param?.type === "boolean" ? [{ ...wish, id: `cloth-set-${wish.name}`, help: param.help ?? "" }] : [];
  });
}

/** The values of an enum in the table, e.g. the solver methods. */
export function enumValues(table: CommandTable, command: string, path: string[]): string[] {
  return findParam(table, command, path)?.values ?? [];
}

/** The params of the command that sets this control to value. current: the value of a vec3 now. */
export function buildParams(control: ControlSpec, value: number | null, current: unknown, cloth: string | null): Record<string, unknown> {
  let leaf: unknown = value;
  if (control.axis !== undefined) {
    const vector = Array.isArray(current) ? [...(current as number[])] : [0, 0, 0];
    vector[control.axis] = value ?? 0;
    leaf = vector;
  }
  for (const name of [...control.path].reverse()) leaf = { [name]: leaf };
  return control.command === "cloth.set" ? { cloth, ...(leaf as object) } : (leaf as Record<string, unknown>);
}

/** What stands at a path of member names; undefined where there is none. */
export function readPath(path: string[], settings: Record<string, unknown>): unknown {
  let value: unknown = settings;
  for (const name of path) value = value && typeof value === "object" ? (value as Record<string, unknown>)[name] : undefined;
  return value;
}

/** The value of this control in settings as the server describes them; undefined: unknown. */
export function readValue(control: ControlSpec, settings: Record<string, unknown>): number | null | undefined {
  let value = readPath(control.path, settings);
  if (control.axis !== undefined && Array.isArray(value)) value = value[control.axis];
  return typeof value === "number" || value === null ? value : undefined;
}

/** What is wrong with a typed value, as a sentence; null when it may be sent. */
export function checkTyped(control: ControlSpec, value: number): string | null {
  const { label, min, max } = control;
  if (!Number.isFinite(value)) return `${label} needs a number.`;
  if (value >= min && value <= max) return null;
  const limits = min === -Infinity ? `at most ${plain(max)}` : max === Infinity ? `at least ${plain(min)}` : `between ${plain(min)} and ${plain(max)}`;
  const unit = control.unit && !control.counted ? ` ${prettyUnit(control.unit)}` : "";
  return `${label} must be ${limits}${unit}, not ${plain(value)}.`;
}

/** All digits, with a true minus sign. */
function plain(value: number): string {
  return String(value).replace("-", "−");
}

function fitScale(scale: Scale, min: number, max: number): Scale {
  return { ...scale, min: Math.max(scale.min, min), max: Math.min(scale.max, max), ...(scale.zero ? { zero: min <= 0 } : {}) };
}

function fallbackOf(param: TableParam, axis: number | undefined): number | null {
  const value = axis !== undefined && Array.isArray(param.default) ? param.default[axis] : param.default;
  return typeof value === "number" ? value : null;
}
