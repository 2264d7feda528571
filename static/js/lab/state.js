// Where the page is: what the server says of itself in #lab-state, each time it sends the parts of a moment.

import { watch } from "lib/dom";

const listeners = new Set();
let current = null;

/** The state of now: { at, url, seq, frame, isHead, isStart, canGoOn, pod, marks, nodes? }; null before the first. */
export const state = () => current;

/** Call `listener(state, before)` for every state, the present one included. */
export function onState(listener) {
  listeners.add(listener);
  if (current) listener(current, null);
}

export function startState() {
  watch("#lab-state > script", (script) => {
    const before = current;
    current = JSON.parse(script.textContent);
    for (const listener of listeners) listener(current, before);
  });
}
