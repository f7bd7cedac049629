// What choosing a solver method means for the iterations. Jacobi passes move vertices by
// a small share each: with the one pass that suits XPBD a cloth falls apart. So jacobi
// brings the course's number with it, and going back brings back what was set before.

/** Fewer passes than this do not hold a cloth together. */
const FEW = 8;
/** GAMES103, homework 2. */
const COURSE_ITERATIONS = 32;

export interface Choice {
  solver: { method: string; iterations?: number };
  /** What else was changed, as a sentence; null: nothing. */
  hint: string | null;
}

export class MethodChoice {
  private before: number | null = null;

  /** The user chooses method; solver: what the world has now. */
  choose(method: string, solver: Record<string, unknown>): Choice {
    const iterations = Number(solver["iterations"]);
    const was = solver["method"];
    if (method === "jacobi" && was !== "jacobi" && iterations < FEW) {
      this.before = iterations;
      return { solver: { method, iterations: COURSE_ITERATIONS }, hint: `Jacobi needs many passes: iterations are now ${COURSE_ITERATIONS}, as in GAMES103.` };
    }
    if (method === was) return { solver: { method }, hint: null };
    const before = was === "jacobi" ? this.before : null;
    this.before = null;
    if (before === null) return { solver: { method }, hint: null };
    return { solver: { method, iterations: before }, hint: before === iterations ? null : `Iterations are ${before} again, as before jacobi.` };
  }

  /** Another scene has its own iterations. */
  forget(): void {
    this.before = null;
  }
}
