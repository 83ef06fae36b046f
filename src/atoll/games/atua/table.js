// Placing by hand: a card is dragged from the row over the island, snaps to the lattice, turns, glows where it fits and
// says why not where it doesn't. The sea pans and zooms, and the small islands of others open large.
// What fits is the page's list of legal choices; only the reasons against the rest are worked out here, as in geometry.py.

const SVG = "http://www.w3.org/2000/svg";
const CARD = 6;
const SYMBOL = 2;
const STEPS = [[0, -1], [1, 0], [0, 1], [-1, 0]]; // N, E, S, W
const DRAG_PX = 8;
const MAGNET = 1.2; // units from which a fitting place attracts the card
const PINCH = 1.15; // how much farther, or nearer, two fingers must come before they zoom: turning them doesn't
const TWIST = 40; // degrees between two fingers that turn the card by a quarter
const MOST_ZOOM = 4;

const html = (name, properties = {}) => Object.assign(document.createElement(name), properties);
const svg = (name, attributes = {}) => {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  return node;
};
const signed = (number) => `${number > 0 ? "+" : number < 0 ? "−" : "±"}${Math.abs(number)}`;
const clamp = (value, low, high) => Math.min(Math.max(value, low), Math.max(low, high));
const board = () => document.getElementById("drawing-island");

/** A moment's point on the screen in the coordinates of the island's drawing. */
function onBoard({ clientX, clientY }) {
  return new DOMPoint(clientX, clientY).matrixTransform(board().getScreenCTM().inverse());
}

const spanOf = (one, other) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);

/** Whether a moment's point lies on the large island's sea. */
function isOver({ clientX, clientY }) {
  const box = board().getBoundingClientRect();
  return clientX >= box.left && clientX <= box.right && clientY >= box.top && clientY <= box.bottom;
}

export function mount(table) {
  const sea = new Sea(table);
  new Placing(table, sea);
  new Lens(table);
}

// -- the sea

/** Zooming and panning the large island: by buttons, by pinching, with Ctrl and the wheel, by dragging the sea. */
class Sea {
  constructor(table) {
    this.table = table;
    this.zoom = 1;
    this.pointers = new Map();
    this.moved = []; // called when the view has changed
    this.watch = new MutationObserver(() => this.restore());
    table.onPatch(() => this.refresh());
    table.root.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    table.root.addEventListener("pointerdown", (event) => this.down(event));
    document.addEventListener("pointermove", (event) => this.move(event));
    for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, (event) => this.up(event));
    this.refresh();
  }

  refresh() {
    const drawing = board();
    if (!drawing) return;
    const [, , width, height] = drawing.getAttribute("viewBox").split(" ").map(Number);
    if (!this.full || this.zoom === 1) this.middle = { x: width / 2, y: height / 2 };
    this.full = { width, height };
    this.watch.observe(drawing, { attributes: true, attributeFilter: ["viewBox", "class"] });
    this.offer(drawing);
    this.show();
  }

  offer(drawing) {
    const region = drawing.closest(".region");
    if (region.querySelector(".atua-zoom")) return;
    const bar = html("div", { className: "atua-zoom" });
    bar.dataset.own = "";
    const words = JSON.parse(drawing.querySelector("[data-zoom]").dataset.zoom);
    for (const [sign, label, act] of [
      ["+", words.in, () => this.by(1.5)],
      ["−", words.out, () => this.by(1 / 1.5)],
      ["⤢", words.all, () => this.by(0)],
    ]) {
      const button = html("button", { type: "button", textContent: sign, title: label, ariaLabel: label });
      button.addEventListener("click", act);
      bar.append(button);
    }
    region.append(bar);
  }

  /** Zoom by a factor, about a point of the drawing; 0 shows all. */
  by(factor, about = this.middle) {
    const before = this.zoom;
    this.zoom = clamp(this.zoom * factor, 1, MOST_ZOOM);
    const part = 1 - before / this.zoom;
    this.middle = { x: this.middle.x + (about.x - this.middle.x) * part, y: this.middle.y + (about.y - this.middle.y) * part };
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
    const drawing = board();
    if (!drawing) return;
    if (drawing.getAttribute("viewBox") !== this.view || drawing.classList.contains("zoomed") !== this.zoom > 1) this.show();
  }

  wheel(event) {
    if (!event.ctrlKey || !event.target.closest("#drawing-island")) return;
    event.preventDefault();
    this.by(event.deltaY < 0 ? 1.15 : 1 / 1.15, onBoard(event));
  }

  down(event) {
    if (!event.target.closest("#drawing-island, .atua-over")) return;
    this.pointers.set(event.pointerId, event);
    this.span = this.pointers.size === 2 ? spanOf(...this.pointers.values()) : 0;
  }

  move(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    if (this.pointers.size === 2) {
      const [other] = [...this.pointers].filter(([id]) => id !== event.pointerId).map(([, each]) => each);
      const span = spanOf(event, other);
      const between = { clientX: (event.clientX + other.clientX) / 2, clientY: (event.clientY + other.clientY) / 2 };
      if (this.span && Math.max(span / this.span, this.span / span) > PINCH) this.span = 0;
      if (!this.span) this.by(span / Math.max(1, spanOf(before, other)), onBoard(between));
    } else if (this.zoom > 1 && !before.target.closest(".atua-over")) {
      const [from, to] = [onBoard(before), onBoard(event)];
      this.middle = { x: this.middle.x - to.x + from.x, y: this.middle.y - to.y + from.y };
      this.show();
    }
    this.pointers.set(event.pointerId, event);
  }

  up(event) {
    this.pointers.delete(event.pointerId);
  }
}

