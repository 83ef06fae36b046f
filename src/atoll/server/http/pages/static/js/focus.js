// Keeps the focus of the table while the page changes: on the same element, or on its replacement.

import { all, byId } from "./dom.js";

/**
 * Return a function that restores the focus after a change. If the element is gone, the focus goes to the table, where
 * letters are heard.
 */
export function holdFocus() {
  const held = document.activeElement;
  if (!held?.closest("#page-main")) return () => {};
  const made = held.closest("[data-rest]"); // its buttons are redrawn at each change
  return () => {
    if (document.activeElement !== document.body) return;
    const again = made ? all("[data-rest] button").find((each) => each.textContent === held.textContent) : held;
    if (again instanceof HTMLElement || again instanceof SVGElement) again.focus({ preventScroll: true });
    if (document.activeElement === document.body) byId("page-main").focus({ preventScroll: true });
  };
}
