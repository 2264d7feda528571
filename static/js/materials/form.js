// A document's form: every input saves itself a moment after it was changed, and at once when it is left. Lists come back
// as a whole after an entry was added, moved or removed.

import { announce, toast } from "lib/announce";
import { delegate, find, findAll } from "lib/dom";
import { gettext } from "lib/i18n";
import { save, saveOnLeave } from "materials/saving";
import { onState } from "materials/state";

const PAUSE = 900; // milliseconds after the last key

const timers = new Map(); // name of an input -> its timer

export function startForm() {
  const form = find("#draft-form");
  if (!form) return;
  form.classList.add("saves-itself");
  form.addEventListener("input", (event) => later(event.target));
  form.addEventListener("change", (event) => now(event.target));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    for (const name of [...timers.keys()]) flush(form, name);
    toast(gettext("Saved."));
  });
  delegate("submit", "#list-form", (event) => changeList(event));
  addEventListener("pagehide", () => {
    const waiting = [...timers.keys()];
    if (waiting.length) saveOnLeave(form.action, Object.assign({}, ...waiting.map((name) => values(form, name))));
  });
  onState((told) => clashed(form, told));
  focusHash();
  addEventListener("hashchange", focusHash);
}

const isOwn = (input) => input.matches?.("[data-autosave]");

function later(input) {
  if (!isOwn(input)) return;
  clearTimeout(timers.get(input.name));
  timers.set(input.name, setTimeout(() => flush(input.form, input.name), PAUSE));
}

function now(input) {
  if (!isOwn(input)) return;
  timers.set(input.name, timers.get(input.name) ?? 0);
  flush(input.form, input.name);
}

function flush(form, name) {
  clearTimeout(timers.get(name));
  timers.delete(name);
  return save(form.action, values(form, name));
}

/** All values of the inputs of a name: a box and the hidden field before it, or several boxes. */
function values(form, name) {
  const found = new FormData(form).getAll(name);
  return { [name]: found.length > 1 ? found : (found[0] ?? "") };
}

async function changeList(event) {
  event.preventDefault();
  const button = event.submitter;
  const [act, index, name] = button.value.split(/:(.*?):/s);
  const list = find(`[data-listing="${CSS.escape(name)}"]`);
  const form = find("#draft-form");
  for (const waiting of [...timers.keys()]) await flush(form, waiting);
  const kind = find(`select[name="${CSS.escape(`kind/${name}`)}"]`);
  const sent = { op: button.value, ...(kind ? { [kind.name]: kind.value } : {}) };
  await save(event.target.action, sent, { swap: "outerHTML", target: `#${CSS.escape(list.id)}` });
  settle(act, Number(index), list.id);
}

/** Where one goes on after an entry was added, moved or removed. */
function settle(act, index, id) {
  const list = find(`#${CSS.escape(id)}`);
  if (!list) return;
  const entries = findAll(":scope > .doc-entries > .doc-entry", list);
  const at = { add: entries.length - 1, up: index - 1, down: index + 1 }[act] ?? Math.min(index, entries.length - 1);
  const entry = entries[Math.max(0, at)];
  const first = entry && find(act === "add" ? "input:not([type=hidden]), textarea, select" : "button:not([disabled])", entry);
  (first ?? list).focus();
  announce({ add: gettext("Added."), remove: gettext("Removed.") }[act] ?? gettext("Moved."));
}

/** Somebody else changed the same field: what was typed stays, and can be saved over it. */
function clashed(form, told) {
  for (const name of told.clashes ?? []) {
    const input = find(`[name="${CSS.escape(name)}"]`, form);
    if (input) later(input);
  }
  if (told.clashes?.length) {
    toast(gettext("Another tab changed the same field meanwhile. Yours is saved over it; Undo brings the other back."), { kind: "error" });
  }
}

/** The field an address points at, also within what is folded away. */
function focusHash() {
  const id = decodeURIComponent(location.hash.slice(1));
  if (!id.startsWith("f-")) return;
  const place = document.getElementById(id) ?? document.querySelector(`[id^="${CSS.escape(id)}"]`);
  if (!place) return;
  for (let at = place; at; at = at.parentElement) if (at instanceof HTMLDetailsElement) at.open = true;
  const input = place.matches("input, textarea, select") ? place : find("input:not([type=hidden]), textarea, select", place);
  (input ?? place).focus({ preventScroll: true });
  place.scrollIntoView({ block: "center" });
}

delegate("click", "a[data-field]", (event, link) => {
  if (!find("#draft-form") || new URL(link.href).pathname !== location.pathname) return;
  event.preventDefault();
  history.replaceState(null, "", `#${link.dataset.field}`);
  focusHash();
});

delegate("click", "a[data-input]", (event, link) => {
  const input = find(`[name="${CSS.escape(link.dataset.input)}"]`);
  if (!input) return;
  event.preventDefault();
  for (let at = input; at; at = at.parentElement) if (at instanceof HTMLDetailsElement) at.open = true;
  input.focus({ preventScroll: true });
  input.scrollIntoView({ block: "center" });
});
