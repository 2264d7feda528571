// The form for workloads. The YAML beside it is the truth: the form shows what it finds there and changes only that, so
// that comments, order and every field it does not know stay as they are.

import { delegate, find, findAll } from "lib/dom";
import { gettext, interpolate } from "lib/i18n";
import { emptyOf, fieldsOf, kindOf, moveTo, setField, setToleration, tolerates, unknownIn } from "edit/manifests";

const PAUSE = 150; // milliseconds without a key before the form follows the text
const MOST_NAMED = 5;

let yaml = null; // the library, once it is here
let editor = null; // { write(text), text() }
let docs = [];
let timer = null;
let listening = false;

/** Start the form that was just fetched. `write(text)` puts a text into the editor, `text()` is what stands there. */
export function startWorkload(beside) {
  editor = beside;
  if (!listening) {
    listening = true;
    delegate("click", "[data-template]", (_event, button) => choose(button.dataset.template));
    delegate("input", "#workload [data-field]", (_event, input) => change((found) => field(found, input)));
    delegate("input", "#workload [data-toleration]", (_event, box) => change((found) => setToleration(found, box.dataset, box.checked)));
  }
  return { read, show, first: () => named(facts().templates.inference), focus: () => find('#workload [data-field="name"]')?.focus() };
}

const facts = () => JSON.parse(find("#workload-facts").textContent);

function choose(template) {
  for (const button of findAll("[data-template]")) button.setAttribute("aria-pressed", String(button.dataset.template === template));
  editor.write(named(facts().templates[template]));
  read(editor.text());
  find('#workload [data-field="name"]').focus();
}

/** A template under a name that is free, and for the GPUs that this cluster has. */
function named(template) {
  const { names, resources } = facts();
  const [, name] = /^ {2}name: (.+)$/m.exec(template);
  const taken = new Set(Object.values(names).flat());
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name}-${number}`;
  return template
    .replaceAll(new RegExp(`^( +(?:name|app|podGroupName): )${name}$`, "gm"), `$1${free}`)
    .replaceAll("nvidia.com/gpu", resources[0]);
}

// from the text to the form

/** Show what a text says, once the person stops writing. */
function read(text) {
  clearTimeout(timer);
  timer = setTimeout(() => show(text), yaml ? PAUSE : 0);
}

async function parse(text) {
  yaml ??= await import("yaml");
  return yaml.parseAllDocuments(text, { keepSourceTokens: false });
}

async function show(text) {
  clearTimeout(timer);
  docs = await parse(text);
  const form = find("#workload");
  if (!form) return;
  const broken = !Array.isArray(docs) || docs.some((doc) => doc.errors.length);
  const kind = broken ? "" : kindOf(docs);
  find("#workload-fields").disabled = !kind;
  if (!kind) {
    note(broken ? gettext("This YAML cannot be read yet. Once it can, the form follows.") : gettext("The form knows a Pod, a Job, a ReplicaSet, or a gang. Anything else is written as YAML; nothing of it is lost."));
    return;
  }
  const found = fieldsOf(docs, kind, facts());
  for (const input of findAll("[data-field]", form)) fill(input, found[input.dataset.field]);
  for (const box of findAll("[data-toleration]", form)) box.checked = tolerates(docs, kind, box.dataset);
  for (const part of findAll("[data-for]", form)) part.hidden = !part.dataset.for.split(" ").includes(kind);
  const unknown = unknownIn(docs, kind, facts());
  const shown = unknown.slice(0, MOST_NAMED).join(", ") + (unknown.length > MOST_NAMED ? ", …" : "");
  note(unknown.length ? interpolate(gettext("Also there, and kept as it is: %(fields)s"), { fields: shown }) : "");
}

function fill(input, value = "") {
  if (input === document.activeElement && input.value === String(value)) return;
  if (input.tagName === "SELECT" && value && ![...input.options].some((option) => option.value === value)) {
    input.append(new Option(value.split("=").at(-1), value));
  }
  input.value = value;
}

const note = (text) => (find("#workload-note").textContent = text);

// from the form to the text

function change(edit) {
  const kind = kindOf(docs);
  if (!kind) return;
  const changed = edit({ docs, kind, facts: facts() });
  if (changed) docs = changed;
  editor.write(textOf(docs));
}

function field(found, input) {
  const { field: name } = input.dataset;
  if (name !== "kind") return void setField(found, name, input.value, find('[data-field="strength"]').value);
  const target = yaml.parseAllDocuments(emptyOf(input.value), {});
  const moved = moveTo(found, target, input.value);
  show(textOf(moved));
  return moved;
}

function textOf(documents) {
  const texts = documents.map((doc) => doc.toString({ lineWidth: 0, indentSeq: false }).replace(/^---\n/, ""));
  return texts.join("---\n");
}
