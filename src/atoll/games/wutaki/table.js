// The motion of the cult: workers walk from their tower to a place and home again, chased ones run, and sacrifices fly
// into Buka's maw, which opens for them. Without this script the page shows the same, but all at once. Nothing here
// knows the moves: the script compares the former and the present page, so moves may have been missed or taken back.

import { all, find, middle, must, svg } from "/static/js/dom.js";
import { isStill } from "/static/js/motion.js";

/**
 * @import { Thing } from "/static/js/dom.js"
 * @import { Table } from "/static/js/game.js"
 * @typedef {{ x: number, y: number }} Point of the screen
 */

/**
 * A worker's figure: its tile, its offset there, and the worker of its seat and type that it shows.
 * @typedef {{ figure: Thing, who: string, tile: string, dx: number, dy: number, worker: string }} Figure
 */

/**
 * The number of tokens in the maw by kind, and of each seat by the id of that fact.
 * @typedef {{ maw: Map<string, number>, purses: Map<string, number> }} Tokens
 */

const KINDS = ["gold", "sheep", "wood", "oil", "stone"];
const WALK_MS = 900;
const FLEE_MS = 600; // chased away: faster, and with higher jumps
const HOPS = 4;
const FLY_MS = 650;
const NEXT_MS = 90; // between tokens that fly
const MOST_TOKENS = 5; // of a kind that are seen to fly; the rest only changes the number
const NEAR_PX = 4;
const EDGE_PX = 30; // distance at which things from outside the window begin or end their way

/** @param {Table} table */
export function mount(table) {
  new Cult(table);
}

class Cult {
  /** @param {Table} table */
  constructor(table) {
    /** @type {Map<string, number>} the number of known workers of a seat and type */
    this.hired = new Map();
    /** @type {Set<Animation>} */
    this.running = new Set();
    /** @type {Map<string, Figure>} by the figure's id, seat and type */
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
    if (isStill() || document.hidden) return;
    for (const { from, to } of moved) this.walk(from, to);
    this.feed(then, this.tokens);
  }

  /** End all motion. */
  skip() {
    for (const motion of this.running) motion.finish();
  }

  // -- workers

  /** Assign a worker to each figure: a figure at the same place keeps it, others take those of removed figures. */
  identify() {
    /** @type {Map<string, Figure>} */
    const now = new Map();
    for (const figure of all("[data-who]")) {
      const tile = must(figure.closest(".element"), "tile of a worker");
      const [at, box, who] = [seenMiddle(figure), tile.getBoundingClientRect(), figure.dataset.who ?? ""];
      const key = `${figure.id} ${who}`;
      const worker = this.workers.get(key)?.worker ?? "";
      now.set(key, { figure, who, tile: tile.id, dx: at.x - box.left, dy: at.y - box.top, worker });
    }
    const gone = new Set([...this.workers].filter(([key]) => !now.has(key)).map(([, from]) => from));
    const moved = [];
    for (const to of now.values()) {
      const from = to.worker ? undefined : [...gone].find((each) => each.who === to.who);
      if (from) {
        gone.delete(from);
        moved.push({ from, to });
      }
      to.worker ||= from?.worker ?? this.number(to.who);
      to.figure.dataset.worker = to.worker;
    }
    return { now, moved };
  }

  /** @param {string} who */
  number(who) {
    const n = (this.hired.get(who) ?? 0) + 1;
    this.hired.set(who, n);
    return `${who} ${n}`;
  }

  /**
   * @param {Figure} from
   * @param {Figure} to
   */
  walk(from, to) {
    const tile = find(`#${CSS.escape(from.tile)}`);
    if (!tile) return;
    const box = tile.getBoundingClientRect();
    const start = inSight(box.width ? { x: box.left + from.dx, y: box.top + from.dy } : seenMiddle(tile));
    const end = inSight(seenMiddle(to.figure));
    if (Math.hypot(end.x - start.x, end.y - start.y) < NEAR_PX) return;
    const flees = to.figure.classList.contains("in-tower") && from.tile !== to.tile;
    const [height, duration] = flees ? [22, FLEE_MS] : [10, WALK_MS];
    const steps = Array.from({ length: 2 * HOPS + 1 }, (_, step) => {
      const [t, up] = [step / (2 * HOPS), step % 2];
      const [x, y] = [start.x + (end.x - start.x) * t, start.y + (end.y - start.y) * t - up * height];
      return { transform: `translate(${x}px, ${y}px) rotate(${up * (step % 4 === 1 ? 9 : -9)}deg)` };
    });
    const [seat] = to.who.split(" ");
    const use = find("use", to.figure)?.getAttribute("href") ?? "";
    const walker = draw(use, `cultist seat-${seat} ${flees ? "flees" : "walks"}`, { worker: to.worker });
    this.move(walker, steps, { duration });
    this.run(to.figure.animate([{ opacity: 0 }, { opacity: 0 }], { duration }));
  }

  // -- tokens

