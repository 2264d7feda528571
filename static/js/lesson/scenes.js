// A scene opens in a frame below its caption: the form's answer is the lab at the place where the scene begins.

import { delegate, find, findAll } from "lib/dom";

export function startScenes() {
  for (const button of findAll("[data-frame]")) button.hidden = false;
  delegate("click", "[data-frame]", (_event, button) => {
    const frame = find(`#${CSS.escape(button.dataset.frame)}`);
    frame.hidden = false;
    button.setAttribute("aria-expanded", "true");
    frame.addEventListener("load", () => frame.focus(), { once: true });
  });
}
