// A fade and an arrow at the lower edge of something that scrolls, while more lies
// below: scroll bars often hide until they are used.
import { h, icon } from "./dom";

const DOWN = "M7 10l5 5 5-5";

/** Adds the cue as the last child of scroller. */
export function addScrollCue(scroller: HTMLElement): void {
  const cue = h("div", { class: "scroll-cue", "aria-hidden": "true" }, icon(DOWN));
  const follow = (): void => {
    cue.classList.toggle("more", scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop > 8);
  };
  const sizes = new ResizeObserver(follow);
  for (const part of [scroller, ...scroller.children]) sizes.observe(part);
  scroller.addEventListener("scroll", follow, { passive: true });
  scroller.append(cue);
}
