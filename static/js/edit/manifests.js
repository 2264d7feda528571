// What the form for workloads knows of manifests: where its fields stand in a Pod, a Job, a ReplicaSet or a gang (a
// PodGroup and the Job of its Pods), as documents of the YAML library.

const RUN = "gpuschedlab.io/run-seconds";
const TEMPLATE = ["spec", "template"];
const CONTAINER = ["spec", "containers", 0];
const LIMITS = [...CONTAINER, "resources", "limits"];
const REQUESTS = [...CONTAINER, "resources", "requests"];
const NODES = ["spec", "affinity", "nodeAffinity"];
const REQUIRED = [...NODES, "requiredDuringSchedulingIgnoredDuringExecution"];
const PREFERRED = [...NODES, "preferredDuringSchedulingIgnoredDuringExecution"];
const MODELS = ["nvidia.com/gpu.product", "amd.com/gpu.product-name", "gpu.intel.com/product", "accelerator"];
const KINDS = ["Pod", "Job", "ReplicaSet"];
const COUNT = { Job: "parallelism", PodGroup: "parallelism", ReplicaSet: "replicas" };
const WEIGHT = 50;

/** What the documents are together: "Pod", "Job", "ReplicaSet", "PodGroup" (with its Job), "" for anything else. */
export function kindOf(docs) {
  const kinds = docs.map((doc) => doc.get?.("kind"));
  if (kinds.length === 1 && KINDS.includes(kinds[0])) return kinds[0];
  return kinds.join() === "PodGroup,Job" ? "PodGroup" : "";
}

const mainOf = (docs) => docs.at(-1);

/** Where the Pod is in its document. */
const podPath = (kind) => (kind === "Pod" ? [] : TEMPLATE);

const plain = (value) => (value?.toJSON ? value.toJSON() : value);

/** The form's values. */
export function fieldsOf(docs, kind, { resources }) {
  const main = mainOf(docs);
  const at = (path) => plain(main.getIn([...podPath(kind), ...path]));
  const limits = at(LIMITS) ?? {};
  const resource = Object.keys(limits).find((name) => isGpu(name, resources)) ?? resources[0];
  const required = model(at(REQUIRED)?.nodeSelectorTerms?.[0]?.matchExpressions);
  const preferred = model(at(PREFERRED)?.[0]?.preference?.matchExpressions);
  return {
    kind,
    name: main.getIn(["metadata", "name"]) ?? "",
    namespace: main.getIn(["metadata", "namespace"]) ?? "",
    gpus: limits[resource] ?? "",
    resource,
    cpu: at(REQUESTS)?.cpu ?? "",
    memory: at(REQUESTS)?.memory ?? "",
    replicas: COUNT[kind] ? (main.getIn(["spec", COUNT[kind]]) ?? "") : "",
    gang: kind === "PodGroup" ? (docs[0].getIn(["spec", "schedulingPolicy", "gang", "minCount"]) ?? "") : "",
    model: required || preferred,
    strength: preferred && !required ? "preferred" : "required",
    priority: at(["spec", "priorityClassName"]) ?? "",
    seconds: at(["metadata", "annotations", RUN]) ?? "",
    image: at([...CONTAINER, "image"]) ?? "",
  };
}

const isGpu = (name, resources) => resources.includes(name) || /\/(gpu|npu|Ascend)/i.test(name);

/** `label=value` of the expression that names a GPU model. */
function model(expressions) {
  const found = expressions?.find(({ key, operator, values }) => MODELS.includes(key) && operator === "In" && values?.length === 1);
  return found ? `${found.key}=${found.values[0]}` : "";
}

/** Whether the Pod tolerates exactly this taint. */
export function tolerates(docs, kind, taint) {
  const list = plain(mainOf(docs).getIn([...podPath(kind), "spec", "tolerations"])) ?? [];
  return list.some((item) => covers(item, taint));
}

const covers = ({ key, operator = "Equal", value = "", effect = "" }, taint) =>
  key === taint.key && (operator === "Exists" || value === taint.value) && (!effect || effect === taint.effect);

// changing

/** Set a field; an empty value takes away what it stood for. */
export function setField({ docs, kind, facts }, name, value, strength) {
  const main = mainOf(docs);
  const pod = (path) => [...podPath(kind), ...path];
  const text = value.trim();
  switch (name) {
    case "name":
      rename(docs, kind, text);
      break;
    case "namespace":
      for (const doc of docs) put(doc, ["metadata", "namespace"], text);
      break;
    case "gpus":
      put(main, pod([...LIMITS, resourceOf(docs, kind, facts)]), text === "0" ? "" : text);
      break;
    case "resource":
      changeResource(main, pod(LIMITS), resourceOf(docs, kind, facts), text);
      break;
    case "cpu":
    case "memory":
      put(main, pod([...REQUESTS, name]), text);
      break;
    case "replicas":
      put(main, ["spec", COUNT[kind]], number(text));
      if (kind !== "ReplicaSet") put(main, ["spec", "completions"], number(text));
      break;
    case "gang":
      put(docs[0], ["spec", "schedulingPolicy", "gang", "minCount"], number(text));
      break;
    case "model":
    case "strength":
      setModel(main, pod, name === "model" ? text : fieldsOf(docs, kind, facts).model, name === "strength" ? text : strength);
      break;
    case "priority":
      put(main, pod(["spec", "priorityClassName"]), text);
      break;
    case "seconds":
      put(main, pod(["metadata", "annotations", RUN]), text);
      break;
    default:
      put(main, pod([...CONTAINER, name]), text);
  }
}

