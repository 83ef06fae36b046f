// The cult on its way: workers walk from their tower to a place and home again, the chased ones run, and what is sacrificed
// flies into Buka's maw, which opens for it. What the page shows without this is the same, all at once.
// Nothing here knows the moves: what stood and lay somewhere before is compared with what does now, so any number of them
// may have been missed, or taken back.

const STILL = matchMedia("(prefers-reduced-motion: reduce)");
const KINDS = ["gold", "sheep", "wood", "oil", "stone"];
const SVG = "http://www.w3.org/2000/svg";
const WALK_MS = 900;
const FLEE_MS = 600; // chased away: faster, and with higher jumps
const HOPS = 4;
const FLY_MS = 650;
const NEXT_MS = 90; // between tokens that fly
const MOST_TOKENS = 5; // of a kind that are seen to fly; the rest is in the number
const NEAR_PX = 4;
const EDGE_PX = 30; // what is beyond the window begins or ends its way this far outside of it

export function mount(table) {
  new Cult(table);
}

class Cult {
  constructor(table) {
    this.hired = new Map(); // how many workers of a seat and type have been seen: they are numbered
    this.running = new Set();
    this.workers = new Map();
    this.workers = this.identify().now;
    this.tokens = tokens();
    table.onPatch(() => this.refresh());
    for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, () => this.skip());
  }

  refresh() {
    const { now, moved } = this.identify();
    const then = this.tokens;
    this.workers = now;
    this.tokens = tokens();
    if (STILL.matches || document.hidden) return;
    for (const { from, to } of moved) this.walk(from, to);
    this.feed(then, this.tokens);
  }

  /** End all that is under way. */
  skip() {
    for (const motion of this.running) motion.finish();
  }

  // -- workers

  /** Give each figure its worker: where one stood before it is the same, others take those of figures that are gone. */
  identify() {
    const [now, moved, come] = [new Map(), [], []];
    for (const figure of document.querySelectorAll("[data-who]")) {
      const tile = figure.closest(".element");
      const [at, box] = [middle(figure), tile.getBoundingClientRect()];
      const key = `${figure.id} ${figure.dataset.who}`;
      const here = { figure, tile: tile.id, dx: at.x - box.left, dy: at.y - box.top, worker: this.workers.get(key)?.worker };
      now.set(key, here);
      if (here.worker === undefined) come.push(here);
    }
    const gone = [...this.workers].filter(([key]) => !now.has(key)).map(([, from]) => from);
    for (const to of come) {
      const { who } = to.figure.dataset;
      const index = gone.findIndex((from) => from.figure.dataset.who === who);
      const from = index < 0 ? null : gone.splice(index, 1)[0];
      to.worker = from ? from.worker : this.number(who);
      if (from) moved.push({ from, to });
    }
    for (const { figure, worker } of now.values()) figure.dataset.worker = worker;
    return { now, moved };
  }

  number(who) {
    const n = (this.hired.get(who) ?? 0) + 1;
    this.hired.set(who, n);
    return `${who} ${n}`;
  }

  walk(from, to) {
    const tile = document.getElementById(from.tile);
    if (!tile) return;
    const box = tile.getBoundingClientRect();
    const start = inSight(box.width ? { x: box.left + from.dx, y: box.top + from.dy } : middle(tile));
    const end = inSight(middle(to.figure));
    if (Math.hypot(end.x - start.x, end.y - start.y) < NEAR_PX) return;
    const flees = to.figure.classList.contains("in-tower") && from.tile !== to.tile;
    const [height, duration] = flees ? [22, FLEE_MS] : [10, WALK_MS];
    const steps = Array.from({ length: 2 * HOPS + 1 }, (_, step) => {
      const [t, up] = [step / (2 * HOPS), step % 2];
      const [x, y] = [start.x + (end.x - start.x) * t, start.y + (end.y - start.y) * t - up * height];
      return { transform: `translate(${x}px, ${y}px) rotate(${up * (step % 4 === 1 ? 9 : -9)}deg)` };
    });
    const [seat] = to.figure.dataset.who.split(" ");
    const use = to.figure.querySelector("use").getAttribute("href");
    const walker = draw(use, `cultist seat-${seat} ${flees ? "flees" : "walks"}`, { worker: to.worker });
    this.move(walker, steps, { duration });
    this.run(to.figure.animate([{ opacity: 0 }, { opacity: 0 }], { duration }));
  }

  // -- tokens

  /** What lies in the maw now and didn't flies into it; what has been taken out flies to whom has it. */
  feed(then, now) {
    if (!jaw()) return;
    let last = 0;
    let swallowed = false;
    for (const [kind, lies] of now.maw) {
      const n = lies - then.maw.get(kind);
      if (!n) continue;
      const purse = changed(then.purses, now.purses, kind, -Math.sign(n));
      if (!purse) continue;
      const [from, to] = n > 0 ? [purse, jaw()] : [jaw(), purse];
      for (let each = 0; each < Math.min(Math.abs(n), MOST_TOKENS); each++) {
        this.fly(kind, from, to, last);
        last += NEXT_MS;
      }
      swallowed ||= n > 0;
    }
    if (swallowed) this.swallow(last + FLY_MS);
  }

  fly(kind, from, to, delay) {
    const [start, end] = [inSight(middle(from)), inSight(middle(to))];
    const top = { x: (start.x + end.x) / 2, y: Math.min(start.y, end.y) - 40 };
    const at = ({ x, y }, turn) => ({ transform: `translate(${x}px, ${y}px) rotate(${turn * 180}deg)` });
    const way = [start, top, end].map(at);
    const token = draw(`#wutaki-${kind}`, "token", { kind });
    this.move(token, way, { duration: FLY_MS, delay, fill: "backwards" });
  }

  /** The maw gapes until all is in it, then snaps shut once. */
  swallow(duration) {
    const gulp = [
      { transform: "scaleY(1)", offset: 0 },
      { transform: "scaleY(1.14)", offset: 0.2 },
      { transform: "scaleY(1.14)", offset: 0.75 },
      { transform: "scaleY(.25)", offset: 0.88 },
      { transform: "scaleY(1)", offset: 1 },
    ];
    this.run(jaw().animate(gulp, { duration: duration * 1.2, id: "swallow" }));
  }

  move(thing, way, options) {
    this.run(thing.animate(way, { easing: "linear", ...options })).addEventListener("finish", () => thing.remove());
  }

  run(motion) {
    this.running.add(motion);
    for (const end of ["finish", "cancel"]) motion.addEventListener(end, () => this.running.delete(motion));
    return motion;
  }
}

