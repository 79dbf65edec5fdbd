// Celebrates a trick, a hand, a game and a match that were won, each more than the one before.
"use strict";

// For how many milliseconds, and with how many flying or falling suits.
const WON = {
  trick: { shown: 1200, suits: 0 },
  hand: { shown: 2500, suits: 16 },
  game: { shown: 5000, suits: 80 },
  match: { shown: 12000, suits: 240 },
};
const COLOURS = ["#ffd24a", "#ffe9a8", "#e2574c", "#7cc0f0", "#fff8ea"];

let calming = null;

function celebrate(sounds) {
  const won = Object.keys(WON).findLast((what) => sounds.includes(what));
  if (!won) return;
  document.body.dataset.won = won; // the style sheet has the animations for it
  clearTimeout(calming);
  calming = setTimeout(() => delete document.body.dataset.won, WON[won].shown);
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  if (document.body.classList.contains("overlay")) return; // the film behind it stays clear
  const winner = document.querySelector(`.side-${document.querySelector("[data-side]")?.dataset.side}`);
  const spanish = document.querySelector(".card use[href='#suit-O'], .card use[href='#suit-U'], " +
    ".card use[href='#suit-E'], .card use[href='#suit-B']");
  for (let n = 0; n < WON[won].suits; n += 1) {
    const suit = (spanish ? "OUEB" : "SHDC")[n % 4];
    if (won === "hand") fly(suit, winner);
    else fall(suit, WON[won].shown);
  }
}

// Flies out of the winner's score.
function fly(suit, winner) {
  if (!winner) return;
  const box = winner.getBoundingClientRect();
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  const way = Math.random() * 2 * Math.PI;
  const far = box.width * (0.5 + Math.random() / 2);
  move(suit, 900 + 600 * Math.random(), 0, [
    { transform: `translate(${x}px, ${y}px) scale(.3)`, opacity: 1 },
    { transform: `translate(${x + far * Math.cos(way)}px, ${y + far * Math.sin(way)}px) rotate(${way}rad)`, opacity: 0 },
  ]);
}

// Falls through the whole screen, at any time while the celebration lasts.
function fall(suit, shown) {
  const x = Math.random() * innerWidth;
  const drift = (Math.random() - 0.5) * innerWidth * 0.2;
  const turn = (Math.random() - 0.5) * 900;
  const seconds = 2200 + 1800 * Math.random();
  move(suit, seconds, Math.random() * (shown - 2500), [
    { transform: `translate(${x}px, -10vh)` },
    { transform: `translate(${x + drift}px, 110vh) rotate(${turn}deg)` },
  ]);
}

function move(suit, duration, delay, way) {
  const piece = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  piece.append(document.createElementNS("http://www.w3.org/2000/svg", "use"));
  piece.firstChild.setAttribute("href", `#suit-${suit}`);
  piece.setAttribute("class", "flying");
  piece.setAttribute("aria-hidden", "true");
  piece.style.color = COLOURS[Math.floor(Math.random() * COLOURS.length)];
  document.body.append(piece);
  const moving = piece.animate(way, { duration, delay, fill: "both", easing: "ease-out" });
  moving.onfinish = moving.oncancel = () => piece.remove();
}
