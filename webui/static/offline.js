// The table could not be reached: goes to the page that was asked for as soon as it can be.
"use strict";

async function again() {
  const answer = await fetch(location.href, { method: "HEAD", cache: "no-store" }).catch(() => null);
  if (answer) location.reload();
  else setTimeout(again, 3000);
}
setTimeout(again, 3000);
