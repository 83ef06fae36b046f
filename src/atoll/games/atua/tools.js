// The buttons for a card in the hand: a bar at the bottom, near the thumbs, where it moves nothing else. It shows the
// effects of the current placement, or the reason why the card doesn't fit.

import { button, html, svg } from "/static/js/dom.js";

/**
 * @import { Hold, Outcome } from "./fits.js"
 * @import { Held } from "./held.js"
 */

/** @param {number} number */
const signed = (number) => `${["−", "±", "+"][Math.sign(number) + 1]}${Math.abs(number)}`;

/** @param {number} by */
const direction = (by) => (by < 0 ? "less" : "more");

export class Tools {
  /**
   * @param {Record<string, string>} words
   * @param {(act: (held: Held) => void) => void} change changes the card in the hand
   */
  constructor(words, change) {
    this.bar = html("section", { className: "atua-tools", ariaLabel: words.tools });
    this.bar.dataset.overDock = "";
    this.bar.dataset.own = "";
    /**
     * @param {string} sign
     * @param {string} label
     * @param {string} keys
     * @param {(held: Held) => void} act
     */
    const add = (sign, label, keys, act) => {
      const made = button(sign, () => change(act));
      this.bar.append(Object.assign(made, { title: `${label} (${keys})`, ariaLabel: label }));
    };
    add("↺", words.rotate_left, "Shift R", (held) => held.turn(-1));
    add("↻", words.rotate_right, "R", (held) => held.turn(1));
    add("←", words.left, "← / Shift ←", (held) => held.nudge(-1, 0));
    add("↑", words.up, "↑ / Shift ↑", (held) => held.nudge(0, -1));
    add("↓", words.down, "↓ / Shift ↓", (held) => held.nudge(0, 1));
    add("→", words.right, "→ / Shift →", (held) => held.nudge(1, 0));
    add("★", words.best, "N / P", (held) => held.next(1));
    this.status = html("output");
    this.bar.append(this.status);
  }

  /** @param {Held} held */
  show(held) {
    const { hold, outcome } = held;
    this.status.replaceChildren(...(outcome ? changes(hold, outcome) : [hold.reasons[held.faults()[0].reason]]));
    this.status.className = outcome ? "fits" : "misfit";
  }
}

/**
 * Return the effects of a placement: points in all, then each changed row of the sheet, symbol and the longest beach.
 * @param {Hold} hold
 * @param {Outcome} outcome
 */
function changes({ names, texts }, { gain, rows, symbols, beach }) {
  /**
   * @param {"row" | "symbol"} kind
   * @param {string} name
   * @param {number} by
   * @param {number} then
   */
  const change = (kind, name, by, then) => {
    const item = html("span", { className: `change ${kind} ${direction(by)}`, title: `${names[name]}: ${then}` });
    const sign = svg("svg", { viewBox: "0 0 24 24", width: 22, height: 22, role: "img", "aria-label": names[name] });
    sign.append(svg("use", { href: `#atua-${name}`, transform: "translate(12 12) scale(.53)" }));
    item.append(sign);
    if (kind === "row") item.append(html("span", { className: "name", textContent: names[name] }));
    item.append(` ${then} `, html("b", { textContent: `(${signed(by)})` }));
    return item;
  };
  return [
    html("b", { className: `gain ${direction(gain)}`, textContent: `${texts.gain} ${signed(gain)}` }),
    ...rows.map((row) => change("row", ...row)),
    ...symbols.map((symbol) => change("symbol", ...symbol)),
    ...(beach ? [change("symbol", "beach", ...beach)] : []),
  ];
}
