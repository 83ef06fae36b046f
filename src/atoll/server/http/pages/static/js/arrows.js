// Moves that a bot suggests or discusses, drawn over the table. An arrow leads from the taken element to the target, or
// points at the only element of a move.

import { matches } from "./choices.js";
import { all, find, findOf, middle, svg } from "./dom.js";
import { bringIntoSight, goToPart } from "./tabs.js";

/**
 * @import { Thing } from "./dom.js"
 * @typedef {{ text: string, as: "best" | "taken", own: boolean }} Move a choice by its text form, what it is, and
 *   whether it is by the seat whose things lie outside the scene
 * @typedef {{ x: number, y: number }} Spot in the layer
 * @typedef {{ thing: Thing, pattern: string, told: number }} Match an element of a move, with the number of its
 *   parts in the pattern
 */

const NEAR = 60; // px: a shorter arrow only points at its target
const LENGTH = 56; // px: length of an arrow that only points
const HEAD = 17;
const SPREAD = 0.5; // between the shaft and each side of the head, in radians

/** @type {typeof import("/static/js/late/laying.js") | null} loaded with the first move that lays a thing */
let laying = null;

/** @param {Thing} thing */
const isShown = (thing) => thing.getClientRects().length > 0 && thing.checkVisibility({ visibilityProperty: true });

/**
 * Return the elements that stand for a move, the most specific first.
 * @param {Move} move
 * @returns {Match[]}
 */
function matched({ text, own }) {
  const split = text.split(" ");
  const option = { choice: 0, text, words: "", parts: [], split };
  const found = all(`#page-main ${own ? "" : ".stage"} .element[data-choice]`).flatMap((thing) =>
    (thing.dataset.choice ?? "")
      .split(";")
      .map((each) => each.trim())
      .filter((pattern) => matches(pattern, option))
      .map((pattern) => ({ thing, pattern, told: pattern.split(" ").filter((part) => part !== "*").length })),
  );
  return found
    .filter(({ told }) => told > 1 || split.length === 1)
    .sort((one, other) => other.told - one.told || Number(isShown(other.thing)) - Number(isShown(one.thing)));
}

/**
 * Return the target of a move, and the taken element if that is another one.
 * @param {Match[]} found
 */
function endsOf(found) {
  const target = found.find(({ thing }) => thing.closest(".stage")) ?? found[0];
  const others = found.filter(({ thing, pattern }) => thing !== target.thing && pattern !== target.pattern);
  const source = others.find(({ thing }) => !thing.closest(".stage")) ?? others[0];
  return { target: target.thing, source: source?.thing ?? null };
}

/**
 * Return the lattice on which a move lays something. No element stands for its places; `data-lattice` begins with their
 * kind.
 * @param {Move} move
 */
const latticeOf = ({ text, own }) =>
  own ? findOf(SVGGraphicsElement, `.stage [data-lattice^="${text.split(" ")[0]} "]`) : null;

export class Arrows {
  constructor() {
    /** @type {Move[]} */
    this.moves = [];
    this.drawing = false;
    this.layer = svg("svg", { class: "arrows", "aria-hidden": "true", "data-own": "" });
    this.resized = new ResizeObserver(() => this.draw());
    for (const change of ["scroll", "change", "click"]) {
      document.addEventListener(change, () => this.draw(), { capture: true, passive: true });
    }
    addEventListener("resize", () => this.draw());
  }

  /**
   * Draw these moves and no others. Bring new ones into sight.
   * @param {Move[]} moves the best one first
   */
  show(moves) {
    const [best] = moves;
    const isNew = best && best.text !== this.moves[0]?.text;
    this.moves = moves;
    for (const made of all("#page-main button[data-texts]")) {
      made.classList.toggle("advised", made.dataset.texts === best?.text);
    }
    const found = isNew ? matched(best) : [];
    if (found.length) {
      const { target } = endsOf(found);
      goToPart([target]);
      if (isShown(target)) bringIntoSight([target]);
    }
    const lattice = isNew ? latticeOf(best) : null;
    if (lattice) goToPart([lattice]);
    this.draw();
  }

