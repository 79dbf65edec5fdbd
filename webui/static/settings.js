// The settings of this device: sounds, colours, a screen that stays awake.
"use strict";

const settings = {
  // Quiet by default; a phone in a hand may buzz.
  get: (name) => localStorage.getItem("trucam." + name) ?? (name === "buzz" ? "1" : ""),
  set: (name, value) => localStorage.setItem("trucam." + name, value),
};

for (const input of document.querySelectorAll("[data-setting]")) {
  const name = input.dataset.setting;
  if (input.type === "checkbox") input.checked = Boolean(settings.get(name));
  else input.value = settings.get(name);
  input.addEventListener("change", () => {
    settings.set(name, input.type === "checkbox" ? (input.checked ? "1" : "") : input.value);
    for (const same of document.querySelectorAll(`[data-setting=${name}]`)) same.checked = input.checked;
    document.documentElement.dataset.look = settings.get("look");
    if (name === "awake") awake();
    document.dispatchEvent(new CustomEvent("setting", { detail: name }));
  });
}
for (const select of document.querySelectorAll("[data-submits]")) {
  select.addEventListener("change", () => select.form.submit());
}

// Keeps the shell of the pages on this device (see worker.js), later than what this page needs itself.
// A browser refuses that where it does not trust the certificate; nothing else depends on it.
if (window.isSecureContext && navigator.serviceWorker) {
  const keep = () => navigator.serviceWorker.register("/worker.js").catch(() => null);
  addEventListener("load", () => setTimeout(keep, 10000));
}

// Keeps the screen awake. Over plain http there is no wake lock: there, a tiny hidden video plays.
let film = null;
let lock = null; // the browser releases it by itself when the page is hidden
async function awake() {
  if (!settings.get("awake")) {
    film?.pause();
    lock?.release();
    lock = null;
    return;
  }
  if (navigator.wakeLock) {
    if (!lock || lock.released) lock = await navigator.wakeLock.request("screen").catch(() => null);
    if (!settings.get("awake")) lock?.release(); // it was switched off meanwhile
    return;
  }
  if (!film) {
    film = document.createElement("video");
    film.muted = film.loop = film.playsInline = true;
    for (const kind of ["webm", "mp4"]) {
      const source = document.createElement("source");
      source.src = `/static/awake.${kind}`;
      film.append(source);
    }
    film.className = "awake";
    film.setAttribute("aria-hidden", "true");
    document.body.append(film);
  }
  film.play().catch(() => null);
}
// A TV shows its menu while somebody moves the mouse or presses a key.
let still = null;
for (const moved of ["pointermove", "pointerdown", "keydown"]) {
  document.addEventListener(moved, () => {
    document.body.classList.add("handled");
    clearTimeout(still);
    still = setTimeout(() => {
      if (!document.querySelector(".settings[open]")) document.body.classList.remove("handled");
    }, 4000);
  });
}
document.addEventListener("pointerdown", awake, { once: true });
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) awake();
});

document.addEventListener("click", (click) => {
  if (!click.target.closest("[data-fullscreen]")) return;
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen().catch(() => null);
});
