// How the fabric looks: kinds of links by line, states of GPUs by fill, in the colours of now.

import { token } from "lib/theme";

/** family of links -> [token of its colour, line style, how it is drawn] */
const FAMILIES = {
  nvlink: ["accent", "solid", "thick"],
  xgmi: ["accent", "solid", "thick"],
  hccs: ["accent", "solid", "thick"],
  ub: ["accent", "solid", "thick"],
  pcie: ["edge-strong", "solid", "thin"],
  "cpu-link": ["text-quiet", "dashed", "thin"],
  "on-chip": ["text-quiet", "dotted", "thin"],
  infiniband: ["link", "solid", "double"],
  roce: ["nominated", "solid", "double"],
  ethernet: ["text-quiet", "dotted", "thin"],
};

const HUES = 8;

/** Cytoscape's style of both drawings. */
export function fabricStyle() {
  const text = token("text");
  const surface = token("surface");
  const box = { "background-color": surface, "border-width": 1, "border-color": token("edge-strong"), color: text };
  const label = { label: "data(label)", "font-size": 14, "font-family": "system-ui, sans-serif", "text-valign": "center", "text-wrap": "wrap" };
  return [
    { selector: "node", style: { ...box, ...label, shape: "round-rectangle", width: "data(w)", height: "data(h)", events: "no" } },
    { selector: "node[kind = 'gpu']", style: { events: "yes", "text-max-width": "data(w)", "font-size": 13 } },
    { selector: "node[kind = 'gpu'].is-inside", style: { "font-size": 15 } },
    { selector: "node[kind = 'host']", style: { events: "yes", "background-color": token("surface-raised"), "font-size": 15, "font-weight": 600 } },
    { selector: "node[kind = 'host'][h > 60]", style: { "text-valign": "top", "text-margin-y": 22 } },
    { selector: "node[kind = 'nvswitch'], node[kind = 'nvlink-domain']", style: { "background-color": token("accent-tint"), "border-color": token("accent"), "border-width": 1.5 } },
    { selector: "node[kind = 'switch']", style: { "background-color": token("surface-sunken"), "font-weight": 600 } },
    { selector: "node[kind = 'pcie-switch']", style: { shape: "round-diamond" } },
    { selector: "node[kind = 'numa'], node[kind = 'socket']", style: { "background-color": token("surface-sunken"), "border-style": "dashed" } },
    { selector: "node[kind = 'nic']", style: { "font-size": 12, color: token("text-quiet") } },
    ...Array.from({ length: HUES }, (_, index) => owned(index + 1)),
    { selector: "node.is-failed", style: { "background-color": token("fail-tint"), "border-color": token("fail"), "border-style": "dashed", "border-width": 2, color: token("fail") } },
    { selector: "node.is-current", style: { "border-width": 3, "border-color": token("focus") } },
    { selector: "node.is-picked", style: { "border-width": 4, "border-color": token("text") } },
    { selector: "edge", style: { width: "data(width)", "curve-style": "straight", "font-size": 15, color: text, "text-background-color": surface, "text-background-opacity": 1, "text-background-padding": 3, "overlay-padding": 6 } },
    ...Object.entries(FAMILIES).map(line),
    { selector: ".is-aside", style: { opacity: 0.25 } },
    { selector: "edge.on-path", style: { "line-color": token("accent"), "line-opacity": 1, "z-index": 5 } },
    { selector: "edge.is-narrowest", style: { "line-color": token("fail"), label: "data(narrow)", "font-weight": 700, "z-index": 6 } },
  ];
}

function owned(hue) {
  const colour = token(`owner-${hue}`);
  return { selector: `node[hue = ${hue}]`, style: { "background-color": colour, "background-opacity": 0.35, "border-color": colour, "border-width": 2 } };
}

function line([family, [colour, style, drawn]]) {
  const selector = `edge[family = '${family}']`;
  const own = { "line-color": token(colour), "line-style": style };
  if (drawn === "double") return { selector, style: { ...own, "line-color": token("ground"), "line-outline-width": 1.5, "line-outline-color": token(colour) } };
  return { selector, style: own };
}
