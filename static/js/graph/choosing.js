// Selecting in the drawing: a click, with Shift or Ctrl more, a box drawn with Shift, nothing by a click beside; and the
// context menu on right click or a long press. Cytoscape's own selection is kept equal to the editor's.

import { find, findAll } from "lib/dom";
import { onGraph } from "graph/host";
import { registerLayer } from "graph/layers";
import { openMenu } from "edit/menu";
import { clearSelection, isSelected, nodeRef, onSelection, select, selected } from "edit/selection";

const THINGS = "node.machine, node.switch";

let following = false; // while Cytoscape is brought to the editor's selection

export function startChoosing() {
  registerLayer({
    name: "choosing",
    card: (card, name) => card.classList.toggle("is-selected", isSelected(nodeRef(name))),
    update: (cy) => follow(cy),
  });
  onSelection(markCards);
  onGraph((cy) => {
    cy.boxSelectionEnabled(true);
    onSelection(() => follow(cy));
    let due = false;
    cy.on("select unselect", THINGS, () => {
      if (following || due) return;
      due = true;
      queueMicrotask(() => {
        due = false;
        lead(cy);
      });
    });
    cy.on("tap", (event) => event.target === cy && clearSelection());
    cy.on("cxttap taphold", (event) => menu(event, cy));
    find("#graph").addEventListener("contextmenu", (event) => event.preventDefault());
    document.addEventListener("selection-shown", (event) => uncover(cy, event.detail));
  });
}

const refOf = (thing) => (thing.hasClass("machine") ? nodeRef(thing.id()) : thing.id());

function lead(cy) {
  const here = cy.$(":selected").map(refOf);
  const known = new Set(here);
  select([...selected().filter((ref) => known.has(ref)), ...here.filter((ref) => !isSelected(ref))]);
}

function follow(cy) {
  following = true;
  cy.batch(() => {
    for (const thing of cy.$(THINGS)) {
      const wanted = isSelected(refOf(thing));
      if (wanted !== thing.selected()) thing[wanted ? "select" : "unselect"]();
    }
  });
  following = false;
}

function markCards() {
  for (const card of findAll(".node-card")) card.classList.toggle("is-selected", isSelected(nodeRef(card.dataset.node)));
}

function menu(event, cy) {
  const { clientX: x, clientY: y } = point(event.originalEvent);
  if (event.target === cy || !event.target.is(THINGS)) {
    openMenu(find("#cluster-menu"), { x, y });
    return;
  }
  const ref = refOf(event.target);
  if (isSelected(ref) && find("#selection-menu")) {
    openMenu(find("#selection-menu"), { x, y });
    return;
  }
  select([ref]);
  document.addEventListener("selection-shown", () => openMenu(find("#selection-menu"), { x, y }), { once: true });
}

const point = (event) => event.changedTouches?.[0] ?? event;

/** What is selected alone is not left under the panel. */
function uncover(cy, panel) {
  const [ref] = selected();
  const thing = selected().length === 1 && cy.$(THINGS).filter((one) => refOf(one) === ref);
  if (!thing?.length) return;
  const { bottom } = cy.container().getBoundingClientRect();
  const top = panel.getBoundingClientRect().top;
  const covered = cy.height() - (bottom - top);
  const low = thing.renderedBoundingBox({ includeLabels: false }).y2 + 8;
  if (low > covered) cy.panBy({ x: 0, y: covered - low });
}
