// Highlights: elements that a line of the log names light up in the picture, and lines about an element light up in the
// log.

import { all, allOf, find, findOf, hit } from "./dom.js";
import { goToPart } from "./tabs.js";

/**
 * @import { Thing } from "./dom.js"
 * @import { Act } from "./sent.d.ts"
 */

const LINES = 3; // the last ones that name an element
const MOST = 6; // changed things that are lit
const LIT_MS = 4000;

/** @param {Thing} thing */
const isElement = (thing) => thing.classList.contains("element");

/** Set the width of rings so that it is the same on the screen at every scale of a drawing. */
export function measure() {
  for (const plain of all("#page-main .element[style]:not(.spot, .lit, .since)")) plain.removeAttribute("style");
  for (const element of all("#page-main :is(.spot, .lit, .since)")) {
    const scale = element instanceof SVGGraphicsElement ? element.getScreenCTM()?.a : 1;
    element.style.setProperty("--px", String(1 / (scale || 1)));
  }
}

/** @param {Element | null} line */
export const namesOf = (line) =>
  (line instanceof HTMLElement ? (line.dataset.names ?? "") : "").split(" ").filter(Boolean);

export class Lights {
  constructor() {
    /** @type {string[]} ids */
    this.names = [];
    /** @type {Thing[]} */
    this.shining = [];
    this.at = ""; // id of the element under the mouse or focus
    this.byLine = false; // whether that is a line of the log
    /** @type {number | null} the log's scroll position before it was moved to lines that name an element */
    this.read = null;
    document.addEventListener("pointerover", (event) => {
      if (event.pointerType !== "touch") this.look(event);
    });
    document.addEventListener("focusin", (event) => this.look(event));
    addEventListener("resize", measure);
    document.addEventListener("change", measure); // another part of a phone's table
  }

  /**
   * Light up these elements and no others, as long as nothing else is lit.
   * @param {string[]} names
   */
  light(names) {
    this.names = names;
    this.dress();
  }

  /** Light up the elements again after the page was patched. */
  dress() {
    for (const lit of this.shining) lit.classList.remove("spot");
    this.shining = this.lit();
    for (const lit of this.shining) lit.classList.add("spot");
    measure();
  }

  /** Return the elements to light up that are on the page. */
  lit() {
    return this.names.map((id) => find(`[id="${CSS.escape(id)}"]`)).filter((found) => found !== null);
  }

  /**
   * Light up these elements for a while and, on a phone, go to them. Return false if none of them is on the page.
   * @param {string[]} names
   */
  point(names) {
    this.light(names);
    const found = this.lit().filter(isElement);
    goToPart(found);
    this.fade();
    return found.length > 0;
  }

  /** Remove the lights after a while. */
  fade() {
    const { names } = this;
    setTimeout(() => this.names === names && this.light([]), LIT_MS);
  }

  /**
   * Light up the elements that acts name, or else those that they have changed. On a phone, go to their part of the
   * table.
   * @param {Act[]} acts
   * @param {string[]} changed ids
   */
  act(acts, changed) {
    this.light(acts.flatMap((act) => act.lines).flatMap((line) => line.names));
    if (!this.lit().some(isElement)) this.light([...this.names, ...changed.slice(0, MOST)]);
    goToPart(this.lit().filter(isElement));
  }

  /**
   * Follow the mouse or the focus to a line of the log, an element, or neither.
   * @param {Event} event
   */
  look(event) {
    const line = hit(event, "#page-log li, .happened li");
    const element = hit(event, "#page-main .element");
    const at = line?.id ?? element?.id ?? "";
    if (at === this.at) return;
    this.at = at;
    for (const lit of allOf(HTMLElement, "#page-log li.spot")) lit.classList.remove("spot");
    if (line || this.byLine) this.light(namesOf(line));
    this.byLine = line !== null;
    this.giveBack();
    if (element) this.lines(element.id);
  }

  /** Restore the log's scroll position. */
  giveBack() {
    const box = findOf(HTMLElement, ".log-box");
    if (this.read !== null && box) box.scrollTop = this.read;
    this.read = null;
  }

  /**
   * Light up the last lines that name an element.
   * @param {string} id
   */
  lines(id) {
    const found = allOf(HTMLElement, `#page-log li[data-names~="${CSS.escape(id)}"]`).slice(0, LINES);
    for (const line of found) line.classList.add("spot");
    const box = findOf(HTMLElement, ".log-box");
    if (!found[0] || !box) return;
    const [line, room] = [found[0].getBoundingClientRect(), box.getBoundingClientRect()];
    this.read = box.scrollTop;
    if (line.bottom > room.bottom) box.scrollTop += line.bottom - room.bottom;
    else if (line.top < room.top) box.scrollTop -= room.top - line.top;
  }
}
