// Keeps this browser's web push subscription alive: subscriptions end without notice.

import { nothing, post } from "../http.js";
import { canPush, currentSubscription, mayNotify, subscribe } from "../secure.js";
import { forget, store, stored } from "../storage.js";
import { SUBSCRIBED } from "../subscribe.js";

const CHECKED = "atoll push checked";

/**
 * What the server says about a subscription: whether it is fine, has to be renewed with a key, or is unwanted.
 * @typedef {{ state: "fine" | "renew" | "unwanted", key: string }} Answer
 */

/** Compare what the browser has with what it has last told the server; once in a session, ask the server. */
export async function care() {
  const known = JSON.parse(stored(SUBSCRIBED) ?? "{}");
  if (known.account !== document.body.dataset.account || !canPush()) return;
  const current = mayNotify() ? await currentSubscription() : null;
  if (current?.endpoint === known.url && wasChecked()) return;
  let url = known.url;
  let answer = await report(known.url, current);
  if (answer?.state === "renew") {
    const made = await subscribe(answer.key).catch(() => null); // the push service can't be reached: next time
    if (!made) return;
    url = made.endpoint;
    answer = await report(known.url, made);
  } else if (current) {
    url = current.endpoint;
  }
  if (answer?.state === "unwanted") forget(SUBSCRIBED);
  else if (answer?.state === "fine") store(SUBSCRIBED, JSON.stringify({ ...known, url }));
}

/** Whether the server was asked in this session, of which it is told now. */
function wasChecked() {
  try {
    const checked = sessionStorage.getItem(CHECKED) !== null;
    sessionStorage.setItem(CHECKED, "yes");
    return checked;
  } catch {
    return false;
  }
}

/**
 * @param {string} known address of the subscription that the server was told of
 * @param {PushSubscription | null} current
 * @returns {Promise<Answer | null>} null if the server can't be reached or is busy
 */
async function report(known, current) {
  const { endpoint = "", keys = {} } = current?.toJSON() ?? {};
  const key = keyOf(current);
  const fields = current && { url: endpoint, p256dh: keys.p256dh ?? "", auth: keys.auth ?? "", key };
  const sent = post("/settings/notices/push", { known, ...fields, ...(!mayNotify() && { denied: "1" }) });
  const answer = await sent.catch(nothing);
  return answer && (await answer.json());
}

/** @param {PushSubscription | null} subscription */
function keyOf(subscription) {
  const bytes = new Uint8Array(subscription?.options.applicationServerKey ?? new ArrayBuffer(0));
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
