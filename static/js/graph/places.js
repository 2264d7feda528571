// Where the person has put things: kept by the lab, once there is one.

import { find } from "lib/dom";
import { state } from "lab/state";

const PAUSE = 500; // milliseconds
const MOST = 2000; // as the server takes at once

const changed = {};
let timer = null;
let known = false; // whether the lab knows where everything stands

/** Remember where `node` (a Cytoscape node) stands now; with the first one where all do, so that none makes way. */
export function savePlaces(node) {
  if (!known && node.cy().nodes().length <= MOST) node.cy().nodes().forEach(note);
  known = true;
  note(node);
  clearTimeout(timer);
  timer = setTimeout(store, PAUSE);
}

function note(node) {
  const { x, y } = node.position();
  changed[node.id()] = [Math.round(x), Math.round(y)];
}

async function store() {
  const form = find("#transport");
  if (form.method !== "post" || !state()?.seq) return; // nothing to keep them in yet: with the next change
  const body = new FormData();
  body.set("places", JSON.stringify(changed));
  body.set("csrfmiddlewaretoken", find('#transport-state [name="csrfmiddlewaretoken"]').value);
  const answer = await fetch(form.action.replace(/step\/$/, "places/"), { method: "POST", body });
  if (answer.ok) for (const name of Object.keys(changed)) delete changed[name];
}
