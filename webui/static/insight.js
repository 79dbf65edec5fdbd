// Shows what the table believes as it changes.
"use strict";

const insight = document.getElementById("insight");
const EVERY = 1000;

async function look() {
  if (!document.hidden) {
    const answer = await fetch(insight.dataset.part).catch(() => null);
    if (answer?.ok) Idiomorph.morph(insight, await answer.text(), { morphStyle: "innerHTML" });
  }
  setTimeout(look, EVERY);
}
setTimeout(look, EVERY);
