// Compares this browser's subscription to its push service with the server's: at each page with the stored address, and
// at each visit with the server, which knows whether the push service still accepts it.

import { nothing } from "./http.js";
import { canPush, subscription, toldPush } from "./secure.js";
import { store, stored } from "./storage.js";

const CHECKED = "atoll-push-checked";
const VISIT_MS = 3_600_000;

/** @param {string} account of the person, who is notified if it can't be renewed */
export async function checkPush(account) {
  if (!canPush()) return;
  const [old, now] = await Promise.all([toldPush(), subscription()]);
  if (!(old || now)) return;
  const state = JSON.stringify([account, old, now?.endpoint]);
  const [checked, at] = JSON.parse(stored(CHECKED) ?? "[]");
  if (checked === state && Date.now() - at < VISIT_MS) return;
  const found = await import("/static/js/late/web_push.js").catch(() => null);
  if (!found) return;
  try {
    await found.mend();
    store(CHECKED, JSON.stringify([state, Date.now()]));
  } catch (error) {
    nothing(error); // the next page tries again
  }
}
