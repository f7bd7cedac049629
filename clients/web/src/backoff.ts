// How long to wait before the next attempt to connect: 0.25 s, doubled up to 8 s,
// with jitter so that many pages do not come back in the same instant.

export function backoffMs(attempt: number, random: () => number = Math.random): number {
  const base = Math.min(250 * 2 ** Math.max(0, attempt - 1), 8000);
  return base * (0.75 + 0.5 * random());
}
