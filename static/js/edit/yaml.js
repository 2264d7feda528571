// A YAML editor: CodeMirror, loaded when it is first needed, in the place of a text area that does the same without it.

import { cspNonce } from "lib/dom";

const LOOK = {
  "&": { height: "100%", fontSize: "0.875rem", color: "var(--text)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--font-code)", lineHeight: "1.45" },
  ".cm-gutters": { backgroundColor: "var(--surface-sunken)", color: "var(--text-quiet)", borderRight: "1px solid var(--edge)" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--accent-tint) 50%, transparent)" },
  ".cm-activeLineGutter": { backgroundColor: "var(--accent-tint)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-selectionBackground, &.cm-focused .cm-selectionBackground, ::selection": { backgroundColor: "var(--selection)" },
  ".cm-tooltip": { border: "1px solid var(--edge-strong)", borderRadius: "var(--radius-small)", backgroundColor: "var(--surface-raised)", color: "var(--text)" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--text-on-accent)" },
  ".cm-completionDetail": { fontSize: "0.75rem", fontStyle: "normal", opacity: "0.8" },
};

/**
 * Put an editor into `host` in the place of `area`, which is kept equal to it. `changed(byHand)` is called for every
 * change, `apply()` for Ctrl+Enter, `complete(context)` as CodeMirror calls completion sources.
 */
export async function makeYamlEditor({ host, area, changed, apply, complete }) {
  const code = await import("codemirror");
  const { EditorView, keymap } = code;
  let byHand = true;
  let composing = false; // keys belong to an input method
  const view = new EditorView({
    doc: area.value,
    parent: host,
    extensions: [
      EditorView.domEventObservers({ keydown: (event) => void (composing = event.isComposing) }),
      keymap.of([{ key: "Mod-Enter", run: () => composing || (apply(), true) }]),
      ...extensions(code, complete),
      EditorView.cspNonce.of(cspNonce()),
      EditorView.theme(LOOK),
      EditorView.contentAttributes.of({ "aria-label": area.getAttribute("aria-label"), tabindex: "0" }),
      EditorView.updateListener.of((update) => {
        if (!update.docChanged) return;
        area.value = update.state.doc.toString();
        changed(byHand);
      }),
    ],
  });
  area.hidden = true;
  return {
    focus: () => view.focus(),
    text: () => view.state.doc.toString(),
    /** Replace what differs, so that the cursor stays where it can. */
    setText(text) {
      byHand = false;
      view.dispatch({ changes: difference(view.state.doc.toString(), text) });
      byHand = true;
    },
    mark: (items) => view.dispatch(code.setDiagnostics(view.state, diagnostics(view.state.doc, items))),
    goTo({ line, column }) {
      if (!Number(line)) return;
      const anchor = offset(view.state.doc, line, column);
      view.dispatch({ selection: { anchor }, scrollIntoView: true });
      view.focus();
    },
  };
}

function extensions(code, complete) {
  const { tags } = code;
  const style = code.HighlightStyle.define([
    { tag: tags.propertyName, color: "var(--link)" },
    { tag: tags.string, color: "var(--pass)" },
    { tag: [tags.number, tags.bool, tags.null], color: "var(--nominated)" },
    { tag: tags.comment, color: "var(--text-quiet)" },
    { tag: [tags.punctuation, tags.meta], color: "var(--text-quiet)" },
  ]);
  return [
    code.yaml(),
    code.lineNumbers(),
    code.history(),
    code.lintGutter(),
    code.indentUnit.of("  "),
    code.indentOnInput(),
    code.bracketMatching(),
    code.highlightActiveLine(),
    code.syntaxHighlighting(style),
    code.autocompletion({ override: [complete], icons: false }),
    code.keymap.of([...code.completionKeymap, ...code.defaultKeymap, ...code.historyKeymap]), // Tab moves on, as everywhere
  ];
}

/** The smallest change from one text to another. */
function difference(before, after) {
  const most = Math.min(before.length, after.length);
  let from = 0;
  while (from < most && before[from] === after[from]) from += 1;
  let end = 0;
  while (end < most - from && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return { from, to: before.length - end, insert: after.slice(from, after.length - end) };
}

function offset(doc, line, column) {
  const at = doc.line(Math.min(Number(line), doc.lines));
  return Math.min(at.from + Math.max(0, Number(column) - 1), at.to);
}

function diagnostics(doc, items) {
  const found = items.filter(({ line }) => line >= 1 && line <= doc.lines).map(({ line, column, message }) => {
    const { to } = doc.line(line);
    return { from: offset(doc, line, column), to, severity: "error", message };
  });
  return found.sort((one, other) => one.from - other.from);
}
