// What every page does.

import { toast } from "lib/announce";
import { startConfirming } from "lib/confirm";
import { startDialogs } from "lib/dialog";
import { delegate, find, findAll } from "lib/dom";
import { gettext } from "lib/i18n";
import { startLive } from "lib/live";
import { startShortcuts } from "lib/shortcuts";
import { startTheme } from "lib/theme";
import { rememberTimeZone } from "lib/timezone";

startTheme();
startDialogs();
startConfirming();
startShortcuts();
startLive();
rememberTimeZone();

delegate("click", '[data-dismiss="notice"]', (_event, button) => button.closest(".notice").remove());

// An error tells of the last thing done: the next that works takes it away.
document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (!detail.successful || detail.requestConfig.verb === "get") return;
  for (const notice of findAll("#notices > .notice-error")) notice.remove();
});
document.addEventListener("htmx:sendError", () => {
  toast(gettext("The server cannot be reached. Check the connection and try again."), { kind: "error" });
});
document.addEventListener("htmx:timeout", () => {
  toast(gettext("The server takes too long. Try again in a moment."), { kind: "error" });
});
delegate("click", "[data-copies]", async (_event, button) => {
  const field = find(button.dataset.copies);
  field.select?.();
  await navigator.clipboard?.writeText(field.value ?? field.textContent);
  if (navigator.clipboard) toast(gettext("Copied."));
});
