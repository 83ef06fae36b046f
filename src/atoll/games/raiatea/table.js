// The show of the feast: the row of rituals card by card, while the mana source runs down. It belongs to the act in
// which the rituals are paid, so the player of acts runs and ends it. Without the show the page has the result
// immediately.

import { all, find, must } from "/static/js/dom.js";

/** @import { Table } from "/static/js/game.js" */

const LOOK_MS = 700; // at a card, before it is paid
const READ_MS = 1300; // at its result
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
    this.seen = this.outcomes().length; // the page's outcomes at the start have been seen
    /** @type {number | null} the current card while the show runs */
    this.at = null;
    this.paid = false; // whether its effect is applied
    table.onPatch(() => this.refresh());
  }

  /** Return the cards that have had their turn, in order. */
  outcomes() {
    return all(CARDS).filter((card) => find("[data-source]", card));
  }

  /** Return whether there is something to show. */
  has() {
    return this.outcomes().length > this.seen;
  }

  /** Hide the new outcomes until they are shown. */
  refresh() {
    if (!this.has() || !this.table.plays()) this.stop();
    else if (this.at === null) this.look(this.seen, false);
    else this.dress();
  }

  /**
   * Show card by card, to the end or until the show is ended.
   * @param {AbortSignal} signal
   * @param {number} most milliseconds for the whole show
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

  /** Mark everything as seen. */
  stop() {
    this.at = null;
    this.seen = this.outcomes().length;
    this.dress();
  }

  /**
   * @param {number} at
   * @param {boolean} paid whether its effect is applied
   */
  look(at, paid) {
    this.at = at;
    this.paid = paid;
    this.dress();
    return this.outcomes()[at];
  }

  /** Mark the current card, hide the outcomes of later ones, and set the source to the current mana. */
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

  /** Return the mana in the source at the current card. */
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
