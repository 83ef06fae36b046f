// Marks of the changes since the reader's last choice. They stay until the next choice.

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
    /** @type {Map<string, string> | null} the state of each element then */
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
    // A preview is removed by restoring the picture without it, so that picture is marked as well.
    for (const picture of new Set([preview.regions, preview.picture])) {
      for (const element of picture ? all(".element", picture) : []) {
        element.classList.toggle("since", changed.has(element.id));
      }
    }
  }
}

/**
 * Return the state of each element of a picture, by its id.
 * @param {HTMLElement} picture
 */
export const standings = (picture) =>
  new Map(all(".element", picture).map((element) => [element.id, standing(element)]));

/**
 * Return the ids of the elements whose state differs now.
 * @param {Map<string, string>} before
 * @param {HTMLElement} picture
 */
export const changedSince = (before, picture) =>
  [...standings(picture)].filter(([id, now]) => before.get(id) !== now).map(([id]) => id);

/**
 * Return the state of an element: its name contains it for screen readers.
 * @param {Thing} element
 */
function standing(element) {
  const place = element.closest(".region, .seat, .drawing")?.id;
  return [place, element.getAttribute("aria-label"), element.dataset.value].join(" ");
}
