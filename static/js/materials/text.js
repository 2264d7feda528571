// The text of a draft: an editor with completion and marks at lines, which saves itself a moment after the last key.

import { toast } from "lib/announce";
import { delegate, find } from "lib/dom";
import { gettext } from "lib/i18n";
import { makeYamlEditor } from "edit/yaml";
import { documentSource } from "materials/completion";
import { save, saveOnLeave } from "materials/saving";
import { onState, state } from "materials/state";

const PAUSE = 1200; // milliseconds after the last key

let editor = null;
let timer = null;
let saved = "";
let held = false; // another text is there: nothing is sent until the person has chosen

export function startText() {
  const form = find("#text-form");
  if (!form) return;
  form.classList.add("saves-itself");
  const area = find("#text-area");
  saved = area.value;
  open(form, area);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    flush(form);
  });
  addEventListener("pagehide", () => {
    if (timer && !held) saveOnLeave(form.action, { text: area.value });
  });
  onState((told) => answered(told));
  find("#text-keep").addEventListener("click", () => decide(() => flush(form)));
  find("#text-take").addEventListener("click", () => decide(() => take()));
  delegate("click", "a[data-line]", (event, link) => {
    if (new URL(link.href).pathname !== location.pathname) return;
    event.preventDefault();
    editor?.goTo(link.dataset);
  });
}

async function open(form, area) {
  const changed = (byHand) => {
    if (!byHand || held) return;
    clearTimeout(timer);
    timer = setTimeout(() => flush(form), PAUSE);
  };
  area.addEventListener("input", () => changed(true));
  editor = await makeYamlEditor({ host: find("#text-host"), area, changed, apply: () => flush(form), complete: documentSource() });
  mark(state());
  if (Number(form.dataset.line)) editor.goTo(form.dataset);
}

function flush(form) {
  clearTimeout(timer);
  timer = null;
  const text = find("#text-area").value;
  if (text === saved) return undefined;
  saved = text;
  return save(form.action, { text });
}

function answered(told) {
  mark(told);
  if (!told.clash) return;
  held = true;
  find("#text-clash").hidden = false;
  find("#text-keep").focus();
}

function decide(act) {
  held = false;
  find("#text-clash").hidden = true;
  act();
}

/** The other tab's text in the place of this one; Undo of the editor brings this one back. */
function take() {
  const { theirs } = state();
  saved = theirs;
  if (editor) editor.setText(theirs);
  else find("#text-area").value = theirs;
  toast(gettext("The other text is shown now."));
}

function mark(told) {
  editor?.mark(told.lines.filter((one) => one.weight !== "advice").map(({ line, column, text }) => ({ line, column, message: text })));
}

// "Keep my text" sends the same text again: it has to count as unsaved.
delegate("click", "#text-keep", () => {
  saved = null;
});
