// One setting of the panel: name, slider, a field to type the exact value, its unit,
// and a switch where the setting can be off.
import { checkTyped, type ControlSpec } from "./controls_spec";
import { h, setDisabled } from "./dom";
import { formatNumber, formatValue, positionOf, prettyUnit, SLIDER_STEPS, valueAt } from "./scale";
import { Throttle } from "./throttle";

export class Slider {
  readonly element: HTMLElement;
  private readonly range: HTMLInputElement;
  private readonly field: HTMLInputElement;
  private readonly toggle: HTMLInputElement | null = null;
  private readonly sender: Throttle<number | null>;
  /** null: off. undefined: the world has not said it. */
  private value: number | null | undefined;
  /** The field holds what is being typed, not the value. */
  private editing = false;
  /** What the switch turns on again. */
  private lastOn: number;
  private heldUntil = 0;
  private pending: number | null | undefined;

  constructor(
    readonly control: ControlSpec,
    send: (value: number | null) => void,
    private readonly complain: (sentence: string) => void,
  ) {
    this.sender = new Throttle(50, send);
    this.lastOn = control.fallback ?? control.start ?? control.scale.min;
    const id = control.id;
    this.range = h("input", { id, type: "range", min: 0, max: SLIDER_STEPS, step: this.step(), value: 0 });
    this.field = h("input", { id: `${id}-value`, class: "value", type: "text", inputmode: "decimal", autocomplete: "off", "aria-label": `${control.label}, exact value` });
    const unit = h("span", { class: "unit" }, prettyUnit(control.unit));
    const head = h("div", { class: "head" }, h("label", { for: id }, control.label));
    if (control.nullable) {
      this.toggle = h("input", { id: `${id}-on`, type: "checkbox", role: "switch", "aria-label": `${control.label} on` });
      this.toggle.addEventListener("change", () => this.choose(this.toggle!.checked ? this.lastOn : null));
      head.append(this.toggle);
    }
    head.append(h("span", { class: "amount" }, this.field, unit));
    this.element = h("div", { class: "slider", title: control.help }, head, this.range);
    this.range.addEventListener("input", () => this.choose(valueAt(control.scale, Number(this.range.value))));
    this.range.addEventListener("change", () => this.sender.flush());
    this.range.addEventListener("keydown", (event) => this.wholeSteps(event));
    this.field.addEventListener("focus", () => {
      this.show();
      this.field.select();
    });
    this.field.addEventListener("input", () => (this.editing = true));
    this.field.addEventListener("blur", () => {
      this.editing = false;
      this.show();
    });
    this.field.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.typed();
      if (event.key === "Escape") this.field.blur();
    });
    this.field.addEventListener("change", () => this.typed());
    this.show();
  }

  /** What the server says the value is (undefined: nothing); waits while the user is moving the slider. */
  follow(value: number | null | undefined): void {
    const wait = this.heldUntil - performance.now();
    if (wait > 0 && value !== undefined) {
      this.pending = value;
      setTimeout(() => {
        if (this.pending !== undefined && performance.now() >= this.heldUntil) {
          const newest = this.pending;
          this.pending = undefined;
          this.follow(newest);
        }
      }, wait + 5);
      return;
    }
    this.pending = undefined;
    this.value = value;
    if (typeof value === "number") this.lastOn = value;
    this.show();
  }

  /** Drops what is being typed or moved: the next value is another scene's. */
  forgetInput(): void {
    this.editing = false;
    this.heldUntil = 0;
    this.pending = undefined;
  }

  setDisabled(reason: string | null): void {
    const why = reason ?? (this.value === undefined ? "The server did not say this value." : null);
    for (const input of [this.range, this.field, this.toggle]) if (input) setDisabled(input, why);
    this.element.title = why ?? this.control.help;
    if (why === null) this.range.disabled = this.value === null;
  }

  private choose(value: number | null): void {
    this.value = value;
    if (value !== null) this.lastOn = value;
    // Our own value comes back as an event a moment later; older ones must not pull the thumb.
    this.heldUntil = performance.now() + 400;
    this.show();
    this.sender.push(value);
  }

  private typed(): void {
    if (!this.editing) return;
    this.editing = false;
    const text = this.field.value.trim().replace("−", "-").replace(",", ".");
    if (text === "" || Number(text) === this.value) return this.show();
    const value = this.control.scale.integer ? Math.round(Number(text)) : Number(text);
    const complaint = checkTyped(this.control, value);
    if (complaint) {
      this.complain(complaint);
      return this.show();
    }
    this.choose(value);
    this.sender.flush();
  }

  /** Arrow keys on a whole-number slider move by one, wherever the log scale puts it. */
  private wholeSteps(event: KeyboardEvent): void {
    const { scale } = this.control;
    const step = event.key === "ArrowRight" || event.key === "ArrowUp" ? 1 : event.key === "ArrowLeft" || event.key === "ArrowDown" ? -1 : 0;
    if (!scale.integer || step === 0 || typeof this.value !== "number") return;
    event.preventDefault();
    this.choose(Math.min(Math.max(this.value + step, scale.min), scale.max));
  }

  private step(): number {
    const { scale } = this.control;
    return scale.integer && scale.kind === "linear" ? SLIDER_STEPS / (scale.max - scale.min) : 1;
  }

  private show(): void {
    const { control, value } = this;
    const off = typeof value !== "number";
    this.range.value = String(off ? 0 : positionOf(control.scale, value));
    this.range.setAttribute("aria-valuetext", value === undefined ? "–" : value === null ? control.off : formatValue(value, control.unit));
    this.range.disabled = off || this.field.disabled;
    this.range.style.setProperty("--fill", `${Number(this.range.value) / (SLIDER_STEPS / 100)}%`);
    if (!this.editing) {
      // All digits where they may be changed, as many as help elsewhere.
      const exact = document.activeElement === this.field;
      const text = value === undefined ? "–" : value === null ? control.off : exact ? String(value) : formatNumber(value, control.scale.digits);
      if (this.field.value !== text) this.field.value = text;
    }
    if (this.toggle) this.toggle.checked = !off;
    this.element.classList.toggle("off", value === null);
    this.element.classList.toggle("unknown", value === undefined);
  }
}
