// Changes a part of the page into what the server sent, keeping what has the same id: focus, half-typed input,
// scroll positions, open folds and running transitions survive.

import { must } from "./dom.js";

const OWN = "[data-own]"; // drawn by a script here, unknown to the server
const KEPT = new Set(["open", "hidden"]); // what a person changed on these elements stays
const DRESSED = ["legal", "picked", "advised", "fresh", "changed", "spot", "since", "unsure"]; // classes that scripts give
const MOVING = ["fresh", "changed"]; // a transition runs; motion.js takes them off again
const EMPTY = "="; // before the digest of a block that the page has, see atoll/picture/block.py
const OURS = new Set(["style", "data-room", "data-crowded"]); // only scripts set these; a style is refused as an attribute
const DRESS = new Set(["role", "tabindex", "aria-disabled", "aria-pressed"]); // an element that loses these loses focus

/** @param {Node} node */
const keyOf = (node) => (node instanceof Element ? node.id : "");

/**
 * @param {Node | null} a
 * @param {Node} b
 */
const sameKind = (a, b) => a?.nodeType === b.nodeType && a.nodeName === b.nodeName && keyOf(a) === keyOf(b);

/**
 * @param {Element} from
 * @param {Element} to
 */
function syncAttributes(from, to) {
  const folds = from.nodeName === "DETAILS" || from.nodeName === "DIALOG" || from.hasAttribute("data-stays");
  const dressed = from.classList.contains("element");
  const moving = MOVING.filter((each) => from.classList.contains(each));
  const stays = (/** @type {string} */ name) =>
    OURS.has(name) ||
    (folds && KEPT.has(name)) ||
    (dressed && DRESS.has(name)) ||
    (moving.length > 0 && name === "class");
  for (const { name } of [...from.attributes]) if (!to.hasAttribute(name) && !stays(name)) from.removeAttribute(name);
  for (const { name, value } of to.attributes) {
    if (!stays(name) && from.getAttribute(name) !== value) from.setAttribute(name, value);
  }
  if (moving.length) from.setAttribute("class", [...to.classList, ...moving].join(" "));
}

/**
 * What is half typed stays.
 * @param {Element} from
 * @param {Element} to
 */
function syncField(from, to) {
  for (const kind of [HTMLInputElement, HTMLTextAreaElement]) {
    if (!(from instanceof kind && to instanceof kind)) continue;
    if (from.type === "hidden" || (from !== document.activeElement && !from.value)) from.value = to.value;
  }
}

/** The blocks that a part of the page has. */
export const blocksOf = (/** @type {Element} */ root) =>
  [...root.querySelectorAll("[data-block]")].map((block) => digestOf(block)).join(".");

/** @param {Element} block */
const digestOf = (block) => block.getAttribute("data-block")?.slice(0, 8);

/**
 * Whether the server left an element empty since the page has it.
 * @param {Node} node
 */
export const isEmpty = (node) => node instanceof Element && node.getAttribute("data-block")?.[0] === EMPTY;

const emptyIn = (/** @type {Element} */ root) => [...root.querySelectorAll(`[data-block^="${EMPTY}"]`)];

/**
 * Whether the page has all blocks that were left empty in what the server sent.
 * @param {Element} to
 */
export function isComplete(to) {
  return emptyIn(to).every((empty) => {
    const block = document.getElementById(empty.id);
    return block !== null && EMPTY + digestOf(block) === empty.getAttribute("data-block");
  });
}

/**
 * What the server sent, complete: what it left empty is copied from the page, and if that isn't there, all is asked for.
 * @param {(blocks: string) => Promise<string>} ask for what isn't in these blocks
 * @param {string} id of the element that is wanted
 */
export async function complete(ask, id) {
  for (const blocks of [blocksOf(document.documentElement), ""]) {
    const sent = parse(await ask(blocks), id);
    if (!sent || isComplete(sent)) return sent && filled(sent);
  }
  return null;
}

/**
 * The elements that the page has for the empty blocks of what the server sent, by their ids.
 * @param {Element} to
 */
const blocksFor = (to) => new Map(emptyIn(to).map(({ id }) => [id, must(document.getElementById(id), "block")]));

