// Dialogs: the browser's own <dialog>. A button with data-opens="ID" opens the dialog of that id; one with data-closes
// closes the dialog it is in. Focus goes back by itself.

import { delegate, element, find } from "lib/dom";
import { gettext } from "lib/i18n";

/** Show a dialog with a title and content, and remove it when it is closed. Returns the element. */
export function openDialog(title, ...content) {
  const id = `dialog-${crypto.randomUUID?.() ?? Date.now()}`;
  const close = element("button", { type: "button", class: "button", "data-closes": true }, gettext("Close"));
  const head = element("div", { class: "dialog-head" }, element("h2", { id }, title), close);
  const made = element("dialog", { "aria-labelledby": id }, head, ...content);
  made.addEventListener("close", () => made.remove());
  document.body.append(made);
  made.showModal();
  return made;
}

export function startDialogs() {
  delegate("click", "[data-opens]", (_event, button) => find(`#${CSS.escape(button.dataset.opens)}`)?.showModal());
  delegate("click", "[data-closes]", (_event, button) => button.closest("dialog")?.close());
  delegate("click", "dialog", (event, dialog) => {
    if (event.target === dialog && event.detail > 0 && !inside(event, dialog)) dialog.close();
  });
}

function inside(event, dialog) {
  const box = dialog.getBoundingClientRect();
  return event.clientX >= box.left && event.clientX <= box.right && event.clientY >= box.top && event.clientY <= box.bottom;
}
