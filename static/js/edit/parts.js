// Parts of the page that are asked for by themselves: the panel of the selection, the contents of dialogs.

import { find } from "lib/dom";
import { toast } from "lib/announce";
import { gettext } from "lib/i18n";
import { state } from "lab/state";

/** The address below the lab's page: part("palette/", { refs }). It says what step is shown. */
export function address(path, values = {}) {
  const page = new URL(state().url, location.href).pathname;
  return `${page}${path}?${new URLSearchParams({ at: state().at, ...values })}`;
}

/** Fetch a part and put it into `target`, if it is still `free()` then. Resolves to whether it is there. */
export async function fetchInto(target, path, values, { signal, free = () => true } = {}) {
  const answer = await ask(address(path, values), { signal });
  if (!answer || !free()) return false;
  await globalThis.htmx.swap(target, answer, { swapStyle: "innerHTML", swapDelay: 0, settleDelay: 0 });
  return true;
}

async function ask(url, options) {
  try {
    const answer = await fetch(url, { ...options, headers: { "HX-Request": "true" } });
    if (answer.ok) return await answer.text();
  } catch (error) {
    if (error.name === "AbortError") return null;
  }
  toast(gettext("The server cannot be reached. Check the connection and try again."), { kind: "error" });
  return null;
}

/** Send values with what protects forms; resolves to the response. */
export function post(path, values, options = {}) {
  const body = new FormData();
  for (const [name, value] of Object.entries(values)) body.set(name, value);
  for (const name of ["csrfmiddlewaretoken", "seq", "revision"]) body.set(name, find(`#transport-state [name="${name}"]`).value);
  const page = new URL(state().url, location.href).pathname;
  return fetch(`${page}${path}`, { ...options, method: "POST", body, headers: { "HX-Request": "true" } });
}
