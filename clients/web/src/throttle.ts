// At most one call per interval, the last value always sent: for commands that
// follow the mouse. The clock and timer can be replaced in tests.

export interface Timers {
  now(): number;
  set(callback: () => void, ms: number): unknown;
  clear(timer: unknown): void;
}

export const realTimers: Timers = {
  now: () => performance.now(),
  set: (callback, ms) => setTimeout(callback, ms),
  clear: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
};

export class Throttle<T> {
  private last = -Infinity;
  private waiting: { value: T } | null = null;
  private timer: unknown = null;

  constructor(
    private readonly intervalMs: number,
    private readonly send: (value: T) => void,
    private readonly timers: Timers = realTimers,
  ) {}

  /** Sends now when the interval has passed, else keeps only the newest value for its end. */
  push(value: T): void {
    const wait = this.last + this.intervalMs - this.timers.now();
    if (wait <= 0 && this.timer === null) {
      this.emit(value);
      return;
    }
    this.waiting = { value };
    this.timer ??= this.timers.set(() => {
      this.timer = null;
      this.flush();
    }, Math.max(wait, 0));
  }

  /** Sends the value that still waits, at once. */
  flush(): void {
    if (this.timer !== null) this.timers.clear(this.timer);
    this.timer = null;
    const waiting = this.waiting;
    this.waiting = null;
    if (waiting) this.emit(waiting.value);
  }

  private emit(value: T): void {
    this.last = this.timers.now();
    this.send(value);
  }
}
