// Pasting a machine's matrix: the form in a dialog, with a preview of what the text would become.

import { toast } from "lib/announce";
import { openDialog } from "lib/dialog";
import { delegate, element, find, watch } from "lib/dom";
import { gettext } from "lib/i18n";
import { makeDrawing } from "fabric/drawing";
import { fillLegend } from "fabric/legend";
import { send } from "lab/requests";
import { state } from "lab/state";

const PAUSE = 400; // milliseconds of rest before the text is looked at

let timer = null;
let asking = null; // AbortController of the preview that is on its way
let kept = ""; // a text that was not applied

export function startPasting() {
  delegate("click", "a[data-paste-matrix]", (event, link) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open(link);
  });
  delegate("input", "#paste-form", preview);
  delegate("submit", "#paste-form", apply);
  watch("#paste-canvas", draw, (place) => place.drawing?.destroy());
}

async function open(link) {
  const place = element("div");
  const dialog = openDialog(link.textContent.trim(), place);
  dialog.classList.add("paste-dialog");
  await globalThis.htmx.ajax("GET", link.href, { target: place, swap: "innerHTML" });
  const text = find("#paste-text");
  text.value = kept;
  text.focus();
  if (kept) preview();
  else find("#paste-apply").disabled = true;
  dialog.addEventListener("close", () => (kept = text.value));
}

function preview() {
  find("#paste-apply").disabled = true;
  clearTimeout(timer);
  timer = setTimeout(look, PAUSE);
}

async function look() {
  const form = find("#paste-form");
  if (!form || !find("#paste-text").value.trim() || !form.node.value.trim()) return;
  asking?.abort();
  asking = new AbortController();
  const { signal } = asking;
  try {
    const answer = await fetch(form.dataset.preview, { method: "POST", body: new FormData(form), headers: { "HX-Request": "true" }, signal });
    const text = await answer.text();
    if (signal.aborted) return;
    await globalThis.htmx.swap(find("#paste-preview"), text, { swapStyle: "innerHTML", swapDelay: 0, settleDelay: 0 });
  } catch (error) {
    if (error.name !== "AbortError") throw error;
    return;
  }
  find("#paste-apply").disabled = !find("#paste-preview [data-good]");
}

async function draw(place) {
  const picture = JSON.parse(find("#paste-picture").textContent);
  place.drawing = await makeDrawing(place);
  place.drawing.show(picture);
  fillLegend(find("#paste-legend"), picture.drawing.links);
}

async function apply(event, form) {
  event.preventDefault();
  const before = state().seq;
  await send(form, event.submitter);
  if (state().seq === before) return;
  find("#paste-text").value = "";
  form.closest("dialog")?.close();
  toast(gettext("Applied."));
}
