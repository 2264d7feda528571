// A drawing of the fabric: the network with its machines, or one machine from inside. The server gives the places and
// the links' looks; here they are shown, GPUs are coloured by who holds them, and ways between GPUs are marked.
//
// A picture is { drawing: { vertices, links, paths? }, gpus: { machine: [{ state, hue, holder }] }, node? }. A GPU is
// named by its slot, "h100-1:0".

import { fabricStyle } from "fabric/style";

const PADDING = 16;
const LARGEST = 1.4; // zoom to which a small drawing is blown up
const SIZES = {
  gpu: [28, 28],
  nic: [40, 22],
  switch: [84, 30],
  nvswitch: [90, 26],
  "nvlink-domain": [90, 26],
  "pcie-switch": [20, 20],
  numa: [110, 34],
  socket: [110, 30],
};
const INSIDE = [74, 50]; // a GPU in the drawing of one machine
const HOST = { width: 156, row: 34, head: 42 };
const ARCH = { least: 18, slope: 0.3 }; // how high links between GPUs rise, by their length
const LANE = 5; // between links that go up beside machines
const IN_ROW = 4; // as simulator/presenters/fabric/network_drawing.py places GPUs

/** Make a drawing in `host`. `on` are listeners: point(slot), pick(slot), machine(name), link(text), clear(). */
export async function makeDrawing(host, on = {}) {
  const { default: cytoscape } = await import("cytoscape");
  const cy = cytoscape({ container: host, style: fabricStyle(), layout: { name: "preset" }, autoungrabify: true, boxSelectionEnabled: false, minZoom: 0.1, maxZoom: 3 });
  const told = (what) => (event) => on[what]?.(event.target.data("slot"));
  cy.on("mouseover", "node[slot]", told("point"));
  cy.on("tap", "node[slot]", told("pick"));
  cy.on("tap", "node[kind = 'host']", (event) => on.machine?.(event.target.data("host")));
  cy.on("mouseover", "edge", (event) => on.link?.(event.target.data("text")));
  cy.on("tap", (event) => event.target === cy && on.clear?.());
  cy.on("mouseout", "node[slot], edge", () => on.leave?.());
  host.addEventListener("wheel", (event) => event.ctrlKey || event.metaKey || event.stopPropagation(), { capture: true });
  const restyle = () => cy.style(fabricStyle());
  document.addEventListener("theme-changed", restyle);
  const drawing = new Drawing(cy, () => document.removeEventListener("theme-changed", restyle));
  new ResizeObserver(() => drawing.fit()).observe(host);
  return drawing;
}

class Drawing {
  #cy;
  #forget;
  #shape = "";

  constructor(cy, forget) {
    this.#cy = cy;
    this.#forget = forget;
  }

  /** Show a picture; what stands where stays as it is when only Pods have moved. */
  show(picture) {
    const shape = JSON.stringify([picture.node, picture.drawing]);
    if (shape !== this.#shape) this.#build(picture);
    this.#shape = shape;
    this.#cy.batch(() => {
      for (const [machine, gpus] of Object.entries(picture.gpus)) gpus.forEach((gpu, index) => this.#fill(`${machine}:${index}`, gpu));
    });
  }

  #build({ drawing, gpus, node }) {
    const inside = node !== undefined;
    const vertices = drawing.vertices.map((vertex) => this.#vertex(vertex, gpus, node, inside));
    const links = drawing.links.map((link) => ({ group: "edges", data: link }));
    this.#cy.elements().remove();
    this.#cy.add([...vertices, ...links]);
    for (const kind of ["nvswitch", "nvlink-domain", "numa", "switch"]) this.#cy.nodes(`[kind = '${kind}']`).forEach((bar) => this.#widen(bar));
    this.#cy.edges().forEach((edge) => this.#arch(edge));
    this.fit();
  }

