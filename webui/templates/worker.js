// The shell of the pages, kept on this device: style, scripts and the page that says that the table
// does not answer; and the rules, which do not grow old. What the table shows is never kept.
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

// The rules as the table has them now.
async function keep(rules, page) {
  if (rules && page.ok) await (await caches.open(SHELL)).put(RULES, page.clone());
  return page;
}
