// Every page that follows the table: keeps it up to date, and sends what people tap.
"use strict";

const live = document.getElementById("live");
const lost = document.getElementById("lost");
const sheet = document.getElementById("sheet");
const toast = document.getElementById("toast");
const token = document.querySelector("meta[name=token]").content;

// Milliseconds.
const BEAT = 10000; // between two signs of life of the server
const POLLED = 2000; // between two requests, where streams are blocked
const AWAY = 30000; // a page that is hidden for so long closes its stream

// --- the stream: open while the page is seen; where streams are blocked, the page polls ---

const stream = {
  source: null,
  heard: 0, // when the last sign of life came
  opened: 0, // when it was opened last
  again: null, // the timer that opens it again
  failures: 0, // in a row
  polling: null, // the timer that polls

  open() {
    this.close();
    this.opened = Date.now();
    this.source = new EventSource(live.dataset.stream);
    this.source.onmessage = (message) => {
      this.alive();
      show(JSON.parse(message.data));
    };
    this.source.addEventListener("beat", () => this.alive());
    this.source.onerror = () => {
      this.failures += 1;
      lost.hidden = false;
      if (this.failures > 2 && !this.heard) this.poll();
      else if (this.source && this.source.readyState === EventSource.CLOSED) {
        this.again = setTimeout(() => this.open(), 1000);
      }
    };
  },

  alive() {
    this.heard = Date.now();
    this.failures = 0;
    lost.hidden = true;
  },

  close() {
    if (this.source) this.source.close();
    clearTimeout(this.again);
    clearInterval(this.polling);
    this.source = this.polling = null;
  },

  poll() {
    this.close();
    const once = async () => {
      try {
        const poll = new URL(live.dataset.poll, location.href);
        poll.searchParams.set("seen", live.dataset.number);
        const answer = await reach(poll, { within: 2 * POLLED });
        lost.hidden = answer.ok;
        if (answer.status === 200) show(await answer.json());
      } catch {
        lost.hidden = false;
      }
    };
    this.polling = setInterval(once, POLLED);
    once();
  },

  // While a phone slept, its stream may have ended without any event.
  wake() {
    if (this.polling) return;
    if (!this.source || Date.now() - this.heard > BEAT) this.open();
  },
};

function show(message) {
  const run = message.number.split(".")[0];
  const sameMoment = message.number === live.dataset.number;
  if (run !== live.dataset.number.split(".")[0]) called = null; // a new run of the program counts anew
  live.dataset.number = message.number;
  live.dataset.match = message.match ?? "";
  const asked = live.querySelectorAll(".asks.here").length;
  const focused = live.contains(document.activeElement);
  const disputed = dispute();
  Idiomorph.morph(live, message.html, {
    morphStyle: "innerHTML",
    callbacks: {
      beforeNodeMorphed: (node) => node.dataset?.own === undefined && !filledIn(node),
      beforeAttributeUpdated: (attribute, node) => {
        // On a slow network, somebody may have unfolded it before this script was loaded.
        if (sameMoment && attribute === "open" && node.id) unfolded.set(node.id, node.open);
      },
    },
  });
  // The focused button may be gone; then the keyboard goes on from here, not from the top.
  if (focused && document.activeElement === document.body) live.focus({ preventScroll: true });
  for (const [id, open] of unfolded) {
    const details = document.getElementById(id);
    if (details) details.open = open;
  }
  tell(message.calls);
  if (live.querySelectorAll(".asks.here").length > asked) buzz(120);
  if (live.querySelector("[data-reload]")) location.reload();
  const wentOn = document.getElementById("went-on"); // only on the page of a dispute
  if (wentOn && dispute().proposal !== disputed.proposal) fromTheTop();
  else if (wentOn && dispute().seq !== disputed.seq) wentOn.hidden = false;
}

// Fields that a person has filled in are not drawn anew until they are sent.
let sending = null; // the form that is being sent
const filledIn = (node) =>
  node instanceof HTMLInputElement &&
  node.form !== sending &&
  (node.value !== node.defaultValue || node.checked !== node.defaultChecked);

function fromTheTop() {
  history.scrollRestoration = "manual";
  location.reload();
}

// The moment and the proposal that the page of a dispute shows; empty on other pages.
const dispute = () => ({ ...live.querySelector("[data-proposal]")?.dataset });

// What a person has folded or unfolded stays so when it is drawn anew: a code that is being scanned, the
// cards with their suits.
const unfolded = new Map();
live.addEventListener("click", (click) => {
  const details = click.target.closest("summary")?.parentElement;
  if (details?.id) unfolded.set(details.id, !details.open);
});

let hidden = null;
document.addEventListener("visibilitychange", () => {
  clearTimeout(hidden);
  if (document.hidden) hidden = setTimeout(() => stream.close(), AWAY);
  else stream.wake();
});
window.addEventListener("pageshow", () => stream.wake());
// When the network goes, the stream ends without any event. A new stream tells whether the table can
// still be reached: on the computer that runs it, it can.
for (const change of ["offline", "online"]) {
  window.addEventListener(change, () => {
    if (change === "offline") lost.hidden = false;
    if (!stream.polling) stream.open();
  });
}
setInterval(() => {
  if (document.hidden || stream.polling || !stream.source) return;
  if (stream.heard && Date.now() - Math.max(stream.heard, stream.opened) > 2.5 * BEAT) {
    lost.hidden = false;
    stream.open();
  }
}, 1000);
stream.open();

