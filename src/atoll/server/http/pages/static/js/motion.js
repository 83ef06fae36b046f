// Motion of moves: pieces glide from their former place, new ones are marked, numbers show their change.

import { all } from "./dom.js";

/**
 * @import { Thing } from "./dom.js"
 * @typedef {{ places: Map<string, DOMRect>, ids: Set<string>, numbers: Map<string, number>, dice: Map<string, string | null> }} Memory of a picture
 */

const STILL = matchMedia("(prefers-reduced-motion: reduce)");
const GLIDE_MS = 420;
const FRESH_MS = 1600;

/** Return whether the reader wants no motion. */
export const isStill = () => STILL.matches;

/**
 * Return the names of the dice of a picture, which contain their faces, by id.
 * @param {HTMLElement} root
 */
const diceOf = (root) => new Map(all(".element.die", root).map((die) => [die.id, die.ariaLabel]));

/** @param {Thing} piece */
const nameOf = (piece) => piece.dataset.piece ?? "";

/**
 * Return the data of a picture that a later change needs.
 * @param {HTMLElement} root
 * @returns {Memory}
 */
export function remember(root) {
  const places = new Map(all("[data-piece]", root).map((piece) => [nameOf(piece), piece.getBoundingClientRect()]));
  const ids = new Set(all("[id]", root).map((element) => element.id));
  return { places, ids, numbers: numbersOf(root), dice: diceOf(root) };
}

/**
 * Return the numbers that a picture shows, by the id of their element.
 * @param {HTMLElement} root
 */
export function numbersOf(root) {
  const numbers = new Map();
  for (const element of all("[data-value]", root)) {
    const owner = element.closest("[id]");
    if (owner) numbers.set(owner.id, Number(element.dataset.value));
  }
  return numbers;
}

/**
 * Mark new elements after a change, and let pieces glide.
 * @param {HTMLElement} root
 * @param {Memory} before
 */
export function show(root, before) {
  /** @type {Element[]} */
  const fresh = [];
  for (const element of root.querySelectorAll(".drawing [id], .drawing[id]")) {
    if (!before.ids.has(element.id) && !element.parentElement?.closest(".fresh")) {
      element.classList.add("fresh");
      fresh.push(element);
    }
  }
  for (const [id, name] of diceOf(root)) {
    const die = document.getElementById(id);
    if (!die || !before.dice.has(id) || before.dice.get(id) === name) continue;
    die.classList.add("fresh");
    fresh.push(die);
  }
  for (const [id, value] of numbersOf(root)) {
    const [old, element] = [before.numbers.get(id), document.getElementById(id)];
    if (element && old !== undefined && old !== value) {
      element.classList.add("changed");
      fresh.push(element);
    }
  }
  setTimeout(() => {
    for (const element of fresh) element.classList.remove("fresh", "changed");
  }, FRESH_MS);
  if (isStill()) return;
  for (const piece of all("[data-piece]", root)) glide(piece, before.places.get(nameOf(piece)));
}

/**
 * Let a piece glide. CSS moves it, which would override a transform of the piece itself; the group inside may have one.
 * @param {Thing} piece
 * @param {DOMRect | undefined} old
 */
function glide(piece, old) {
  if (!old || piece.hasAttribute("transform")) return;
  const now = piece.getBoundingClientRect();
  const [dx, dy] = [old.left - now.left, old.top - now.top];
  if (Math.hypot(dx, dy) < 2 || !now.width) return;
  const drawn = piece instanceof SVGGraphicsElement ? piece.ownerSVGElement?.getScreenCTM()?.a : 1;
  const scale = 1 / (drawn || 1);
  const start = `translate(${dx * scale}px, ${dy * scale}px)`;
  piece.animate([{ transform: start }, { transform: "none" }], {
    duration: GLIDE_MS,
    easing: "cubic-bezier(.2,.7,.2,1)",
  });
}
