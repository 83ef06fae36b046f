// Controls that move a card: mouse, one or two fingers, wheel and keys.

import { hit } from "/static/js/dom.js";
import { isForTable, keyOf } from "/static/js/keys.js";
import { CARD } from "./fits.js";
import { isOver, onBoard } from "./sea.js";

/**
 * @import { Thing } from "/static/js/dom.js"
 * @import { Placing } from "./placing.js"
 * @import { Point } from "./sea.js"
 */

/**
 * A pointer that is down and may drag a card.
 * @typedef {object} Drag
 * @property {boolean} on whether it has moved far enough to be no click
 * @property {PointerEvent} start
 * @property {PointerEvent | null} last
 * @property {Thing | null} card of the row that it drags; null for the one in the hand
 * @property {Point} grip where it holds the card, in units from its corner
 */

const DRAG_PX = 8;
const TWIST = 40; // degrees between two fingers that turn the card by a quarter
const CLICK_MS = 400; // after a drag, in which a click is its end
const WHEEL_MS = 120; // minimum between turns by the wheel
const SEA = "#drawing-island, .atua-over";

/** @type {Record<string, [dx: number, dy: number]>} */
const ARROWS = { ArrowUp: [0, -1], ArrowRight: [1, 0], ArrowDown: [0, 1], ArrowLeft: [-1, 0] };

export class Hands {
  /** @param {Placing} placing */
  constructor(placing) {
    this.placing = placing;
    this.root = placing.table.root;
    /** @type {Drag | null} */
    this.drag = null;
    /** @type {Map<number, PointerEvent>} */
    this.fingers = new Map();
    this.twisted = { from: 0, turns: 0 }; // degrees at which two fingers began, quarters turned since
    this.dragged = -Infinity; // ms, when a drag ended
    this.wheeled = -Infinity; // ms
    this.root.addEventListener("pointerdown", (event) => this.down(event));
    document.addEventListener("pointermove", (event) => this.move(event));
    document.addEventListener("pointerup", (event) => this.up(event));
    document.addEventListener("pointercancel", (event) => this.cancel(event));
    document.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("click", (event) => this.swallow(event), true);
    this.root.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.root.addEventListener("contextmenu", (event) => this.menu(event));
  }

  /** @param {number} by */
  turn(by) {
    this.placing.change((held) => held.turn(by));
  }

  /** Forget the fingers, because no card is in the hand. */
  rest() {
    this.fingers.clear();
  }

  /** @param {PointerEvent} event */
  down(event) {
    const { held } = this.placing;
    if (held && event.pointerType === "touch" && hit(event, SEA)) {
      this.fingers.set(event.pointerId, event);
      if (this.fingers.size === 2) this.twist(event);
      if (this.fingers.size > 1) return;
    }
    if (event.button || this.drag) return;
    const card = hit(event, ".row-card.legal");
    const middle = { x: CARD / 2, y: CARD / 2 };
    if (held && hit(event, ".ghost")) {
      const { x, y } = onBoard(event);
      const { unit, left, top } = held.hold;
      const grip = { x: x / unit + left - held.x, y: y / unit + top - held.y };
      this.drag = { on: true, start: event, last: null, card: null, grip };
      this.keep(event);
      event.preventDefault();
    } else if (held && this.fingers.size && !("zoomed" in document.body.dataset)) {
      this.drag = { on: false, start: event, last: null, card: null, grip: middle }; // the card comes to the finger
    } else if (card && !held) {
      this.drag = { on: false, start: event, last: null, card, grip: middle };
      event.preventDefault();
    }
  }

  /**
   * Keep receiving the events of a pointer when the element on which it began is redrawn.
   * @param {PointerEvent} event
   */
  keep({ pointerId }) {
    this.root.setPointerCapture(pointerId);
  }

  /**
   * Turn the card with two fingers. A card that one of them dragged stays in place.
   * @param {PointerEvent} event
   */
  twist(event) {
    this.drag = null;
    this.keep(event);
    this.twisted = { from: this.angle(), turns: 0 };
  }

  angle() {
    const [one, other] = this.fingers.values();
    return (Math.atan2(other.clientY - one.clientY, other.clientX - one.clientX) * 180) / Math.PI;
  }

  /** @param {PointerEvent} event */
  move(event) {
    if (this.fingers.has(event.pointerId)) {
      this.fingers.set(event.pointerId, event);
      if (this.fingers.size === 2) {
        const by = ((this.angle() - this.twisted.from + 540) % 360) - 180;
        const turns = Math.trunc(by / TWIST);
        if (turns !== this.twisted.turns) this.turn(turns - this.twisted.turns);
        this.twisted.turns = turns;
      }
      if (this.fingers.size > 1) return;
    }
    const { drag } = this;
    if (!drag) return;
    if (!drag.on) {
      if (Math.hypot(event.clientX - drag.start.clientX, event.clientY - drag.start.clientY) < DRAG_PX) return;
      drag.on = true;
      this.keep(event);
      if (drag.card) this.placing.lift(drag.card);
    }
    drag.last = event;
    this.placing.follow(drag);
  }

  /** @param {PointerEvent} event */
  up(event) {
    this.fingers.delete(event.pointerId);
    const { drag } = this;
    this.drag = null;
    if (!drag?.on) return;
    this.dragged = event.timeStamp;
    if (!this.placing.held)
      this.placing.dropped = drag; // it lies there as soon as the card is taken
    else if (!isOver(event)) this.placing.change((held) => held.goBest());
  }

  /** @param {PointerEvent} event */
  cancel(event) {
    this.fingers.delete(event.pointerId);
    this.drag = null;
    if (!this.placing.held) this.placing.letGo();
  }

  /**
   * Ignore the click that ends a drag.
   * @param {MouseEvent} event
   */
  swallow(event) {
    if (event.timeStamp - this.dragged > CLICK_MS) return;
    this.dragged = -Infinity;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    if (!this.placing.held || event.ctrlKey || !hit(event, SEA)) return;
    event.preventDefault();
    if (event.timeStamp - this.wheeled < WHEEL_MS) return;
    this.wheeled = event.timeStamp;
    this.turn(event.deltaY > 0 ? 1 : -1);
  }

  /** @param {MouseEvent} event */
  menu(event) {
    if (!this.placing.held || !hit(event, SEA)) return;
    event.preventDefault();
    this.turn(1);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || hit(event, "input, textarea, select")) return;
    const inTools = hit(event, ".atua-tools, [data-serves=place]") !== null;
    const act = this.actOf(keyOf(event), event.shiftKey, inTools);
    if (!this.placing.held || !act || !(inTools || isForTable(event))) return;
    this.placing.change(act);
    event.preventDefault();
  }

  /**
   * Return the action of a key on the card.
   * @param {string} key
   * @param {boolean} shift
   * @param {boolean} inTools whether the focus is in the bar or on the button that places
   * @returns {((held: import("./held.js").Held) => void) | null}
   */
  actOf(key, shift, inTools) {
    if (key === "r") return (held) => held.turn(shift ? -1 : 1);
    if (!inTools) return null;
    if (key === "n" || key === "p") return (held) => held.next(key === "n" ? 1 : -1);
    const step = ARROWS[key];
    return step && ((held) => (shift ? held.leap(...step) : held.nudge(...step)));
  }
}
