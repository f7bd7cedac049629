// One vertex in the hand: from the press to the release. The server names the grab in
// its answer; what the pointer does before that waits for it.
import type { Vec3 } from "./picking";

export type Request = (method: string, params: Record<string, unknown>) => Promise<Record<string, unknown>>;

export class Grab {
  private id: unknown = null;
  private wanted: Vec3 | null = null;
  private state: "asked" | "held" | "over" = "asked";

  /** fail: told once when the server refuses. */
  constructor(
    private readonly request: Request,
    cloth: string,
    vertex: number,
    position: Vec3,
    private readonly fail: (error: unknown) => void,
  ) {
    this.request("cloth.grab", { cloth, vertex, position }).then(
      (result) => this.taken(result["grab"]),
      (error: unknown) => this.lost(error),
    );
  }

  /** Where the vertex is wanted now. */
  drag(position: Vec3): void {
    if (this.state === "over") return;
    if (this.id === null) {
      this.wanted = position;
      return;
    }
    this.request("cloth.drag", { grab: this.id, position }).catch((error: unknown) => this.lost(error));
  }

  release(): void {
    if (this.state === "over") return;
    this.state = "over";
    if (this.id !== null) this.letGo();
  }

  private taken(id: unknown): void {
    this.id = id;
    if (this.state === "over") {
      // Let go before the answer was here; the last place still counts.
      if (this.wanted) this.request("cloth.drag", { grab: id, position: this.wanted }).catch(() => {});
      this.letGo();
      return;
    }
    this.state = "held";
    if (this.wanted) this.drag(this.wanted);
    this.wanted = null;
  }

  private letGo(): void {
    // A reset or the cloth's removal ended it already: nothing to complain about.
    this.request("cloth.release", { grab: this.id }).catch(() => {});
  }

  private lost(error: unknown): void {
    if (this.state === "over") return;
    this.state = "over";
    this.fail(error);
  }
}
