// ``fetch`` with a time limit: a connection may die without any error, and fetch would wait for ever.
"use strict";

const ANSWERED_WITHIN = 12000; // milliseconds

function reach(url, { within = ANSWERED_WITHIN, ...options } = {}) {
  const request = new AbortController(); // AbortSignal.timeout is unknown to browsers before 2022
  setTimeout(() => request.abort(), within);
  return fetch(url, { ...options, signal: request.signal });
}
