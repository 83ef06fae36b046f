// The elements of the picture: their choices now, and the effect of a click.

import { meant } from "./choices.js";
import { all, find, findOf, middle } from "./dom.js";
import { fit } from "./sheets.js";

/**
 * @import { Option } from "./choices.js"
 * @import { Thing } from "./dom.js"
 * @import { Tabletop } from "./tabletop.js"
 */

export class Picture {
  /** @param {Tabletop} table */
  constructor(table) {
    this.table = table;
    /** @type {Map<Thing, Option>} the elements that are marked as picked members of a set, each with its member */
    this.marked = new Map();
    /** @type {string[]} ids of the elements by which members were picked, which distinguish equal members */
    this.clicked = [];
  }

  elements() {
    return all(".element", this.table.root);
  }

  /** Return the open dialog, which limits the elements that can be chosen. */
  dialog() {
    return findOf(HTMLDialogElement, "dialog[data-opens][open]", this.table.root);
  }

  /** Give each element its role and its state, and offer the other choices as buttons. */
  dress() {
    const { selection, staged, data, root } = this.table;
    const playing = data.mine && (selection.legal.length > 0 || staged.length > 0);
    const advised = selection.legal.filter((option) => option.text === data.advised);
    const open = this.dialog();
    const reaching = [];
    const elements = this.elements();
    this.marked = playing ? this.mark(elements, staged) : new Map();
    for (const element of elements) {
      const patterns = element.dataset.choice ?? "";
      const drops = this.marked.has(element);
      const now = drops || (playing && meant(patterns, selection.left).length > 0);
      element.classList.toggle("legal", now);
      element.classList.toggle("picked", drops || selection.has(element.id));
      element.classList.toggle("advised", meant(patterns, advised).length > 0);
      this.table.mark(element);
      this.role(element, now || (playing && meant(patterns, selection.legal).length > 0));
      // Elements behind an open dialog can't be reached.
      if (patterns && (!open || open.contains(element))) reaching.push(patterns);
    }
    root.classList.toggle("choosing", playing);
    this.list();
    this.table.follow.marks.dress();
    this.table.follow.lights.dress();
    this.table.keyboard.dress();
    this.table.bar.offer(playing ? selection.worded(reaching) : []);
    fit();
    this.table.tabs.dress();
    this.table.zoom.dress();
    this.giveWay();
    this.table.hint.giveWay();
  }

  /** On a phone, move a bot's advice to the half of the scene without the advised elements. */
  giveWay() {
    const [advice, best, scene] = [find("#page-advised"), find(".scene .element.advised"), find(".scene")];
    if (!advice || !scene) return;
    const [at, center] = [middle(best ?? scene), middle(scene)];
    advice.toggleAttribute("data-above", at.y > center.y);
    advice.toggleAttribute("data-start", at.x > center.x);
  }

  /** Hide picks from the list that are marked in the picture. A settled set is undone as a whole. */
  list() {
    const { staged, root } = this.table;
    const picked = find("#page-picked", root);
    const needless = picked?.dataset.settled !== undefined || this.marked.size >= Math.max(staged.length, 1);
    picked?.toggleAttribute("hidden", needless);
  }

  /**
   * Mark as many of equal members of a set as are picked: those that were clicked, else the first ones.
   * @param {Thing[]} elements
   * @param {Option[]} staged
   */
  mark(elements, staged) {
    const left = [...staged];
    /** @type {Map<Thing, Option>} */
    const marked = new Map();
    const clicked = elements.filter(({ id }) => this.clicked.includes(id));
    for (const element of new Set([...clicked, ...elements])) {
      const [option] = meant(element.dataset.choice ?? "", left);
      if (!option) continue;
      marked.set(element, option);
      left.splice(left.indexOf(option), 1);
    }
    return marked;
  }

  markedIds() {
    return [...this.marked.keys()].map(({ id }) => id);
  }

  /**
   * @param {Thing} element
   * @param {boolean} legal whether it stands for a choice, now or if picks are taken back
   */
  role(element, legal) {
    const { selection, staged } = this.table;
    const pressed = element.dataset.choice && selection.picks.length + staged.length > 0;
    if (pressed) element.setAttribute("aria-pressed", String(element.classList.contains("picked")));
    else element.removeAttribute("aria-pressed");
    if (element.dataset.choice) {
      element.setAttribute("role", "button");
      element.setAttribute("aria-disabled", String(!legal));
    } else if (element.getAttribute("role") === "button") {
      element.setAttribute("role", "img");
      element.removeAttribute("aria-disabled");
    }
  }

  /**
   * End an earlier picture by a click on its board or on an element that can be chosen now, and return whether that
   * happened.
   * @param {Thing} element
   */
  skip(element) {
    const { follow, data } = this.table;
    if (!follow.holding || !(element.closest(".scene") || (element.dataset.choice && data.mine))) return false;
    follow.player.skip();
    return true;
  }

  /**
   * Handle a click, a touch or Enter on an element.
   * @param {Thing} element
   */
  async activate(element) {
    const { table } = this;
    const { occasion } = table;
    while (table.busy) await table.done;
    const patterns = element.dataset.choice;
    const picked = this.marked.get(element);
    if (patterns && (occasion !== table.occasion || !element.isConnected)) {
      table.late();
    } else if (this.skip(element)) {
      if (patterns && table.data.mine) table.late();
    } else if (!patterns || table.follow.holding) {
      await table.hint.show(element);
    } else if (table.selection.has(element.id)) {
      table.unpick(element.id);
    } else if (picked) {
      table.hint.hide();
      this.clicked = this.markedIds().filter((id) => id !== element.id);
      await table.drop(picked.choice);
    } else {
      const { options, replaces } = table.selection.after(patterns);
      if (!options.length) {
        await table.refuse(element, patterns);
        return;
      }
      table.hint.hide();
      this.clicked = [...this.markedIds(), element.id];
      table.take(options, element.id, replaces);
    }
  }
}
