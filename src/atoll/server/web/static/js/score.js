// The final score is counted: line after line lights up, the last place first. It can be skipped and seen again; who
// doesn't want motion, or has no script, simply has all of it.

import { all, allOf, find, findOf, onClick } from "./dom.js";
import { isStill } from "./motion.js";
import { store, stored } from "./storage.js";

/** @import { Tabletop } from "./tabletop.js" */

const LINE_MS = 420;
const LONGEST_MS = 9000;
const DIM = 0.15;

export class Counting {
  /** @param {Tabletop} table */
  constructor(table) {
    this.table = table;
    /** @type {Animation[]} */
    this.running = [];
    /** @type {WeakSet<HTMLDetailsElement>} What was folded once and is left as it is from then on. */
    this.folded = new WeakSet();
    onClick("[data-count]", () => this.start());
    onClick("[data-skip]", () => this.finish());
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.finish());
  }

  get name() {
    return `atoll counted ${this.table.data.table}`;
  }

  /** When the score is there for the first time in this browser. */
  offer() {
    const [again, skip] = [findOf(HTMLElement, "[data-count]"), findOf(HTMLElement, "[data-skip]")];
    if (!again || !skip) return;
    const counts = this.running.length > 0;
    if (!isStill()) {
      again.hidden = counts;
      skip.hidden = !counts;
      if (!stored(this.name)) {
        store(this.name, "1");
        this.start();
        return;
      }
    }
    if (!counts) this.fold();
  }

  /** Where there is little room, all places are in sight, and the lines of each at a tap. */
  fold() {
    if (matchMedia("(min-width: 900px)").matches) return;
    for (const fold of allOf(HTMLDetailsElement, ".ranking details[data-fold]")) {
      if (!this.folded.has(fold)) fold.open = false;
      this.folded.add(fold);
    }
  }

  start() {
    this.finish();
    const lines = [];
    this.folded = new WeakSet(); // all of it is shown, and folded again
    for (const seat of all(".ranking > li").reverse()) {
      for (const fold of allOf(HTMLDetailsElement, "details", seat)) fold.open = true;
      lines.push(...all("tbody tr", seat), ...all(".total", seat));
    }
    const step = Math.min(LINE_MS, LONGEST_MS / lines.length);
    this.running = lines.map((line, at) => light(line, at * step, step));
    const end = () => this.finish();
    Promise.all(this.running.map((each) => each.finished)).then(end, end);
    this.offer();
  }

  finish() {
    const running = this.running;
    this.running = [];
    for (const each of running) each.finish();
    if (running.length) this.offer();
  }
}

/**
 * Animations and no classes: the page may be patched meanwhile, and what is read aloud is all there from the beginning.
 * @param {Element} element
 * @param {number} delay
 * @param {number} duration
 */
function light(element, delay, duration) {
  const glow = getComputedStyle(find(".score") ?? element).getPropertyValue("--glow");
  return element.animate(
    [
      { opacity: DIM },
      { opacity: 1, backgroundColor: `color-mix(in srgb, ${glow} 55%, transparent)`, offset: 0.4 },
      { opacity: 1 },
    ],
    { delay, duration: duration * 2, fill: "backwards" },
  );
}