  /** Draw again after a change of the page, once per frame. */
  draw() {
    const [host, stage] = [find("#page-main"), find(".stage")];
    if (!this.moves.length) {
      this.layer.remove();
      return;
    }
    if (this.drawing || !host) return;
    if (this.layer.parentElement !== host) host.append(this.layer);
    if (stage) this.resized.observe(stage);
    this.drawing = true;
    requestAnimationFrame(() => {
      this.drawing = false;
      this.layer.replaceChildren(...this.moves.toReversed().flatMap((move) => this.arrow(move)));
    });
  }

  /** @param {Move} move */
  arrow(move) {
    const lattice = latticeOf(move);
    if (lattice) return isShown(lattice) ? this.laid(move, lattice) : [];
    const found = matched(move).filter(({ thing }) => isShown(thing) && this.isInSight(thing));
    if (!found.length) return [];
    const { target, source } = endsOf(found);
    const to = this.spot(middle(target));
    const from = source ? this.spot(middle(source)) : to;
    const isFar = Math.hypot(to.x - from.x, to.y - from.y) >= NEAR;
    const path = isFar ? bow(from, to) : this.pointer(target);
    const draw = (/** @type {string} */ css) => svg("path", { class: css, d: path });
    return [draw("below"), draw(move.as)];
  }

  /**
   * @param {Move} move
   * @param {SVGGraphicsElement} lattice
   */
  laid(move, lattice) {
    if (laying) return laying.laid(this, move, lattice, bow);
    const retry = () => null; // the server can't be reached: the next drawing tries again
    import("/static/js/late/laying.js").then((module) => {
      laying = module;
      this.draw();
    }, retry);
    return [];
  }

  /**
   * Return whether the middle of an element is in sight.
   * @param {Thing} thing
   */
  isInSight(thing) {
    const room = (thing.closest(".scene, .own, .seats") ?? document.body).getBoundingClientRect();
    const { x, y } = middle(thing);
    return x >= room.left && x <= room.right && y >= room.top && y <= room.bottom;
  }

  /**
   * @param {Spot} screen
   * @returns {Spot}
   */
  spot({ x, y }) {
    const { left, top } = this.layer.getBoundingClientRect();
    const larger = this.layer.currentCSSZoom ?? 1;
    return { x: (x - left) / larger, y: (y - top) / larger };
  }

  /**
   * Return an arrow from above, or from below if there is no room above.
   * @param {Thing} target
   */
  pointer(target) {
    const { top, bottom, height } = target.getBoundingClientRect();
    const { x } = middle(target);
    const room = find(".scene")?.getBoundingClientRect().top ?? 0;
    const inside = Math.min(12, height / 4);
    const isAbove = top - LENGTH > room || !target.closest(".scene");
    const end = this.spot({ x, y: isAbove ? top + inside : bottom - inside });
    return bow({ x: end.x, y: end.y + (isAbove ? -LENGTH : LENGTH) }, end);
  }
}

/**
 * Return the path of a bent arrow.
 * @param {Spot} from
 * @param {Spot} to
 */
function bow(from, to) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const bend = Math.hypot(dx, dy) > 2 * LENGTH ? 0.14 : 0;
  const through = { x: (from.x + to.x) / 2 + dy * bend, y: (from.y + to.y) / 2 - dx * bend };
  const back = Math.atan2(through.y - to.y, through.x - to.x);
  const side = (/** @type {number} */ turn) =>
    `${to.x + HEAD * Math.cos(back + turn)} ${to.y + HEAD * Math.sin(back + turn)}`;
  return `M${from.x} ${from.y}Q${through.x} ${through.y} ${to.x} ${to.y}M${side(SPREAD)}L${to.x} ${to.y}L${side(-SPREAD)}`;
}
