// Amounts: a stepper for each thing of a mix, in any order, checked by the server, and sent together. If there is only
// one thing, its amounts stand side by side, and a click takes one.

import { meant, readLegal } from "./choices.js";
import { allOf, button, findOf, html, must } from "./dom.js";
import { fit } from "./sheets.js";
import { bringIntoSight } from "./tabs.js";

/**
 * @import { Option } from "./choices.js"
 * @import { Question } from "./sent.d.ts"
 * @import { Tabletop } from "./tabletop.js"
 * @typedef {{ options: Option[], at: number }} Row a thing's amounts, and the index of the one that is set
 */

const MOST_NUMBERS = 10; // that stand side by side

/** @param {Row} row */
const setIn = ({ options, at }) => options[at];

/**
 * Return the text of an amount next to others: the question and the button say the rest.
 * @param {Option} option
 */
const briefly = ({ parts }) => parts.join(" ");

/** @param {Option} option */
const thingOf = (option) => option.split.slice(0, -1).join(" ");

export class Panel {
  /**
   * @param {Tabletop} table
   * @param {Question} question
   */
  constructor(table, question) {
    this.table = table;
    const legal = readLegal(question.legal);
    const amounts = legal.filter((option) => !question.beside.includes(option.choice));
    /** @type {Row[]} */
    this.rows = [...Map.groupBy(amounts, thingOf).values()].map((options) => ({ options, at: 0 }));
    this.beside = legal.filter((option) => question.beside.includes(option.choice));
    this.turn = 0; // number of requests whether the amounts fit
    this.why = ""; // the reason why they don't
    this.fits = false;
    this.judging = false; // whether a request is under way
    this.drawn = false;
    const isFew = this.rows.length === 1 && this.rows[0].options.length <= MOST_NUMBERS;
    this.numbers = isFew ? this.rows[0].options.map((option) => this.number(option)) : [];
    this.steppers = isFew ? [] : this.rows.map((_row, i) => this.stepper(i));
    this.reason = html("output", { className: "stepper-why" });
    this.mix = question.mix;
    this.submit = button("", () => this.take(), "strong");
    this.submit.dataset.submit = "";
    this.others = this.beside.map((option) => this.other(option));
    for (const made of [this.reason, this.submit]) made.dataset.own = "";
    this.all = isFew ? [this.row(), ...this.others] : [...this.steppers, this.reason, this.submit, ...this.others];
    this.judged = this.judge();
  }

  choices() {
    return this.rows.map((row) => setIn(row).choice);
  }

  /** Ask whether the amounts can be taken, and why not. A choice that is possible alone can always be taken. */
  async judge() {
    this.turn += 1;
    const turn = this.turn;
    this.fits = this.rows.length < 2;
    this.judging = !this.fits;
    if (this.judging) {
      const seen = await this.table.server.ahead(this.choices()).catch((error) => this.table.news.fail(error));
      if (turn !== this.turn) return;
      this.fits = Boolean(seen?.html);
      this.why = seen?.why ?? "";
      this.judging = false;
    }
    if (this.table.panel === this) this.draw();
  }

  /** Take the amounts as soon as the server allows it. */
  async take() {
    while (this.judging) await this.judged;
    if (this.fits) await this.table.choose(this.choices());
    else this.table.news.tell(this.why);
  }

  /** Return the label of the button that takes the amounts: it names their sum, or the amount of the only thing. */
  does() {
    if (this.rows.length === 1) return setIn(this.rows[0]).words;
    if (!this.mix) return this.table.texts.take_amounts;
    const sum = this.rows.reduce((total, row) => total + Number(setIn(row).split.at(-1)), this.mix.unasked);
    return sum ? this.mix.submit.replace("{n}", String(sum)) : this.mix.none;
  }

