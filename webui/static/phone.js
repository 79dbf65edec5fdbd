// Makes a phone the table's camera. It sends the newest picture again and again, drops all others,
// and shows in words what the table sees in them.
"use strict";

const page = document.body.dataset;
const video = document.getElementById("video");
const text = document.getElementById("text");
const again = document.getElementById("again");
const dark = document.getElementById("dark");
const canvas = document.createElement("canvas");
const me = (localStorage["trucam.phone"] ??= crypto.randomUUID()); // also when the page is opened again
const headers = { Authorization: `Bearer ${page.key}`, Accept: "application/json" };

const AT_ONCE = 2; // pictures at once: one is encoded while another is sent
// For ever slower networks: pixels of the longer side, quality of a JPEG, bits a second of a film.
const LADDER = [
  [1920, 0.8, 5000000], [1920, 0.6, 3000000], [1280, 0.7, 1500000], [1280, 0.5, 800000],
  [1280, 0.4, 500000], [960, 0.4, 300000], [640, 0.4, 150000],
];
const SMALLER = 2; // the first rung of smaller pictures, for encoders that cannot make larger ones
// Milliseconds to send a picture, or to encode a JPEG: if all are below QUICK, the next better rung is
// tried; if several are above SLOW, the next worse one.
const QUICK = 80, SLOW = 200;
const LOST = 2; // rungs down after a picture that did not arrive
// Milliseconds on a rung before a worse one, and before a better one; the latter grows up to the last.
const DOWN_AFTER = 500, UP_AFTER = 3000, UP_AT_MOST = 300000;
// A picture is given up after so many milliseconds, and one more for each SLOWEST bytes.
const GIVEN_UP = 2000, SLOWEST = 32;
const EARLY = 10; // milliseconds by which a frame may come before it is due
const LOOK = 1000, RETRY = 500, REFUSED = 1500;
const DARK_AFTER = 60000; // a screen that shines for hours is warm and empty

let rung = 0; // of the LADDER, now
let best = 0; // the best rung that this phone's encoder can make
let steady = UP_AFTER; // how long a rung must be quick before the next better one is tried
let stepped = 0, wasUp = false; // when the rung changed last, and whether to a better one
let quick = 0, slow = 0; // since when all pictures are quick; how many in a row are slow
let rate = 15; // pictures a second that the table wants
let due = 0; // when the next picture is due
let underway = 0; // pictures being encoded or sent
let refused = ""; // why the latest picture was not accepted; empty where it was

function say(words, ready = false) {
  if (text.textContent !== words) text.textContent = words;
  text.classList.toggle("ready", ready);
}

// --- the camera ---