const number = (text) => (text === "" ? "" : Number(text));

const resourceOf = (docs, kind, facts) => fieldsOf(docs, kind, facts).resource;

/** Set a value; "" takes it away, with the mappings and lists that are empty without it. */
function put(doc, path, value) {
  if (value !== "") {
    doc.setIn(path, value);
    return;
  }
  if (!doc.hasIn(path)) return;
  doc.deleteIn(path);
  for (let length = path.length - 1; length > 1; length -= 1) {
    const parent = doc.getIn(path.slice(0, length));
    if (parent?.items?.length !== 0) return;
    doc.deleteIn(path.slice(0, length));
  }
}

function changeResource(doc, limits, before, after) {
  const count = doc.getIn([...limits, before]);
  if (count === undefined || before === after) return;
  put(doc, [...limits, before], "");
  doc.setIn([...limits, after], count);
}

function rename(docs, kind, name) {
  const main = mainOf(docs);
  const before = main.getIn(["metadata", "name"]);
  for (const doc of docs) doc.setIn(["metadata", "name"], name);
  if (kind === "PodGroup") main.setIn([...TEMPLATE, "spec", "schedulingGroup", "podGroupName"], name);
  for (const path of [["metadata", "labels", "app"], [...TEMPLATE, "metadata", "labels", "app"], ["spec", "selector", "matchLabels", "app"]]) {
    if (name && before && main.getIn(path) === before) main.setIn(path, name);
  }
}

function setModel(doc, pod, chosen, strength) {
  withoutModel(doc, pod, [...REQUIRED, "nodeSelectorTerms", 0], ["matchExpressions"]);
  withoutModel(doc, pod, [...PREFERRED, 0], ["preference", "matchExpressions"]);
  if (!chosen) return;
  const at = chosen.indexOf("=");
  const expression = { key: chosen.slice(0, at), operator: "In", values: [chosen.slice(at + 1)] };
  const term = pod([...REQUIRED, "nodeSelectorTerms", 0]);
  if (strength === "preferred") add(doc, pod(PREFERRED), { weight: WEIGHT, preference: { matchExpressions: [expression] } });
  else if (doc.hasIn(term)) add(doc, [...term, "matchExpressions"], expression);
  else doc.setIn(pod(REQUIRED), doc.createNode({ nodeSelectorTerms: [{ matchExpressions: [expression] }] }));
}

/** Take the expression about the model out of a term, and the term where it was about nothing else. */
function withoutModel(doc, pod, term, inner) {
  const list = plain(doc.getIn(pod([...term, ...inner]))) ?? [];
  const index = list.findIndex(({ key }) => MODELS.includes(key));
  if (index < 0) return;
  if (list.length > 1) {
    doc.deleteIn(pod([...term, ...inner, index]));
    return;
  }
  doc.deleteIn(pod(term));
  for (let length = term.length - 1; length > 1; length -= 1) {
    if (doc.getIn(pod(term.slice(0, length)))?.items?.length !== 0) return;
    doc.deleteIn(pod(term.slice(0, length)));
  }
}

function add(doc, path, value) {
  if (doc.hasIn(path)) doc.addIn(path, doc.createNode(value));
  else doc.setIn(path, doc.createNode([value]));
}

export function setToleration({ docs, kind }, { key, value, effect }, wanted) {
  const main = mainOf(docs);
  const path = [...podPath(kind), "spec", "tolerations"];
  const list = plain(main.getIn(path)) ?? [];
  if (wanted) {
    add(main, path, { key, operator: value ? "Equal" : "Exists", ...(value ? { value } : {}), effect });
    return;
  }
  for (let index = list.length - 1; index >= 0; index -= 1) if (covers(list[index], { key, value, effect })) main.deleteIn([...path, index]);
  if (main.getIn(path)?.items?.length === 0) main.deleteIn(path);
}

// another kind

/** An empty workload of a kind. */
export function emptyOf(kind) {
  const job = "apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: x\nspec:\n  parallelism: 1\n  completions: 1\n  template:\n    metadata: {}\n    spec: {}\n";
  const group = "apiVersion: scheduling.k8s.io/v1alpha2\nkind: PodGroup\nmetadata:\n  name: x\nspec:\n  schedulingPolicy:\n    gang:\n      minCount: 1\n";
  switch (kind) {
    case "Job":
      return job;
    case "PodGroup":
      return `${group}---\n${job}`;
    case "ReplicaSet":
      return "apiVersion: apps/v1\nkind: ReplicaSet\nmetadata:\n  name: x\nspec:\n  replicas: 1\n  selector:\n    matchLabels: {}\n  template:\n    metadata: {}\n    spec: {}\n";
    default:
      return "apiVersion: v1\nkind: Pod\nmetadata:\n  name: x\nspec: {}\n";
  }
}

