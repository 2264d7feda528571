// What is selected: names of objects as the server knows them ("Node//h100-1", "Pod/default/train-a"). The drawing, the
// outline and the strip of Pods all show the same selection and change it here.

import { toast } from "lib/announce";
import { gettext, interpolate } from "lib/i18n";
import { onState } from "lab/state";

const MOST = 500;

const listeners = new Set();
let chosen = [];
let latest = "";

export const nodeRef = (name) => `Node//${name}`;

export const nodeOf = (ref) => (ref.startsWith("Node//") ? ref.slice(6) : "");

/** The selected names, in the order in which they were selected. */
export const selected = () => chosen;

export const isSelected = (ref) => chosen.includes(ref);

/** Select exactly these. */
export function select(refs) {
  const wanted = [...new Set(refs)];
  if (wanted.length > MOST) {
    toast(interpolate(gettext("At most %(most)s objects at once: the first ones are selected."), { most: MOST }));
  }
  change(wanted.slice(0, MOST));
}

/** Select one more, or one less. */
export function toggle(ref) {
  select(isSelected(ref) ? chosen.filter((one) => one !== ref) : [...chosen, ref]);
}

export const clearSelection = () => change([]);

/** Call `listener(refs)` whenever the selection changes. */
export function onSelection(listener) {
  listeners.add(listener);
}

function change(refs) {
  const text = refs.join(" ");
  if (text === latest) return;
  latest = text;
  chosen = refs;
  for (const listener of listeners) listener(chosen);
}

/** Nodes that are gone are no longer selected; of Pods the panel finds out. */
export function startSelection() {
  onState((now) => {
    if (!now.nodes) return;
    change(chosen.filter((ref) => !nodeOf(ref) || nodeOf(ref) in now.nodes));
  });
}
