// Completion in the YAML editor: the fields that the lab's API server knows at this place, values a field can have, and
// what this cluster has (resources, labels, taints, priority classes, nodes).

const LINE = /^(\s*)((?:- +)*)(.*)$/;
const KEY = /^("[^"]*"|'[^']*'|[^\s:#'"][^:#]*?)\s*:(?:\s|$)/;
const WORD = /[\w./-]*$/;

/** A completion source. `facts()` is what the page knows of the cluster; it names where the schema is. */
export function completionSource(facts) {
  let schema = null;
  return async (context) => {
    const known = facts();
    if (!known) return null;
    schema ??= await fetch(known.schema).then((answer) => answer.json());
    return complete(context, schema, known);
  };
}

export function complete(context, schema, facts) {
  const line = context.state.doc.lineAt(context.pos);
  const before = line.text.slice(0, context.pos - line.from);
  const [, space, dashes, rest] = LINE.exec(before);
  const word = WORD.exec(before)[0];
  if (!word && !context.explicit && !/[\s]$/.test(before)) return null;
  const lines = documentLines(context.state.doc, line.number);
  const here = { row: line.number - lines.first, indent: space.length + dashes.length, dash: dashes ? space.length : null };
  const path = pathAt(lines.texts, here);
  const field = KEY.exec(`${rest} `)?.[1];
  const options = field && rest.includes(":") ? values(schema, facts, lines.texts, [...path, field], here) : [
    ...keys(schema, facts, lines.texts, path),
    ...(dashes ? values(schema, facts, lines.texts, path, here) : []),
  ];
  if (!options.length) return null;
  return { from: context.pos - word.length, options, validFor: /^[\w./-]*$/ };
}

/** The lines of the document (between `---`) that a line is in. */
function documentLines(doc, number) {
  const texts = doc.toString().split("\n");
  let first = number - 1;
  while (first > 0 && !/^---/.test(texts[first - 1])) first -= 1;
  let end = number;
  while (end < texts.length && !/^---/.test(texts[end])) end += 1;
  return { first: first + 1, texts: texts.slice(first, end) };
}

function parsed(text) {
  const [, space, dashes, rest] = LINE.exec(text);
  if (!rest.trim() || rest.startsWith("#")) return null;
  const key = KEY.exec(`${rest} `)?.[1]?.replace(/^["']|["']$/g, "") ?? null;
  return { space: space.length, dash: dashes ? space.length : null, indent: space.length + dashes.length, key };
}

/** Keys that lead to a place, "[]" for an item of a list. */
export function pathAt(texts, { row, indent, dash }) {
  const path = [];
  let need = indent;
  if (dash !== null) {
    path.unshift("[]");
    need = dash + 1;
  }
  for (let at = row - 1; at >= 0 && need > 0; at -= 1) {
    const line = parsed(texts[at]);
    if (!line?.key) continue;
    const isParent = line.indent < need;
    const isFirstOfItem = line.indent === need && line.dash !== null && path[0] !== "[]";
    if (!isParent && !isFirstOfItem) continue;
    if (isParent) path.unshift(line.key);
    need = line.indent;
    if (line.dash !== null) {
      path.unshift("[]");
      need = line.dash + 1;
    }
  }
  return path;
}

function rootType(schema, texts) {
  const find = (key) => texts.map((text) => new RegExp(`^${key}:\\s*["']?([\\w./]+)`).exec(text)?.[1]).find(Boolean);
  return schema.kinds[`${find("apiVersion")}/${find("kind")}`] ?? null;
}

/** The type at a path: a struct's name, a scalar's, "[item" or "{value"; with the struct and field it was found in. */
function typeAt(schema, texts, path) {
  let type = rootType(schema, texts);
  let field = "";
  for (const key of path) {
    if (!type) return { type: null, field: "" };
    if (key === "[]") {
      type = type.startsWith("[") ? type.slice(1) : null;
    } else if (type.startsWith("{")) {
      type = type.slice(1);
    } else {
      field = `${type.replaceAll("~", "")}.${key}`;
      type = schema.types[type]?.[key] ?? null;
    }
  }
  return { type, field };
}

function keys(schema, facts, texts, path) {
  if (!path.length) {
    const root = rootType(schema, texts);
    const fields = root ? schema.types[root] : { metadata: "ObjectMeta", spec: "{" };
    return asKeys({ apiVersion: "string", kind: "string", ...fields }, schema);
  }
  const { type } = typeAt(schema, texts, path);
  if (!type) return [];
  if (schema.types[type]) return asKeys(schema.types[type], schema);
  if (!type.startsWith("{")) return [];
  const last = path.at(-1);
  if (["limits", "requests", "capacity", "allocatable"].includes(last)) return ["cpu", "memory", ...facts.resources].map((label) => ({ label, apply: `${label}: ` }));
  if (["nodeSelector", "matchLabels", "labels"].includes(last)) return Object.keys(facts.labels).map((label) => ({ label, apply: `${label}: ` }));
  return last === "annotations" ? [{ label: "gpuschedlab.io/run-seconds", apply: 'gpuschedlab.io/run-seconds: "60"' }] : [];
}

function asKeys(fields, schema) {
  return Object.entries(fields).map(([label, type]) => {
    const holds = type.startsWith("[") || type.startsWith("{") || schema.types[type];
    return { label, detail: type.replace("[", "[]").replace("{", "map of ").replaceAll("~", ""), apply: holds ? `${label}:` : `${label}: ` };
  });
}

function values(schema, facts, texts, path, here) {
  const key = path.findLast((one) => one !== "[]");
  const { type, field } = typeAt(schema, texts, path);
  const found = schema.values[field] ?? ofTheCluster(schema, facts, texts, path, key, here);
  if (found) return found.map((label) => ({ label: String(label) }));
  return type === "bool" ? [{ label: "true" }, { label: "false" }] : [];
}

function ofTheCluster(schema, facts, texts, path, key, here) {
  if (path.length === 1 && key === "kind") return Object.keys(schema.kinds).map((name) => name.split("/").at(-1));
  if (path.length === 1 && key === "apiVersion") return [...new Set(Object.keys(schema.kinds).map((name) => name.slice(0, name.lastIndexOf("/"))))];
  if (key === "priorityClassName") return facts.priorityClasses;
  if (key === "nodeName") return facts.nodes;
  if (key === "namespace") return facts.namespaces;
  if (key === "topologyKey") return Object.keys(facts.labels);
  if (key === "key" && path.includes("tolerations")) return [...new Set(facts.taints.map((taint) => taint.key))];
  if (key === "key" && path.includes("matchExpressions")) return Object.keys(facts.labels);
  if (key === "values") return facts.labels[siblingKey(texts, here)] ?? null;
  const parent = path.at(-2);
  return ["nodeSelector", "matchLabels"].includes(parent) ? (facts.labels[key] ?? null) : null;
}

/** The `key:` that the values of an expression belong to: the nearest one above. */
function siblingKey(texts, { row }) {
  for (let at = row; at >= 0; at -= 1) {
    const found = /^\s*(?:- +)?key:\s*["']?([\w./-]+)/.exec(texts[at] ?? "");
    if (found) return found[1];
  }
  return "";
}
