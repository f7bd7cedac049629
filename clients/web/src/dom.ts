// Making elements: tag, attributes, children.

type Child = Node | string | null | undefined;
type Attributes = Record<string, string | number | boolean | null | undefined>;

/** <tag ...attributes>children</tag>. true writes an empty attribute; false, null and undefined none. */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child !== null && child !== undefined) element.append(child);
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/** An icon of 24×24 made of path data. */
export function icon(path: string): SVGSVGElement {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const shape = document.createElementNS(SVG, "path");
  shape.setAttribute("d", path);
  svg.append(shape);
  return svg;
}

export function button(id: string, label: string, path: string, onClick: () => void): HTMLButtonElement {
  const element = h("button", { id, type: "button", class: "icon", "aria-label": label, title: label }, icon(path));
  element.addEventListener("click", onClick);
  return element;
}

/** Enables or disables a control; the reason becomes its tooltip. */
export function setDisabled(element: HTMLButtonElement | HTMLInputElement | HTMLSelectElement, reason: string | null, title = ""): void {
  element.disabled = reason !== null;
  element.title = reason ?? title;
}
