// Small helpers for the DOM. No framework: elements are made by the server, and changed here.

/** The first element matching `selector` within `root`. */
export const find = (selector, root = document) => root.querySelector(selector);

/** All elements matching `selector` within `root`, as an array. */
export const findAll = (selector, root = document) => [...root.querySelectorAll(selector)];

/** An element with attributes and children; text children are text, never markup. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

/** Listen on `root` for events of elements matching `selector`, those swapped in later included. */
export function delegate(type, selector, handler, root = document) {
  root.addEventListener(type, (event) => {
    const target = event.target instanceof Element ? event.target.closest(selector) : null;
    if (target) handler(event, target);
  });
}

/** Call `appear` for every element matching `selector`, now and whenever one is put into the page; `leave` when it goes. */
export function watch(selector, appear, leave = () => {}) {
  const known = new Set();
  const look = () => {
    for (const one of known) {
      if (!one.isConnected || !one.matches(selector)) {
        known.delete(one);
        leave(one);
      }
    }
    for (const one of findAll(selector)) {
      if (known.has(one)) continue;
      known.add(one);
      appear(one);
    }
  };
  new MutationObserver(look).observe(document.documentElement, { childList: true, subtree: true });
  look();
}

/** Whether the person has asked for less motion. */
export const reducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Add a style sheet known to the import map ("uplot.css") once; resolves when it is there. */
export function loadStyle(name) {
  const href = import.meta.resolve(name);
  const present = findAll('link[rel="stylesheet"]').find((link) => link.href === href);
  if (present) return Promise.resolve(present);
  return new Promise((resolve, reject) => {
    const link = element("link", { rel: "stylesheet", href });
    link.addEventListener("load", () => resolve(link), { once: true });
    link.addEventListener("error", () => reject(new Error(`cannot load ${href}`)), { once: true });
    document.head.append(link);
  });
}

/** The page's CSP nonce, for libraries that make style elements (CodeMirror's EditorView.cspNonce). */
export const cspNonce = () => find("script[nonce]")?.nonce ?? "";
