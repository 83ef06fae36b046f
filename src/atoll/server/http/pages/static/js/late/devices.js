// Pages that wait for another device of the same person.

import { byId, find, findOf } from "../dom.js";
import { get } from "../http.js";
import { morph, parse } from "../morph.js";
import { Persistent } from "../reach.js";

const POLL_MS = 2000;

/**
 * Update the page repeatedly while it waits. Send a form that needs no decision any longer.
 * @param {string} address of the page
 */
export function poll(address) {
  const loading = new Persistent(async () => {
    const fresh = parse(await (await get(address)).text(), "page-main");
    if (fresh) morph(byId("page-main"), fresh);
    findOf(HTMLFormElement, "form[data-at-once]")?.requestSubmit();
    if (find("[data-polls]")) wait();
  });
  const wait = () => setTimeout(() => loading.again(), POLL_MS);
  wait();
}
