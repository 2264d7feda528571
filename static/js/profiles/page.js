// The profile editor: what the server finds wrong is marked at its field while one types.

import { find, findAll, watch } from "lib/dom";

watch("#profile-result", mark);
watch("[data-own-input]", (area) => area.addEventListener("input", (event) => event.stopPropagation())); // a button takes it over

function mark(result) {
  const form = find("#profile-form");
  const wrong = new Map(findAll("[data-field]", result).map((item) => [item.dataset.field, find(".flaw-text", item).textContent]));
  for (const field of findAll("[aria-invalid]", form)) field.removeAttribute("aria-invalid");
  for (const line of findAll("[data-error-of]", form)) {
    line.textContent = wrong.get(line.dataset.errorOf) ?? "";
    line.hidden = !line.textContent;
  }
  for (const name of wrong.keys()) {
    if (!name) continue;
    const field = form.elements.namedItem(name);
    if (field instanceof Element) field.setAttribute("aria-invalid", "true");
    (field ?? find(`[data-field-of="${CSS.escape(name)}"]`, form))?.closest("details")?.setAttribute("open", "");
  }
}