  /**
   * Let new tokens fly into the maw, and removed ones to their new owner.
   * @param {Tokens} then
   * @param {Tokens} now
   */
  feed(then, now) {
    const jaw = find("#buka .jaw");
    if (!jaw) return;
    let last = 0;
    let swallowed = false;
    for (const [kind, lies] of now.maw) {
      const n = lies - (then.maw.get(kind) ?? 0);
      if (!n) continue;
      const purse = changed(then.purses, now.purses, kind, -Math.sign(n));
      if (!purse) continue;
      const [from, to] = n > 0 ? [purse, jaw] : [jaw, purse];
      for (let each = 0; each < Math.min(Math.abs(n), MOST_TOKENS); each += 1) {
        this.fly(kind, from, to, last);
        last += NEXT_MS;
      }
      swallowed ||= n > 0;
    }
    if (swallowed) this.swallow(jaw, last + FLY_MS);
  }

  /**
   * @param {string} kind
   * @param {Element} from
   * @param {Element} to
   * @param {number} delay ms
   */
  fly(kind, from, to, delay) {
    const [start, end] = [inSight(seenMiddle(from)), inSight(seenMiddle(to))];
    const top = { x: (start.x + end.x) / 2, y: Math.min(start.y, end.y) - 40 };
    const way = [start, top, end].map(({ x, y }, turn) => ({
      transform: `translate(${x}px, ${y}px) rotate(${turn * 180}deg)`,
    }));
    const token = draw(`#wutaki-${kind}`, "token", { kind });
    this.move(token, way, { duration: FLY_MS, delay, fill: "backwards" });
  }

  /**
   * Open the maw until all tokens are in it, then close it once.
   * @param {Thing} jaw
   * @param {number} duration ms
   */
  swallow(jaw, duration) {
    const gulp = [
      { transform: "scaleY(1)", offset: 0 },
      { transform: "scaleY(1.14)", offset: 0.2 },
      { transform: "scaleY(1.14)", offset: 0.75 },
      { transform: "scaleY(.25)", offset: 0.88 },
      { transform: "scaleY(1)", offset: 1 },
    ];
    this.run(jaw.animate(gulp, { duration: duration * 1.2, id: "swallow" }));
  }

  /**
   * @param {Thing} thing that is removed when it arrives
   * @param {Keyframe[]} way
   * @param {KeyframeAnimationOptions} options
   */
  move(thing, way, options) {
    this.run(thing.animate(way, { easing: "linear", ...options })).addEventListener("finish", () => thing.remove());
  }

  /** @param {Animation} motion */
  run(motion) {
    this.running.add(motion);
    for (const end of /** @type {const} */ (["finish", "cancel"]))
      motion.addEventListener(end, () => this.running.delete(motion));
    return motion;
  }
}

/** @param {Element | null} element */
const numberIn = (element) => Number(element?.getAttribute("data-value") ?? 0);

/**
 * Return the tokens in the maw, whose drawing has only non-empty kinds, and of each seat.
 * @returns {Tokens}
 */
function tokens() {
  const maw = new Map(KINDS.map((kind) => [kind, numberIn(find(`#maw-${kind}`))]));
  const facts = all(KINDS.map((kind) => `.fact[id^="${kind}-"]`).join(","));
  return { maw, purses: new Map(facts.map((fact) => [fact.id, numberIn(find("[data-value]", fact))])) };
}

/**
 * Return the fact of the seat whose number of tokens of a kind changed most in a direction; null without one.
 * @param {Map<string, number>} then
 * @param {Map<string, number>} now
 * @param {string} kind
 * @param {number} sign
 */
function changed(then, now, kind, sign) {
  const most = { id: "", by: 0 };
  for (const [id, n] of now) {
    const by = (n - (then.get(id) ?? n)) * sign;
    if (id.startsWith(`${kind}-`) && by > most.by) Object.assign(most, { id, by });
  }
  return most.id ? find(`#${most.id}`) : null;
}

/**
 * Make an element for a thing in motion.
 * @param {string} use the shape's address
 * @param {string} css
 * @param {Record<string, string>} data
 */
function draw(use, css, data) {
  const thing = svg("g", { class: css });
  Object.assign(thing.dataset, data);
  thing.append(svg("use", { href: use }));
  sky().append(thing);
  return thing;
}

/** Return the layer over the page in which things move. */
function sky() {
  const layer = find(".cult-sky") ?? svg("svg", { class: "cult-sky", "aria-hidden": "true", "data-own": "" });
  if (!layer.isConnected) document.body.append(layer);
  return layer;
}

/**
 * Return the middle of an element, or if it isn't drawn, of the fold that contains it.
 * @param {Element} element
 */
function seenMiddle(element) {
  let seen = element;
  while (!seen.getBoundingClientRect().width && seen.parentElement) seen = seen.parentElement;
  return middle(seen);
}

/** @param {Point} point */
function inSight({ x, y }) {
  const clamp = (/** @type {number} */ value, /** @type {number} */ most) =>
    Math.min(Math.max(value, -EDGE_PX), most + EDGE_PX);
  return { x: clamp(x, innerWidth), y: clamp(y, innerHeight) };
}
