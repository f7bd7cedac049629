// The panel of settings: solver method, sliders for solver, cloth and world. It shows
// what the server says, follows changes made by others, and sends what the user chooses.
import { buildControls, buildParams, buildSwitches, enumValues, readPath, readValue, type CommandTable, type ControlSpec, type Method } from "./controls_spec";
import { h, setDisabled } from "./dom";
import { MethodChoice } from "./method_choice";
import { Slider } from "./slider";
import type { Store } from "./store";
import { Switch } from "./switch";

export type Send = (method: string, params: Record<string, unknown>) => void;

/** Sentences for the user: what else happened, and why something was not sent. */
export interface Say {
  tell(sentence: string): void;
  refuse(sentence: string): void;
}

const METHOD_HELP: Record<string, string> = {
  xpbd: "XPBD: compliance in real units",
  pbd: "PBD: stiffness as in the 2007 paper",
  jacobi: "Jacobi: the GAMES103 homework",
};

const GROUP_TITLES: Record<ControlSpec["group"], string> = { solver: "Solver", cloth: "Cloth", world: "World" };

export class Panel {
  readonly element = h("div", { id: "settings" });
  private readonly choice = new MethodChoice();
  private readonly methods = new Map<string, HTMLInputElement>();
  private readonly sliders: Slider[] = [];
  private readonly switches: Switch[] = [];
  private readonly notes = new Map<ControlSpec["group"], HTMLElement>();
  private readonly clothSelect = h("select", { id: "cloth-select", "aria-label": "Cloth that the sliders set" });
  private readonly clothRow = h("div", { class: "row" }, h("label", { for: "cloth-select" }, "Which cloth"), this.clothSelect);
  private readonly readOnly = h("p", { id: "read-only", class: "note", hidden: true });

  constructor(
    private readonly store: Store,
    table: CommandTable,
    private readonly send: Send,
    private readonly say: Say,
  ) {
    this.element.append(this.readOnly);
    const groups = new Map<ControlSpec["group"], HTMLElement>();
    for (const group of ["solver", "cloth", "world"] as const) {
      const note = h("p", { class: "note", hidden: true });
      const body = h("div", { class: "body" });
      groups.set(group, body);
      this.notes.set(group, note);
      if (group === "solver") body.append(this.buildMethods(enumValues(table, "world.set", ["solver", "method"])));
      if (group === "cloth") body.append(this.clothRow);
      this.element.append(h("details", { class: "section", open: true, id: `section-${group}` }, h("summary", {}, GROUP_TITLES[group]), body, note));
    }
    for (const control of buildControls(table)) {
      const slider = new Slider(control, (value) => this.change(control, value), (sentence) => say.refuse(sentence));
      this.sliders.push(slider);
      groups.get(control.group)!.append(slider.element);
    }
    for (const control of buildSwitches(table)) {
      const toggle = new Switch(control, (value) => {
        for (const name of this.targets()) this.send("cloth.set", { cloth: name, [control.name]: value });
      });
      this.switches.push(toggle);
      groups.get("cloth")!.append(toggle.element);
    }
    this.clothSelect.addEventListener("change", () => this.follow());
    store.on("objects", () => this.listCloths());
    store.on("scene", () => {
      this.choice.forget();
      for (const slider of this.sliders) slider.forgetInput();
    });
    for (const topic of ["params", "role", "known", "connection"] as const) store.on(topic, () => this.follow());
    this.listCloths();
  }

  /** Names of the cloths that a cloth slider sets. */
  private targets(): string[] {
    const names = [...this.store.cloths.values()].map((cloth) => cloth.name);
    const chosen = this.clothSelect.value;
    return chosen === "" ? names : names.filter((name) => name === chosen);
  }

  private buildMethods(values: string[]): HTMLElement {
    const group = h("div", { class: "segments", role: "radiogroup", "aria-label": "Solver method" });
    for (const value of values) {
      const input = h("input", { type: "radio", name: "method", id: `method-${value}`, value });
      input.addEventListener("change", () => this.choose(value));
      this.methods.set(value, input);
      group.append(h("span", {}, input, h("label", { for: `method-${value}` }, value)));
    }
    return group;
  }

  private choose(method: string): void {
    const { solver, hint } = this.choice.choose(method, this.store.solver);
    this.send("world.set", { solver });
    if (hint) this.say.tell(hint);
  }

  private change(control: ControlSpec, value: number | null): void {
    if (control.command === "world.set") {
      const current = readPath(control.path, this.store.settings);
      this.send("world.set", buildParams(control, value, current, null));
      return;
    }
    for (const name of this.targets()) this.send("cloth.set", buildParams(control, value, undefined, name));
  }

  private listCloths(): void {
    const chosen = this.clothSelect.value;
    const names = [...this.store.cloths.values()].map((cloth) => cloth.name);
    this.clothSelect.replaceChildren(h("option", { value: "" }, "All cloths"), ...names.map((name) => h("option", { value: name }, name)));
    this.clothSelect.value = names.includes(chosen) ? chosen : "";
    this.clothRow.hidden = names.length < 2;
    this.follow();
  }

  /** Everything as the store has it now. */
  private follow(): void {
    const { store } = this;
    const reason = store.whyReadOnly();
    // A lost connection and a world that is not there are the banner's.
    this.readOnly.hidden = !(store.connection === "open" && store.known && reason);
    this.readOnly.textContent = reason ?? "";
    const method = String(store.solver["method"] ?? "xpbd") as Method;
    for (const [value, input] of this.methods) {
      input.checked = store.known && value === method;
      setDisabled(input, reason, METHOD_HELP[value] ?? value);
    }
    const cloth = store.clothByName(this.targets()[0] ?? "");
    for (const slider of this.sliders) {
      const { control } = slider;
      const source = control.command === "cloth.set" ? cloth?.settings : { ...store.settings, solver: store.solver };
      const value = source ? readValue(control, source) : undefined;
      slider.follow(value);
      slider.element.hidden = control.methods !== undefined && !control.methods.includes(method);
      slider.setDisabled(reason ?? (control.command === "cloth.set" && !cloth ? "There is no cloth in this world." : null));
    }
    for (const toggle of this.switches) {
      const value = cloth?.settings[toggle.control.name];
      toggle.follow(typeof value === "boolean" ? value : undefined);
      toggle.element.hidden = !toggle.control.methods.includes(method);
      toggle.setDisabled(reason ?? (cloth ? null : "There is no cloth in this world."));
    }
    const note = this.notes.get("cloth")!;
    note.hidden = method !== "jacobi";
    note.textContent = "The jacobi method takes no material: its stretch is set by iterations and weight.";
  }
}
