// Search in the rules while the reader types. Without scripts the form does the same.

import { findOf, must } from "../dom.js";
import { get, nothing } from "../http.js";

const WAIT_MS = 200;

/** @param {HTMLFormElement} form */
export function search(form) {
  const found = must(findOf(HTMLElement, "#rules-found"), "#rules-found");
  /** @type {number | undefined} */
  let waiting;
  /** @type {AbortController | undefined} */
  let asking;

  async function ask() {
    asking?.abort();
    asking = new AbortController();
    const wanted = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]));
    if (!wanted.get("q")?.trim()) wanted.delete("q");
    const query = wanted.size ? `?${wanted}` : "";
    const address = `${location.pathname}${query}`;
    const answer = await get(address, { signal: asking.signal }).catch(nothing); // the next letter repeats the request
    if (!answer) return;
    found.innerHTML = await answer.text();
    history.replaceState(null, "", address);
  }

  form.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(ask, WAIT_MS);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    clearTimeout(waiting);
    ask();
  });
}
