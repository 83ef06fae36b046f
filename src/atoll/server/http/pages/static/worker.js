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

// The browser has replaced its subscription. Pages do the same if this can't, or if the browser doesn't say which it was.
worker.addEventListener("pushsubscriptionchange", (/** @type {any} */ event) => event.waitUntil(renew(event)));

/** @param {any} event */
async function renew({ oldSubscription: old, newSubscription }) {
  if (!old) return;
  const made = newSubscription ?? (await worker.registration.pushManager.subscribe(old.options));
  const page = await (await fetch("/settings/notices")).text();
  const csrf = page.match(/<meta name="csrf" content="([^"]+)">/)?.[1] ?? "";
  const bytes = String.fromCharCode(...new Uint8Array(made.options.applicationServerKey));
  const key = btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  const { endpoint, keys } = made.toJSON();
  const body = new URLSearchParams({ known: old.endpoint, url: endpoint, ...keys, key });
  await fetch("/settings/notices/push", { method: "POST", headers: { "X-CSRF": csrf }, body });
}

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
