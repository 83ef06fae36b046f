// Functions that find elements of the page and make new ones.

/** @typedef {HTMLElement | SVGElement} Thing an element of the page or of a drawing */

const SVG = "http://www.w3.org/2000/svg";

/**
 * Return a value, or throw an error that names what is missing.
 * @template T
 * @param {T | null | undefined} value
 * @param {string} name
 * @returns {T}
 */
export function must(value, name) {
  if (value === null || value === undefined) throw new Error(`the page has no ${name}`);
  return value;
}

/**
 * @param {unknown} node
 * @returns {node is Thing}
 */
const isThing = (node) => node instanceof HTMLElement || node instanceof SVGElement;

/**
 * Return the first element that a selector finds, or null.
 * @param {string} selector
 * @param {ParentNode} root
 */
export function find(selector, root = document) {
  const found = root.querySelector(selector);
  return isThing(found) ? found : null;
}

/**
 * Return all elements that a selector finds.
 * @param {string} selector
 * @param {ParentNode} root
 */
export const all = (selector, root = document) => [...root.querySelectorAll(selector)].filter(isThing);

/**
 * Return the same as `find`, but of one kind.
 * @template {Element} T
 * @param {new () => T} kind
 * @param {string} selector
 * @param {ParentNode} root
 */
export function findOf(kind, selector, root = document) {
  const found = root.querySelector(selector);
  return found instanceof kind ? found : null;
}

/**
 * Return the same as `all`, but of one kind.
 * @template {Element} T
 * @param {new () => T} kind
 * @param {string} selector
 * @param {ParentNode} root
 */
export function allOf(kind, selector, root = document) {
  /**
   * @param {Element} found
   * @returns {found is T}
   */
  const isKind = (found) => found instanceof kind;
  return [...root.querySelectorAll(selector)].filter(isKind);
}

/**
 * Return the element of the page with an id; it must be there.
 * @param {string} id
 */
export const byId = (id) => must(findOf(HTMLElement, `#${id}`), `#${id}`);

/**
 * Return the event's target, or its nearest ancestor, that matches a selector; null without one.
 * @param {{ target: EventTarget | null }} event
 * @param {string} selector
 */
export function hit({ target }, selector) {
  const found = target instanceof Element ? target.closest(selector) : null;
  return isThing(found) ? found : null;
}

/**
 * Call a function at each click on an element that matches a selector.
 * @param {string} selector
 * @param {(thing: Thing, event: MouseEvent) => void} act
 */
export function onClick(selector, act) {
  document.addEventListener("click", (event) => {
    const found = hit(event, selector);
    if (found) act(found, event);
  });
}

/**
 * Return the data that the server wrote into the page for scripts.
 * @param {string} id
 */
export const readJson = (id) => JSON.parse(byId(id).textContent);

/**
 * Return a new element of the page.
 * @template {keyof HTMLElementTagNameMap} N
 * @param {N} name
 * @param {Partial<HTMLElementTagNameMap[N]>} properties
 * @returns {HTMLElementTagNameMap[N]}
 */
export const html = (name, properties = {}) => Object.assign(document.createElement(name), properties);

/**
 * Return a new element of a drawing.
 * @template {keyof SVGElementTagNameMap} N
 * @param {N} name
 * @param {Record<string, string | number>} attributes
 */
export function svg(name, attributes = {}) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, String(value));
  return node;
}

/**
 * Return a new button.
 * @param {string} label
 * @param {() => void} act
 * @param {string} css
 */
export function button(label, act, css = "") {
  const made = html("button", { type: "button", className: css, textContent: label });
  made.addEventListener("click", act);
  return made;
}

/**
 * Return the middle of an element on the screen.
 * @param {Element} element
 */
export function middle(element) {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}

/**
 * Return a new list to choose from, with its label.
 * @param {string} label
 * @param {string[][]} options value and text
 * @param {string} chosen
 * @param {(value: string) => void} onChange
 */
export function chooser(label, options, chosen, onChange) {
  const field = html("label", { className: "field" });
  const select = html("select");
  for (const [value, text] of options) select.add(new Option(text, value));
  select.value = chosen;
  select.addEventListener("change", () => onChange(select.value));
  field.append(html("span", { textContent: label }));
  field.append(select);
  return field;
}
