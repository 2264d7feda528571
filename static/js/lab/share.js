// The share dialog: it stays open while its link is made, and knows the whole address.

import { toast } from "lib/announce";
import { delegate, find, watch } from "lib/dom";
import { gettext } from "lib/i18n";

let reopen = false;

export function startSharing() {
  document.addEventListener("submit", (event) => {
    reopen = event.target.closest("#share-dialog") !== null;
  });
  watch("#share-dialog", (dialog) => {
    if (reopen) dialog.showModal();
    reopen = false;
  });
  watch("#share-link", (input) => {
    input.value = new URL(input.dataset.path, location.href).href;
  });
  delegate("click", "[data-copy]", async (_event, button) => {
    const input = find(button.dataset.copy);
    input.select();
    await navigator.clipboard?.writeText(input.value);
    if (navigator.clipboard) toast(gettext("Copied."));
  });
}
