// Copying what can be downloaded as well: the lab, or its objects, as a text.

import { toast } from "lib/announce";
import { delegate } from "lib/dom";
import { gettext } from "lib/i18n";

export function startExport() {
  delegate("click", "[data-copy-text]", async (_event, button) => {
    const answer = await fetch(button.dataset.copyText);
    if (!answer.ok) {
      toast(gettext("There is nothing to copy: answer the open question first."), { kind: "error" });
      return;
    }
    await navigator.clipboard?.writeText(await answer.text());
    toast(gettext("Copied."));
  });
}
