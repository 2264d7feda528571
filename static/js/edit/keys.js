// Keys of the editor: undo and redo, select all, delete, rename, duplicate; and the context menu by keyboard.

import { toast } from "lib/announce";
import { delegate, find } from "lib/dom";
import { gettext } from "lib/i18n";
import { shortcut } from "lib/shortcuts";
import { send } from "lab/requests";
import { openEdit } from "edit/dialogs";
import { openMenu } from "edit/menu";
import { clearSelection, nodeRef, select, selected } from "edit/selection";

let inCluster = false; // whether the last click was in the cluster

export function startKeys() {
  document.addEventListener("pointerdown", (event) => (inCluster = event.target.closest?.(".lab-cluster") !== null));
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || find("dialog[open]") || isTyping(event.target)) return;
    if (run(event)) {
      event.preventDefault();
      event.stopPropagation();
    }
  }, { capture: true });
  if (!find("#cluster-add")) return;
  delegate("click", "[data-all]", selectAll);
  shortcut("a", gettext("Add nodes"), () => openEdit("palette"));
  for (const [keys, text] of HELP()) shortcut(keys, text, () => {});
}

const HELP = () => [
  ["Ctrl+Z", gettext("Undo")],
  ["Ctrl+Shift+Z", gettext("Redo")],
  ["Ctrl+A", gettext("Select all nodes (in the cluster)")],
  ["Ctrl+C", gettext("Copy what is selected")],
  ["Ctrl+V", gettext("Paste nodes and Pods")],
  ["Ctrl+D", gettext("Duplicate what is selected")],
  ["Del", gettext("Delete what is selected")],
  ["Shift+F10", gettext("Actions of what is selected")],
];

const isTyping = (target) => target instanceof Element && target.closest("input, textarea, select, [contenteditable], .cm-editor") !== null;

/** Whether a key meant something here. */
function run(event) {
  const chord = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  if (chord && key === "z") return step(event.shiftKey ? "#redo" : "#undo");
  if (chord && key === "y") return step("#redo");
  if (chord && key === "a" && isHere(event)) return selectAll();
  if (!selected().length) return false;
  if (chord && key === "d") return press("duplicate");
  if (chord || event.altKey) return false;
  switch (event.key) {
    case "Escape":
      return find("[role=menu]:not([hidden])") ? false : (clearSelection(), true);
    case "Delete":
      return press("delete");
    case "F2":
      return press("rename");
    case "ContextMenu":
      return menu(event);
    case "F10":
      return event.shiftKey && menu(event);
    default:
      return false;
  }
}

const isHere = (event) => event.target.closest?.(".lab-cluster") || (inCluster && event.target === document.body);

function step(button) {
  const found = find(button);
  if (!found || found.getAttribute("aria-disabled") === "true") toast(gettext("There is nothing to take back here."));
  else if (found.form.action.endsWith("/fork/")) toast(gettext("The scheduler has run since. The button “Back before” opens a branch from before it."));
  else send(found.form, found);
  return true;
}

export function selectAll() {
  select(Object.keys(nodesNow()).map(nodeRef));
  return true;
}

let nodes = {};
export const rememberNodes = (now) => (nodes = now.nodes ?? nodes);
const nodesNow = () => nodes;

/** Do what a button of the panel does. */
function press(action) {
  find(`#selection-menu [data-action="${action}"]`)?.click();
  return true;
}

function menu(event) {
  const item = event.target.closest?.("[role=treeitem]");
  const box = (item ?? find("#selection")).getBoundingClientRect();
  openMenu(find("#selection-menu"), { x: box.left + 24, y: Math.min(box.top + 24, innerHeight), trigger: item });
  return true;
}