  /** Links from GPU to GPU go over the ones in between. */
  #arch(edge) {
    const [one, other] = [edge.source(), edge.target()];
    if (one.data("kind") !== "gpu" || other.data("kind") !== "gpu" || one.position("y") !== other.position("y")) return;
    const [from, to] = [one.position("x"), other.position("x")];
    const rise = ARCH.least + ARCH.slope * Math.abs(to - from);
    edge.style({ "curve-style": "unbundled-bezier", "control-point-weights": 0.5, "control-point-distances": from < to ? -rise : rise });
  }

  #vertex({ x, y, note, ...vertex }, gpus, node, inside) {
    const data = { ...vertex, h: 0, w: 0 };
    [data.w, data.h] = inside && vertex.kind === "gpu" ? INSIDE : (SIZES[vertex.kind] ?? [60, 30]);
    if (vertex.kind === "gpu") data.slot = `${vertex.host ?? node}:${vertex.gpu}`;
    if (vertex.kind === "host") {
      const rows = inside ? 1 : Math.ceil(Math.min(gpus[vertex.host]?.length ?? 0, 64) / IN_ROW);
      const drawn = this.#drawsGpus(gpus) ? rows : 0;
      data.w = HOST.width;
      data.h = HOST.head + HOST.row * drawn;
      data.label = drawn ? vertex.label : `${vertex.label}\n${note}`;
      if (drawn) y -= 9; // room for the name above the GPUs
    }
    return { group: "nodes", classes: inside ? "is-inside" : "", data, position: { x, y } };
  }

  #drawsGpus(gpus) {
    return Object.keys(gpus).length <= 24;
  }

  /** A switch or NUMA node is a bar over what hangs on it; links meet it straight above or below that. */
  #widen(bar) {
    const hanging = bar.neighborhood("node").filter((other) => this.#hangsOn(other, bar));
    if (hanging.length < 2) return;
    const rows = [...new Set(hanging.map((other) => other.position("y")))];
    rows.sort((one, other) => Math.abs(one - bar.position("y")) - Math.abs(other - bar.position("y")));
    const row = (other) => (other.data("kind") === "host" ? rows.indexOf(other.position("y")) : 0);
    const ends = hanging.map((other) => this.#join(bar, other, row(other)));
    bar.data("w", Math.max(bar.data("w"), 2 * Math.max(...ends.map(Math.abs)) + 40));
  }

  /** What is alone on a bar; a machine with cards on several leaves has lines to all of them instead. */
  #hangsOn(other, bar) {
    const kind = other.data("kind");
    if (bar.data("kind") === "numa") return !["numa", "socket"].includes(kind);
    if (bar.data("kind") === "switch") return kind === "host" && other.neighborhood("[kind = 'switch']").length === 1;
    return ["gpu", "host"].includes(kind);
  }

  /** Lead a link straight to its bar, from the rows behind the first one beside the machines that stand in between.
   * Returns where it meets the bar, from the bar's middle. */
  #join(bar, other, row) {
    const edge = bar.edgesWith(other);
    const above = other.position("y") < bar.position("y");
    const fromBar = edge.data("source") === bar.id();
    const side = above ? -1 : 1; // lines to a bar below go down on the left, to one above up on the right
    const beside = row ? side * (other.data("w") / 2 + LANE * (row + 1)) : 0;
    const x = other.position("x") + beside - bar.position("x");
    const ends = { [fromBar ? "source-endpoint" : "target-endpoint"]: `${x}px ${(side * bar.data("h")) / 2}px` };
    if (row) {
      ends[fromBar ? "target-endpoint" : "source-endpoint"] = `${(side * other.data("w")) / 2}px 0px`;
      const [out, up] = [LANE * (row + 1), Math.abs(other.position("y") - bar.position("y")) - bar.data("h") / 2];
      const length = Math.hypot(out, up);
      const [weight, bend] = [(out / length) ** 2, (out * up) / length];
      Object.assign(ends, { "curve-style": "segments", "edge-distances": "endpoints", "segment-weights": fromBar ? 1 - weight : weight, "segment-distances": fromBar ? -bend : bend });
    }
    edge.style(ends);
    return x;
  }

  #fill(slot, { state, hue, holder }) {
    const gpu = this.#gpu(slot);
    if (!gpu.length) return;
    gpu.toggleClass("is-failed", state === "failed");
    gpu.data("hue", hue ? Number(hue.split("-")[0]) : 0);
    gpu.data("holder", holder ?? "");
    if (!gpu.hasClass("is-inside")) return;
    const name = `GPU${gpu.data("gpu")}`;
    const under = state === "failed" ? "✕" : short(holder ?? "");
    gpu.data("label", under ? `${name}\n${under}` : name);
  }

  #gpu(slot) {
    return this.#cy.nodes("[slot]").filter((node) => node.data("slot") === slot);
  }

  /** Slots in reading order, for the keyboard. */
  get slots() {
    const nodes = this.#cy.nodes("[slot]").toArray();
    nodes.sort((one, other) => one.position("y") - other.position("y") || one.position("x") - other.position("x"));
    return nodes.map((node) => node.data("slot"));
  }

  holder(slot) {
    const gpu = this.#gpu(slot);
    return gpu.hasClass("is-failed") ? null : gpu.data("holder");
  }

  /** Mark these slots as chosen, and no others. */
  pick(slots) {
    const wanted = new Set(slots);
    this.#cy.nodes("[slot]").forEach((node) => node.toggleClass("is-picked", wanted.has(node.data("slot"))));
  }

  /** Mark where the keyboard or the pointer is. */
  point(slot) {
    this.#cy.nodes(".is-current").removeClass("is-current");
    if (slot) this.#gpu(slot).addClass("is-current");
  }

  /** Show a way { links, narrowest, width }; null shows none. */
  path(path) {
    this.#cy.batch(() => {
      this.#cy.elements().removeClass("on-path is-narrowest is-aside");
      if (!path?.links.length) return;
      const links = new Set(path.links);
      this.#cy.edges().forEach((edge) => edge.addClass(links.has(edge.id()) ? "on-path" : "is-aside"));
      if (path.narrowest) this.#cy.$id(path.narrowest).addClass("is-narrowest").data("narrow", path.width);
    });
  }

  fit() {
    this.#cy.resize();
    if (!this.#cy.elements().length || !this.#cy.width()) return;
    this.#cy.fit(this.#cy.elements(), PADDING);
    if (this.#cy.zoom() > LARGEST) {
      this.#cy.zoom(LARGEST);
      this.#cy.center(this.#cy.elements());
    }
  }

  /** The middle of a GPU on the screen, relative to the drawing: for tests and tips. */
  at(slot) {
    return this.#gpu(slot).renderedPosition();
  }

  destroy() {
    this.#forget();
    this.#cy.destroy();
  }
}

const short = (name) => (name.length > 10 ? `${name.slice(0, 9)}…` : name);
