// Buttons that ask first: data-confirm is the question.

import { delegate, element } from "lib/dom";
import { openDialog } from "lib/dialog";

export function startConfirming() {
  delegate("click", "[data-confirm]", (event, button) => {
    if (button.dataset.confirmed) return;
    event.preventDefault();
    const yes = element("button", { type: "button", class: "button button-main" }, button.textContent.trim());
    const dialog = openDialog(button.dataset.confirm, element("p", { class: "row" }, yes));
    yes.addEventListener("click", () => {
      button.dataset.confirmed = "yes";
      dialog.close();
      button.click();
    });
    yes.focus();
  });
}
