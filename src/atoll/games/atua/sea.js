// The sea pans and zooms: by buttons, by pinching, with Ctrl and the wheel, by dragging it.

import { button, find, findOf, hit, html, must } from "/static/js/dom.js";

/**
 * @import { Table } from "/static/js/game.js"
 * @typedef {{ clientX: number, clientY: number }} Spot on the screen
 * @typedef {{ x: number, y: number }} Point of the drawing
 */

const PINCH = 1.15; // how much farther, or nearer, two fingers must come before they zoom: turning them doesn't
const MOST_ZOOM = 4;
const BUTTON_ZOOM = 1.5;
const WHEEL_ZOOM = 1.15;

/** The large island's drawing, while it is on the page. */
export const findBoard = () => findOf(SVGSVGElement, "#drawing-island");

export const board = () => must(findBoard(), "#drawing-island");

/** @param {SVGSVGElement} drawing */
const viewOf = (drawing) => drawing.getAttribute("viewBox") ?? "";

/**
 * A spot of the screen in the coordinates of the island's drawing.
 * @param {Spot} spot
 */
export function onBoard({ clientX, clientY }) {
  return new DOMPoint(clientX, clientY).matrixTransform(board().getScreenCTM()?.inverse());
}

/**
 * Whether a spot lies on the large island's sea.
 * @param {Spot} spot
 */
export function isOver({ clientX, clientY }) {
  const box = board().getBoundingClientRect();
  return clientX >= box.left && clientX <= box.right && clientY >= box.top && clientY <= box.bottom;
}

/**
 * @param {Spot} one
 * @param {Spot} other
 */
const spanOf = (one, other) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);

/**
 * @param {number} value
 * @param {number} low
 * @param {number} high
 */
const clamp = (value, low, high) => Math.min(Math.max(value, low), Math.max(low, high));

export class Sea {
  /** @param {Table} table */
  constructor(table) {
    this.zoom = 1;
    this.full = { width: 0, height: 0 };
    this.middle = { x: 0, y: 0 };
    this.view = "";
    /** @type {Map<number, PointerEvent>} */
    this.pointers = new Map();
    this.span = 0; // between two fingers when both were down; 0 once they zoom
    /** @type {(() => void)[]} called when the view has changed */
    this.moved = [];
    this.watch = new MutationObserver(() => this.restore());
    table.onPatch(() => this.refresh());
    table.root.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    table.root.addEventListener("pointerdown", (event) => this.down(event));
    document.addEventListener("pointermove", (event) => this.move(event));
    for (const end of /** @type {const} */ (["pointerup", "pointercancel"])) {
      document.addEventListener(end, ({ pointerId }) => this.pointers.delete(pointerId));
    }
    this.refresh();
  }

  refresh() {
    const drawing = findBoard();
    if (!drawing) return;
    if (viewOf(drawing) !== this.view) {
      // as it was sent; a page that is patched elsewhere leaves what is seen of it
      const [, , width, height] = viewOf(drawing).split(" ").map(Number);
      if (this.zoom === 1) this.middle = { x: width / 2, y: height / 2 };
      this.full = { width, height };
    }
    this.watch.observe(drawing, { attributes: true, attributeFilter: ["viewBox", "class"] });
    this.offer(drawing);
    this.show();
  }

  /** @param {SVGSVGElement} drawing */
  offer(drawing) {
    const region = must(drawing.closest(".region"), ".region around the island");
    if (find(".atua-zoom", region)) return;
    const bar = html("div", { className: "atua-zoom" });
    bar.dataset.own = "";
    const words = JSON.parse(find("[data-zoom]", drawing)?.dataset.zoom ?? "{}");
    const add = (/** @type {string} */ sign, /** @type {string} */ label, /** @type {number} */ factor) =>
      bar.append(
        Object.assign(
          button(sign, () => this.by(factor)),
          { title: label, ariaLabel: label },
        ),
      );
    add("+", words.in, BUTTON_ZOOM);
    add("−", words.out, 1 / BUTTON_ZOOM);
    add("⤢", words.all, 0);
    region.append(bar);
  }

  /**
   * Zoom about a point of the drawing.
   * @param {number} factor 0 shows all
   * @param {Point} about
   */
  by(factor, about = this.middle) {
    const before = this.zoom;
    this.zoom = clamp(this.zoom * factor, 1, MOST_ZOOM);
    const part = 1 - before / this.zoom;
    this.pan((about.x - this.middle.x) * part, (about.y - this.middle.y) * part);
  }

  /**
   * @param {number} dx
   * @param {number} dy
   */
  pan(dx, dy) {
    this.middle = { x: this.middle.x + dx, y: this.middle.y + dy };
    this.show();
  }

  show() {
    const drawing = board();
    const [width, height] = [this.full.width / this.zoom, this.full.height / this.zoom];
    this.middle.x = clamp(this.middle.x, width / 2, this.full.width - width / 2);
    this.middle.y = clamp(this.middle.y, height / 2, this.full.height - height / 2);
    this.view = `${this.middle.x - width / 2} ${this.middle.y - height / 2} ${width} ${height}`;
    drawing.setAttribute("viewBox", this.view);
    drawing.classList.toggle("zoomed", this.zoom > 1);
    for (const callback of this.moved) callback();
  }

  /** A preview that comes or goes brings the sea as it was before: it stays as it is seen now. */
  restore() {
    const drawing = findBoard();
    if (!drawing) return;
    if (viewOf(drawing) !== this.view || drawing.classList.contains("zoomed") !== this.zoom > 1) this.show();
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    if (!event.ctrlKey || !hit(event, "#drawing-island")) return;
    event.preventDefault();
    this.by(event.deltaY < 0 ? WHEEL_ZOOM : 1 / WHEEL_ZOOM, onBoard(event));
  }

  /** @param {PointerEvent} event */
  down(event) {
    if (!hit(event, "#drawing-island, .atua-over")) return;
    this.pointers.set(event.pointerId, event);
    const [one, other] = this.pointers.values();
    this.span = this.pointers.size === 2 ? spanOf(one, other) : 0;
  }

  /** @param {PointerEvent} event */
  move(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    if (this.pointers.size === 2) {
      const [one, two] = this.pointers.values();
      this.pinch(before, event, one === before ? two : one);
    } else if (this.zoom > 1 && !hit(before, ".atua-over")) {
      const [from, to] = [onBoard(before), onBoard(event)];
      this.pan(from.x - to.x, from.y - to.y);
    }
    this.pointers.set(event.pointerId, event);
  }

  /**
   * One of two fingers has moved.
   * @param {Spot} before
   * @param {Spot} now
   * @param {Spot} other finger
   */
  pinch(before, now, other) {
    const span = spanOf(now, other);
    if (this.span && Math.max(span / this.span, this.span / span) > PINCH) this.span = 0;
    if (this.span) return;
    const between = { clientX: (now.clientX + other.clientX) / 2, clientY: (now.clientY + other.clientY) / 2 };
    this.by(span / Math.max(1, spanOf(before, other)), onBoard(between));
  }
}
