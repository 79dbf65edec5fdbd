// Asks the table. A connection may die without a word: what waits for it is given up after a while.
"use strict";

const ANSWERED_WITHIN = 12000; // milliseconds

function reach(url, { within = ANSWERED_WITHIN, ...options } = {}) {
  const request = new AbortController(); // AbortSignal.timeout is unknown to browsers before 2022
  setTimeout(() => request.abort(), within);
  return fetch(url, { ...options, signal: request.signal });
}
