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
    /** @type {ReturnType<typeof setTimeout>[]} */
    this.timers = [];
    /** What was open before they were counted. */
    this.open = openFolds();
    /** @type {WeakSet<HTMLDetailsElement>} What was folded once and is left as it is from then on. */
    this.folded = new WeakSet();
    onClick("[data-count]", () => this.start());
    onClick("[data-skip]", () => this.finish());
    onClick(".ranking summary", () => this.finish(openFolds()));
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
        this.fold();
        this.start();
        return;
      }
    }
    if (!counts) this.fold();
  }

  /** Where there is little room, all places are in sight, and the lines of each at a tap. */
  fold() {
    if (matchMedia("(--desktop) and (min-height: 50rem)").matches) return;
    for (const fold of allOf(HTMLDetailsElement, ".ranking details[data-many]")) {
      if (!this.folded.has(fold)) fold.open = false;
      this.folded.add(fold);
    }
  }

  /** The lines of one place after the other: the others are folded meanwhile. */
  start() {
    this.finish();
    const lines = all(".ranking > li")
      .reverse()
      .flatMap((place) => [...all("tbody tr", place), ...all(".total", place)]);
    const step = Math.min(LINE_MS, LONGEST_MS / lines.length);
    this.open = openFolds();
    this.running = lines.map((line, at) => light(line, at * step, step));
    this.timers = lines.map((line, at) => setTimeout(look, at * step, line));
    this.timers.push(setTimeout(() => this.finish(), (lines.length + 1) * step)); // what is folded may never end
    this.offer();
  }

  /** Who opens or folds a place meanwhile keeps what is seen. */
  finish(open = this.open) {
    const running = this.running;
    if (!running.length) return;
    this.running = [];
    for (const each of this.timers) clearTimeout(each);
    for (const fold of folds()) fold.open = open.has(fold);
    for (const each of running) each.finish();
    if (open === this.open) find("#page-result summary")?.scrollIntoView({ block: "nearest" });
    this.offer();
  }
}

const folds = () => allOf(HTMLDetailsElement, ".ranking details");

const openFolds = () => new Set(folds().filter((fold) => fold.open));

/** @param {Element} line */
function look(line) {
  const its = line.closest("details");
  for (const fold of folds()) fold.open = fold === its;
  line.scrollIntoView({ block: "nearest" });
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
