// Pages that a link with a secret leads to. The secret stands after the #: no server and no log sees it before the form is
// sent.

import { findOf } from "../dom.js";

/** Let the form of the page take the secret from the address, and be sent. */
export function enter() {
  const token = findOf(HTMLInputElement, "form[data-door] [name=token]");
  const take = () => {
    if (!token || location.hash.length < 2) return;
    token.value = location.hash.slice(1);
    history.replaceState(null, "", location.pathname);
    if (token.form?.dataset.door !== "rescue") token.form?.requestSubmit(); // it shows where the link leads
  };
  take();
  // Another link may be opened on this page: that alone would load nothing.
  addEventListener("hashchange", () => {
    if (token) take();
    else location.replace(`${location.pathname}?${location.hash}`);
  });
}
