// Panning and zooming of the scene. A finger, the mouse or the wheel moves a scene that is larger than its room. Two
// fingers, Ctrl and the wheel, a double tap, buttons and keys zoom. Choices out of sight are counted at the edges.

import { all, button, find, hit, html } from "./dom.js";

/**
 * @import { Thing } from "./dom.js"
 * @import { Tabletop } from "./tabletop.js"
 * @typedef {{ clientX: number, clientY: number }} Spot on the screen
 * @typedef {"left" | "right" | "up" | "down"} Side
 */

const MOST = 4;
const STEP = 1.25;
const PINCH = 1.15; // least change of the distance of two fingers that zooms: turning them doesn't
const DOUBLE_MS = 300;
const DOUBLE_PX = 30;
const DRAG_PX = 5;
const CENTER = /** @type {const} */ ({ block: "center", inline: "center" });

/** @type {Side[]} */
const SIDES = ["left", "right", "up", "down"];

/** @type {Record<string, (now: number) => number>} the new factor by key */
const KEYS = { "+": (now) => now * STEP, "-": (now) => now / STEP, 0: () => 1 };

const sceneOf = () => find(".scene");

/** Return the legal elements in the shown part. */
const legal = () =>
  all(".scene .element.legal").filter(
    (each) => each.getClientRects().length > 0 && each.checkVisibility({ visibilityProperty: true }),
  );

/**
 * Return the edge of the scene beyond which the middle of an element lies, or "".
 * @param {Thing} element
 * @param {DOMRect} room
 * @returns {Side | ""}
 */
function sideOf(element, room) {
  const box = element.getBoundingClientRect();
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  if (x < room.left) return "left";
  if (x > room.right) return "right";
  if (y < room.top) return "up";
  return y > room.bottom ? "down" : "";
}

/**
 * @param {Side} side
 * @returns {Thing[]} the legal elements beyond an edge, the nearest first
 */
function beyond(side) {
  const room = sceneOf()?.getBoundingClientRect();
  const found = room ? legal().filter((each) => sideOf(each, room) === side) : [];
  const from = (/** @type {Thing} */ each) => {
    const { x, y } = each.getBoundingClientRect();
    return side === "left" || side === "right" ? x : y;
  };
  const sign = side === "left" || side === "up" ? -1 : 1;
  return found.sort((one, other) => sign * (from(one) - from(other)));
}

/** @param {TouchList} fingers */
function between(fingers) {
  const [one, other] = fingers;
  return {
    span: Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY),
    spot: { clientX: (one.clientX + other.clientX) / 2, clientY: (one.clientY + other.clientY) / 2 },
  };
}

/** @param {Spot} spot */
function isInScene({ clientX, clientY }) {
  const room = sceneOf()?.getBoundingClientRect();
  if (!room) return false;
  return clientX >= room.left && clientX <= room.right && clientY >= room.top && clientY <= room.bottom;
}

export class Zoom {
  /** @param {Tabletop} table */
  constructor(table) {
    this.table = table;
    this.factor = 1;
    this.decision = ""; // the decision for which the scene was moved
    this.pinch = { span: 0, zooms: false };
    this.tapped = { at: 0, clientX: 0, clientY: 0 };
    /** @type {{ last: PointerEvent, moves: boolean } | null} a mouse button that is down and may move the scene */
    this.drag = null;
    this.marking = false;
    this.sheet = this.buttons("zoom");
    this.row = this.buttons("zoom-row");
    document.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    document.addEventListener("touchstart", (event) => this.touch(event));
    document.addEventListener("touchmove", (event) => this.touched(event), { passive: false });
    document.addEventListener("pointerdown", (event) => this.down(event));
    document.addEventListener("pointermove", (event) => this.move(event));
    document.addEventListener("pointerup", (event) => this.up(event));
    document.addEventListener("scroll", () => this.mark(), { capture: true, passive: true });
    document.addEventListener("change", () => this.mark());
    addEventListener("resize", () => this.mark());
  }

  /**
   * Make the buttons that zoom. They are in the menu, and over the scene while it is zoomed.
   * @param {string} css
   */
  buttons(css) {
    const { zoom_in, zoom_out, zoom_all } = this.table.texts;
    const made = html("div", { className: css });
    made.dataset.own = "";
    const add = (/** @type {string} */ sign, /** @type {string} */ label, /** @type {() => void} */ act) =>
      made.append(Object.assign(button(sign, act), { title: label, ariaLabel: label }));
    add("+", zoom_in, () => this.to(this.factor * STEP * STEP));
    add("−", zoom_out, () => this.to(this.factor / STEP / STEP));
    add("⤢", zoom_all, () => this.to(1));
    return made;
  }

