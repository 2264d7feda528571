// Keyboard shortcuts, in one list, with help on "?". Single keys can be switched off in the help (WCAG 2.1.4), and do
// nothing while one is typing.

import { openDialog } from "lib/dialog";
import { element, find } from "lib/dom";
import { gettext } from "lib/i18n";

const OFF = "shortcuts-off"; // localStorage key

const shortcuts = new Map(); // key -> { text, run }

/**
 * Have `key` (as KeyboardEvent.key: "ArrowRight", "n", "?") call `run(event)`; `text` says what it does.
 * Returns a function that takes the shortcut away.
 */
export function shortcut(key, text, run) {
  if (shortcuts.has(key)) throw new Error(`two shortcuts for ${key}`);
  shortcuts.set(key, { text, run });
  return () => shortcuts.delete(key);
}

export function startShortcuts() {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (event.key.length === 1 && localStorage.getItem(OFF)) return;
    const found = shortcuts.get(event.key);
    if (!found || find("dialog[open]")) return;
    event.preventDefault();
    found.run(event);
  });
  shortcut("?", gettext("Show the keyboard shortcuts"), showHelp);
  const button = find("#shortcuts-button");
  button.hidden = false;
  button.addEventListener("click", showHelp);
}

const isTyping = (target) =>
  target instanceof Element && target.closest("input, textarea, select, [contenteditable], .cm-editor") !== null;

const NAMES = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", " ": "␣", Escape: "Esc" };

function showHelp() {
  const list = element("dl", { class: "shortcut-list" });
  for (const [key, { text }] of shortcuts) {
    list.append(element("dt", {}, element("kbd", {}, NAMES[key] ?? key)), element("dd", {}, text));
  }
  const box = element("input", { type: "checkbox", checked: !localStorage.getItem(OFF) });
  box.addEventListener("change", () => (box.checked ? localStorage.removeItem(OFF) : localStorage.setItem(OFF, "1")));
  const choice = element("p", {}, element("label", {}, box, " ", gettext("Single keys act as shortcuts")));
  openDialog(gettext("Keyboard shortcuts"), list, choice);
}
