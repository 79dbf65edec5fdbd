// The sounds of a table. They are computed here, so that no file has to be loaded.
"use strict";

// Each tone: its pitch in hertz, when it begins, and how long it sounds, in seconds. The more is won,
// the more of a major chord sounds: two notes for a trick, all three for a hand, the octave too for a
// game, and twice that for a match.
const C = 523.25, E = 659.25, G = 783.99, HIGH = 1046.5;
const TONES = {
  card: [[C, 0, 0.06]],
  trick: [[C, 0, 0.15], [E, 0.1, 0.3]],
  spoiled: [[311, 0, 0.2], [294, 0.18, 0.35]],
  offer: [[587, 0, 0.12], [587, 0.14, 0.12], [784, 0.28, 0.3]],
  answer: [[698, 0, 0.2]],
  hand: [[C, 0, 0.2], [E, 0.12, 0.2], [G, 0.24, 0.6]],
  game: [[C, 0, 0.2], [E, 0.13, 0.2], [G, 0.26, 0.25], [HIGH, 0.4, 1], [E, 0.4, 1], [G, 0.4, 1]],
  match: [
    [C, 0, 0.2], [E, 0.13, 0.2], [G, 0.26, 0.3], [HIGH, 0.4, 0.5], [G, 0.8, 0.25],
    [HIGH, 1, 1.8], [C, 1, 1.8], [E, 1, 1.8], [G, 1, 1.8], [2 * E, 1.2, 1.6],
  ],
  correction: [[440, 0, 0.12], [349, 0.12, 0.3]],
  deal: [[392, 0, 0.06], [392, 0.08, 0.06], [392, 0.16, 0.08]],
};

let audio = null;

function play(sound) {
  audio = audio || new AudioContext();
  audio.resume(); // a browser keeps a page quiet until somebody has touched it
  for (const [pitch, begins, seconds] of TONES[sound] || []) {
    const at = audio.currentTime + begins;
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.type = "triangle";
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.0001, at);
    volume.gain.exponentialRampToValueAtTime(0.16, at + 0.015);
    volume.gain.exponentialRampToValueAtTime(0.0001, at + seconds);
    tone.connect(volume).connect(audio.destination);
    tone.start(at);
    tone.stop(at + seconds);
  }
}

// Who switches sounds on hears one at once, and so how loud they are.
document.addEventListener("setting", (changed) => {
  if (changed.detail === "sound" && settings.get("sound")) play("hand");
});
