// The small sheet next to an element: its name and effect, and the reason why it can't be chosen.

import { byId, find, hit, html } from "./dom.js";
import { putFree } from "./free.js";
import { enlarge } from "./lens.js";

/**
 * @import { Thing } from "./dom.js"
 * @import { Box } from "./free.js"
 * @import { Tabletop } from "./tabletop.js"
 */

const WAIT_MS = 350;
const LEGAL_WAIT_MS = 1100; // its preview says more
const LONG_PRESS_MS = 500;
const LEAVE_MS = 150;
const NOTE_MS = 5000;
const GAP = 10; // px between the sheet and its element

export class Hint {
  /** @param {Tabletop} table */
  constructor(table) {
    this.table = table;
    this.sheet = byId("page-hint");
    this.home = this.sheet.parentElement ?? document.body;
    /** @type {Thing | null} the element next to the sheet */
    this.element = null;
    this.answers = false; // whether the sheet answers a click: it stays until the next one
    this.put = () => {}; // moves the sheet to its place
    this.sheet.addEventListener("pointerenter", () => clearTimeout(this.closing));
    this.sheet.addEventListener("pointerleave", () => this.closeIn(LEAVE_MS));
    this.dismissed = ""; // id of the element whose sheet was closed; it stays closed until the pointer returns
    /** True after a long press, which has explained an element and chooses nothing. */
    this.explained = false;
    document.addEventListener("pointerdown", (event) => this.press(event));
    this.touched = false;
    /** @type {PointerEvent | null} where the last press began */
    this.from = null;
    document.addEventListener("click", (event) => this.swallow(event), { capture: true });
    document.addEventListener("click", () => {
      if (this.touched) table.preview.stop();
    });
    document.addEventListener("pointermove", (event) => this.move(event), { passive: true });
    // The scene may move without being redrawn, for example when a notice above it closes.
    const moved = new ResizeObserver(() => requestAnimationFrame(() => this.giveWay()));
    const scene = find(".scene");
    if (scene) moved.observe(scene);
    for (const end of ["pointerup", "pointercancel", "scroll"]) {
      document.addEventListener(end, () => clearTimeout(this.pressing), { passive: true });
    }
  }

  /** @param {PointerEvent} event */
  press(event) {
    if (hit(event, ".hint")) return;
    const element = hit(event, ".element");
    clearTimeout(this.waiting); // a press needs no explanation
    this.explained = false;
    this.touched = event.pointerType === "touch";
    this.from = event;
    if (!element) this.hide();
    else if (this.touched) this.pressing = setTimeout(() => this.explain(element), LONG_PRESS_MS);
  }

  /**
   * Cancel the explanation of a press when the finger moves, because it drags or scrolls.
   * @param {PointerEvent} event
   */
  move({ clientX, clientY }) {
    const { from } = this;
    if (from && Math.hypot(clientX - from.clientX, clientY - from.clientY) > GAP) clearTimeout(this.pressing);
  }

  /**
   * Explain the element under a resting finger, and preview it.
   * @param {Thing} element
   */
  explain(element) {
    this.explained = true;
    this.table.preview.of(element);
    return this.show(element);
  }