// -- placing

class Placing {
  constructor(table, sea) {
    this.table = table;
    this.hold = null;
    this.drag = null;
    this.dropped = null;
    this.fingers = new Map();
    this.over = svg("svg", { class: "atua-over", "data-own": "", "aria-hidden": "true" });
    this.marks = svg("g", { class: "marks" });
    this.ghost = svg("g", { class: "ghost" });
    this.spots = svg("g", { class: "spots" });
    this.ends = svg("g", { class: "ends" });
    this.over.append(this.spots, this.ghost, this.ends, this.marks);
    table.root.append(this.over);
    sea.moved.push(() => this.fit());
    table.onPatch(() => this.refresh());
    addEventListener("resize", () => this.fit());
    table.root.addEventListener("pointerdown", (event) => this.down(event));
    document.addEventListener("pointermove", (event) => this.move(event));
    document.addEventListener("pointerup", (event) => this.up(event));
    document.addEventListener("pointercancel", (event) => this.cancel(event));
    document.addEventListener("keydown", (event) => this.key(event));
    for (const input of ["keydown", "pointerdown"]) {
      document.addEventListener(input, () => (this.byKey = input === "keydown"), true);
    }
    document.addEventListener("click", (event) => this.swallow(event), true);
    for (const change of ["pointerover", "focusout"]) document.addEventListener(change, () => this.showAgain());
    table.root.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    table.root.addEventListener("contextmenu", (event) => this.menu(event));
    this.refresh();
  }

  /** After each change of the page: is a card in the hand, and where does it fit? */
  refresh() {
    const text = document.getElementById("atua-hold")?.dataset.hold;
    const legal = this.table.legal().filter((option) => option.text.startsWith("place "));
    // The page offers hundreds of places as buttons, too: they stand in one line that scrolls.
    document.getElementById("page-rest")?.classList.toggle("scroller", legal.length > 0);
    if (!text || !legal.length) {
      this.letGo();
      return;
    }
    const before = this.hold;
    this.hold = JSON.parse(text);
    this.hold.isBeach = this.hold.edges[0].includes("E");
    const { outcomes, outcomeOf } = this.hold;
    this.legal = new Map(legal.map((option, i) => [option.text, { ...option, ...outcomes[outcomeOf[i]] }]));
    this.best = [...this.legal.values()].sort((a, b) => b.gain - a.gain).map((option) => option.text);
    this.offer();
    if (before?.card !== this.hold.card) [this.rot, this.tried] = [0, 0];
    const dropped = this.dropped;
    this.dropped = null;
    if (this.drag?.last) this.follow(this.drag);
    else if (dropped && isOver(dropped.last)) this.follow(dropped);
    else if (before?.card === this.hold.card) this.draw();
    else this.go(this.best[0]);
    this.fit();
  }

