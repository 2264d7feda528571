// Other tabs, and tasks that run for this lab: a newer command shows on the timeline; only a page that stands at the
// end moves along.

import { find } from "lib/dom";
import { subscribe } from "lib/socket";
import { refresh } from "lab/requests";
import { onState, state } from "lab/state";

let listening = false;

export function startFollowing() {
  const topic = find("#lab").dataset.labTopic;
  onState((now) => {
    if (listening || now.seq === 0) return; // a lab without a command is not stored: there is nothing to listen to
    listening = true;
    subscribe(topic, now.seq, heard);
  });
}

function heard(event) {
  if (event.type === "run.changed") {
    if (event.data.state === "succeeded") refresh(() => true).then(() => find("#lab-run").replaceChildren());
    return;
  }
  refresh(() => event.seq > state().seq);
}
