// Enlarged copies of drawings that are too small to be read in place.

import { svg } from "./dom.js";

/** @import { Thing } from "./dom.js" */

const READABLE = 15; // px: texts of this size on the screen need no lens
const SMALL = 56; // px: signs without a text that are narrower or lower are enlarged
const LARGER = 1.6;
const WIDEST = 300; // px
const CLEARER = 1.2; // factor by which the copy must be larger than the drawing
const OWN = ["legal", "picked", "advised", "fresh", "changed", "arriving", "leaving", "spot", "since", "unsure"];

/**
 * Return the size of the smallest text of a drawing on the screen, in pixels.
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
 * Return whether a drawing needs the lens and becomes clearly larger there. It does if its texts are too small to be
 * read, or if it has none and is small or among a seat's goods.
 * @param {SVGGraphicsElement} drawn
 */
function needsLens(drawn) {
  const { width, height } = drawn.getBoundingClientRect();
  const isSmall = drawn.querySelector("text")
    ? smallest(drawn) < READABLE
    : drawn.closest(".seats") !== null || Math.min(width, height) < SMALL;
  return isSmall && widthOf(drawn) > CLEARER * width;
}

/**
 * Return the width of a drawing in the lens, in pixels.
 * @param {SVGGraphicsElement} drawn
 */
const widthOf = (drawn) => Math.min(WIDEST, drawn.getBBox().width * LARGER);

/**
 * Put an enlarged copy of an element of a drawing at the head of a sheet, if it needs one. Scripts ignore the copy. It
 * has all parts that the element has where there is room for them.
 * @param {Thing} element
 * @param {HTMLElement} sheet
 */
export function enlarge(element, sheet) {
  if (!(element instanceof SVGGraphicsElement) || !needsLens(element)) return;
  const copy = element.cloneNode(true);
  if (!(copy instanceof SVGGraphicsElement)) return;
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
  const lens = svg("svg", { class: "lens" });
  lens.setAttribute("aria-hidden", "true");
  lens.append(copy);
  sheet.prepend(lens);
  const { x, y, width, height } = copy.getBBox();
  if (!width || !height) {
    lens.remove();
    return;
  }
  const wide = widthOf(copy);
  lens.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
  lens.setAttribute("width", `${wide}`);
  lens.setAttribute("height", `${(wide * height) / width}`);
}
