// Amounts: a stepper for each decision of a mix, asked ahead on the server, and sent together.

import { readLegal } from "./choices.js";
import { button, find, html } from "./dom.js";

/**
 * @import { Option } from "./choices.js"
 * @import { Question } from "./sent.d.ts"
 * @import { Tabletop } from "./tabletop.js"
 * @typedef {{ options: Option[], at: number }} Row a decision, and which of its options is set
 */

/** @param {Row} row */
const setIn = ({ options, at }) => options[at];

export class Panel {
  /**
   * @param {Tabletop} table
   * @param {Question} question
   */
  constructor(table, question) {
    this.table = table;
    this.key = question.key;
    /** @type {Row[]} */
    this.rows = [{ options: readLegal(question.legal), at: 0 }];
    this.turn = 0; // how often was asked ahead
    this.extend(1);
  }

  choices() {
    return this.rows.map((row) => setIn(row).choice);
  }

  /**
   * Ask what follows the amounts so far, as long as it belongs to the same mix; keep what was set where it still fits.
   * @param {number} from the first row that isn't known any more
   */
  async extend(from) {
    const old = this.choices();
    this.rows.splice(from);
    this.turn += 1;
    const turn = this.turn;
    for (;;) {
      const seen = await this.table.server.ahead(this.choices()).catch((error) => this.table.news.tell(error.message));
      if (turn !== this.turn) return;
      const question = seen?.question;
      if (!question?.amount || question.key !== this.key) break;
      const options = readLegal(question.legal);
      const at = options.findIndex((option) => option.choice === old[this.rows.length]);
      this.rows.push({ options, at: Math.max(0, at) });
    }
    if (this.table.panel === this) this.draw();
  }

  draw() {
    const bar = this.table.bar.element;
    const active = document.activeElement;
    const focus = active instanceof HTMLElement && bar.contains(active) ? active.dataset.step : undefined;
    bar.replaceChildren(...this.rows.map((row, i) => this.stepper(row, i)), this.submit());
    if (focus) find(`[data-step="${focus}"]:not(:disabled)`, bar)?.focus();
  }

  /**
   * @param {Row} row
   * @param {number} i
   */
  stepper(row, i) {
    const { text, words } = setIn(row);
    const value = html("output", { textContent: words });
    value.dataset.text = text;
    const box = html("div", { className: "stepper", role: "group", ariaLabel: words });
    const step = (/** @type {number} */ by, /** @type {string} */ sign, /** @type {string} */ label) => {
      const made = button(sign, () => this.set(i, row.at + by));
      made.ariaLabel = label;
      made.dataset.step = `${i}${sign}`;
      made.disabled = !row.options[row.at + by];
      return made;
    };
    box.append(step(-1, "−", this.table.texts.less), value, step(1, "+", this.table.texts.more));
    return box;
  }

  /**
   * @param {number} i
   * @param {number} at
   */
  set(i, at) {
    this.rows[i].at = at;
    this.draw();
    this.table.news.say(setIn(this.rows[i]).words);
    this.extend(i + 1);
  }

  submit() {
    const made = button(this.table.texts.take_amounts, () => this.table.choose(this.choices()), "strong");
    made.dataset.submit = "";
    return made;
  }
}