  letGo() {
    this.hold = null;
    this.bar?.remove();
    this.bar = null;
    this.fingers.clear();
    for (const layer of [this.spots, this.ends, this.marks]) layer.replaceChildren();
    if (!this.drag) this.ghost.replaceChildren();
    this.over.classList.toggle("empty", !this.drag);
  }

  /** The layer on which the card floats lies exactly over the island. */
  fit() {
    const drawing = board();
    if (!drawing) return;
    const [box, home] = [drawing.getBoundingClientRect(), this.table.root.getBoundingClientRect()];
    Object.assign(this.over.style, {
      left: `${box.left - home.left}px`, top: `${box.top - home.top}px`, width: `${box.width}px`, height: `${box.height}px`,
    });
    this.over.setAttribute("viewBox", drawing.getAttribute("viewBox"));
  }

  // -- where it lies

  get text() {
    return `place ${this.x} ${this.y} ${this.rot}`;
  }

  go(text) {
    [this.x, this.y, this.rot] = text.split(" ").slice(1).map(Number);
    this.draw();
  }

  /** To a place of the lattice, or the nearest one where it fits if that is hardly farther. */
  snap(x, y) {
    let best = { x: Math.round(x), y: Math.round(y) };
    if (!this.legal.has(`place ${best.x} ${best.y} ${this.rot}`)) {
      let least = MAGNET;
      for (let dx = -1; dx <= 1; dx += 1) {
        for (let dy = -1; dy <= 1; dy += 1) {
          const near = { x: Math.round(x) + dx, y: Math.round(y) + dy };
          const far = Math.hypot(near.x - x, near.y - y);
          if (far < least && this.legal.has(`place ${near.x} ${near.y} ${this.rot}`)) [best, least] = [near, far];
        }
      }
    }
    if (best.x === this.x && best.y === this.y) return;
    [this.x, this.y] = [best.x, best.y];
    this.draw();
  }

  turn(by) {
    this.rot = (this.rot + by + 4) % 4;
    this.draw();
  }

  nudge(dx, dy) {
    this.x += dx;
    this.y += dy;
    this.draw();
  }

  next(by) {
    const at = this.best.indexOf(this.text);
    this.tried = at < 0 ? 0 : (at + by + this.best.length) % this.best.length;
    this.go(this.best[this.tried]);
  }

  /** To the nearest fitting place in a direction, turned as it is now if there is one. */
  leap(dx, dy) {
    let best = null;
    let least = Infinity;
    for (const text of this.legal.keys()) {
      const [x, y, rot] = text.split(" ").slice(1).map(Number);
      const ahead = (x - this.x) * dx + (y - this.y) * dy;
      const aside = Math.abs((x - this.x) * dy) + Math.abs((y - this.y) * dx);
      const far = ahead + 2.5 * aside + (rot === this.rot ? 0 : 1000);
      if (ahead > 0 && far < least) [best, least] = [text, far];
    }
    if (best) this.go(best);
  }

  place() {
    if (this.legal.has(this.text)) this.table.choose([this.text]);
    else this.table.say(this.hold.reasons[this.faults()[0].reason]);
  }

  // -- what is seen

