// Keys of a table: the pressed key on any layout, and whether the table may use it.

import { find, hit } from "./dom.js";

/** @type {Record<string, string>} the signs by place on the keyboard, plain and with Shift */
const SIGNS = { Comma: ",", Period: ".", ShiftSlash: "?" };

/**
 * Return the character of a key: its own one on a Latin layout, otherwise the one of a Latin layout at its place.
 * @param {KeyboardEvent} event
 */
export function keyOf({ key, code, shiftKey }) {
  const [, kind, sign] = /^(Key|Digit)(.)$/.exec(code) ?? [];
  if (kind === "Digit" && !shiftKey) return sign; // some layouts have digits with Shift only
  if (key.length > 1) return key;
  if (key <= "~") return key.toLowerCase();
  return kind === "Key" ? sign.toLowerCase() : (SIGNS[shiftKey ? `Shift${code}` : code] ?? key);
}

/**
 * Return whether a letter is for the table: the focus is there or nowhere, nobody is typing, and letters are turned on.
 * @param {KeyboardEvent} event
 */
export function isForTable(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return false;
  if (document.body.dataset.shortcuts === "off") return false;
  if (hit(event, "input:not([type=radio], [type=range]), textarea, select")) return false;
  return event.target === document.body ? !find("dialog[open]") : hit(event, "#page-main") !== null;
}
