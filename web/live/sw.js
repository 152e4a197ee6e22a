// The service worker. It shows a page that explains what to do when the server does not answer.

const CACHE = "offline";
const FILES = ["offline.html", "base.css", "icon.svg"];

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)));
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const file = new URL(request.url).pathname.slice(1);
  if (request.mode === "navigate") {
    event.respondWith(fetch(request).catch(() => caches.match("offline.html")));
  } else if (FILES.includes(file)) {
    event.respondWith(fetch(request).catch(() => caches.match(file)));
  }
});
