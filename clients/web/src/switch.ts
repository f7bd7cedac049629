// One setting of the panel that is on or off.
import type { SwitchSpec } from "./controls_spec";
import { h, setDisabled } from "./dom";

export class Switch {
  readonly element: HTMLElement;
  private readonly input: HTMLInputElement;
  private known = false;

  constructor(
    readonly control: SwitchSpec,
    send: (value: boolean) => void,
  ) {
    this.input = h("input", { id: control.id, type: "checkbox", role: "switch" });
    this.input.addEventListener("change", () => send(this.input.checked));
    this.element = h("div", { class: "switch", title: control.help }, h("div", { class: "head" }, h("label", { for: control.id }, control.label), this.input));
  }

  /** What the server says it is; undefined: nothing. */
  follow(value: boolean | undefined): void {
    this.known = value !== undefined;
    this.input.checked = value === true;
  }

  setDisabled(reason: string | null): void {
    const why = reason ?? (this.known ? null : "The server did not say this value.");
    setDisabled(this.input, why);
    this.element.title = why ?? this.control.help;
  }
}
