// The page on which the host sets the camera up: a picture a second with the players' names, the
// table's corners to drag, and the count of the deck.
"use strict";

const PICTURE_EVERY = 1000; // milliseconds
const COUNT_EVERY = 1500;
const LEAVE_AFTER = 6000; // once the camera is ready
let waited = false; // whether the camera was not ready before, on this page
let leaving = null; // the timer
let stays = false; // whether somebody has touched the page
let corners = [[0.2, 0.2], [0.8, 0.2], [0.8, 0.8], [0.2, 0.8]]; // clockwise, as shares of the picture

async function showPicture() {
  leaveOnceReady();
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
    labelSeats(view);
  }
  setTimeout(showPicture, PICTURE_EVERY);
}
showPicture();

// Once the camera becomes ready, the page goes to the table by itself, so that whoever moves the lamp
// need not come back for a tap. It stays where somebody has touched it.
function leaveOnceReady() {
  const todo = document.querySelector("#live > .todo");
  const ready = todo?.querySelector("a");
  if (todo && !ready) {
    waited = true;
    clearTimeout(leaving);
    leaving = null;
  } else if (ready && waited && !stays && !leaving) {
    say(ready.dataset.soon);
    leaving = setTimeout(() => location.assign(ready.href), LEAVE_AFTER);
  }
}

for (const touch of ["pointerdown", "keydown"]) {
  document.addEventListener(touch, () => {
    stays = true;
    clearTimeout(leaving);
  });
}

// Writes the players' names into the picture, once it is known who sits where.
function labelSeats(view) {
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

// Counts the deck while the count is open on the page; a link to it opens it.
async function count() {
  const deck = document.getElementById("deck");
  if (deck && location.hash === "#deck") {
    deck.open = stays = true;
    history.replaceState(null, "", location.pathname + location.search);
  }
  if (deck?.open && !document.hidden && !document.getElementById("sheet").open) {
    const counted = await reach(deck.dataset.count)
      .then((answer) => (answer.status === 200 ? answer.text() : null))
      .catch(() => null);
    if (counted !== null) {
      Idiomorph.morph(deck.querySelector(".counted"), counted, { morphStyle: "innerHTML" });
    }
  }
  setTimeout(count, COUNT_EVERY);
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
