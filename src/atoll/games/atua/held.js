// The card in the hand: its place over the lattice, the places where it fits, and the ways between them.

import { faultsOf } from "./fits.js";

/**
 * @import { Hold, Outcome } from "./fits.js"
 * @typedef {{ x: number, y: number, rot: number }} Placement in units of the lattice and quarter turns
 */

const MAGNET = 1.2; // distance in units from which a fitting place attracts the card
const ASIDE = 2.5; // factor of the distance sideways, against that straight ahead
const TURNED = 1000; // additional distance of a place where the card would have to be turned

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

  /** The changes by placing the card here; undefined if it doesn't fit. */
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
   * Move to a place of the lattice, or to the nearest fitting one if that is hardly farther.
   * @param {number} x
   * @param {number} y
   * @returns whether the place has changed
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
   * Move to the next place, ordered by points. From a place where the card doesn't fit, move to the best one.
   * @param {number} by how many on
   */
  next(by) {
    const at = this.best.indexOf(this.text);
    this.go(placementOf(this.best[at < 0 ? 0 : (at + by + this.best.length) % this.best.length]));
  }

  /**
   * Move to the nearest fitting place in a direction, without turning the card if there is one.
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
