// The host's view through the camera: a picture a second, and the table's corners to be dragged.
"use strict";

const LOOK = 1000;
let corners = [[0.2, 0.2], [0.8, 0.2], [0.8, 0.8], [0.2, 0.8]]; // clockwise, as shares of the picture

async function look() {
  const view = document.getElementById("viewfinder");
  if (view && !document.hidden) {
    const answer = await fetch(view.dataset.picture).catch(() => null);
    if (answer?.status === 200) {
      const url = URL.createObjectURL(await answer.blob());
      const picture = view.querySelector("img");
      picture.onload = () => URL.revokeObjectURL(url);
      picture.src = url;
    }
  }
  setTimeout(look, LOOK);
}
look();

function draw(view) {
  view.querySelector("polygon").setAttribute("points", corners.map((at) => at.join()).join(" "));
  view.querySelectorAll(".corner").forEach((handle, number) => {
    const [x, y] = corners[number];
    handle.style.left = `${100 * x}%`;
    handle.style.top = `${100 * y}%`;
  });
}

function move(handle, x, y) {
  const within = (value) => Math.min(1, Math.max(0, value));
  corners[handle.dataset.corner] = [within(x), within(y)];
  draw(handle.closest("#viewfinder"));
}

document.addEventListener("pointerdown", (down) => {
  const handle = down.target.closest(".corner");
  if (!handle) return;
  const drag = (pointer) => {
    const box = handle.parentElement.getBoundingClientRect();
    move(handle, (pointer.clientX - box.x) / box.width, (pointer.clientY - box.y) / box.height);
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
  move(handle, x + STEPS[key.key][0] / 200, y + STEPS[key.key][1] / 200);
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
