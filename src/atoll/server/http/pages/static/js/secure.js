// Functions of the browser that exist only in secure contexts (https, or this machine itself), and their substitutes.
// A table in a local network is served over plain http: only this module and late/secure_*.js may use such a function.

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

/** Its subscription to the push service; null if there is none. */
export async function subscription() {
  const worker = await navigator.serviceWorker.ready;
  return worker.pushManager.getSubscription();
}

// The address of the subscription that the server was told last, where the worker finds it as well; see worker.js.
export const TOLD = "/told-push";

/** That address; "" if none was told. */
export async function toldPush() {
  const found = await (await caches.open("atoll")).match(TOLD);
  return found ? found.text() : "";
}
