// Set-up: shows the ranks of each game as the chosen deck prints them.
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
    // Who chooses a printing of Spanish cards has also chosen Spanish cards.
    if (event.target.matches(".decks select")) event.target.closest("p").querySelector('[type="radio"]').checked = true;
    if (event.target.closest(".decks")) draw(game);
  });
  draw(game); // after a reload, a browser keeps what was chosen before
}

// A club's table waits here for the draw, without a reload: what people type meanwhile stays.
if (document.querySelector("[data-wait]")) setInterval(async () => {
  const answer = await reach("/live/host/poll").catch(() => null);
  if (answer && answer.ok && (await answer.json()).match !== null) location.reload();
}, 3000);
