// The workshop: the page draws changes while the user types. Without scripts the form has a button for it.

import { byId, find, findOf } from "../dom.js";
import { nothing, post } from "../http.js";
import { morph, parse } from "../morph.js";

const WAIT_MS = 300;
const POLL_MS = 1500;

/** @param {HTMLFormElement} form */
export function edit(form) {
  /** @type {number | undefined} */
  let waiting;
  let asked = 0;

  async function send() {
    asked += 1;
    const mine = asked;
    const fields = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));
    const answer = await post(form.action, fields).catch(nothing); // the next letter repeats the request
    if (!answer || mine !== asked) return;
    const fresh = parse(await answer.text(), "page-main");
    if (!fresh) return;
    morph(byId("page-main"), fresh);
    history.replaceState(null, "", findOf(HTMLFormElement, "form[data-workshop]")?.dataset.here);
  }

  form.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(send, WAIT_MS);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    clearTimeout(waiting);
    send();
  });
  setInterval(() => find("[data-running]") && send(), POLL_MS); // the progress of a simulation
}
