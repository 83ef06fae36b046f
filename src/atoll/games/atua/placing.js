// Placing by hand: a card is dragged from the row over the island, snaps to the lattice and turns. It glows where it
// fits, and states the reason where it doesn't. The page's legal choices decide where it fits; only the reasons are
// computed here.

import { find, findOf } from "/static/js/dom.js";
import { Hands } from "./hands.js";
import { Held } from "./held.js";
import { Over } from "./over.js";
import { isOver, onBoard } from "./sea.js";
import { Tools } from "./tools.js";

/**
 * @import { Thing } from "/static/js/dom.js"
 * @import { Table } from "/static/js/game.js"
 * @import { Drag } from "./hands.js"
 * @import { Hold } from "./fits.js"
 */

const AGAIN_MS = 60;

/** Show the island. On a phone a card may be taken from the row on another part of the table. */
function showIsland() {
  const tab = findOf(HTMLInputElement, "#tab-island");
  if (tab) tab.checked = true;
}

export class Placing {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    /** @type {Held | null} */
    this.held = null;
    /** @type {Tools | null} */
    this.tools = null;
    this.confirm = table.serve("place", () => this.place());
    this.confirm.title = "Enter";
    /** @type {Drag | null} the drag that dropped a card that isn't in the hand yet */
    this.dropped = null;
    this.byKey = false; // whether the keyboard was used last
    this.advised = ""; // the advised placement to which the card was brought
    this.over = new Over(table);
    this.hands = new Hands(this);
    table.onPatch(() => this.refresh());
    const note = (/** @type {Event} */ { type }) => {
      this.byKey = type === "keydown";
    };
    for (const input of ["keydown", "pointerdown"]) document.addEventListener(input, note, true);
    for (const change of ["pointerover", "focusout"]) document.addEventListener(change, () => this.showAgain());
    this.refresh();
  }

  /** Update the card in the hand and its fitting places after each change of the page. */
  refresh() {
    const text = find("#atua-hold")?.dataset.hold;
    const legal = this.table.legal().flatMap((option) => (option.text.startsWith("place ") ? [option.text] : []));
    if (!text || !legal.length) {
      this.letGo();
      return;
    }
    /** @type {Hold} */
    const hold = JSON.parse(text);
    const before = this.held?.hold.card === hold.card ? this.held : null;
    const held = new Held(hold, legal);
    this.held = held;
    if (before) held.go(before);
    else showIsland();
    this.offer(hold); // before the rest, because the island makes room for the tools
    const drag = this.hands.drag ?? this.dropped;
    this.dropped = null;
    if (drag?.last && (drag === this.hands.drag || isOver(drag.last))) this.follow(drag);
    else if (!before) held.goBest();
    const advised = this.table.advised();
    if (advised !== this.advised && held.legal.has(advised)) held.goTo(advised);
    this.advised = advised;
    this.draw();
    this.over.fit();
  }

  /** @param {Hold} hold */
  offer(hold) {
    if (this.tools?.bar.isConnected) return;
    this.confirm.textContent = hold.texts.place;
    this.tools = new Tools(hold.texts, (act) => this.change(act));
    this.table.root.append(this.tools.bar);
    if (this.byKey) this.confirm.focus();
  }

  letGo() {
    this.held = null;
    this.tools?.bar.remove();
    this.hands.rest();
    this.over.clear(this.hands.drag !== null);
  }

  /** @param {(held: Held) => unknown} act returns false if nothing has changed */
  change(act) {
    if (this.held && act(this.held) !== false) this.draw();
  }

  place() {
    const { held } = this;
    if (!held) return;
    if (held.outcome) this.table.choose([held.text]);
    else this.table.say(held.hold.reasons[held.faults()[0].reason]);
  }

  draw() {
    const { held } = this;
    if (!held) return;
    this.over.draw(held);
    this.tools?.show(held);
    this.confirm.ariaDisabled = String(!held.outcome);
    if (held.outcome) this.table.preview(held.text);
    else this.table.unpreview();
  }

  /** Show the card again. The page ends a preview when the mouse or the focus leaves an element. */
  showAgain() {
    clearTimeout(this.again);
    this.again = setTimeout(() => {
      if (this.held?.outcome && !find(".element.legal:hover")) this.table.preview(this.held.text);
    }, AGAIN_MS);
  }

  /**
   * Take a card from the row as the first step of the turn.
   * @param {Thing} card
   */
  lift(card) {
    this.over.lift(card);
    this.table.unpreview();
    if (card.dataset.choice) this.table.choose([card.dataset.choice]);
  }

  /** @param {Drag} drag */
  follow({ last, grip }) {
    if (!last) return;
    const point = onBoard(last);
    if (!this.held) this.over.carry(point);
    this.change((held) => {
      const { unit, left, top } = held.hold;
      return held.snap(point.x / unit + left - grip.x, point.y / unit + top - grip.y);
    });
  }
}
