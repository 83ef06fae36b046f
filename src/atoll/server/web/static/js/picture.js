// The elements of the picture: what each stands for now, and what a click on it does.

import { meant } from "./choices.js";
import { all, findOf } from "./dom.js";
import { fit } from "./sheets.js";

/**
 * @import { Thing } from "./dom.js"
 * @import { Tabletop } from "./tabletop.js"
 */

export class Picture {
  /** @param {Tabletop} table */
  constructor(table) {
    this.table = table;
  }

  elements() {
    return all(".element", this.table.root);
  }

  /** The dialog that is open and limits what can be chosen. */
  dialog() {
    return findOf(HTMLDialogElement, "dialog[data-opens][open]", this.table.root);
  }

  /** Give each element its role and whether it can be chosen now, and offer the rest as buttons. */
  dress() {
    const { selection, data, root } = this.table;
    const { staged } = this.table;
    const playing = data.mine && (selection.legal.length > 0 || staged.length > 0);
    const advised = selection.legal.filter((option) => option.text === data.advised);
    const open = this.dialog();
    const reaching = [];
    for (const element of this.elements()) {
      const patterns = element.dataset.choice ?? "";
      const drops = playing && meant(patterns, staged).length > 0;
      const now = drops || (playing && meant(patterns, selection.left).length > 0);
      element.classList.toggle("legal", now);
      element.classList.toggle("picked", drops || selection.has(element.id));
      element.classList.toggle("advised", meant(patterns, advised).length > 0);
      this.role(element, now || (playing && meant(patterns, selection.legal).length > 0));
      // What lies behind an open dialog can't be reached.
      if (patterns && (!open || open.contains(element))) reaching.push(patterns);
    }
    root.classList.toggle("choosing", playing);
    this.table.keyboard.dress();
    this.table.bar.offer(playing ? selection.unreached(reaching) : []);
    fit();
    this.table.tabs.dress();
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
   * A click, a touch or Enter on an element.
   * @param {Thing} element
   */
  async activate(element) {
    const { table } = this;
    const patterns = element.dataset.choice;
    if (!patterns) {
      await table.hint.show(element);
    } else if (table.selection.has(element.id)) {
      table.unpick(element.id);
    } else {
      const { options, replaces } = table.selection.after(patterns);
      const [dropped] = meant(patterns, table.staged);
      if (options.length || dropped) table.hint.hide();
      if (options.length) table.take(options, element.id, replaces);
      else if (dropped) await table.choose([dropped.choice]);
      else await table.hint.why(element, patterns);
    }
  }
}
