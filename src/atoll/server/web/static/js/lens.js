// What is too small to be read at its place, drawn again and larger.

import { svg } from "./dom.js";

/** @import { Thing } from "./dom.js" */

const READABLE = 15; // px: texts of this size on the screen need no lens
const LARGER = 1.6;
const WIDEST = 260; // px
const OWN = ["legal", "picked", "advised", "fresh", "changed", "arriving", "leaving", "spot", "since", "unsure"];

/**
 * How large the smallest text of a drawing is on the screen, in pixels.
 * @param {SVGGraphicsElement} drawn
 */
function smallest(drawn) {
  const sizes = [...drawn.querySelectorAll("text")].map((text) => {
    const scale = Math.abs(text.getScreenCTM()?.a ?? 1);
    return Number.parseFloat(getComputedStyle(text).fontSize) * scale;
  });
  return Math.min(READABLE, ...sizes);
}

/**
 * An enlarged copy of an element of a drawing, if it has texts that need one; it means nothing to scripts.
 * @param {Thing} element
 */
export function enlarged(element) {
  if (!(element instanceof SVGGraphicsElement) || smallest(element) >= READABLE) return null;
  const { x, y, width, height } = element.getBBox();
  const copy = element.cloneNode(true);
  if (!width || !height || !(copy instanceof SVGElement)) return null;
  for (const node of [copy, ...copy.querySelectorAll("*")]) {
    for (const { name } of [...node.attributes]) {
      if (
        name === "id" ||
        name.startsWith("data-") ||
        name.startsWith("aria-") ||
        name === "role" ||
        name === "tabindex"
      )
        node.removeAttribute(name);
    }
    node.classList.remove(...OWN);
  }
  copy.removeAttribute("transform");
  copy.classList.remove("element");
  const wide = Math.min(WIDEST, width * LARGER);
  const box = `${x} ${y} ${width} ${height}`;
  const lens = svg("svg", { class: "lens", viewBox: box, width: wide, height: (wide * height) / width });
  lens.setAttribute("aria-hidden", "true");
  lens.append(copy);
  return lens;
}
