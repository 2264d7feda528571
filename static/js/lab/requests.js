// Asking the server, one request after the other: places to look at, forms to send. Answers are parts of the page that
// htmx puts where they belong. The address bar follows.

import { element, find, findAll } from "lib/dom";
import { makeTurns } from "lib/turns";
import { onState, state } from "lab/state";

const PUSH = "push";
const REPLACE = "replace";

const turns = makeTurns();
let historyMode = REPLACE;
const busy = new WeakSet(); // forms on their way

/** How many requests are on their way or wait for their turn. */
export const pending = turns.pending;

/** Show another place (an address of this page). `history`: "push", or "replace" for what nobody goes back to. */
export function visit(url, { history = PUSH } = {}) {
  return turns.take(() => ajax("GET", url, {}, history));
}

/** Follow a link. One that stays at this place means the place we are at once what was asked before is answered. */
function follow(href) {
  const stays = placeOf(href) === placeOf(state().url);
  return turns.take(() => ajax("GET", stays ? withPlace(href, placeOf(state().url)) : href, {}, PUSH));
}

const placeOf = (url) => new URL(url, location.href).searchParams.get("at");

function withPlace(href, place) {
  const url = new URL(href, location.href);
  if (place === null) url.searchParams.delete("at");
  else url.searchParams.set("at", place);
  return url.href;
}

/** Fetch what is new, if `isNeeded()` still says so once everything we asked for ourselves is here. */
export function refresh(isNeeded) {
  return turns.take(() => (isNeeded() ? ajax("GET", state().isHead ? headUrl() : state().url, {}, REPLACE) : undefined));
}

function headUrl() {
  const url = new URL(state().url, location.href);
  url.searchParams.delete("at");
  return url.href;
}

/** Send a form of the lab with what every command carries: where we are, which command was the newest, a token. */
export function send(form, submitter, { history = PUSH } = {}) {
  return turns.take(() => {
    const data = new FormData(form, submitter ?? undefined);
    for (const input of findAll("#transport-state input")) if (!data.has(input.name)) data.set(input.name, input.value);
    const action = submitter?.getAttribute("formaction") ?? form.getAttribute("action");
    if (form.method === "get") return ajax("GET", `${action}?${new URLSearchParams(plain(data))}`, {}, history);
    return ajax("POST", action, data, history); // as form data: a name may come more than once
  });
}

const plain = (data) => [...data].filter(([name]) => !["csrfmiddlewaretoken", "client_token", "seq", "revision"].includes(name));

const pagePath = () => new URL(state().url, location.href).pathname;

function ajax(verb, url, values, history) {
  historyMode = history;
  const headers = state() ? { "Lab-Frame": String(state().frame) } : {};
  const source = find("#lab");
  return globalThis.htmx.ajax(verb, url, { source, target: source, swap: "none", values, headers });
}

export function startRequests() {
  onState((now, before) => {
    const url = new URL(now.url, location.href);
    if (!before || historyMode === REPLACE) history.replaceState({ lab: true }, "", url);
    else if (url.href !== location.href) history.pushState({ lab: true }, "", url);
    historyMode = REPLACE;
    for (const next of findAll('.site-tools input[name="next"]')) next.value = now.url;
  });
  addEventListener("popstate", () => visit(location.href, { history: REPLACE }));
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a[data-go]") : null;
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    follow(link.href);
  });
  document.addEventListener("submit", (event) => {
    const form = event.target.closest("form[data-lab-form]");
    if (!form) return;
    event.preventDefault();
    if (busy.has(form) && form.id !== "transport") return; // a double click is one click, but two steps are two
    busy.add(form);
    send(form, event.submitter).finally(() => busy.delete(form));
  });
}

/** A hidden form's worth of values, sent as a command of the lab to `path` below the page's address. */
export function command(path, values) {
  const form = element("form", { method: "post", action: `${pagePath()}${path}` });
  for (const [name, value] of Object.entries(values)) form.append(element("input", { type: "hidden", name, value }));
  return send(form);
}
