// Matching: an entry can be dragged onto its partner; that chooses it in the partner's list.

import { delegate, find, findAll, watch } from "lib/dom";

export function startMatching() {
  watch("[data-matching]", (matching) => {
    for (const value of findAll("[data-value]", matching)) value.draggable = true;
  });
  delegate("dragstart", "[data-value]", (event, value) => {
    event.dataTransfer.setData("text/plain", value.dataset.value);
    event.dataTransfer.effectAllowed = "copy";
  });
  delegate("dragover", "[data-drop]", (event, row) => {
    event.preventDefault();
    row.classList.add("is-target");
  });
  delegate("dragleave", "[data-drop]", (_event, row) => row.classList.remove("is-target"));
  delegate("drop", "[data-drop]", (event, row) => {
    event.preventDefault();
    row.classList.remove("is-target");
    const select = find("select", row);
    select.value = event.dataTransfer.getData("text/plain");
    select.dispatchEvent(new Event("change", { bubbles: true }));
  });
}
