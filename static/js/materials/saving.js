// Saving, one request after the other, each with the version the one before it has left. Parts of the page that tell how
// the draft stands come back and are put where they belong.

import { find } from "lib/dom";
import { gettext } from "lib/i18n";
import { makeTurns } from "lib/turns";
import { state } from "materials/state";

const turns = makeTurns();

/** Whether something is on its way or waits for its turn. */
export const isSaving = () => turns.pending() > 0;

/** Send values to an address. `swap`, `target`: what the answer's own content replaces; nothing without them. */
export function save(url, values, { swap = "none", target = "#draft-state" } = {}) {
  tell(gettext("saving …"));
  return turns.take(() => send(url, values, swap, target));
}

function send(url, values, swap, target) {
  const all = { csrfmiddlewaretoken: find("input[name=csrfmiddlewaretoken]").value, version: String(state().version), ...values };
  return globalThis.htmx.ajax("POST", url, { source: find("#draft"), target, swap, values: all });
}

function tell(text) {
  const place = find("#draft-saved");
  if (place) place.textContent = text;
}

/** What must not get lost when the page goes away: sent without waiting for an answer. */
export function saveOnLeave(url, values) {
  const body = new FormData();
  const all = { csrfmiddlewaretoken: find("input[name=csrfmiddlewaretoken]").value, version: String(state().version), ...values };
  for (const [name, value] of Object.entries(all)) for (const one of [value].flat()) body.append(name, one);
  fetch(url, { method: "POST", body, keepalive: true, headers: { "HX-Request": "true" } });
}
