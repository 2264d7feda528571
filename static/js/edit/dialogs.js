// Dialogs of single edits. Their contents come from the server with the present values; an edit that was carried out
// closes its dialog, one that was refused says why in it.

import { delegate, find, watch } from "lib/dom";
import { toast } from "lib/announce";
import { gettext } from "lib/i18n";
import { onState } from "lab/state";
import { fetchInto } from "edit/parts";
import { selected } from "edit/selection";

let sent = false; // an edit of the open dialog is on its way

export function startDialogs() {
  const dialog = find("#edit-dialog");
  delegate("click", "[data-dialog]", (_event, button) => openEdit(button.dataset.dialog));
  delegate("click", "#selection [aria-disabled='true'], #cluster-add [aria-disabled='true']", (event, button) => {
    event.preventDefault();
    toast(button.title || gettext("This scenario is solved without it"));
  });
  dialog.addEventListener("submit", () => (sent = true));
  dialog.addEventListener("close", () => {
    find("#edit-body").replaceChildren();
    giveFocusBack();
  });
  onState((now, before) => {
    if (sent && before && now.seq !== before.seq) dialog.close();
    sent = false;
  });
  watch("#edit-problem", () => (sent = false));
}

/** Open the dialog of an edit ("palette", "label" …) about what is selected. */
export async function openEdit(name) {
  const dialog = find("#edit-dialog");
  const path = name === "palette" ? "palette/" : `dialog/${name}/`;
  if (!(await fetchInto(find("#edit-body"), path, { refs: selected().join(" ") }))) return;
  sent = false;
  dialog.dataset.about = name;
  if (!dialog.open) dialog.showModal();
  (find("[autofocus]", dialog) ?? find("button, input", dialog)).focus();
  document.dispatchEvent(new CustomEvent("edit-opened", { detail: name }));
}

/** What opened the dialog may have been replaced meanwhile: go on at what is selected. */
export function giveFocusBack() {
  if (document.activeElement && document.activeElement !== document.body) return;
  const item = selected().length && find(`#outline [data-ref="${CSS.escape(selected()[0])}"][role=treeitem]`);
  (item || find("#cluster-add button"))?.focus();
}