  /**
   * Zoom about a spot, which stays in place.
   * @param {number} factor
   * @param {Spot} [about] by default the middle of the scene
   */
  to(factor, about) {
    const scene = sceneOf();
    if (!scene) return;
    const { left, top } = scene.getBoundingClientRect();
    const larger = scene.currentCSSZoom ?? 1;
    const dx = about ? (about.clientX - left) / larger : scene.clientWidth / 2;
    const dy = about ? (about.clientY - top) / larger : scene.clientHeight / 2;
    const [x, y] = [(scene.scrollLeft + dx) / scene.scrollWidth, (scene.scrollTop + dy) / scene.scrollHeight];
    this.factor = Math.min(MOST, Math.max(1, factor));
    document.body.style.setProperty("--zoom", String(this.factor));
    document.body.toggleAttribute("data-zoomed", this.factor > 1);
    scene.scrollTo(x * scene.scrollWidth - dx, y * scene.scrollHeight - dy);
    this.mark();
  }

  /**
   * Handle a key and return whether it zooms.
   * @param {string} key
   */
  press(key) {
    const change = KEYS[key];
    if (change) this.to(change(this.factor));
    return Boolean(change);
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    if (!event.ctrlKey || !isInScene(event) || !hit(event, "#page-main")) return;
    event.preventDefault();
    this.to(event.deltaY < 0 ? this.factor * STEP : this.factor / STEP, event);
  }

  /** @param {TouchEvent} event */
  touch({ touches }) {
    this.pinch = { span: touches.length === 2 ? between(touches).span : 0, zooms: false };
  }

  /**
   * Zoom or pan after fingers have moved.
   * @param {TouchEvent} event
   */
  touched(event) {
    if (event.touches.length !== 2 || !this.pinch.span) return;
    const { span, spot } = between(event.touches);
    if (!isInScene(spot)) return;
    event.preventDefault();
    const by = span / this.pinch.span;
    if (!this.pinch.zooms && Math.max(by, 1 / by) < PINCH) return;
    if (this.pinch.zooms) this.to(this.factor * by, spot);
    this.pinch = { span, zooms: true };
  }

  /** @param {PointerEvent} event */
  down(event) {
    const scene = hit(event, ".scene");
    if (!scene || event.button || hit(event, ".element.legal, button, a")) return;
    if (event.pointerType === "touch") this.tap(event);
    else if (scene.scrollWidth > scene.clientWidth || scene.scrollHeight > scene.clientHeight) {
      this.drag = { last: event, moves: false };
    }
  }

  /** @param {PointerEvent} event */
  tap(event) {
    const { at, clientX, clientY } = this.tapped;
    const isNear = Math.hypot(event.clientX - clientX, event.clientY - clientY) < DOUBLE_PX;
    const isSecond = isNear && event.timeStamp - at < DOUBLE_MS;
    this.tapped = { at: isSecond ? 0 : event.timeStamp, clientX: event.clientX, clientY: event.clientY };
    if (isSecond) this.to(this.factor > 1 ? 1 : 2, event);
  }

  /** @param {PointerEvent} event */
  move(event) {
    const { drag } = this;
    if (!drag) return;
    const [dx, dy] = [drag.last.clientX - event.clientX, drag.last.clientY - event.clientY];
    if (!drag.moves && Math.hypot(dx, dy) < DRAG_PX) return;
    this.drag = { last: event, moves: true };
    sceneOf()?.scrollBy(dx, dy);
  }

  /** @param {PointerEvent} event */
  up({ target }) {
    // The click that ends a drag has no effect.
    if (this.drag?.moves) target?.addEventListener("click", (event) => event.stopPropagation(), { once: true });
    this.drag = null;
  }

  /** Bring a legal element of a new question into sight, after each change. */
  dress() {
    const { data, selection, follow, root } = this.table;
    if (!this.sheet.isConnected) root.append(this.sheet);
    if (!this.row.isConnected) find(".menu .sheet", root)?.append(this.row);
    const decision = `${data.stamp} ${selection.picks.length}`;
    if (!follow.holding && decision !== this.decision) {
      this.decision = decision;
      const room = sceneOf()?.getBoundingClientRect();
      const found = legal();
      if (room && found.length && found.every((each) => sideOf(each, room))) found[0].scrollIntoView(CENTER);
    }
    this.mark();
  }

  /** Count at the edges the choices beyond them, once per frame. */
  mark() {
    if (this.marking) return;
    this.marking = true;
    requestAnimationFrame(() => {
      this.marking = false;
      for (const side of SIDES) this.markSide(side);
    });
  }

  /** @param {Side} side */
  markSide(side) {
    const { root, texts } = this.table;
    const count = beyond(side).length;
    const mark = find(`.beyond-${side}`, root);
    if (!count) {
      mark?.remove();
      return;
    }
    const made = mark ?? button("", () => beyond(side)[0]?.scrollIntoView(CENTER), `beyond-edge beyond-${side}`);
    made.dataset.own = "";
    made.ariaLabel = texts.beyond[side].replace("{n}", String(count));
    if (made.textContent !== String(count)) made.textContent = String(count);
    if (!mark) root.append(made);
  }
}
