// Refreshes what the table believes, once a second.
"use strict";

const insight = document.getElementById("insight");
const EVERY = 1000;

async function look() {
  if (!document.hidden) {
    const part = await reach(insight.dataset.part)
      .then((answer) => (answer.ok ? answer.text() : null))
      .catch(() => null);
    if (part !== null) Idiomorph.morph(insight, part, { morphStyle: "innerHTML" });
  }
  setTimeout(look, EVERY);
}
setTimeout(look, EVERY);