/**
 * Fill empty blocks with copies of what the page has there.
 * @template {Node} T
 * @param {T} root
 * @param {Map<string, HTMLElement>} blocks
 */
function fill(root, blocks) {
  if (!(root instanceof Element)) return root;
  for (const empty of emptyIn(root)) {
    const copy = /** @type {HTMLElement} */ (must(blocks.get(empty.id), "block").cloneNode(true));
    undress(copy);
    empty.replaceWith(copy);
  }
  return root;
}

/**
 * What the server sent, with what the page has in its empty blocks.
 * @param {HTMLElement} to
 */
export const filled = (to) => fill(to, blocksFor(to));

/** @param {Element} copy */
function undress(copy) {
  for (const own of copy.querySelectorAll(OWN)) own.remove();
  for (const each of [copy, ...copy.querySelectorAll("[class]")]) each.classList.remove(...DRESSED);
}

/**
 * Make `from` like `to`. Elements are matched by id, others by their order; blocks that were left empty stay.
 * @param {Element} from
 * @param {Element} to
 */
export function patch(from, to) {
  const blocks = blocksFor(to);
  change(from, to, blocks, new Set(blocks.values()));
}

/**
 * @param {Element} from
 * @param {Element} to
 * @param {Map<string, HTMLElement>} blocks of the page as it was: they may be anywhere, and gone meanwhile
 * @param {Set<Element>} kept these
 */
function change(from, to, blocks, kept) {
  syncAttributes(from, to);
  syncField(from, to);
  removeGone(from, to, kept);
  const byId = new Map([...from.children].map((child) => [child.id, child]));
  byId.delete("");
  let place = skipOwn(from.firstChild);
  for (const wanted of [...to.childNodes]) {
    const known = byId.get(keyOf(wanted));
    if (isEmpty(wanted)) {
      place = keep(from, must(blocks.get(keyOf(wanted)), "block"), place);
      continue;
    }
    const found = known?.nodeName === wanted.nodeName ? known : sameKind(place, wanted) && place;
    if (!found) {
      from.insertBefore(fill(document.importNode(wanted, true), blocks), place);
      continue;
    }
    if (found === place) place = skipOwn(place.nextSibling);
    else from.insertBefore(found, place);
    if (found instanceof Element && wanted instanceof Element) change(found, wanted, blocks, kept);
    else if (found.nodeValue !== wanted.nodeValue) found.nodeValue = wanted.nodeValue;
  }
  removeFrom(place);
}

/**
 * Take away what has an id that the server has there no longer: else what follows it had to move, and lost the focus.
 * @param {Element} from
 * @param {Element} to
 * @param {Set<Element>} kept
 */
function removeGone(from, to, kept) {
  const wanted = new Set([...to.children].map(({ id }) => id));
  for (const child of [...from.children]) {
    if (child.id && !wanted.has(child.id) && !child.matches(OWN) && !kept.has(child)) child.remove();
  }
}

/**
 * Take away what the server no longer has, from a place on.
 * @param {ChildNode | null} first
 */
function removeFrom(first) {
  let place = first;
  while (place) {
    const next = skipOwn(place.nextSibling);
    place.remove();
    place = next;
  }
}

/**
 * Leave a block as it is, before a place or there; what comes after it then.
 * @param {Element} from
 * @param {Element} block
 * @param {ChildNode | null} before
 */
function keep(from, block, before) {
  if (block === before) return skipOwn(block.nextSibling);
  from.insertBefore(block, before);
  return before;
}

/**
 * The first from here on that the server knows.
 * @param {ChildNode | null} node
 */
function skipOwn(node) {
  let each = node;
  while (each instanceof Element && each.matches(OWN)) each = each.nextSibling;
  return each;
}

/**
 * A copy of what the server sent, without what scripts have added.
 * @param {HTMLElement} root
 */
export function withoutOwn(root) {
  const copy = document.importNode(root, true);
  for (const own of copy.querySelectorAll(OWN)) own.remove();
  return copy;
}

/**
 * The element with an id in a piece of HTML.
 * @param {string} html
 * @param {string} id
 */
export function parse(html, id) {
  return new DOMParser().parseFromString(html, "text/html").getElementById(id);
}
