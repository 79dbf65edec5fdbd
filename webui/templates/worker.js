// The service worker. It keeps the shell of the pages on this device: style, scripts, the rules, and
// the page that says that the table does not answer. It never keeps what the table shows.
"use strict";

const SHELL = "trucam {{ assets }} {{ language }}";
const OFFLINE = {{ url_for("shell.offline")|tojson }};
const RULES = {{ url_for("rules.table")|tojson }};
const KEPT = [
{% for name in kept %}
  {{ url_for("static", filename=name, v=assets if name.endswith((".css", ".js")) else none)|tojson }},
{% endfor %}
];

self.addEventListener("install", (install) => {
  install.waitUntil(caches.open(SHELL).then((shell) => shell.addAll([OFFLINE, RULES, ...KEPT])).then(() => self.skipWaiting()));
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
  const { pathname, search } = new URL(request.url);
  const rules = pathname === RULES && !search; // with ?game= they are another game's
  if (request.mode === "navigate") {
    fetched.respondWith(fetch(request).then((page) => keep(rules, page), () => caches.match(pathname === RULES ? RULES : OFFLINE)));
  } else if (request.method === "GET" && pathname.startsWith("/static/")) {
    fetched.respondWith(caches.match(request).then((kept) => kept ?? fetch(request)));
  }
});

// Keeps the rules anew whenever they were loaded.
async function keep(rules, page) {
  if (rules && page.ok) await (await caches.open(SHELL)).put(RULES, page.clone());
  return page;
}
