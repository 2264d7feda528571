// The parts of CodeMirror 6 that the YAML editor needs, as one module.
export { EditorState, Compartment, StateEffect, StateField, RangeSetBuilder } from "@codemirror/state";
export {
  Decoration, EditorView, crosshairCursor, drawSelection, dropCursor, gutter, GutterMarker, highlightActiveLine,
  highlightActiveLineGutter, highlightSpecialChars, keymap, lineNumbers, placeholder, rectangularSelection,
} from "@codemirror/view";
export { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
export {
  HighlightStyle, bracketMatching, foldGutter, foldKeymap, indentOnInput, indentUnit, syntaxHighlighting, syntaxTree,
} from "@codemirror/language";
export { yaml } from "@codemirror/lang-yaml";
export { diagnosticCount, forceLinting, lintGutter, lintKeymap, linter, nextDiagnostic, setDiagnostics } from "@codemirror/lint";
export { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
export { highlightSelectionMatches, openSearchPanel, search, searchKeymap } from "@codemirror/search";
export { tags } from "@lezer/highlight";
