// The element under the mouse or the focus: it explains itself after a while, and previews its effect.

import { hit } from "./dom.js";

/**
 * @import { Thing } from "./dom.js"
 * @import { Tabletop } from "./tabletop.js"
 */

export class Pointer {
  /** @param {Tabletop} table */
  constructor(table) {
    this.table = table;
    /** @type {Thing | null} */
    this.hovered = null;
    document.addEventListener("pointerover", (event) => {
      if (event.pointerType !== "touch") this.hover(hit(event, ".element"));
    });
    document.documentElement.addEventListener("pointerleave", () => this.hover(null));
    document.addEventListener("focusin", (event) => {
      const element = hit(event, ".element");
      if (element?.matches(":focus-visible")) this.explain(element);
    });
    document.addEventListener("focusout", (event) => {
      const element = hit(event, ".element");
      if (!element || (table.hint.explained && table.hint.element !== element)) return;
      table.hint.hide();
      if (event.relatedTarget) table.hint.dismissed = "";
      table.preview.stop();
    });
  }

  /**
   * Handle that the mouse is over another element, or over none. A preview may replace the element under it, so that
   * "out" isn't used.
   * @param {Thing | null} element
   */
  hover(element) {
    if (element === this.hovered) return;
    if (this.hovered) {
      this.table.hint.leave(this.hovered);
      this.table.preview.stop();
    }
    this.hovered = element;
    if (element) this.explain(element);
  }

  /** @param {Thing} element */
  explain(element) {
    this.table.hint.wait(element);
    this.table.preview.of(element);
  }
}
