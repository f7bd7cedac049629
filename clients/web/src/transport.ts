// The bar at the top: scene choice, play, pause, step, reset, and how to look at it.
import { button, h, icon, setDisabled } from "./dom";
import { listenKeys } from "./keys";
import type { Send } from "./panel";
import type { Store } from "./store";

const ICONS = {
  play: "M8 5.5v13l10.5-6.5z",
  pause: "M8 5v14M16 5v14",
  step: "M6 5.5v13l8.5-6.5zM18 5v14",
  reset: "M5 12a7 7 0 1 0 2.2-5.1M5 4.5v4h4",
  home: "M4 9V4.5h4.5M20 9V4.5h-4.5M4 15v4.5h4.5M20 15v4.5h-4.5M12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z",
  wire: "M4 6l8-3 8 3v12l-8 3-8-3zM4 6l8 4 8-4M12 10v11M4 12l8 4 8-4",
  pin: "M12 21v-7M8 4h8l-1 6 3 4H6l3-4z",
  panel: "M4 7h10M18 7h2M4 17h2M10 17h10M16 4.5v5M8 14.5v5",
};

const RESET = "Reset the world to its scene's start (R)";

export interface ViewActions {
  resetCamera(): void;
  setWireframe(on: boolean): void;
  setPinMode(on: boolean): void;
  setPanel(open: boolean): void;
}

export class Transport {
  readonly element = h("header", { id: "bar" });
  private readonly scene = h("select", { id: "scene", "aria-label": "Scene" });
  private readonly play: HTMLButtonElement;
  private readonly step: HTMLButtonElement;
  private readonly reset: HTMLButtonElement;
  private readonly panel: HTMLButtonElement;
  private readonly worldName = h("span", { id: "world" });
  private readonly about = h("span", { id: "scene-about" });

  constructor(
    private readonly store: Store,
    send: Send,
    actions: ViewActions,
    panelOpen: boolean,
  ) {
    this.play = button("play", "Play", ICONS.play, () => send(store.running ? "world.pause" : "world.resume", {}));
    this.step = button("step", "Step one tick", ICONS.step, () => send("world.step", { ticks: 1 }));
    this.reset = button("reset", RESET, ICONS.reset, () => send("world.reset", {}));
    this.scene.addEventListener("change", () => {
      const name = this.scene.value;
      this.showScene();
      if (name !== "") send("world.load", { scene: name });
    });
    const logo = h("span", { id: "logo" }, "clothd");
    const home = button("camera-reset", "Reset the camera (C)", ICONS.home, () => actions.resetCamera());
    const wire = toggle("wireframe", "Wireframe (W)", ICONS.wire, (on) => actions.setWireframe(on));
    const pin = toggle("pin-mode", "Pin mode: a click pins or frees a vertex (as Shift-click does)", ICONS.pin, (on) => actions.setPinMode(on));
    const panel = (this.panel = toggle("panel-toggle", "Settings", ICONS.panel, (on) => actions.setPanel(on)));
    panel.setAttribute("aria-controls", "panel");
    this.showPanelOpen(panelOpen);
    this.element.append(
      h("div", { class: "group" }, logo, this.worldName, this.scene, this.about),
      h("div", { class: "group", role: "group", "aria-label": "Clock" }, this.reset, this.play, this.step),
      h("div", { class: "group", role: "group", "aria-label": "View" }, pin, wire, home, panel),
    );
    listenKeys({ " ": this.play, ".": this.step, r: this.reset, c: home, w: wire });
    for (const topic of ["run", "role", "connection"] as const) store.on(topic, () => this.follow());
    for (const topic of ["scenes", "world"] as const) {
      store.on(topic, () => {
        this.follow();
        this.showScene();
      });
    }
    this.follow();
    this.showScene();
  }

  showPanelOpen(open: boolean): void {
    this.panel.setAttribute("aria-pressed", String(open));
  }

  private follow(): void {
    const { store } = this;
    const reason = store.whyReadOnly();
    const label = store.running ? "Pause (Space)" : "Play (Space)";
    this.play.replaceChildren(icon(store.running ? ICONS.pause : ICONS.play));
    this.play.classList.toggle("running", store.running);
    this.play.setAttribute("aria-label", label);
    setDisabled(this.play, reason, label);
    setDisabled(this.step, reason ?? (store.running ? "Pause the world first: only a paused world can be stepped." : null), "Step one tick (.)");
    setDisabled(this.reset, reason, RESET);
    setDisabled(this.scene, reason, store.description || "Scene");
  }

  private showScene(): void {
    const { store } = this;
    this.worldName.textContent = store.world === "main" ? "" : store.world;
    const options = store.scenes.map((scene) => h("option", { value: scene.scene, title: scene.description }, scene.scene));
    const current = store.known ? store.currentScene() : null;
    if (current === null) options.unshift(h("option", { value: "", disabled: true }, !store.known ? "–" : store.title || store.scene || "Choose a scene"));
    this.scene.replaceChildren(...options);
    this.scene.value = current ?? "";
    this.about.textContent = this.about.title = store.description;
  }
}

function toggle(id: string, label: string, path: string, change: (on: boolean) => void): HTMLButtonElement {
  const element = button(id, label, path, () => {
    const on = element.getAttribute("aria-pressed") !== "true";
    element.setAttribute("aria-pressed", String(on));
    change(on);
  });
  element.setAttribute("aria-pressed", "false");
  return element;
}
