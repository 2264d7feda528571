// The card of one node, as HTML over the drawing: its name, its GPUs by owner, its CPUs, and what the moment says of
// it. Cards are looked at and not touched: pointers reach the drawing below them, the keyboard uses the outline.

import { element } from "lib/dom";
import { icon } from "lab/icons";
import { gettext, interpolate } from "lib/i18n";

const ICONS = { passed: "pass", failed: "fail", "not-reached": "dot", candidate: "victim" }; // others are named as the state
const MOST_SLOTS = 16;

/** A fresh card for the node `name`. */
export function makeCard(name) {
  const card = element("div", { class: "node-card", "data-node": name });
  card.append(
    element("div", { class: "node-head" }, element("span", { class: "node-name" }, name), element("span", { class: "node-model" })),
    element("div", { class: "node-slots" }),
    element("div", { class: "node-cpu" }),
    element("div", { class: "node-state" }),
  );
  return card;
}

/** What the node has and who uses it. */
export function fillCard(card, node) {
  card.querySelector(".node-model").textContent = node.model;
  card.classList.toggle("is-cordoned", node.cordoned);
  card.querySelector(".node-name").replaceChildren(card.dataset.node, ...(node.cordoned ? [" ", icon("cordoned")] : []));
  const known = new Set([...card.querySelectorAll("[data-pod]")].map((part) => part.dataset.pod));
  const fresh = card.dataset.filled === undefined;
  card.dataset.filled = "";
  card.querySelector(".node-slots").replaceChildren(...(node.gpus ? slots(node) : []));
  card.querySelector(".node-cpu").replaceChildren(...bars(node));
  if (fresh) return;
  for (const part of card.querySelectorAll("[data-pod]")) part.classList.toggle("is-new", !known.has(part.dataset.pod));
}

function slots(node) {
  const taken = occupied(node);
  const shown = Math.min(node.slots, MOST_SLOTS);
  const made = Array.from({ length: shown }, (_, index) => {
    const tenant = taken[index];
    const failed = node.failed.includes(index) ? " is-failed" : "";
    return element("span", { class: `slot ${tenant ? look(tenant) : ""}${failed}`, "data-pod": tenant?.key });
  });
  if (node.slots > shown) made.push(element("span", { class: "slot-more" }, `${taken.filter(Boolean).length} / ${node.gpus}`));
  return made;
}

/** Who has each GPU: where the kubelet wrote it down its number says so, others fill what is left. */
function occupied(node) {
  const taken = Array.from({ length: node.slots }, () => null);
  const placed = node.tenants.filter(({ devices, gpus }) => gpus && devices.length === gpus && devices.every((gpu) => gpu < node.slots));
  for (const tenant of placed) for (const gpu of tenant.devices) taken[gpu] = tenant;
  const free = [...taken.keys()].filter((gpu) => !taken[gpu] && !node.failed.includes(gpu));
  for (const tenant of node.tenants.filter((one) => !placed.includes(one))) {
    for (const gpu of free.splice(0, tenant.gpus)) taken[gpu] = tenant;
  }
  return taken;
}

const PATTERNS = { 2: "is-striped", 3: "is-dotted" };

/** Classes for an owner's colour, its pattern, and what the Pod is about to do. */
function look({ hue, state }) {
  const [, pattern] = hue.split("-");
  return `hue-${hue} ${PATTERNS[pattern] ?? ""} is-${state}`;
}

function bars(node) {
  const track = element("span", { class: "cpu-track" });
  for (const tenant of node.tenants) {
    const bar = element("span", { class: `cpu-bar ${look(tenant)}`, "data-pod": tenant.key });
    bar.style.flexGrow = String(tenant.cpu);
    if (!node.gpus && tenant.cpu / node.cpu > 0.3) bar.append(tenant.name);
    track.append(bar);
  }
  const used = node.tenants.reduce((sum, tenant) => sum + tenant.cpu, 0);
  const rest = element("span", { class: "cpu-rest" });
  rest.style.flexGrow = String(Math.max(0, node.cpu - used));
  track.append(rest);
  const text = interpolate(gettext("CPU %(used)s/%(all)s"), { used: cores(used), all: cores(node.cpu) });
  return [track, element("span", { class: "cpu-text" }, text)];
}

const cores = (thousandths) => String(Math.round(thousandths / 100) / 10);

/** What the moment says of the node; `victims` are keys of Pods that will have to go. */
export function markCard(card, mark, victims) {
  card.dataset.state = mark?.state ?? "";
  const line = card.querySelector(".node-state");
  line.replaceChildren();
  if (mark) {
    line.append(icon(ICONS[mark.state] ?? mark.state), " ", mark.text);
    if (mark.score !== null) line.append(" ", element("b", { class: "node-score" }, String(mark.score)));
  }
  for (const part of card.querySelectorAll("[data-pod]")) part.classList.toggle("is-victim", victims.has(part.dataset.pod));
}
