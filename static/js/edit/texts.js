// The editor of texts: import by paste, drop or file, YAML, and the form for workloads beside it. What is written is
// tried by the server as one writes, and stays in this browser until it is applied.

import { toast } from "lib/announce";
import { delegate, find, findAll } from "lib/dom";
import { gettext } from "lib/i18n";
import { shortcut } from "lib/shortcuts";
import { command, send } from "lab/requests";
import { onState } from "lab/state";
import { completionSource } from "edit/completion";
import { fetchInto, post } from "edit/parts";
import { startWorkload } from "edit/workload";
import { makeYamlEditor } from "edit/yaml";

const MOST = 1024 * 1024; // bytes, as the server accepts
const PAUSE = 400; // milliseconds without a key before the server is asked
const SAVED = 200; // milliseconds before a draft is written down
const SHOWN_LINES = 3;

let editor = null;
let workload = null; // the form beside the text
let mode = "import";
let base = ""; // what the text was when it was opened
let timer = null;
let saving = null;
let asked = null; // AbortController of the check that is on its way
let checked = null; // the text that the shown check is about
let sent = "";
let opening = Promise.resolve(); // until the dialog's contents are there

const dialog = () => find("#text-dialog");
const text = () => (editor ? editor.text() : find("#text-area").value);
const draftKey = (of = mode) => `lab-draft:${location.pathname}:${of}`;

export function startTexts() {
  const form = find("#text-form");
  delegate("click", "[data-text]", (_event, button) => open(button.dataset.text));
  delegate("click", "[data-edit]", (_event, button) => (button.dataset.edit ? open("edit", find(button.dataset.edit).textContent) : open("import")));
  delegate("click", "[data-goto]", (_event, button) => editor?.goTo(button.closest("li").dataset));
  delegate("click", "[data-gangs]", () => command("edit/gangs/", {}));
  find("#text-file").addEventListener("change", (event) => read(event.target));
  find("#text-discard").addEventListener("click", discard);
  find("#text-area").addEventListener("input", () => changed(true));
  find("#text-area").addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.isComposing) return;
    event.preventDefault();
    apply();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    event.stopPropagation();
    apply();
  });
  dialog().addEventListener("close", () => !dialog().open && keep());
  addEventListener("pagehide", () => dialog().open && keep());
  startDropping();
  shortcut("w", gettext("Add workload"), () => open("workload"));
  shortcut("y", gettext("Import or write YAML"), () => open("import"));
  onState((now, before) => {
    if (!before || !dialog().open || now.seq === before.seq) return;
    if (sent) applied();
    else check();
  });
}

/** Open a text that came from elsewhere, to be looked at first; `as` "edit" says that it is about what is there. */
export const openText = (content, as = "import") => open(as, content);

/** Open the dialog: "import", "edit" or "workload", with a text or with what is left of the last time. */
function open(as, content = null) {
  opening = prepare(as, content);
}

async function prepare(as, content) {
  if (editor) keep();
  mode = as;
  const box = dialog();
  box.dataset.mode = as;
  const title = find("#text-title");
  title.textContent = title.getAttribute(`data-title-${as}`);
  find("#workload-pane").hidden = as !== "workload";
  find("#text-check").replaceChildren(Object.assign(document.createElement("div"), { className: "editor-result", id: "editor-result" }));
  checked = null;
  base = "";
  set("");
  if (!box.open) box.showModal();
  const pane = find("#workload-pane");
  pane.inert = true; // what is entered now would be lost
  const [ready] = await Promise.all([fetchFacts(), makeEditor()]);
  const draft = load();
  base = content ?? draft?.base ?? (ready && as === "workload" ? workload.first() : "");
  const restored = draft && draft.base === base && draft.text !== base;
  set(restored ? draft.text : base);
  find("#text-draft").hidden = !restored;
  await workload?.show(text());
  pane.inert = false;
  if (as === "workload") workload?.focus();
  else editor.focus();
  check();
}

/** What the cluster has to choose from, and the form for workloads. */
async function fetchFacts() {
  if (!(await fetchInto(find("#workload-pane"), "workload/", {}))) return false;
  workload = startWorkload({
    write: (written) => {
      set(written);
      changed(false);
    },
    text,
  });
  return true;
}

const facts = () => JSON.parse(find("#workload-facts")?.textContent ?? "null");

async function makeEditor() {
  if (editor) return;
  editor = await makeYamlEditor({
    host: find("#text-host"),
    area: find("#text-area"),
    changed: (byHand) => byHand && changed(true),
    apply,
    complete: completionSource(facts),
  });
}

function set(content) {
  if (editor) editor.setText(content);
  else find("#text-area").value = content;
}

