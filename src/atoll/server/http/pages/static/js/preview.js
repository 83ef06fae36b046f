// Previews: the result of a choice, laid over the picture while an element is hovered or focused.

import { findOf, hit } from "./dom.js";
import { nothing } from "./http.js";
import { morph, parse, withoutOwn } from "./morph.js";
import { overlay } from "./overlay.js";
import { released } from "./press.js";

/**
 * @import { Thing } from "./dom.js"
 * @import { Ahead } from "./sent.d.ts"
 * @import { Tabletop } from "./tabletop.js"
 */

const WAIT_MS = 90;
const ADVISED = "#page-advised button[name=choices]";
const CLEAR = 3; // an element with more possible choices than these isn't previewed

export class Preview {
  /** @param {Tabletop} table */
  constructor(table) {
    this.table = table;
    /** @type {Map<number, Promise<Ahead>>} the requests to the server for the present decision, by choice */
    this.seen = new Map();
    /** @type {number | null} the choice to be shown */
    this.choice = null;
    /** @type {HTMLElement | null} the picture without the preview, while one is shown */
    this.plain = null;
    // The button of a bot's advice previews it.
    for (const begin of ["pointerover", "focusin"]) {
      document.addEventListener(begin, (event) => {
        const made = hit(event, ADVISED);
        if (made instanceof HTMLButtonElement) this.start(Number(made.value));
      });
    }
    for (const end of ["pointerout", "focusout"]) {
      document.addEventListener(end, (event) => hit(event, ADVISED) && this.stop());
    }
  }

  get regions() {
    return findOf(HTMLElement, "#page-regions");
  }

  /** The picture without a preview. */
  get picture() {
    return this.plain ?? this.regions;
  }

  /** Forget the previews of the former decision. */
  forget() {
    this.seen = new Map();
  }

  /**
   * Show the effect of an element, if it is clear.
   * @param {Thing} element
   */
  of(element) {
    const { data, panel, picture, selection } = this.table;
    if (!element.dataset.choice || !data.mine || panel || picture.marked.has(element)) return;
    const { options } = selection.after(element.dataset.choice);
    if (options.length > 0 && options.length <= CLEAR) this.start(options[0].choice);
  }

  /** @param {number} choice */
  start(choice) {
    clearTimeout(this.timer);
    this.choice = choice;
    this.timer = setTimeout(() => this.show(choice), WAIT_MS);
  }

  /** @param {number} choice */
  async show(choice) {
    const { seen, table } = this;
    const asked = seen.get(choice) ?? table.server.ahead([choice]);
    seen.set(choice, asked);
    const ahead = await asked.catch(nothing); // without an answer there is no preview
    await released();
    if (this.choice !== choice || this.seen !== seen || table.busy || table.follow.holding || !ahead?.html) return;
    const [regions, coming] = [this.regions, parse(ahead.html, "page-regions")];
    if (!regions || !coming) return;
    this.restore();
    this.plain = withoutOwn(regions);
    overlay(regions, coming);
  }

  /** Restore the picture. */
  stop() {
    clearTimeout(this.timer);
    this.choice = null;
    this.restore();
  }

  restore() {
    const { plain, regions } = this;
    this.plain = null;
    for (const badge of document.querySelectorAll(".difference")) badge.remove();
    if (plain && regions) morph(regions, plain);
  }
}
