// The levels of the cluster's pane: the nodes, the fabric between them, one node from inside. The last two are drawn
// here; which node it is stands in the address, so that the Fabric tab and the drawing are about the same.

import { delegate, element, find, findAll, watch } from "lib/dom";
import { gettext, interpolate } from "lib/i18n";
import { makeDrawing } from "fabric/drawing";
import { fillLegend } from "fabric/legend";
import { showView } from "lab/layout";
import { visit } from "lab/requests";
import { onState, state } from "lab/state";

const KEYS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

let level = "cluster";
let drawing = null;
let picture = null;
let picked = null; // slot of the first GPU of a way
let current = null; // slot the keyboard is at
let asking = null; // AbortController of the picture that is on its way
const ways = new Map();

export function startLevels() {
  if (!find("#fabric-view")) return;
  find("#levels").hidden = false;
  delegate("click", "#levels [data-level]", (_event, button) => show(button.dataset.level));
  watch("[data-show-level]", (button) => (button.hidden = false));
  delegate("click", "[data-show-level]", (_event, button) => {
    showView("cluster");
    show(button.dataset.showLevel);
  });
  find("#fabric-node select").addEventListener("change", (event) => visit(address({ node: event.target.value, pair: "" })));
  for (const type of ["mouseover", "focusin"]) delegate(type, "[data-pair]", (_event, cell) => way(cell.dataset.pair));
  find("#fabric-canvas").addEventListener("keydown", key);
  onState(() => level !== "cluster" && load());
}

function show(name) {
  level = name;
  find("#lab").dataset.level = name;
  find("#fabric-view").hidden = name === "cluster";
  find("#fabric-text").hidden = name === "cluster";
  find("#fabric-node").hidden = name !== "machine";
  for (const button of findAll("#levels button")) button.setAttribute("aria-pressed", String(button.dataset.level === name));
  if (name !== "cluster") load();
}

const params = () => new URL(state().url, location.href).searchParams;

/** This place of the lab with other parameters. */
function address(changes) {
  const url = new URL(state().url, location.href);
  for (const [name, value] of Object.entries(changes)) url.searchParams.set(name, value);
  return url.href;
}

const pictureUrl = (values) => {
  const url = new URL(`${new URL(state().url, location.href).pathname}fabric/picture/`, location.href);
  for (const [name, value] of Object.entries({ at: state().at, ...values })) url.searchParams.set(name, value);
  return url;
};

async function load() {
  asking?.abort();
  asking = new AbortController();
  const asked = pictureUrl({ level, node: params().get("node") ?? "" });
  try {
    const [answer] = await Promise.all([fetch(asked, { signal: asking.signal }), ready()]);
    if (answer.ok) paint(await answer.json());
  } catch (error) {
    if (error.name !== "AbortError") throw error;
  }
}

async function ready() {
  drawing ??= await makeDrawing(find("#fabric-canvas"), { point, pick, machine, link: say, clear, leave: () => say(hint()) });
}

function paint(fresh) {
  picture = fresh;
  find("#fabric-text").href = address({ tab: "fabric" });
  if (picture.nodes) {
    const options = picture.nodes.map((name) => element("option", { value: name, selected: name === picture.node }, name));
    find("#fabric-node select").replaceChildren(...options);
  }
  const empty = !picture.drawing?.vertices.length;
  find("#fabric-canvas").hidden = empty;
  fillLegend(find("#fabric-legend"), picture.drawing?.links ?? []);
  if (empty) {
    say(gettext("No node here has GPUs."));
    return;
  }
  drawing.show(picture);
  if (picked && !drawing.slots.includes(picked)) picked = null;
  drawing.pick(picked ? [picked] : []);
  const pair = params().get("pair");
  if (pair && !picked) way(pair);
  else clear();
}

const hint = () => (picked ? interpolate(gettext("Now point at another GPU: the way from %(gpu)s to it."), { gpu: name(picked) }) : gettext("Choose a GPU, then another: the way between them."));

const say = (text) => (find("#fabric-say").textContent = text);

const name = (slot) => {
  const [machine, gpu] = split(slot);
  return level === "machine" ? `GPU${gpu}` : `${machine} GPU${gpu}`;
};

const split = (slot) => [slot.slice(0, slot.lastIndexOf(":")), Number(slot.slice(slot.lastIndexOf(":") + 1))];

function tell(slot) {
  const holder = drawing.holder(slot);
  if (holder === null) return interpolate(gettext("%(gpu)s: failed"), { gpu: name(slot) });
  return holder ? `${name(slot)}: ${holder}` : interpolate(gettext("%(gpu)s: free"), { gpu: name(slot) });
}

function point(slot) {
  current = slot;
  drawing.point(slot);
  if (picked && picked !== slot) between(picked, slot);
  else say(tell(slot));
}

function pick(slot) {
  if (picked && picked !== slot) {
    between(picked, slot);
    return;
  }
  picked = picked === slot ? null : slot;
  drawing.pick(picked ? [picked] : []);
  drawing.path(null);
  say(picked ? `${tell(slot)} · ${hint()}` : hint());
}

function clear() {
  picked = null;
  drawing.pick([]);
  drawing.path(null);
  say(hint());
}

/** From a machine in the network to its inside. */
function machine(machineName) {
  if (level !== "fabric") return;
  show("machine");
  visit(address({ node: machineName, pair: "" }));
}

/** The way of a cell of the matrix, "0-2", where its machine is drawn. */
function way(pair) {
  const path = level === "machine" ? picture?.drawing?.paths?.[pair] : null;
  if (!path || picture.node !== (find(".fabric-machine")?.dataset.machine ?? picture.node)) return;
  drawing.pick(pair.split("-").map((gpu) => `${picture.node}:${gpu}`));
  drawing.path(path);
  say(path.text.join("\n"));
}

async function between(first, second) {
  const [one, other] = [split(first), split(second)];
  const inside = picture.drawing.paths?.[[one[1], other[1]].sort((a, b) => a - b).join("-")];
  const path = level === "machine" && inside ? inside : await fetchWay(first, second);
  drawing.pick([first, second]);
  drawing.path(path);
  if (path) say(path.text.join("\n"));
}

async function fetchWay(first, second) {
  const url = pictureUrl({ first, second }).href;
  if (!ways.has(url)) {
    const answer = await fetch(url);
    ways.set(url, answer.ok ? await answer.json() : null);
  }
  return ways.get(url);
}

function key(event) {
  const { slots } = drawing ?? { slots: [] };
  if (!slots.length || event.altKey || event.ctrlKey || event.metaKey) return;
  const step = KEYS[event.key];
  if (step) point(slots[(slots.indexOf(current) + step + slots.length) % slots.length]);
  else if ((event.key === "Enter" || event.key === " ") && current) pick(current);
  else if (event.key === "Escape") clear();
  else return;
  event.preventDefault();
  event.stopPropagation();
}
