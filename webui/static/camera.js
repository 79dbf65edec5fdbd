// The host's view through the camera: a picture a second with the players' names, the table's corners
// to be dragged, and the deck as it is counted.
"use strict";

const LOOK = 1000;
const COUNT = 1500;
const SOON = 6000; // before the table comes by itself
let waited = false; // for the camera to become ready
let leaving = null;
let stays = false;
let corners = [[0.2, 0.2], [0.8, 0.2], [0.8, 0.8], [0.2, 0.8]]; // clockwise, as shares of the picture

async function look() {
  goOn();
  const view = document.getElementById("viewfinder");
  if (view && !document.hidden) {
    const seen = await reach(view.dataset.picture)
      .then((answer) => (answer.status === 200 ? answer.blob() : null))
      .catch(() => null);
    if (seen) {
      const url = URL.createObjectURL(seen);
      const picture = view.querySelector("img");
      picture.onload = () => URL.revokeObjectURL(url);
      picture.src = url;
    }
    name(view);
  }
  setTimeout(look, LOOK);
}
look();

// Once the camera has become ready before somebody's eyes, the table comes by itself: nobody has to
// come back from the lamp for a tap. Whoever touches this page stays.
function goOn() {
  const todo = document.querySelector("#live > .todo");
  const ready = todo?.querySelector("a");
  if (todo && !ready) {
    waited = true;
    clearTimeout(leaving);
    leaving = null;
  } else if (ready && waited && !stays && !leaving) {
    say(ready.dataset.soon);
    leaving = setTimeout(() => location.assign(ready.href), SOON);
  }
}

for (const touch of ["pointerdown", "keydown"]) {
  document.addEventListener(touch, () => {
    stays = true;
    clearTimeout(leaving);
  });
}

// Who sits where, as far as that is known.
function name(view) {
  const spots = JSON.parse(document.getElementById("spots")?.dataset.spots ?? "[]");
  view.querySelectorAll(".spot").forEach((label) => label.remove());
  if (document.getElementById("deck")?.open) return;
  for (const spot of spots) {
    const label = document.createElement("span");
    label.className = "spot";
    label.textContent = spot.name;
    label.style.left = `${spot.x}%`;
    label.style.top = `${spot.y}%`;
    view.querySelector(".seen").append(label);
  }
}

// The deck is counted while somebody looks at the count.
async function count() {
  const deck = document.getElementById("deck");
  if (deck?.open && !document.hidden && !document.getElementById("sheet").open) {
    const counted = await reach(deck.dataset.count)
      .then((answer) => (answer.status === 200 ? answer.text() : null))
      .catch(() => null);
    if (counted !== null) {
      Idiomorph.morph(deck.querySelector(".counted"), counted, { morphStyle: "innerHTML" });
    }
  }
  setTimeout(count, COUNT);
}
count();

function draw(view) {
  view.querySelector("polygon").setAttribute("points", corners.map((at) => at.join()).join(" "));
  view.querySelectorAll(".corner").forEach((handle, number) => {
    const [x, y] = corners[number];
    handle.style.left = `${100 * x}%`;
    handle.style.top = `${100 * y}%`;
  });
}

function moveCorner(handle, x, y) {
  const within = (value) => Math.min(1, Math.max(0, value));
  corners[handle.dataset.corner] = [within(x), within(y)];
  draw(handle.closest("#viewfinder"));
}

document.addEventListener("pointerdown", (down) => {
  const handle = down.target.closest(".corner");
  if (!handle) return;
  const drag = (pointer) => {
    const box = handle.parentElement.getBoundingClientRect();
    moveCorner(handle, (pointer.clientX - box.x) / box.width, (pointer.clientY - box.y) / box.height);
  };
  handle.setPointerCapture(down.pointerId);
  handle.addEventListener("pointermove", drag);
  for (const end of ["pointerup", "pointercancel"]) {
    handle.addEventListener(end, () => handle.removeEventListener("pointermove", drag), { once: true });
  }
});

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
document.addEventListener("keydown", (key) => {
  const handle = key.target.closest?.(".corner");
  if (!handle || !(key.key in STEPS)) return;
  key.preventDefault();
  const [x, y] = corners[handle.dataset.corner];
  moveCorner(handle, x + STEPS[key.key][0] / 200, y + STEPS[key.key][1] / 200);
});

document.addEventListener("click", async (click) => {
  const button = click.target.closest("[data-place]");
  const view = button?.closest("#viewfinder");
  if (!view) return;
  if (button.dataset.place !== "use") {
    view.classList.add("placing");
    draw(view);
  } else if (await send(view.dataset.corners, { corners })) view.classList.remove("placing");
});
