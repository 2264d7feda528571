// How the draft stands: what the server says of it in #draft-state, with the page and with every save.

import { findAll, watch } from "lib/dom";

const listeners = new Set();
let current = null;

/** The state of now: { version, problems, lines, wrong?, clashes?, theirs?, clash? }; null before the first. */
export const state = () => current;

/** Call `listener(state)` for every state, the present one included. */
export function onState(listener) {
  listeners.add(listener);
  if (current) listener(current);
}

export function startState() {
  watch("#draft-state > script", (script) => {
    current = JSON.parse(script.textContent);
    for (const input of findAll("input[data-version]")) input.value = current.version;
    for (const listener of listeners) listener(current);
  });
}
