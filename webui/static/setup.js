// Set-up: the ranks of a game are drawn as the chosen deck prints them.
"use strict";

function draw(game) {
  const suits = game.querySelector('.decks [type="radio"]:checked');
  const chosen = suits && suits.closest("p").querySelector("select");
  if (!chosen) return;
  for (const card of game.querySelectorAll("[data-signs]")) {
    const rank = card.querySelector(".rank"), sign = JSON.parse(card.dataset.signs)[chosen.value];
    rank.textContent = sign;
    rank.classList.toggle("word", sign.length > 2);
    rank.classList.toggle("short", sign.length > 2 && sign.length <= 4);
  }
}

for (const game of document.querySelectorAll(".game")) {
  game.addEventListener("change", event => {
    // Whoever says what is printed on Spanish cards plays with Spanish cards.
    if (event.target.matches(".decks select")) event.target.closest("p").querySelector('[type="radio"]').checked = true;
    if (event.target.closest(".decks")) draw(game);
  });
  draw(game); // a browser may have kept what was chosen before
}

// A table of a club waits here for the draw; what is typed meanwhile stays.
if (document.querySelector("[data-wait]")) setInterval(async () => {
  const answer = await reach("/live/host/poll").catch(() => null);
  if (answer && answer.ok && (await answer.json()).match !== null) location.reload();
}, 3000);
