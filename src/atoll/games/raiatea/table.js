// The feast as a show: the row of rituals card by card, the mana source running down with it. It belongs to the act in
// which the row acts, so the player of acts runs it and ends it. Without it all of it stands there at once.

import { all, find, must } from "/static/js/dom.js";

/** @import { Table } from "/static/js/game.js" */

const LOOK_MS = 700; // at a card, before it is paid
const READ_MS = 1300; // at what became of it
const FAIL_MS = 450; // at each of those that fail together
const CARDS = "#region-row .ritual";

/** @param {Table} table */
export function mount(table) {
  table.shows(new Feast(table));
}

class Feast {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    this.seen = this.outcomes().length; // what is there when the page is opened has been seen
    /** @type {number | null} the card that is looked at, while there is something to show */
    this.at = null;
    this.paid = false; // whether it has had its effect
    table.onPatch(() => this.refresh());
  }

  /** The cards that have had their turn, the first one first. */
  outcomes() {
    return all(CARDS).filter((card) => find("[data-source]", card));
  }

  /** Whether there is something to show. */
  has() {
    return this.outcomes().length > this.seen;
  }

  /** What comes stays hidden until it is shown. */
  refresh() {
    if (!this.has() || !this.table.plays()) this.stop();
    else if (this.at === null) this.look(this.seen, false);
    else this.dress();
  }

  /**
   * Card by card, to the end or until it is ended.
   * @param {AbortSignal} signal
   * @param {number} most milliseconds for all of it
   */
  async play(signal, most) {
    const wanted = this.outcomes()
      .slice(this.seen)
      .reduce((sum, card) => sum + msOf(card, false) + msOf(card, true), 0);
    const part = Math.min(1, most / wanted);
    for (let step = 2 * this.seen; !signal.aborted && step < 2 * this.outcomes().length; step += 1) {
      const paid = step % 2 === 1;
      const card = this.look(Math.floor(step / 2), paid);
      await pause(msOf(card, paid) * part, signal);
    }
    this.stop();
  }

  /** All of it has been seen. */
  stop() {
    this.at = null;
    this.seen = this.outcomes().length;
    this.dress();
  }

  /**
   * @param {number} at
   * @param {boolean} paid whether it has had its effect
   */
  look(at, paid) {
    this.at = at;
    this.paid = paid;
    this.dress();
    return this.outcomes()[at];
  }

  /** Mark the card that is looked at, hide what became of the later ones, and set the source to the mana of this moment. */
  dress() {
    const { at, paid } = this;
    const cards = this.outcomes();
    for (const [index, card] of cards.entries()) {
      card.classList.toggle("show-now", at === index);
      card.classList.toggle("show-waits", at !== null && (index > at || (index === at && !paid)));
    }
    const source = find("#mana-source");
    if (source) must(find("#source-left"), "#source-left").textContent = this.left() ?? source.dataset.left ?? "";
  }

  /** The mana in the source at the card that is looked at. */
  left() {
    const card = this.at === null ? null : this.outcomes()[this.at];
    if (!card) return null;
    const { source, cost } = find("[data-source]", card)?.dataset ?? {};
    return String(Number(source) - (this.paid && !hasFailed(card) ? Number(cost) : 0));
  }
}

/** @param {Element} card */
function hasFailed(card) {
  return card.classList.contains("failed");
}

/**
 * Return how long a card is looked at, before it is paid or after.
 * @param {Element} card
 * @param {boolean} paid
 */
function msOf(card, paid) {
  if (hasFailed(card)) return FAIL_MS;
  return paid ? READ_MS : LOOK_MS;
}

/**
 * @param {number} ms
 * @param {AbortSignal} signal that ends it
 */
const pause = (ms, signal) =>
  new Promise((done) => {
    setTimeout(done, ms);
    signal.addEventListener("abort", done, { once: true });
  });
