// The placement that a bot suggests on a lattice, as a ghost on its square with an arrow to it. Pages load this module
// with the first suggestion.

import { find, middle, must, svg } from "../dom.js";

/**
 * @import { Arrows, Move, Spot } from "../arrows.js"
 */

const LENGTH = 110; // px: length of an arrow whose origin isn't in sight

/**
 * Return the ghost and the arrow of a move. `data-lattice` has the kind of choices whose parts are a column, a row and
 * quarter turns, the length of a step, and the side of a square.
 * @param {Arrows} arrows
 * @param {Move} move
 * @param {SVGGraphicsElement} lattice
 * @param {(from: Spot, to: Spot) => string} bow the path of an arrow
 * @returns {SVGElement[]}
 */
export function laid(arrows, move, lattice, bow) {
  const [step, side] = (lattice.dataset.lattice ?? "").split(" ").slice(1).map(Number);
  const [x, y, turns] = move.text.split(" ").slice(1).map(Number);
  const on = lattice.getScreenCTM() ?? undefined;
  const screen = (/** @type {number} */ part) =>
    new DOMPoint(x * step + part * side, y * step + part * side).matrixTransform(on);
  if (!isWithin(lattice, screen(0.5))) return [];
  const [corner, to, opposite] = [screen(0), screen(0.5), screen(1)].map((each) => arrows.spot(each));
  const held = find("#page-main .element.held");
  const face = held?.querySelector("[data-face]");
  /** @type {SVGElement[]} */
  const ghost = [];
  if (face) {
    const scale = (opposite.x - corner.x) / side;
    const turned = `translate(${corner.x} ${corner.y}) scale(${scale}) rotate(${90 * turns} ${side / 2} ${side / 2})`;
    const copy = svg("g", { class: "laid", transform: turned });
    copy.append(document.importNode(face, true));
    ghost.push(copy);
  }
  const isSeen = held?.checkVisibility({ visibilityProperty: true }) && arrows.isInSight(held);
  const from = held && isSeen ? arrows.spot(middle(held)) : { x: to.x, y: to.y - LENGTH };
  const edge = `M${corner.x} ${corner.y}H${opposite.x}V${opposite.y}H${corner.x}Z`;
  const paths = [edge, bow(from, to)].flatMap((d) => ["below", move.as].map((css) => svg("path", { class: css, d })));
  return [...ghost, ...paths];
}

/**
 * Return whether a point of the screen lies in the part of the page that shows a thing.
 * @param {Element} thing
 * @param {Spot} point
 */
function isWithin(thing, { x, y }) {
  const room = must(thing.closest(".scene"), ".scene").getBoundingClientRect();
  return x >= room.left && x <= room.right && y >= room.top && y <= room.bottom;
}
