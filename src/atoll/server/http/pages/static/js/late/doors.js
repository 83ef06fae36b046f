// Pages of links with a secret. It stands after the #, so that no server and no log receives it before the form is
// sent.

import { findOf } from "../dom.js";

/** Move the secret from the address to the form of the page, and send it. */
export function enter() {
  const token = findOf(HTMLInputElement, "form[data-door] [name=token]");
  const take = () => {
    if (!token || location.hash.length < 2) return;
    token.value = location.hash.slice(1);
    history.replaceState(null, "", location.pathname);
    if (token.form?.dataset.door !== "rescue") token.form?.requestSubmit(); // it shows where the link leads
  };
  take();
  // Another link may be opened on this page, which alone would load nothing.
  addEventListener("hashchange", () => {
    if (token) take();
    else location.replace(`${location.pathname}?${location.hash}`);
  });
}
