// What stands beside a form (how it looks to learners, its parts) is fetched anew whenever the draft has changed.

import { find } from "lib/dom";
import { onState } from "materials/state";

export function startBeside() {
  const place = find("#draft-beside");
  if (!place) return;
  let shown = null;
  onState(({ version }) => {
    if (shown !== null && shown !== version) globalThis.htmx.trigger(place, "changed");
    shown = version;
  });
}
