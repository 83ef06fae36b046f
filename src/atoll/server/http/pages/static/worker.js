// The service worker: it shows push notifications, and a page when the server can't be reached.

const OFFLINE = "/offline";
const CACHE = "atoll";
const PUSH = "/settings/push";
const TOLD = "/told-push"; // address of the subscription that the server received last; see secure.js

/** @type {any} a ServiceWorkerGlobalScope, whose types exclude those of pages */
const worker = self;

worker.addEventListener("install", (/** @type {any} */ event) => {
  const kept = caches
    .open(CACHE)
    .then((cache) =>
      cache.addAll([
        OFFLINE,
        "/static/picture.css",
        "/static/site.css",
        "/static/pages.css",
        "/static/contrast.css",
        "/static/atoll.svg",
      ]),
    );
  event.waitUntil(kept.then(() => worker.skipWaiting()));
});
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(worker.clients.claim()));

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  if (request.mode === "navigate" && request.method === "GET") {
    event.respondWith(fetch(request).catch(() => caches.match(OFFLINE)));
  } else if (request.method === "GET" && new URL(request.url).pathname.startsWith("/static/")) {
    event.respondWith(fetch(request).catch(async () => (await caches.match(request)) ?? Response.error()));
  }
});

worker.addEventListener("push", (/** @type {any} */ event) => {
  const { title, text, link, tag } = event.data.json();
  const shown = {
    body: text,
    tag,
    renotify: true,
    icon: "/static/icon-192.png",
    badge: "/static/icon-192.png",
    data: link,
  };
  event.waitUntil(worker.registration.showNotification(title, shown));
});

worker.addEventListener("notificationclick", (/** @type {any} */ event) => {
  event.notification.close();
  const address = new URL(event.notification.data, worker.location.origin);
  const open = async () => {
    const windows = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
    const there = windows.find((/** @type {any} */ each) => new URL(each.url).pathname === address.pathname);
    return there ? there.focus() : worker.clients.openWindow(address.pathname);
  };
  event.waitUntil(open());
});

// The push service has ended or replaced the subscription. The worker reports the new one to the server, even if no
// page is open. If that fails, the next page does it; see push_check.js.
worker.addEventListener("pushsubscriptionchange", (/** @type {any} */ event) =>
  event.waitUntil(worker.navigator.locks.request("atoll-push", () => renew(event))),
);

/** @param {{ oldSubscription?: PushSubscription | null, newSubscription?: PushSubscription | null }} event */
async function renew({ oldSubscription, newSubscription }) {
  const cache = await caches.open(CACHE);
  const told = await (await cache.match(TOLD))?.text();
  const facts = await fetch(PUSH);
  if (!facts.ok) return; // nobody is signed in
  const { key, csrf } = await facts.json();
  const wanted = { userVisibleOnly: true, applicationServerKey: key };
  const made = newSubscription ?? (await worker.registration.pushManager.subscribe(wanted).catch(() => null));
  const { endpoint = "", keys = {} } = made?.toJSON() ?? {};
  const body = new URLSearchParams({ old: told ?? oldSubscription?.endpoint ?? "", url: endpoint, ...keys });
  const answer = await fetch(PUSH, { method: "POST", body, headers: { "X-CSRF": csrf } });
  if (endpoint && answer.ok && (await answer.json()).state === "ready") await cache.put(TOLD, new Response(endpoint));
}
