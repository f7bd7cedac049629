// Pins and colliders by keyboard: the same commands that the mouse sends on the
// stage, with exact numbers.
import { h, setDisabled } from "./dom";
import type { Send } from "./panel";
import type { Vec3 } from "./picking";
import { formatNumber, roundDigits } from "./scale";
import type { Collider, Store } from "./store";

export class ObjectsPanel {
  readonly element = h("div", { id: "objects" });
  private readonly cloth = h("select", { id: "pin-cloth", "aria-label": "Cloth" });
  private readonly vertex = h("input", { id: "pin-vertex", type: "number", min: 0, step: 1, value: 0 });
  private readonly pin = h("button", { id: "pin-set", type: "button" }, "Pin");
  private readonly unpin = h("button", { id: "pin-clear", type: "button" }, "Unpin");
  private readonly pinCount = h("p", { class: "note", id: "pin-count" });
  private readonly collider = h("select", { id: "collider", "aria-label": "Collider" });
  private readonly axes = ["x", "y", "z"].map((axis) => h("input", { id: `collider-${axis}`, type: "number", step: 0.05, "aria-label": `Collider position ${axis} in metres` }));
  private readonly colliderNote = h("p", { class: "note" });

  constructor(
    private readonly store: Store,
    private readonly send: Send,
  ) {
    const pins = h(
      "details",
      { class: "section", open: true },
      h("summary", {}, "Pins"),
      h("div", { class: "body" }, h("div", { class: "row" }, this.cloth), h("div", { class: "row" }, h("label", { for: "pin-vertex" }, "Vertex"), this.vertex, this.pin, this.unpin), this.pinCount),
    );
    const axes = h("div", { class: "row axes" });
    ["x", "y", "z"].forEach((axis, i) => axes.append(h("label", { for: `collider-${axis}` }, axis), this.axes[i]!));
    axes.append(h("span", { class: "unit" }, "m"));
    const colliders = h("details", { class: "section", open: true }, h("summary", {}, "Colliders"), h("div", { class: "body" }, h("div", { class: "row" }, this.collider), axes, this.colliderNote));
    const help = h(
      "details",
      { class: "section", id: "help" },
      h("summary", {}, "Mouse and keys"),
      h(
        "ul",
        { class: "body note" },
        h("li", {}, "Drag the background to orbit, wheel to zoom, right-drag to pan."),
        h("li", {}, "Drag the cloth to pull it by the vertex under the pointer."),
        h("li", {}, "Drag a pin (yellow) or a collider to move it, also through the cloth that lies on it. Dark colliders are static, wooden ones move on their own."),
        h("li", {}, "Shift-click a vertex, or switch on pin mode, to pin or free it."),
        h("li", {}, h("kbd", {}, "Space"), " plays and pauses, ", h("kbd", {}, "."), " steps one tick (full stop)."),
        h("li", {}, h("kbd", {}, "R"), " resets the world, ", h("kbd", {}, "W"), " shows the wireframe, ", h("kbd", {}, "C"), " resets the camera."),
      ),
    );
    this.element.append(pins, colliders, help);
    this.pin.addEventListener("click", () => this.sendPin("cloth.pin"));
    this.unpin.addEventListener("click", () => this.sendPin("cloth.unpin"));
    this.cloth.addEventListener("change", () => this.followPins());
    this.collider.addEventListener("change", () => this.followCollider(true));
    this.axes.forEach((axis, i) => {
      axis.addEventListener("change", () => this.sendMove(i));
      for (const type of ["focus", "blur"] as const) axis.addEventListener(type, () => this.followCollider(true));
    });
    store.on("objects", () => this.list());
    store.on("pins", () => this.followPins());
    store.on("poses", () => this.followCollider(false));
    store.on("sleep", () => {
      this.followPins();
      this.followCollider(false);
    });
    for (const topic of ["role", "known", "connection"] as const) store.on(topic, () => this.list());
    store.on("scene", () => {
      this.vertex.value = "0";
      this.list();
    });
    this.list();
  }

