// What is wrong with a field stands at the field: the server's list, brought to the inputs after every save.

import { element, find, findAll } from "lib/dom";
import { onState } from "materials/state";

export function startProblems() {
  if (!find("#draft-form")) return;
  onState(({ problems, wrong = {} }) => {
    for (const list of findAll("[data-problems]")) {
      const name = list.dataset.problems;
      const told = [...(wrong[name] ? [wrong[name]] : []), ...(problems[name] ?? [])];
      list.replaceChildren(...told.map((text) => element("li", {}, text)));
      list.hidden = !told.length;
      list.closest(".field")?.classList.toggle("field-wrong", told.length > 0);
      for (const input of findAll(`[name="${CSS.escape(name)}"]`)) {
        if (told.length) input.setAttribute("aria-invalid", "true");
        else input.removeAttribute("aria-invalid");
      }
    }
  });
}
