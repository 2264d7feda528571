// The panel about the selection, over the lower edge of the drawing; it is asked for anew with every step.

import { announce } from "lib/announce";
import { delegate, find } from "lib/dom";
import { onState } from "lab/state";
import { fetchInto } from "edit/parts";
import { clearSelection, onSelection, selected } from "edit/selection";

let asked = null;
let waits = false; // for its own menu to be closed: an open one is not replaced under the reader's hand

export function startPanel() {
  onSelection((refs) => {
    if (refs.length) show({ tell: true });
    else hide();
  });
  onState((_now, before) => {
    if (before && selected().length) show({ tell: false });
  });
  document.addEventListener("menu-closed", () => {
    if (waits && selected().length) show({ tell: false });
    waits = false;
  });
  delegate("click", "[data-unselect]", clearSelection);
  delegate("click", "#selection [data-shows]", (_event, link) => {
    find(`.lab-views [data-view="${link.dataset.shows}"]`)?.click();
  });
}

const menuIsOpen = () => Boolean(find("#selection-menu:not([hidden])"));

async function show({ tell }) {
  const panel = find("#selection");
  asked?.abort();
  asked = new AbortController();
  const free = () => !menuIsOpen();
  const there = await fetchInto(panel, "selection/", { refs: selected().join(" ") }, { signal: asked.signal, free });
  waits = !there && menuIsOpen();
  if (!there) return;
  const title = find("#selection-title");
  if (!title) {
    clearSelection();
    return;
  }
  panel.hidden = false;
  document.dispatchEvent(new CustomEvent("selection-shown", { detail: panel }));
  if (tell) announce(title.textContent);
}

function hide() {
  asked?.abort();
  const panel = find("#selection");
  panel.hidden = true;
  panel.replaceChildren();
}
