// One quiet line at the foot of the stage: what the mouse does there. The panel's
// "Mouse and keys" tells the rest.
import { h } from "./dom";
import type { Store } from "./store";

const VIEW = "Drag to orbit, wheel to zoom, right-drag to pan.";
const COMMAND = "Drag a pin or a collider to move it, Shift-click a vertex to pin it.";

export class Hint {
  readonly element = h("p", { id: "hint" });

  constructor(private readonly store: Store) {
    for (const topic of ["role", "connection"] as const) store.on(topic, () => this.follow());
    this.follow();
  }

  /** Commands are named only to those who may give them. */
  private follow(): void {
    this.element.textContent = this.store.whyReadOnly() ? VIEW : `${VIEW} ${COMMAND}`;
  }
}
