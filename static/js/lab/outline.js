// The outline as a tree: arrows move, Enter opens what is chosen. It is made by the server and replaced with each
// step; the place in it is kept by name.

import { find, findAll, watch } from "lib/dom";

let focused = "";

export function startOutline() {
  document.addEventListener("keydown", (event) => {
    const item = event.target.closest?.("#outline [role=treeitem]");
    if (!item || event.target !== item || event.altKey || event.ctrlKey || event.metaKey) return;
    const next = target(item, event.key);
    if (!next) return;
    event.preventDefault();
    event.stopPropagation();
    focus(next);
  }, true);
  document.addEventListener("focusin", (event) => {
    const item = event.target.closest?.("#outline [role=treeitem]");
    focused = item && event.target === item ? path(item) : "";
  });
  watch("#outline", () => {
    if (!focused) return;
    const item = findAll("#outline [role=treeitem]").find((one) => path(one) === focused);
    if (item && document.activeElement === document.body) focus(item);
  });
}

const items = () => findAll("#outline [role=treeitem]").filter((item) => !item.closest("[aria-expanded=false] > [role=group]"));

const path = (item) => `${item.closest("[data-node]")?.dataset.node ?? ""}/${item.dataset.pod ?? ""}`;

function target(item, key) {
  const all = items();
  const at = all.indexOf(item);
  switch (key) {
    case "ArrowDown":
      return all[at + 1];
    case "ArrowUp":
      return all[at - 1];
    case "Home":
      return all[0];
    case "End":
      return all.at(-1);
    case "ArrowRight":
      if (item.getAttribute("aria-expanded") === "false") item.setAttribute("aria-expanded", "true");
      else return find("[role=treeitem]", item);
      return item;
    case "ArrowLeft":
      if (item.getAttribute("aria-expanded") === "true" && find("[role=group]", item)) item.setAttribute("aria-expanded", "false");
      else return item.parentElement.closest("[role=treeitem]");
      return item;
    default:
      return null;
  }
}

function focus(item) {
  for (const one of findAll('#outline [role=treeitem][tabindex="0"]')) one.tabIndex = -1;
  item.tabIndex = 0;
  item.focus();
}
