// What of the page is in view: on a phone one part at a time, the cluster as a drawing or as its outline, the details
// open or closed, and always the place one is at.

import { delegate, find, findAll } from "lib/dom";
import { visit } from "lab/requests";
import { onState } from "lab/state";

const TABS = "lab-tabs";
const AS = "lab-cluster-as"; // localStorage key

export function startLayout() {
  find(".lab-views").hidden = false;
  delegate("click", ".lab-views [data-view]", (_event, button) => showView(button.dataset.view));
  find("#cluster-as").hidden = false;
  delegate("click", "#cluster-as [data-as]", (_event, button) => {
    localStorage.setItem(AS, button.dataset.as);
    showClusterAs(button.dataset.as);
  });
  showClusterAs(localStorage.getItem(AS) ?? "graph");
  const toggle = find("#tabs-toggle");
  toggle.hidden = false;
  toggle.addEventListener("click", () => showTabs(find("#lab").dataset.tabs === "closed"));
  showTabs(localStorage.getItem(TABS) !== "closed");
  delegate("click", "#tab-links a", () => showTabs(true));
  delegate("change", "#jump", (_event, slider) => {
    const url = new URL(slider.form.action, location.href);
    url.searchParams.set("at", `${slider.value}.end`);
    visit(url.href);
  });
  onState(() => requestAnimationFrame(comeIntoView));
}

function showTabs(open) {
  find("#lab").dataset.tabs = open ? "open" : "closed";
  find("#tabs-toggle").setAttribute("aria-expanded", String(open));
  localStorage.setItem(TABS, open ? "open" : "closed");
}

/** What is told right now stays in view, without moving anything that is in view already. */
function comeIntoView() {
  const scroll = find("#pipeline-scroll");
  const stage = find(".stage-current", scroll);
  if (stage) nudge(scroll, find(".is-current", stage) ?? stage, find(".stage-line", stage));
  const mark = find(".timeline-marks [aria-current]");
  center(mark?.closest(".timeline-marks").parentElement, mark);
  center(find("#tab-links"), find("#tab-links [aria-current]"));
}

function center(strip, item) {
  if (!strip || !item || strip.scrollWidth <= strip.clientWidth) return;
  strip.scrollLeft += item.getBoundingClientRect().left - strip.getBoundingClientRect().left - strip.clientWidth / 2;
}

function nudge(scroll, inner, head) {
  const box = scroll.getBoundingClientRect();
  const bottom = inner.getBoundingClientRect().bottom + 12;
  const top = head.getBoundingClientRect().top - 4;
  if (top < box.top) scroll.scrollTop -= box.top - top;
  else if (bottom > box.bottom) scroll.scrollTop += Math.min(bottom - box.bottom, top - box.top);
}

export function showView(name) {
  find("#lab").dataset.view = name;
  press(".lab-views", "view", name);
}

function showClusterAs(as) {
  find("#lab").dataset.clusterAs = as;
  find("#graph").hidden = as !== "graph";
  find("#graph-tools").hidden = as !== "graph";
  press("#cluster-as", "as", as);
  document.dispatchEvent(new CustomEvent("cluster-shown-as", { detail: as }));
}

function press(group, key, value) {
  for (const button of findAll(`${group} button`)) {
    button.setAttribute("aria-pressed", String(button.dataset[key] === value));
  }
}
