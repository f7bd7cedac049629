// The line of figures at the bottom: what arrives, how fast and how late.
import { h } from "./dom";
import { formatNumber } from "./scale";

export interface Figures {
  tick: number;
  tickRate: number;
  fps: number | null;
  latencyMs: number | null;
  kibPerSecond: number;
  skipped: number;
  vertices: number;
}

const FIELDS: { key: keyof Figures; label: string; title: string; unit: string; digits: number }[] = [
  { key: "tick", label: "tick", title: "The world's tick that is shown", unit: "", digits: 0 },
  { key: "tickRate", label: "rate", title: "Ticks a second that arrive here", unit: "Hz", digits: 1 },
  { key: "fps", label: "draw", title: "Pictures drawn a second; a picture that does not change is not drawn again", unit: "fps", digits: 0 },
  { key: "latencyMs", label: "latency", title: "Time of server.ping there and back", unit: "ms", digits: 1 },
  { key: "kibPerSecond", label: "data", title: "Data received from the server", unit: "KiB/s", digits: 1 },
  { key: "skipped", label: "skipped", title: "Frames the server left out for this page because the connection was slower than the world", unit: "", digits: 0 },
  { key: "vertices", label: "vertices", title: "Vertices of all cloths", unit: "", digits: 0 },
];

export class StatusLine {
  readonly element = h("footer", { id: "status", "aria-label": "Figures of the stream" });
  private readonly cells = new Map<keyof Figures, HTMLElement>();
  private readonly rate = h("span", { id: "status-rate-note", role: "status", hidden: true });
  private rateTimer: ReturnType<typeof setTimeout> | undefined;
  private readonly link = h("span", { id: "link", class: "wait" }, "connecting");

  constructor() {
    this.element.append(this.link);
    for (const field of FIELDS) {
      const value = h("b", { id: `status-${field.key}` }, "–");
      this.cells.set(field.key, value);
      this.element.append(h("span", { class: `figure ${field.key}`, title: field.title }, h("i", {}, field.label), value, field.unit ? h("i", {}, field.unit) : null));
    }
    this.element.append(this.rate);
  }

  /** How the server sends to this page now; null, and what is not lasting after a while, goes. */
  sayRate(text: string | null, lasting: boolean): void {
    clearTimeout(this.rateTimer);
    this.rate.hidden = text === null;
    this.rate.textContent = this.rate.title = text ?? "";
    this.rate.classList.toggle("lasting", lasting);
    if (text !== null && !lasting) this.rateTimer = setTimeout(() => this.sayRate(null, false), 10000);
  }

  setLink(text: string, kind: "good" | "wait" | "bad"): void {
    this.link.textContent = text;
    this.link.className = kind;
  }

  show(figures: Figures): void {
    for (const field of FIELDS) {
      const value = figures[field.key];
      const text = value === null ? "–" : field.digits === 0 ? Math.round(value).toLocaleString("en").replace(/,/g, "\u202f") : value >= 1000 ? formatNumber(Math.round(value)) : value.toFixed(field.digits);
      const cell = this.cells.get(field.key)!;
      if (cell.textContent !== text) cell.textContent = text;
    }
  }
}
