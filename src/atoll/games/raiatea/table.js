// The feast as a show: once the row of rituals has acted, it is gone through again card by card, the mana source running
// down with it. What the page shows without this is the same, all at once.

import { all, button, byId, find, findOf, must } from "/static/js/dom.js";
import { isStill } from "/static/js/motion.js";

/** @import { Table } from "/static/js/game.js" */

const LOOK_MS = 700; // at a card, before it is paid
const READ_MS = 1300; // at what became of it
const FAIL_MS = 450; // at each of those that fail together
const CARDS = "#region-row .ritual";

/** @param {Table} table */
export function mount(table) {
  new Feast(table);
}

class Feast {
  /** @param {Table} table */
  constructor(table) {
    this.seen = this.outcomes().length; // what is there when the page is opened has been seen
    /** @type {number | null} the card that is looked at, while the show runs */
    this.at = null;
    this.paid = false; // whether it has had its effect
    table.onPatch(() => this.refresh());
  }

  /** The cards that have had their turn, the first one first. */
  outcomes() {
    return all(CARDS).filter((card) => find("[data-source]", card));
  }

  refresh() {
    const n = this.outcomes().length;
    if (n < this.seen) this.stop(n);
    if (n > this.seen && this.at === null) {
      if (isStill()) this.seen = n;
      else this.start();
    }
    this.dress();
  }

  start() {
    const tab = findOf(HTMLInputElement, "#tab-court");
    if (tab) tab.checked = true;
    this.look(this.seen, false);
  }

  stop(n = this.outcomes().length) {
    clearTimeout(this.timer);
    this.at = null;
    this.seen = n;
    this.dress();
  }

  /**
   * Look at a card for a while, then go on.
   * @param {number} at
   * @param {boolean} paid whether it has had its effect
   */
  look(at, paid) {
    const cards = this.outcomes();
    this.seen = cards.length;
    if (at >= cards.length) {
      this.stop();
      return;
    }
    this.at = at;
    this.paid = paid;
    this.dress();
    const ms = paid ? READ_MS : LOOK_MS;
    this.timer = setTimeout(
      () => (paid ? this.look(at + 1, false) : this.look(at, true)),
      hasFailed(cards[at]) ? FAIL_MS : ms,
    );
  }

  /** Mark the card that is looked at, hide what became of the later ones, and set the source to the mana of this moment. */
  dress() {
    const { at, paid } = this;
    const cards = this.outcomes();
    for (const [index, card] of cards.entries()) {
      card.classList.toggle("show-now", at === index);
      card.classList.toggle("show-waits", at !== null && (index > at || (index === at && !paid)));
    }
    this.offerToSkip();
    if (at === null || !cards[at]) return;
    const { source, cost } = find("[data-source]", cards[at])?.dataset ?? {};
    const pays = paid && !hasFailed(cards[at]);
    must(find("#source-left"), "#source-left").textContent = String(Number(source) - (pays ? Number(cost) : 0));
  }

  offerToSkip() {
    const source = find("#mana-source");
    const offered = find("#region-row .show-skip");
    if (this.at === null) {
      const focused = offered !== null && offered === document.activeElement;
      offered?.remove();
      if (focused) find(CARDS)?.focus();
      if (source) must(find("#source-left"), "#source-left").textContent = source.dataset.left ?? "";
    } else if (source && !offered) {
      const skip = button(source.dataset.skip ?? "", () => this.stop(), "show-skip");
      skip.dataset.own = "";
      byId("region-row").append(skip);
    }
  }
}

/** @param {Element} card */
function hasFailed(card) {
  return card.classList.contains("failed");
}
