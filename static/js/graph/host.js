// The drawing of the cluster: Cytoscape keeps places, pan, zoom, dragging and edges; each node's card is HTML over it.
// The host stands outside everything that steps replace: states bring what changed.

import { element, find } from "lib/dom";
import { fillCard, makeCard, markCard } from "graph/cards";
import { layers } from "graph/layers";
import { savePlaces } from "graph/places";
import { onState } from "lab/state";

export const WIDTH = 188; // of a card, as simulator/presenters/graph/layout.py places them
export const HEIGHT = 108;
const PADDING = 24;
const LARGEST = 1.25; // zoom to which few nodes are blown up when fitted
const SLOTS_UP_TO = 60; // nodes; with more of them GPUs show when one zooms in
const SLOTS_FROM = 0.55; // zoom

const cards = new Map(); // node name -> its card
let cy = null;
let overlay = null;
let latest = null;
let moved = false; // whether the person has chosen what part is in view

export function startGraph() {
  onState((now, before) => {
    latest = { ...now, nodes: now.nodes ?? latest?.nodes };
    if (cy) draw(before);
  });
  document.addEventListener("cluster-shown-as", show);
  show();
}

/** Call `use(cy)` with the drawing once it is there. */
export function onGraph(use) {
  if (cy) use(cy);
  else document.addEventListener("graph-made", () => use(cy), { once: true });
}

async function show() {
  const host = find("#graph");
  if (host.hidden || !latest) {
    if (!latest) setTimeout(show, 0);
    return;
  }
  if (!cy) await make(host);
  cy.resize();
  draw(null);
}

async function make(host) {
  const { default: cytoscape } = await import("cytoscape");
  if (cy) return;
  const canvas = element("div", { class: "graph-canvas" });
  overlay = element("div", { class: "graph-cards", "aria-hidden": "true" });
  host.replaceChildren(canvas, overlay);
  cy = cytoscape({ container: canvas, style: style(), layout: { name: "preset" }, minZoom: 0.05, maxZoom: 3, boxSelectionEnabled: false });
  cy.on("viewport", place);
  cy.on("position", "node", (event) => settle(event.target));
  cy.on("dragfree", "node", (event) => savePlaces(event.target));
  cy.on("dbltap", "node.machine", (event) => choose(event.target.id()));
  cy.on("dragpan pinchzoom scrollzoom", () => (moved = true));
  host.addEventListener("wheel", leaveScrolling, { capture: true });
  find("#graph-tools").addEventListener("click", (event) => zoom(event.target.closest("[data-zoom]")?.dataset.zoom));
  new ResizeObserver(() => {
    cy.resize();
    if (!moved) fit();
  }).observe(host);
  document.addEventListener("theme-changed", () => cy.style(style()));
  document.dispatchEvent(new CustomEvent("graph-made"));
}

/** The page keeps its wheel; with Ctrl (or a pinch) it zooms the drawing. */
function leaveScrolling(event) {
  if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
}

function style() {
  const own = [
    {
      selector: "node.machine",
      style: { shape: "round-rectangle", width: WIDTH, height: HEIGHT, "background-opacity": 0, "border-width": 0, label: "" },
    },
  ];
  return [...own, ...layers().flatMap((layer) => (typeof layer.style === "function" ? layer.style() : (layer.style ?? [])))];
}

function draw(before) {
  if (latest.nodes) sync(latest.nodes);
  const victims = new Set(latest.marks.victims);
  for (const [name, card] of cards) {
    markCard(card, latest.marks.nodes[name], victims);
    for (const layer of layers()) layer.card?.(card, name, latest);
  }
  for (const layer of layers()) layer.update?.(cy, latest, before);
}

/** Bring the drawing to these nodes: what is new is added, what is gone removed, what is there keeps its place. */
function sync(nodes) {
  let changed = false;
  cy.batch(() => {
    for (const [name, card] of cards) {
      if (nodes[name]) continue;
      card.remove();
      cards.delete(name);
      cy.$id(name).remove();
      changed = true;
    }
    for (const [name, node] of Object.entries(nodes)) {
      if (!cards.has(name)) {
        add(name, node);
        changed = true;
      }
      fillCard(cards.get(name), node);
      cy.$id(name).data({ node });
    }
  });
  find("#graph").classList.toggle("is-crowded", cards.size > SLOTS_UP_TO);
  if (changed && !moved) fit();
}

function add(name, node) {
  const card = makeCard(name);
  cards.set(name, card);
  overlay.append(card);
  const [x, y] = node.place;
  settle(cy.add({ group: "nodes", classes: "machine", data: { id: name }, position: { x, y } }));
}

function settle(node) {
  const card = cards.get(node.id());
  const { x, y } = node.position();
  if (card) card.style.transform = `translate(${x - WIDTH / 2}px, ${y - HEIGHT / 2}px)`;
}

function place() {
  const { x, y } = cy.pan();
  overlay.style.transform = `translate(${x}px, ${y}px) scale(${cy.zoom()})`;
  find("#graph").classList.toggle("is-far", cy.zoom() < SLOTS_FROM);
}

function fit() {
  if (!cy.elements().length) return;
  cy.fit(cy.elements(), PADDING);
  if (cy.zoom() > LARGEST) {
    cy.zoom(LARGEST);
    cy.center(cy.elements());
  }
  place();
}

function zoom(which) {
  if (!which) return;
  if (which === "fit") {
    moved = false;
    fit();
    return;
  }
  moved = true;
  const middle = { x: cy.width() / 2, y: cy.height() / 2 };
  cy.zoom({ level: cy.zoom() * (which === "in" ? 1.3 : 1 / 1.3), renderedPosition: middle });
}

function choose(name) {
  document.dispatchEvent(new CustomEvent("lab-chosen", { detail: { kind: "Node", namespace: "", name } }));
}
