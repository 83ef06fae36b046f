// The keyboard: one tab stop for the picture, arrows go to the nearest element, Enter chooses, Escape goes back.
// Letters work while the focus is inside the table or nowhere, never while typing, and not if they are turned off.

import { all, allOf, byId, find, findOf, hit, middle } from "./dom.js";
import { isForTable, keyOf } from "./keys.js";
import { showKeys } from "./page.js";

/**
 * @import { Thing } from "./dom.js"
 * @import { Tabletop } from "./tabletop.js"
 */

/** @type {Record<string, [dx: number, dy: number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** @type {Record<string, string>} the button of each letter */
const PRESSES = { c: "#page-confirm", u: "#page-undo", h: "#page-advice" };

const LINES = "#page-log a";

/** @type {Record<string, (now: number, last: number) => number>} the line of the log to which each key leads */
const WALKS = {
  ArrowDown: (now) => now + 1,
  ArrowUp: (now) => now - 1,
  Home: () => 0,
  End: (_now, last) => last,
};

/** @param {Thing} element */
const isLegal = (element) => element.classList.contains("legal");

/**
 * @param {Thing} log
 * @param {(now: number, last: number) => number} to
 */
function walk(log, to) {
  const lines = all(LINES, log.parentElement ?? log).filter((line) => line.getClientRects().length > 0);
  const now = lines.findIndex((line) => line.isSameNode(document.activeElement));
  lines[to(now, lines.length - 1)]?.focus();
}

export class Keyboard {
  /** @param {Tabletop} table */
  constructor(table) {
    this.table = table;
    this.id = ""; // id of the element that was used last
    document.addEventListener("keydown", (event) => this.onKey(event));
  }

  reachable() {
    const open = find("dialog[open]", this.table.root);
    return this.table.picture
      .elements()
      .filter((element) => element.closest("dialog") === open && element.getClientRects().length > 0);
  }

  /** Make one element reachable by Tab: the last one used, else the first legal one. */
  dress() {
    const elements = this.table.picture.elements();
    const dialogs = all("dialog", this.table.root);
    const inside = dialogs.map((dialog) => find(".element.legal", dialog) ?? find(".element", dialog));
    const stops = new Set([this.current(elements), ...inside, ...elements.filter((each) => each.matches(".spot"))]);
    for (const element of elements) element.setAttribute("tabindex", stops.has(element) ? "0" : "-1");
    for (const line of all(LINES)) line.setAttribute("tabindex", "-1"); // the log is one stop, and keys walk through it
  }

  /** @param {Thing[]} elements */
  current(elements) {
    const outside = elements.filter((element) => !element.closest("dialog"));
    return outside.find((element) => element.id === this.id) ?? outside.find(isLegal) ?? outside[0];
  }

  /** @param {Thing} element */
  at(element) {
    this.id = element.id;
    this.dress();
  }

  /** @param {Thing | undefined} element */
  focus(element) {
    if (!element) return;
    this.at(element);
    element.focus({ focusVisible: true });
    element.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") this.escape();
    if (hit(event, "input:not([type=radio]), textarea, select")) return;
    const log = hit(event, "#page-log");
    if (log && WALKS[event.key]) {
      event.preventDefault();
      walk(log, WALKS[event.key]);
      return;
    }
    const element = hit(event, ".element");
    const chooses = event.key === "Enter" || event.key === " ";
    if (element && (chooses || ARROWS[event.key])) {
      event.preventDefault();
      if (chooses) this.table.picture.activate(element);
      else this.move(element, ...ARROWS[event.key]);
    } else if (isForTable(event)) this.letter(keyOf(event), element);
  }

  /**
   * @param {string} key
   * @param {Thing | null} element that has the focus
   */
  letter(key, element) {
    if (this.table.press(key, element) || this.table.zoom.press(key)) return;
    if (element && (key === "n" || key === "p")) this.step(element, key === "n" ? 1 : -1);
    else if (PRESSES[key]) findOf(HTMLElement, PRESSES[key])?.click();
    else if (key === "b" || (this.rests() && (key === "n" || key === "p"))) this.focus(this.current(this.reachable()));
    else if (key === "l") byId("page-log").focus();
    else if (key === "?") showKeys();
    else if (/^[1-9]$/.test(key)) {
      allOf(HTMLElement, "#page-rest button, #page-list[open] button")[Number(key) - 1]?.click();
    }
  }

  /** Return whether the focus is on nothing with keys of its own. */
  rests() {
    return [document.body, this.table.root].some((each) => each.isSameNode(document.activeElement));
  }

  /**
   * Move to the nearest element in a direction. Elements straight ahead are nearer than those aside.
   * @param {Thing} from
   * @param {number} dx
   * @param {number} dy
   */
  move(from, dx, dy) {
    const start = middle(from);
    let best;
    let least = Infinity;
    for (const element of this.reachable()) {
      if (element.contains(from) || from.contains(element)) continue;
      const { x, y } = middle(element);
      const ahead = (x - start.x) * dx + (y - start.y) * dy;
      const aside = Math.abs((x - start.x) * dy) + Math.abs((y - start.y) * dx);
      const distance = ahead + aside * 2.5;
      if (ahead > 2 && distance < least) [best, least] = [element, distance];
    }
    this.focus(best);
  }

  /**
   * Move to the next or previous legal element in reading order.
   * @param {Thing} from
   * @param {number} by
   */
  step(from, by) {
    const legal = this.reachable().filter((element) => isLegal(element) || element === from);
    this.focus(legal.at((legal.indexOf(from) + by) % legal.length));
  }

  escape() {
    if (!this.table.hint.sheet.hidden) this.table.hint.dismiss();
    else if (this.table.follow.holding) this.table.follow.player.skip();
    else if (this.table.selection.picks.length) this.table.unpick();
  }
}