  private sendPin(method: string): void {
    this.send(method, { cloth: this.cloth.value, vertices: [Number(this.vertex.value)] });
  }

  /** Only what was typed changes: the other fields may show rounded numbers. */
  private sendMove(axis: number): void {
    const collider = this.store.colliderByName(this.collider.value);
    if (!collider) return;
    const position: Vec3 = [...collider.position];
    position[axis] = Number(this.axes[axis]!.value);
    this.send("collider.move", { collider: collider.name, position });
  }

  private list(): void {
    refill(this.cloth, [...this.store.cloths.values()].map((cloth) => cloth.name));
    this.cloth.parentElement!.hidden = this.store.cloths.size < 2;
    refill(this.collider, [...this.store.colliders.values()].map((collider) => collider.name));
    this.followPins();
    this.followCollider(true);
  }

  private followPins(): void {
    const cloth = this.store.clothByName(this.cloth.value);
    const reason = this.store.whyReadOnly() ?? (cloth ? null : "There is no cloth in this world.");
    for (const input of [this.vertex, this.pin, this.unpin]) setDisabled(input, reason);
    if (!cloth) {
      this.pinCount.textContent = this.store.known ? "No cloth in this world." : "–";
      return;
    }
    this.vertex.max = String(Math.max(cloth.vertexCount - 1, 0));
    const pins = [...cloth.pins].sort((a, b) => a - b);
    const first = pins.slice(0, 6).join(", ");
    this.pinCount.textContent =
      (cloth.asleep ? "Asleep: at rest until something moves it. " : "") +
      (pins.length === 0 ? "No vertex is pinned." : `${pins.length} pinned: ${first}${pins.length > 6 ? ", …" : ""} of vertices 0 to ${cloth.vertexCount - 1}.`);
  }

  /** chosen: another collider was picked, so its numbers may replace what is being typed. */
  private followCollider(chosen: boolean): void {
    const collider = this.store.colliderByName(this.collider.value);
    const reason =
      this.store.whyReadOnly() ?? (collider ? (collider.motion === "static" ? "This collider is static: it refuses to move." : null) : "There is no collider in this world.");
    setDisabled(this.collider, !this.store.known ? this.store.whyReadOnly() : collider ? null : "There is no collider in this world.");
    this.axes.forEach((axis, i) => {
      setDisabled(axis, reason);
      if (!collider) axis.value = "";
      if (!collider || (!chosen && document.activeElement === axis)) return;
      const value = Number(collider.position[i]!.toFixed(4));
      const text = String(document.activeElement === axis ? value : roundDigits(value, 3));
      if (axis.value !== text) axis.value = text;
    });
    this.colliderNote.textContent = collider ? describeCollider(collider) : this.store.known ? "No collider in this world." : "–";
  }
}

export function describeCollider({ shape, motion, mass, asleep }: Pick<Collider, "shape" | "motion" | "mass" | "asleep">): string {
  const sizes: string[] = [];
  if (shape.radius !== undefined) sizes.push(`radius ${formatNumber(shape.radius)} m`);
  if (shape.half_height !== undefined) sizes.push(`half height ${formatNumber(shape.half_height)} m`);
  if (shape.half_extents) sizes.push(`half extents ${shape.half_extents.map((x) => formatNumber(x)).join(" × ")} m`);
  if (motion === "dynamic" && mass !== null) sizes.push(`${formatNumber(mass)} kg`);
  if (asleep) sizes.push("asleep");
  return [`${motion} ${shape.type}`, ...sizes].join(", ");
}

function refill(select: HTMLSelectElement, names: string[]): void {
  const chosen = select.value;
  select.replaceChildren(...names.map((name) => h("option", { value: name }, name)));
  if (names.includes(chosen)) select.value = chosen;
}
