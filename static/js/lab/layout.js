// What of the page is in view: on a phone one part at a time, the cluster as a drawing or as its outline.

import { delegate, find, findAll } from "lib/dom";

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
