// The count of the final score: line after line lights up, the last rank first. It can be skipped and repeated. Without
// motion or scripts the whole score is shown immediately.

import { all, allOf, find, findOf, html, onClick } from "./dom.js";
import { isStill } from "./motion.js";
import { store, stored } from "./storage.js";

/** @import { Tabletop } from "./tabletop.js" */

const LINE_MS = 420;
const LONGEST_MS = 9000;
const DIM = 0.15;
const PETALS = 28;
const FALL_MS = 1300;

export class Counting {
  /** @param {Tabletop} table */
  constructor(table) {
    this.table = table;
    /** @type {Animation[]} */
    this.running = [];
    /** @type {ReturnType<typeof setTimeout>[]} */
    this.timers = [];
    /** The folds that were open before the count. */
    this.open = openFolds();
    /** @type {WeakSet<HTMLDetailsElement>} the folds that were closed once and aren't changed any longer */
    this.folded = new WeakSet();
    onClick("[data-count]", () => this.start());
    onClick("[data-skip]", () => this.finish());
    onClick(".ranking summary", () => this.finish(openFolds()));
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.finish());
  }

  get name() {
    return `atoll counted ${this.table.data.table}`;
  }

  /** Count the score when it is shown for the first time in this browser. */
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

  /** Fold the lines if there is little room: all ranks are in sight, and a tap shows the lines of one. */
  fold() {
    if (matchMedia("(--desktop) and (min-height: 50rem)").matches) return;
    for (const fold of allOf(HTMLDetailsElement, ".ranking details[data-many]")) {
      if (!this.folded.has(fold)) fold.open = false;
      this.folded.add(fold);
    }
  }

  /** Count the lines of one rank after the other, while the others are folded. */
  start() {
    this.finish();
    const lines = all(".ranking > li")
      .reverse()
      .flatMap((place) => [...all("tbody tr", place), ...all(".total", place)])
      .concat(all(".podium li").reverse(), all(".decided"));
    const step = Math.min(LINE_MS, LONGEST_MS / lines.length);
    this.open = openFolds();
    this.running = lines.map((line, at) => light(line, at * step, step));
    this.timers = lines.map((line, at) => setTimeout(look, at * step, line));
    this.timers.push(setTimeout(() => this.finish(), (lines.length + 1) * step)); // animations in a fold may never end
    this.offer();
  }

  /** End the count. Folds that the reader opened or closed meanwhile stay so. */
  finish(open = this.open) {
    const running = this.running;
    if (!running.length) return;
    this.running = [];
    for (const each of this.timers) clearTimeout(each);
    for (const fold of folds()) fold.open = open.has(fold);
    for (const each of running) each.finish();
    if (open === this.open) find("#page-result summary")?.scrollIntoView({ block: "nearest" });
    celebrate();
    this.offer();
  }
}

const folds = () => allOf(HTMLDetailsElement, ".ranking details");

const openFolds = () => new Set(folds().filter((fold) => fold.open));

/** Let petals in the colors of the winners fall over the podium. They don't block clicks. */
function celebrate() {
  const room = find(".celebration[data-won]");
  const winners = all(".podium .step-1").map(({ dataset }) => dataset.seat ?? "");
  if (!room || isStill() || find(".petal", room)) return;
  const { width, height } = room.getBoundingClientRect();
  for (let i = 0; i < PETALS; i += 1) {
    const petal = html("span", { className: "petal", ariaHidden: "true" });
    petal.dataset.own = "";
    const seat = winners[i % Math.max(1, winners.length)];
    petal.style.background = seat ? `var(--seat-${seat})` : "var(--accent)";
    petal.style.left = `${((width - 60) * (i + Math.random())) / PETALS + 30}px`;
    room.append(petal);
    const turn = `${Math.round(Math.random() * 900 - 450)}deg`;
    const fall = petal.animate(
      [
        { translate: "0 -8px", rotate: "0deg", opacity: 1 },
        { translate: `${Math.round(Math.random() * 60 - 30)}px ${height - 14}px`, rotate: turn, opacity: 0.2 },
      ],
      { duration: FALL_MS * (0.7 + Math.random()), delay: 400 * Math.random(), easing: "ease-in", fill: "both" },
    );
    fall.onfinish = () => petal.remove();
  }
}

/** @param {Element} line */
function look(line) {
  const its = line.closest("details");
  for (const fold of folds()) fold.open = fold === its;
  line.scrollIntoView({ block: "nearest" });
}

/**
 * Light up an element by an animation, not by a class: the page may be patched meanwhile, and screen readers have all
 * of it from the beginning.
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
