// Runs beside the pages: shows what comes by push, and says it when the server can't be reached.

const OFFLINE = "/offline";

/** @type {any} a ServiceWorkerGlobalScope, whose types exclude those of pages */
const worker = self;

worker.addEventListener("install", (/** @type {any} */ event) => {
  const kept = caches
    .open("atoll")
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
