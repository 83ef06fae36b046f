// The card in the hand: where it floats over the lattice, where it fits, and where it can go from there.

import { faultsOf } from "./fits.js";

/**
 * @import { Hold, Outcome } from "./fits.js"
 * @typedef {{ x: number, y: number, rot: number }} Placement in units of the lattice and quarter turns
 */

const MAGNET = 1.2; // units from which a fitting place attracts the card
const ASIDE = 2.5; // how much farther a unit aside counts than one ahead
const TURNED = 1000; // how much farther a place counts where the card would have to be turned

/**
 * @param {string} text
 * @returns {Placement}
 */
function placementOf(text) {
  const [x, y, rot] = text.split(" ").slice(1).map(Number);
  return { x, y, rot };
}

export class Held {
  /**
   * @param {Hold} hold
   * @param {string[]} legal placements, in the order of the hold's outcomes
   */
  constructor(hold, legal) {
    this.hold = hold;
    /** @type {Map<string, Outcome>} */
    this.legal = new Map(legal.map((text, i) => [text, hold.outcomes[hold.outcomeOf[i]]]));
    this.best = [...this.legal].sort(([, a], [, b]) => b.gain - a.gain).map(([text]) => text);
    this.x = NaN;
    this.y = NaN;
    this.rot = 0;
  }

  get text() {
    return `place ${this.x} ${this.y} ${this.rot}`;
  }

  /** What placing it here would change; undefined where it doesn't fit. */
  get outcome() {
    return this.legal.get(this.text);
  }

  faults() {
    return faultsOf(this.hold, this.x, this.y, this.rot);
  }

  placements() {
    return [...this.legal.keys()].map(placementOf);
  }

  /** @param {Placement} to */
  go({ x, y, rot }) {
    [this.x, this.y, this.rot] = [x, y, rot];
  }

  /** @param {string} text of a placement */
  goTo(text) {
    this.go(placementOf(text));
  }

  goBest() {
    this.go(placementOf(this.best[0]));
  }

  /**
   * To a place of the lattice, or the nearest one where it fits if that is hardly farther.
   * @param {number} x
   * @param {number} y
   * @returns whether it is another place
   */
  snap(x, y) {
    const [column, row] = [Math.round(x), Math.round(y)];
    const fits = (/** @type {number[]} */ at) => this.legal.has(`place ${at[0]} ${at[1]} ${this.rot}`);
    let best = [column, row];
    if (!fits(best)) {
      const far = (/** @type {number[]} */ at) => Math.hypot(at[0] - x, at[1] - y);
      const around = [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => [column + dx, row + dy]));
      const near = around.filter((at) => far(at) < MAGNET && fits(at)).sort((a, b) => far(a) - far(b));
      best = near[0] ?? best;
    }
    if (best[0] === this.x && best[1] === this.y) return false;
    [this.x, this.y] = best;
    return true;
  }

  /** @param {number} by quarters, clockwise */
  turn(by) {
    this.rot = (this.rot + by + 4) % 4;
  }

  /**
   * @param {number} dx
   * @param {number} dy
   */
  nudge(dx, dy) {
    this.x += dx;
    this.y += dy;
  }

  /**
   * To the next place in the order of what it brings; from where it doesn't fit, to the best.
   * @param {number} by how many on
   */
  next(by) {
    const at = this.best.indexOf(this.text);
    this.go(placementOf(this.best[at < 0 ? 0 : (at + by + this.best.length) % this.best.length]));
  }

  /**
   * To the nearest fitting place in a direction, turned as it is now if there is one.
   * @param {number} dx
   * @param {number} dy
   */
  leap(dx, dy) {
    let best = null;
    let least = Infinity;
    for (const placement of this.placements()) {
      const [wide, high] = [placement.x - this.x, placement.y - this.y];
      const ahead = wide * dx + high * dy;
      const aside = Math.abs(wide * dy) + Math.abs(high * dx);
      const far = ahead + ASIDE * aside + (placement.rot === this.rot ? 0 : TURNED);
      if (ahead > 0 && far < least) [best, least] = [placement, far];
    }
    if (best) this.go(best);
  }
}
