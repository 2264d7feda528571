// Racks and switches around the nodes' cards: a rack is a frame with its name, a switch a bar with lines to what is
// plugged into it. What is inside the machines, and how wide the links are, is told by the Fabric tab.

import { element, find } from "lib/dom";
import { token } from "lib/theme";
import { HEIGHT, WIDTH } from "graph/host";
import { registerLayer } from "graph/layers";
import { onState } from "lab/state";

const SWITCH = { width: 120, height: 30 };
const MARGIN = 12;
const HEAD = 26;

const frames = new Map(); // rack -> its frame
let network = null; // what is to be drawn, where it has changed

export function startNetwork() {
  onState((now) => (network = now.network ?? network));
  registerLayer({ name: "network", style, update });
}

function style() {
  return [
    {
      selector: "node.switch",
      style: {
        shape: "round-rectangle",
        ...SWITCH,
        "background-color": token("surface"),
        "border-width": 1.5,
        "border-color": token("edge-strong"),
        label: "data(name)",
        color: token("text"),
        "font-size": 13,
        "text-valign": "center",
      },
    },
    { selector: "node.switch:selected", style: { "border-width": 3, "border-color": token("accent"), "background-color": token("accent-tint") } },
    { selector: "edge.wire", style: { width: 1.5, "line-color": token("edge-strong"), "curve-style": "straight" } },
    { selector: "node:selected", style: { "overlay-opacity": 0 } },
  ];
}

function update(cy, now) {
  if (network) wire(cy, network);
  network = null;
  if (now.nodes) drawFrames(cy, now.nodes);
  find("#graph-empty").hidden = Object.keys(now.nodes ?? {}).length > 0 || !now.nodes;
}

function wire(cy, { switches, links }) {
  cy.batch(() => {
    for (const node of cy.$("node.switch")) if (!(node.data("name") in switches)) node.remove();
    for (const [name, { place }] of Object.entries(switches)) {
      const id = `NetworkSwitch//${name}`;
      if (cy.$id(id).length) continue;
      const [x, y] = place;
      cy.add({ group: "nodes", classes: "switch", data: { id, name }, position: { x, y } });
    }
    cy.$("edge.wire").remove();
    for (const [source, target] of links) {
      if (cy.$id(source).length && cy.$id(target).length) cy.add({ group: "edges", classes: "wire", data: { source, target } });
    }
  });
}

/** A frame for each rack, kept around its nodes while these are moved. */
function drawFrames(cy, nodes) {
  const racks = new Map();
  for (const [name, { group }] of Object.entries(nodes)) if (group) racks.set(group, [...(racks.get(group) ?? []), name]);
  for (const [rack, { frame }] of frames) {
    if (racks.has(rack)) continue;
    frame.remove();
    frames.delete(rack);
  }
  for (const [rack, names] of racks) {
    if (!frames.has(rack)) {
      const frame = element("div", { class: "rack-frame" }, element("span", { class: "rack-name" }, rack));
      find(".graph-cards").prepend(frame);
      frames.set(rack, { frame });
    }
    frames.get(rack).names = names;
    place(cy, rack);
  }
  if (!cy.scratch("_frames")) {
    cy.scratch("_frames", true);
    cy.on("position", "node.machine", (event) => moved(cy, event.target.id()));
  }
}

function moved(cy, name) {
  for (const [rack, { names }] of frames) if (names.includes(name)) place(cy, rack);
}

function place(cy, rack) {
  const { frame, names } = frames.get(rack);
  const spots = names.map((name) => cy.$id(name)).filter((node) => node.length).map((node) => node.position());
  if (!spots.length) return;
  const xs = spots.map(({ x }) => x);
  const ys = spots.map(({ y }) => y);
  const left = Math.min(...xs) - WIDTH / 2 - MARGIN;
  const top = Math.min(...ys) - HEIGHT / 2 - MARGIN - HEAD + MARGIN;
  frame.style.transform = `translate(${left}px, ${top}px)`;
  frame.style.width = `${Math.max(...xs) + WIDTH / 2 + MARGIN - left}px`;
  frame.style.height = `${Math.max(...ys) + HEIGHT / 2 + MARGIN - top}px`;
}
