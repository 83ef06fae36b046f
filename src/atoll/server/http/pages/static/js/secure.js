// Functions of the browser that exist only in secure contexts (https, or this machine itself), and their substitutes.
// A table in a local network is served over plain http: no other module may use such a function.

import { toHex } from "./sha256.js";

const KEY_BYTES = 16;

/** A random key, as it names a command. */
export const randomKey = () => toHex(crypto.getRandomValues(new Uint8Array(KEY_BYTES)));

/** Whether the device has a sheet of its own for sharing. */
export const canShare = () => "share" in navigator;

/** @param {ShareData} what */
export function share(what) {
  navigator.share(what).catch(() => null); // closed again, or there is nobody to share with
}

/**
 * Copy the text of a field; false if the browser refuses, then the text is selected.
 * @param {HTMLInputElement} field
 */
export async function copyField(field) {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    const focused = document.activeElement;
    field.select();
    const copied = document.execCommand("copy");
    if (copied && focused instanceof HTMLElement) focused.focus();
    return copied;
  }
}

/**
 * Copy a text that is still to come: some browsers let a page write only at once, while its button is being pressed.
 * False if the browser refuses.
 * @param {Promise<string>} text
 */
export async function copyComing(text) {
  // The caller awaits the text, too, and hears why it doesn't come.
  text.catch(() => null);
  if (!navigator.clipboard) return false;
  const blob = text.then((found) => new Blob([found], { type: "text/plain" }));
  blob.catch(() => null);
  try {
    await navigator.clipboard.write([new ClipboardItem({ "text/plain": blob })]);
    return true;
  } catch {
    return false;
  }
}

/** Let the worker run that shows notices and says when the server can't be reached; pages do without it. */
export function startWorker() {
  navigator.serviceWorker?.register("/worker.js").catch(() => null);
}

/** Whether this browser can be notified by its push service. */
export const canPush = () => "serviceWorker" in navigator && "PushManager" in window;

/** Whether it may show notifications without asking the person. */
export const mayNotify = () => Notification.permission === "granted";

/** Its subscription to the push service; null if there is none. */
export async function subscription() {
  const worker = await navigator.serviceWorker.ready;
  return worker.pushManager.getSubscription();
}

/**
 * Subscribe anew to the push service, which the person has allowed.
 * @param {string} key of the server
 */
export async function subscribe(key) {
  const old = await subscription();
  await old?.unsubscribe(); // one that was made with another key can't be used
  const worker = await navigator.serviceWorker.ready;
  return worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

/**
 * Do something about the subscription when no other page, and not the worker, is changing it; see worker.js.
 * @template Result
 * @param {() => Promise<Result>} work
 * @returns {Promise<Result>}
 */
export const changePush = (work) => navigator.locks.request("atoll-push", work);

/** Ask the person whether this browser may show notifications. */
export const askToNotify = async () => (await Notification.requestPermission()) === "granted";

// The address of the subscription that the server was told last, where the worker finds it as well; see worker.js.
const TOLD = "/told-push";

/** That address; "" if none was told. */
export async function toldPush() {
  const found = await (await caches.open("atoll")).match(TOLD);
  return found ? found.text() : "";
}

/** @param {string} address "" to forget it */
export async function keepPush(address) {
  const cache = await caches.open("atoll");
  if (address) await cache.put(TOLD, new Response(address));
  else await cache.delete(TOLD);
}

/** Whether this browser has passkeys, and reads their options as the server writes them. */
export const hasPasskeys = () =>
  "PublicKeyCredential" in window && "parseCreationOptionsFromJSON" in PublicKeyCredential;

/**
 * Make a passkey; null if there is none.
 * @param {PublicKeyCredentialCreationOptionsJSON} options
 */
export async function makePasskey(options) {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  return sent(await navigator.credentials.create({ publicKey }));
}

/** Whether this browser offers passkeys in a field, as it does names. */
export const canAutofill = async () => (await PublicKeyCredential.isConditionalMediationAvailable?.()) ?? false;

/**
 * Ask for a passkey; null if there is none.
 * @param {PublicKeyCredentialRequestOptionsJSON} options
 * @param {AbortSignal} [signal] until which the browser offers passkeys in a field, instead of asking at once
 */
export async function askForPasskey(options, signal) {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  return sent(await navigator.credentials.get({ publicKey, ...(signal && { mediation: "conditional", signal }) }));
}

/** @param {Credential | null} found */
const sent = (found) => (found instanceof PublicKeyCredential ? found.toJSON() : null);
