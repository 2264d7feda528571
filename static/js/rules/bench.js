// The rule workbench: text areas become editors with completion; while one types, the rule is asked about every node, and
// what is wrong is marked at its place. Without a script the same form does it by a button.

import { cspNonce, find, findAll, watch } from "lib/dom";

const PAUSE = 350; // milliseconds after the last key

const editors = new Map(); // the text area of a point -> CodeMirror's view

const LOOK = {
  "&": { color: "var(--text)" },
  ".cm-content": { minHeight: "3.5rem", caretColor: "var(--text)", fontFamily: "var(--font-code)" },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--text-quiet)", border: "0" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-tooltip": { border: "1px solid var(--edge-strong)", backgroundColor: "var(--surface-raised)", color: "var(--text)" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--text-on-accent)" },
};

export function startBenches() {
  watch("[data-bench]", begin);
  watch("[data-rule-editor]", edit, (area) => editors.delete(area));
  watch("#rule-trial", marked);
}

function begin(bench) {
  let timer = null;
  const ask = () => {
    clearTimeout(timer);
    timer = setTimeout(() => bench.dispatchEvent(new CustomEvent("rule-changed")), PAUSE);
  };
  bench.addEventListener("input", ask);
  bench.addEventListener("change", ask);
}

async function edit(area) {
  const modules = await import("codemirror");
  if (!area.isConnected || editors.has(area)) return;
  const { EditorView } = modules;
  const view = new EditorView({
    doc: area.value,
    extensions: [
      ...extensions(modules),
      EditorView.cspNonce.of(cspNonce()),
      EditorView.lineWrapping,
      EditorView.theme(LOOK),
      EditorView.contentAttributes.of({ "aria-label": area.labels[0]?.firstChild.textContent.trim() ?? area.name, id: `${area.id}-editor` }),
      EditorView.updateListener.of((update) => {
        if (!update.docChanged) return;
        area.value = update.state.doc.toString();
        area.dispatchEvent(new Event("input", { bubbles: true }));
      }),
    ],
  });
  area.hidden = true;
  area.after(view.dom);
  editors.set(area, view);
  marked();
}

function extensions(modules) {
  const { autocompletion, bracketMatching, closeBrackets, closeBracketsKeymap, completionKeymap, defaultKeymap, history, historyKeymap, keymap, lineNumbers, lintGutter } = modules;
  return [
    lineNumbers(),
    history(),
    lintGutter(),
    bracketMatching(),
    closeBrackets(),
    painted(modules),
    autocompletion({ override: [complete], icons: false }),
    keymap.of([...closeBracketsKeymap, ...completionKeymap, ...defaultKeymap, ...historyKeymap]), // Tab moves on
  ];
}

/** What may stand at the cursor: names of the library, fields after "pod." and "node.". */
function complete(context) {
  const word = context.matchBefore(/[\w.]+/);
  if (!word && !context.explicit) return null;
  const options = JSON.parse(find("#rule-completions").textContent);
  return { from: word ? word.from : context.pos, options, validFor: /^[\w.]*$/ };
}

const TOKENS = /(?<comment>\/\/.*)|(?<string>"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)|(?<number>\b\d[\w.]*)|(?<keyword>\b(?:true|false|in)\b)|(?<variable>\b(?:pod|node)\b)|(?<call>\b[A-Za-z_]\w*(?=\())/g;

/** Colours by kind of token; an expression is short, so all of it is looked at after each key. */
function painted({ Decoration, EditorView, RangeSetBuilder, StateField }) {
  const marks = Object.fromEntries(
    ["comment", "string", "number", "keyword", "variable", "call"].map((kind) => [kind, Decoration.mark({ class: `cel-${kind}` })]),
  );
  const paint = (doc) => {
    const builder = new RangeSetBuilder();
    for (const match of doc.toString().matchAll(TOKENS)) {
      const kind = Object.keys(match.groups).find((name) => match.groups[name] !== undefined);
      builder.add(match.index, match.index + match[0].length, marks[kind]);
    }
    return builder.finish();
  };
  return StateField.define({
    create: (state) => paint(state.doc),
    update: (value, transaction) => (transaction.docChanged ? paint(transaction.newDoc) : value),
    provide: (field) => EditorView.decorations.from(field),
  });
}

/** Mark what the server found wrong; a tried rule has no marks. */
async function marked() {
  const trial = find("#rule-trial");
  if (!trial || !editors.size) return;
  const { setDiagnostics } = await import("codemirror");
  const flaws = findAll("[data-point]", trial);
  for (const [area, view] of editors) {
    const { doc } = view.state;
    const diagnostics = flaws
      .filter((flaw) => flaw.dataset.point === area.dataset.ruleEditor)
      .map((flaw) => {
        const line = doc.line(Math.min(Number(flaw.dataset.line), doc.lines));
        const from = Math.min(line.from + Number(flaw.dataset.column) - 1, line.to);
        return { from, to: Math.max(line.to, from), severity: "error", message: find(".flaw-text", flaw).textContent };
      });
    view.dispatch(setDiagnostics(view.state, diagnostics));
  }
}
