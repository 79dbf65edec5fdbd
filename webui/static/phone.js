// A phone as the table's camera: its pictures go to the table one after the other, the newest only,
// and what the table makes of them comes back in words.
"use strict";

const page = document.body.dataset;
const video = document.getElementById("video");
const text = document.getElementById("text");
const again = document.getElementById("again");
const dark = document.getElementById("dark");
const canvas = document.createElement("canvas");
const me = crypto.randomUUID(); // this page's name, for one evening
const headers = { Authorization: `Bearer ${page.key}`, Accept: "application/json" };

const LONGEST = 1280; // pixels of a picture's longer side
const AT_ONCE = 2; // pictures on their way: one is encoded while another travels
const BEST = 0.85, LEAST = 0.4; // quality of a JPEG
const QUICK = 80, SLOW = 200; // milliseconds of a picture's way: better pictures below, smaller ones above
const LOOK = 1000, RETRY = 1500;
const DARK_AFTER = 60000; // a screen that shines for hours is warm and empty

let quality = BEST;
let underway = 0;
let slow = 0; // pictures in a row that were slow at the least quality
let refused = ""; // what the table last said against a picture

function say(words, ready = false) {
  if (text.textContent !== words) text.textContent = words;
  text.classList.toggle("ready", ready);
}

// --- the camera ---

async function open(device = localStorage.getItem("trucam.lens")) {
  again.hidden = true;
  say(page.starts);
  close();
  const size = { width: { ideal: 1280 }, height: { ideal: 720 }, frameRate: { ideal: 30 } };
  const lens = device ? { deviceId: { exact: device } } : { facingMode: { ideal: "environment" } };
  try {
    const stream = await navigator.mediaDevices.getUserMedia({ video: { ...size, ...lens }, audio: false });
    const track = stream.getVideoTracks()[0];
    track.onended = () => setTimeout(open, RETRY); // a call came, or another app took it
    video.srcObject = stream;
    await video.play().catch(() => null);
    await offer(track);
    stayAwake();
  } catch (error) {
    if (device) {
      localStorage.removeItem("trucam.lens"); // that lens is on another phone
      return open(null);
    }
    say(error.name === "NotAllowedError" ? page.denied : page.none);
    again.hidden = false;
    if (error.name !== "NotAllowedError") setTimeout(() => again.hidden || open(), 2 * RETRY);
  }
}

function close() {
  for (const track of video.srcObject?.getTracks() ?? []) {
    track.onended = null;
    track.stop();
  }
  video.srcObject = null;
}

// What this phone lets a page set.
async function offer(track) {
  const can = track.getCapabilities?.() ?? {};
  const is = track.getSettings();
  const lenses = (await navigator.mediaDevices.enumerateDevices()).filter((one) => one.kind === "videoinput");
  const which = document.getElementById("which");
  which.hidden = lenses.length < 2;
  which.querySelector("select").replaceChildren(
    ...lenses.map((one, number) => new Option(one.label || number + 1, one.deviceId, false, one.deviceId === is.deviceId)),
  );
  slider("zoom", can.zoom, is.zoom, (zoom) => ({ zoom }));
  slider("focus", can.focusDistance, is.focusDistance, (focusDistance) => ({ focusMode: "manual", focusDistance }));
  document.getElementById("lamp").hidden = !can.torch;
  if (can.focusMode?.includes("continuous")) apply({ focusMode: "continuous" });
}

function slider(name, range, value, constraint) {
  const label = document.getElementById(name);
  label.hidden = !range || range.max <= range.min;
  if (label.hidden) return;
  const input = label.querySelector("input");
  Object.assign(input, { min: range.min, max: range.max, step: range.step || "any" });
  input.value = value ?? range.min;
  input.oninput = () => apply(constraint(Number(input.value)));
}

const apply = (constraint) =>
  video.srcObject?.getVideoTracks()[0]?.applyConstraints({ advanced: [constraint] }).catch(() => null);

document.querySelector("#which select").onchange = (change) => {
  localStorage.setItem("trucam.lens", change.target.value);
  open();
};
document.querySelector("#lamp input").onchange = (change) => apply({ torch: change.target.checked });
again.querySelector("button").onclick = () => open();

// --- the pictures ---

function taken(now, frame) {
  if (underway < AT_ONCE && video.videoWidth && !document.hidden) send(frame?.captureTime ?? now);
  next();
}

function next() {
  if (video.requestVideoFrameCallback) video.requestVideoFrameCallback(taken);
  else requestAnimationFrame(taken);
}

async function send(at) {
  underway += 1;
  try {
    const scale = Math.min(1, LONGEST / Math.max(video.videoWidth, video.videoHeight));
    const [width, height] = [video.videoWidth, video.videoHeight].map((side) => Math.round(side * scale));
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    canvas.getContext("2d", { alpha: false }).drawImage(video, 0, 0, width, height);
    const body = await new Promise((done) => canvas.toBlob(done, "image/jpeg", quality));
    const left = performance.now();
    const answer = await fetch(page.picture, {
      method: "POST", body, headers: { ...headers, "X-Phone": me, "X-Taken": (at / 1000).toFixed(4) },
    });
    adapt(performance.now() - left);
    refused = answer.ok ? "" : (await answer.json().catch(() => ({}))).sentence ?? page.lost;
  } catch {
    refused = page.lost;
  }
  if (refused) await new Promise((done) => setTimeout(done, RETRY));
  underway -= 1;
}

// A slow network gets smaller pictures, and fewer of them; none waits.
function adapt(way) {
  if (way > SLOW) quality = Math.max(LEAST, quality - 0.1);
  else if (way < QUICK) quality = Math.min(BEST, quality + 0.02);
  slow = way > 3 * SLOW && quality === LEAST ? slow + 1 : 0;
}

// --- what the table makes of them ---

async function look() {
  if (!document.hidden && video.videoWidth) {
    try {
      const answer = await fetch(page.state, { headers });
      const seen = await answer.json();
      if (!answer.ok || refused) say(refused || seen.sentence);
      else say(slow > 5 ? page.slow : seen.text, seen.ready && slow <= 5);
      document.getElementById("outline").setAttribute("points", (seen.outline ?? []).map((at) => at.join()).join(" "));
    } catch {
      say(page.lost);
    }
    fit();
  }
  setTimeout(look, LOOK);
}

// The outline lies on the picture, not on the black beside it.
function fit() {
  document.querySelector("#view svg").setAttribute("viewBox", `0 0 ${video.videoWidth} ${video.videoHeight}`);
  document.querySelector("#view svg").setAttribute("preserveAspectRatio", "xMidYMid meet");
  const outline = document.getElementById("outline");
  outline.setAttribute("transform", `scale(${video.videoWidth} ${video.videoHeight})`);
}

// --- the screen ---

async function stayAwake() {
  await navigator.wakeLock?.request("screen").catch(() => null);
}

let bright = setTimeout(darken, DARK_AFTER);
function darken() {
  if (text.classList.contains("ready")) dark.hidden = false;
  else bright = setTimeout(darken, DARK_AFTER);
}
document.getElementById("dim").onclick = () => { dark.hidden = false; };
dark.onclick = () => {
  dark.hidden = true;
  clearTimeout(bright);
  bright = setTimeout(darken, DARK_AFTER);
};
// After a call or the lock screen the camera may be gone without a word.
document.addEventListener("visibilitychange", () => {
  if (document.hidden) return;
  const track = video.srcObject?.getVideoTracks()[0];
  if (!track || track.readyState === "ended" || track.muted) open();
  else stayAwake();
});

open();
next();
look();
