// The dialogs among the lab's tools: they stay open, with what was entered, when the tools are replaced below them (a
// link was made, another tab took a step); the share dialog knows the whole address.

import { toast } from "lib/announce";
import { delegate, find, findAll, watch } from "lib/dom";
import { gettext } from "lib/i18n";

let kept = null; // the dialog that was open: its id, what was entered, where the focus was

export function startSharing() {
  document.addEventListener("htmx:oobBeforeSwap", ({ detail }) => {
    if (detail.target?.id === "lab-tools") kept = keep(find("#lab-tools dialog[open]"));
  });
  watch("#lab-tools", reopen);
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

const fields = (dialog) => findAll("input:not([type=hidden], [readonly])", dialog);

function keep(dialog) {
  if (!dialog) return null;
  return { id: dialog.id, values: fields(dialog).map((input) => input.value), at: fields(dialog).indexOf(document.activeElement) };
}

function reopen() {
  const dialog = kept && find(`#${kept.id}`);
  if (dialog && !dialog.open) {
    dialog.showModal();
    fields(dialog).forEach((input, index) => (input.value = kept.values[index] ?? input.value));
    fields(dialog)[kept.at]?.focus();
  }
  kept = null;
}
