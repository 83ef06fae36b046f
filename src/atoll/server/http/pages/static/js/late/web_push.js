// Turns on notifications by the browser's push service, and renews a subscription that has ended.

import { find, findOf } from "../dom.js";
import { post, Refusal, Unreached } from "../http.js";
import { canPush, subscription, toldPush } from "../secure.js";
import { askToNotify, changePush, keepPush, mayNotify, subscribe } from "./secure_push.js";

const PUSH = "/settings/push";
const NOTICES = "/settings/notices";

/**
 * Offer notifications if this browser supports them.
 * @param {HTMLElement} place
 */
export function offer(place) {
  const button = findOf(HTMLButtonElement, `#${place.id} button`);
  const { push = "", unable = "", denied = "", offline = "" } = place.dataset;
  if (!button) return;
  const say = (/** @type {string} */ text) => {
    const said = find(`#${place.id} span`);
    if (said) said.textContent = text;
  };
  if (!canPush()) {
    say(unable);
    return;
  }
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      if (await askToNotify()) {
        await changePush(() => add(push));
        location.reload();
      } else {
        say(denied);
      }
    } catch (error) {
      if (error instanceof Refusal) say(error.message);
      else if (error instanceof Unreached) say(offline);
      else if (error instanceof DOMException) say(unable);
      else throw error;
    }
  });
}

/** @param {PushSubscription | null} now */
function fieldsOf(now) {
  const { endpoint = "", keys = {} } = now?.toJSON() ?? {};
  return { url: endpoint, p256dh: keys.p256dh ?? "", auth: keys.auth ?? "" };
}

/**
 * Subscribe and report it to the server. The subscription replaces the old one and takes over its settings.
 * @param {string} key of the server
 */
async function add(key) {
  const [old, now] = await Promise.all([toldPush(), subscription()]);
  const isKnown = now && isMadeWith(key, now) && (await compare(old, now, true)).state === "ready"; // renewed meanwhile
  const made = isKnown ? now : await subscribe(key);
  if (!isKnown && (await compare(old, made, true)).state !== "ready")
    await post(NOTICES, { kind: "push", ...fieldsOf(made) });
  await keepPush(made.endpoint);
}

/**
 * Compare this browser's subscription with the server's.
 * @param {string} old that the server received last
 * @param {PushSubscription | null} now
 * @param {boolean} renew whether it can be renewed
 * @returns {Promise<{ state: string, key: string, lost: string }>}
 */
async function compare(old, now, renew) {
  return (await post(PUSH, { old, ...fieldsOf(now), renew: renew ? "yes" : "" })).json();
}

/** Renew the subscription of this browser if it has ended, or the server can't use it any longer. */
export const mend = () => changePush(mendNow);

async function mendNow() {
  const [old, now] = await Promise.all([toldPush(), subscription()]);
  const first = await compare(old, now, mayNotify());
  if (first.state === "unknown") {
    await keepPush(""); // the person has removed it, or it belongs to another person
  } else if (first.state === "lost") {
    warn(first.lost);
  } else if (first.state === "renew" || (now && mayNotify() && !isMadeWith(first.key, now))) {
    const fresh = await subscribe(first.key).catch(failed);
    const { state, lost } = await compare(now?.endpoint ?? old, fresh, false);
    if (state === "ready") await keepPush(fresh?.endpoint ?? "");
    else warn(lost);
  } else if (now) {
    await keepPush(now.endpoint);
  }
}

/**
 * Report that the push service can't be reached, or refuses.
 * @param {unknown} error
 */
function failed(error) {
  if (error instanceof DOMException) return null;
  throw error;
}

/**
 * @param {string} key
 * @param {PushSubscription} now
 */
function isMadeWith(key, now) {
  const own = now.options.applicationServerKey;
  if (!own) return true; // this browser doesn't reveal the key
  const text = btoa(String.fromCharCode(...new Uint8Array(own)));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "") === key;
}

/**
 * Show above the page that this browser isn't notified any longer.
 * @param {string} text
 */
function warn(text) {
  const mast = find(".mast");
  if (!mast || location.pathname === NOTICES) return;
  const said = document.createElement("p");
  said.className = "site-notice";
  said.setAttribute("role", "status");
  const link = document.createElement("a");
  link.href = NOTICES;
  link.textContent = text;
  said.append(link);
  mast.after(said);
}
