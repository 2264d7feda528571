// The YAML editor: CodeMirror, loaded when it is first opened; without it a plain text area does the same. Problems
// that the server finds are marked at their lines. The text stays until it is applied, also over a reload.

import { toast } from "lib/announce";
import { cspNonce, delegate, find, findAll, watch } from "lib/dom";
import { gettext } from "lib/i18n";

const MOST = 1024 * 1024; // bytes, as the server accepts

let editor = null; // CodeMirror's view
let modules = null;

const draftKey = () => `lab-draft:${location.pathname}`;

export function startEditor() {
  const dialog = find("#editor");
  if (!dialog) return;
  delegate("click", "[data-edit]", (_event, button) => open(button.dataset.edit ? find(button.dataset.edit).textContent : null));
  delegate("click", "[data-goto]", (_event, button) => goTo(button.closest("li").dataset));
  find("#editor-file").addEventListener("change", read);
  find("#editor-form").addEventListener("submit", (event) => tooLong(event), { capture: true });
  dialog.addEventListener("close", () => sessionStorage.setItem(draftKey(), text()));
  watch("#editor-result[data-state]", (result) => answered(result, dialog));
}

const text = () => (editor ? editor.state.doc.toString() : find("#editor-text").value);

/** Open the editor with a text, or with the draft that is there. */
async function open(content) {
  const area = find("#editor-text");
  if (content !== null) area.value = content;
  else if (!area.value) area.value = sessionStorage.getItem(draftKey()) ?? "";
  find("#editor-result").replaceChildren();
  find("#editor").showModal();
  await load();
  if (content !== null) setText(content);
  editor.focus();
}

async function load() {
  if (editor) return;
  modules = await import("codemirror");
  if (editor) return;
  const { EditorView } = modules;
  const area = find("#editor-text");
  editor = new EditorView({
    doc: area.value,
    parent: find("#editor-host"),
    extensions: [
      ...extensions(modules),
      EditorView.cspNonce.of(cspNonce()),
      EditorView.contentAttributes.of({ "aria-label": area.getAttribute("aria-label") }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) area.value = update.state.doc.toString();
      }),
    ],
  });
  area.hidden = true;
}

function extensions({ HighlightStyle, bracketMatching, defaultKeymap, highlightActiveLine, history, historyKeymap, indentOnInput, keymap, lineNumbers, lintGutter, syntaxHighlighting, tags, yaml }) {
  const style = HighlightStyle.define([
    { tag: tags.propertyName, color: "var(--link)" },
    { tag: tags.string, color: "var(--pass)" },
    { tag: [tags.number, tags.bool, tags.null], color: "var(--nominated)" },
    { tag: tags.comment, color: "var(--text-quiet)" },
    { tag: [tags.punctuation, tags.meta], color: "var(--text-quiet)" },
  ]);
  return [
    yaml(),
    lineNumbers(),
    history(),
    lintGutter(),
    indentOnInput(),
    bracketMatching(),
    highlightActiveLine(),
    syntaxHighlighting(style),
    keymap.of([...defaultKeymap, ...historyKeymap]), // Tab moves on, as everywhere
  ];
}

function setText(content) {
  editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: content } });
}

async function read(event) {
  const [file] = event.target.files;
  event.target.value = "";
  if (!file) return;
  if (file.size > MOST) {
    toast(gettext("The file is larger than 1 MB. Cut it down to what you need."), { kind: "error" });
    return;
  }
  const content = await file.text();
  find("#editor-text").value = content;
  if (editor) setText(content);
}

function tooLong(event) {
  if (new Blob([text()]).size <= MOST) return;
  event.preventDefault();
  event.stopPropagation();
  toast(gettext("The text is larger than 1 MB. Cut it down to what you need."), { kind: "error" });
}

/** What the server said of the text: marks at lines, or a closed dialog and an empty draft. */
function answered(result, dialog) {
  const { state } = result.dataset;
  if (state === "refused") mark(findAll("li[data-line]", result));
  if (state !== "applied" || !dialog.open) return;
  toast(gettext("Applied."));
  if (findAll("li", result).length) return; // something was assumed: let it be read
  dialog.close();
  find("#editor-text").value = "";
  if (editor) setText("");
  sessionStorage.removeItem(draftKey());
}

function mark(items) {
  if (!editor) return;
  const { doc } = editor.state;
  const diagnostics = items.flatMap((item) => {
    const number = Number(item.dataset.line);
    if (!number || number > doc.lines) return [];
    const line = doc.line(number);
    const from = Math.min(line.from + Math.max(0, Number(item.dataset.column) - 1), line.to);
    return [{ from, to: line.to, severity: "error", message: item.querySelector("button").textContent }];
  });
  diagnostics.sort((one, other) => one.from - other.from);
  editor.dispatch(modules.setDiagnostics(editor.state, diagnostics));
}

function goTo({ line, column }) {
  if (!editor || !Number(line)) return;
  const at = editor.state.doc.line(Math.min(Number(line), editor.state.doc.lines));
  const position = Math.min(at.from + Math.max(0, Number(column) - 1), at.to);
  editor.dispatch({ selection: { anchor: position }, scrollIntoView: true });
  editor.focus();
}
