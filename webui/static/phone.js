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
const RICH = 2500000, POOR = 400000; // bits a second of a film
const KEY_EVERY = 60; // pictures of a film, of which one stands by itself
const QUICK = 80, SLOW = 200; // milliseconds of a picture's way: better pictures below, smaller ones above
const LOOK = 1000, RETRY = 1500;
const DARK_AFTER = 60000; // a screen that shines for hours is warm and empty

let quality = 1; // from 0, the least, to 1, the best
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
    draw();
    for (const picture of await encoded(at)) await deliver(picture, at);
  } catch {
    fail(page.lost);
  }
  if (refused) await new Promise((done) => setTimeout(done, RETRY));
  underway -= 1;
}

// The newest picture, at the size that is sent; films want even sides.
function draw() {
  const scale = Math.min(1, LONGEST / Math.max(video.videoWidth, video.videoHeight));
  const [width, height] = [video.videoWidth, video.videoHeight].map((side) => 2 * Math.round((side * scale) / 2));
  if (canvas.width !== width || canvas.height !== height) {
    Object.assign(canvas, { width, height });
    film.close();
  }
  canvas.getContext("2d", { alpha: false }).drawImage(video, 0, 0, width, height);
}

async function encoded(at) {
  if (await film.open()) return film.encode(at);
  const body = await new Promise((done) => canvas.toBlob(done, "image/jpeg", LEAST + (BEST - LEAST) * quality));
  return [{ body, coded: "jpeg" }];
}

let delivered = Promise.resolve(); // pictures of a film go one after the other

async function deliver({ body, coded }, at) {
  const before = delivered;
  const post = async () => {
    if (coded !== "jpeg") await before;
    if (coded === "delta" && film.broken) return;
    const left = performance.now();
    const answer = await fetch(page.picture, {
      method: "POST", body,
      headers: { ...headers, "X-Phone": me, "X-Taken": (at / 1000).toFixed(4), "X-Coded": coded },
    });
    adapt(performance.now() - left);
    const told = await answer.json().catch(() => ({}));
    if (!answer.ok) return fail(told.sentence ?? page.lost);
    refused = "";
    film.broken = Boolean(told.key);
  };
  const mine = post();
  delivered = mine.catch(() => null);
  await mine;
}

function fail(reason) {
  refused = reason;
  film.broken = true;
}

// H.264 needs a fifth of what JPEG pictures need, where the browser can make it.
const film = {
  encoder: null,
  broken: true, // whether the next picture has to stand by itself
  unable: !window.VideoEncoder || new URLSearchParams(location.search).has("jpeg"),
  count: 0,
  waiting: new Map(), // who waits for which picture of the film, by its time

  settings: () => ({
    codec: "avc1.42E01F", width: canvas.width, height: canvas.height, framerate: 30, latencyMode: "realtime",
    bitrate: Math.round(POOR + (RICH - POOR) * quality), avc: { format: "annexb" },
  }),

  async open() {
    if (this.unable || this.encoder) return !this.unable;
    const able = await VideoEncoder.isConfigSupported(this.settings()).catch(() => null);
    if (!able?.supported) this.unable = true;
    else if (!this.encoder) {
      this.encoder = new VideoEncoder({
        output: (chunk) => {
          const body = new Uint8Array(chunk.byteLength);
          chunk.copyTo(body);
          for (const [time, done] of this.waiting) { // an encoder may leave pictures out
            if (time <= chunk.timestamp) this.waiting.delete(time);
            if (time < chunk.timestamp) done([]);
            else if (time === chunk.timestamp) done([{ body: new Blob([body]), coded: chunk.type }]);
          }
        },
        error: () => { this.unable = true; }, // JPEG pictures go on
      });
      this.encoder.configure(this.settings());
      this.broken = true;
    }
    return !this.unable;
  },

  async encode(at) {
    const timestamp = Math.round(1000 * at);
    const frame = new VideoFrame(canvas, { timestamp });
    const made = new Promise((done) => {
      this.waiting.set(timestamp, done);
      setTimeout(() => done([]), RETRY);
    });
    this.encoder.encode(frame, { keyFrame: this.broken || this.count % KEY_EVERY === 0 });
    frame.close();
    this.count += 1;
    return made;
  },

  adapt() {
    if (this.encoder && this.count % KEY_EVERY === 0) this.encoder.configure(this.settings());
  },

  close() {
    if (this.encoder?.state === "configured") this.encoder.close();
    this.encoder = null;
  },
};

// A slow network gets smaller pictures, and fewer of them; none waits.
function adapt(way) {
  if (way > SLOW) quality = Math.max(0, quality - 0.2);
  else if (way < QUICK) quality = Math.min(1, quality + 0.05);
  slow = way > 3 * SLOW && quality === 0 ? slow + 1 : 0;
  film.adapt();
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
