// Free places for messages: near their subject, and never over the question or a legal element.

import { all } from "./dom.js";

/** @typedef {{ left: number, top: number, width: number, height: number }} Box */

const TAKEN = ".element.legal, #page-prompt, .told, #page-rest button, .stepper, .commands button, label[data-tab]";
const STEP = 12; // px between two places that are tried
const EDGE = 8; // px between a message and the window's edge
const NARROWER = [1, 0.75, 0.6, 0.45]; // parts of the width that a message takes where narrower sheets fit better

/**
 * @param {Box} a
 * @param {Box} b
 */
const overlap = (a, b) =>
  Math.max(0, Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left)) *
  Math.max(0, Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top));

/**
 * Return the visible part of an element: parts that are scrolled out of sight cover nothing.
 * @param {Element} element
 */
function seenOf(element) {
  let { left, top, right, bottom } = element.getBoundingClientRect();
  for (let each = element.parentElement; each; each = each.parentElement) {
    if (getComputedStyle(each).overflow === "visible") continue;
    const around = each.getBoundingClientRect();
    [left, top] = [Math.max(left, around.left), Math.max(top, around.top)];
    [right, bottom] = [Math.min(right, around.right), Math.min(bottom, around.bottom)];
  }
  return { left, top, width: Math.max(0, right - left), height: Math.max(0, bottom - top) };
}

/** Return the boxes on the screen that must stay free. */
function taken() {
  const screen = { left: 0, top: 0, width: innerWidth, height: innerHeight };
  return all(TAKEN)
    .filter((each) => each.checkVisibility({ visibilityProperty: true }))
    .map(seenOf)
    .filter((box) => overlap(box, screen) > 0);
}

/**
 * Return the places along a line, the wanted one first, then the nearest ones.
 * @param {number} wanted
 * @param {number} last
 */
function places(wanted, last) {
  const first = Math.max(EDGE, Math.min(wanted, last));
  const found = [first];
  for (let at = EDGE; at < last; at += STEP) found.push(at);
  return [...found, Math.max(EDGE, last)].sort((a, b) => Math.abs(a - first) - Math.abs(b - first));
}

/**
 * Return the place nearest to a wanted one where a sheet covers none of these boxes, or as little as possible.
 * @param {Box} wanted
 * @param {Box[]} boxes
 */
function freest(wanted, boxes) {
  const { width, height } = wanted;
  const rows = places(wanted.top, innerHeight - height - EDGE);
  let best = { box: wanted, covered: Infinity, far: Infinity };
  for (const left of places(wanted.left, document.documentElement.clientWidth - width - EDGE)) {
    for (const top of rows) {
      const box = { left, top, width, height };
      const far = Math.hypot(left - wanted.left, top - wanted.top);
      if (best.covered === 0 && far >= best.far) continue;
      const covered = boxes.reduce((sum, each) => sum + overlap(box, each), 0);
      if (covered < best.covered || (covered === best.covered && far < best.far)) best = { box, covered, far };
    }
  }
  return best;
}

/**
 * Put a sheet where it covers nothing that must stay free, narrower if necessary. On a very large screen everything is
 * drawn larger, including the sheet's own pixels.
 * @param {HTMLElement} sheet
 * @param {(size: Box) => { left: number, top: number }} wanted the preferred place
 * @param {Box[]} also must stay free
 * @returns {boolean} whether such a place exists
 */
export function putFree(sheet, wanted, also = []) {
  const boxes = [...taken(), ...also];
  const larger = sheet.currentCSSZoom ?? 1;
  sheet.style.maxWidth = "";
  const full = sheet.getBoundingClientRect().width / larger;
  /** @type {Box} */
  const nowhere = { left: 0, top: 0, width: 0, height: 0 };
  let best = { box: nowhere, covered: Infinity, width: 1 };
  for (const width of NARROWER) {
    sheet.style.maxWidth = width < 1 ? `${full * width}px` : "";
    const size = sheet.getBoundingClientRect();
    const found = freest({ ...wanted(size), width: size.width, height: size.height }, boxes);
    if (found.covered < best.covered) best = { box: found.box, covered: found.covered, width };
    if (best.covered === 0) break;
  }
  sheet.style.maxWidth = best.width < 1 ? `${full * best.width}px` : "";
  sheet.style.left = `${best.box.left / larger}px`;
  sheet.style.top = `${best.box.top / larger}px`;
  return best.covered === 0;
}
