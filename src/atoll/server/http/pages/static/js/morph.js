// Makes a part of the page equal to the server's version (idiomorph). Focus, drafts, scroll positions, open folds and
// running transitions stay. So do fragments that the server left empty because the page has them.

import { must } from "./dom.js";
import { Idiomorph } from "./vendor/idiomorph.js";

const LEFT_EMPTY = "[data-h]:empty";
const OWN = "[data-own]"; // drawn by a script, unknown to the server
const FOLDS = new Set(["open", "hidden"]); // changes by a person to these attributes stay
const DRESSED = ["legal", "picked", "advised", "fresh", "changed", "spot", "since", "unsure"]; // classes of scripts
const MOVING = ["fresh", "changed"]; // a transition runs; motion.js removes them
const OURS = new Set(["style", "data-room", "data-crowded"]); // only scripts set these; a style is refused as an attribute
const DRESS = new Set(["role", "tabindex", "aria-disabled", "aria-pressed"]); // an element that loses these loses focus
const CHOSEN = new Set(["checked", "selected"]); // a person's choice among buttons and options
const UNTYPED = ["hidden", "radio", "checkbox", "submit", "button"]; // kinds of fields that nobody types into

/** Return the digests of the fragments that a part of the page has. */
export const fragmentsOf = (/** @type {Element} */ root) =>
  [...root.querySelectorAll("[data-h]")].map((fragment) => digestOf(fragment)).join(".");

/** @param {Element} fragment */
const digestOf = (fragment) => fragment.getAttribute("data-h");

/**
 * Return whether the server left an element empty because the page has it; see atoll/picture/fragments.py.
 * @param {Node} node
 */
export const isEmpty = (node) => node instanceof Element && node.matches(LEFT_EMPTY);

const emptyIn = (/** @type {Element} */ root) => [...root.querySelectorAll(LEFT_EMPTY)];

/**
 * Return whether the page has all fragments that the server left empty.
 * @param {Element} to
 */
export function isComplete(to) {
  return emptyIn(to).every((empty) => {
    const fragment = document.getElementById(empty.id);
    return fragment !== null && digestOf(fragment) === digestOf(empty);
  });
}

/**
 * Return the server's page with copies of the fragments that it left empty. If one is missing here, request the whole
 * page.
 * @param {(fragments: string) => Promise<string>} ask requests the page without these fragments
 * @param {string} id of the wanted element
 */
export async function complete(ask, id) {
  for (const fragments of [fragmentsOf(document.documentElement), ""]) {
    const sent = parse(await ask(fragments), id);
    if (!sent || isComplete(sent)) return sent && filled(sent);
  }
  return null;
}

/**
 * Return the server's element with copies of the page's content in its empty fragments.
 * @param {HTMLElement} to
 */
export function filled(to) {
  for (const empty of emptyIn(to)) {
    const copy = /** @type {HTMLElement} */ (must(document.getElementById(empty.id), "fragment").cloneNode(true));
    undress(copy);
    empty.replaceWith(copy);
  }
  return to;
}

/** @param {Element} copy */
function undress(copy) {
  for (const own of copy.querySelectorAll(OWN)) own.remove();
  for (const each of [copy, ...copy.querySelectorAll("[class]")]) each.classList.remove(...DRESSED);
}

/**
 * Make `from` like `to`. Elements are matched by id, others by their order.
 * @param {Element} from
 * @param {Element} to is complete; see isComplete
 */
export function morph(from, to) {
  const fragments = new Map(emptyIn(to).map(({ id }) => [id, must(document.getElementById(id), "fragment")]));
  const unnamed = named(from);
  /** @type {Element[]} */
  const replaced = [];
  try {
    change(from, to, fragments, replaced);
  } catch (error) {
    replace(from, to, fragments);
    reportError(error);
  }
  for (const each of replaced) each.remove();
  for (const each of unnamed) each.removeAttribute("id");
}

/**
 * Replace `from`, which may be half changed, with a copy of `to`. Drawings by scripts in it are lost.
 * @param {Element} from
 * @param {Element} to
 * @param {Map<string, HTMLElement>} fragments of the page that were left empty, by their ids
 */
function replace(from, to, fragments) {
  const whole = document.importNode(to, true);
  for (const empty of emptyIn(whole)) empty.replaceWith(must(fragments.get(empty.id), "fragment"));
  from.replaceWith(whole);
  for (const left of document.querySelectorAll("html > div[hidden]")) left.remove(); // idiomorph moves elements there
}

/**
 * @param {Element} from
 * @param {Element} to
 * @param {Map<string, HTMLElement>} fragments of the page that were left empty, by their ids
 * @param {Element[]} replaced gets elements whose places fragments have taken
 */
function change(from, to, fragments, replaced) {
  Idiomorph.morph(from, to, {
    morphStyle: "outerHTML",
    callbacks: {
      beforeNodeMorphed(old, wanted) {
        if (!isEmpty(wanted)) return true;
        const fragment = must(fragments.get(/** @type {Element} */ (wanted).id), "fragment");
        if (old !== fragment) {
          // idiomorph matched an element without an id. The fragment replaces it.
          old.before(fragment);
          replaced.push(old);
        }
        return false;
      },
      afterNodeMorphed(old, wanted) {
        if (!(old instanceof Element && wanted instanceof Element)) return;
        const moving = MOVING.filter((each) => old.classList.contains(each));
        if (moving.length) old.setAttribute("class", [...wanted.classList, ...moving].join(" "));
      },
      beforeNodeRemoved: (node) => !(node instanceof Element && node.matches(OWN)),
      beforeAttributeUpdated: (name, element) => !stays(name, element),
    },
  });
}

/**
 * Give ids to elements that scripts have drawn, so that none is matched with an element of the server. Return the
 * elements that had none.
 * @param {Element} root
 */
function named(root) {
  const unnamed = [...root.querySelectorAll(`${OWN}:not([id])`)];
  for (const [number, own] of unnamed.entries()) own.id = `own-${number}`;
  return unnamed;
}

/**
 * Return whether an attribute stays as it is on the page.
 * @param {string} name
 * @param {Element} element
 */
function stays(name, element) {
  if (OURS.has(name) || CHOSEN.has(name)) return true;
  if (name === "value") return isTyped(element);
  if (name === "class") return MOVING.some((each) => element.classList.contains(each));
  if (DRESS.has(name)) return element.classList.contains("element");
  return FOLDS.has(name) && (element.matches("details, dialog") || element.hasAttribute("data-stays"));
}

/**
 * Return whether somebody types into a field, or has typed.
 * @param {Element} element
 */
function isTyped(element) {
  if (!(element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement)) return false;
  return !UNTYPED.includes(element.type) && (element === document.activeElement || element.value !== "");
}

/**
 * Return a copy of the server's element, without the additions of scripts.
 * @param {HTMLElement} root
 */
export function withoutOwn(root) {
  const copy = document.importNode(root, true);
  for (const own of copy.querySelectorAll(OWN)) own.remove();
  return copy;
}

/**
 * Return the element with an id in a piece of HTML.
 * @param {string} html
 * @param {string} id
 */
export function parse(html, id) {
  return new DOMParser().parseFromString(html, "text/html").getElementById(id);
}
