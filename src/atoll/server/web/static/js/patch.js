// Changes a part of the page into what the server sent, keeping what has the same id: focus, half-typed input,
// scroll positions, open folds and running transitions survive.

const OWN = "[data-own]"; // drawn by a script here, unknown to the server
const KEPT = new Set(["open", "hidden"]); // what a person changed on these elements stays
const MOVING = ["fresh", "changed"]; // a transition runs; motion.js takes them off again
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
    (folds && KEPT.has(name)) || (dressed && DRESS.has(name)) || (moving.length > 0 && name === "class");
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

/**
 * Make `from` like `to`. Elements are matched by id, others by their order.
 * @param {Element} from
 * @param {Element} to
 */
export function patch(from, to) {
  syncAttributes(from, to);
  syncField(from, to);
  const byId = new Map([...from.children].map((child) => [child.id, child]));
  byId.delete("");
  let place = skipOwn(from.firstChild);
  for (const wanted of [...to.childNodes]) {
    const known = byId.get(keyOf(wanted));
    const found = known?.nodeName === wanted.nodeName ? known : sameKind(place, wanted) && place;
    if (!found) {
      from.insertBefore(document.importNode(wanted, true), place);
      continue;
    }
    if (found === place) place = skipOwn(place.nextSibling);
    else from.insertBefore(found, place);
    if (found instanceof Element && wanted instanceof Element) patch(found, wanted);
    else if (found.nodeValue !== wanted.nodeValue) found.nodeValue = wanted.nodeValue;
  }
  while (place) {
    const next = skipOwn(place.nextSibling);
    place.remove();
    place = next;
  }
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