  /**
   * Ignore the click that some browsers send after a long press.
   * @param {MouseEvent} event
   */
  swallow(event) {
    if (!this.explained || event.detail === 0 || hit(event, ".hint")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  /** @param {Thing} element */
  wait(element) {
    if (element.id === this.dismissed) return;
    this.dismissed = "";
    clearTimeout(this.waiting);
    if (this.element === element) clearTimeout(this.closing);
    else if (this.element && !this.answers) this.hide();
    const legal = element.classList.contains("legal") && !element.dataset.help;
    this.waiting = setTimeout(() => this.show(element), legal ? LEGAL_WAIT_MS : WAIT_MS);
  }

  dismiss() {
    this.dismissed = this.element?.id ?? "";
    this.hide();
  }

  /**
   * Close the sheet of an element that the mouse has left. Messages and sheets of other elements stay.
   * @param {Thing} element
   */
  leave(element) {
    this.dismissed = "";
    clearTimeout(this.waiting);
    if (this.element === element) this.closeIn(LEAVE_MS);
  }

  /** @param {number} ms */
  closeIn(ms) {
    clearTimeout(this.closing);
    this.closing = setTimeout(() => this.hide(), ms);
  }

  /**
   * Show the texts of an element, and if its choices aren't legal, the reason.
   * @param {Thing} element
   */
  async show(element) {
    const { choice, help = "" } = element.dataset;
    const lines = [element.ariaLabel ?? "", help];
    this.place(element, lines);
    const { data, follow } = this.table;
    if (!choice || !data.mine || follow.holding || element.ariaDisabled !== "true") return;
    const why = await this.reason(choice);
    if (this.element === element) this.place(element, [...lines, why]);
  }

  /**
   * Show and announce why an element can't be chosen.
   * @param {Thing} element
   * @param {string} choice that it stands for
   */
  async why(element, choice) {
    const why = await this.reason(choice);
    clearTimeout(this.closing); // the timer of an earlier note would close it
    this.place(element, [element.ariaLabel ?? "", why], true);
    this.table.news.say(why);
  }

  /**
   * Return the reason why the choices of a pattern can't be chosen, or why it is unknown.
   * @param {string} pattern
   * @returns {Promise<string>}
   */
  reason(pattern) {
    return this.table.server.why(pattern).catch((error) => this.table.news.sentence(error));
  }

  /**
   * @param {Thing} element
   * @param {string[]} lines
   * @param {boolean} answers whether it answers a click: then a drawing makes room for the words
   */
  place(element, lines, answers = false) {
    if (this.element !== element) clearTimeout(this.closing); // of the former sheet
    this.element = element;
    this.fill(lines);
    enlarge(element, this.sheet);
    const host = element.closest("dialog[open]") ?? this.home;
    if (this.sheet.parentElement !== host) host.append(this.sheet);
    const box = element.getBoundingClientRect();
    const beside = (/** @type {Box} */ { width, height }) => {
      const above = box.top - height - GAP;
      return { left: box.left + (box.width - width) / 2, top: above > GAP ? above : box.bottom + GAP };
    };
    this.answers = answers;
    this.put = () => {
      if (this.putOver(beside, [box]) || !answers) return;
      find(".lens", this.sheet)?.remove();
      if (!this.putOver(beside, [box])) this.putBelow();
    };
    this.put();
  }

  /**
   * Put the sheet over a free place of the page.
   * @param {(size: Box) => { left: number, top: number }} wanted
   * @param {Box[]} also must stay free
   * @returns {boolean} whether there is one
   */
  putOver(wanted, also = []) {
    this.sheet.classList.remove("below");
    return putFree(this.sheet, wanted, also);
  }

  /** Put the sheet below the table, which becomes smaller, because no place is free. */
  putBelow() {
    this.sheet.style.maxWidth = "";
    this.sheet.classList.toggle("below", this.sheet.parentElement === this.home);
  }

  /** @param {string[]} lines */
  fill(lines) {
    this.sheet.classList.remove("passing");
    this.sheet.replaceChildren(...lines.filter(Boolean).map((line) => html("p", { textContent: line })));
    this.sheet.hidden = false;
  }

  /**
   * Show a message for a few seconds, at the lower end of the scene or of another part of the page if that is free.
   * Elements below it can be pressed through it.
   * @param {string} text
   * @param {{ href: string, text: string } | null} link
   * @param {Thing | null} part
   */
  note(text, link = null, part = find(".scene")) {
    this.element = null;
    this.fill([text]);
    this.sheet.classList.toggle("passing", !link);
    if (link) this.sheet.append(html("a", { href: link.href, textContent: link.text }));
    const around = part?.getBoundingClientRect() ?? new DOMRect(0, 0, innerWidth, innerHeight);
    const below = (/** @type {Box} */ { width, height }) => ({
      left: around.left + (around.width - width) / 2,
      top: around.bottom - height - GAP,
    });
    this.put = () => this.putOver(below) || this.putBelow();
    this.put();
    this.closeIn(NOTE_MS);
  }

  /** Move a message that covers legal elements after a change. */
  giveWay() {
    if (!this.sheet.hidden) this.put();
  }

  hide() {
    clearTimeout(this.waiting);
    this.element = null;
    this.sheet.hidden = true;
  }
}
