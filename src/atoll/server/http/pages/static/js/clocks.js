// Running clocks: in words like the server's, and the last hour of a deadline by the second.

import { allOf } from "./dom.js";
import { serverNow } from "./http.js";
import { fitSentences } from "./sheets.js";

/**
 * @import { Messages } from "./sent.d.ts"
 * @import { Tabletop } from "./tabletop.js"
 */

const SECOND_MS = 1000;
const MINUTE_S = 60;
const COUNTED_S = 3600;
const LOW_S = 60;

/** @type {[unit: "days" | "hours" | "minutes", seconds: number][]} */
const UNITS = [
  ["days", 86_400],
  ["hours", 3600],
  ["minutes", MINUTE_S],
];

/** @param {number} seconds */
const counted = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

/**
 * Return a duration in the two largest units, rounded up to minutes.
 * @param {number} seconds
 * @param {Messages["units"]} words
 */
export function span(seconds, words) {
  let rest = Math.ceil(seconds / MINUTE_S) * MINUTE_S;
  const amounts = UNITS.map(([unit, length]) => {
    const amount = Math.floor(rest / length);
    rest -= amount * length;
    return { unit, amount };
  });
  const first = amounts.findIndex(({ amount }) => amount > 0);
  const shown = amounts.slice(first, first + 2).filter(({ amount }) => amount > 0);
  return shown.map(({ unit, amount }) => words[unit][amount === 1 ? 0 : 1].replace("{}", String(amount))).join(" ");
}

export class Clocks {
  /** @param {Tabletop} table */
  constructor(table) {
    this.table = table;
    this.asked = Date.now(); // when the server's words were read
    table.patched.push(() => {
      this.asked = Date.now();
      this.tick();
    });
    setInterval(() => this.tick(), SECOND_MS);
    this.tick();
  }

  tick() {
    for (const clock of allOf(HTMLElement, "[data-due]")) {
      const left = Date.parse(clock.dataset.due ?? "") - serverNow();
      if (Number.isNaN(left)) continue; // the server's words are sufficient
      const seconds = Math.max(0, Math.ceil(left / SECOND_MS));
      if (seconds < COUNTED_S) this.count(clock, seconds);
      else if (clock.dataset.says && clock.dataset.rests === undefined) {
        this.write(clock, span(seconds, this.table.texts.units));
      }
    }
    this.askAgain();
  }

  /**
   * @param {HTMLElement} clock
   * @param {number} seconds
   */
  count(clock, seconds) {
    const appears = clock.hidden;
    clock.hidden = false;
    clock.classList.toggle("low", seconds < LOW_S);
    this.write(clock, counted(seconds));
    if (appears) fitSentences(); // it takes room from the question
  }

  /**
   * @param {HTMLElement} clock
   * @param {string} left
   */
  write(clock, left) {
    const words = (clock.dataset.says ?? "{}").replace("{}", left);
    if (clock.textContent !== words) clock.textContent = words;
  }

  /** Ask the server again: only it knows the time left of a clock that rests at night or on weekends. */
  askAgain() {
    if (document.hidden || Date.now() - this.asked < MINUTE_S * SECOND_MS) return;
    this.asked = Date.now();
    if (allOf(HTMLElement, "[data-rests]").length) this.table.update();
  }
}
