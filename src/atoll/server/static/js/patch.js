// Changes a part of the page into what the server sent, keeping what has the same id: focus, half-typed input,
// scroll positions, open folds and running transitions survive.

const OWN = "data-own"; // drawn by a script here, unknown to the server
const KEPT = new Set(["open", "hidden"]); // what a person changed on these elements stays
const MOVING = ["fresh", "changed"]; // a transition runs; motion.js takes them off again
const DRESS = new Set(["role", "tabindex", "aria-disabled", "aria-pressed"]); // an element that loses these loses focus

const keyOf = (node) => (node.nodeType === Node.ELEMENT_NODE ? node.id : "");

function sameKind(a, b) {
  return a.nodeType === b.nodeType && a.nodeName === b.nodeName && keyOf(a) === keyOf(b);
}

function syncAttributes(from, to) {
  const folds = from.nodeName === "DETAILS" || from.nodeName === "DIALOG" || from.hasAttribute("data-stays");
  const dressed = from.classList.contains("element");
  const moving = MOVING.filter((each) => from.classList.contains(each));
  const stays = (name) => (folds && KEPT.has(name)) || (dressed && DRESS.has(name)) || (moving.length && name === "class");
  for (const { name } of [...from.attributes]) if (!to.hasAttribute(name) && !stays(name)) from.removeAttribute(name);
  for (const { name, value } of to.attributes) {
    if (stays(name)) continue;
    if (from.getAttribute(name) !== value) from.setAttribute(name, value);
  }
  if (moving.length) from.setAttribute("class", [...to.classList, ...moving].join(" "));
}

function syncField(from, to) {
  if (from.nodeName === "TEXTAREA" || (from.nodeName === "INPUT" && from.type !== "hidden")) {
    if (from !== document.activeElement && !from.value) from.value = to.value;
  } else if (from.nodeName === "INPUT") {
    from.value = to.value;
  }
}

/** Make `from` like `to`. Elements are matched by id, others by their order. */
export function patch(from, to) {
  syncAttributes(from, to);
  syncField(from, to);
  const byId = new Map();
  for (const child of from.children) if (child.id) byId.set(child.id, child);
  let place = skipOwn(from.firstChild);
  for (const wanted of [...to.childNodes]) {
    const id = keyOf(wanted);
    let found = id ? byId.get(id) : null;
    if (found && found.nodeName !== wanted.nodeName) found = null;
    if (!found && place && sameKind(place, wanted)) found = place;
    if (found) {
      if (found === place) place = skipOwn(place.nextSibling);
      else from.insertBefore(found, place);
      if (found.nodeType === Node.ELEMENT_NODE) patch(found, wanted);
      else if (found.data !== wanted.data) found.data = wanted.data;
    } else {
      from.insertBefore(document.importNode(wanted, true), place);
    }
  }
  while (place) {
    const next = skipOwn(place.nextSibling);
    place.remove();
    place = next;
  }
}

function skipOwn(node) {
  while (node && node.nodeType === Node.ELEMENT_NODE && node.hasAttribute(OWN)) node = node.nextSibling;
  return node;
}

/** The element with this id in a piece of HTML. */
export function parse(html, id) {
  return new DOMParser().parseFromString(html, "text/html").getElementById(id);
}