  draw() {
    const { unit, left, top } = this.hold;
    const option = this.legal.get(this.text);
    const size = CARD * unit;
    const at = `translate(${(this.x - left) * unit} ${(this.y - top) * unit})`;
    this.over.classList.remove("empty");
    this.ghost.setAttribute("transform", at);
    this.ghost.setAttribute("class", `ghost ${option ? "fits" : "misfit"}`);
    this.ghost.dataset.rot = this.rot;
    const face = document.getElementById(`atua-ghost-${this.rot}`).cloneNode(true);
    this.ghost.replaceChildren(
      ...face.children, // copies, because styles don't reach into what <use> shows
      svg("rect", { class: "outline", x: -3, y: -3, width: size + 6, height: size + 6, rx: 4 }),
    );
    this.spots.replaceChildren(...this.dots());
    const faults = option ? [] : this.faults();
    this.marks.setAttribute("transform", `translate(${-left * unit} ${-top * unit})`);
    this.marks.replaceChildren(...(option ? this.strikes() : faults.flatMap((fault) => this.mark(fault))));
    this.ends.setAttribute("transform", this.marks.getAttribute("transform"));
    this.ends.replaceChildren(...this.beachEnds());
    this.status.replaceChildren(...(option ? this.changes(option) : [this.hold.reasons[faults[0].reason]]));
    this.status.className = option ? "fits" : "misfit";
    this.confirm.setAttribute("aria-disabled", String(!option));
    if (option) this.table.preview(option.text);
    else this.table.unpreview();
  }

  /** The page ends a preview when the mouse or the focus leaves an element; the card in the hand is still there. */
  showAgain() {
    clearTimeout(this.again);
    this.again = setTimeout(() => {
      if (this.hold && this.legal.has(this.text) && !document.querySelector(".element.legal:hover")) this.table.preview(this.text);
    }, 60);
  }

  /** Dots where the middle of the card can lie, turned as it is now. */
  dots() {
    const { unit, left, top } = this.hold;
    return [...this.legal.keys()]
      .map((text) => text.split(" ").slice(1).map(Number))
      .filter(([, , rot]) => rot === this.rot)
      .map(([x, y]) => svg("circle", { cx: (x + CARD / 2 - left) * unit, cy: (y + CARD / 2 - top) * unit, r: 3.5 }));
  }

  /** Crosses on the symbols that would be covered. */
  strikes() {
    const { unit } = this.hold;
    return this.hold.symbols
      .filter(([x, y, star]) => !star && inside(x, this.x) === SYMBOL && inside(y, this.y) === SYMBOL)
      .map(([x, y]) => svg("path", { class: "strike", d: `M${x * unit + 9} ${y * unit + 9}l30 30m0-30l-30 30` }));
  }

  /** What it would bring: points in all, then each row of the sheet, symbol and the longest beach that would change. */
  changes({ gain, rows, symbols, beach }) {
    const { names, texts } = this.hold;
    const all = html("b", { className: `gain ${gain < 0 ? "less" : "more"}`, textContent: `${texts.gain} ${signed(gain)}` });
    const change = (name, by, then, kind) => {
      const item = html("span", { className: `change ${kind} ${by < 0 ? "less" : "more"}`, title: `${names[name]}: ${then}` });
      const picture = svg("svg", { viewBox: "0 0 24 24", width: 22, height: 22, role: "img", "aria-label": names[name] });
      picture.append(svg("use", { href: `#atua-${name}`, transform: "translate(12 12) scale(.53)" }));
      item.append(picture);
      if (kind === "row") item.append(html("span", { className: "name", textContent: names[name] }));
      item.append(` ${then} `, html("b", { textContent: `(${signed(by)})` }));
      return item;
    };
    return [
      all,
      ...rows.map(([name, by, then]) => change(name, by, then, "row")),
      ...symbols.map(([name, by, then]) => change(name, by, then, "symbol")),
      ...(beach ? [change("beach", ...beach, "symbol")] : []),
    ];
  }

