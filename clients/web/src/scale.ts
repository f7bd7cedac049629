// Slider arithmetic: where a value sits on its slider, and how it is written.
// A slider has 1000 positions; linear and logarithmic scales map them to values.

export const SLIDER_STEPS = 1000;

export interface Scale {
  kind: "linear" | "log";
  min: number;
  max: number;
  /** Values are whole numbers. */
  integer?: boolean;
  /** Position 0 stands for exactly 0 (log scales only): "none" below the smallest value. */
  zero?: boolean;
  /** Significant digits that tell neighbours apart, where 3 do not. */
  digits?: number;
}

function clamp(value: number, low: number, high: number): number {
  return value < low ? low : value > high ? high : value;
}

/** The slider position 0…SLIDER_STEPS of a value; values outside the scale sit at its ends. */
export function positionOf(scale: Scale, value: number): number {
  if (scale.kind === "linear") {
    const t = (value - scale.min) / (scale.max - scale.min);
    return clamp(t, 0, 1) * SLIDER_STEPS;
  }
  if (!(value > 0)) return 0;
  const first = scale.zero ? 1 : 0;
  const t = Math.log(value / scale.min) / Math.log(scale.max / scale.min);
  return first + clamp(t, 0, 1) * (SLIDER_STEPS - first);
}

/** The value at a slider position, rounded to what a person would type. */
export function valueAt(scale: Scale, position: number): number {
  const p = clamp(position, 0, SLIDER_STEPS);
  if (scale.kind === "linear") {
    const value = scale.min + (p / SLIDER_STEPS) * (scale.max - scale.min);
    if (scale.integer) return Math.round(value);
    return clamp(roundToStep(value, (scale.max - scale.min) / SLIDER_STEPS), scale.min, scale.max);
  }
  const first = scale.zero ? 1 : 0;
  if (scale.zero && p < 1) return 0;
  const t = (p - first) / (SLIDER_STEPS - first);
  const value = scale.min * Math.pow(scale.max / scale.min, t);
  if (scale.integer) return Math.round(value);
  return clamp(roundDigits(value, 3), scale.min, scale.max);
}

/** value with this many significant decimal digits. */
export function roundDigits(value: number, digits: number): number {
  return value === 0 ? 0 : Number(value.toPrecision(digits));
}

/** value rounded to the power of ten at or below step, so that neighbours stay apart. */
export function roundToStep(value: number, step: number): number {
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const rounded = Number(value.toFixed(Math.min(decimals, 12)));
  return rounded === 0 ? 0 : rounded;
}

/** A number for people: whole, or with 3 significant digits; a true minus sign, powers of ten where plain digits would be long. */
export function formatNumber(value: number, digits = 3): string {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e5)) {
    const [mantissa, exponent] = value.toExponential(2).split("e") as [string, string];
    const short = Number(mantissa);
    const power = `10${superscript(Number(exponent))}`;
    return minus(short === 1 ? power : `${short}·${power}`);
  }
  return minus(String(size >= 1000 ? Math.round(value) : Number.isInteger(value) ? value : roundDigits(value, digits)));
}

/** value and unit, "off" for null (a constraint kind that is switched off). */
export function formatValue(value: number | null, unit: string): string {
  if (value === null) return "off";
  return unit ? `${formatNumber(value)} ${prettyUnit(unit)}` : formatNumber(value);
}

/** Units as people write them: m/s^2 → m/s². */
export function prettyUnit(unit: string): string {
  return unit.replace(/\^(-?\d)/g, (_, digit: string) => superscript(Number(digit)));
}

function minus(text: string): string {
  return text.replace("-", "−");
}

function superscript(value: number): string {
  return String(value).replace(/[-0-9]/g, (c) => (c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(c)]!));
}
