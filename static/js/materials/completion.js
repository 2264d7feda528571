// Completion in a draft's text: in its front matter what the JSON Schema of its kind says, below it what the lab's API
// server knows of objects.

import { completionSource, pathAt } from "edit/completion";
import { find } from "lib/dom";

const LINE = /^(\s*)((?:- +)*)(.*)$/;
const WORD = /[\w./-]*$/;

/** A completion source made from what the page knows (#text-facts); nothing is offered without it. */
export function documentSource() {
  const facts = JSON.parse(find("#text-facts")?.textContent ?? "null");
  if (!facts?.front) return () => null;
  const ofObjects = facts.schema ? completionSource(() => facts) : () => null;
  let schema = null;
  return async (context) => {
    const before = context.state.doc.sliceString(0, context.pos);
    if (/^---\s*$/m.test(before)) return ofObjects(context);
    schema ??= await fetch(facts.front).then((answer) => answer.json());
    return complete(context, schema);
  };
}

export function complete(context, schema) {
  const line = context.state.doc.lineAt(context.pos);
  const before = line.text.slice(0, context.pos - line.from);
  const [, space, dashes, rest] = LINE.exec(before);
  const word = WORD.exec(before)[0];
  if (!word && !context.explicit && !/\s$/.test(before)) return null;
  const texts = context.state.doc.sliceString(0, line.to).split("\n");
  const here = { row: line.number - 1, indent: space.length + dashes.length, dash: dashes ? space.length : null };
  const path = pathAt(texts, here);
  const key = /^([\w-]+):\s/.exec(`${rest} `)?.[1];
  const options = key && rest.includes(":") ? values(schema, [...path, key], texts, here) : [...keys(schema, path, texts, here), ...(dashes ? values(schema, path, texts, here) : [])];
  return options.length ? { from: context.pos - word.length, options, validFor: /^[\w./-]*$/ } : null;
}

/** The part of the schema for a path, "[]" being an entry of a list; null where it says nothing. */
export function schemaAt(schema, path, kind = null) {
  let part = resolved(schema, schema, kind);
  for (const step of path) {
    if (!part) return null;
    part = resolved(schema, step === "[]" ? part.items : part.properties?.[step], kind);
  }
  return part;
}

function resolved(root, part, kind) {
  if (!part) return null;
  const found = part.$ref ? root.$defs[part.$ref.split("/").at(-1)] : part;
  const chosen = kind && found.allOf?.find((one) => one.if?.properties?.kind?.const === kind);
  return chosen ? { ...chosen.then, type: "object" } : found;
}

function keys(schema, path, texts, here) {
  const part = schemaAt(schema, path, kindOf(texts, here));
  return Object.entries(part?.properties ?? {}).map(([label, inner]) => {
    const of = resolved(schema, inner, null);
    const holds = of?.type === "object" || of?.type === "array" || of?.properties;
    return { label, detail: of?.enum ? of.enum.length > 4 ? "…" : of.enum.join(" | ") : (of?.type ?? ""), apply: holds ? `${label}:` : `${label}: ` };
  });
}

function values(schema, path, texts, here) {
  const part = schemaAt(schema, path, kindOf(texts, here));
  const found = part?.enum ?? part?.items?.enum ?? (part?.const === undefined ? [] : [part.const]);
  if (part?.type === "boolean") return [{ label: "true" }, { label: "false" }];
  return found.map((label) => ({ label: String(label) }));
}

/** The `kind:` of the list entry that the cursor is in: goals have the fields of their kind. */
function kindOf(texts, { row, indent }) {
  for (let at = row; at >= 0; at -= 1) {
    const found = /^(\s*)(- +)?kind:\s*["']?(\w+)/.exec(texts[at] ?? "");
    if (found && found[1].length + (found[2]?.length ?? 0) <= indent) return found[3];
    if (at < row && /^\s*-\s/.test(texts[at] ?? "") && !found && (texts[at].search(/\S/) ?? 0) < indent) return null;
  }
  return null;
}
