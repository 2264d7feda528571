// Copying nodes and Pods as YAML, and pasting them, here or in another lab, under names that are free. Any other text
// that is pasted opens in the editor, to be looked at first.

import { toast } from "lib/announce";
import { delegate, find } from "lib/dom";
import { gettext } from "lib/i18n";
import { command } from "lab/requests";
import { selected } from "edit/selection";

const COPIED = "lab-copied"; // localStorage key, so that another tab knows it too

export function startClipboard(openText) {
  document.addEventListener("copy", (event) => {
    const text = copied();
    if (!text || isElsewhere() || String(getSelection()).length) return;
    event.clipboardData.setData("text/plain", text);
    event.preventDefault();
    keep(text);
  });
  document.addEventListener("paste", (event) => {
    if (isElsewhere() || !find("#cluster-add")) return;
    const text = event.clipboardData.getData("text/plain");
    if (!text.trim()) return;
    event.preventDefault();
    if (text === localStorage.getItem(COPIED)) paste(text);
    else openText(text);
  });
  delegate("click", '[data-here="copy"]', async () => {
    const text = copied();
    if (!text) return;
    keep(text);
    await navigator.clipboard?.writeText(text);
  });
  delegate("click", '[data-here="yaml"]', () => openText(find("#selection-yaml").textContent, "edit"));
  delegate("click", "[data-paste]", () => {
    const text = localStorage.getItem(COPIED);
    if (text) paste(text);
    else toast(gettext("Nothing was copied yet."));
  });
}

const isElsewhere = () => find("dialog[open]") || document.activeElement?.closest("input, textarea, select, .cm-editor");

function copied() {
  if (!selected().length) return "";
  const text = find("#selection-yaml")?.textContent ?? "";
  if (!text) toast(gettext("At most 100 objects can be copied at once."));
  return text;
}

function keep(text) {
  localStorage.setItem(COPIED, text);
  toast(gettext("Copied. Ctrl+V pastes it, here or in another lab."));
}

const paste = (text) => command("edit/paste/", { text });