// --- saying something ---

let busy = false;

// Milliseconds in which the second of two taps is ignored: after a redraw, another button may be there.
const PAUSE = 400;
const SENT_WITHIN = 60000; // for a form, perhaps with a file

async function send(path, body) {
  if (busy) return null;
  busy = true;
  const tapped = Date.now();
  const isForm = body instanceof FormData;
  document.body.classList.add("busy");
  try {
    const answer = await reach(path, {
      method: "POST",
      within: isForm ? SENT_WITHIN : undefined,
      headers: {
        ...(isForm ? {} : { "Content-Type": "application/json" }),
        Accept: "application/json",
        "X-CSRFToken": token,
      },
      body: isForm ? body : JSON.stringify(body),
    });
    const found = await answer.json().catch(() => ({}));
    if (!answer.ok) say(found.sentence || answer.statusText);
    else buzz(30);
    return answer.ok ? found : null;
  } catch {
    say(lost.textContent);
    return null;
  } finally {
    setTimeout(() => {
      busy = false;
      document.body.classList.remove("busy");
    }, PAUSE - (Date.now() - tapped));
  }
}

document.addEventListener("click", async (click) => {
  const button = click.target.closest("[data-event], [data-answer], [data-repair], [data-sheet], [data-close]");
  if (!button) return;
  const { event, answer, repair } = button.dataset;
  // Two matches may both be at event 3: a tap names its match too.
  const match = Number(button.closest("[data-match]")?.dataset.match);
  const moment = { match, seen: Number(button.dataset.seen) };
  if (event) {
    const done = await send("/api/v1/events", { ...moment, event: JSON.parse(event) });
    if (done && sheet.open) sheet.close();
  } else if (answer) {
    await send("/api/v1/answers", JSON.parse(answer));
  } else if (repair) {
    // On the page of a dispute, a seat only proposes to the other side.
    const path = button.closest("[data-propose]")?.dataset.propose ?? "/api/v1/repairs";
    const done = await send(path, { ...moment, repair: JSON.parse(repair) });
    if (done && dispute().seq) {
      fromTheTop();
    } else if (done) {
      sheet.close(); // the screen itself says what was corrected
      if (done.proposed) say(toast.dataset.asked);
    } else if (sheet.open) openSheet(sheet.dataset.url); // its offers may be out of date
  } else if ("close" in button.dataset) {
    sheet.close();
  } else {
    openSheet(button.dataset.sheet);
  }
});

async function openSheet(url) {
  try {
    const answer = await reach(url);
    if (!answer.ok) return say((await answer.json().catch(() => ({}))).sentence || "");
    sheet.innerHTML = await answer.text();
    sheet.dataset.url = url;
    sheet.scrollTop = 0;
    if (!sheet.open) sheet.showModal();
  } catch {
    say(lost.textContent);
  }
}

document.addEventListener("submit", async (submit) => {
  const form = submit.target.closest("form[data-send]");
  if (!form) return;
  submit.preventDefault();
  const asked = submit.submitter?.dataset.confirm ?? form.dataset.confirm;
  if (asked && !confirm(asked)) return;
  const fields = new FormData(form);
  if (submit.submitter?.name) fields.append(submit.submitter.name, submit.submitter.value);
  if (!busy) sending = form;
  const done = await send(form.getAttribute("action"), fields);
  if (sending === form) sending = null;
  if (done && live.contains(form)) {
    form.reset();
    form.querySelector("[autofocus]")?.focus(); // the next pair can be typed at once
  }
  if (done?.proposed) say(toast.dataset.asked);
  else if (done && form.dataset.done) say(form.dataset.done);
});
sheet.addEventListener("click", (click) => {
  if (click.target === sheet) sheet.close();
});

let fading = null;
function say(sentence) {
  toast.textContent = sentence;
  toast.classList.add("shown");
  clearTimeout(fading);
  fading = setTimeout(() => toast.classList.remove("shown"), 6000);
}

// --- calls, sounds, vibration: quiet unless asked for ---

let called = null; // the number of the latest call that was announced

function tell(calls) {
  const last = calls.length ? calls[calls.length - 1].number : 0;
  const fresh = called === null ? [] : calls.filter((call) => call.number > called);
  called = Math.max(called || 0, last);
  const texts = fresh.map((call) => call.text).filter(Boolean);
  if (texts.length) document.getElementById("heard").textContent = texts.join(" ");
  celebrate(fresh.map((call) => call.sound));
  for (const call of fresh) {
    if (settings.get("sound")) play(call.sound);
    if (settings.get("voice") && call.text && window.speechSynthesis) {
      const words = new SpeechSynthesisUtterance(call.text);
      words.lang = document.documentElement.lang;
      speechSynthesis.speak(words);
    }
  }
  if (fresh.length && live.querySelector(".buttons.due")) buzz(120);
}

function buzz(milliseconds) {
  // Before a page was touched, browsers do not let it vibrate, and complain.
  const touched = navigator.userActivation?.hasBeenActive ?? true;
  if (settings.get("buzz") && navigator.vibrate && touched) navigator.vibrate(milliseconds);
}
