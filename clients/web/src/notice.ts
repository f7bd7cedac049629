// What the page has to say: a banner for the state of the connection, toasts for
// refused commands and happenings in the world.
import { button, h } from "./dom";

const CROSS = "M6 6l12 12M18 6L6 18";

export class Notices {
  readonly banner = h("div", { id: "banner", role: "status", "aria-live": "polite", hidden: true });
  readonly toasts = h("div", { id: "toasts", role: "log", "aria-live": "polite" });
  private bannerTimer: ReturnType<typeof setTimeout> | undefined;

  /** Shows text until the next call; kind "good" goes by itself. Null hides it. */
  setBanner(text: string | null, kind: "wait" | "bad" | "good" = "wait"): void {
    clearTimeout(this.bannerTimer);
    this.banner.hidden = text === null;
    if (text === null) return;
    this.banner.className = kind;
    if (this.banner.textContent !== text) this.banner.textContent = text;
    if (kind === "good") this.bannerTimer = setTimeout(() => (this.banner.hidden = true), 2500);
  }

  /** A sentence in a corner; the same sentence again only counts up. */
  toast(text: string, kind: "bad" | "info" = "bad"): void {
    for (const old of this.toasts.children) {
      if (!(old instanceof HTMLElement) || old.dataset["text"] !== text) continue;
      const count = Number(old.dataset["count"] ?? "1") + 1;
      old.dataset["count"] = String(count);
      const badge = old.querySelector(".count");
      if (badge) badge.textContent = `×${count}`;
      this.expire(old);
      return;
    }
    const toast = h("div", { class: `toast ${kind}`, "data-text": text }, h("p", {}, text), h("span", { class: "count" }));
    toast.append(button("", "Dismiss", CROSS, () => toast.remove()));
    this.toasts.append(toast);
    while (this.toasts.childElementCount > 4) this.toasts.firstElementChild?.remove();
    this.expire(toast);
  }

  private expire(toast: HTMLElement): void {
    const life = String(Number(toast.dataset["life"] ?? "0") + 1);
    toast.dataset["life"] = life;
    setTimeout(() => {
      if (toast.dataset["life"] === life && !toast.matches(":hover")) toast.remove();
    }, 8000);
  }
}