/** The same Pods under another kind: everything of the Pod goes along, comments too. Returns the new documents. */
export function moveTo({ docs, kind, facts }, target, wanted) {
  const from = mainOf(docs);
  const to = mainOf(target);
  const before = fieldsOf(docs, kind, facts);
  to.commentBefore = from.commentBefore;
  to.setIn([...podPath(wanted), "spec"], from.getIn([...podPath(kind), "spec"], true));
  for (const part of ["labels", "annotations"]) {
    const node = from.getIn([...podPath(kind), "metadata", part], true);
    if (node) to.setIn([...podPath(wanted), "metadata", part], node);
  }
  const found = { docs: target, kind: wanted, facts };
  const spec = [...podPath(wanted), "spec"];
  if (wanted === "ReplicaSet") {
    const labels = plain(to.getIn([...TEMPLATE, "metadata", "labels"])) ?? { app: before.name };
    to.setIn([...TEMPLATE, "metadata", "labels"], to.createNode(labels));
    to.setIn(["spec", "selector", "matchLabels"], to.createNode(labels));
  }
  if (wanted === "ReplicaSet" && to.hasIn([...spec, "restartPolicy"])) to.deleteIn([...spec, "restartPolicy"]);
  if (["Job", "PodGroup"].includes(wanted) && ["Always", undefined].includes(to.getIn([...spec, "restartPolicy"]))) to.setIn([...spec, "restartPolicy"], "Never");
  if (wanted !== "PodGroup" && to.hasIn([...spec, "schedulingGroup"])) to.deleteIn([...spec, "schedulingGroup"]);
  for (const doc of target) {
    put(doc, ["metadata", "namespace"], before.namespace);
    doc.setIn(["metadata", "name"], before.name);
  }
  if (wanted === "PodGroup") to.setIn([...spec, "schedulingGroup"], to.createNode({ podGroupName: before.name }));
  const count = String(before.replicas || (wanted === "PodGroup" ? 2 : 1));
  if (COUNT[wanted]) setField(found, "replicas", count);
  if (wanted === "PodGroup") setField(found, "gang", count);
  return target;
}

// what the form does not show

/** Paths that are there and that no field of the form shows, the shortest that say it. */
export function unknownIn(docs, kind, facts) {
  const pod = podShape(facts);
  const meta = { name: 1, namespace: 1, labels: 1 };
  const head = { apiVersion: 1, kind: 1 };
  const shapes = {
    Pod: { ...head, metadata: { ...meta, ...pod.metadata }, spec: pod.spec },
    Job: { ...head, metadata: meta, spec: { parallelism: 1, completions: 1, template: pod } },
    ReplicaSet: { ...head, metadata: meta, spec: { replicas: 1, selector: 1, template: pod } },
  };
  const group = { ...head, metadata: meta, spec: { schedulingPolicy: { gang: { minCount: 1 } } } };
  if (kind !== "PodGroup") return beyond(mainOf(docs).toJSON(), shapes[kind]);
  const inJob = { ...shapes.Job.spec.template.spec, schedulingGroup: 1 };
  const job = { ...shapes.Job, spec: { ...shapes.Job.spec, template: { ...pod, spec: inJob } } };
  return [...beyond(docs[0].toJSON(), group), ...beyond(mainOf(docs).toJSON(), job)];
}

function podShape({ resources, taints }) {
  const gpus = Object.fromEntries(resources.map((name) => [name, 1]));
  const container = { name: 1, image: 1, resources: { requests: { cpu: 1, memory: 1 }, limits: gpus } };
  const expressions = { matchExpressions: (list) => list.every(({ key }) => MODELS.includes(key)) };
  return {
    metadata: { labels: 1, annotations: { [RUN]: 1 } },
    spec: {
      containers: [container],
      priorityClassName: 1,
      restartPolicy: 1,
      tolerations: (list) => list.every((item) => taints.some((taint) => covers(item, taint))),
      affinity: { nodeAffinity: { [REQUIRED.at(-1)]: { nodeSelectorTerms: [expressions] }, [PREFERRED.at(-1)]: [{ weight: 1, preference: expressions }] } },
    },
  };
}

function beyond(value, shape, path = "") {
  if (shape === 1) return [];
  if (typeof shape === "function") return shape(value) ? [] : [path];
  if (Array.isArray(shape)) return (value ?? []).flatMap((item, index) => (index ? [`${path}[${index}]`] : beyond(item, shape[0], `${path}[0]`)));
  return Object.entries(value ?? {}).flatMap(([key, inner]) => {
    const name = path ? `${path}.${key}` : key;
    return key in shape ? beyond(inner, shape[key], name) : [name];
  });
}
