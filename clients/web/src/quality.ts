// How richly the stage is drawn. A browser without a graphics card paints in software
// and gets a plainer picture that moves; ?quality=high or low overrides the choice.

export interface Quality {
  antialias: boolean;
  maxPixelRatio: number;
  shadowSize: number;
  /** Reflections of a soft room, sheen of the fabric. */
  rich: boolean;
}

const HIGH: Quality = { antialias: true, maxPixelRatio: 2, shadowSize: 2048, rich: true };
const LOW: Quality = { antialias: false, maxPixelRatio: 0.75, shadowSize: 1024, rich: false };

const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;

/** renderer: the graphics card's name as WebGL tells it. asked: the value of ?quality=. */
export function chooseQuality(renderer: string, asked: string | null): Quality {
  if (asked === "high") return HIGH;
  if (asked === "low") return LOW;
  return SOFTWARE.test(renderer) ? LOW : HIGH;
}

/** The name of what draws, "" where the browser does not tell. Null: there is no WebGL. */
export function rendererName(): string | null {
  const context = document.createElement("canvas").getContext("webgl2");
  if (!context) return null;
  const info = context.getExtension("WEBGL_debug_renderer_info");
  const name = info ? String(context.getParameter(info.UNMASKED_RENDERER_WEBGL)) : "";
  context.getExtension("WEBGL_lose_context")?.loseContext();
  return name;
}

/** Lowers the resolution while pictures take too long and raises it again when there is room. */
export class Governor {
  /** Share of the full resolution per axis. */
  scale = 1;
  private times: number[] = [];
  private last = -Infinity;

  /** A picture was drawn at this time in ms; true when scale changed. */
  drawn(now: number): boolean {
    const gap = now - this.last;
    this.last = now;
    // Pauses between pictures that nobody asked for say nothing.
    if (gap > 500) this.times = [];
    else this.times.push(gap);
    if (this.times.length < 24) return false;
    const mean = this.times.reduce((sum, t) => sum + t, 0) / this.times.length;
    this.times = [];
    const before = this.scale;
    if (mean > 45) this.scale = Math.max(0.5, this.scale - 0.125);
    else if (mean < 18) this.scale = Math.min(1, this.scale + 0.125);
    return this.scale !== before;
  }
}
