// Pages from the network, and without one as they came last.
const STORE = "mapkit", FILES = ["index.html", "manifest.webmanifest", "icon.svg"];
self.addEventListener("install", (event) => event.waitUntil(caches.open(STORE).then((store) => store.addAll(FILES))));
self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") { return; }
  event.respondWith(fetch(event.request).then(async (answer) => {
    if (answer.ok) { await (await caches.open(STORE)).put(event.request, answer.clone()); }
    return answer;
  }).catch(async () => (await caches.match(event.request)) || caches.match("index.html")));
});
