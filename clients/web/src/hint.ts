// One quiet line at the foot of the stage: what the mouse does there. The panel's
// "Mouse and keys" tells the rest.
import { h } from "./dom";
import type { Store } from "./store";

const VIEW = "Drag: orbit · wheel: zoom · right-drag: pan";
const COMMAND = "drag cloth, pin or collider: pull, move · Shift-click: pin";

export class Hint {
  readonly element = h("p", { id: "hint" });

  constructor(private readonly store: Store) {
    for (const topic of ["role", "known", "connection"] as const) store.on(topic, () => this.follow());
    this.follow();
  }

  /** Commands are named only to those who may give them. */
  private follow(): void {
    this.element.textContent = this.store.whyReadOnly() ? VIEW : `${VIEW} · ${COMMAND}`;
  }
}
