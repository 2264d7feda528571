// Selecting in the outline and among the Pods without a node: a click selects, with Ctrl one more, with Shift all
// between; Space toggles the item one is at.

import { delegate, find, findAll, watch } from "lib/dom";
import { clearSelection, isSelected, onSelection, select, selected, toggle } from "edit/selection";

let anchor = "";

export function startOutlineSelection() {
  delegate("click", "[data-ref]", (event, item) => {
    if (event.target.closest("a, button")) return;
    event.stopPropagation();
    choose(item, event);
  });
  document.addEventListener("keydown", (event) => {
    const item = event.target;
    if (!(item instanceof Element) || !item.matches("[data-ref]") || event.ctrlKey || event.metaKey) return;
    if (event.key === " ") toggle(item.dataset.ref);
    else if (event.key === "Enter") choose(item, event);
    else return;
    anchor = item.dataset.ref;
    event.preventDefault();
    event.stopPropagation();
  }, { capture: true });
  onSelection(mark);
  watch("#outline > *, #pods-strip > *", mark);
  document.addEventListener("focusin", ring);
  document.addEventListener("focusout", ring);
}

function choose(item, { ctrlKey, metaKey, shiftKey }) {
  const { ref } = item.dataset;
  if (shiftKey && anchor) select([...new Set([...selected(), ...between(anchor, ref)])]);
  else if (ctrlKey || metaKey || item.dataset.toggles !== undefined) toggle(ref);
  else if (isSelected(ref) && selected().length === 1) clearSelection();
  else select([ref]);
  anchor = ref;
}

function between(one, other) {
  const refs = findAll("#outline [data-ref]").map((item) => item.dataset.ref);
  const [from, to] = [refs.indexOf(one), refs.indexOf(other)].sort((a, b) => a - b);
  const kind = other.split("/")[0];
  return refs.slice(from, to + 1).filter((ref) => ref.split("/")[0] === kind);
}

function mark() {
  for (const item of findAll("[data-ref]")) {
    const is = isSelected(item.dataset.ref);
    if (item.getAttribute("role") === "treeitem") item.setAttribute("aria-selected", String(is));
    else if (item.hasAttribute("aria-pressed")) item.setAttribute("aria-pressed", String(is));
    item.classList.toggle("is-selected", is);
  }
}

/** The card of the node one is at in the outline has a ring: the outline may not be in view. */
function ring(event) {
  const item = event.type === "focusin" ? event.target.closest?.("#outline [data-node]") : null;
  for (const card of findAll(".node-card")) card.classList.toggle("is-focused", card.dataset.node === item?.dataset.node);
}

export const focusOutline = () => find('#outline [role=treeitem][tabindex="0"]')?.focus();
