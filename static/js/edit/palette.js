// The palette: what the chosen machine, number and name come to is said before it is added.

import { find, findAll } from "lib/dom";
import { gettext, interpolate, ngettext } from "lib/i18n";

const MOST_NAMED = 4;

export function startPalette() {
  document.addEventListener("edit-opened", (event) => {
    if (event.detail !== "palette") return;
    const form = find("#palette");
    form.addEventListener("input", (change) => {
      if (change.target.name === "preset") choose(form, change.target);
      if (change.target.name === "pattern") form.dataset.named = "";
      say(form);
    });
    say(form);
  });
}

const preset = (form) => find('[name="preset"]:checked', form);

/** Another machine brings another name, as long as nobody has written one. */
function choose(form, chosen) {
  if (form.dataset.named === undefined) form.pattern.value = chosen.dataset.pattern;
  const racks = Number(chosen.dataset.hosts) > 1;
  form.rack.disabled = racks;
  find("#count-label").textContent = racks ? gettext("How many racks") : gettext("How many");
  for (const labels of findAll(".preset-labels", form)) labels.hidden = labels.dataset.preset !== chosen.value;
}

function say(form) {
  const { hosts, gpus } = preset(form).dataset;
  const count = Math.max(0, Math.floor(Number(form.count.value)) || 0);
  const names = namesOf(form.pattern.value, count);
  const nodes = count * Number(hosts);
  const shown = names.slice(0, MOST_NAMED).join(", ") + (names.length > MOST_NAMED ? ", …" : "");
  const values = { names: shown, nodes, gpus: nodes * Number(gpus) };
  const said = ngettext("%(names)s: %(nodes)s node, %(gpus)s GPUs", "%(names)s: %(nodes)s nodes, %(gpus)s GPUs", nodes);
  find("#palette-says").textContent = nodes ? interpolate(said, values) : "";
  find("#palette-add").textContent = nodes > 1 ? interpolate(gettext("Add %(nodes)s nodes"), { nodes }) : gettext("Add node");
}

function namesOf(pattern, count) {
  if (!pattern.includes("{n}")) return count ? [pattern] : [];
  const taken = new Set(JSON.parse(find("#palette-taken").textContent));
  const found = [];
  for (let number = 1; found.length < Math.min(count, MOST_NAMED + 1); number += 1) {
    const name = pattern.replaceAll("{n}", number);
    if (!taken.has(name)) found.push(name);
  }
  return found;
}