  /** While a beach is in the hand: the ends of beaches that stick out, the card's own too, and which of them meet. */
  beachEnds() {
    const { hold } = this;
    if (!hold.isBeach) return [];
    const own = (x, y) => x >= this.x && x < this.x + CARD && y >= this.y && y < this.y + CARD;
    const edge = hold.edges[this.rot];
    const found = [];
    for (const [x, y, side] of freeEnds(hold)) {
      if (own(x, y)) continue;
      const [outX, outY] = [x + STEPS[side][0], y + STEPS[side][1]];
      const index = side % 2 ? outY - this.y : outX - this.x;
      const facing = own(outX, outY) ? edge[CARD * ((side + 2) % 4) + index] : "";
      if (facing !== "L" && facing !== "S") found.push(this.beachEnd(x, y, side, facing ? "met" : "free"));
    }
    for (let at = 0; at < 4 * CARD; at += 1) {
      const [side, index] = [Math.floor(at / CARD), at % CARD];
      const [x, y] = edgeUnit(side, index);
      const other = cellAt(hold, this.x + x + STEPS[side][0], this.y + y + STEPS[side][1]);
      if (edge[at] !== "E") continue;
      if (other === " ") found.push(this.beachEnd(this.x + x, this.y + y, side, "own"));
      else if (code(other, (side + 2) % 4) === "F") found.push(this.beachEnd(this.x + x, this.y + y, side, "met"));
    }
    return found;
  }

  beachEnd(x, y, side, css) {
    const { unit } = this.hold;
    const [midX, midY] = [x + 0.5 + STEPS[side][0] * 0.5, y + 0.5 + STEPS[side][1] * 0.5];
    const place = svg("g", { transform: `translate(${midX * unit} ${midY * unit}) rotate(${90 * side})` });
    place.append(css === "met" ? svg("circle", { class: "end met", r: 9 }) : svg("path", { class: `end ${css}`, d: "M-10 -2L0 -14L10 -2L0 -6Z" }));
    return place;
  }

  mark({ x, y, side }) {
    const { unit } = this.hold;
    if (side === undefined) {
      return x === undefined ? [] : [svg("circle", { class: "wrong", cx: (x + 1) * unit, cy: (y + 1) * unit, r: unit + 3 })];
    }
    const [fromX, fromY] = [x + (side === 1), y + (side === 2)];
    return [svg("path", { class: "wrong", d: `M${fromX * unit} ${fromY * unit}${side % 2 ? "v" : "h"}${unit}` })];
  }

  // -- why not

  faults() {
    return faultsOf(this.hold, this.x, this.y, this.rot);
  }

  // -- hands

  down(event) {
    if (this.hold && event.pointerType === "touch" && event.target.closest("#drawing-island, .atua-over")) {
      this.fingers.set(event.pointerId, event);
      if (this.fingers.size === 2) this.twist(event);
      if (this.fingers.size > 1) return;
    }
    if (event.button || this.drag) return;
    const ghost = event.target.closest(".ghost");
    const card = event.target.closest(".row-card.legal");
    if (ghost && this.hold) {
      const { x, y } = onBoard(event);
      const { unit, left, top } = this.hold;
      this.drag = { on: true, grip: { x: x / unit + left - this.x, y: y / unit + top - this.y } };
      this.keep(event);
      event.preventDefault();
    } else if (this.hold && this.fingers.size && !board().classList.contains("zoomed")) {
      this.drag = { on: false, start: event, grip: { x: CARD / 2, y: CARD / 2 } }; // the card comes to the finger
    } else if (card && !this.hold) {
      this.drag = { on: false, card, start: event, grip: { x: CARD / 2, y: CARD / 2 } };
      event.preventDefault();
    }
  }

  /** Go on hearing of a pointer when what it began on is drawn anew. */
  keep({ pointerId }) {
    this.table.root.setPointerCapture(pointerId);
  }

  /** Two fingers turn the card; what one of them dragged stays where it is. */
  twist(event) {
    this.drag = null;
    this.keep(event);
    this.twisted = { from: this.angle(), turns: 0 };
  }

