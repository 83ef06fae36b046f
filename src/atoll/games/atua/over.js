// The layer over the island: the card in the hand, the places where it would fit, and the faults of its place.

import { find, svg } from "/static/js/dom.js";
import { beachEnds, CARD, inside, STEPS, SYMBOL } from "./fits.js";
import { findBoard, seaInSight } from "./sea.js";

/**
 * @import { Thing } from "/static/js/dom.js"
 * @import { Table } from "/static/js/game.js"
 * @import { End, Fault } from "./fits.js"
 * @import { Held } from "./held.js"
 */

const OUTLINE = 3; // px around the card
const LIFTED = 72; // px: half a card that was just taken from the row
const ARROW = "M-10 -2L0 -14L10 -2L0 -6Z";

/** A layer exactly over the island's drawing. */
export class Over {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    this.layer = svg("svg", { class: "atua-over empty", "data-own": "", "aria-hidden": "true" });
    this.marks = svg("g", { class: "marks" });
    this.ghost = svg("g", { class: "ghost" });
    this.spots = svg("g", { class: "spots" });
    this.ends = svg("g", { class: "ends" });
    this.layer.append(this.spots, this.ghost, this.ends, this.marks);
    table.root.append(this.layer);
    this.watch = new ResizeObserver(() => this.fit());
    addEventListener("resize", () => this.fit());
    document.addEventListener("scroll", () => this.fit(), { capture: true, passive: true });
  }

  fit() {
    const drawing = findBoard();
    if (!drawing) return;
    this.watch.observe(drawing);
    const home = this.table.root.getBoundingClientRect();
    const { drawn, left, top, right, bottom } = seaInSight();
    const larger = this.layer.currentCSSZoom ?? 1; // length of this many pixels on the screen
    const px = (/** @type {number} */ length) => `${length / larger}px`;
    Object.assign(this.layer.style, {
      left: px(drawn.left - home.left),
      top: px(drawn.top - home.top),
      width: px(drawn.width),
      height: px(drawn.height),
    });
    const hidden = [top - drawn.top, drawn.right - right, drawn.bottom - bottom, left - drawn.left];
    this.layer.style.setProperty("--hidden", hidden.map(px).join(" "));
    this.layer.setAttribute("viewBox", drawing.getAttribute("viewBox") ?? "");
  }

  /**
   * Remove the card in the hand.
   * @param {boolean} lifted whether a card is on its way to the hand
   */
  clear(lifted) {
    for (const part of [this.spots, this.ends, this.marks]) part.replaceChildren();
    if (!lifted) this.ghost.replaceChildren();
    this.layer.classList.toggle("empty", !lifted);
  }

  /**
   * Let a card that leaves the row float immediately.
   * @param {Thing} card
   */
  lift(card) {
    const face = find("g[transform]", card);
    if (!face) return;
    const copy = document.importNode(face, true);
    copy.removeAttribute("transform");
    this.ghost.replaceChildren(copy);
    this.ghost.setAttribute("class", "ghost lifted");
    this.layer.classList.remove("empty");
    this.fit();
  }

  /**
   * Let a card that isn't in the hand yet follow the pointer.
   * @param {DOMPoint} point
   */
  carry({ x, y }) {
    this.ghost.setAttribute("transform", `translate(${x - LIFTED} ${y - LIFTED})`);
  }

  /** @param {Held} held */
  draw(held) {
    const { hold, x, y, rot, outcome } = held;
    const { unit, left, top } = hold;
    const size = CARD * unit + 2 * OUTLINE;
    this.layer.classList.remove("empty");
    this.ghost.setAttribute("transform", `translate(${(x - left) * unit} ${(y - top) * unit})`);
    this.ghost.setAttribute("class", `ghost ${outcome ? "fits" : "misfit"}`);
    this.ghost.dataset.rot = String(rot);
    // The nodes are copied, because styles don't reach into the content of <use>.
    const face = [...(find(`#atua-ghost-${rot}`)?.children ?? [])].map((each) => document.importNode(each, true));
    const outline = svg("rect", { class: "outline", x: -OUTLINE, y: -OUTLINE, width: size, height: size, rx: 4 });
    this.ghost.replaceChildren(...face, outline);
    for (const part of [this.spots, this.ends, this.marks]) {
      part.setAttribute("transform", `translate(${-left * unit} ${-top * unit})`);
    }
    this.spots.replaceChildren(...dots(held));
    this.ends.replaceChildren(...beachEnds(hold, x, y, rot).map((end) => arrow(unit, end)));
    this.marks.replaceChildren(...(outcome ? strikes(held) : held.faults().flatMap((fault) => mark(unit, fault))));
  }
}

/**
 * Return dots at the legal positions of the card's middle, for its current rotation.
 * @param {Held} held
 */
function dots(held) {
  const { unit } = held.hold;
  return held
    .placements()
    .filter(({ rot }) => rot === held.rot)
    .map(({ x, y }) => svg("circle", { cx: (x + CARD / 2) * unit, cy: (y + CARD / 2) * unit, r: 3.5 }));
}

/**
 * Return crosses on the symbols that would be covered.
 * @param {Held} held
 */
function strikes({ hold, x, y }) {
  return hold.symbols
    .filter(([left, top, star]) => !star && inside(left, x) === SYMBOL && inside(top, y) === SYMBOL)
    .map(([left, top]) => [left * hold.unit + 9, top * hold.unit + 9])
    .map(([left, top]) => svg("path", { class: "strike", d: `M${left} ${top}l30 30m0-30l-30 30` }));
}

/**
 * @param {number} unit
 * @param {End & { css: string }} end
 */
function arrow(unit, { x, y, side, css }) {
  const [midX, midY] = [x + 0.5 + STEPS[side][0] * 0.5, y + 0.5 + STEPS[side][1] * 0.5];
  const place = svg("g", { transform: `translate(${midX * unit} ${midY * unit}) rotate(${90 * side})` });
  place.append(
    css === "met" ? svg("circle", { class: "end met", r: 9 }) : svg("path", { class: `end ${css}`, d: ARROW }),
  );
  return place;
}

/**
 * @param {number} unit
 * @param {Fault} fault
 */
function mark(unit, { x, y, side }) {
  if (x === undefined || y === undefined) return [];
  if (side === undefined) {
    return [svg("circle", { class: "wrong", cx: (x + 1) * unit, cy: (y + 1) * unit, r: unit + 3 })];
  }
  const [fromX, fromY] = [x + Number(side === 1), y + Number(side === 2)];
  return [svg("path", { class: "wrong", d: `M${fromX * unit} ${fromY * unit}${side % 2 ? "v" : "h"}${unit}` })];
}
