// Commands of a terminal box can be copied.

import { announce } from "lib/announce";
import { delegate, element, find, findAll } from "lib/dom";
import { gettext } from "lib/i18n";

export function startCopying() {
  if (!navigator.clipboard) return;
  for (const code of findAll("[data-copies] pre:has(> .language-bash)")) {
    code.after(element("button", { type: "button", class: "link-button copy-button", "data-copy": true }, gettext("Copy")));
  }
  delegate("click", "[data-copy]", async (_event, button) => {
    await navigator.clipboard.writeText(find("code", button.previousElementSibling).textContent);
    button.textContent = gettext("Copied");
    announce(gettext("Copied"));
  });
}
