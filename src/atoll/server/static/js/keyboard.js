// Everything by keyboard: one tab stop for the picture, arrows go to the nearest element, Enter chooses, Escape steps
// back. Letters work only while the focus is inside the table, never while typing, and not if they were turned off.

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const middle = (element) => {
  const box = element.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
};

export class Keyboard {
  constructor(table) {
    this.table = table;
    document.addEventListener("keydown", (event) => this.onKey(event));
  }

  reachable() {
    const open = this.table.root.querySelector("dialog[open]");
    return this.table.elements().filter((element) => {
      const dialog = element.closest("dialog");
      return (open ? dialog === open : !dialog) && element.getClientRects().length > 0;
    });
  }

  /** Of all elements one can be reached by Tab: the last one used, else the first that is legal. */
  dress() {
    const elements = this.table.elements();
    const stops = [this.current(elements)];
    for (const dialog of this.table.root.querySelectorAll("dialog")) {
      stops.push(dialog.querySelector(".element.legal") ?? dialog.querySelector(".element"));
    }
    for (const element of elements) element.setAttribute("tabindex", stops.includes(element) ? "0" : "-1");
  }

  current(elements) {
    const outside = elements.filter((element) => !element.closest("dialog"));
    return outside.find((element) => element.id === this.id) ?? outside.find((e) => e.classList.contains("legal")) ?? outside[0];
  }

  at(element) {
    this.id = element.id;
    this.dress();
  }

  focus(element) {
    this.at(element);
    element.focus({ focusVisible: true });
    element.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  onKey(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = event.target.closest("input, textarea, select");
    if (event.key === "Escape") this.escape();
    if (typing) return;
    const element = event.target.closest(".element");
    if (element && ARROWS[event.key]) {
      event.preventDefault();
      this.move(element, ARROWS[event.key]);
    } else if (element && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      this.table.activate(element);
    } else if (document.body.dataset.shortcuts === "off") {
      // only keys that every page has
    } else if (element && (event.key === "n" || event.key === "p")) {
      this.step(element, event.key === "n" ? 1 : -1);
    } else if (event.target.closest("#page-main")) this.letter(event);
  }

  letter(event) {
    const press = (id) => document.getElementById(id)?.click();
    if (event.key === "c") press("page-confirm");
    else if (event.key === "u") press("page-undo");
    else if (event.key === "h") press("page-advice");
    else if (event.key === "b") this.enter();
    else if (event.key === "l") document.getElementById("page-log").focus();
    else if (event.key === "?") document.getElementById("page-keys").showModal();
    else if (/^[1-9]$/.test(event.key)) {
      document.querySelectorAll("#page-rest button, #page-list[open] button")[Number(event.key) - 1]?.click();
    }
  }

  /** Go to the picture. */
  enter() {
    const element = this.current(this.reachable());
    if (element) this.focus(element);
  }

  /** The nearest element in a direction; what lies straight ahead is nearer than what lies aside. */
  move(from, [dx, dy]) {
    const start = middle(from);
    let best = null;
    let least = Infinity;
    for (const element of this.reachable()) {
      if (element === from || element.contains(from) || from.contains(element)) continue;
      const { x, y } = middle(element);
      const ahead = (x - start.x) * dx + (y - start.y) * dy;
      const aside = Math.abs((x - start.x) * dy) + Math.abs((y - start.y) * dx);
      if (ahead <= 2) continue;
      const distance = ahead + aside * 2.5;
      if (distance < least) [best, least] = [element, distance];
    }
    if (best) this.focus(best);
  }

  /** The next or previous legal element in reading order. */
  step(from, by) {
    const all = this.reachable();
    const legal = all.filter((element) => element.classList.contains("legal") || element === from);
    const next = legal[(legal.indexOf(from) + by + legal.length) % legal.length];
    if (next) this.focus(next);
  }

  escape() {
    if (!document.getElementById("page-hint").hidden) this.table.hint.hide();
    else if (this.table.selection.picks.length) this.table.unpick();
  }
}
