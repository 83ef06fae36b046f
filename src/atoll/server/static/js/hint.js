// The small sheet beside an element: what it is, and why it can't be chosen.

import { get } from "./http.js";

const WAIT_MS = 350;
const LEGAL_WAIT_MS = 1100; // its preview says more
const LONG_PRESS_MS = 500;
const NOTE_MS = 5000;

export class Hint {
  constructor(table) {
    this.table = table;
    this.sheet = document.getElementById("page-hint");
    this.sheet.addEventListener("pointerenter", () => clearTimeout(this.closing));
    this.sheet.addEventListener("pointerleave", () => this.leave());
    document.addEventListener("pointerdown", (event) => this.press(event));
    for (const end of ["pointerup", "pointercancel", "scroll"]) {
      document.addEventListener(end, () => clearTimeout(this.pressing), { passive: true });
    }
  }

  press(event) {
    const element = event.target.closest?.(".element");
    if (!element) this.hide();
    else if (event.pointerType === "touch") this.pressing = setTimeout(() => this.show(element), LONG_PRESS_MS);
  }

  wait(element) {
    clearTimeout(this.waiting);
    clearTimeout(this.closing);
    if (this.element && this.element !== element) this.hide();
    const legal = element.classList.contains("legal") && !element.dataset.help;
    this.waiting = setTimeout(() => this.show(element), legal ? LEGAL_WAIT_MS : WAIT_MS);
  }

  leave() {
    clearTimeout(this.waiting);
    clearTimeout(this.closing);
    this.closing = setTimeout(() => this.hide(), 150);
  }

  /** Tell what an element is; and if it stands for choices that aren't legal, why not. */
  async show(element) {
    const lines = [element.getAttribute("aria-label"), element.dataset.help].filter(Boolean);
    this.place(element, lines);
    const illegal = element.dataset.choice && this.table.data.mine && element.getAttribute("aria-disabled") === "true";
    if (!illegal) return;
    const why = await this.reason(element.dataset.choice);
    if (this.element === element && why) this.place(element, [...lines, why]);
  }

  /** Say why an element can't be chosen, to everybody who tried. */
  async why(element) {
    const why = await this.reason(element.dataset.choice);
    this.place(element, [element.getAttribute("aria-label"), why].filter(Boolean));
    this.table.say(why);
  }

  async reason(pattern) {
    const { table, seat } = this.table.data;
    const query = new URLSearchParams({ choice: pattern });
    if (seat !== null) query.set("seat", seat);
    try {
      const answer = await get(`/t/${table}/why?${query}`);
      return (await answer.json()).text;
    } catch (error) {
      return error.message;
    }
  }

  place(element, lines) {
    this.element = element;
    this.sheet.replaceChildren(
      ...lines.map((line) => Object.assign(document.createElement("p"), { textContent: line })),
    );
    this.sheet.hidden = false;
    const host = element.closest("dialog[open]") ?? document.body;
    if (this.sheet.parentElement !== host) host.append(this.sheet);
    const [box, sheet] = [element.getBoundingClientRect(), this.sheet.getBoundingClientRect()];
    const left = Math.max(8, Math.min(box.left + box.width / 2 - sheet.width / 2, document.documentElement.clientWidth - sheet.width - 8));
    const above = box.top - sheet.height - 10;
    this.sheet.style.left = `${left}px`;
    this.sheet.style.top = `${above > 8 ? above : Math.min(box.bottom + 10, innerHeight - sheet.height - 8)}px`;
  }

  /** A message that stands for a few seconds. */
  note(text) {
    const bar = document.getElementById("page-bar");
    this.place(bar, [text]);
    clearTimeout(this.closing);
    this.closing = setTimeout(() => this.hide(), NOTE_MS);
  }

  hide() {
    clearTimeout(this.waiting);
    this.element = null;
    this.sheet.hidden = true;
  }
}
