// Rates over a short sliding window: frames per second, bytes per second, ticks per second.

interface Sample {
  at: number;
  amount: number;
}

export class RateMeter {
  private samples: Sample[] = [];
  private sum = 0;

  constructor(private readonly windowMs = 2000) {}

  add(now: number, amount = 1): void {
    this.samples.push({ at: now, amount });
    this.sum += amount;
    this.trim(now);
  }

  /** Amount per second over the window that ends now; 0 when nothing came. */
  rate(now: number): number {
    this.trim(now);
    const first = this.samples[0];
    if (!first) return 0;
    // A window that is not full yet counts only from its first sample.
    const span = Math.max(now - first.at, 250);
    return (this.sum / Math.min(span, this.windowMs)) * 1000;
  }

  clear(): void {
    this.samples = [];
    this.sum = 0;
  }

  private trim(now: number): void {
    let drop = 0;
    while (drop < this.samples.length && this.samples[drop]!.at < now - this.windowMs) {
      this.sum -= this.samples[drop]!.amount;
      drop++;
    }
    if (drop > 0) this.samples.splice(0, drop);
  }
}

/** Ticks per second: the span of tick numbers over the time between first and last frame. */
export class TickMeter {
  private samples: { at: number; tick: number }[] = [];

  constructor(private readonly windowMs = 2000) {}

  add(now: number, tick: number): void {
    const last = this.samples[this.samples.length - 1];
    if (last && tick < last.tick) this.samples = [];
    if (last && tick === last.tick) return;
    this.samples.push({ at: now, tick });
  }

  rate(now: number): number {
    while (this.samples.length > 0 && this.samples[0]!.at < now - this.windowMs) this.samples.shift();
    const first = this.samples[0];
    const last = this.samples[this.samples.length - 1];
    if (!first || !last || first === last) return 0;
    // A stopped stream must fall to 0 instead of keeping its last rate.
    const span = now - last.at > 500 ? now - first.at : last.at - first.at;
    return span > 0 ? ((last.tick - first.tick) / span) * 1000 : 0;
  }

  clear(): void {
    this.samples = [];
  }
}