  angle() {
    const [one, other] = [...this.fingers.values()];
    return (Math.atan2(other.clientY - one.clientY, other.clientX - one.clientX) * 180) / Math.PI;
  }

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
      if (drag.card) this.lift(drag.card);
    }
    drag.last = event;
    this.follow(drag);
  }

  /** A card leaves the row: it floats at once, and is taken as the first step of the turn. */
  lift(card) {
    const face = card.querySelector("g[transform]").cloneNode(true);
    face.removeAttribute("transform");
    this.ghost.replaceChildren(face);
    this.ghost.setAttribute("class", "ghost lifted");
    this.over.classList.remove("empty");
    this.fit();
    this.table.unpreview();
    this.table.choose([card.dataset.choice]);
  }

  follow({ last, grip }) {
    const { x, y } = onBoard(last);
    if (this.hold) this.snap(x / this.hold.unit + this.hold.left - grip.x, y / this.hold.unit + this.hold.top - grip.y);
    else this.ghost.setAttribute("transform", `translate(${x - 72} ${y - 72})`);
  }

  up(event) {
    this.fingers.delete(event.pointerId);
    const { drag } = this;
    this.drag = null;
    if (!drag?.on) return;
    this.swallowing = event.timeStamp;
    if (!this.hold) this.dropped = drag; // it lies there as soon as the card is taken
    else if (!isOver(event)) this.go(this.best[0]);
  }

  cancel(event) {
    this.fingers.delete(event.pointerId);
    this.drag = null;
    if (!this.hold) this.letGo();
  }

  /** The click that ends a drag means nothing. */
  swallow(event) {
    if (this.swallowing === undefined || event.timeStamp - this.swallowing > 400) return;
    this.swallowing = undefined;
    event.preventDefault();
    event.stopPropagation();
  }

  wheel(event) {
    if (!this.hold || event.ctrlKey || !event.target.closest("#drawing-island, .atua-over")) return;
    event.preventDefault();
    if (this.wheeled && event.timeStamp - this.wheeled < 120) return;
    this.wheeled = event.timeStamp;
    this.turn(event.deltaY > 0 ? 1 : -1);
  }

  menu(event) {
    if (!this.hold || !event.target.closest("#drawing-island, .atua-over")) return;
    event.preventDefault();
    this.turn(1);
  }

  key(event) {
    if (!this.hold || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select")) return;
    const step = { ArrowUp: [0, -1], ArrowRight: [1, 0], ArrowDown: [0, 1], ArrowLeft: [-1, 0] }[event.key];
    if (event.key === "r" || event.key === "R") this.turn(event.key === "r" ? 1 : -1);
    else if (this.bar?.contains(event.target) && step) this[event.shiftKey ? "leap" : "nudge"](...step);
    else if (this.bar?.contains(event.target) && (event.key === "n" || event.key === "p")) this.next(event.key === "n" ? 1 : -1);
    else return;
    event.preventDefault();
  }

  /** The buttons for all this: a bar at the bottom, near the thumbs, where it moves nothing else. */
  offer() {
    if (this.bar?.isConnected) return;
    const words = this.hold.texts;
    const bar = html("section", { className: "bar atua-tools", ariaLabel: words.tools });
    bar.dataset.own = "";
    const add = (sign, label, keys, act, css = "") => {
      const title = `${label} (${keys})`;
      const button = html("button", { type: "button", textContent: sign, title, ariaLabel: label, className: css });
      button.addEventListener("click", act);
      bar.append(button);
      return button;
    };
    add("↺", words.rotate_left, "Shift R", () => this.turn(-1));
    add("↻", words.rotate_right, "R", () => this.turn(1));
    add("←", words.left, "← / Shift ←", () => this.nudge(-1, 0));
    add("↑", words.up, "↑ / Shift ↑", () => this.nudge(0, -1));
    add("↓", words.down, "↓ / Shift ↓", () => this.nudge(0, 1));
    add("→", words.right, "→ / Shift →", () => this.nudge(1, 0));
    add("★", words.best, "N / P", () => this.next(1));
    this.confirm = add(words.place, words.place, "Enter", () => this.place(), "strong");
    this.status = html("output", {});
    bar.append(this.status);
    this.bar = bar;
    this.table.root.append(bar);
    if (this.byKey) this.confirm.focus();
  }
}