async function open(device = localStorage.getItem("trucam.lens")) {
  again.hidden = true;
  say(page.starts);
  close();
  const size = { width: { ideal: 1920 }, height: { ideal: 1080 }, frameRate: { ideal: 30 } };
  const lens = device ? { deviceId: { exact: device } } : { facingMode: { ideal: "environment" } };
  try {
    const stream = await navigator.mediaDevices.getUserMedia({ video: { ...size, ...lens }, audio: false });
    const track = stream.getVideoTracks()[0];
    track.onended = () => setTimeout(open, RETRY); // a call came, or another app took it
    video.srcObject = stream;
    await video.play().catch(() => null);
    frames.begin(track);
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

// Shows the controls for what this phone's camera lets a page set.
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

// The frames of the camera. Some browsers hand them over (``begin``), which saves drawing each one;
// with others, the frame that is shown is drawn (``show``). A frame that cannot be sent at once is
// never sent.
const frames = {
  count: 0, // how often a camera was opened: the loops of earlier ones end

  async begin(track) {
    const mine = ++this.count;
    if (!window.MediaStreamTrackProcessor || film.unable) return this.show(mine);
    const reader = new MediaStreamTrackProcessor({ track, maxBufferSize: 1 }).readable.getReader();
    let zero = null; // when the frames' own clock was 0
    while (this.count === mine) {
      const { value: frame, done } = await reader.read().catch(() => ({ done: true }));
      if (done) return;
      zero ??= performance.now() - frame.timestamp / 1000;
      const at = zero + frame.timestamp / 1000;
      if (film.unable || isTurned(frame)) {
        frame.close();
        reader.cancel();
        return this.show(mine);
      }
      if (isWanted(at)) send(at, frame);
      else frame.close();
    }
    reader.cancel();
  },

  show(mine) {
    const shown = (now, frame) => {
      if (this.count !== mine) return;
      const at = frame?.captureTime ?? now;
      if (isWanted(at)) send(at);
      this.show(mine);
    };
    if (video.requestVideoFrameCallback) video.requestVideoFrameCallback(shown);
    else requestAnimationFrame(shown);
  },
};

// Whether to send a frame: none waits, and no more are sent than the table wants.
function isWanted(at) {
  if (underway >= (isSlow() ? 1 : AT_ONCE) || !video.videoWidth || document.hidden || at < due - EARLY) return false;
  due = Math.max(due + 1000 / rate, at);
  return true;
}

// Whether the browser shows a frame turned or in another size: an encoder would not turn it.
const isTurned = (frame) =>
  frame.rotation || frame.flip || frame.displayWidth !== video.videoWidth || frame.displayHeight !== video.videoHeight;

async function send(at, frame = null) {
  underway += 1;
  try {
    const began = performance.now();
    const pictures = await encoded(at, frame);
    const took = performance.now() - began;
    for (const picture of pictures) await deliver(picture, at, took);
  } catch {
    fail(page.lost);
    adapt(Infinity);
  }
  if (refused) await new Promise((done) => setTimeout(done, refused === page.lost ? RETRY : REFUSED));
  underway -= 1;
}

// The size of the picture to send; a film needs even sides.
function fitted(width, height) {
  const scale = Math.min(1, LADDER[rung][0] / Math.max(width, height));
  return [width, height].map((side) => 2 * Math.round((side * scale) / 2));
}

async function encoded(at, frame) {
  const [width, height] = fitted(video.videoWidth, video.videoHeight);
  if (!frame) {
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    canvas.getContext("2d", { alpha: false }).drawImage(video, 0, 0, width, height);
  }
  if (await film.open(width, height)) return film.encode(at, frame);
  frame?.close();
  if (frame) return []; // frames are drawn from now on
  const body = await new Promise((done) => canvas.toBlob(done, "image/jpeg", LADDER[rung][1]));
  return [{ body, coded: "jpeg" }];
}

let delivered = Promise.resolve(); // the latest picture: those of a film are sent one after the other

async function deliver({ body, coded }, at, took) {
  const before = delivered;
  const post = async () => {
    if (coded !== "jpeg") await before;
    if (coded === "delta" && film.broken) return;
    const left = performance.now();
    const answer = await reach(page.picture, {
      method: "POST", body, within: GIVEN_UP + body.size / SLOWEST,
      headers: { ...headers, "X-Phone": me, "X-Taken": ((performance.timeOrigin + at) / 1000).toFixed(4), "X-Coded": coded },
    });
    const told = await answer.json().catch(() => ({}));
    if (!answer.ok) return fail(told.sentence ?? page.lost);
    const way = performance.now() - left;
    adapt(coded === "jpeg" ? Math.max(took, way) : way); // a film's encoder may hold a picture back
    refused = "";
    rate = told.rate;
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

// Encodes pictures as an H.264 film, which needs a fifth of the bytes of JPEG pictures. Not all
// browsers can.
const film = {
  encoder: null,
  broken: true, // whether the table needs a key picture next
  unable: !window.VideoEncoder,
  waiting: new Map(), // those who wait for an encoded picture, by its time
  size: [0, 0],

  settings() {
    const [width, height] = this.size;
    const blocks = Math.ceil(width / 16) * Math.ceil(height / 16);
    const level = blocks <= 3600 ? "1F" : blocks <= 8192 ? "28" : "33"; // 3.1, 4.0 or 5.1
    return {
      codec: `avc1.42E0${level}`, width, height, framerate: 30, latencyMode: "realtime",
      bitrate: LADDER[rung][2], avc: { format: "annexb" },
    };
  },

  async open(width, height) {
    if (width !== this.size[0] || height !== this.size[1]) {
      this.close();
      this.size = [width, height];
    }
    if (this.unable || this.encoder) return !this.unable;
    const able = await VideoEncoder.isConfigSupported(this.settings()).catch(() => null);
    if (!able?.supported) return this.refuse(width, height);
    if (!this.encoder) {
      this.encoder = new VideoEncoder({
        output: (chunk) => {
          const body = new Uint8Array(chunk.byteLength);
          chunk.copyTo(body);
          for (const [time, done] of this.waiting) { // an encoder may drop pictures
            if (time <= chunk.timestamp) this.waiting.delete(time);
            if (time < chunk.timestamp) done([]);
            else if (time === chunk.timestamp) done([{ body: new Blob([body]), coded: chunk.type }]);
          }
        },
        error: () => this.refuse(...this.size),
      });
      this.encoder.configure(this.settings());
      this.broken = true;
    }
    return !this.unable;
  },

  // The encoder cannot make this size: tries a smaller one, or else gives films up.
  refuse(width, height) {
    if (LADDER[rung][0] < Math.max(width, height)) return false; // an earlier picture did this already
    this.close();
    if (rung >= SMALLER) this.unable = true;
    else {
      best = SMALLER;
      step(SMALLER - rung, performance.now());
    }
    return false;
  },

  async encode(at, given) {
    const timestamp = Math.round(1000 * at);
    const frame = new VideoFrame(given ?? canvas, { timestamp });
    given?.close();
    const made = new Promise((done) => {
      this.waiting.set(timestamp, done);
      setTimeout(() => done([]), RETRY);
    });
    this.encoder.encode(frame, { keyFrame: this.broken });
    frame.close();
    return made;
  },

  adapt() {
    if (this.encoder?.state === "configured") this.encoder.configure(this.settings());
  },

  close() {
    if (this.encoder?.state === "configured") this.encoder.close();
    this.encoder = null;
  },
};

// Moves on the ladder, by the milliseconds that a picture took. If a better rung turns out too slow, it
// is tried again only after twice as long.
function adapt(way) {
  const now = performance.now();
  const last = LADDER.length - 1;
  if (way > QUICK) quick = now;
  slow = way > SLOW ? slow + 1 : 0;
  if (rung < last && (slow > 1 || way > GIVEN_UP) && now - stepped > DOWN_AFTER) {
    if (wasUp) steady = Math.min(2 * steady, UP_AT_MOST);
    step(way > GIVEN_UP ? Math.min(LOST, last - rung) : 1, now);
  } else if (rung > best && now - quick > steady) step(-1, now);
}

// On a slow network, two pictures at once would only delay each other.
const isSlow = () => slow > 5;

function step(down, now) {
  rung += down;
  [stepped, quick, slow, wasUp] = [now, now, 0, down < 0];
  film.adapt();
}

// --- what the table sees ---

async function look() {
  if (!document.hidden && video.videoWidth) {
    try {
      const answer = await reach(page.state, { headers, within: GIVEN_UP });
      const seen = await answer.json();
      if (!answer.ok || refused) say(refused || seen.sentence);
      else say(isSlow() ? page.slow : seen.text, seen.ready && !isSlow());
      document.getElementById("outline").setAttribute("points", (seen.outline ?? []).map((at) => at.join()).join(" "));
    } catch {
      say(page.lost);
    }
    fit();
  }
  setTimeout(look, LOOK);
}

// Lays the outline of the table over the picture, without the black bars beside it.
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
// After a call or the lock screen, the camera may be gone without any event.
document.addEventListener("visibilitychange", () => {
  if (document.hidden) return;
  const track = video.srcObject?.getVideoTracks()[0];
  if (!track || track.readyState === "ended" || track.muted) open();
  else stayAwake();
});

open();
look();
