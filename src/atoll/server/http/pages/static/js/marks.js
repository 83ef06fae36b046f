// What has changed since my last choice stays marked until the next one: the page knows how things stood then.

import { all } from "./dom.js";
import { nothing } from "./http.js";

/**
 * @import { Thing } from "./dom.js"
 * @import { Tabletop } from "./tabletop.js"
 */

export class Marks {
  /** @param {Tabletop} table */
  constructor(table) {
    this.table = table;
    /** @type {number | null} the moment after my last choice */
    this.at = null;
    /** @type {Map<string, string> | null} how each element stood then */
    this.before = null;
  }

  /**
   * @param {number | null} at the moment after my last choice
   * @param {HTMLElement | null} now the picture of this moment
   */
  async since(at, now) {
    if (at === this.at) return;
    this.at = at;
    this.before = null;
    const { sequence, staged } = this.table.data;
    if (at === null) return;
    const picture = at === sequence && !staged ? now : await this.table.follow.picture(at).catch(nothing);
    if (this.at !== at || !picture) return;
    this.before = standings(picture);
    this.dress();
  }

  dress() {
    const { data, follow, preview } = this.table;
    const before = data.staged || follow.holding ? null : this.before;
    if (!preview.picture) return;
    const changed = new Set(before ? changedSince(before, preview.picture) : []);
    // A preview is taken off again by what the picture was without it, so that is marked as well.
    for (const picture of new Set([preview.regions, preview.picture])) {
      for (const element of picture ? all(".element", picture) : []) {
        element.classList.toggle("since", changed.has(element.id));
      }
    }
  }
}

/**
 * How each element of a picture stands, by its id.
 * @param {HTMLElement} picture
 */
export const standings = (picture) =>
  new Map(all(".element", picture).map((element) => [element.id, standing(element)]));

/**
 * The ids of the elements that stand otherwise now.
 * @param {Map<string, string>} before
 * @param {HTMLElement} picture
 */
export const changedSince = (before, picture) =>
  [...standings(picture)].filter(([id, now]) => before.get(id) !== now).map(([id]) => id);

/**
 * How an element stands: its name says that to who doesn't see it.
 * @param {Thing} element
 */
function standing(element) {
  const place = element.closest(".region, .seat, .drawing")?.id;
  return [place, element.getAttribute("aria-label"), element.dataset.value].join(" ");
}