function changed(byHand) {
  clearTimeout(timer);
  timer = setTimeout(check, PAUSE);
  clearTimeout(saving);
  saving = setTimeout(keep, SAVED);
  if (byHand && mode === "workload") workload?.read(text());
}

// drafts

function keep() {
  clearTimeout(saving);
  const written = text();
  if (written === base || !written.trim()) localStorage.removeItem(draftKey());
  else localStorage.setItem(draftKey(), JSON.stringify({ base, text: written }));
}

function load() {
  try {
    return JSON.parse(localStorage.getItem(draftKey()));
  } catch {
    return null;
  }
}

function discard() {
  localStorage.removeItem(draftKey());
  if (mode === "import") base = "";
  set(base);
  find("#text-draft").hidden = true;
  workload?.read(text());
  check();
  editor.focus();
}

// what the server says of it

async function check() {
  clearTimeout(timer);
  const written = text();
  asked?.abort();
  if (!written.trim()) {
    find("#editor-result").replaceChildren();
    offer("");
    checked = written;
    return;
  }
  if (tooLong(written)) return;
  asked = new AbortController();
  const { signal } = asked;
  const answer = await post("edit/check/", { text: written }, { signal }).catch(() => null);
  if (!answer || signal.aborted) return;
  const body = await answer.text().catch(() => "");
  if (signal.aborted) return;
  if (!answer.ok) {
    toast(gettext("The text could not be checked just now."), { kind: "error" });
    return;
  }
  await globalThis.htmx.swap(find("#text-check"), body, { swapStyle: "innerHTML", swapDelay: 0, settleDelay: 0 });
  checked = written;
  mark();
}

function mark() {
  const result = find("#editor-result");
  const items = findAll("li[data-line]", result).map((item) => ({
    line: Number(item.dataset.line),
    column: Number(item.dataset.column),
    message: find("button", item).textContent,
  }));
  editor?.mark(items);
  offer(result.dataset.does ?? "");
}

/** The button says what it does with this text. */
function offer(does) {
  const button = find("#text-apply");
  const label = ["apply", ""].includes(does) && mode === "workload" ? "submit" : does || "apply";
  button.textContent = button.dataset[label];
  button.setAttribute("aria-disabled", String(!does));
}

async function apply() {
  if (checked !== text()) await check();
  const result = find("#editor-result");
  const does = checked === text() ? result.dataset.does : "";
  if (!does) {
    find("[data-goto]:not([disabled])", result)?.focus();
    return;
  }
  if (does === "open") {
    await openAsLab();
    return;
  }
  sent = [...(find(".terminal", result)?.textContent ?? "").split("\n")].map((line) => line.replace(" (server dry run)", "")).filter(Boolean).slice(0, SHOWN_LINES).join("\n") || gettext("Applied.");
  await send(find("#text-form"));
  if (find('#editor-result[data-state="refused"]')) {
    sent = "";
    mark();
  }
}

function applied() {
  toast(sent);
  sent = "";
  base = "";
  set(base);
  keep();
  dialog().close();
}

async function openAsLab() {
  const form = find("#text-form");
  const body = new FormData();
  body.set("text", text());
  for (const name of ["csrfmiddlewaretoken", "client_token"]) body.set(name, find(`#transport-state [name="${name}"]`).value);
  const answer = await fetch(form.dataset.open, { method: "POST", body, headers: { "HX-Request": "true" } });
  const address = answer.headers.get("HX-Redirect");
  if (address) {
    localStorage.removeItem(draftKey());
    base = text();
    location.assign(address);
    return;
  }
  await globalThis.htmx.swap(find("#text-check"), await answer.text(), { swapStyle: "innerHTML", swapDelay: 0, settleDelay: 0 });
  mark();
}

// files

async function read(input) {
  const [file] = input.files;
  input.value = "";
  if (file) take(file);
}

async function take(file) {
  if (file.size > MOST) {
    toast(gettext("The file is larger than 1 MB. Cut it down to what you need."), { kind: "error" });
    return;
  }
  const content = await file.text();
  if (!dialog().open) {
    open("import", content);
    return;
  }
  await opening;
  set(content);
  changed(true);
}

function startDropping() {
  const hasFile = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
  document.addEventListener("dragover", (event) => {
    if (!hasFile(event)) return;
    event.preventDefault();
    document.body.classList.add("is-dropping");
  });
  document.addEventListener("dragleave", (event) => event.relatedTarget === null && document.body.classList.remove("is-dropping"));
  document.addEventListener("drop", (event) => {
    document.body.classList.remove("is-dropping");
    if (!hasFile(event)) return;
    event.preventDefault();
    take(event.dataTransfer.files[0]);
  });
}

function tooLong(written) {
  if (new Blob([written]).size <= MOST) return false;
  toast(gettext("The text is larger than 1 MB. Cut it down to what you need."), { kind: "error" });
  return true;
}
