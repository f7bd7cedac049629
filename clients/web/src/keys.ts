// The page's keys. A letter or Space means the same wherever the focus is, except where
// it writes or chooses: what was clicked last must not catch the next Space. Buttons
// that have the focus are pressed with Enter.

/** Where every key is the element's own. */
const WRITES = 'input:not([type="range"], [type="checkbox"], [type="radio"]), textarea, select';
/** Where Space is the only key that switches or chooses. */
const TAKES_SPACE = 'input[type="checkbox"], input[type="radio"]';
/** What a click with the pointer leaves without the focus, and a choice from a list too. */
const CLICKED = 'button, summary, input[type="checkbox"], input[type="radio"]';

/** Each key (lower case) presses its button. */
export function listenKeys(buttons: Record<string, HTMLButtonElement>): void {
  let byPointer = false;
  const buttonOf = (event: KeyboardEvent): HTMLButtonElement | undefined => {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof Element)) return undefined;
    const own = event.key === " " ? `${WRITES}, ${TAKES_SPACE}` : WRITES;
    return event.target.matches(own) ? undefined : buttons[event.key.toLowerCase()];
  };
  window.addEventListener("pointerdown", () => (byPointer = true), { capture: true });
  window.addEventListener("keydown", () => (byPointer = false), { capture: true });
  window.addEventListener("keydown", (event) => {
    const button = buttonOf(event);
    if (!button) return;
    event.preventDefault();
    // A held key steps on, but does not flicker between play and pause.
    if (!event.repeat || event.key === ".") button.click();
  });
  // Firefox presses a focused button when Space comes up, whatever became of its coming down.
  window.addEventListener("keyup", (event) => event.key === " " && buttonOf(event) && event.preventDefault());
  window.addEventListener("click", () => byPointer && leave(CLICKED));
  window.addEventListener("change", () => byPointer && leave(`${CLICKED}, select`));
}

function leave(selector: string): void {
  const focused = document.activeElement;
  if (focused instanceof HTMLElement && focused.matches(selector)) focused.blur();
}