const jaw = () => document.querySelector("#buka .jaw");

const valueOf = (element) => Number(element?.dataset.value ?? 0);

/** How many tokens of each kind lie in the maw, whose drawing has only kinds that are there, and before each seat. */
function tokens() {
  const maw = new Map(KINDS.map((kind) => [kind, valueOf(document.getElementById(`maw-${kind}`))]));
  const purses = new Map();
  for (const fact of document.querySelectorAll(KINDS.map((kind) => `.fact[id^="${kind}-"]`).join(","))) {
    purses.set(fact.id, valueOf(fact.querySelector("[data-value]")));
  }
  return { maw, purses };
}

/** The fact of the seat whose tokens of a kind went up most, or down most; null if nobody's did. */
function changed(then, now, kind, sign) {
  let [found, most] = [null, 0];
  for (const [id, n] of now) {
    const by = (n - (then.get(id) ?? n)) * sign;
    if (id.startsWith(`${kind}-`) && by > most) [found, most] = [id, by];
  }
  return found && document.getElementById(found);
}

/** A thing on its way, over the page. */
function draw(use, css, data) {
  const thing = document.createElementNS(SVG, "g");
  thing.setAttribute("class", css);
  Object.assign(thing.dataset, data);
  const shape = document.createElementNS(SVG, "use");
  shape.setAttribute("href", use);
  thing.append(shape);
  sky().append(thing);
  return thing;
}

/** The layer over the page that things move in. */
function sky() {
  let layer = document.querySelector(".cult-sky");
  if (!layer) {
    layer = document.createElementNS(SVG, "svg");
    layer.setAttribute("class", "cult-sky");
    layer.setAttribute("aria-hidden", "true");
    layer.dataset.own = "";
    document.body.append(layer);
  }
  return layer;
}

/** The middle of what is drawn; of what it's folded into if it isn't. */
function middle(element) {
  let seen = element;
  while (!seen.getBoundingClientRect().width && seen.parentElement) seen = seen.parentElement;
  const box = seen.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
}

function inSight({ x, y }) {
  const clamp = (value, most) => Math.min(Math.max(value, -EDGE_PX), most + EDGE_PX);
  return { x: clamp(x, innerWidth), y: clamp(y, innerHeight) };
}
