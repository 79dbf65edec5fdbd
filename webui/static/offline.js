// On the page that says that the table does not answer: tries again until it does.
"use strict";

async function again() {
  const answer = await fetch(location.href, { method: "HEAD", cache: "no-store" }).catch(() => null);
  if (answer) location.reload();
  else setTimeout(again, 3000);
}
setTimeout(again, 3000);