/** Everything against a place, the most telling first, with where it is; empty where the card fits. */
export function faultsOf(hold, x, y, rot) {
  const [stars, cuts] = [[], []];
  let covered = false;
  for (const [left, top, star] of hold.symbols) {
    const [wide, high] = [inside(left, x), inside(top, y)];
    if (!wide || !high) continue;
    if (star) stars.push({ reason: "star_covered", x: left, y: top });
    else if (wide === SYMBOL && high === SYMBOL) covered = true;
    else cuts.push({ reason: "symbol_cut", x: left, y: top });
  }
  const none = covered ? [] : [{ reason: "no_symbol_covered" }];
  const seams = seamsOf(hold, x, y, hold.edges[rot]);
  const of = (reason) => seams.filter((seam) => seam.reason === reason);
  return [...stars, ...cuts, ...none, ...of("sea_touches_land"), ...of("beach_end_blocked")];
}

/** How many of the two units of a symbol lie under a card, on one axis. */
function inside(symbol, card) {
  return Math.max(0, Math.min(card + CARD, symbol + SYMBOL) - Math.max(card, symbol));
}

function seamsOf(hold, x, y, edge) {
  const found = [];
  for (let side = 0; side < 4; side += 1) {
    for (let index = 0; index < CARD; index += 1) {
      const along = edgeUnit(side, index);
      const [ownX, ownY] = [x + along[0], y + along[1]];
      const other = cellAt(hold, ownX + STEPS[side][0], ownY + STEPS[side][1]);
      const reason = other === " " ? "" : against(edge[CARD * side + index], code(other, (side + 2) % 4));
      if (reason) found.push({ reason, x: ownX, y: ownY, side });
    }
  }
  return found;
}

/** The unit of a card at a place of one of its sides. */
function edgeUnit(side, index) {
  return side % 2 ? [side === 1 ? CARD - 1 : 0, index] : [index, side === 2 ? CARD - 1 : 0];
}

/** What is visible in a unit of the island: see `_units` in table.py. */
function cellAt({ units }, x, y) {
  return units.lines[y - units.top]?.[x - units.left] ?? " ";
}

/** Where a beach of the island sticks out over the empty table: x, y, side. */
function freeEnds(hold) {
  const found = [];
  hold.units.lines.forEach((line, row) => {
    [...line].forEach((cell, column) => {
      if (cell === " " || cell === "L" || cell === "S") return;
      const [x, y] = [column + hold.units.left, row + hold.units.top];
      for (let side = 0; side < 4; side += 1) {
        if (code(cell, side) === "E" && cellAt(hold, x + STEPS[side][0], y + STEPS[side][1]) === " ") found.push([x, y, side]);
      }
    });
  });
  return found;
}

/** What a visible unit shows towards a side: L, S, or of a beach its end (E) or flank (F). */
function code(cell, side) {
  if (cell === "L" || cell === "S") return cell;
  return (Number.parseInt(cell, 16) >> side) & 1 ? "E" : "F";
}

function against(one, other) {
  if (one === "F" || other === "F" || one === other) return "";
  return one === "E" || other === "E" ? "beach_end_blocked" : "sea_touches_land";
}

// -- the islands of others

/** A small island opens large. */
class Lens {
  constructor(table) {
    this.table = table;
    table.root.addEventListener("click", (event) => this.open(event.target.closest(".small-island")));
    table.root.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") this.open(event.target.closest(".small-island"));
    });
  }

  open(island) {
    if (!island) return;
    const name = island.getAttribute("aria-label");
    const dialog = html("dialog", { className: "atua-lens", ariaLabel: name });
    dialog.dataset.own = "";
    const drawing = island.closest("svg").cloneNode(true);
    for (const each of [drawing, ...drawing.querySelectorAll("[id]")]) each.removeAttribute("id");
    for (const each of drawing.querySelectorAll(".element")) each.setAttribute("class", "small-island-large");
    drawing.removeAttribute("width");
    drawing.removeAttribute("height");
    const close = html("button", { type: "button", className: "close" });
    close.textContent = document.querySelector("#page-keys [data-close]")?.textContent ?? "×";
    close.dataset.close = "";
    dialog.append(close, drawing, html("p", { textContent: name }));
    dialog.addEventListener("close", () => dialog.remove());
    this.table.root.append(dialog);
    dialog.showModal();
  }
}
