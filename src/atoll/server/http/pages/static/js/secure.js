// Functions of the browser that exist only in secure contexts (https, or this machine itself), and their substitutes. A
// table in a local network is served over plain http, so only this module and late/secure_*.js may use such functions.

import { toHex } from "./sha256.js";

const KEY_BYTES = 16;

/** Return a random key, by which the server recognizes a repeated command. */
export const randomKey = () => toHex(crypto.getRandomValues(new Uint8Array(KEY_BYTES)));

/** Return whether the device has its own sheet for sharing. */
export const canShare = () => "share" in navigator;

/** @param {ShareData} what */
export function share(what) {
  navigator.share(what).catch(() => null); // the sheet was closed, or has no target
}

/**
 * Copy the text of a field. If the browser refuses, select the text and return false.
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
 * Copy a text that is still being loaded, since some browsers allow copying only while the button is being pressed.
 * Return false if the browser refuses.
 * @param {Promise<string>} text
 */
export async function copyComing(text) {
  // The caller also awaits the text, and handles its errors.
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

/** Start the worker that shows notifications, and a page when the server can't be reached. Pages work without it. */
export function startWorker() {
  navigator.serviceWorker?.register("/worker.js").catch(() => null);
}

/** Return whether the push service can notify this browser. */
export const canPush = () => "serviceWorker" in navigator && "PushManager" in window;

/** Return the subscription to the push service; null without one. */
export async function subscription() {
  const worker = await navigator.serviceWorker.ready;
  return worker.pushManager.getSubscription();
}

// The address at which the worker also finds the subscription that the server received last; see worker.js.
export const TOLD = "/told-push";

/** Return the address of that subscription; "" without one. */
export async function toldPush() {
  const found = await (await caches.open("atoll")).match(TOLD);
  return found ? found.text() : "";
}
