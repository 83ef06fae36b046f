// The focus of the table stays where it was while the page changes: on the same thing, or on what has taken its place.

import { all, byId } from "./dom.js";

/**
 * Before a change: what gives the focus back after it. Whose thing is gone is at the table still, where letters are
 * heard.
 */
export function holdFocus() {
  const held = document.activeElement;
  if (!held?.closest("#page-main")) return () => {};
  const made = held.closest("[data-rest]"); // its buttons are drawn anew at each change
  return () => {
    if (document.activeElement !== document.body) return;
    const again = made ? all("[data-rest] button").find((each) => each.textContent === held.textContent) : held;
    if (again instanceof HTMLElement || again instanceof SVGElement) again.focus({ preventScroll: true });
    if (document.activeElement === document.body) byId("page-main").focus({ preventScroll: true });
  };
}