  /** Draw the panel. Its nodes stay while amounts change, so that no click and no focus gets lost. */
  draw() {
    const bar = this.table.bar.element;
    if (this.all[0].parentElement !== bar) bar.replaceChildren(...this.all);
    for (const [at, number] of this.numbers.entries())
      number.classList.toggle("strong", at > 0 && at === this.rows[0].at);
    for (const [i, stepper] of this.steppers.entries()) this.update(stepper, this.rows[i]);
    this.reason.textContent = this.fits ? "" : this.why;
    this.submit.textContent = this.does();
    this.submit.disabled = !this.fits && !this.judging; // a click meanwhile waits for the server's answer
    this.submit.toggleAttribute("data-judging", this.judging);
    fit();
    if (!this.drawn) bringIntoSight(this.table.picture.elements().filter((each) => each.matches(".scene .legal")));
    this.drawn = true;
    this.mark();
  }

  /** Mark on the table the things of which something is taken. */
  mark() {
    const taken = this.rows.filter((row) => row.at > 0).map(setIn);
    const open = this.rows.flatMap((row) => row.options);
    for (const element of this.table.picture.elements()) {
      const patterns = element.dataset.choice ?? "";
      if (!meant(patterns, open).length) continue;
      const picked = meant(patterns, taken).length > 0;
      element.classList.toggle("picked", picked);
      element.setAttribute("aria-pressed", String(picked));
    }
  }

  /** Return one thing's amounts side by side, after its name if the question doesn't have it. */
  row() {
    const [{ parts }] = this.rows[0].options;
    const box = html("div", { className: "stepper numbers", role: "group" });
    box.dataset.own = "";
    box.append(html("span", { textContent: parts.slice(0, -1).join(" ") }), ...this.numbers);
    return box;
  }

  /** @param {Option} option */
  number(option) {
    const made = this.alone(option, option.parts.at(-1) ?? "");
    made.ariaLabel = made.title = option.words;
    return made;
  }

  /** @param {number} i */
  stepper(i) {
    const box = html("div", { className: "stepper", role: "group" });
    box.dataset.own = "";
    const step = (/** @type {number} */ by, /** @type {string} */ sign, /** @type {string} */ label) => {
      const made = button(sign, () => this.set(i, this.rows[i].at + by));
      made.ariaLabel = label;
      made.dataset.step = `${i}${sign}`;
      return made;
    };
    box.append(step(-1, "−", this.table.texts.less), html("output"), step(1, "+", this.table.texts.more));
    return box;
  }

  /**
   * Move the focus to the other button at the end of an amount.
   * @param {HTMLElement} stepper
   * @param {Row} row
   */
  update(stepper, row) {
    const { text, words } = setIn(row);
    const [less, more] = allOf(HTMLButtonElement, "button", stepper);
    const value = must(findOf(HTMLOutputElement, "output", stepper), "amount");
    stepper.ariaLabel = value.ariaLabel = words;
    value.textContent = briefly(setIn(row));
    value.dataset.text = text;
    const ends = [row.at === 0, row.at === row.options.length - 1];
    less.disabled = more.disabled = false; // a disabled button takes no focus
    if (ends[0] && less.matches(":focus")) more.focus();
    if (ends[1] && more.matches(":focus")) less.focus();
    [less.disabled, more.disabled] = ends;
  }

  /**
   * @param {number} i
   * @param {number} at
   */
  set(i, at) {
    this.rows[i].at = at;
    this.table.news.say(setIn(this.rows[i]).words);
    this.judged = this.judge();
    this.draw();
  }

  /**
   * Take one more of the thing for which a clicked element stands; after the most, none.
   * @param {Option[]} options
   */
  raise(options) {
    const i = this.rows.findIndex((row) => thingOf(row.options[0]) === thingOf(options[0]));
    if (i >= 0) this.set(i, (this.rows[i].at + 1) % this.rows[i].options.length);
  }

  /**
   * Return a button that takes an option immediately.
   * @param {Option} option
   * @param {string} label
   */
  alone(option, label) {
    return this.table.bar.optionButton(label, [option], () => {
      this.table.preview.stop();
      this.table.choose([option.choice]);
    });
  }

  /** @param {Option} option that has nothing to do with the amounts */
  other(option) {
    const made = this.alone(option, option.words);
    made.classList.add("quiet");
    made.dataset.own = "";
    return made;
  }
}
