// Predicting: nodes and Pods can be chosen in the drawing as well as in the list; what is chosen and not sent yet stays
// over steps elsewhere and reloads; the drawing shows what one said, and how it came.

import { registerLayer } from "graph/layers";
import { announce } from "lib/announce";
import { delegate, element, find, findAll, watch } from "lib/dom";
import { gettext } from "lib/i18n";
import { shortcut } from "lib/shortcuts";
import { subscribe } from "lib/socket";
import { icon } from "lab/icons";
import { visit } from "lab/requests";
import { onState, state } from "lab/state";

const CHANGED = "lab.predicted";
const ICONS = { picked: "ask", said: "held", right: "pass", extra: "otherwise", missed: "otherwise" };

let told = ""; // what was announced last
let within = false; // whether the focus is in the panel
let listening = false;

export function startPredicting() {
  watch("#predict", arrived);
  delegate("change", ".prompt-form input", (_event, input) => chosen(input));
  document.addEventListener("toggle", (event) => event.target.matches?.(".prompt") && mark(), { capture: true });
  document.addEventListener("focusin", (event) => {
    within = event.target.closest("#predict") !== null;
  });
  document.addEventListener("lab-chosen", (event) => {
    if (pick("nodes", event.detail.name)) event.stopImmediatePropagation();
  });
  delegate("click", "#pods-strip [data-pod], .graph-cards [data-pod]", (_event, one) => pick("pods", one.dataset.pod));
  shortcut("p", gettext("To the question, where there is one"), enter);
  registerLayer({ name: "predictions", card: markCard });
  onState((now) => {
    if (listening || now.seq === 0) return;
    listening = true;
    subscribe(find("#lab").dataset.labTopic, now.seq, (event) => {
      if (event.type === CHANGED && find("#predict .prompt")) visit(state().url, { history: "replace" });
    });
  });
}

// the questions

const current = () => find("#predict .prompt[open]");

const draftKey = (prompt) => `lab-prediction:${location.pathname}:${prompt.dataset.prompt}`;

const inputs = (prompt) => findAll('input[name="choice"]', prompt);

const picked = (prompt) => inputs(prompt).filter((input) => input.checked).map((input) => input.value);

/** A panel from the server: bring back what was chosen in it, and go on where one was. */
function arrived(panel) {
  for (const prompt of findAll(".prompt", panel)) {
    const draft = JSON.parse(sessionStorage.getItem(draftKey(prompt)) ?? "null");
    for (const input of inputs(prompt)) input.checked = draft?.includes(input.value) ?? input.checked;
    if (draft?.length && !current()) prompt.open = true;
  }
  say(panel);
  if (within && document.activeElement === document.body) {
    find(".prompt[open] input[name=choice], .answered, .verdict summary", panel)?.focus();
  }
  mark();
}

/** Have a question that has to be answered, an answer kept, a comparison read aloud, once each. */
function say(panel) {
  const [one] = findAll(".verdict[open], .answered, .prompt.is-required[open]", panel);
  const id = one ? (one.dataset.verdict ?? one.dataset.prompt ?? one.id) : "";
  if (!id || id === told) return;
  told = id;
  const parts = one.matches(".prompt") ? [find("summary", one)] : findAll("summary, .said-was, :scope > p", one);
  announce(parts.map((part) => part.textContent.replace(/\s+/g, " ").trim()).join(". "));
}

function chosen(input) {
  const prompt = input.closest(".prompt");
  if (input.type === "checkbox" && input.checked) {
    const none = input.value === ""; // "none of them" and any of them exclude each other
    for (const other of inputs(prompt)) if ((other.value === "") !== none) other.checked = false;
  }
  sessionStorage.setItem(draftKey(prompt), JSON.stringify(picked(prompt)));
  mark();
}

/** Choose, or no longer choose, a node or a Pod in the question that is open; whether there was one to choose in. */
function pick(about, name) {
  const prompt = current();
  if (prompt?.dataset.about !== about) return false;
  const input = inputs(prompt).find((one) => one.value === name);
  if (!input) return false;
  input.checked = input.type === "radio" || !input.checked;
  chosen(input);
  announce(`${name}: ${input.checked ? gettext("chosen") : gettext("not chosen")}`);
  return true;
}

function enter() {
  const prompt = current() ?? find("#predict .prompt");
  if (!prompt) return;
  prompt.open = true;
  mark();
  (inputs(prompt).find((input) => input.checked) ?? inputs(prompt)[0]).focus();
}

// the drawing

/** Show on the drawing what is chosen in the open question, else what was said and how it came. */
function mark() {
  const about = current()?.dataset.about ?? "";
  find("#graph")?.classList.toggle("is-picking", about === "nodes");
  find("#graph")?.classList.toggle("is-picking-pods", about === "pods");
  find("#pods-strip")?.classList.toggle("is-picking-pods", about === "pods");
  for (const card of findAll(".node-card")) markCard(card, card.dataset.node, state());
  const pods = about === "pods" ? new Set(picked(current())) : new Set();
  for (const one of findAll("#pods-strip [data-pod]")) one.classList.toggle("is-picked", pods.has(one.dataset.pod));
}

function markCard(card, name, now) {
  const prompt = current();
  find(".node-said", card)?.remove();
  const what = saidOf(prompt, name, now);
  if (what) card.append(element("span", { class: `node-said is-${what}` }, icon(ICONS[what]), words()[what]));
  const pods = prompt?.dataset.about === "pods" ? picked(prompt) : [];
  for (const one of findAll("[data-pod]", card)) one.classList.toggle("is-picked", pods.includes(one.dataset.pod));
}

function saidOf(prompt, name, now) {
  if (prompt?.dataset.about === "nodes") return picked(prompt).includes(name) ? "picked" : "";
  return prompt ? "" : (now?.predicted?.nodes[name] ?? "");
}

const words = () => ({
  picked: gettext("your choice"),
  said: gettext("you said"),
  right: gettext("as you said"),
  extra: gettext("you said"),
  missed: gettext("it was this"),
});
