// What stands behind a cell, in a dialog.

import { openDialog } from "lib/dialog";
import { delegate, element } from "lib/dom";

export function startExplaining() {
  delegate("click", "a[data-explain]", async (event, link) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const place = element("div");
    const dialog = openDialog(link.closest("tr")?.querySelector("th")?.textContent.trim() ?? "", place);
    await globalThis.htmx.ajax("GET", link.href, { target: place, swap: "innerHTML" });
    const title = place.querySelector("[data-title]")?.dataset.title;
    if (title) dialog.querySelector("h2").textContent = title;
    dialog.addEventListener("close", () => link.isConnected && link.focus());
  });
}
