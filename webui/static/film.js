// Keeps the demo's film in step with what the camera sees of it.
"use strict";

const shown = document.querySelector("#film video");
const ASK_EVERY = 5; // checks between two requests for the server's clock
const CHECK_EVERY = 1000; // milliseconds
const TOLERANCE = 0.3; // seconds that nobody notices

let began = null; // when the film began, by this page's clock; null while it is not shown

async function ask() {
  const asked = performance.now();
  const clock = await reach(shown.parentElement.dataset.clock)
    .then((answer) => (answer.status === 200 ? answer.json() : null))
    .catch(() => null);
  began = clock && (asked + performance.now()) / 2 - 1000 * clock.at;
}

function keepStep() {
  shown.hidden = began === null;
  if (began === null || !shown.duration) return shown.pause();
  const at = ((performance.now() - began) / 1000) % shown.duration;
  const apart = Math.abs(at - shown.currentTime);
  if (Math.min(apart, shown.duration - apart) > TOLERANCE) shown.currentTime = at;
  if (shown.paused) shown.play().catch(() => {}); // a browser may want a tap first
}

let checks = 0;
async function check() {
  if (!document.hidden) {
    if (began === null || checks % ASK_EVERY === 0) await ask();
    keepStep();
    checks += 1;
  }
  setTimeout(check, CHECK_EVERY);
}
check();
document.addEventListener("visibilitychange", () => { checks = 0; });
