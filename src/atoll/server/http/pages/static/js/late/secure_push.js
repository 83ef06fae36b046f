// Functions of secure contexts that change the subscription on the rare pages about notifications; see ../secure.js.

import { subscription, TOLD } from "../secure.js";

/** Return whether the browser may show notifications without asking the person. */
export const mayNotify = () => Notification.permission === "granted";

/**
 * Subscribe again to the push service, which the person has allowed.
 * @param {string} key of the server
 */
export async function subscribe(key) {
  const old = await subscription();
  await old?.unsubscribe(); // a subscription with another key can't be used
  const worker = await navigator.serviceWorker.ready;
  return worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

/**
 * Change the subscription while no other page, and not the worker, changes it; see worker.js.
 * @template Result
 * @param {() => Promise<Result>} work
 * @returns {Promise<Result>}
 */
export const changePush = (work) => navigator.locks.request("atoll-push", work);

/** Ask the person whether this browser may show notifications. */
export const askToNotify = async () => (await Notification.requestPermission()) === "granted";

/** @param {string} address "" to forget it */
export async function keepPush(address) {
  const cache = await caches.open("atoll");
  if (address) await cache.put(TOLD, new Response(address));
  else await cache.delete(TOLD);
}
