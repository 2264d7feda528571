// Choosing: "none of them" and the others exclude each other; a number in a figure leads to its field.

import { delegate, find, findAll } from "lib/dom";

export function startChoices() {
  delegate("change", '.names input[type="checkbox"]', (_event, box) => {
    if (!box.checked) return;
    const none = box.matches("[data-none]");
    for (const other of findAll('input[type="checkbox"]', box.closest(".names"))) {
      if (other !== box && (none || other.matches("[data-none]"))) other.checked = false;
    }
  });
  delegate("click", "[data-focuses]", (_event, place) => find(`#${CSS.escape(place.dataset.focuses)}`)?.focus());
}
