// Lays a coming picture over the present one: removed and new elements are faint, numbers show their change.

import { html } from "./dom.js";
import { isEmpty } from "./morph.js";
import { numbersOf } from "./motion.js";

const STAYS = ["legal", "picked", "advised", "spot", "lit", "since", "unsure", "fresh", "changed"];
const SHAPES = "class data-value d x y cx cy r width height points transform".split(" ");

/**
 * @param {HTMLElement} root
 * @param {HTMLElement} coming
 */
export function overlay(root, coming) {
  const numbers = numbersOf(root);
  overlayElement(root, coming);
  root.classList.add("previewing");
  for (const [id, value] of numbersOf(coming)) {
    const [old, element] = [numbers.get(id), document.getElementById(id)];
    if (element && old !== undefined && old !== value) addDifference(element, value - old);
  }
}

/**
 * @param {Element} element
 * @param {number} by
 */
function addDifference(element, by) {
  element.classList.add("would-change");
  if (element instanceof SVGElement) return;
  const badge = html("span", { className: "difference", textContent: by > 0 ? `+${by}` : `−${-by}` });
  badge.dataset.own = "";
  element.append(badge);
}

/**
 * Overlay an element like `morph`, but remove nothing and keep the elements' choices.
 * @param {Element} found
 * @param {Element} wanted
 */
function overlayElement(found, wanted) {
  if (isEmpty(wanted)) return;
  for (const name of SHAPES) {
    const value = wanted.getAttribute(name);
    if (value === null || value === found.getAttribute(name)) continue;
    const kept = STAYS.filter((token) => found.classList.contains(token));
    found.setAttribute(name, value);
    if (name === "class") found.classList.add(...kept);
  }
  if (found.querySelector("[id]") || wanted.querySelector("[id]")) overlayChildren(found, wanted);
  else if (!sameInside(found, wanted)) found.replaceChildren(...[...wanted.childNodes].map(arriving));
}

/**
 * Return a copy of a node that only the preview has. It can't be chosen, and isn't a fragment of the page.
 * @template {Node} T
 * @param {T} node
 */
function arriving(node) {
  const copy = document.importNode(node, true);
  if (copy instanceof Element) {
    for (const name of ["data-choice", "data-h"]) {
      for (const each of [copy, ...copy.querySelectorAll(`[${name}]`)]) each.removeAttribute(name);
    }
  }
  return copy;
}

/**
 * @param {Element} a
 * @param {Element} b
 */
function sameInside(a, b) {
  const [ours, theirs] = [[...a.childNodes], [...b.childNodes]];
  return ours.length === theirs.length && ours.every((node, i) => node.isEqualNode(theirs[i]));
}

/**
 * @param {Element} from
 * @param {Element} to
 */
function overlayChildren(from, to) {
  const left = new Set(from.children);
  for (const wanted of to.children) {
    const found = counterpart(from, left, wanted);
    if (found) {
      left.delete(found);
      overlayElement(found, wanted);
    } else if (isKnown(wanted)) {
      const copy = arriving(wanted);
      copy.classList.add("arriving");
      from.append(copy);
    }
  }
  for (const child of left) if (isKnown(child) && child.nodeName !== "DIALOG") child.classList.add("leaving");
}

/**
 * Return whether an element is known by its id, or contains such elements.
 * @param {Element} element
 */
function isKnown(element) {
  return Boolean(element.id || element.querySelector("[id]"));
}

/**
 * Return the present counterpart of an element of the coming picture: by its id, by elements that it contains, or by
 * its order.
 * @param {Element} from
 * @param {Set<Element>} left the children of `from` that are no counterpart yet
 * @param {Element} wanted
 */
function counterpart(from, left, wanted) {
  const like = (/** @type {Element} */ child) => child.id === wanted.id && child.nodeName === wanted.nodeName;
  if (!wanted.id) {
    for (const { id } of wanted.querySelectorAll("[id]")) {
      const inner = from.querySelector(`#${CSS.escape(id)}`);
      const held = [...left].find((child) => child.contains(inner));
      if (held && like(held)) return held;
    }
  }
  return [...left].find((child) => like(child) && (wanted.id || !isKnown(child)));
}
