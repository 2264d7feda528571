// The placement page: GPUs are chosen in the drawing or in the list, and the figures follow.

import { announce } from "lib/announce";
import { delegate, find, findAll, watch } from "lib/dom";
import { makeTurns } from "lib/turns";
import { makeDrawing } from "fabric/drawing";
import { fillLegend } from "fabric/legend";

const PAUSE = 150; // milliseconds

const turns = makeTurns(); // an answer replaces what the next one is put in the place of
let drawing = null;
let timer = null;
let elsewhere = []; // chosen GPUs of machines that are not listed

const form = find("#placement-form");
const boxes = () => findAll('input[name="gpu"]', form);
const chosen = () => [...boxes().filter((box) => box.checked).map((box) => box.value), ...elsewhere];

if (form) start();

async function start() {
  find("#placement-compute").hidden = true;
  form.addEventListener("change", changed);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    turns.take(compute);
  });
  delegate("click", "a[data-choose]", (event, link) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    choose(link.dataset.choose.split(","), link.dataset.count);
  });
  watch("#placement-result", (result) => result.dataset.say && announce(result.dataset.say));
  const source = find("#placement-picture");
  if (!source) return;
  find("#placement-figure").hidden = false;
  const picture = JSON.parse(source.textContent);
  drawing = await makeDrawing(find("#placement-canvas"), { pick: toggle });
  drawing.show(picture);
  fillLegend(find("#placement-legend"), picture.drawing.links);
  drawing.pick(chosen());
}

function toggle(slot) {
  const box = boxes().find((one) => one.value === slot);
  if (!box || box.disabled) return;
  box.checked = !box.checked;
  changed();
}

function choose(slots, count) {
  const wanted = new Set(slots);
  for (const box of boxes()) box.checked = wanted.delete(box.value);
  elsewhere = [...wanted];
  if (count) form.count.value = count;
  changed();
}

function changed() {
  drawing?.pick(chosen());
  clearTimeout(timer);
  timer = setTimeout(() => turns.take(compute), PAUSE);
}

async function compute() {
  if (!form.reportValidity()) return;
  const values = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (name !== "gpu") values.set(name, value);
  values.set("gpus", chosen().join(","));
  const url = `${form.getAttribute("action")}?${values}`;
  await globalThis.htmx.ajax("GET", url, { source: form, target: "#placement-result", swap: "outerHTML" });
  history.replaceState(history.state, "", url);
}
