// The shell of the pages, kept on this device: style, scripts and the page that says that the table
// does not answer. What the table shows is never kept: it would be old.
"use strict";

const SHELL = "trucam {{ assets }} {{ language }}";
const OFFLINE = {{ url_for("shell.offline")|tojson }};
const KEPT = [
{% for name in kept %}
  {{ url_for("static", filename=name, v=assets if name.endswith((".css", ".js")) else none)|tojson }},
{% endfor %}
];

self.addEventListener("install", (install) => {
  install.waitUntil(caches.open(SHELL).then((shell) => shell.addAll([OFFLINE, ...KEPT])).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (activate) => {
  const clear = async () => {
    for (const name of await caches.keys()) if (name !== SHELL) await caches.delete(name);
    await self.clients.claim();
  };
  activate.waitUntil(clear());
});

self.addEventListener("fetch", (fetched) => {
  const { request } = fetched;
  const path = new URL(request.url).pathname;
  if (request.mode === "navigate") {
    fetched.respondWith(fetch(request).catch(() => caches.match(OFFLINE)));
  } else if (request.method === "GET" && path.startsWith("/static/")) {
    fetched.respondWith(caches.match(request).then((kept) => kept ?? fetch(request)));
  }
});
